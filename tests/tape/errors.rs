//! Every sentence of a tape.

use super::*;

#[test]
fn a_loss_is_one_float() {
    let a = array(&[1.0, 2.0]);
    let counts = Array::from_slice(&Device::cpu(), &[3u32]).unwrap();
    let tape = Tape::record(|| Ok(())).unwrap();
    assert_eq!(tape_error(tape.backward(&a)), TapeError::Loss { found: "2 elements".into() });
    assert_eq!(tape_error(tape.backward(&counts)), TapeError::Loss { found: "1 element of u32".into() });
    let v = Array::from_slice(&Device::cpu(), &[Vec3::ONE]).unwrap();
    assert_eq!(
        tape.backward(&v).unwrap_err().to_string(),
        "`backward` starts from an array of one float, the loss, and this one has 1 element of 3 scalars; sum it up in a \
         kernel, or use `backward_with` and say the gradient of each element"
    );
}
