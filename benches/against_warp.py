#!/usr/bin/env python3
"""Measures NVIDIA Warp's CPU backend and the example `workloads` in turn, one thread each, on this machine.

    cargo build --release --example workloads
    python3 -m venv peers && peers/bin/pip install -r benches/requirements.txt
    peers/bin/python benches/against_warp.py --rounds 5 --keep benches/results/NAME.jsonl w1 w2 w5 w9 w14

Each round is one process of each, Warp first, with the repetition rule of `workloads`. Processor seconds are compared:
they hardly move when other programs share the machine, and for one thread they are the work that was done.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIZES = {"w1": (1 << 24, 10), "w2": (100_000, 1000), "w3": (4096, 10), "w4": (128, 200), "w5": (1024, 200),
         "w8": (1 << 22, 1), "w9": (1, 100_000), "w14": (1024, 256), "w15": (1 << 20, 16), "w5:grad": (512, 50)}
MAPS = ["sin", "cos", "exp", "log", "pow", "atan2", "sqrt", "div"]


def sizes(workload, mode):
    return SIZES.get(f"{workload}:{mode}", SIZES[workload])


# --- inputs, as in examples/support

def bits(stream, n):
    import numpy as np
    u = np.uint64
    with np.errstate(over="ignore"):
        z = u(stream) * u(0xD1342543DE82EF95) + np.arange(1, n + 1, dtype=u) * u(0x9E3779B97F4A7C15)
        z = (z ^ (z >> u(30))) * u(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> u(27))) * u(0x94D049BB133111EB)
        return z ^ (z >> u(31))


def uniform(stream, n):
    import numpy as np
    return (bits(stream, n) >> np.uint64(40)).astype(np.float64) * 2.0 ** -24


def normal(stream, n):
    import numpy as np
    u = uniform(stream, 2 * n)
    return np.sqrt(-2.0 * np.log(1.0 - u[0::2])) * np.cos(2.0 * np.pi * u[1::2])


# --- Warp's side: each gives the kernels, `reset`, `run` and the checksum

def saxpy(wp, np, n, steps, mode):
    @wp.kernel
    def scale_and_add(factor: float, x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = factor * x[i] + y[i]

    start = uniform(2, n).astype(np.float32)
    x, y = wp.array(uniform(1, n).astype(np.float32), dtype=float), wp.array(start, dtype=float)

    def run():
        for _ in range(steps):
            wp.launch(scale_and_add, dim=n, inputs=[2.5, x, y])
    return scale_and_add, lambda: y.assign(start), run, lambda: float(y.numpy().sum(dtype=np.float64))


def particles(wp, np, n, steps, mode):
    @wp.kernel
    def step(pos: wp.array(dtype=wp.vec3), vel: wp.array(dtype=wp.vec3), dt: float, gravitation: float, mass: float):
        i = wp.tid()
        p = pos[i]
        r = wp.length(p)
        if r < 1.0e-6:
            return
        v = vel[i] + (-p / r * (gravitation * mass / (r * r))) * dt
        vel[i] = v
        pos[i] = p + v * dt

    start = (10.0 * normal(3, 3 * n)).astype(np.float32).reshape(-1, 3)
    far = np.sqrt((start.astype(np.float64) ** 2).sum(1)) > 5.0
    pos, vel = wp.array(start, dtype=wp.vec3), wp.zeros(n, dtype=wp.vec3)

    def reset():
        pos.assign(start)
        vel.zero_()

    def run():
        for _ in range(steps):
            wp.launch(step, dim=n, inputs=[pos, vel, 0.01, 0.5, 1.0])
    return step, reset, run, lambda: float(np.abs(pos.numpy()[far].astype(np.float64)).sum())


def nbody(wp, np, n, steps, mode):
    @wp.kernel
    def step(src: wp.array(dtype=wp.vec3), vel: wp.array(dtype=wp.vec3), dst: wp.array(dtype=wp.vec3), n: int, mass: float):
        i = wp.tid()
        p = src[i]
        pull = wp.vec3()
        for j in range(n):
            d = src[j] - p
            inverse = 1.0 / wp.sqrt(wp.dot(d, d) + 0.01)
            pull += d * (mass * inverse * inverse * inverse)
        v = vel[i] + pull * 0.01
        vel[i] = v
        dst[i] = p + v * 0.01

    start = (2.0 * uniform(4, 3 * n) - 1.0).astype(np.float32).reshape(-1, 3)
    now, following, vel = wp.array(start, dtype=wp.vec3), wp.zeros(n, dtype=wp.vec3), wp.zeros(n, dtype=wp.vec3)
    if steps % 2:
        sys.exit("w3: an even number of steps, please")

    def reset():
        now.assign(start)
        vel.zero_()

    def run():
        for _ in range(steps // 2):
            wp.launch(step, dim=n, inputs=[now, vel, following, n, 1.0 / n])
            wp.launch(step, dim=n, inputs=[following, vel, now, n, 1.0 / n])
    return step, reset, run, lambda: float(np.abs(now.numpy().astype(np.float64)).sum())


def sheet(np, n):
    """Places, speeds and inverse masses of the particles; ends and lengths of the springs."""
    k = np.arange(n * n, dtype=np.int32).reshape(n, n)
    pairs = [(k[:, :-1], k[:, 1:]), (k[:-1], k[1:]), (k[:-1, :-1], k[1:, 1:]), (k[1:, :-1], k[:-1, 1:])]
    ends = [np.concatenate([pair[e].ravel() for pair in pairs]) for e in (0, 1)]
    lengths = [0.1, 0.1, 0.1 * math.sqrt(2.0), 0.1 * math.sqrt(2.0)]
    rest = np.concatenate([np.full(pair[0].size, length, np.float32) for pair, length in zip(pairs, lengths)])
    x0 = np.zeros((n * n, 3), np.float32)
    x0[:, 0] = (k % n).ravel().astype(np.float32) * np.float32(0.1)
    x0[:, 2] = (k // n).ravel().astype(np.float32) * np.float32(0.1)
    w0 = np.full(n * n, 10.0, np.float32)
    w0[[0, n - 1]] = 0.0
    v0 = (uniform(6, 3 * n * n) - 0.5).astype(np.float32).reshape(-1, 3)
    v0[w0 == 0.0] = 0.0
    return x0, v0, w0, ends, rest


def cloth_gradient(wp, np, n, steps, pull):
    """States of all steps are kept, as Warp's tape needs."""
    @wp.kernel
    def advance(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), force: wp.array(dtype=wp.vec3),
                inverse_mass: wp.array(dtype=float), gravity: wp.vec3, dt: float,
                x_next: wp.array(dtype=wp.vec3), v_next: wp.array(dtype=wp.vec3)):
        i = wp.tid()
        w = inverse_mass[i]
        speed = v[i]
        if w > 0.0:
            speed = speed + (force[i] * w + gravity) * dt
        v_next[i] = speed
        x_next[i] = x[i] + speed * dt

    @wp.kernel
    def miss(x: wp.array(dtype=wp.vec3), start: wp.array(dtype=wp.vec3), share: float, loss: wp.array(dtype=float)):
        i = wp.tid()
        d = x[i] - start[i] - wp.vec3(0.0, -0.5, 0.0)
        wp.atomic_add(loss, 0, wp.dot(d, d) * share)

    x0, v0, w0, ends, rest = sheet(np, n)
    kept = [[wp.zeros(n * n, dtype=wp.vec3, requires_grad=True) for _ in range(steps + 1)] for _ in range(3)]
    x, v, force = kept
    a, b = (wp.array(end, dtype=int) for end in ends)
    r, w, start = wp.array(rest, dtype=float), wp.array(w0, dtype=float), wp.array(x0, dtype=wp.vec3)
    loss = wp.zeros(1, dtype=float, requires_grad=True)
    x[0].assign(x0)
    v[0].assign(v0)
    found = {}

    def run():
        loss.zero_()
        tape = wp.Tape()
        with tape:
            for t in range(steps):
                force[t].zero_()
                wp.launch(pull, dim=len(rest), inputs=[x[t], v[t], a, b, r], outputs=[force[t]])
                wp.launch(advance, dim=n * n, inputs=[x[t], v[t], force[t], w, wp.vec3(0.0, -9.81, 0.0), 1e-3],
                          outputs=[x[t + 1], v[t + 1]])
            wp.launch(miss, dim=n * n, inputs=[x[steps], start, 1.0 / (n * n)], outputs=[loss])
        tape.backward(loss)
        found["gradient"] = v[0].grad.numpy().copy()
        tape.zero()
    return pull, lambda: None, run, lambda: float(np.abs(found["gradient"].astype(np.float64)).sum())


def cloth(wp, np, n, steps, mode):
    @wp.kernel
    def pull(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), a: wp.array(dtype=int), b: wp.array(dtype=int),
             rest: wp.array(dtype=float), force: wp.array(dtype=wp.vec3)):
        s = wp.tid()
        i = a[s]
        j = b[s]
        d = x[i] - x[j]
        length = wp.length(d)
        u = d / length
        strength = 1000.0 * (length - rest[s]) + 0.1 * wp.dot(u, v[i] - v[j])
        wp.atomic_sub(force, i, u * strength)
        wp.atomic_add(force, j, u * strength)

    @wp.kernel
    def advance(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), force: wp.array(dtype=wp.vec3),
                inverse_mass: wp.array(dtype=float), gravity: wp.vec3, dt: float):
        i = wp.tid()
        w = inverse_mass[i]
        speed = v[i]
        if w > 0.0:
            speed = speed + (force[i] * w + gravity) * dt
        v[i] = speed
        x[i] = x[i] + speed * dt

    if mode == "grad":
        return cloth_gradient(wp, np, n, steps, pull)
    x0, v0, w0, ends, rest = sheet(np, n)
    x, v, force = (wp.array(start, dtype=wp.vec3) for start in (x0, v0, np.zeros_like(x0)))
    a, b = (wp.array(end, dtype=int) for end in ends)
    r, w = wp.array(rest, dtype=float), wp.array(w0, dtype=float)

    def reset():
        x.assign(x0)
        v.assign(v0)

    def run():
        for _ in range(steps):
            force.zero_()
            wp.launch(pull, dim=rest.size, inputs=[x, v, a, b, r, force])
            wp.launch(advance, dim=n * n, inputs=[x, v, force, w, wp.vec3(0.0, -9.81, 0.0), 1e-3])
    return pull, reset, run, lambda: float(np.abs(x.numpy().astype(np.float64)).sum())


def heat(wp, np, n, steps, mode):
    @wp.kernel
    def spread(src: wp.array2d(dtype=float), dst: wp.array2d(dtype=float), n: int, flow: float):
        i, j = wp.tid()
        c = src[i, j]
        if i > 0 and i < n - 1 and j > 0 and j < n - 1:
            c = c + flow * (src[i - 1, j] + src[i + 1, j] + src[i, j - 1] + src[i, j + 1] - 4.0 * c)
        dst[i, j] = c

    start = uniform(5, n * n).astype(np.float32).reshape(n, n)
    if mode == "grad":
        return heat_gradient(wp, np, n, steps, spread, start)
    now, following = wp.array(start, dtype=float), wp.zeros((n, n), dtype=float)
    if steps % 2:
        sys.exit("w5: an even number of steps, please")

    def run():
        for _ in range(steps // 2):
            wp.launch(spread, dim=(n, n), inputs=[now, following, n, 0.1])
            wp.launch(spread, dim=(n, n), inputs=[following, now, n, 0.1])
    return spread, lambda: now.assign(start), run, lambda: float(now.numpy().sum(dtype=np.float64))


def heat_gradient(wp, np, n, steps, spread, start):
    @wp.kernel
    def squares(u: wp.array2d(dtype=float), loss: wp.array(dtype=float)):
        i, j = wp.tid()
        wp.atomic_add(loss, 0, u[i, j] * u[i, j])

    u = [wp.zeros((n, n), dtype=float, requires_grad=True) for _ in range(steps + 1)]
    loss = wp.zeros(1, dtype=float, requires_grad=True)
    u[0].assign(start)
    found = {}

    def run():
        loss.zero_()
        tape = wp.Tape()
        with tape:
            for t in range(steps):
                wp.launch(spread, dim=(n, n), inputs=[u[t], u[t + 1], n, 0.1])
            wp.launch(squares, dim=(n, n), inputs=[u[steps]], outputs=[loss])
        tape.backward(loss)
        found["gradient"] = u[0].grad.numpy().copy()
        tape.zero()
    return spread, lambda: None, run, lambda: float(found["gradient"].sum(dtype=np.float64))


def blend(wp, np, n, steps, mode):
    @wp.kernel
    def blended(x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        v = x[i]
        size = wp.abs(v)
        y[i] = (wp.sin(v) * wp.exp(-v * v) + wp.sqrt(size) * wp.cos(3.0 * v) + wp.atan2(v, 1.0 + v * v)
                + wp.pow(size + 1.0, 0.7))

    x = wp.array((8.0 * uniform(8, n) - 4.0).astype(np.float32), dtype=float)
    y = wp.empty(n, dtype=float)

    def run():
        for _ in range(steps):
            wp.launch(blended, dim=n, inputs=[x, y])
    return blended, lambda: None, run, lambda: float(y.numpy().sum(dtype=np.float64))


def maps(wp, np, n, steps, mode):
    # One kernel, and so one module, a mode.
    @wp.kernel
    def sin(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.sin(x[i])

    @wp.kernel
    def cos(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.cos(x[i])

    @wp.kernel
    def exp(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.exp(x[i])

    @wp.kernel
    def log(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.log(x[i])

    @wp.kernel
    def pow(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.pow(x[i], 0.7)

    @wp.kernel
    def atan2(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.atan2(x[i], w[i])

    @wp.kernel
    def sqrt(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.sqrt(x[i])

    @wp.kernel
    def div(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = x[i] / w[i]

    kernel = dict(zip(MAPS, [sin, cos, exp, log, pow, atan2, sqrt, div]))[mode]
    t = 40.0 * uniform(15, n) - 20.0
    u = uniform(16, n)
    x0 = np.exp(t) if mode in ("log", "pow", "sqrt") else t
    w0 = 40.0 * u - 20.0 if mode == "atan2" else 20.0 * u + 0.5
    x, w = (wp.array(start.astype(np.float32), dtype=float) for start in (x0, w0))
    y = wp.empty(n, dtype=float)

    def run():
        for _ in range(steps):
            wp.launch(kernel, dim=n, inputs=[x, w, y])
    return kernel, lambda: None, run, lambda: float(np.abs(y.numpy().astype(np.float64)).sum())


def launches(wp, np, n, steps, mode):
    @wp.kernel
    def add(x: wp.array(dtype=float), value: float):
        i = wp.tid()
        x[i] = x[i] + value

    x = wp.zeros(n, dtype=float)

    def run():
        for _ in range(steps):
            wp.launch(add, dim=n, inputs=[x, 1.0])
    return add, x.zero_, run, lambda: float(x.numpy().sum(dtype=np.float64))


def mandelbrot(wp, np, n, steps, mode):
    @wp.func
    def turns(pixel: int, n: int, limit: int):
        width = float(10 * n)
        cx = float(26 * (pixel % n) + 13 - 20 * n) / width
        cy = float(26 * (pixel / n) + 13 * (1 - n)) / width
        x = float(0.0)
        y = float(0.0)
        k = int(0)
        while k < limit:
            x2 = x * x
            y2 = y * y
            if x2 + y2 > 4.0:
                break
            y = (x + x) * y + cy
            x = (x2 - y2) + cx
            k = k + 1
        return k

    @wp.kernel
    def rows(order: wp.array(dtype=int), counts: wp.array(dtype=int), n: int, limit: int):
        pixel = wp.tid()
        counts[pixel] = turns(pixel, n, limit)

    @wp.kernel
    def ordered(order: wp.array(dtype=int), counts: wp.array(dtype=int), n: int, limit: int):
        pixel = order[wp.tid()]
        counts[pixel] = turns(pixel, n, limit)

    kernel = ordered if mode == "shuffled" else rows
    pixels = np.argsort(bits(14, n * n), kind="stable") if mode == "shuffled" else np.zeros(1)
    order, counts = wp.array(pixels.astype(np.int32), dtype=int), wp.zeros(n * n, dtype=int)
    return (kernel, counts.zero_, lambda: wp.launch(kernel, dim=n * n, inputs=[order, counts, n, steps]),
            lambda: float(counts.numpy().sum(dtype=np.float64)))


WARP = {"w1": saxpy, "w2": particles, "w3": nbody, "w4": cloth, "w5": heat, "w8": blend, "w9": launches,
        "w14": mandelbrot, "w15": maps}


def measure_warp(workload, mode):
    """One process of Warp: prints one line of JSON."""
    import numpy as np
    import warp as wp
    wp.config.quiet = True
    wp.config.kernel_cache_dir = tempfile.mkdtemp(prefix="warp-cache-")
    wp.init()
    wp.set_device("cpu")
    n, steps = sizes(workload, mode)
    kernel, reset, run, checksum = WARP[workload](wp, np, n, steps, mode)
    start = time.perf_counter()
    wp.load_module(kernel.module, device="cpu")
    compile_seconds = time.perf_counter() - start
    reset()
    run()
    wall, processor, begin = [], [], time.perf_counter()
    while len(wall) < 5 or (len(wall) < 25 and time.perf_counter() - begin < 1.5):
        reset()
        c, t = time.process_time(), time.perf_counter()
        run()
        wall.append(time.perf_counter() - t)
        processor.append(time.process_time() - c)
    print(json.dumps(dict(
        workload=workload, peer="warp", version=wp.config.version, n=n, steps=steps, mode=mode, threads=1,
        seconds_median=statistics.median(wall), seconds_min=min(wall), reps=len(wall), compile_seconds_cold=compile_seconds,
        checksum=checksum(), cpu_seconds_median=statistics.median(processor), times=wall, cpu_times=processor)))


# --- both in turn

def last_line(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    return json.loads([line for line in done.stdout.splitlines() if line.startswith("{")][-1])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("workloads", nargs="*", help="w1 w2 w3 w4 w5 w8 w9 w14 w14:shuffled w4:grad w5:grad w15:sin ..; all when none is named")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--keep", help="append every measured line to this file")
    options.add_argument("--ours", default=os.path.join(ROOT, "target", "release", "examples", "workloads"))
    options.add_argument("--one-of-warp", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.one_of_warp:
        return measure_warp(*(chosen.one_of_warp + ":").split(":")[:2])
    print("| workload | Warp, ms | ours, ms | Warp / ours | checksums differ by |\n|---|---|---|---|---|")
    plain = [name for name in WARP if name != "w15"]
    for name in chosen.workloads or [*plain, "w4:grad", "w5:grad", "w14:shuffled", *(f"w15:{mode}" for mode in MAPS)]:
        workload, mode = (name + ":").split(":")[:2]
        n, steps = sizes(workload, mode)
        lines = {"warp": [], "ours": []}
        for _ in range(chosen.rounds):
            lines["warp"].append(last_line([sys.executable, os.path.abspath(__file__), "--one-of-warp", name]))
            lines["ours"].append(last_line([chosen.ours, workload, "--n", str(n), "--steps", str(steps), "--mode", mode,
                                            "--threads", "1", "--json"]))
        if chosen.keep:
            with open(chosen.keep, "a") as file:
                file.writelines(json.dumps(line) + "\n" for line in lines["warp"] + lines["ours"])
        warp, ours = (statistics.median(t for line in lines[who] for t in line["cpu_times"]) for who in ("warp", "ours"))
        sums = [lines[who][0]["checksum"] for who in ("warp", "ours")]
        off = abs(sums[0] - sums[1]) / max(abs(sums[0]), 1e-300)
        print(f"| {name} | {1e3 * warp:.1f} | {1e3 * ours:.1f} | {warp / ours:.2f} | {off:.1e} |", flush=True)


if __name__ == "__main__":
    main()
