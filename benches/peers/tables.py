"""The page of results, made of the measured lines."""
import os
import platform

import cases
import growth

LIBRARIES = {"warp": "Warp", "taichi": "Taichi", "jax": "JAX", "numba": "numba", "numpy": "NumPy"}
HEAD = """# Beside the peers

Made by `python benches/peers` ([how](../README.md#beside-the-peers)); the measured lines are in [peers.jsonl](peers.jsonl).
"""


def write(records, path):
    parts = [HEAD, circumstances(records), *one_thread(records), *machine(records), *two_threads(records), *growing(records)]
    with open(path, "w") as file:
        file.write("\n".join(parts).rstrip() + "\n")
    print(f"wrote {os.path.relpath(path)}")


def circumstances(records):
    if not records.lines:
        return "Nothing has been measured yet."
    taken, loads = sorted(line["taken"] for line in records.lines), [line["load"] for line in records.lines]
    versions = {}
    for line in records.of("peer"):
        if "version" in line and line["who"] != "ours":
            name = LIBRARIES.get(line["who"], "rustc")
            versions[name] = f"{name} {line['version']}"
    return (
        f"Taken from {taken[0]} to {taken[-1]} on {processor()}, {os.cpu_count()} cores, which other programs used at the\n"
        f"same time: the load average was {min(loads)} to {max(loads)}. {', '.join(versions.values())}.\n"
    )


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
        return names[0] if names else platform.machine()
    except OSError:
        return platform.processor() or platform.machine()


def milliseconds(seconds):
    return f"{1e3 * seconds:.3g}" if seconds < 1 else f"{1e3 * seconds:,.0f}"


# --- one thread


def one_thread(records):
    if not records.of("peer"):
        return []
    lines = [
        "## One thread",
        "",
        "Milliseconds of processor time, medians; of w10 wall-clock time of the process. \"Against\" is how many times as fast we",
        "are, the median over rounds that were measured by turns, and beside it what we want.",
        "",
        "![Times of all peers in times of ours](peers.svg)",
        "",
        "| workload | ours | " + " | ".join(LIBRARIES.values()) + " | Rust | against Warp | against Rust |",
        "|---" * (len(LIBRARIES) + 5) + "|",
    ]
    notes, verdicts = [], []
    for case in cases.CASES:
        cells = [figure(records, case, "ours", notes)]
        cells += [figure(records, case, who, notes) if who in case.peers else "–" for who in LIBRARIES]
        rust = [who for who in case.peers if who.startswith("rust")]
        cells.append(", ".join(f"{figure(records, case, who, notes)} ({who})" for who in rust) or "–")
        targets = {"warp": None, "rust": None} | {("warp" if who == "warp" else "rust"): who for who in case.targets}
        for side, who in targets.items():
            cells.append(against(records, case, who or next((p for p in case.peers if p.startswith(side)), None), verdicts))
        lines.append(f"| {case.name}, {case.title} | " + " | ".join(cells) + " |")
    lines += ["", summary(verdicts), ""]
    lines += [f"* {note}" for note in notes] + ([""] if notes else [])
    return lines


def figure(records, case, who, notes):
    seconds = records.seconds("peer", case.name, who)
    if seconds is None:
        why = records.why_missing(case.name, who)
        notes.append(f"{case.name}, {who}: missing, {why}.")
        return "missing"
    return milliseconds(seconds) + (" (wrong)" if is_wrong(records, case, who, notes) else "")


def is_wrong(records, case, who, notes):
    """Whether a peer computed something else: its checksum is farther from the reference than ours may be."""
    ours, line = records.of("peer", case.name, "ours"), records.of("peer", case.name, who)[-1]
    reference, tolerance = (ours[-1].get(f"checksum_{what}") for what in ("reference", "tolerance")) if ours else (None, None)
    if reference is None:
        return False
    off = abs(line["checksum"] - reference) / abs(reference)
    if off > tolerance:
        notes.append(f"{case.name}, {who}: the checksum is off by {off:.1e}, allowed are {tolerance:.0e}.")
    return off > tolerance


def against(records, case, who, verdicts):
    ratio = records.times_as_fast(case.name, who) if who else None
    target = case.targets.get(who)
    if ratio is None:
        if target:
            verdicts.append((f"{case.name} against {who}", None))
        return "–" if not target else f"missing, want {target}"
    if target is None:
        return f"{ratio:.2f}"
    verdicts.append((f"{case.name} against {who} ({ratio:.2f} of {target})", ratio >= target))
    return f"**{ratio:.2f}** ≥ {target}" if ratio >= target else f"{ratio:.2f} < {target}, missed"


def summary(verdicts):
    met = sum(1 for _, verdict in verdicts if verdict)
    missed = [what for what, verdict in verdicts if verdict is False]
    unknown = [what for what, verdict in verdicts if verdict is None]
    said = f"{met} of {len(verdicts)} targets are met."
    if missed:
        said += f" Missed: {'; '.join(missed)}."
    if unknown:
        said += f" Not known: {'; '.join(unknown)}."
    return said


# --- the other tables


def machine(records):
    """What the machine can do at most, and how near to it workloads come that one thing limits."""
    if not records.of("roofline"):
        return []
    lines = [
        "## What the machine can do",
        "",
        "By processor time a thread, and beside it the workloads that one of these limits. w1 may pass the first line: it stores",
        "where it has read, so that nothing is fetched in vain, and a part of its arrays stays in the last cache.",
        "",
        "| what | one thread | two threads |",
        "|---|---|---|",
    ]
    most = {}
    for case in cases.ROOFLINE:
        cells = []
        for threads in (1, 2):
            seconds = records.seconds("roofline", case.name, case.peers[0], threads=threads)
            rate = seconds and (case.bytes + case.operations) / (seconds / threads) / 1e9
            most[bool(case.bytes), threads] = rate
            cells.append(f"{rate:.1f} {'GB/s' if case.bytes else 'GFLOP/s'}" if rate else "missing")
        lines.append(f"| {case.title} | " + " | ".join(cells) + " |")
    for case in cases.CASES:
        seconds = records.seconds("peer", case.name, "ours")
        work, limit = case.bytes + case.operations, most.get((bool(case.bytes), 1))
        if work and seconds and limit:
            rate, unit = work / seconds / 1e9, "GB/s" if case.bytes else "GFLOP/s"
            lines.append(f"| {case.name}, ours | {rate:.1f} {unit}, {100 * rate / limit:.0f} % | |")
    return lines + [""]


def two_threads(records):
    if not records.of("threads"):
        return []
    lines = [
        "## Two threads",
        "",
        f"Work that arithmetic limits, one and two threads by turns. Two should cost at most {cases.MOST_COST} times the processor",
        f"time of one and take at most 1/{cases.LEAST_GAIN} of its time, by the best of all repetitions, as other programs take cores",
        "away from two threads more than from one. The program in Rust (rayon) shows what two cores gave at that time.",
        "",
        "| workload | processor time, two / one | best time, one / two | the same in Rust | met |",
        "|---|---|---|---|---|",
    ]
    for case in cases.CASES:
        if not records.of("threads", case.name):
            continue
        cost = ratio(records, case, "ours", "cpu_seconds_median", (2, 1))
        gain = ratio(records, case, "ours", "seconds_min", (1, 2), min)
        native = next((who for who in case.peers if who in ("rust", "rust-aos")), None)
        theirs = ratio(records, case, native, "seconds_min", (1, 2), min)
        met = verdict_on_two(cost, gain, theirs)
        lines.append(f"| {case.name}, {case.title} | {cost:.2f} | {gain:.2f} | {f'{theirs:.2f}' if theirs else '–'} | {met} |")
    return lines + [""]


def verdict_on_two(cost, gain, theirs):
    """A gain that nobody could have at that time decides nothing."""
    if cost > cases.MOST_COST:
        return "no, it costs more"
    if gain >= cases.LEAST_GAIN:
        return "yes"
    return "cost, yes; gain, not known: two cores were not free" if theirs and theirs < cases.LEAST_GAIN else "no"


def ratio(records, case, who, what, threads, choose=None):
    """The figure of so many threads over that of so many others."""
    found = []
    for count in threads:
        values = [line[what] for line in records.of("threads", case.name, who, threads=count)]
        if not values or who is None:
            return None
        found.append(choose(values) if choose else sorted(values)[len(values) // 2])
    return found[0] / found[1]


def growing(records):
    lines = growth.table(records)
    if not lines:
        return []
    text = [
        "## How time grows with size",
        "",
        "The time of a launch on one thread, and that of one of its elements. The launch of one thread is the floor that small",
        "launches cannot go below; where arrays leave a cache, an element costs more.",
        "",
    ]
    return text + lines + [""]
