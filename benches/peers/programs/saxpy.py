"""W1: y = 2.5 x + y, one launch a step."""
from harness import Program, f32, np, open_jax, open_numba, open_taichi, open_warp, total, uniform

FACTOR = 2.5


def inputs(job):
    return uniform(1, job.n).astype(f32), uniform(2, job.n).astype(f32)


def checksum(job, y):
    return total(y)


def warp(job):
    wp = open_warp(job)

    @wp.kernel
    def scale_and_add(factor: float, x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        y[i] = factor * x[i] + y[i]

    x0, y0 = inputs(job)
    x, y = wp.array(x0, dtype=float), wp.array(y0, dtype=float)

    def run():
        for _ in range(job.steps):
            wp.launch(scale_and_add, dim=job.n, inputs=[FACTOR, x, y])

    return Program(run, y.numpy, lambda: y.assign(y0))


def taichi(job):
    ti = open_taichi(job)
    x0, y0 = inputs(job)
    x, y = ti.field(ti.f32, job.n), ti.field(ti.f32, job.n)

    @ti.kernel
    def scale_and_add(factor: ti.f32):
        for i in x:
            y[i] = factor * x[i] + y[i]

    x.from_numpy(x0)

    def run():
        for _ in range(job.steps):
            scale_and_add(FACTOR)
        ti.sync()

    return Program(run, y.to_numpy, lambda: y.from_numpy(y0))


def jax(job):
    jax = open_jax(job)
    x0, y0 = inputs(job)
    x, state = jax.numpy.asarray(x0), {}
    step = jax.jit(lambda x, y: f32(FACTOR) * x + y, donate_argnums=(1,))

    def reset():
        state["y"] = jax.numpy.array(y0).block_until_ready()

    def run():
        y = state["y"]
        for _ in range(job.steps):
            y = step(x, y)
        state["y"] = y.block_until_ready()

    return Program(run, lambda: np.asarray(state["y"]), reset)


def numba(job):
    nb = open_numba(job)
    x, y0 = inputs(job)
    y = y0.copy()

    @nb.njit("void(f4, f4[::1], f4[::1])", parallel=True)
    def scale_and_add(factor, x, y):
        for i in nb.prange(x.shape[0]):
            y[i] = factor * x[i] + y[i]

    def run():
        for _ in range(job.steps):
            scale_and_add(f32(FACTOR), x, y)

    return Program(run, lambda: y, lambda: np.copyto(y, y0))
