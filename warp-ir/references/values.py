"""Makes warp-ir/references/values.txt: true values of the functions of floats, for tests.

    python3 warp-ir/references/values.py > warp-ir/references/values.txt

needs mpmath. A line is the name, the bits of each argument (F64), the bits of the nearest F64 to the true value, and
what is left of it in units of that one's last place.

The functions are those that `docs/builtins.md` gives an accuracy, which the rows decide. One that nothing here speaks of
is mpmath's function of that name, at arguments of all sizes where it is real.
"""

import math
import pathlib
import random
import re
import struct
import sys

from mpmath import mp, mpf

mp.prec = 300
SAMPLES = 120


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def number(b):
    return struct.unpack("<d", struct.pack("<Q", b))[0]


def erfc_inv(y):
    if y > 1:
        return -erfc_inv(2 - y)
    if y > mpf("0.6"):
        return erf_inv(1 - y)
    z = mp.sqrt(-mp.log(y * (2 - y)))
    for _ in range(30):
        z += mp.log(mp.erfc(z) / y) * mp.erfc(z) * mp.exp(z * z) * mp.sqrt(mp.pi) / 2
    return z


def erf_inv(x):
    if abs(x) > mpf("0.4"):
        return mp.sign(x) * erfc_inv(1 - abs(x))
    z = x * mp.sqrt(mp.pi) / 2
    for _ in range(12):
        z -= (mp.erf(z) - x) * mp.exp(z * z) * mp.sqrt(mp.pi) / 2
    return z


def angle(function):
    def of(x):
        with mp.workprec(1400 if abs(x) > 2.0**60 else 300):
            return function(x)
    return of


ANY = (-math.inf, math.inf)
# The function, its domain, and where most of its samples lie.
ONE = {
    "sin": (angle(mp.sin), ANY, (-100, 100)),
    "cos": (angle(mp.cos), ANY, (-100, 100)),
    "tan": (angle(mp.tan), ANY, (-100, 100)),
    "asin": (mp.asin, (-1, 1), (-1, 1)),
    "acos": (mp.acos, (-1, 1), (-1, 1)),
    "atan": (mp.atan, ANY, (-10, 10)),
    "sinh": (mp.sinh, (-710.4, 710.4), (-5, 5)),
    "cosh": (mp.cosh, (-710.4, 710.4), (-5, 5)),
    "tanh": (mp.tanh, ANY, (-3, 3)),
    "asinh": (mp.asinh, ANY, (-5, 5)),
    "acosh": (mp.acosh, (1, math.inf), (1, 5)),
    "atanh": (mp.atanh, (-1, 1), (-1, 1)),
    "exp": (mp.exp, (-745, 709.7), (-10, 10)),
    "exp2": (lambda x: mpf(2) ** x, (-1074, 1023.9), (-10, 10)),
    "exp_m1": (mp.expm1, (-1000, 709.7), (-2, 2)),
    "ln": (mp.log, (0, math.inf), (0, 4)),
    "log2": (lambda x: mp.log(x) / mp.log(2), (0, math.inf), (0, 4)),
    "log10": (lambda x: mp.log(x) / mp.log(10), (0, math.inf), (0, 20)),
    "ln_1p": (mp.log1p, (-1, math.inf), (-1, 4)),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), ANY, (-10, 10)),
    "erf": (mp.erf, ANY, (-4, 4)),
    "erfc": (mp.erfc, (-1000, 27.2), (-2, 27)),
    "erf_inv": (erf_inv, (-1, 1), (-1, 1)),
    "erfc_inv": (erfc_inv, (0, 2), (0, 2)),
}

TWO = {"atan2": mp.atan2, "powf": mp.power, "hypot": mp.hypot}

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "builtins.md"


def functions():
    """The functions of the reference page: their names, and how many arguments they take."""
    for section in PAGE.read_text().split("\n### `")[1:]:
        if "units of the last place of the true value" in section:
            name, arguments = re.search(r"\n```\n(\w+)\((.*?)\)", section).groups()
            yield name, arguments.count(":")


def by_name(name):
    function = getattr(mp, name, None)
    if function is None:
        sys.exit(f"mpmath has no function `{name}`: say in ONE or TWO of {__file__} how its true values are computed")
    return function


def value(function, *arguments):
    """The true value, or nothing at a pole and where it is not real."""
    try:
        found = function(*map(mpf, arguments))
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return found if isinstance(found, mpf) and mp.isfinite(found) else None


def arguments(name, domain, usual, rng):
    low, high = domain
    found = [rng.uniform(*usual) for _ in range(SAMPLES // 2)]
    for _ in range(SAMPLES // 3):
        size = 2.0 ** rng.uniform(-60, 60)
        found.append(size if rng.random() < 0.5 else -size)
    found += [number(rng.getrandbits(64)) for _ in range(SAMPLES // 6)]
    # Beside 0, 1, and the ends of the domain.
    found += [k * 2.0**-1074 for k in (1, 2, 3)] + [2.0**-1022, 2.0**-1021, 1 - 2.0**-53, 1 + 2.0**-52, 0.5, 0.75]
    found += [-x for x in found[-9:]]
    for end in domain:
        if math.isfinite(end):
            found += [end, math.nextafter(end, 0), math.nextafter(end, math.inf), end + 2.0**-30, end - 2.0**-30]
    if name in ("sin", "cos", "tan"):
        # Beside multiples of a quarter turn, where the reduction loses most: the nearest float, and the worst of all.
        with mp.workprec(1400):
            found += [float(k * mp.pi / 2) for k in (1, 2, 3, 5, 11, 710, 10401, 2**20 + 1, 2**29, 2**30 + 1, 3 * 10**15)]
        found += [2.0**30, 2.0**30 + 1, 2.0**31, 6381956970095103.0 * 2.0**797, 1.7976931348623157e308, 1e22]
    if name == "erfc_inv":
        found += [2.0 ** rng.uniform(-1074, 0) for _ in range(30)]
    return [x for x in found if math.isfinite(x) and low <= x <= high]


def pairs(name, rng):
    found = []
    for k in range(SAMPLES * 3):
        if name == "powf":
            x = [rng.uniform(0.5, 2), 2.0 ** rng.uniform(-60, 60), abs(number(rng.getrandbits(64))), rng.uniform(0.99, 1.01)][k % 4]
            if not math.isfinite(x) or x in (0, 1):
                continue
            y = rng.uniform(-745, 709) / math.log(x) if k % 8 < 6 else rng.uniform(-8, 8)
            if k % 16 == 15:
                y, x = float(round(y)), -x
            if abs(y * math.log(abs(x))) > 709 and y * math.log(abs(x)) > 0:
                continue
        else:
            wide = lambda: number(rng.getrandbits(64))
            near = lambda: rng.uniform(-4, 4)
            size = lambda: rng.choice((-1, 1)) * 2.0 ** rng.uniform(-40, 40)
            draw = (wide, near, near, size)[k % 4]
            x, y = draw(), draw()
        if math.isfinite(x) and math.isfinite(y):
            found.append((x, y))
    return found


def line(name, arguments, true):
    try:
        near = float(true)
    except OverflowError:
        return
    if not math.isfinite(near) or near == 0:
        return
    left = float((true - mpf(near)) / mpf(math.ulp(near)))
    print(name, *(f"{bits(x):x}" for x in arguments), f"{bits(near):x}", f"{left:.3f}")


if __name__ == "__main__":
    for name, count in functions():
        rng = random.Random(name)
        if count == 1:
            function, domain, usual = ONE[name] if name in ONE else (by_name(name), ANY, (-5, 5))
            rows = [(x,) for x in arguments(name, domain, usual, rng) if x != 0]
        else:
            function = TWO[name] if name in TWO else by_name(name)
            rows = pairs(name, rng)
        for row in rows:
            true = value(function, *row)
            if true is not None:
                line(name, row, true)
