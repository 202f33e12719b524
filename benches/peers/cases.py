"""What is measured: each workload with its size, its peers, and how many times as fast as a peer we want to be."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Case:
    """A workload in one of its modes. `peers` run it beside us; `targets` are speeds in times of a peer's."""

    workload: str
    mode: str
    title: str
    n: int
    steps: int
    peers: tuple
    targets: dict = dataclasses.field(default_factory=dict)
    # What one repetition does, for the shares of what the machine can do: bytes moved, or operations on floats.
    bytes: float = 0.0
    operations: float = 0.0

    @property
    def name(self):
        return f"{self.workload}:{self.mode}" if self.mode else self.workload

    def mode_of(self, peer):
        """Peers have one way of keeping vectors each, whose name says which."""
        return "" if self.mode == "planes" else self.mode


LIBRARIES = ("warp", "taichi", "jax", "numba")


def case(name, title, size, peers, targets, **work):
    workload, _, mode = name.partition(":")
    return Case(workload, mode, title, *size, tuple(peers), targets, **work)


def function(name, targets):
    return case(f"w15:{name}", f"function {name}", (1 << 20, 16), ("warp", "numpy", "rust"), targets)


CASES = [
    case("w1", "y = a x + y, from memory", (1 << 24, 10), (*LIBRARIES, "rust"), {"warp": 1.7, "rust": 0.9},
         bytes=12.0 * (1 << 24) * 10),
    case("w2", "particles, arrays of vectors", (100_000, 1000), (*LIBRARIES, "rust-aos"), {"warp": 2.5, "rust-aos": 2.5}),
    case("w2:planes", "particles, in planes", (100_000, 1000), ("warp", "rust"), {"warp": 3.0, "rust": 0.6}),
    case("w3", "bodies that all pull each other", (4096, 10), (*LIBRARIES, "rust"), {"warp": 4.0, "rust": 0.6},
         operations=20.0 * 4096**2 * 10),
    case("w4", "cloth, forward", (128, 200), ("warp", "taichi", "jax", "rust-scatter"), {"warp": 1.5, "rust-scatter": 1.0}),
    case("w4:grad", "cloth, forward and back", (128, 200), ("warp", "taichi", "jax"), {"warp": 2.0}),
    case("w5", "heat, forward", (1024, 200), (*LIBRARIES, "rust"), {"warp": 10.0, "rust": 0.6}),
    case("w5:grad", "heat, forward and back", (512, 50), ("warp", "taichi", "jax"), {"warp": 5.0}),
    case("w8", "formula with six functions", (1 << 22, 1), (*LIBRARIES, "numpy", "rust"), {"warp": 4.0, "rust": 3.0}),
    case("w9", "launches of one thread", (1, 100_000), LIBRARIES, {"warp": 100.0}),
    case("w10", "process start to first result", (1024, 1), LIBRARIES, {"warp": 20.0}),
    case("w14", "Mandelbrot set, by rows", (1024, 256), ("warp", "taichi", "numba", "rust", "rust-scalar"),
         {"warp": 4.0, "rust-scalar": 4.0}),
    case("w14:shuffled", "Mandelbrot set, shuffled", (1024, 256), ("warp", "taichi", "numba", "rust", "rust-scalar"),
         {"warp": 1.8, "rust-scalar": 1.8}),
    function("sin", {"warp": 5.0, "rust": 1.5}),
    function("cos", {"warp": 5.0, "rust": 1.5}),
    function("exp", {"warp": 2.5, "rust": 1.5}),
    function("log", {"warp": 1.8, "rust": 1.5}),
    function("pow", {"warp": 1.4, "rust": 1.2}),
    function("atan2", {"warp": 10.0, "rust": 1.5}),
    function("sqrt", {}),
    function("div", {}),
]

# What the machine can do at most: name of the native program, size.
ROOFLINE = [case("w13:triad", "a = b + 3 c from memory", (1 << 26, 1), ("triad",), {}, bytes=12.0 * (1 << 26)),
            case("w13:fma", "fused operations in registers", (10**9, 1), ("fma",), {}, operations=2e9)]

# Work that is bound by arithmetic: two cores should halve its time, and cost no more processor time together.
COMPUTE_BOUND = ("w2", "w2:planes", "w3", "w8", "w14", "w14:shuffled", "w15:sin", "w15:pow", "w15:atan2")
LEAST_GAIN, MOST_COST = 1.8, 1.1

# Workloads whose cost should grow as n does, with floats that an element takes in all arrays together.
GROWING = {"w1": 2, "w2": 6, "w2:planes": 6, "w8": 2, "w15:div": 3}
SIZES = (100, 1000, 10_000, 100_000, 10**6, 10**7, 10**8)


def named(names):
    """The cases of these names, all for none; a workload's name is all its modes."""
    unknown = [name for name in names if not any(name in (c.name, c.workload) for c in CASES)]
    if unknown:
        raise SystemExit(f"There is no workload {', '.join(unknown)}; there are {', '.join(c.name for c in CASES)}.")
    return [c for c in CASES if not names or c.name in names or c.workload in names]
