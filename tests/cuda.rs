//! GPUs behind the facade, on the driver that needs none, and the machine without a driver.
//!
//! The driver of a process is found once, so each case runs in a process of its own: a test below starts this very program
//! again with another library, and has it run one of the cases in `child`.
#![cfg(feature = "cuda")]

use std::ffi::OsStr;
use std::process::Command;

use fake_cuda::Fake;
use warp::prelude::*;

/// Says to a process which case is its own.
const CASE: &str = "WARP_TEST_CUDA_CASE";

/// Runs a case with a driver's library.
fn run(case: &str, library: &OsStr) {
    run_with(case, library, &[]);
}

/// The same, with more variables.
fn run_with(case: &str, library: &OsStr, variables: &[(&str, &str)]) {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", &format!("child::{case}"), "--nocapture"]).env("WARP_LIBCUDA", library).env(CASE, case);
    command.envs(variables.iter().copied());
    let output = command.output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn without_a_driver_all_else_works() {
    run("no_driver", OsStr::new("nowhere/libcuda.so.1"));
}

#[test]
fn devices_are_found() {
    run("devices", Fake::new().path().as_os_str());
}

#[test]
fn a_gpu_that_is_too_old_is_none() {
    run_with("too_old", Fake::new().path().as_os_str(), &[("FAKE_CUDA_CAPABILITY", "61")]);
}

#[test]
fn kernels_do_what_they_do_on_the_cpu() {
    run("kernels", Fake::new().path().as_os_str());
}

#[test]
fn gradients_are_those_of_the_cpu() {
    run("gradients", Fake::new().path().as_os_str());
}

#[test]
fn deterministic_launches_that_add_floats_are_refused() {
    run("deterministic", Fake::new().path().as_os_str());
}

#[test]
fn code_of_ones_own_uses_arrays() {
    run("own_code", Fake::new().path().as_os_str());
}

#[test]
fn a_launch_that_would_take_the_interpreter_minutes_is_refused() {
    run("too_many_threads", Fake::new().path().as_os_str());
}

#[kernel]
fn integrate(pos: &mut [Vec3], vel: &mut [Vec3], dt: f32) {
    let i = tid();
    if i < pos.len() {
        let g: Vec3 = GRAVITY;
        vel[i] += g * dt;
        pos[i] += vel[i] * dt;
    }
}

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

#[kernel]
fn reach(to: &mut [f32], by: usize) {
    let i = tid();
    println!("thread {i} reaches {}", i + by);
    to[i + by] = i as f32;
}

#[kernel]
fn claim(count: &mut [u32], out: &mut [u32]) {
    let place = atomic_add(&mut count[0], 1);
    out[place as usize] = tid() as u32;
}

#[kernel]
fn take(from: &[f32], at: &[u32], to: &mut [f32]) {
    let i = tid();
    to[i] = from[at[i] as usize];
}

#[kernel]
fn beyond_32_bits(out: &mut [u32]) {
    let i = tid();
    if i >= 1 << 31 {
        out[i - (1 << 31)] = 1;
    }
}

#[kernel]
fn wave(a: View2<f32>, out: &mut [f32]) {
    let (i, j) = tid2();
    atomic_add(&mut out[i], a[(i, j)].sin() * (j as f32 + 1.0).sqrt());
}

mod child {
    use super::*;

    /// Whether this process was started for a case; else it has passed.
    fn is_asked(case: &str) -> bool {
        std::env::var_os(CASE).is_some_and(|asked| asked == case)
    }

    #[test]
    fn no_driver() {
        if !is_asked("no_driver") {
            return;
        }
        let words = Device::cuda(0).unwrap_err().to_string();
        let start = "device cuda:0 cannot be opened: the CUDA driver's library `nowhere/libcuda.so.1` (from \
                     WARP_LIBCUDA) cannot be opened";
        assert!(words.starts_with(start), "{words}");
        assert_eq!((Device::all(), Device::best().unwrap()), (vec![Device::cpu()], Device::cpu()));
        assert_eq!(moved(&Device::cpu()).len(), 100);
    }

    #[test]
    fn devices() {
        if !is_asked("devices") {
            return;
        }
        let names: Vec<String> = Device::all().iter().map(|device| device.name().into()).collect();
        assert_eq!(names, ["cpu", "cuda:0", "cuda:1"]);
        assert_eq!(Device::cuda(1).unwrap(), Device::all()[2]);
        assert_eq!(Device::best().unwrap().name(), "cuda:0");
        let words = Device::cuda(2).unwrap_err().to_string();
        let expected = "device cuda:2 cannot be opened: there is no device cuda:2: the driver sees cuda:0 to cuda:1";
        assert_eq!(words, expected);

        let (one, two) = (Device::cuda(0).unwrap(), Device::cuda(1).unwrap());
        let a = Array::from_slice(&one, &[1.0f32, 2.0]).unwrap();
        let mut b = Array::zeros(&two, 2).unwrap();
        b.copy_from(&a).unwrap();
        assert_eq!(b.to_vec().unwrap(), [1.0, 2.0]);
        let (mut pos, mut vel) = (Array::zeros(&one, 1).unwrap(), Array::zeros(&two, 1).unwrap());
        let words = integrate::launch(1, &mut pos, &mut vel, 0.1).unwrap_err().to_string();
        assert!(words.contains("argument `vel` is on device cuda:1"), "{words}");
        let words = Array::<f32>::zeros(&one, 1 << 40).unwrap_err().to_string();
        assert!(words.contains("cuda:0") && words.contains("CUDA_ERROR_OUT_OF_MEMORY"), "{words}");
        one.check().unwrap();
    }

    #[test]
    fn too_old() {
        if !is_asked("too_old") {
            return;
        }
        let words = Device::cuda(0).unwrap_err().to_string();
        assert!(words.starts_with("device cuda:0 cannot be opened: cuda:0 ("), "{words}");
        assert!(words.ends_with(") has compute capability 6.1, and kernels need 7.0 or a higher one"), "{words}");
        assert_eq!((Device::all(), Device::best().unwrap()), (vec![Device::cpu()], Device::cpu()));
    }

    /// A hundred particles after some steps.
    fn moved(device: &Device) -> Vec<Vec3> {
        let at = |[i]: [usize; 1]| Vec3::new(i as f32, 0.5 * i as f32, 100.0);
        let (mut pos, mut vel) = (Array::from_fn(device, 100, at).unwrap(), Array::zeros(device, 100).unwrap());
        for step in 0..10 {
            integrate::on(device).block(32 + step).launch(128, &mut pos, &mut vel, 1.0 / 60.0).unwrap();
        }
        pos.to_vec().unwrap()
    }

    /// What a launch beyond the end of an array says and prints.
    fn overreach(device: &Device) -> (String, String, Vec<f32>) {
        let mut to = Array::zeros(device, 40).unwrap();
        let (error, text) = warp::capture_output(|| reach::launch(40, &mut to, 7).unwrap_err().to_string());
        (error, text, to.to_vec().unwrap())
    }

    #[test]
    fn kernels() {
        if !is_asked("kernels") {
            return;
        }
        let (cpu, gpu) = (Device::cpu(), Device::cuda(0).unwrap());
        assert_eq!(moved(&gpu), moved(&cpu));
        let (error, text, _) = overreach(&cpu);
        assert!(error.contains("index 40 is out of range for `to` of length 40, in thread 33"), "{error}");
        assert!(text.starts_with("thread 0 reaches 7\n") && text.lines().count() == 40, "{text}");
        assert_eq!(overreach(&gpu), overreach(&cpu));
        // The device lives on.
        assert_eq!(moved(&gpu), moved(&cpu));
    }

    /// The launch is as good as any on a GPU; the CPU's half of the case is `language_cases::launches`.
    #[test]
    fn too_many_threads() {
        if !is_asked("too_many_threads") {
            return;
        }
        let mut out = Array::zeros(&Device::cuda(0).unwrap(), 8).unwrap();
        let refused = beyond_32_bits::launch((1 << 31) + 8, &mut out).and_then(|()| out.device().check());
        let words = refused.unwrap_err().to_string();
        let limit = format!("minutes, so it is refused; {} are the most", 1 << 26);
        assert!(words.contains("2147483") && words.contains(&limit), "{words}");
    }

    /// Adds 10 to the number of each thread's own.
    const OWN: &str = "
.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 to)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [to];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r2, [%rd3];
    add.s32 %r2, %r2, 10;
    st.global.u32 [%rd3], %r2;
    ret;
}
";

    #[test]
    fn own_code() {
        use warp::cuda::{Grid, JitOptions, Module, backend};
        if !is_asked("own_code") {
            return;
        }
        assert!(backend(&Device::cpu()).is_none());
        let device = Device::cuda(0).unwrap();
        let cuda = backend(&device).unwrap();
        let mut array = Array::from_slice(&device, &[1u32, 2, 3]).unwrap();
        // SAFETY: the function adds to as many numbers as there are threads.
        let add = unsafe { Module::load(cuda.device(), OWN.as_bytes(), &JitOptions::new()) }.unwrap().function("add");
        let add = add.unwrap();
        let stream = cuda.device().stream().unwrap();
        let done = array.with_address_mut(|mut address| {
            // SAFETY: there are three numbers, which are ours until the stream has been waited for.
            unsafe { add.launch(&stream, &Grid::linear(1, 3), &mut [(&raw mut address).cast()]) }?;
            stream.synchronize()
        });
        done.unwrap().unwrap();
        assert_eq!(array.to_vec().unwrap(), [11, 12, 13]);
        let guard = array.with_address(|_| array.with_address(|address| address).is_ok());
        assert!(guard.unwrap(), "it can be read twice at once");
    }

    #[test]
    fn deterministic() -> Result<(), Error> {
        if !is_asked("deterministic") {
            return Ok(());
        }
        let device = Device::cuda(0)?;
        let a = Array::<f32, 2>::full(&device, (4, 9), 0.5)?;
        let mut out = Array::zeros(&device, 4)?;
        // A launch, a graph, and the way back of a launch that has no sums itself.
        let refused = wave::on(&device).deterministic().launch((4, 9), &a, &mut out).unwrap_err();
        let (graph, ()) = device.capture(|| wave::on(&device).deterministic().launch((4, 9), &a, &mut out))?;
        let replayed = graph.launch().unwrap_err();
        for words in [refused.to_string(), replayed.to_string()] {
            assert!(words.contains("kernel `wave`: it adds floats by atomics"), "{words}");
        }
        let (mut count, mut places) = (Array::zeros(&device, 1)?, Array::zeros(&device, 9)?);
        let words = claim::on(&device).deterministic().launch(9, &mut count, &mut places).unwrap_err().to_string();
        assert!(words.contains("or takes what others left there"), "{words}");
        let (from, at) = (Array::full(&device, 4, 1.0)?, Array::from_slice(&device, &[1u32; 4])?);
        let mut to = Array::zeros(&device, 4)?;
        let tape = Tape::record(|| take::on(&device).deterministic().launch(4, &from, &at, &mut to))?;
        let words = tape.backward_with([(&to, &from)]).unwrap_err().to_string();
        assert!(words.contains("it adds floats by atomics"), "{words}");
        wave::launch((4, 9), &a, &mut out)?;
        device.check()
    }

    /// The gradient of the sum of all waves.
    fn slopes(device: &Device) -> Vec<f32> {
        let a = Array::<f32, 2>::from_fn(device, (4, 9), |[i, j]| 0.3 * i as f32 - 0.2 * j as f32).unwrap();
        let mut out = Array::zeros(device, 4).unwrap();
        let tape = Tape::record(|| wave::launch((4, 9), &a, &mut out)).unwrap();
        let ones = Array::full(device, 4, 1.0f32).unwrap();
        tape.backward_with([(&out, &ones)]).unwrap();
        a.grad().unwrap().to_vec().unwrap()
    }

    #[test]
    fn gradients() {
        if !is_asked("gradients") {
            return;
        }
        let found = slopes(&Device::cuda(0).unwrap());
        assert_eq!(found, slopes(&Device::cpu()));
        let cosine = |k: usize| (0.3 * (k / 9) as f64 - 0.2 * (k % 9) as f64).cos() * ((k % 9) as f64 + 1.0).sqrt();
        assert!(found.iter().enumerate().all(|(k, slope)| (f64::from(*slope) - cosine(k)).abs() < 1e-6), "{found:?}");
    }
}
