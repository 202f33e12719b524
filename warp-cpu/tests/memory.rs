//! Where things lie: structs, planes, strides, local arrays, tables, booleans, user constants.

mod support;

use support::{compile, compile_with, cpu, launch, slice, source};
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::{Access, ArrayParam, Mem, Scalar, Storage};

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Particle {
    alive: bool,
    mass: f64,
    kind: u8,
    count: i16,
    speed: f32,
}

fn structs(name: &str, storage: Storage) -> ArrayParam {
    let leaves = vec![Scalar::Bool, Scalar::F64, Scalar::U8, Scalar::I16, Scalar::F32];
    ArrayParam { name: name.into(), leaves, rank: 1, strided: false, access: Access::Write, storage }
}

/// Doubles each number of a particle and turns the flag.
fn double(storage: Storage) -> warp_ir::ir::Kernel {
    let mut b = Builder::new("double");
    let array = b.array(structs("particles", storage));
    let mem = Mem::Array(array);
    let i = b.tid(0);
    let at = source(&mut b, "particles[i]");
    b.check_index(mem, 0, i, at);
    for leaf in 0..5 {
        let x = b.load(mem, i, leaf);
        let new = if leaf == 0 { b.not(x) } else { b.add(x, x) };
        b.store(mem, i, leaf, new);
    }
    b.finish_kernel(1)
}

fn particle(i: u64) -> Particle {
    Particle {
        alive: i.is_multiple_of(3),
        mass: i as f64 + 0.25,
        kind: i as u8,
        count: -(i as i16),
        speed: 0.5 * i as f32,
    }
}

fn doubled(p: Particle) -> Particle {
    Particle {
        alive: !p.alive,
        mass: 2.0 * p.mass,
        kind: p.kind.wrapping_mul(2),
        count: 2 * p.count,
        speed: 2.0 * p.speed,
    }
}

#[test]
fn leaves_of_structs() {
    let executable = compile(&cpu(1), double(Storage::Elements));
    let mut particles: Vec<Particle> = (0..200).map(particle).collect();
    launch(&executable, &[200], &slice(&mut particles)).unwrap();
    assert!((0..200).zip(&particles).all(|(i, p)| *p == doubled(particle(i))));
}

#[test]
fn leaves_in_planes() {
    let executable = compile(&cpu(1), double(Storage::Planes));
    let all: Vec<Particle> = (0..100).map(particle).collect();
    let mut alive: Vec<bool> = all.iter().map(|p| p.alive).collect();
    let mut mass: Vec<f64> = all.iter().map(|p| p.mass).collect();
    let mut kind: Vec<u8> = all.iter().map(|p| p.kind).collect();
    let mut count: Vec<i16> = all.iter().map(|p| p.count).collect();
    let mut speed: Vec<f32> = all.iter().map(|p| p.speed).collect();
    let words = [
        slice(&mut alive)[0],
        slice(&mut mass)[0],
        slice(&mut kind)[0],
        slice(&mut count)[0],
        slice(&mut speed)[0],
        100,
    ];
    launch(&executable, &[100], &words).unwrap();
    for (i, p) in all.iter().enumerate() {
        let found = Particle { alive: alive[i], mass: mass[i], kind: kind[i], count: count[i], speed: speed[i] };
        assert_eq!(found, doubled(*p));
    }
}

/// `a[i][j] = 10 i + j` through strides, or through the strides of a packed array.
fn grid(strided: bool) -> warp_ir::ir::Kernel {
    let mut b = Builder::new("grid");
    let array = b.array(ArrayParam {
        name: "a".into(),
        leaves: vec![Scalar::U64],
        rank: 2,
        strided,
        access: Access::Write,
        storage: Storage::Elements,
    });
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

#[test]
fn strides_may_be_negative() {
    let executable = compile(&cpu(1), grid(true));
    let mut memory = vec![99u64; 64];
    // Rows upwards from the last, every second column.
    let start = slice(&mut memory[40..])[0];
    let words = [start, 4, 3, (-10i64) as u64, 2];
    launch(&executable, &[4, 3], &words).unwrap();
    let mut expected = vec![99u64; 64];
    for i in 0..4 {
        for j in 0..3 {
            expected[40 - 10 * i + 2 * j] = (10 * i + j) as u64;
        }
    }
    assert_eq!(memory, expected);
}

#[test]
fn packed_grids() {
    let executable = compile(&cpu(1), grid(false));
    let mut memory = vec![99u64; 12];
    let address = slice(&mut memory)[0];
    launch(&executable, &[4, 3], &[address, 4, 3]).unwrap();
    assert_eq!(memory, [0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32]);
}

/// A local array of `len` elements of two leaves is filled, one element is changed, all are summed.
fn local(len: u32) -> warp_ir::ir::Kernel {
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

#[test]
fn local_arrays_on_the_stack_and_beside_it() {
    // 10, 4090 and 50,000 bytes a thread.
    for len in [1u32, 7, 409, 5_000] {
        let executable = compile(&cpu(2), local(len));
        let mut out = vec![0u64; 600];
        launch(&executable, &[600], &slice(&mut out)).unwrap();
        for (i, found) in (0u64..).zip(&out) {
            let expected = (u64::from(len) - 1) * 3 + i + u64::from(len) * i;
            assert_eq!(*found, expected, "length {len}, thread {i}");
        }
    }
}

#[test]
fn tables_of_constants() {
    let backend = cpu(1);
    for scalar in [Scalar::Bool, Scalar::U8, Scalar::I16, Scalar::F32, Scalar::F64, Scalar::U64] {
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
        let executable = compile(&backend, b.finish_kernel(1));
        let mut out = vec![0u8; 50 * scalar.size()];
        let address = slice(&mut out)[0];
        launch(&executable, &[50], &[address, 50]).unwrap();
        for i in 0..50 {
            let mut word = [0; 8];
            word[..scalar.size()].copy_from_slice(&out[i * scalar.size()..][..scalar.size()]);
            assert_eq!(u64::from_le_bytes(word), bits[i % 37], "{scalar:?} at {i}");
        }
    }
}

#[test]
fn any_byte_but_zero_is_true() {
    let mut b = Builder::new("truth");
    let (a, out) = (b.slice("a", Scalar::Bool, Access::Read), b.slice("out", Scalar::Bool, Access::Write));
    let (i, at) = (b.tid(0), source(&mut b, "a[i]"));
    b.check_index(Mem::Array(a), 0, i, at);
    b.check_index(Mem::Array(out), 0, i, at);
    let x = b.load(Mem::Array(a), i, 0);
    b.store(Mem::Array(out), i, 0, x);
    let executable = compile(&cpu(1), b.finish_kernel(1));
    let mut bytes: Vec<u8> = (0..=255).collect();
    let mut out = vec![7u8; 256];
    let words = [slice(&mut bytes)[0], 256, slice(&mut out)[0], 256];
    launch(&executable, &[256], &words).unwrap();
    assert_eq!(out[0], 0);
    assert!(out[1..].iter().all(|byte| *byte == 1));
}

#[test]
fn user_constants_and_parameters_of_all_types() {
    for scalar in Scalar::ALL {
        let mut b = Builder::new("parameter");
        let out = b.slice("out", scalar, Access::Write);
        let unused = b.param("unused", Scalar::F64);
        let param = b.param("x", scalar);
        let slot = b.slot(scalar);
        let (zero, one, at) = (b.u64(0), b.u64(1), source(&mut b, "out"));
        b.check_index(Mem::Array(out), 0, zero, at);
        b.check_index(Mem::Array(out), 0, one, at);
        b.store(Mem::Array(out), zero, 0, param);
        b.store(Mem::Array(out), one, 0, slot);
        let _ = unused;
        let value = 0x3ff1_2345_3f9d_e501u64 & scalar.mask();
        let constant = 0x4001_2345_409d_e500u64 & scalar.mask();
        let executable = compile_with(&cpu(1), b.finish_kernel(1), vec![constant]);
        let mut memory = vec![0u8; 2 * scalar.size()];
        let address = slice(&mut memory)[0];
        launch(&executable, &[1], &[address, 2, 0, value]).unwrap();
        let bytes = [&value.to_le_bytes()[..scalar.size()], &constant.to_le_bytes()[..scalar.size()]].concat();
        assert_eq!(memory, bytes, "{scalar:?}");
    }
}
