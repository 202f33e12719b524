"""Makes warp_values.txt: random numbers and noise of NVIDIA Warp 1.19.0, on its CPU device.

    python -m venv venv && venv/bin/pip install numpy==2.4.6 warp-lang==1.19.0
    venv/bin/python warp_values.py > warp_values.txt

A line is `name | numbers in | numbers out`, with every digit; each line of random numbers starts from a fresh state of
the seed and the offset that are its first two numbers in.
"""

import contextlib
import sys

import numpy as np
import warp as wp

with contextlib.redirect_stdout(sys.stderr):
    wp.init()

PAIRS = [(42, 7), (123, 0), (123, 1), (123, 2), (0, 0), (1, 1000000), (2147483647, 5), (77, 123456)]
DRAWS = 6


def line(name, inputs, outputs):
    text = lambda values: " ".join(repr(float(x)) for x in np.ravel(np.asarray(values, dtype=np.float64)))
    print(f"{name} | {text(inputs)} | {text(outputs)}")


@wp.kernel
def integers(seed: int, offset: int, out: wp.array2d(dtype=wp.uint32)):
    state = wp.rand_init(seed, offset)
    out[0, 0] = state
    for k in range(DRAWS):
        out[1, k] = wp.randu(state)
    for k in range(DRAWS):
        out[2, k] = wp.randu(state, wp.uint32(10), wp.uint32(4000000000))
    for k in range(DRAWS):
        out[3, k] = wp.uint32(wp.randi(state, 0, 100))
    for k in range(DRAWS):
        out[4, k] = wp.uint32(wp.randi(state, -50, 50) + 50)
    out[0, 1] = wp.rand_init(seed)


@wp.kernel
def scalars(seed: int, offset: int, out: wp.array2d(dtype=float)):
    state = wp.rand_init(seed, offset)
    for k in range(DRAWS):
        out[0, k] = wp.randf(state)
    for k in range(DRAWS):
        out[1, k] = wp.randf(state, -2.5, 4.0)
    for k in range(DRAWS):
        out[2, k] = wp.randn(state)


@wp.kernel
def counts(seed: int, offset: int, mean: float, out: wp.array(dtype=wp.uint32)):
    state = wp.rand_init(seed, offset)
    for k in range(DRAWS):
        out[k] = wp.poisson(state, mean)


@wp.kernel
def planes(seed: int, offset: int, out: wp.array2d(dtype=wp.vec2)):
    state = wp.rand_init(seed, offset)
    for k in range(DRAWS):
        out[0, k] = wp.sample_unit_ring(state)
    for k in range(DRAWS):
        out[1, k] = wp.sample_unit_disk(state)
    for k in range(DRAWS):
        out[2, k] = wp.sample_unit_square(state)
    for k in range(DRAWS):
        out[3, k] = wp.sample_triangle(state)


@wp.kernel
def spaces(seed: int, offset: int, out: wp.array2d(dtype=wp.vec3)):
    state = wp.rand_init(seed, offset)
    for k in range(DRAWS):
        out[0, k] = wp.sample_unit_sphere_surface(state)
    for k in range(DRAWS):
        out[1, k] = wp.sample_unit_sphere(state)
    for k in range(DRAWS):
        out[2, k] = wp.sample_unit_hemisphere_surface(state)
    for k in range(DRAWS):
        out[3, k] = wp.sample_unit_hemisphere(state)
    for k in range(DRAWS):
        out[4, k] = wp.sample_unit_cube(state)


@wp.kernel
def indexes(seed: int, offset: int, cumulative: wp.array(dtype=float), out: wp.array(dtype=int)):
    state = wp.rand_init(seed, offset)
    for k in range(DRAWS):
        out[k] = wp.sample_cdf(state, cumulative)


@wp.kernel
def fields(seed: int, p: wp.vec4, out: wp.array(dtype=float)):
    state = wp.rand_init(seed)
    p2 = wp.vec2(p[0], p[1])
    p3 = wp.vec3(p[0], p[1], p[2])
    out[0] = wp.noise(state, p[0])
    out[1] = wp.noise(state, p2)
    out[2] = wp.noise(state, p3)
    out[3] = wp.noise(state, p)
    out[4] = wp.pnoise(state, p[0], 5)
    out[5] = wp.pnoise(state, p2, 5, 3)
    out[6] = wp.pnoise(state, p3, 5, 3, 4)
    out[7] = wp.pnoise(state, p, 5, 3, 4, 7)
    a = wp.curlnoise(state, p2)
    b = wp.curlnoise(state, p3)
    c = wp.curlnoise(state, p)
    d = wp.curlnoise(state, p2, wp.uint32(3), 2.0, 0.5)
    e = wp.curlnoise(state, p3, wp.uint32(3), 1.75, 0.25)
    f = wp.curlnoise(state, p, wp.uint32(2), 2.0, 0.5)
    for k in range(2):
        out[8 + k] = a[k]
        out[16 + k] = d[k]
    for k in range(3):
        out[10 + k] = b[k]
        out[13 + k] = c[k]
        out[18 + k] = e[k]
        out[21 + k] = f[k]


def run(kernel, inputs, shape, dtype):
    with contextlib.redirect_stdout(sys.stderr):
        out = wp.zeros(shape, dtype=dtype, device="cpu")
        wp.launch(kernel, 1, inputs=[*inputs, out], device="cpu")
        return out.numpy()


for pair in PAIRS:
    line("integers", pair, run(integers, pair, (5, DRAWS), wp.uint32))
    line("scalars", pair, run(scalars, pair, (3, DRAWS), float))
    for mean in (0.0, 0.3, 4.0, 9.9, 10.0, 30.0, 500.0):
        line("counts", [*pair, np.float32(mean)], run(counts, [*pair, mean], DRAWS, wp.uint32))
    line("planes", pair, run(planes, pair, (4, DRAWS), wp.vec2))
    line("spaces", pair, run(spaces, pair, (5, DRAWS), wp.vec3))
    with contextlib.redirect_stdout(sys.stderr):
        cumulative = wp.array([0.1, 0.1, 0.35, 0.8, 1.0], dtype=float, device="cpu")
    line("indexes", pair, run(indexes, [*pair, cumulative], DRAWS, int))

rng = np.random.default_rng(5)
points = [np.float32(p) for p in [(0.37, 1.2, 2.7, 0.6), (0.3, 1.2, 2.7, 3.9), (2, 1, 3, 6), (0, 0, 0, 0)]]
points += [rng.uniform(0, 12, size=4).astype(np.float32) for _ in range(20)]
for seed in (42, 7):
    for p in points:
        line("fields", [seed, *p], run(fields, [seed, wp.vec4(*(float(x) for x in p))], 24, float))
