//! Profiles: who is counted, what it took, the table and the timeline.

use std::process::Command;
use std::time::{Duration, Instant};

use warp::prelude::*;
use warp::{Error, profile};

#[kernel]
fn slow(out: &mut [f32], turns: u32) {
    let mut x = 1.0;
    for _ in 0..turns {
        x = x * 0.999 + 0.5;
    }
    out[tid()] = x;
}

#[kernel]
fn squared(a: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i] * a[i];
}

#[test]
fn launches_of_all_kinds_are_counted() -> Result<(), Error> {
    let device = Device::cpu();
    let (a, mut out) = (Array::full(&device, 1000, 2.0f32)?, Array::<f32>::zeros(&device, 1000)?);
    squared::launch(1000, &a, &mut out)?;
    let (done, found) = profile(|| {
        squared::launch(1000, &a, &mut out)?;
        let (graph, ()) = device.capture(|| squared::launch(10, &a, &mut out))?;
        graph.launch()?;
        graph.launch()?;
        let tape = Tape::record(|| squared::launch(1000, &a, &mut out))?;
        tape.backward_with([(&out, &Array::full(&device, 1000, 1.0f32)?)])
    });
    done?;
    let counts: Vec<_> = found.kernels().map(|k| (k.kernel.as_str(), k.device.as_str(), k.launches)).collect();
    assert!(counts.contains(&("squared", device.name(), 4)), "{counts:?}");
    assert!(counts.contains(&("squared adjoint", device.name(), 1)), "{counts:?}");
    assert_eq!(counts.len(), 2);
    for kernel in found.kernels() {
        assert!(kernel.min <= kernel.mean() && kernel.mean() <= kernel.max, "{kernel:?}");
        assert!(kernel.total >= kernel.max && kernel.gigabytes_per_second() > 0.0);
    }
    let squared = found.kernels().find(|k| k.kernel == "squared").unwrap();
    assert_eq!(squared.bytes, 4 * 8 * 1000);
    Ok(())
}

#[test]
fn times_are_those_of_the_clock() -> Result<(), Error> {
    let device = Device::cpu();
    let mut out = Array::<f32>::zeros(&device, 4)?;
    slow::launch(4, &mut out, 10)?;
    let start = Instant::now();
    let (done, found) = profile(|| slow::launch(4, &mut out, 3_000_000));
    done?;
    let around = start.elapsed();
    assert!(found.total() <= around && around - found.total() < Duration::from_millis(500), "{found}, {around:?}");
    assert!(found.total() > Duration::from_millis(1), "three million turns that wait for each other: {found}");
    Ok(())
}

#[test]
fn profiles_nest_and_belong_to_their_thread() -> Result<(), Error> {
    let device = Device::cpu();
    let mut out = Array::<f32>::zeros(&device, 4)?;
    let mut theirs = Array::<f32>::zeros(&device, 4)?;
    let count = |p: &warp::Profile| p.kernels().map(|k| k.launches).sum::<u64>();
    let (inner, outer) = profile(|| {
        slow::launch(4, &mut out, 1)?;
        std::thread::scope(|s| s.spawn(|| slow::launch(4, &mut theirs, 1)).join().expect("it runs"))?;
        let (done, inner) = profile(|| slow::launch(4, &mut out, 1));
        done.map(|()| inner)
    });
    assert_eq!((count(&inner?), count(&outer)), (1, 2));
    let panics = std::panic::catch_unwind(|| profile(|| panic!("out")).1);
    assert!(panics.is_err());
    let (done, after) = profile(|| slow::launch(4, &mut out, 1));
    done?;
    assert_eq!(count(&after), 1);
    Ok(())
}

#[test]
fn the_timeline_is_json_of_events() -> Result<(), Error> {
    let device = Device::cpu();
    let mut out = Array::<f32>::zeros(&device, 4)?;
    let (done, found) = profile(|| (0..3).try_for_each(|_| slow::launch(4, &mut out, 1)));
    done?;
    let path = std::env::temp_dir().join(format!("warp-profile-{}.json", std::process::id()));
    found.write_trace(&path)?;
    let text = std::fs::read_to_string(&path).expect("it was written");
    std::fs::remove_file(&path).expect("it is there");
    let events: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
    assert_eq!(events.len(), 3);
    for pair in events.windows(2) {
        let end = pair[0]["ts"].as_f64().unwrap() + pair[0]["dur"].as_f64().unwrap();
        assert!(end <= pair[1]["ts"].as_f64().unwrap() + 1.0, "{text}");
    }
    assert_eq!(
        (&events[0]["name"], &events[0]["ph"], &events[0]["args"]["threads"]),
        (&"slow".into(), &"X".into(), &4.into())
    );
    let error = found.write_trace("/no/such/folder/t.json").unwrap_err().to_string();
    assert!(error.starts_with("/no/such/folder/t.json: "), "{error}");
    Ok(())
}

/// The process that `the_environment_asks_for_everything` starts.
#[test]
#[ignore = "a part of another test"]
fn launches_seven_times() {
    let device = Device::cpu();
    std::thread::scope(|s| {
        for n in [3, 4] {
            let device = &device;
            s.spawn(move || {
                let mut out = Array::<f32>::zeros(device, 4).unwrap();
                (0..n).for_each(|_| slow::launch(4, &mut out, 1).unwrap());
            });
        }
    });
}

#[test]
fn the_environment_asks_for_everything() {
    let run = |value: &std::ffi::OsStr| {
        let this = std::env::current_exe().expect("a test runs");
        let args = ["--ignored", "--exact", "launches_seven_times"];
        let done = Command::new(this).args(args).env("WARP_PROFILE", value).output().expect("it runs");
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stderr).expect("text")
    };
    let line = |text: &str| text.lines().find(|line| line.starts_with("slow")).map(str::to_owned);
    let table = run("1".as_ref());
    let words: Vec<String> = line(&table).expect("a line").split_whitespace().map(str::to_owned).collect();
    assert_eq!(words[..3], ["slow", "cpu", "7"], "{table}");
    assert_eq!(run("0".as_ref()), "");

    let path = std::env::temp_dir().join(format!("warp-profile-all-{}.json", std::process::id()));
    assert!(line(&run(path.as_os_str())).is_some());
    let text = std::fs::read_to_string(&path).expect("it was written");
    std::fs::remove_file(&path).expect("it is there");
    assert_eq!(serde_json::from_str::<Vec<serde_json::Value>>(&text).expect("JSON").len(), 7);
    let none = run("/no/such/folder/t.json".as_ref());
    assert!(none.contains("warp: WARP_PROFILE: /no/such/folder/t.json: "), "{none}");
}
