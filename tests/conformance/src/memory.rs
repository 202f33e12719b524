//! Where things lie: blocks, structs, planes, strides, local arrays, tables, booleans, user constants.

use warp::backend::{ElementLayout, Program};
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::{Access, ArrayParam, Kernel, Mem, Scalar, Storage};

use crate::rig::{Rig, source};
use crate::scalars::{pack, unpack, word};

/// Allocating, copying in, out and across.
pub fn blocks_are_zeroed_and_keep_bytes(rig: &Rig) {
    let backend = rig.backend();
    for bytes in [0usize, 1, 63, 64, 4097, 1 << 20] {
        let address = backend.allocate(bytes).expect("there is memory");
        assert_eq!(address % 64, 0, "a block of {bytes} bytes is not aligned");
        let mut found = vec![1u8; bytes];
        // SAFETY: the address is valid for so many bytes.
        unsafe { backend.download(address, &mut found) }.expect("downloads work");
        assert!(found.iter().all(|byte| *byte == 0), "a block of {bytes} bytes is not zero");
        let pattern: Vec<u8> = (0..bytes).map(|k| (k % 251) as u8).collect();
        let other = backend.allocate(bytes).expect("there is memory");
        // SAFETY: both addresses are valid for so many bytes, and are freed once.
        unsafe {
            backend.upload(address, &pattern).expect("uploads work");
            backend.copy(address, other, bytes).expect("copies work");
            backend.download(other, &mut found).expect("downloads work");
            backend.free(address, bytes);
            backend.free(other, bytes);
        }
        assert_eq!(found, pattern);
    }
    let error = backend.allocate(usize::MAX).expect_err("no machine has so much memory");
    assert!(error.to_string().contains("18446744073709551615 bytes"), "{error}");
}

/// The fields of a particle: a flag, a mass, a kind, a count, a speed.
const LEAVES: [Scalar; 5] = [Scalar::Bool, Scalar::F64, Scalar::U8, Scalar::I16, Scalar::F32];

/// The bits of the fields of particle `i`.
fn particle(i: u64) -> [u64; 5] {
    let count = -(i as i16) as u16;
    let (mass, speed) = (i as f64 + 0.25, 0.5 * i as f32);
    [u64::from(i.is_multiple_of(3)), mass.to_bits(), i & 255, u64::from(count), u64::from(speed.to_bits())]
}

/// What the kernel makes of it: numbers are doubled, the flag is turned.
fn doubled(particle: [u64; 5]) -> [u64; 5] {
    let [alive, mass, kind, count, speed] = particle;
    [
        1 - alive,
        (2.0 * f64::from_bits(mass)).to_bits(),
        (2 * kind) & 255,
        (2 * count) & 0xffff,
        u64::from((2.0 * f32::from_bits(speed as u32)).to_bits()),
    ]
}

fn double(storage: Storage) -> Kernel {
    let mut b = Builder::new("double");
    let (name, leaves) = ("particles".into(), LEAVES.to_vec());
    let mem = Mem::Array(b.array(ArrayParam { name, leaves, rank: 1, strided: false, access: Access::Write, storage }));
    let (i, at) = (b.tid(0), source(&mut b, "particles[i]"));
    b.check_index(mem, 0, i, at);
    for leaf in 0..5 {
        let x = b.load(mem, i, leaf);
        let new = if leaf == 0 { b.not(x) } else { b.add(x, x) };
        b.store(mem, i, leaf, new);
    }
    b.finish_kernel(1)
}

/// As `repr(C)` has it, and as Rust and others may reorder and pad it. Padding stays as it was.
pub fn structs_of_any_layout(rig: &Rig) {
    for (size, offsets) in [(32, [0, 8, 16, 18, 20]), (16, [15, 0, 14, 12, 8]), (40, [24, 16, 1, 32, 4])] {
        let layout = ElementLayout { size, align: 8, offsets: offsets.to_vec() };
        let program = Program { kernel: double(Storage::Elements), slots: vec![], layouts: vec![layout] };
        let compiled = rig.try_compile(&program).unwrap_or_else(|error| panic!("{error}"));
        let lay = |particle: &dyn Fn(u64) -> [u64; 5]| {
            let mut bytes = vec![0xee; 200 * size];
            for i in 0..200 {
                for ((bits, offset), leaf) in particle(i as u64).into_iter().zip(offsets).zip(LEAVES) {
                    let at = i * size + offset;
                    bytes[at..at + leaf.size()].copy_from_slice(&bits.to_le_bytes()[..leaf.size()]);
                }
            }
            bytes
        };
        let particles = rig.buffer(&lay(&particle));
        compiled.launch(&[200], &[particles.address(), 200]).unwrap_or_else(|stop| panic!("{stop:?}"));
        assert!(particles.read() == lay(&|i| doubled(particle(i))), "offsets {offsets:?}");
    }
}

/// One array a field.
pub fn planes(rig: &Rig) {
    let compiled = rig.compile(double(Storage::Planes));
    let column = |k: usize| pack(LEAVES[k], &(0..100).map(|i| particle(i)[k]).collect::<Vec<_>>());
    let buffers: Vec<_> = (0..5).map(|k| rig.buffer(&column(k))).collect();
    let words: Vec<u64> = buffers.iter().map(|buffer| buffer.address()).chain([100]).collect();
    compiled.launch(&[100], &words).unwrap_or_else(|stop| panic!("{stop:?}"));
    for (k, buffer) in buffers.iter().enumerate() {
        let expected: Vec<u64> = (0..100).map(|i| doubled(particle(i))[k]).collect();
        assert_eq!(unpack(LEAVES[k], &buffer.read()), expected, "plane {k}");
    }
}

/// `a[i][j] = 10 i + j` through strides, or through the strides of a packed array.
fn grid(strided: bool) -> Kernel {
    let mut b = Builder::new("grid");
    let (name, leaves) = ("a".into(), vec![Scalar::U64]);
    let storage = Storage::Elements;
    let array = b.array(ArrayParam { name, leaves, rank: 2, strided, access: Access::Write, storage });
    let at = source(&mut b, "a[(i, j)]");
    let (i, j) = (b.tid(0), b.tid(1));
    b.check_index(Mem::Array(array), 0, i, at);
    b.check_index(Mem::Array(array), 1, j, at);
    let index = if strided {
        let (across, along) = (b.stride(array, 0), b.stride(array, 1));
        let (row, column) = (b.mul(i, across), b.mul(j, along));
        b.add(row, column)
    } else {
        let across = b.extent(array, 1);
        let row = b.mul(i, across);
        b.add(row, j)
    };
    let ten = b.u64(10);
    let row = b.mul(i, ten);
    let value = b.add(row, j);
    b.store(Mem::Array(array), index, 0, value);
    b.finish_kernel(2)
}

/// Rows upwards from the last with every second column, packed rows, transposed ones.
pub fn strides_of_any_sign(rig: &Rig) {
    let compiled = rig.compile(grid(true));
    for (start, across, along) in [(40i64, -10i64, 2i64), (0, 3, 1), (0, 1, 4), (20, -5, -1), (7, 13, 3)] {
        let memory = rig.buffer(&[99u64; 64]);
        let first = memory.address() + 8 * start as u64;
        compiled.launch(&[4, 3], &[first, 4, 3, across as u64, along as u64]).unwrap_or_else(|stop| panic!("{stop:?}"));
        let mut expected = [99u64; 64];
        for i in 0..4 {
            for j in 0..3 {
                expected[(start + across * i + along * j) as usize] = (10 * i + j) as u64;
            }
        }
        assert_eq!(memory.read(), expected, "strides {across} and {along}");
    }
}

/// Arrays of two dimensions without strides.
pub fn packed_grids(rig: &Rig) {
    let compiled = rig.compile(grid(false));
    let memory = rig.buffer(&[99u64; 12]);
    compiled.launch(&[4, 3], &[memory.address(), 4, 3]).unwrap_or_else(|stop| panic!("{stop:?}"));
    assert_eq!(memory.read(), [0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32]);
}

/// A local array of `len` elements of two leaves is filled, one element is changed, all are summed.
fn local(len: u32) -> Kernel {
    let mut b = Builder::new("local");
    let out = b.slice("out", Scalar::U64, Access::Write);
    let locals = b.local("steps", &[Scalar::U16, Scalar::U64], len);
    let (mem, at) = (Mem::Local(locals), source(&mut b, "steps[k]"));
    let i = b.tid(0);
    b.check_index(Mem::Array(out), 0, i, at);
    let (three, first) = (b.const_(Scalar::U16, 3), b.cast(Scalar::U16, i));
    b.fill(locals, 0, three);
    b.fill(locals, 1, i);
    let length = b.u64(u64::from(len));
    let where_ = b.pure(Builtin::Rem, &[i, length]);
    b.check_index(mem, 0, where_, at);
    b.store(mem, where_, 0, first);
    let zero = b.u64(0);
    let sums = b.counted(length, &[zero], |b, k, carried| {
        b.check_index(mem, 0, k, at);
        let (low, high) = (b.load(mem, k, 0), b.load(mem, k, 1));
        let low = b.cast(Scalar::U64, low);
        let both = b.add(low, high);
        vec![b.add(carried[0], both)]
    });
    b.store(Mem::Array(out), i, 0, sums[0]);
    b.finish_kernel(1)
}

/// 10, 70, 4090 and 50,000 bytes a thread.
pub fn local_arrays_of_any_size(rig: &Rig) {
    for len in [1u32, 7, 409, 5_000] {
        let compiled = rig.compile(local(len));
        let out = rig.buffer(&[0u64; 600]);
        compiled.launch(&[600], &out.words()).unwrap_or_else(|stop| panic!("{stop:?}"));
        for (i, found) in (0u64..).zip(out.read()) {
            let expected = (u64::from(len) - 1) * 3 + i + u64::from(len) * i;
            assert_eq!(found, expected, "length {len}, thread {i}");
        }
    }
}

/// Tables of constants, looked up with an index of the thread.
pub fn tables(rig: &Rig) {
    for scalar in Scalar::ALL {
        let bits: Vec<u64> = (0..37u64).map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15) & scalar.mask()).collect();
        let mut b = Builder::new("table");
        let out = b.slice("out", scalar, Access::Write);
        let table = b.table(scalar, bits.clone());
        let (i, at) = (b.tid(0), source(&mut b, "t[i]"));
        b.check_index(Mem::Array(out), 0, i, at);
        let length = b.u64(37);
        let index = b.pure(Builtin::Rem, &[i, length]);
        let value = b.lookup(table, index);
        b.store(Mem::Array(out), i, 0, value);
        let compiled = rig.compile(b.finish_kernel(1));
        let out = rig.buffer(&vec![0u8; 50 * scalar.size()]);
        compiled.launch(&[50], &[out.address(), 50]).unwrap_or_else(|stop| panic!("{stop:?}"));
        let expected: Vec<u64> = (0..50).map(|i| bits[i % 37]).collect();
        assert_eq!(unpack(scalar, &out.read()), expected, "{scalar:?}");
    }
}

/// Memory may hold any byte where a flag is read; a flag is written as 0 or 1.
pub fn any_byte_but_zero_is_true(rig: &Rig) {
    let mut b = Builder::new("truth");
    let (a, out) = (b.slice("a", Scalar::Bool, Access::Read), b.slice("out", Scalar::Bool, Access::Write));
    let (i, at) = (b.tid(0), source(&mut b, "a[i]"));
    b.check_index(Mem::Array(a), 0, i, at);
    b.check_index(Mem::Array(out), 0, i, at);
    let x = b.load(Mem::Array(a), i, 0);
    b.store(Mem::Array(out), i, 0, x);
    let compiled = rig.compile(b.finish_kernel(1));
    let bytes = rig.buffer(&(0..=255).collect::<Vec<u8>>());
    let out = rig.buffer(&[7u8; 256]);
    compiled.launch(&[256], &[bytes.words(), out.words()].concat()).unwrap_or_else(|stop| panic!("{stop:?}"));
    let found = out.read();
    assert_eq!(found[0], 0);
    assert!(found[1..].iter().all(|byte| *byte == 1));
}

/// A parameter after one that nothing uses, and a user constant.
pub fn constants_and_parameters_of_all_types(rig: &Rig) {
    for scalar in Scalar::ALL {
        let mut b = Builder::new("parameter");
        let out = b.slice("out", scalar, Access::Write);
        b.param("unused", Scalar::F64);
        let (param, slot) = (b.param("x", scalar), b.slot(scalar));
        let at = source(&mut b, "out");
        for (k, value) in [(0, param), (1, slot)] {
            let k = b.u64(k);
            b.check_index(Mem::Array(out), 0, k, at);
            b.store(Mem::Array(out), k, 0, value);
        }
        let value = 0x3ff1_2345_3f9d_e501u64 & scalar.mask();
        let constant = 0x4001_2345_409d_e500u64 & scalar.mask();
        let compiled = rig.compile_with(b.finish_kernel(1), vec![constant]);
        let memory = rig.buffer(&vec![0u8; 2 * scalar.size()]);
        compiled.launch(&[1], &[memory.address(), 2, 0, value]).unwrap_or_else(|stop| panic!("{stop:?}"));
        let found: Vec<u64> = memory.read().chunks(scalar.size()).map(word).collect();
        assert_eq!(found, [value, constant], "{scalar:?}");
    }
}
