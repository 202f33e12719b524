//! Encoded IR comes back as it was, and damaged or hostile input is an error, never a panic.

use warp_ir::encode::{DecodeError, Encode, FORMAT, ascii, from_ascii};
use warp_ir::ir::{Function, Kernel, Op, Region, Scalar, Value};
use warp_ir::validate::{Valid, limits};

fn nested(depth: usize) -> Kernel {
    let mut function = Function { name: "deep".into(), ..Function::default() };
    let cond = function.value(Scalar::Bool);
    let mut region = Region::default();
    for _ in 1..depth {
        let op = Op::If { cond, then: region, otherwise: Region::default(), results: vec![] };
        region = Region { ops: vec![op], ..Region::default() };
    }
    region.ops.insert(0, Op::Const { bits: 1, result: cond });
    function.body = region;
    Kernel { function, rank: 1, ..Kernel::default() }
}

#[test]
fn nesting_up_to_the_limit_is_fine_on_a_small_stack() {
    let work = || {
        let kernel = Valid::<Kernel>::new(nested(limits::DEPTH)).unwrap();
        let bytes = Kernel::to_bytes(&kernel);
        assert_eq!(Kernel::from_bytes(&bytes).unwrap(), kernel);
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn nesting_beyond_the_limit_is_an_error() {
    let error = Valid::<Kernel>::new(nested(limits::DEPTH + 1)).unwrap_err();
    assert!(error.message.contains("nested deeper than the limit of 128"), "{error}");

    // Bytes that claim ever deeper nesting: a region without parameters, with one op, an `If` on v0, and so on.
    let if_tag = postcard_tag_of_if();
    let mut bytes = vec![FORMAT as u8, 0, b'K', 0, 0, 0, 0];
    for _ in 0..200_000 {
        bytes.extend([0, 1, if_tag, 0]);
    }
    assert!(matches!(Kernel::from_bytes(&bytes), Err(DecodeError::Damaged(_))));
}

/// The bytes before and after one `If` is put into the body differ by its tag.
fn postcard_tag_of_if() -> u8 {
    let bytes = Kernel::to_bytes(&Valid::<Kernel>::new(nested(2)).unwrap());
    // Header, name, no params, arrays, locals; body: no params, two ops, the constant (tag 0, bits, v0), the `If`.
    let at = 3 + 1 + "deep".len() + 3 + 1 + 1 + 3;
    assert_eq!(bytes[at + 1], Value(0).0 as u8);
    bytes[at]
}

#[test]
fn other_versions_and_kinds_are_named() {
    let mut bytes = Kernel::to_bytes(&Valid::<Kernel>::new(nested(1)).unwrap());
    assert_eq!(Function::from_bytes(&bytes), Err(DecodeError::Kind));
    bytes[0] += 1;
    let error = Kernel::from_bytes(&bytes).unwrap_err();
    assert_eq!(error, DecodeError::Format { found: FORMAT + 1 });
    assert!(error.to_string().contains("same version"));
    assert!(matches!(Kernel::from_bytes(&bytes[..2]), Err(DecodeError::Damaged(_))));
}

#[test]
fn bytes_missing_or_left_over_are_errors() {
    let bytes = Kernel::to_bytes(&Valid::<Kernel>::new(nested(3)).unwrap());
    for len in 3..bytes.len() {
        assert!(Kernel::from_bytes(&bytes[..len]).is_err(), "{len} of {} bytes", bytes.len());
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(Kernel::from_bytes(&longer), Err(DecodeError::Damaged(_))));
}

#[test]
fn ascii_is_one_to_one() {
    for len in 0..40usize {
        let bytes: Vec<u8> = (0..len).map(|k| (k * 151 + len * 31) as u8).collect();
        let text = ascii(&bytes);
        assert!(text.len() <= len * 4 / 3 + 1, "six bits a character");
        assert!(text.bytes().all(|c| c.is_ascii_graphic() && c != b'"' && c != b'\\'));
        assert_eq!(from_ascii(&text).unwrap(), bytes);
    }
    assert_eq!(from_ascii("AA\""), Err(DecodeError::Ascii { at: 2 }));
    assert_eq!(from_ascii("AAé"), Err(DecodeError::Ascii { at: 2 }));
    // One character holds no byte, and bits left over are zero.
    assert!(from_ascii("A").is_err());
    assert!(from_ascii("AB").is_err());
}
