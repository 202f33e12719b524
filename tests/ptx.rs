//! Texts of kernels as the binary carries them, launched by hand as `docs/ptx.md` says, against the CPU.
#![cfg(feature = "cuda")]

use std::sync::Arc;

use fake_cuda::Fake;
use warp::cuda::{Cuda, Driver, Function, Grid, JitOptions, Memory, Module, Stream, backend};
use warp::prelude::*;

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const STEPS: u32 = 3;
const ROWS: usize = 4;
const COLUMNS: usize = 5;

#[derive(Clone, Copy, PartialEq, Debug, Struct)]
#[repr(C)]
struct Body {
    fixed: bool,
    mass: f64,
    at: Vec3,
    turn: Quat,
}

/// Constants, structs whose layout is rustc's business, neighbours, and two dimensions.
#[kernel(block = 32)]
fn drop_bodies(bodies: &mut [Body], rows: &[Vec3], dt: f32) {
    let (i, j) = tid2();
    let at = i * 5 + j;
    let g: Vec3 = GRAVITY;
    let steps: u32 = STEPS;
    for _ in 0..steps {
        if !bodies[at].fixed {
            bodies[at].at += g * dt + rows[i] + rows[i + 1];
        }
    }
    bodies[at].mass *= 2.0;
    bodies[at].turn = Quat::IDENTITY;
}

fn bodies() -> Vec<Body> {
    let body = |k: usize| Body {
        fixed: k.is_multiple_of(3),
        mass: 0.5 + k as f64,
        at: Vec3::new(k as f32, 0.25 * k as f32, 100.0),
        turn: Quat::from_xyzw(1.0, 2.0, 3.0, k as f32),
    };
    (0..ROWS * COLUMNS).map(body).collect()
}

fn rows(count: usize) -> Vec<Vec3> {
    (0..count).map(|k| Vec3::new(0.1, 0.2, 0.3) * k as f32).collect()
}

/// A device without a GPU behind it.
struct Rig {
    device: Device,
    stream: Stream,
    /// The driver has to outlive what it made.
    _fake: Fake,
}

impl Rig {
    fn new() -> Rig {
        let fake = Fake::new();
        // SAFETY: the library has the driver's functions.
        let driver = unsafe { Driver::open(fake.path().as_os_str()) }.unwrap();
        let device = Device::new(Arc::new(Cuda::new(&driver.device(0).unwrap()).unwrap()));
        let stream = backend(&device).unwrap().device().stream().unwrap();
        Rig { device, stream, _fake: fake }
    }

    fn entry(&self, text: &str, name: &str) -> Function {
        // SAFETY: the text is that of a kernel.
        let module = unsafe { Module::load(self.stream.device(), text.as_bytes(), &JitOptions::new()) }.unwrap();
        module.function(name).unwrap()
    }

    /// Device memory that holds these words.
    fn words(&self, words: &[u64]) -> Memory {
        let mut memory = self.stream.allocate(8 * words.len()).unwrap();
        self.stream
            .upload(&mut memory, 0, &words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
            .unwrap();
        memory
    }

    fn read(&self, memory: &Memory, count: usize) -> Vec<u64> {
        let mut bytes = vec![0; 8 * count];
        self.stream.download(memory, 0, &mut bytes).unwrap();
        self.stream.synchronize().unwrap();
        bytes.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
    }
}

/// How the entry for all launches divides by an extent.
fn divisor(extent: u64) -> [u64; 2] {
    let shift = extent.next_power_of_two().trailing_zeros();
    [((1u128 << (48 + shift)).div_ceil(u128::from(extent)) as u64) << 14, u64::from(shift)]
}

/// The bodies after a launch, and the fault block's words.
fn launch(rig: &Rig, entry: &str, grid: &Grid, rows: &[Vec3]) -> (Vec<Body>, Vec<u64>) {
    let mut quiet = [0; 8];
    (quiet[0], quiet[3]) = (u64::MAX, u64::MAX);
    let faults = rig.words(&quiet);
    let mut bodies = Array::from_slice(&rig.device, &bodies()).unwrap();
    let rows = Array::from_slice(&rig.device, rows).unwrap();
    rig.device.check().unwrap();
    let entry = rig.entry(drop_bodies::PTX, entry);
    let (count, row_count) = (bodies.len() as u64, rows.len() as u64);
    let dt = u64::from(0.25f32.to_bits());
    let done = rows.with_address(|rows| {
        bodies.with_address_mut(|bodies| {
            let [magic, shift] = divisor(COLUMNS as u64);
            let (extents, threads) = ([ROWS as u64, COLUMNS as u64], (ROWS * COLUMNS) as u64);
            let mut args = vec![bodies, count, rows, row_count, dt, faults.address(), 0];
            args.extend(extents.into_iter().chain([threads, magic, shift]));
            // SAFETY: the words are those that the text asks for, and both arrays are ours until the stream is done.
            unsafe { entry.launch(&rig.stream, grid, &mut [args.as_mut_ptr().cast()]) }?;
            rig.stream.synchronize()
        })
    });
    done.unwrap().unwrap().unwrap();
    (bodies.to_vec().unwrap(), rig.read(&faults, 8))
}

#[test]
fn entries_do_what_the_cpu_does() {
    let mut expected = Array::from_slice(&Device::cpu(), &bodies()).unwrap();
    let on_cpu = Array::from_slice(&Device::cpu(), &rows(ROWS + 1)).unwrap();
    drop_bodies::launch((ROWS, COLUMNS), &mut expected, &on_cpu, 0.25).unwrap();
    let expected = expected.to_vec().unwrap();
    assert_ne!(expected, bodies());
    let rig = Rig::new();
    let narrow = Grid { blocks: [3, 2, 1], threads: [2, 2, 1], shared: 0 };
    for (entry, grid) in [("drop_bodies_narrow", narrow), ("drop_bodies_wide", Grid::linear(2, 16))] {
        let (found, faults) = launch(&rig, entry, &grid, &rows(ROWS + 1));
        assert_eq!(found, expected, "{entry}");
        assert_eq!(faults, [u64::MAX, 0, 0, u64::MAX, 0, 0, 0, 0], "{entry}");
    }
}

/// A row is missing: the last row of threads reads beyond its end, but for the fixed bodies.
#[test]
fn faults_are_told_in_the_block() {
    let rig = Rig::new();
    let (_, faults) = launch(&rig, "drop_bodies_wide", &Grid::linear(1, 32), &rows(ROWS));
    // Of the bodies 15 to 19, 15 and 18 are fixed.
    let (thread, site) = (faults[0] >> 16, faults[0] & 0xffff);
    assert_eq!((thread, faults[1], faults[3]), (16, 3, faults[0]));
    assert_eq!(faults[4..6], [4, 4], "the index and the length");
    let line = drop_bodies::PTX.lines().find(|line| line.contains(&format!("mov.b64 %site_0, {site};")));
    assert!(line.is_some_and(|line| line.ends_with("// rows[i + 1]")), "{line:?}");
}

/// `.block()` beyond the kernel's own bound is taken for the bound, which the driver would refuse otherwise.
#[test]
fn blocks_stay_within_their_bound() {
    assert_eq!(drop_bodies::PTX.matches(".maxntid 32, 1, 1\n").count(), drop_bodies::PTX.matches(".entry").count());
    assert!(drop_bodies::PTX_ADJOINT.contains(".maxntid 32, 1, 1\n"));
    let rig = Rig::new();
    let mut found = vec![];
    for block in [None, Some(8), Some(1000)] {
        let mut bodies = Array::from_slice(&rig.device, &bodies()).unwrap();
        let rows = Array::from_slice(&rig.device, &rows(ROWS + 1)).unwrap();
        let options = drop_bodies::on(&rig.device);
        let options = match block {
            Some(block) => options.block(block),
            None => options,
        };
        options.launch((ROWS, COLUMNS), &mut bodies, &rows, 0.25).unwrap();
        found.push(bodies.to_vec().unwrap());
    }
    assert!(found[0] != self::bodies() && found.iter().all(|other| *other == found[0]));
    let text = drop_bodies::PTX;
    let grid = Grid { blocks: [1, 1, 1], threads: [8, 8, 1], shared: 0 };
    let mut word = [0u64; 12];
    // SAFETY: it is refused before anything runs.
    let refused =
        unsafe { rig.entry(text, "drop_bodies_wide").launch(&rig.stream, &grid, &mut [word.as_mut_ptr().cast()]) };
    assert!(refused.unwrap_err().to_string().contains("cannot be launched on"));
}
