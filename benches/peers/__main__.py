"""Measures this project beside its peers, one process at a time by turns, and makes tables and a chart of it.

    python3 -m venv peers && peers/bin/pip install -r benches/peers/requirements.txt
    peers/bin/python benches/peers measure [WORKLOAD ..]     ours, Warp, Taichi, JAX, numba, NumPy, Rust: one thread each
    peers/bin/python benches/peers threads [WORKLOAD ..]     ours on two threads beside one
    peers/bin/python benches/peers growth [WORKLOAD ..]      time against size
    peers/bin/python benches/peers report                    only the tables and the chart, from the lines that are there

Each measured process runs once untimed, then 5 to 25 times (fewer where that takes 15 s). Processor seconds of all threads are compared: they hardly
move when other programs share the machine. Peers with a target run in each round, the others in the first.
"""
import argparse
import os
import shutil
import tempfile

import cases
import chart
import growth
import runs
import tables
from records import Records


def measure(records, chosen, rounds):
    """All peers of each case by turns. Compiled kernels are kept meanwhile, but for the start of a process."""
    caches = tempfile.mkdtemp(prefix="kernels-")
    records.forget("peer", chosen)
    try:
        for case in chosen:
            for turn in range(max(rounds, 5) if case.workload == "w10" else rounds):
                for who in ("ours", *case.peers):
                    if turn == 0 or who == "ours" or who in case.targets:
                        one(records, case, who, turn, caches)
    finally:
        shutil.rmtree(caches, ignore_errors=True)


def one(records, case, who, turn, caches):
    try:
        found = runs.from_start(who, case) if case.workload == "w10" else runs.measure(who, case, caches)
    except runs.Missing as why:
        found = {"case": case.name, "who": who, "missing": str(why)}
    records.add("peer", found, round=turn)
    print(f"{case.name:14} {who:13}", found.get("missing") or f"{1e3 * found['cpu_seconds_median']:9.2f} ms", flush=True)


def roofline(records):
    records.forget("roofline", cases.ROOFLINE)
    for case in cases.ROOFLINE:
        for threads in (1, 2):
            try:
                found = runs.measure(*case.peers, case, "", threads)
            except runs.Missing as why:
                found = {"case": case.name, "who": case.peers[0], "missing": str(why), "threads": threads}
            records.add("roofline", found)


def two_threads(records, chosen, rounds):
    """One and two threads by turns. The native program of the same kind says what two cores give at that time."""
    chosen = [case for case in chosen if case.name in cases.COMPUTE_BOUND]
    records.forget("threads", chosen)
    for case in chosen:
        for turn in range(rounds):
            for who in ("ours", *(peer for peer in case.peers if peer in ("rust", "rust-aos"))):
                for threads in (1, 2):
                    found = runs.measure(who, case, "", threads)
                    records.add("threads", found, round=turn)
                    print(f"{case.name:14} {who:9} {threads} threads {1e3 * found['seconds_min']:9.2f} ms", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", choices=("measure", "threads", "growth", "report"))
    options.add_argument("workloads", nargs="*", help="w1, w2:planes, w15 ..; all when none is named")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--out", default=os.path.join(os.path.dirname(runs.HERE), "results"), help="folder of the results")
    options.add_argument("--no-build", action="store_true", help="measure what was built before")
    asked = options.parse_intermixed_args()
    chosen = cases.named(asked.workloads)
    records = Records(os.path.join(asked.out, "peers.jsonl"))
    if asked.what != "report" and not asked.no_build:
        runs.build()
    if asked.what == "measure":
        roofline(records)
        measure(records, chosen, asked.rounds)
    elif asked.what == "threads":
        two_threads(records, chosen, asked.rounds)
    elif asked.what == "growth":
        growth.measure(records, chosen, asked.rounds)
    tables.write(records, os.path.join(asked.out, "peers.md"))
    chart.draw(records, os.path.join(asked.out, "peers.svg"))


if __name__ == "__main__":
    main()
