"""Starts one measured process at a time and reads the line that it prints."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TARGET = os.environ.get("CARGO_TARGET_DIR") or os.path.join(ROOT, "target")
OURS = os.path.join(TARGET, "release", "examples", "workloads")
NATIVE_TARGET = os.path.join(TARGET, "native-peer")
NATIVE = os.path.join(NATIVE_TARGET, "release", "warp-native-peer")
NATIVE_PROGRAMS = ("rust", "rust-aos", "rust-scatter", "rust-scalar", "triad", "fma")
NOT_INSTALLED = 3
LONGEST = 300


class Missing(Exception):
    """Why a peer has no figure."""


def build():
    """Builds what is Rust: ours, and the native peer for this very processor. Nothing is measured meanwhile."""
    subprocess.run(["cargo", "build", "--release", "--example", "workloads"], cwd=ROOT, check=True)
    flags = os.environ | {"RUSTFLAGS": "-C target-cpu=native"}
    native = ["cargo", "build", "--release", "--locked", "--target-dir", NATIVE_TARGET]
    if subprocess.run(native, cwd=os.path.join(HERE, "native"), env=flags).returncode:
        print("The native peer was not built; its figures are missing.", file=sys.stderr)


def command(who, case, threads, caches, n=None, steps=None):
    """The command line of a measured process."""
    size = ["--n", str(n or case.n), "--steps", str(steps or case.steps)]
    if who == "ours":
        return [OURS, case.workload, *size, "--mode", case.mode, "--threads", str(threads), "--json"]
    mode = ["--mode", case.mode_of(who)]
    if who in NATIVE_PROGRAMS:
        return [NATIVE, case.workload, who, *size, *([] if case.workload == "w13" else mode), "--threads", str(threads)]
    return [sys.executable, os.path.join(HERE, "programs"), who, case.workload, *size, *mode, "--cache", caches]


def line(command):
    """The line of one process; `Missing` with the reason where there is none."""
    # Some machines have variables that hold libraries of linear algebra to old processors.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")}
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=plain, timeout=LONGEST)
    except FileNotFoundError:
        raise Missing("not built") from None
    except subprocess.TimeoutExpired:
        raise Missing(f"took more than {LONGEST} s") from None
    lines = [text for text in done.stdout.splitlines() if text.startswith("{")]
    if done.returncode or not lines:
        said = (done.stderr.strip().splitlines() or ["ended without a word"])[-1]
        raise Missing("not installed" if done.returncode == NOT_INSTALLED else f"failed: {said}")
    return json.loads(lines[-1])


def measure(who, case, caches, threads=1):
    """One process that measures itself: its line without what nobody needs later."""
    return kept(line(command(who, case, threads, caches)), who, case)


def kept(found, who, case):
    names = ("peer", "version", "n", "steps", "reps", "checksum", "checksum_reference", "checksum_tolerance", "threads")
    short = {name: found[name] for name in names if found.get(name) is not None}
    seconds = {name: float(f"{found[name]:.5g}") for name in ("seconds_median", "seconds_min", "cpu_seconds_median")}
    return {"case": case.name, "who": who} | short | seconds


def from_start(who, case):
    """W10: wall-clock seconds of a whole process that has no compiled kernels to find, and its line."""
    caches = tempfile.mkdtemp(prefix="kernels-")
    once = ["--reps", "1"] if who == "ours" else ["--once"]
    try:
        begin = time.perf_counter()
        found = line(command(who, case, 1, caches) + once)
        seconds = time.perf_counter() - begin
    finally:
        shutil.rmtree(caches, ignore_errors=True)
    return kept(found | dict.fromkeys(("seconds_median", "seconds_min", "cpu_seconds_median"), seconds), who, case)
