//! Atomics: plain on one machine thread, atomic on more, with the same outcome.

mod support;

use support::{Random, compile, cpu, launch_on, slice, source};
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;

use warp_ir::ir::AtomicKind::{self, *};
use warp_ir::ir::{Access, Kernel, Mem, Scalar};

/// `old[i] = atomic(bins[i % bins.len()], values[i])`.
fn kernel(kind: AtomicKind, scalar: Scalar) -> Kernel {
    let mut b = Builder::new("atomic");
    let bins = b.slice("bins", scalar, Access::Write);
    let values = b.slice("values", scalar, Access::Read);
    let old = b.slice("old", scalar, Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "bins[i % n]"));
    b.check_index(Mem::Array(values), 0, i, at);
    b.check_index(Mem::Array(old), 0, i, at);
    let n = b.extent(bins, 0);
    support::check_division(&mut b, i, n, at);
    let bin = b.pure(Builtin::Rem, &[i, n]);
    b.check_index(Mem::Array(bins), 0, bin, at);
    let value = b.load(Mem::Array(values), i, 0);
    let before = if kind == CompareExchange {
        let free = b.zero(scalar);
        b.compare_exchange(Mem::Array(bins), bin, 0, free, value)
    } else {
        b.atomic(kind, Mem::Array(bins), bin, 0, value)
    };
    b.store(Mem::Array(old), i, 0, before);
    b.finish_kernel(1)
}

/// The same on the host, thread after thread.
fn on_the_host(kind: AtomicKind, scalar: Scalar, bins: &mut [u64], values: &[u64]) -> Vec<u64> {
    let builtin = match kind {
        Add => Builtin::Add,
        Sub => Builtin::Sub,
        Min => Builtin::Min,
        Max => Builtin::Max,
        And => Builtin::And,
        Or => Builtin::Or,
        Xor => Builtin::Xor,
        Exchange | CompareExchange => Builtin::Select,
    };
    let n = bins.len();
    let mut old = Vec::new();
    for (i, value) in values.iter().enumerate() {
        let bin = &mut bins[i % n];
        old.push(*bin);
        *bin = match kind {
            Exchange => *value,
            CompareExchange if *bin == 0 => *value,
            CompareExchange => *bin,
            _ => builtin.eval(&[scalar, scalar], scalar, &[*bin, *value]).unwrap(),
        };
    }
    old
}

fn random_values(scalar: Scalar, n: usize) -> Vec<u64> {
    let mut random = Random(n as u64);
    let value = |random: &mut Random| match scalar {
        Scalar::F32 => u64::from(((random.next() % 2000) as f32 * 0.37 - 300.0).to_bits()),
        Scalar::F64 => ((random.next() % 2000) as f64 * 0.37 - 300.0).to_bits(),
        _ => random.next() & scalar.mask(),
    };
    (0..n).map(|_| value(&mut random)).collect()
}

fn pack(scalar: Scalar, values: &[u64]) -> Vec<u64> {
    let mut bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()[..scalar.size()].to_vec()).collect();
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
}

fn unpack(scalar: Scalar, words: &[u64], n: usize) -> Vec<u64> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let element = |k: usize| {
        let mut word = [0; 8];
        word[..scalar.size()].copy_from_slice(&bytes[k * scalar.size()..][..scalar.size()]);
        u64::from_le_bytes(word)
    };
    (0..n).map(element).collect()
}

fn check(kind: AtomicKind, scalar: Scalar, threads: usize) {
    let (n, bins) = (6000, 7);
    let executable = compile(&cpu(threads), kernel(kind, scalar));
    let (start, values) = (vec![0u64; bins], random_values(scalar, n));
    let mut expected = start.clone();
    let expected_old = on_the_host(kind, scalar, &mut expected, &values);
    for _ in 0..5 {
        let (mut memory, mut input, mut old) = (pack(scalar, &start), pack(scalar, &values), pack(scalar, &values));
        let words = [slice(&mut memory)[0], bins as u64, slice(&mut input)[0], n as u64, slice(&mut old)[0], n as u64];
        launch_on(&executable, &[n as u64], &words, None).unwrap();
        let found = unpack(scalar, &memory, bins);
        let found_old = unpack(scalar, &old, n);
        let what = format!("{kind:?} on {scalar:?} by {threads} machine threads");
        match kind {
            // Which value comes last is open in parallel; nothing is lost or doubled in the chain of old values.
            Exchange | CompareExchange if threads > 1 => {
                for bin in 0..bins {
                    let mut given: Vec<u64> = values.iter().skip(bin).step_by(bins).copied().collect();
                    let mut seen: Vec<u64> = found_old.iter().skip(bin).step_by(bins).copied().collect();
                    if kind == Exchange {
                        given.push(start[bin]);
                        seen.push(found[bin]);
                        given.sort();
                        seen.sort();
                        assert_eq!(given, seen, "{what}");
                    } else {
                        assert!(given.contains(&found[bin]), "{what}");
                        assert_eq!(seen.iter().filter(|old| **old == 0).count(), 1, "{what}");
                    }
                }
            }
            _ => assert_eq!(found, expected, "{what}"),
        }
        if threads == 1 {
            assert_eq!(found_old, expected_old, "{what}");
        }
    }
}

#[test]
fn integers_of_all_widths() {
    for scalar in Scalar::ALL.into_iter().filter(|scalar| scalar.is_int()) {
        for kind in [Add, Sub, Min, Max, And, Or, Xor, Exchange, CompareExchange] {
            for threads in [1, 4] {
                check(kind, scalar, threads);
            }
        }
    }
}

#[test]
fn floats_in_the_order_of_threads() {
    for scalar in [Scalar::F32, Scalar::F64] {
        for kind in [Add, Sub, Min, Max, Exchange] {
            check(kind, scalar, 1);
        }
        // On few cores sums of floats run on one, so that their bits do not depend on the order of arrival.
        for kind in [Add, Sub] {
            check(kind, scalar, 4);
        }
        for kind in [Min, Max, Exchange] {
            check(kind, scalar, 4);
        }
    }
}

#[test]
fn sums_of_floats_on_many_machine_threads_lose_nothing() {
    // Multiples of a quarter: exact in any order.
    for scalar in [Scalar::F32, Scalar::F64] {
        let executable = compile(&cpu(16), kernel(Add, scalar));
        let n = 20_000usize;
        let quarter = |k: usize| (k % 9) as f64 * 0.25;
        let bits = |x: f64| if scalar == Scalar::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() };
        let values: Vec<u64> = (0..n).map(|k| bits(quarter(k))).collect();
        for _ in 0..4 {
            let (mut memory, mut input, mut old) =
                (pack(scalar, &[0; 3]), pack(scalar, &values), pack(scalar, &values));
            let address = |words: &mut Vec<u64>| slice(words)[0];
            let words = [address(&mut memory), 3, address(&mut input), n as u64, address(&mut old), n as u64];
            launch_on(&executable, &[n as u64], &words, None).unwrap();
            for (bin, found) in unpack(scalar, &memory, 3).into_iter().enumerate() {
                let expected: f64 = (bin..n).step_by(3).map(quarter).sum();
                assert_eq!(found, bits(expected), "bin {bin}");
            }
        }
    }
}
