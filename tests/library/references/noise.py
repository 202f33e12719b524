"""Makes noise.txt: noise by its definition, and sequences of points by SciPy, in high precision.

    python -m venv venv && venv/bin/pip install mpmath==1.3.0 numpy==2.4.6 scipy==1.17.1
    venv/bin/python noise.py > noise.txt

A line is `name | numbers in | numbers out`, all f64 with every digit. Perlin noise is the sum over all corners of a cell,
simplex noise that over all lattice points around: neither goes the way that the library goes. Derivatives are
differences in 50 digits.
"""

import itertools
import warnings

import numpy as np
from mpmath import floor, mp, mpf, sqrt
from scipy.stats import qmc

mp.dps = 50
MASK = 0xFFFFFFFF
PRIMES = [73856093, 19349663, 53471161, 10000019]


def line(name, inputs, outputs):
    text = lambda values: " ".join(repr(float(x)) for x in values)
    print(f"{name} | {text(inputs)} | {text(outputs)}")


def hashed(x):
    state = (x * 747796405 + 2891336453) & MASK
    word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737 & MASK
    return (word >> 22) ^ word


def seeded(seed, offset=None):
    return hashed(seed) if offset is None else hashed((seed + hashed(offset)) & MASK)


def slope(state, point):
    """The gradient at a lattice point."""
    products = [(int(x) & MASK) * prime & MASK for x, prime in zip(point, PRIMES)]
    products[-1] = (products[-1] + state) & MASK
    mixed = 0
    for product in products:
        mixed ^= product
    numbers = []
    for _ in point:
        mixed = hashed(mixed)
        numbers.append(mpf(mixed >> 8) / 2**24)
    if len(point) == 1:
        return [2 * numbers[0] - 1]
    numbers = [x - mpf(1) / 2 for x in numbers]
    length = sqrt(sum(x * x for x in numbers))
    return [x / length for x in numbers]


def perlin(state, p, period=None):
    """The sum over the corners of the cell, each weighted by a product of fades."""
    cell = [floor(x) for x in p]
    total = mpf(0)
    for corner in itertools.product((0, 1), repeat=len(p)):
        at = [int(c) + k for c, k in zip(cell, corner)]
        d = [x - a for x, a in zip(p, at)]
        weight = mpf(1)
        for x in d:
            t = 1 - abs(x)
            weight *= 6 * t**5 - 15 * t**4 + 10 * t**3
        wrapped = at if period is None else [a % n for a, n in zip(at, period)]
        total += weight * sum(g * x for g, x in zip(slope(state, wrapped), d))
    return total


SCALE = {1: mpf(256) / 81, 2: mpf("99.204334582718"), 3: mpf("107.653485397281"), 4: mpf("108.567826464028")}


def simplex(state, p):
    """The sum over all lattice points whose distance is below the reach."""
    n = len(p)
    reach = mpf(1) if n == 1 else mpf(1) / 2
    skew, back = ((sqrt(n + 1) - 1) / n, (1 - 1 / sqrt(n + 1)) / n) if n > 1 else (mpf(0), mpf(0))
    cell = [int(floor(x + sum(p) * skew)) for x in p]
    total = mpf(0)
    for step in itertools.product((-1, 0, 1, 2), repeat=n):
        at = [c + s for c, s in zip(cell, step)]
        d = [x - (a - sum(at) * back) for x, a in zip(p, at)]
        square = sum(x * x for x in d)
        if square < reach:
            total += (reach - square) ** 4 * sum(g * x for g, x in zip(slope(state, at), d))
    return total * SCALE[n]


def gradient(function, p):
    h = mpf(10) ** -17
    moved = lambda k, by: [x + by if j == k else x for j, x in enumerate(p)]
    return [(function(moved(k, h)) - function(moved(k, -h))) / (2 * h) for k in range(len(p))]


def curl(state, p):
    """Of one field in the plane, of three in space; a fourth coordinate is time."""
    if len(p) == 2:
        x, y = gradient(lambda q: perlin(state, q), p)
        return [-y, x]
    second = seeded(state, 10019689)
    third = seeded(second, 13112221)
    a, b, c = (gradient(lambda q: perlin(s, q), p) for s in (state, second, third))
    return [c[1] - b[2], a[2] - c[0], b[0] - a[1]]


rng = np.random.default_rng(8)
PERIOD = [5, 3, 4, 7]
for n in (1, 2, 3, 4):
    points = [rng.uniform(-6, 6, size=n) for _ in range(6)]
    points += [rng.integers(-4, 5, size=n).astype(float) for _ in range(3)]
    points += [np.full(n, 0.5), np.zeros(n), rng.uniform(1000, 2000, size=n), rng.integers(0, 9, size=n) / 4]
    for k, point in enumerate(points):
        seed = 42 + k
        state, p = seeded(seed), [mpf(float(x)) for x in point]
        line(f"perlin{n}", [seed, *point], [perlin(state, p), *gradient(lambda q: perlin(state, q), p)])
        line(f"simplex{n}", [seed, *point], [simplex(state, p), *gradient(lambda q: simplex(state, q), p)])
        around = lambda q: perlin(state, q, PERIOD)
        line(f"periodic{n}", [seed, *point, *PERIOD[:n]], [around(p), *gradient(around, p)])
        if n > 1:
            line(f"curl{n}", [seed, *point], curl(state, p))

warnings.simplefilter("ignore")
halton = qmc.Halton(4, scramble=False).random(600)
sobol = qmc.Sobol(4, scramble=False, bits=32).random(600)
for k in [*range(40), 63, 64, 127, 500, 599]:
    line("halton", [k], halton[k])
    # SciPy's order is that of Gray's code.
    line("sobol", [k ^ (k >> 1)], sobol[k])

for n in (1, 2, 3, 4):
    root = mp.findroot(lambda x: x ** (n + 1) - x - 1, 1.5)
    for k in (0, 1, 2, 3, 100, 4321, 1000000, 4294967295):
        line(f"r{n}", [k], [(mpf(1) / 2 + k / root**j) % 1 for j in range(1, n + 1)])
