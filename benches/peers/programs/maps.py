"""W15: one function of each number, one launch a step; the mode names the function."""
from harness import Program, f32, magnitudes, np, open_warp, uniform


def inputs(job):
    t, u = 40.0 * uniform(15, job.n) - 20.0, uniform(16, job.n)
    x = np.exp(t) if job.mode in ("log", "pow", "sqrt") else t
    w = 40.0 * u - 20.0 if job.mode == "atan2" else 20.0 * u + 0.5
    return x.astype(f32), w.astype(f32)


def checksum(job, y):
    return magnitudes(y)


def warp(job):
    wp = open_warp(job)
    functions = _warp_kernels(wp)
    x, w = (wp.array(values, dtype=float) for values in inputs(job))
    y = wp.empty(job.n, dtype=float)

    def run():
        for _ in range(job.steps):
            wp.launch(functions[job.mode], dim=job.n, inputs=[x, w, y])

    return Program(run, y.numpy)


def _warp_kernels(wp):
    @wp.kernel
    def sin(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.sin(x[i])

    @wp.kernel
    def cos(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.cos(x[i])

    @wp.kernel
    def exp(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.exp(x[i])

    @wp.kernel
    def log(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.log(x[i])

    @wp.kernel
    def pow(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.pow(x[i], 0.7)

    @wp.kernel
    def atan2(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.atan2(x[i], w[i])

    @wp.kernel
    def sqrt(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = wp.sqrt(x[i])

    @wp.kernel
    def div(x: wp.array(dtype=float), w: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = x[i] / w[i]

    return {"sin": sin, "cos": cos, "exp": exp, "log": log, "pow": pow, "atan2": atan2, "sqrt": sqrt, "div": div}


def numpy(job):
    x, w = inputs(job)
    y = np.empty_like(x)
    sweep = {
        "sin": lambda: np.sin(x, out=y),
        "cos": lambda: np.cos(x, out=y),
        "exp": lambda: np.exp(x, out=y),
        "log": lambda: np.log(x, out=y),
        "pow": lambda: np.power(x, f32(0.7), out=y),
        "atan2": lambda: np.arctan2(x, w, out=y),
        "sqrt": lambda: np.sqrt(x, out=y),
        "div": lambda: np.divide(x, w, out=y),
    }[job.mode]

    def run():
        for _ in range(job.steps):
            sweep()

    return Program(run, lambda: y)
