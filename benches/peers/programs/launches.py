"""W9: launches of one thread, one after the other."""
from harness import Program, f32, np, open_jax, open_numba, open_taichi, open_warp, total


def checksum(job, x):
    return total(x)


def warp(job):
    wp = open_warp(job)

    @wp.kernel
    def add(x: wp.array(dtype=float), value: float):
        i = wp.tid()
        x[i] = x[i] + value

    x = wp.zeros(job.n, dtype=float)

    def run():
        for _ in range(job.steps):
            wp.launch(add, dim=job.n, inputs=[x, 1.0])

    return Program(run, x.numpy, x.zero_)


def taichi(job):
    ti = open_taichi(job)
    x = ti.field(ti.f32, job.n)

    @ti.kernel
    def add(value: ti.f32):
        for i in x:
            x[i] += value

    def run():
        for _ in range(job.steps):
            add(1.0)
        ti.sync()

    return Program(run, x.to_numpy, lambda: x.fill(0))


def jax(job):
    jax = open_jax(job)
    state = {}
    add = jax.jit(lambda x: x + f32(1), donate_argnums=(0,))

    def reset():
        state["x"] = jax.numpy.zeros(job.n, f32)

    def run():
        x = state["x"]
        for _ in range(job.steps):
            x = add(x)
        state["x"] = x.block_until_ready()

    return Program(run, lambda: np.asarray(state["x"]), reset)


def numba(job):
    """A plain loop: a parallel one would wake threads at each call."""
    nb = open_numba(job)
    x, one = np.zeros(job.n, f32), f32(1)

    @nb.njit("void(f4[::1], f4)")
    def add(x, value):
        for i in range(x.shape[0]):
            x[i] += value

    def run():
        for _ in range(job.steps):
            add(x, one)

    return Program(run, lambda: x, lambda: x.fill(0))
