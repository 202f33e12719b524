"""W10: y = 2 x + y once. The whole process is measured from outside, with an empty folder for compiled kernels."""
from harness import Program, f32, np, open_jax, open_numba, open_taichi, open_warp, total


def inputs(job):
    return np.arange(job.n, dtype=f32), np.ones(job.n, f32)


def checksum(job, y):
    return total(y)


def warp(job):
    wp = open_warp(job)

    @wp.kernel
    def scale_and_add(factor: float, x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = factor * x[i] + y[i]

    x, y = (wp.array(values, dtype=float) for values in inputs(job))
    return Program(lambda: wp.launch(scale_and_add, dim=job.n, inputs=[2.0, x, y]), y.numpy)


def taichi(job):
    ti = open_taichi(job)
    x, y = inputs(job)

    @ti.kernel
    def scale_and_add(factor: ti.f32, x: ti.types.ndarray(), y: ti.types.ndarray()):
        for i in x:
            y[i] = factor * x[i] + y[i]

    return Program(lambda: scale_and_add(2.0, x, y), lambda: y)


def jax(job):
    jax = open_jax(job)
    x, y = inputs(job)
    found = {}

    def run():
        found["y"] = np.asarray(jax.jit(lambda factor, x, y: factor * x + y)(f32(2), x, y))

    return Program(run, lambda: found["y"])


def numba(job):
    nb = open_numba(job)
    x, y = inputs(job)

    @nb.njit
    def scale_and_add(factor, x, y):
        for i in range(x.shape[0]):
            y[i] = factor * x[i] + y[i]

    return Program(lambda: scale_and_add(f32(2), x, y), lambda: y)
