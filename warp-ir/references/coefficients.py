"""Makes warp-ir/src/builtins/coefficients.rs: minimax polynomials for the transcendental builtins.

    python3 warp-ir/references/coefficients.py > warp-ir/src/builtins/coefficients.rs && cargo fmt

needs mpmath (and is quick with gmpy2). Each polynomial is the best one in the largest weighted error over a dense grid
(the exchange of Remez). Coefficients are then rounded one after another, the lowest power first, and the others are
fitted again to what is left where zero is at the end of the range, so that the rounded polynomial is nearly as good as
the exact one; elsewhere each is rounded by itself.
"""

import struct
import sys

from mpmath import mp, mpf, matrix, lu_solve

mp.dps = 50
GRID = 600


def to_f32(x):
    return mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def to_f64(x):
    return mpf(float(x))


def remez(powers, points, values, weights):
    """Coefficients of the sum of c_k u^powers[k] that is nearest to the values in the largest weighted error."""
    n = len(powers)
    count = len(points)
    if n == 0:
        return [], max(abs(v * w) for v, w in zip(values, weights))
    rows = [[u ** p for p in powers] for u in points]
    at = [round(k / n * (count - 1)) for k in range(n + 1)]
    for _ in range(40):
        a, b = matrix(n + 1, n + 1), matrix(n + 1, 1)
        for i, k in enumerate(at):
            for j in range(n):
                a[i, j] = rows[k][j]
            a[i, n] = (-1) ** i / weights[k]
            b[i] = values[k]
        solved = lu_solve(a, b)
        c = [solved[j] for j in range(n)]
        errors = [(sum(cj * r for cj, r in zip(c, row)) - v) * w for row, v, w in zip(rows, values, weights)]
        # The largest error of each run of one sign.
        runs = []
        for k, e in enumerate(errors):
            if runs and (errors[runs[-1]] > 0) == (e > 0):
                if abs(e) > abs(errors[runs[-1]]):
                    runs[-1] = k
            else:
                runs.append(k)
        while len(runs) > n + 1:
            if abs(errors[runs[0]]) < abs(errors[runs[-1]]):
                runs.pop(0)
            else:
                runs.pop()
        worst = max(abs(e) for e in errors)
        if len(runs) < n + 1 or runs == at:
            break
        level = min(abs(errors[k]) for k in runs)
        at = runs
        if worst - level < worst * mpf("1e-4"):
            break
    return c, worst


def fit(name, precision, g, low, high, count, weight=lambda x: mpf(1), u=lambda x: x, keep=0, first=0):
    """Prints `name`: the polynomial in u(x) that is near g(x) on low..high. The first `keep` coefficients become pairs,
    whose sum has twice the digits."""
    low, high = mpf(low), mpf(high)
    xs = [low + (high - low) * (1 - mp.cos(mp.pi * (k + mpf("0.5")) / GRID)) / 2 for k in range(GRID)]
    points, values, weights = [u(x) for x in xs], [g(x) for x in xs], [weight(x) for x in xs]
    fixed = []
    rest = list(values)
    powers = list(range(first, first + count))
    exact, best = remez(powers, points, values, weights)
    # Without the lowest powers, what is left has the property that the exchange needs on one side of zero only.
    one_side = min(points) >= 0
    for k in range(count):
        c = remez(powers[k:], points, rest, weights)[0] if one_side else exact[k:]
        nearest = to_f32 if precision == 32 else to_f64
        value = [nearest(c[0])]
        if k < keep:
            value.append(nearest(c[0] - value[0]))
        fixed += value
        total = sum(value)
        rest = [r - total * p ** powers[k] for r, p in zip(rest, points)]
    worst = max(abs(r * w) for r, w in zip(rest, weights))
    show(name, fixed, f"Error 2^{mp.nstr(mp.log(worst, 2), 4)}, before rounding 2^{mp.nstr(mp.log(best, 2), 4)}.")


def show(name, values, note):
    listed = ", ".join(repr(float(v)) for v in values)
    print(f"/// {note}\npub(super) const {name}: [f64; {len(values)}] = [{listed}];\n")
    sys.stdout.flush()


def both(name, counts, **arguments):
    for precision, count in zip((32, 64), counts):
        fit(f"{name}_F{precision}", precision, count=count, **arguments)


# A weight that vanished inside the range would leave nothing to alternate there.
away = lambda x: max(abs(x), mpf("0.04"))
square = lambda x: x * x


def sines():
    quarter = mp.pi / 4 + mpf("0.001")
    both("SIN", (3, 6), g=lambda x: (mp.sin(x) - x) / x**3, low=mpf("1e-4"), high=quarter, u=square,
         weight=lambda x: x**3 / mp.sin(x))
    both("COS", (3, 6), g=lambda x: (mp.cos(x) - 1 + x * x / 2) / x**4, low=mpf("1e-3"), high=quarter, u=square,
         weight=lambda x: x**4 / mp.cos(x))


def exponentials():
    half = mp.log(2) / 2 * mpf("1.003")
    both("EXP", (5, 11), g=lambda x: (mp.expm1(x) - x) / (x * x) if x else mpf(1) / 2, low=-half, high=half,
         weight=lambda x: away(x))
    power = lambda x: mp.expm1(x * mp.log(2)) / x
    reach = mpf("0.5015")
    both("EXP2", (6, 11), g=power, low=-reach, high=reach, weight=away, keep=1)
    fit("EXP2_SHORT_F64", 64, g=power, low=-reach, high=reach, weight=away, count=6)


def logarithms():
    low, high = mpf(2) / 3 - 1, mpf(4) / 3 - 1
    log_rest = lambda x: (mp.log1p(x) - x + x * x / 2) / x**3
    fit("LN_F32", 32, g=log_rest, low=low, high=high, weight=lambda x: away(x) ** 2, count=8)
    s = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1) * mpf("1.001")
    fit("ATANH_F64", 64, g=lambda x: (2 * mp.atanh(x) - 2 * x) / x**3, low=mpf("1e-4"), high=s, u=square, count=7,
        weight=lambda x: x * x)
    fit("LOG2_SHORT_F64", 64, g=lambda x: 2 * mp.atanh(x) / (x * mp.log(2)), low=mpf("1e-4"), high=s, u=square, count=5)
    fit("ATANH_TAIL_F64", 64, g=lambda x: (2 * mp.atanh(x) - 2 * x - 2 * x**3 / 3) / x**5, low=mpf("1e-3"), high=s,
        u=square, count=8, weight=lambda x: x**4)


def arcs():
    both("ATAN", (9, 20), g=lambda x: (mp.atan(x) - x) / x**3, low=mpf("1e-4"), high=1, u=square,
         weight=lambda x: x**3 / mp.atan(x))
    both("ASIN", (5, 12), g=lambda x: (mp.asin(x) - x) / x**3, low=mpf("1e-4"), high=mpf("0.5005"), u=square,
         weight=lambda x: x**3 / mp.asin(x))


def error_functions():
    both("ERF", (8, 15), g=lambda x: mp.erf(x) / x - 1, low=mpf("1e-4"), high=mpf("1.001"), u=square,
         weight=lambda x: x / mp.erf(x))
    for precision, count, middle, high in ((32, 11, 2, "10.2"), (64, 24, 4, "27.4")):
        g = lambda x: (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)
        fit(f"ERFC_F{precision}", precision, g=g, low=0, high=high, count=count,
            u=lambda x: (x - middle) / (x + middle), weight=lambda x: 1 / g(x))


def inverse_error_functions():
    # By the result z: with y = erfc z and w = -ln(y (2 - y)), the polynomials give z / (1 - y) from w, or that over the
    # root of w from one over the root.
    w = lambda z: -mp.log(mp.erfc(z) * (2 - mp.erfc(z)))
    root = lambda z: mp.sqrt(w(z))
    ratio = lambda z: z / mp.erf(z)
    over = lambda z: ratio(z) / root(z)
    where = lambda value: mp.findroot(lambda z: root(z) - value, max(value - mpf("0.6"), mpf(1)))
    for precision, count, end in ((32, 11, mpf(5)), (64, 25, mpf("6.25"))):
        fit(f"ERF_INV_F{precision}", precision, g=ratio, low=mpf("1e-6"), high=where(mp.sqrt(end) + mpf("0.001")),
            count=count, u=lambda z: w(z) - end / 2, weight=lambda z: 1 / ratio(z))
    for name, precision, count, low, high, middle in (
        ("ERF_INV_ROOT_F32", 32, 9, "2.235", "4.21", "0.34"),
        ("ERF_INV_FAR_F32", 32, 8, "4.19", "10.3", "0.17"),
        ("ERF_INV_ROOT_F64", 64, 15, "2.499", "27.4", "0.22"),
    ):
        fit(name, precision, g=over, low=where(mpf(low)), high=where(mpf(high)), count=count,
            u=lambda z: 1 / root(z) - mpf(middle), weight=lambda z: 1 / over(z))


PARTS = {f.__name__: f for f in (sines, exponentials, logarithms, arcs, error_functions, inverse_error_functions)}

if __name__ == "__main__":
    print("//! Coefficients, lowest power first; `warp-ir/references/coefficients.py` makes this file.\n")
    print("// The first coefficient of a power of 2 is the logarithm of 2, and so on.")
    print("#![allow(clippy::approx_constant)]\n")
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
