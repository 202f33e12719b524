#!/usr/bin/env python3
"""What kernels cost at compile time: processor seconds of `cargo check` on generated crates, and the size of what they become.

    benches/compile_cost.py                  all cases
    benches/compile_cost.py --folder DIR     keep the generated crates (and what cargo built of their dependencies) in DIR

Two cases, each with the macros compiled at opt-level 3 and 0 (a profile of the user's decides; 0 is cargo's default):

* calls:  100 kernels, each of which calls 10 functions of its crate. Targets: 4 s at level 3, 8 s at level 0.
* chains: 100 kernels, each of which calls three functions of a library of 200 functions in chains up to 30 deep.
          Targets: 6 s at level 3, and a library below 20 MB.

Only the named crates are compiled again; their dependencies are built before.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def body(k, calls):
    """A body of some lines: arithmetic on a vector, a branch, a loop, and the calls."""
    lines = [f"    let mut v = p * {1 + k % 7}.5 + Vec3::new(s, {k}.25, 1.0);",
             f"    for i in 0..{2 + k % 5} {{",
             "        v += p * (i as f32 * s);",
             "        if v.x > 100.0 {",
             "            v = v * 0.5;",
             "        }",
             "    }"]
    lines += [f"    v += {call}(v, s + {n}.0) * 0.125;" for n, call in enumerate(calls)]
    return "\n".join(lines + ["    v / (1.0 + v.length())"])


def function(name, k, calls, public):
    return f"#[func]\n{'pub ' if public else ''}fn {name}(p: Vec3, s: f32) -> Vec3 {{\n{body(k, calls)}\n}}\n"


def kernel(k, calls):
    lines = [f"#[kernel]\npub fn kernel_{k}(points: &mut [Vec3], s: f32) {{", "    let i = tid();",
             "    if i < points.len() {", "        let mut p = points[i];"]
    lines += [f"        p += {call}(p, s * {n}.5);" for n, call in enumerate(calls)]
    return "\n".join(lines + [f"        points[i] = p * {k}.0;", "    }", "}", ""])


HEAD = "//! Generated: see benches/compile_cost.py.\nuse warp::prelude::*;\n"


def calls_crate():
    """Fifty small functions, 100 kernels with 10 calls each."""
    functions = [function(f"small_{k}", k, [], False) for k in range(50)]
    kernels = [kernel(k, [f"small_{(k * 7 + n * 3) % 50}" for n in range(10)]) for k in range(100)]
    return HEAD + "\n".join(functions + kernels)


def library_crate():
    """200 functions: chains of 30, each calling the next."""
    def calls(k):
        return [f"chain_{k + 1}"] if (k + 1) % 30 and k + 1 < 200 else []
    return HEAD + "\n".join(function(f"chain_{k}", k, calls(k), True) for k in range(200))


def chains_crate():
    kernels = [kernel(k, [f"chain_{(k * 13 + n * 61) % 200}" for n in range(3)]) for k in range(100)]
    return HEAD + "use cost_library::*;\n" + "\n".join(kernels)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if not os.path.exists(path) or open(path).read() != text:
        with open(path, "w") as file:
            file.write(text)


def generate(folder, level):
    members = {"calls": (calls_crate(), ""), "library": (library_crate(), ""),
               "chains": (chains_crate(), 'cost_library = { path = "../library" }\n')}
    write(os.path.join(folder, "Cargo.toml"),
          f'[workspace]\nmembers = {sorted(members)}\nresolver = "3"\n\n[profile.dev]\ndebug = "line-tables-only"\n\n'
          f"[profile.dev.build-override]\nopt-level = {level}\n".replace("'", '"'))
    for name, (text, more) in members.items():
        write(os.path.join(folder, name, "Cargo.toml"),
              f'[package]\nname = "cost_{name}"\nversion = "0.0.0"\nedition = "2024"\n\n[dependencies]\n'
              f'warp = {{ package = "warp-kernel", path = "{ROOT}" }}\n{more}')
        write(os.path.join(folder, name, "src", "lib.rs"), text)
    lock = os.path.join(folder, "Cargo.lock")
    if not os.path.exists(lock):
        write(lock, open(os.path.join(ROOT, "Cargo.lock")).read())


def cargo(folder, *arguments):
    command = ["cargo", *arguments, "--quiet", "--target-dir", os.path.join(folder, "target")]
    done = subprocess.run(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.stderr[-4000:])


def seconds(folder, crate, rounds=3):
    """Processor seconds of a check of one crate whose dependencies are there already; the least of several."""
    cargo(folder, "check", "-p", f"cost_{crate}")
    best = float("inf")
    for _ in range(rounds):
        os.utime(os.path.join(folder, crate, "src", "lib.rs"))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        cargo(folder, "check", "-p", f"cost_{crate}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def size(folder, crate):
    """Megabytes of the crate's library in a debug build."""
    cargo(folder, "build", "-p", f"cost_{crate}")
    return os.path.getsize(os.path.join(folder, "target", "debug", f"libcost_{crate}.rlib")) / 1e6


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--folder", help="where the generated crates go")
    options.add_argument("--levels", type=int, nargs="*", default=[3, 0], help="opt-levels of the macros")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="warp-cost-") as temporary:
        for level in chosen.levels:
            folder = os.path.join(chosen.folder or temporary, f"level-{level}")
            generate(folder, level)
            print(f"macros at opt-level {level}: "
                  f"calls {seconds(folder, 'calls'):.2f} s, library of chains {seconds(folder, 'library'):.2f} s, "
                  f"kernels on it {seconds(folder, 'chains'):.2f} s", flush=True)
        print(f"sizes: library {size(folder, 'library'):.1f} MB, kernels on it {size(folder, 'chains'):.1f} MB, "
              f"calls {size(folder, 'calls'):.1f} MB")


if __name__ == "__main__":
    main()
