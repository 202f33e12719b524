"""How time grows with size: from a hundred elements to a hundred million, or to the end of memory."""
import math

import cases
import runs

# Elements in all launches of a repetition together, and launches at most.
ELEMENTS, LAUNCHES = 20_000_000, 100_000
# Copies of the arrays that a measured process has: inputs, those of the device, results and the reference.
COPIES = 5


def measure(records, chosen, rounds):
    chosen = [case for case in chosen if case.name in cases.GROWING]
    records.forget("growth", chosen)
    for case in chosen:
        for turn in range(rounds):
            for n in (1, *cases.SIZES):
                one(records, case, n, turn)


def one(records, case, n, turn):
    steps = max(1, min(LAUNCHES, ELEMENTS // n))
    need = 4.0 * COPIES * cases.GROWING[case.name] * n
    if need > available():
        found = {"case": case.name, "who": "ours", "n": n, "missing": f"needs {need / 2**30:.0f} GiB of memory"}
    else:
        found = runs.kept(runs.line(runs.command("ours", case, 1, "", n, steps)), "ours", case)
    records.add("growth", found, round=turn)
    print(f"{case.name:14} n = {n:9}", found.get("missing") or nanoseconds(found["cpu_seconds_median"] / steps), flush=True)


def available():
    """Bytes of memory that a new process can have; no limit is known where the system does not tell."""
    try:
        with open("/proc/meminfo") as file:
            lines = dict(line.split(":") for line in file)
        return 1024.0 * int(lines["MemAvailable"].split()[0])
    except OSError:
        return math.inf


def nanoseconds(seconds):
    """Three digits with the unit that suits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def table(records):
    """A column a workload, a line a size: the time of a launch, and of an element of it."""
    names = [name for name in cases.GROWING if records.of("growth", name)]
    if not names:
        return []
    titles = [f"{name}, {next(c.title for c in cases.CASES if c.name == name)}" for name in names]
    lines = ["| n | " + " | ".join(titles) + " |", "|---" * (len(names) + 1) + "|"]
    for n in (1, *cases.SIZES):
        lines.append(f"| {n:,} | " + " | ".join(cell(records, name, n) for name in names) + " |")
    slopes = " | ".join(f"n^{slope:.2f}" if (slope := power(records, name)) else "–" for name in names)
    lines.append(f"| growth from 10,000 on | {slopes} |")
    return lines


def launch(records, name, n):
    """Seconds of a launch over n elements."""
    total = records.seconds("growth", name, "ours", n=n)
    return total and total / max(1, min(LAUNCHES, ELEMENTS // n))


def cell(records, name, n):
    seconds = launch(records, name, n)
    if seconds is None:
        missing = [line["missing"] for line in records.of("growth", name, n=n) if "missing" in line]
        return missing[-1] if missing else "not measured"
    return nanoseconds(seconds) if n == 1 else f"{nanoseconds(seconds)}, {nanoseconds(seconds / n)} each"


def power(records, name):
    """The exponent of n that the times follow, by least squares on their logarithms."""
    points = [(math.log(n), math.log(t)) for n in cases.SIZES if n >= 10_000 and (t := launch(records, name, n))]
    if len(points) < 3:
        return None
    mean = [sum(values) / len(points) for values in zip(*points)]
    up = sum((x - mean[0]) * (y - mean[1]) for x, y in points)
    return up / sum((x - mean[0]) ** 2 for x, _ in points)
