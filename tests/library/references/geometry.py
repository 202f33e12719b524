"""Makes geometry.txt: segments, triangles and rays, in exact rational arithmetic.

    python geometry.py > geometry.txt

A line is `name | numbers in | numbers out`. All numbers in are small fractions of powers of two, so that they are exact
in every float; the answers are exact fractions, written as the nearest f64.

The formulations differ from the library's. Closest points are minima of convex quadratic forms, found by trying every
face (every subset of the constraints) and solving its normal equations; the smallest feasible value wins. Rays meet
triangles where Cramer's rule on the 3x3 system says so, by cofactors; spheres where the squared root of the discriminant
is told apart by exact comparisons and taken in 50 digits; boxes by all six planes one by one.
"""

import itertools
import random
from decimal import Decimal, getcontext
from fractions import Fraction as F

getcontext().prec = 60
rng = random.Random(7)


def number():
    return F(rng.randint(-64, 64), 16)


def vector():
    return [number() for _ in range(3)]


def sub(a, b):
    return [x - y for x, y in zip(a, b)]


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def mul(a, s):
    return [x * s for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def solve(rows, right):
    """Gauss elimination over fractions; None where it is singular."""
    n = len(rows)
    m = [list(row) + [r] for row, r in zip(rows, right)]
    for k in range(n):
        pivot = next((r for r in range(k, n) if m[r][k] != 0), None)
        if pivot is None:
            return None
        m[k], m[pivot] = m[pivot], m[k]
        for r in range(n):
            if r != k:
                factor = m[r][k] / m[k][k]
                m[r] = [x - factor * y for x, y in zip(m[r], m[k])]
    return [m[k][n] / m[k][k] for k in range(n)]


def nearest_on_face(corners, p):
    """The weights of the point nearest to p in the affine hull of the corners; None where they are dependent."""
    edges = [sub(c, corners[0]) for c in corners[1:]]
    if not edges:
        return [F(1)]
    found = solve([[dot(a, b) for b in edges] for a in edges], [dot(a, sub(p, corners[0])) for a in edges])
    return None if found is None else [1 - sum(found)] + found


def closest(corners, p):
    """The point of the hull of the corners that is nearest to p: the best of all faces, with its weights."""
    best = None
    for size in range(1, len(corners) + 1):
        for face in itertools.combinations(range(len(corners)), size):
            weights = nearest_on_face([corners[k] for k in face], p)
            if weights is None or min(weights) < 0:
                continue
            full = [F(0)] * len(corners)
            for k, w in zip(face, weights):
                full[k] = w
            at = [sum(w * c[d] for w, c in zip(full, corners)) for d in range(3)]
            gap = sub(p, at)
            square = dot(gap, gap)
            if best is None or square < best[0]:
                best = (square, at, full)
    return best


def closest_of_segments(a, b, c, d):
    """The smallest squared distance of two segments: ends against segments, and the interior pair."""
    ends = [closest([c, d], a), closest([c, d], b), closest([a, b], c), closest([a, b], d)]
    best = min(e[0] for e in ends)
    u, v, w = sub(b, a), sub(d, c), sub(a, c)
    found = solve([[dot(u, u), -dot(u, v)], [dot(u, v), -dot(v, v)]], [-dot(u, w), -dot(v, w)])
    if found and all(0 <= t <= 1 for t in found):
        gap = sub(add(a, mul(u, found[0])), add(c, mul(v, found[1])))
        best = min(best, dot(gap, gap))
    return best


def root(x):
    return (Decimal(x.numerator) / Decimal(x.denominator)).sqrt()


def decimal(x):
    return x if isinstance(x, Decimal) else Decimal(x.numerator) / Decimal(x.denominator)


def line(name, inputs, outputs):
    flat = [float(x) for v in inputs for x in (v if isinstance(v, list) else [v])]
    out = ["none" if x is None else repr(float(decimal(F(x) if isinstance(x, int) else x))) for x in outputs]
    print(f"{name} | {' '.join(map(repr, flat))} | {' '.join(out)}")


def triangles():
    """Ordinary ones, needles, and corners on a line or in a point."""
    for _ in range(40):
        yield [vector() for _ in range(3)]
    for _ in range(8):
        a, b = vector(), vector()
        yield [a, b, add(b, [F(1, 1024), F(0), F(1, 2048)])]
    for _ in range(6):
        a, b = vector(), vector()
        yield [a, b, add(a, mul(sub(b, a), F(rng.randint(-8, 16), 8)))]
    a = vector()
    yield [a, a, a]
    yield [a, a, vector()]
    b = vector()
    yield [a, b, b]


for t in triangles():
    inside = [sum(w * c[d] for w, c in zip([F(1, 4), F(1, 4), F(1, 2)], t)) for d in range(3)]
    for p in [vector() for _ in range(5)] + [t[0], t[1], t[2], mul(add(t[1], t[2]), F(1, 2)), inside]:
        square, at, _ = closest(t, p)
        weights = nearest_on_face(t, p)
        line("triangle", t + [p], at + [root(square)] + (weights or [None] * 3))

for _ in range(60):
    a, b, c, d = (vector() for _ in range(4))
    case = rng.randint(0, 9)
    if case == 0:
        b = a
    elif case == 1:
        d = c
    elif case == 2:
        d = add(c, mul(sub(b, a), F(rng.randint(-8, 8), 4)))
    elif case == 3:
        b, d = a, c
    square, at, weights = closest([a, b], c)
    line("segment", [a, b, c], at + [root(square)])
    line("segments", [a, b, c, d], [root(closest_of_segments(a, b, c, d))])


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


for k, t in enumerate(triangles()):
    for j in range(5):
        o = vector()
        inside = [sum(w * c[i] for w, c in zip([F(1, 2), F(1, 4), F(1, 4)], t)) for i in range(3)]
        edge = mul(add(t[0], t[1]), F(1, 2))
        target = [vector(), inside, edge, t[0], inside][j]
        d = sub(target, o) if j != 4 else sub(t[1], t[0])
        # o + s d = a + v (b - a) + w (c - a)
        columns = [d, mul(sub(t[1], t[0]), -1), mul(sub(t[2], t[0]), -1)]
        found = solve([[column[i] for column in columns] for i in range(3)], sub(t[0], o))
        if found is not None and not (found[0] >= 0 and found[1] >= 0 and found[2] >= 0 and found[1] + found[2] <= 1):
            found = None
        line("ray_triangle", [o, d] + t, found or [None] * 3)

for _ in range(80):
    o, d, center, radius = vector(), vector(), vector(), F(rng.randint(1, 48), 16)
    case = rng.randint(0, 5)
    if case == 0:
        # Through the center.
        d = mul(sub(center, o), F(1, 2))
    elif case == 1:
        # Grazes exactly: along x at the height of the radius.
        o, d = add(center, [F(-5), radius, F(0)]), [F(rng.randint(1, 4)), F(0), F(0)]
    elif case == 2:
        d = [F(0)] * 3
    a, offset = dot(d, d), sub(o, center)
    b, c = dot(offset, d), dot(offset, offset) - radius * radius
    disc = b * b - a * c
    hit = None
    if a > 0 and disc >= 0:
        ends = sorted([(decimal(-b) - root(disc)) / decimal(a), (decimal(-b) + root(disc)) / decimal(a)])
        hit = next((t for t in ends if t >= 0), None)
    line("ray_sphere", [o, d, center, radius], [hit])

for _ in range(80):
    o, d, p, q = vector(), vector(), vector(), vector()
    low, high = [min(x, y) for x, y in zip(p, q)], [max(x, y) for x, y in zip(p, q)]
    case = rng.randint(0, 5)
    if case == 0:
        d[rng.randint(0, 2)] = F(0)
    elif case == 1:
        # Runs in a side.
        d[0], o[0] = F(0), low[0]
        d = [d[0]] + sub(mul(add(low, high), F(1, 2)), o)[1:]
    elif case == 2:
        d = sub(mul(add(low, high), F(1, 2)), o)
    elif case == 3:
        o = mul(add(low, high), F(1, 2))
    # Every t at which a plane is crossed cuts the ray into pieces; the box is convex, so the pieces whose middles are
    # inside are one interval.
    cuts = sorted({F(0)} | {(s[i] - o[i]) / d[i] for s in (low, high) for i in range(3) if d[i] != 0})
    cuts = [t for t in cuts if t >= 0]
    is_in = lambda t: all(l <= x <= h for l, x, h in zip(low, add(o, mul(d, t)), high))
    hits = [t for t in cuts if is_in(t)]
    found = [None, None]
    if any(x != 0 for x in d) and hits:
        found = [min(hits), max(hits)]
    elif all(x == 0 for x in d):
        continue
    line("ray_box", [o, d, low, high], found)

for _ in range(40):
    o, d, n, offset = vector(), vector(), vector(), number()
    if rng.randint(0, 4) == 0:
        d = cross(n, d)
    # The point of the line whose signed distance is zero, by the two distances at t = 0 and t = 1.
    at0, at1 = dot(n, o) - offset, dot(n, add(o, d)) - offset
    hit = None
    if at0 != at1:
        t = at0 / (at0 - at1)
        hit = t if t >= 0 else None
    line("ray_plane", [o, d, n, offset], [hit])
