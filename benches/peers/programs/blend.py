"""W8: sin(x) exp(-x x) + sqrt|x| cos(3 x) + atan2(x, 1 + x x) + (|x| + 1)^0.7."""
from harness import Program, f32, np, open_jax, open_numba, open_taichi, open_warp, total, uniform


def inputs(job):
    return (8.0 * uniform(8, job.n) - 4.0).astype(f32)


def checksum(job, y):
    return total(y)


def warp(job):
    wp = open_warp(job)

    @wp.kernel
    def blended(x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        v = x[i]
        size = wp.abs(v)
        y[i] = (wp.sin(v) * wp.exp(-v * v) + wp.sqrt(size) * wp.cos(3.0 * v) + wp.atan2(v, 1.0 + v * v)
                + wp.pow(size + 1.0, 0.7))

    x, y = wp.array(inputs(job), dtype=float), wp.empty(job.n, dtype=float)

    def run():
        for _ in range(job.steps):
            wp.launch(blended, dim=job.n, inputs=[x, y])

    return Program(run, y.numpy)


def taichi(job):
    ti = open_taichi(job)
    x, y = ti.field(ti.f32, job.n), ti.field(ti.f32, job.n)

    @ti.kernel
    def blended():
        for i in x:
            v = x[i]
            size = ti.abs(v)
            y[i] = (ti.sin(v) * ti.exp(-v * v) + ti.sqrt(size) * ti.cos(3.0 * v) + ti.atan2(v, 1.0 + v * v)
                    + ti.pow(size + 1.0, 0.7))

    x.from_numpy(inputs(job))

    def run():
        for _ in range(job.steps):
            blended()
        ti.sync()

    return Program(run, y.to_numpy)


def jax(job):
    jax = open_jax(job)
    jnp, found = jax.numpy, {}
    x = jnp.asarray(inputs(job))

    @jax.jit
    def blended(x):
        size = jnp.abs(x)
        return (jnp.sin(x) * jnp.exp(-x * x) + jnp.sqrt(size) * jnp.cos(3 * x) + jnp.arctan2(x, 1 + x * x)
                + jnp.power(size + 1, f32(0.7)))

    def run():
        for _ in range(job.steps):
            found["y"] = blended(x).block_until_ready()

    return Program(run, lambda: np.asarray(found["y"]))


def numba(job):
    nb = open_numba(job)
    import math

    x, one, three, exponent = inputs(job), f32(1), f32(3), f32(0.7)
    y = np.empty_like(x)

    @nb.njit("void(f4[::1], f4[::1])", parallel=True)
    def blended(x, y):
        for i in nb.prange(x.shape[0]):
            v = x[i]
            size = abs(v)
            y[i] = (math.sin(v) * math.exp(-v * v) + math.sqrt(size) * math.cos(three * v)
                    + math.atan2(v, one + v * v) + (size + one) ** exponent)

    def run():
        for _ in range(job.steps):
            blended(x, y)

    return Program(run, lambda: y)


def numpy(job):
    x, found = inputs(job), {}

    def run():
        for _ in range(job.steps):
            size = np.abs(x)
            found["y"] = (np.sin(x) * np.exp(-x * x) + np.sqrt(size) * np.cos(f32(3) * x)
                          + np.arctan2(x, f32(1) + x * x) + np.power(size + f32(1), f32(0.7)))

    return Program(run, lambda: found["y"])
