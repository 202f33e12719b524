//! Runs each example as its users do: what it prints, what it writes, and how it ends when something is wrong.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::SystemTime;
use std::{env, fs};

/// The folder with the examples, built from the sources as they are now.
///
/// `cargo test` builds them before it runs this; asked for this file alone it does not, so cargo is asked again where a
/// source is younger than a program.
fn built() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let test = env::current_exe().expect("the path of this program");
        let folder = test.ancestors().nth(2).expect("a folder of a profile").join("examples");
        let programs = ALL.iter().chain(&["gpu_check", "robot_info"]).map(|name| modified(&program(&folder, name)));
        if programs.min() <= Some(youngest(Path::new(env!("CARGO_MANIFEST_DIR")))) {
            let mut cargo = Command::new(env!("CARGO"));
            cargo.args(["build", "--examples", "--quiet"]).current_dir(env!("CARGO_MANIFEST_DIR"));
            if !cfg!(debug_assertions) {
                cargo.arg("--release");
            }
            assert!(cargo.status().expect("cargo runs").success(), "the examples do not build");
        }
        folder
    })
}

fn program(folder: &Path, example: &str) -> PathBuf {
    folder.join(example).with_extension(env::consts::EXE_EXTENSION)
}

/// When a file was written; nothing where there is none.
fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// When the youngest source of the examples was written.
fn youngest(folder: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).expect("a readable folder").map(|entry| entry.expect("an entry").path());
    let time = |path: PathBuf| match path.file_name().and_then(|name| name.to_str()) {
        Some("target" | "tests" | "benches" | "out" | ".git") => None,
        _ if path.is_dir() => youngest(&path),
        _ if path.extension().is_some_and(|e| e == "rs" || e == "toml" || e == "lock") => modified(&path),
        _ => None,
    };
    entries.map(time).max().flatten()
}

/// An empty folder of its own for each test, gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = env::temp_dir().join(format!("warp-examples-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for temporary files");
        Folder(path)
    }

    fn run(&self, example: &str, arguments: &[&str]) -> Output {
        Command::new(program(built(), example))
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .expect("the example starts")
    }

    /// What a run that goes well prints.
    fn prints(&self, example: &str, arguments: &[&str]) -> String {
        let output = self.run(example, arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{example} {arguments:?}: {errors}");
        assert!(errors.is_empty(), "{example} {arguments:?} complains: {errors}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// What a run that fails says: one sentence, no panic, and nothing written.
    fn fails(&self, example: &str, arguments: &[&str]) -> String {
        let before = self.files();
        let output = self.run(example, arguments);
        let errors = String::from_utf8(output.stderr).expect("text");
        assert!(matches!(output.status.code(), Some(1 | 2)), "{example} {arguments:?}: {:?} {errors}", output.status);
        assert!(errors.starts_with("error: "), "{example} {arguments:?}: {errors}");
        assert!(!errors.contains("panicked"), "{example} {arguments:?}: {errors}");
        assert_eq!(self.files(), before, "{example} {arguments:?} left something behind");
        errors
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).expect("the folder");
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        files
    }

    /// Width and height of a PNG file, from its header.
    fn picture(&self, name: &str) -> (u32, u32) {
        let bytes = fs::read(self.0.join(name)).expect("the picture");
        assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        (number(16), number(20))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind is no failure of the test.
        let _ = fs::remove_dir_all(&self.0);
    }
}

const ALL: [&str; 19] = [
    "arm_ik",
    "batch_chains",
    "cartpole_swing_up",
    "cloth",
    "cloth_grad",
    "heat",
    "heat_control",
    "hello_kernel",
    "inverse_spring",
    "mandelbrot",
    "nbody",
    "particles",
    "pendulums",
    "rosenbrock",
    "spinning_box",
    "streams",
    "throw",
    "trajectory",
    "workloads",
];

#[test]
fn all_explain_themselves() {
    let folder = Folder::new("help");
    for example in ALL {
        let help = folder.prints(example, &["--help"]);
        assert!(
            help.contains("Usage: ") && help.contains("--n <N>") && help.contains("--steps")
                || help.contains("--limit")
        );
    }
}

#[test]
fn a_bad_argument_is_one_sentence() {
    let folder = Folder::new("arguments");
    for example in ALL {
        let workload: &[&str] = if example == "workloads" { &["w1"] } else { &[] };
        for (bad, told) in [(["--n", "0"], "0"), (["--n", "many"], "many"), (["--colour", "red"], "--colour")] {
            let arguments = [workload, &bad].concat();
            let errors = folder.fails(example, &arguments);
            assert!(errors.contains(told), "{example} {arguments:?}: {errors}");
        }
    }
}

/// A reader that goes away and a full disk are no panics.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_takes_nothing_is_one_sentence() {
    let folder = Folder::new("output");
    for example in ALL {
        let workload: &[&str] = if example == "workloads" { &["w1"] } else { &[] };
        let run = |output: std::process::Stdio| {
            let small = if example == "mandelbrot" { ["--limit", "3"] } else { ["--steps", "1"] };
            let mut program = Command::new(program(built(), example));
            program.args(workload).args(["--n", "8"]).args(small).current_dir(&folder.0).stdout(output);
            program.stderr(std::process::Stdio::piped()).output().expect("the example starts")
        };
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is always full");
        let (_, nobody) = std::io::pipe().expect("a pipe");
        for (output, why) in [(full.into(), "No space left on device"), (nobody.into(), "Broken pipe")] {
            let output = run(output);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{example}: {errors}");
            assert!(
                errors.starts_with(&format!("error: Standard output cannot be written: {why}")),
                "{example}: {errors}"
            );
            assert_eq!(errors.lines().count(), 1, "{example}: {errors}");
        }
    }
}

#[test]
fn hello_kernel_prints_heights() {
    let folder = Folder::new("hello");
    let text = folder.prints("hello_kernel", &["--n", "3", "--steps", "10"]);
    // 2 m - 9.81 * 0.01^2 * (10 * 11 / 2) m
    assert!(text.contains("from   2 m: 1.9460 m"), "{text}");
    assert_eq!(text.lines().count(), 3);
}

#[test]
fn what_became_of_a_kernel_is_written_on_request() {
    let folder = Folder::new("dump");
    let mut program = Command::new(program(built(), "hello_kernel"));
    program.args(["--n", "3"]).env("WARP_DUMP", "clif, asm").env("WARP_DUMP_DIR", &folder.0);
    assert!(program.output().expect("the example starts").status.success());
    for (kind, word) in [("clif", "block0("), ("asm", "ret")] {
        let files = folder.files();
        let dump = files.iter().find(|path| path.extension().is_some_and(|e| e == kind)).expect(kind);
        assert!(fs::read_to_string(dump).expect("text").contains(word), "{dump:?}");
    }
}

#[test]
fn a_fault_names_kernel_index_and_length() {
    let folder = Folder::new("fault");
    let errors = folder.fails("hello_kernel", &["--n", "3", "--launch", "5"]);
    for word in ["fall", "speed", "index 3", "length 3", "hello_kernel.rs"] {
        assert!(errors.contains(word), "{word}: {errors}");
    }
}

#[test]
fn particles_fall_and_are_drawn() {
    let folder = Folder::new("particles");
    let text = folder.prints("particles", &["--n", "2000", "--steps", "20", "--picture", "new/p.png"]);
    assert!(text.starts_with("2000 particles, 20 steps: "), "{text}");
    assert!(text.contains("checksum ") && text.contains("picture: new/p.png"), "{text}");
    assert_eq!(folder.picture("new/p.png"), (512, 512));
}

#[test]
fn the_main_job_has_the_references_checksum() {
    let text = Folder::new("main").prints("particles", &[]);
    assert!(text.contains("the reference has 2353424.5425: off by "), "{text}");
}

#[test]
fn particles_start_from_files() {
    let folder = Folder::new("files");
    let header =
        "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
    for (name, content) in [
        ("two.xyz", "6 0 0\n0 8 0\n".to_owned()),
        ("two.obj", "v 6 0 0\nv 0 8 0\n".to_owned()),
        ("two.ply", format!("{header}6 0 0\n0 8 0\n")),
    ] {
        fs::write(folder.0.join(name), content).expect("a file");
        let text = folder.prints("particles", &["--points", name, "--steps", "1", "--picture", "p.png"]);
        // One step moves a particle at rest by G M dt^2 / r^2: 6 + 8 - 5e-5 (1/36 + 1/64).
        assert!(text.contains("2 particles, 1 steps") && text.contains("checksum 14.0000;"), "{text}");
    }
}

#[test]
fn bad_files_are_one_sentence_each() {
    let folder = Folder::new("bad");
    fs::write(folder.0.join("bad.xyz"), "1 2 3\n4 five 6\n").expect("a file");
    fs::write(folder.0.join("bad.ply"), "solid\n").expect("a file");
    fs::create_dir(folder.0.join("folder.png")).expect("a folder");
    for (arguments, told) in [
        (["--points", "none.ply"], "none.ply cannot be read: "),
        (["--points", "bad.xyz"], "line 2 is no point: \"4 five 6\""),
        (["--points", "bad.ply"], "bad.ply cannot be read: "),
        (["--points", "bad.stl"], "must end in .ply, .obj or .xyz"),
        (["--picture", "folder.png"], "folder.png cannot be written: "),
    ] {
        let errors = folder.fails("particles", &[&arguments[..], &["--steps", "2"]].concat());
        assert!(errors.contains(told) && errors.lines().count() == 1, "{errors}");
    }
    let errors = folder.fails("particles", &["--points", "bad.xyz", "--n", "5"]);
    assert!(errors.contains("cannot be used with"), "{errors}");
}

#[test]
fn pictures_of_the_others() {
    let folder = Folder::new("others");
    let runs: [(&str, &[&str], (u32, u32)); 4] = [
        ("mandelbrot", &["--n", "64", "--limit", "50", "--threads", "1"], (64, 64)),
        ("heat", &["--n", "48", "--steps", "7"], (48, 48)),
        ("nbody", &["--n", "200", "--steps", "3"], (256, 256)),
        ("cloth", &["--n", "12", "--steps", "20"], (640, 640)),
    ];
    for (example, arguments, size) in runs {
        folder.prints(example, &[arguments, &["--picture", "a.png"]].concat());
        assert_eq!(folder.picture("a.png"), size, "{example}");
    }
}

#[test]
fn boxes_flip_in_time() {
    let folder = Folder::new("spinning");
    let options = ["--n", "3", "--steps", "6000", "--picture", "a.png", "--film", "a.usda"];
    let text = folder.prints("spinning_box", &options);
    assert!(fs::read_to_string(folder.0.join("a.usda")).expect("the film").starts_with("#usda 1.0"));
    let flips: Vec<f64> =
        text.lines().filter_map(|line| line.strip_prefix("flip at ")?.split(' ').next()?.parse().ok()).collect();
    // By Jacobi's elliptic functions: half a period, then whole ones.
    let exact = [1.7637, 1.7637 + 3.5274215];
    assert_eq!(flips.len(), 2, "{text}");
    assert!(flips.iter().zip(exact).all(|(flip, exact)| (flip - exact).abs() < 0.02), "{text}");
    assert_eq!(folder.picture("a.png").0, 560);
}

#[test]
fn chains_keep_their_energy_and_have_gradients() {
    let folder = Folder::new("chains");
    let options = ["--n", "5", "--steps", "20", "--reps", "2", "--grad", "--picture", "a.png"];
    let text = folder.prints("batch_chains", &options);
    assert!(text.contains("5 worlds built in ") && text.contains("backward: "), "{text}");
    assert_eq!(folder.picture("a.png").0, 560);
}

#[test]
fn pendulums_swing_in_their_periods() {
    let folder = Folder::new("pendulums");
    let text = folder.prints("pendulums", &["--picture", "a.png"]);
    let periods: Vec<&str> = text.lines().filter(|line| line.contains("exactly")).collect();
    assert_eq!(periods.len(), 4, "{text}");
    assert_eq!(folder.picture("a.png").0, 560);
}

#[test]
fn arms_reach_their_goals() {
    let folder = Folder::new("arms");
    let text = folder.prints("arm_ik", &["--n", "50", "--picture", "a.png"]);
    let reached = text.split(' ').next().and_then(|word| word.parse::<usize>().ok());
    assert!(reached.is_some_and(|reached| reached >= 45) && text.contains("of 50 goals are reached"), "{text}");
    assert_eq!(folder.picture("a.png"), (640, 480));
}

#[test]
fn a_cart_swings_its_pole_up() {
    let folder = Folder::new("cartpole");
    // The example fails by itself where the pole leans by more than a tenth of a radian, or the cart is a metre off.
    let text = folder.prints("cartpole_swing_up", &["--picture", "a.png"]);
    assert!(text.contains("after 2.00 s the pole leans by "), "{text}");
    assert_eq!(folder.picture("a.png").0, 560);
}

#[test]
fn throws_are_aimed() {
    let folder = Folder::new("throw");
    let text = folder.prints("throw", &["--n", "2", "--picture", "a.png"]);
    // By hand: the velocity whose discrete path ends in (3, -0.6, 0.5).
    let at = text.split_once("thrown at (").and_then(|(_, rest)| rest.split_once(')')).map(|(at, _)| at.to_owned());
    let v: Vec<f64> = at.iter().flat_map(|at| at.split(", ")).filter_map(|word| word.parse().ok()).collect();
    assert_eq!(v.len(), 3, "{text}");
    assert!(v.iter().zip([3.0, -0.6, 4.48675]).all(|(found, right)| (found - right).abs() < 2e-3), "{text}");
}

#[test]
fn robots_are_described() {
    let folder = Folder::new("robot");
    let robot = r#"<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="2"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/>
        <limit lower="-1" upper="1.5" effort="3" velocity="2"/></joint><strange/></robot>"#;
    fs::write(folder.0.join("r.urdf"), robot).expect("a file");
    let text = folder.prints("robot_info", &["r.urdf"]);
    for part in ["arm", "2.0000", "hinge", "-1.000 to 1.500", "1 degree of freedom", "<strange>: it is not known here"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// An example, its arguments, what it prints, and the size of its picture.
type Run = (&'static str, &'static [&'static str], &'static [&'static str], (u32, u32));

/// Each of these ends with an error where its loss did not become small enough.
#[test]
fn gradients_lead_to_the_goal() {
    let folder = Folder::new("gradients");
    let runs: [Run; 5] = [
        ("trajectory", &[], &["5 balls, 200 throws of 200 steps each", "root mean square miss: "], (1120, 420)),
        ("cloth_grad", &["--n", "16"], &["the first gradient differs from that of 64-bit arithmetic by "], (1200, 640)),
        ("heat_control", &["--n", "70", "--steps", "25"], &["loss ", "picture (start, end, goal, loss)"], (1820, 420)),
        ("inverse_spring", &[], &["8 springs, 200 steps: stiffnesses off by "], (1120, 420)),
        ("rosenbrock", &[], &["converged: the gradient is small", "largest curvature there: 1001.601;"], (1120, 420)),
    ];
    for (example, arguments, told, size) in runs {
        let text = folder.prints(example, &[arguments, &["--picture", "a.png"]].concat());
        for words in told {
            assert!(text.contains(words), "{example}: {words}: {text}");
        }
        assert_eq!(folder.picture("a.png"), size, "{example}");
    }
}

/// A line of `workloads`.
fn line(arguments: &[&str]) -> serde_json::Value {
    let text = Folder::new(arguments[0]).prints("workloads", &[arguments, &["--json"]].concat());
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).expect("a line of JSON")
}

#[test]
fn every_workload_prints_its_line() {
    let runs: [&[&str]; 13] = [
        &["w1", "--n", "1000", "--steps", "3", "--mode", ""],
        &["w2", "--n", "1000", "--steps", "50"],
        &["w2", "--n", "1000", "--steps", "50", "--mode", "planes"],
        &["w3", "--n", "128", "--steps", "4"],
        &["w4", "--n", "16", "--steps", "20"],
        &["w4", "--n", "16", "--steps", "20", "--mode", "grad"],
        &["w5", "--n", "40", "--steps", "20"],
        &["w5", "--n", "40", "--steps", "7", "--mode", "grad"],
        &["w8", "--n", "1000", "--steps", "1"],
        &["w9", "--n", "1", "--steps", "100"],
        &["w10", "--n", "64", "--steps", "1"],
        &["w14", "--n", "64", "--steps", "40"],
        &["w14", "--n", "64", "--steps", "40", "--mode", "shuffled"],
    ];
    for arguments in runs {
        let line = line(&[arguments, &["--reps", "2", "--threads", "2"]].concat());
        assert_eq!((line["reps"].as_u64(), line["threads"].as_u64()), (Some(2), Some(2)), "{line}");
        assert_eq!(line["workload"], arguments[0]);
        assert!(line["seconds_median"].as_f64() > Some(0.0) && line["compile_seconds_cold"].is_number(), "{line}");
        assert!(line["max_err"].as_f64() < Some(5e-3), "{line}");
    }
}

#[test]
fn functions_keep_to_their_references() {
    // At the sizes that references know, a run ends well only if checksum and largest error are within what is allowed.
    let w8 = line(&["w8", "--reps", "1"]);
    assert!(w8["checksum_reference"].is_number() && w8["max_err"].as_f64() < Some(5e-6), "{w8}");
    for (mode, most) in [
        ("sin", 1.5),
        ("cos", 1.5),
        ("exp", 1.5),
        ("log", 1.5),
        ("pow", 1.5),
        ("atan2", 2.5),
        ("sqrt", 0.501),
        ("div", 0.501),
    ] {
        let line = line(&["w15", "--mode", mode, "--reps", "1"]);
        assert!(line["checksum_reference"].is_number() && line["max_err"].as_f64() < Some(most), "{line}");
    }
}

#[test]
fn an_unknown_workload_or_mode_is_one_sentence() {
    let folder = Folder::new("unknown");
    assert!(folder.fails("workloads", &["w99"]).contains("w99"));
    assert!(folder.fails("workloads", &[]).contains("<WORKLOAD>"));
    assert!(folder.fails("workloads", &["w1", "--ptx", "texts"]).contains("cannot be used with"));
    assert!(folder.fails("workloads", &["w2", "--mode", "sideways"]).contains("no mode \"sideways\""));
    for mode in [&["w15"][..], &["w15", "--mode", "sinus"]] {
        assert!(folder.fails("workloads", mode).contains("The modes of w15 are sin, cos, "), "{mode:?}");
    }
    assert!(folder.fails("workloads", &["w5", "--n", "100000"]).contains("The largest size of w5 is 8192"));
}

/// `gpu_check` at small sizes, with a driver's library, and with more environment.
#[cfg(feature = "cuda")]
fn gpu_check(library: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let mut checks = Command::new(program(built(), "gpu_check"));
    checks.arg("--small").args(arguments).env("WARP_LIBCUDA", library).env("WARP_RANDOM_KERNELS", "5");
    let output = checks.envs(variables.iter().copied()).output().expect("the example starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[cfg(feature = "cuda")]
#[test]
fn a_gpu_is_held_against_the_cpu() {
    let fake = fake_cuda::Fake::new();
    let (code, table, errors) = gpu_check(&fake.path(), &[], &[]);
    assert!(code == Some(0) && errors.is_empty(), "{errors}{table}");
    assert!(table.starts_with("cuda:0: ") && !table.contains("DIFFERS"), "{table}");
    for line in
        ["memory::planes", "random::adjoints", "gradients::values::factors", "w1: scale_and_add", "w15 div: div"]
    {
        let found = table.lines().find(|found| found.starts_with(line)).unwrap_or_else(|| panic!("no {line}: {table}"));
        assert!(found.contains("same bits"), "{found}");
    }
    let bodies = table.lines().find(|line| line.starts_with("w3: step")).expect("the bodies");
    assert!(bodies.contains("GFLOP/s") && bodies.ends_with('%'), "{bodies}");
    assert!(table.lines().any(|line| line.starts_with("w4 grad: ") && line.contains("adjoint")), "{table}");
    every_measured_kernel_has_its_texts(&table);
}

/// Whose registers are looked at: the kernels of the table's lines `w4 grad: miss ..`, forward and back.
#[cfg(feature = "cuda")]
fn every_measured_kernel_has_its_texts(table: &str) {
    let folder = Folder::new("texts");
    assert_eq!(folder.prints("workloads", &["--ptx", "texts"]), "");
    let kernels = table.lines().filter_map(|line| {
        let (workload, kernel) = line.split_once(": ")?;
        let workload = workload.split(' ').next().filter(|name| name.starts_with('w'))?;
        Some(format!("{workload}_{}", kernel.split_whitespace().next()?))
    });
    let mut found = 0;
    for name in kernels {
        for file in [format!("{name}.ptx"), format!("{name}_adjoint.ptx")] {
            let text =
                fs::read_to_string(folder.0.join("texts").join(&file)).unwrap_or_else(|why| panic!("{file}: {why}"));
            assert!(text.starts_with("// Kernel `") && text.contains(".visible .entry "), "{file}: {text}");
        }
        found += 1;
    }
    assert!(found >= 20, "{found} kernels of {table}");
}

/// A call of the driver that fails in the middle is a line that differs; the others are run, and the end is an error.
#[cfg(feature = "cuda")]
#[test]
fn a_gpu_that_goes_wrong_is_told() {
    let fake = fake_cuda::Fake::new();
    let fails = [("FAKE_CUDA_FAIL_CALL", "3000")];
    let (code, table, errors) = gpu_check(&fake.path(), &["--part", "gradients"], &fails);
    assert_eq!((code, errors.as_str()), (Some(1), "error: 1 of these differs from the CPU\n"), "{table}");
    assert_eq!(table.matches("DIFFERS").count(), 1, "{table}");
    assert!(table.contains(" differs: ") && table.contains("CUDA_ERROR_UNKNOWN"), "{table}");
    assert!(table.matches("same bits").count() > 30, "{table}");
}

#[cfg(feature = "cuda")]
#[test]
fn without_a_gpu_the_check_says_what_it_looked_for() {
    let (code, table, errors) = gpu_check(Path::new("nowhere/libcuda.so.1"), &[], &[]);
    let start = "error: device cuda:0 cannot be checked: the CUDA driver's library `nowhere/libcuda.so.1`";
    assert!((code, table.as_str()) == (Some(3), "") && errors.starts_with(start), "{code:?} {errors}{table}");
    let fake = fake_cuda::Fake::new();
    let (code, _, errors) = gpu_check(&fake.path(), &["--device", "7"], &[]);
    assert!(code == Some(3) && errors.contains("there is no device cuda:7"), "{code:?} {errors}");
}
