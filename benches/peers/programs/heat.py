"""W5: heat on a plate, two plates by turns. Mode `grad`: and back to the first temperatures, states kept."""
from harness import Program, f32, np, open_jax, open_numba, open_taichi, open_warp, total, uniform

FLOW = 0.1


def inputs(job):
    return uniform(5, job.n * job.n).astype(f32).reshape(job.n, job.n)


def checksum(job, result):
    return total(result)


def warp(job):
    wp = open_warp(job)

    @wp.kernel
    def spread(src: wp.array2d(dtype=float), dst: wp.array2d(dtype=float), n: int, flow: float):
        i, j = wp.tid()
        c = src[i, j]
        if i > 0 and i < n - 1 and j > 0 and j < n - 1:
            c = c + flow * (src[i - 1, j] + src[i + 1, j] + src[i, j - 1] + src[i, j + 1] - 4.0 * c)
        dst[i, j] = c

    @wp.kernel
    def squares(u: wp.array2d(dtype=float), loss: wp.array(dtype=float)):
        i, j = wp.tid()
        wp.atomic_add(loss, 0, u[i, j] * u[i, j])

    n, start = job.n, inputs(job)
    if job.mode == "grad":
        return _warp_gradient(wp, job, spread, squares, start)
    state = [wp.array(start, dtype=float), wp.zeros((n, n), dtype=float)]

    def run():
        for _ in range(job.steps):
            wp.launch(spread, dim=(n, n), inputs=[state[0], state[1], n, FLOW])
            state.reverse()

    return Program(run, lambda: state[0].numpy(), lambda: state[0].assign(start))


def _warp_gradient(wp, job, spread, squares, start):
    n = job.n
    u = [wp.zeros((n, n), dtype=float, requires_grad=True) for _ in range(job.steps + 1)]
    loss = wp.zeros(1, dtype=float, requires_grad=True)
    u[0].assign(start)
    found = {}

    def run():
        loss.zero_()
        tape = wp.Tape()
        with tape:
            for t in range(job.steps):
                wp.launch(spread, dim=(n, n), inputs=[u[t], u[t + 1], n, FLOW])
            wp.launch(squares, dim=(n, n), inputs=[u[job.steps]], outputs=[loss])
        tape.backward(loss)
        found["gradient"] = u[0].grad.numpy().copy()
        tape.zero()

    return Program(run, lambda: found["gradient"])


def taichi(job):
    ti = open_taichi(job)
    start, n, grad = inputs(job), job.n, job.mode == "grad"
    plates = job.steps + 1 if grad else 2
    u, loss = ti.field(ti.f32, (plates, n, n), needs_grad=grad), ti.field(ti.f32, (), needs_grad=grad)

    @ti.kernel
    def spread(s: ti.i32, d: ti.i32):
        for i, j in ti.ndrange(n, n):
            c = u[s, i, j]
            if i > 0 and i < n - 1 and j > 0 and j < n - 1:
                c += FLOW * (u[s, i - 1, j] + u[s, i + 1, j] + u[s, i, j - 1] + u[s, i, j + 1] - 4.0 * u[s, i, j])
            u[d, i, j] = c

    @ti.kernel
    def squares():
        for i, j in ti.ndrange(n, n):
            loss[None] += u[plates - 1, i, j] * u[plates - 1, i, j]

    @ti.kernel
    def load(plate: ti.types.ndarray()):
        for i, j in ti.ndrange(n, n):
            u[0, i, j] = plate[i, j]

    def forward():
        for t in range(job.steps):
            spread(t & 1, 1 - (t & 1))
        ti.sync()

    def back_and_forth():
        loss[None] = 0
        with ti.ad.Tape(loss):
            for t in range(job.steps):
                spread(t, t + 1)
            squares()
        ti.sync()

    if grad:
        return Program(back_and_forth, lambda: u.grad.to_numpy()[0], lambda: load(start))
    return Program(forward, lambda: u.to_numpy()[job.steps & 1], lambda: load(start))


def jax(job):
    jax = open_jax(job)
    jnp, found = jax.numpy, {}
    start = jnp.asarray(inputs(job))

    def step(u):
        c = u[1:-1, 1:-1]
        flow = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * c
        return u.at[1:-1, 1:-1].set(c + f32(FLOW) * flow)

    def loss(u):
        return jnp.sum(jax.lax.scan(lambda c, _: (step(c), None), u, None, length=job.steps)[0] ** 2)

    one_step, gradient = jax.jit(step), jax.jit(jax.grad(loss))

    def forward():
        u = start
        for _ in range(job.steps):
            u = one_step(u)
        found["result"] = u.block_until_ready()

    def back_and_forth():
        found["result"] = gradient(start).block_until_ready()

    return Program(back_and_forth if job.mode == "grad" else forward, lambda: np.asarray(found["result"]))


def numba(job):
    nb = open_numba(job)
    start, flow = inputs(job), f32(FLOW)
    state = [start.copy(), start.copy()]

    @nb.njit("void(f4[:,::1], f4[:,::1])", parallel=True)
    def spread(src, dst):
        n = src.shape[0]
        for i in nb.prange(1, n - 1):
            for j in range(1, n - 1):
                c = src[i, j]
                around = src[i - 1, j] + src[i + 1, j] + src[i, j - 1] + src[i, j + 1]
                dst[i, j] = c + flow * (around - np.float32(4) * c)

    def reset():
        state[0][:] = start
        state[1][:] = start

    def run():
        for _ in range(job.steps):
            spread(state[0], state[1])
            state.reverse()

    return Program(run, lambda: state[0], reset)
