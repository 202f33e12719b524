"""Measures one workload in one library, on one thread, and prints one JSON line:
`python benches/peers/programs warp w2 --n 100000 --steps 1000 --cache FOLDER`. It ends with 3 where the library is not installed."""
import argparse
import importlib
import json
import statistics
import sys

import harness

WORKLOADS = {"w1": "saxpy", "w2": "particles", "w3": "nbody", "w4": "cloth", "w5": "heat", "w8": "blend",
             "w9": "launches", "w10": "first_result", "w14": "mandelbrot", "w15": "maps"}
NOT_INSTALLED = 3


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("peer")
    options.add_argument("workload", choices=WORKLOADS)
    options.add_argument("--n", type=int, required=True)
    options.add_argument("--steps", type=int, required=True)
    options.add_argument("--mode", default="")
    options.add_argument("--cache", required=True, help="folder of compiled kernels")
    options.add_argument("--once", action="store_true", help="run once, time nothing")
    chosen = options.parse_args()
    job = harness.Job(chosen.n, chosen.steps, chosen.mode, chosen.cache)
    module = importlib.import_module(WORKLOADS[chosen.workload])
    line = {"workload": chosen.workload, "peer": chosen.peer, "n": job.n, "steps": job.steps, "mode": job.mode}
    try:
        program = getattr(module, chosen.peer)(job)
    except ModuleNotFoundError as error:
        print(error, file=sys.stderr)
        sys.exit(NOT_INSTALLED)
    if chosen.once:
        program.run()
    else:
        wall, processor = harness.measure(program)
        line |= {"seconds_median": statistics.median(wall), "seconds_min": min(wall), "reps": len(wall)}
        line |= {"cpu_seconds_median": statistics.median(processor)}
    line |= {"version": harness.version(chosen.peer), "checksum": module.checksum(job, program.result())}
    print(json.dumps(line))


if __name__ == "__main__":
    main()
