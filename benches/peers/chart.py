"""The picture of the results: how long each peer takes in times of ours, for each workload, on one thread."""
import cases

COLOURS = {
    "warp": ("NVIDIA Warp", "#e07b00", "o"),
    "taichi": ("Taichi", "#7b3fb5", "s"),
    "jax": ("JAX", "#1f77b4", "D"),
    "numba": ("numba", "#2a9d5c", "^"),
    "numpy": ("NumPy", "#8c8c8c", "v"),
    "rust": ("Rust", "#a8321e", "P"),
    "rust-aos": ("Rust, as kernels have it", "#e8917f", "X"),
    "rust-scatter": ("Rust, as kernels have it", "#e8917f", "X"),
    "rust-scalar": ("Rust, as kernels have it", "#e8917f", "X"),
}


def draw(records, path):
    try:
        import matplotlib
    except ModuleNotFoundError:
        print("matplotlib is not installed: no chart.")
        return
    matplotlib.use("svg")
    # The same lines make the same file, and text stays text.
    matplotlib.rcParams |= {"svg.hashsalt": "peers", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10}
    import matplotlib.pyplot as plt

    shown = [case for case in cases.CASES if records.seconds("peer", case.name, "ours")]
    if not shown:
        return
    figure, axes = plt.subplots(figsize=(10, 0.36 * len(shown) + 1.7), layout="constrained")
    for row, case in enumerate(shown):
        workload(axes, records, case, len(shown) - 1 - row)
    finish(axes, shown)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    print("drew peers.svg")


def workload(axes, records, case, y):
    axes.axhline(y, color="#f1f1f1", linewidth=13, zorder=0)
    for k, who in enumerate(case.peers):
        ratio = records.times_as_fast(case.name, who)
        if ratio:
            label, colour, marker = COLOURS[who]
            # One above the other, so that equal times hide nobody.
            height = y + 0.11 * ((len(case.peers) - 1) / 2 - k)
            axes.scatter(ratio, height, s=44, color=colour, marker=marker, label=label, edgecolor="white", linewidth=0.6, zorder=3)
        target = case.targets.get(who)
        if target:
            axes.plot([target, target], [y - 0.36, y + 0.36], color=COLOURS[who][1], linewidth=1.6, zorder=2)


def finish(axes, shown):
    axes.axvline(1.0, color="#222222", linewidth=1.2, zorder=1)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}×")
    axes.xaxis.grid(True, which="major", color="#d8d8d8", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.set_yticks(range(len(shown)), [f"{case.title}  ({case.workload})" for case in reversed(shown)])
    axes.set_ylim(-0.7, len(shown) - 0.3)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_xlabel("time of the peer in times of ours, one thread (right of 1: we are faster; bars: what we want)")
    once = {}
    for handle, label in zip(*axes.get_legend_handles_labels()):
        once.setdefault(label, handle)
    order = [label for label, _, _ in dict.fromkeys(COLOURS.values()) if label in once]
    axes.legend([once[label] for label in order], order, loc="lower center", bbox_to_anchor=(0.42, 1.0), ncols=len(order),
                frameon=False, handletextpad=0.2, columnspacing=1.2)
