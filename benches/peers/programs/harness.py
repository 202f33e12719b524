"""What the programs of all Python peers share: inputs, how a library is opened for one thread, and the rule of timing."""
import dataclasses
import os
import time
from typing import Any, Callable

import numpy as np

f32 = np.float32


@dataclasses.dataclass
class Job:
    n: int
    steps: int
    mode: str
    cache: str  # folder of compiled kernels


@dataclasses.dataclass
class Program:
    """`run` does all steps and waits for them, `result` gives what they made; `reset` puts the inputs back."""

    run: Callable[[], Any]
    result: Callable[[], np.ndarray]
    reset: Callable[[], Any] = lambda: None


# --- inputs, as in examples/support


def bits(stream, n):
    """The first n values of a stream, by the splitmix64 mixing function."""
    u = np.uint64
    with np.errstate(over="ignore"):
        z = u(stream) * u(0xD1342543DE82EF95) + np.arange(1, n + 1, dtype=u) * u(0x9E3779B97F4A7C15)
        z = (z ^ (z >> u(30))) * u(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> u(27))) * u(0x94D049BB133111EB)
        return z ^ (z >> u(31))


def uniform(stream, n):
    return (bits(stream, n) >> np.uint64(40)).astype(np.float64) * 2.0**-24


def normal(stream, n):
    u = uniform(stream, 2 * n)
    return np.sqrt(-2.0 * np.log(1.0 - u[0::2])) * np.cos(2.0 * np.pi * u[1::2])


def magnitudes(values):
    return float(np.abs(values.astype(np.float64)).sum())


def total(values):
    return float(values.sum(dtype=np.float64))


# --- libraries, each held to one thread


def open_warp(job):
    import warp as wp

    wp.config.quiet = True
    wp.config.kernel_cache_dir = os.path.join(job.cache, "warp")
    wp.init()
    wp.set_device("cpu")
    return wp


def open_taichi(job):
    os.environ["ENABLE_TAICHI_HEADER_PRINT"] = "0"
    import taichi as ti

    ti.init(
        arch=ti.cpu,
        log_level=ti.ERROR,
        default_fp=ti.f32,
        cpu_max_num_threads=1,
        offline_cache=True,
        offline_cache_file_path=os.path.join(job.cache, "taichi"),
    )
    return ti


def open_jax(job):
    # XLA makes as many threads as the process may use cores.
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax

    jax.config.update("jax_compilation_cache_dir", os.path.join(job.cache, "jax"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    return jax


def open_numba(job):
    os.environ["NUMBA_NUM_THREADS"] = "1"
    import numba

    return numba


def version(peer):
    import importlib.metadata

    return importlib.metadata.version({"warp": "warp-lang"}.get(peer, peer))


# --- timing


def measure(program, least=5, most=25, enough=1.5, too_long=15.0):
    """Wall-clock and processor seconds of each repetition, after one that compiles and is not timed."""
    program.reset()
    program.run()
    wall, processor, begin = [], [], time.perf_counter()
    while not wall or time.perf_counter() - begin < (too_long if len(wall) < least else enough if len(wall) < most else 0):
        program.reset()
        c, t = time.process_time(), time.perf_counter()
        program.run()
        wall.append(time.perf_counter() - t)
        processor.append(time.process_time() - c)
    return wall, processor
