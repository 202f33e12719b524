"""W2: particles in a central field, one launch a step. The libraries keep them as arrays of vectors."""
from harness import Program, f32, magnitudes, normal, np, open_jax, open_numba, open_taichi, open_warp

STEP, GRAVITATION, MASS, CORE = 0.01, 0.5, 1.0, 1e-6


def inputs(job):
    return (10.0 * normal(3, 3 * job.n)).astype(f32).reshape(-1, 3)


def checksum(job, ends):
    """Over particles that start far from the centre: rounding decides about the others."""
    far = np.sqrt((inputs(job).astype(np.float64) ** 2).sum(1)) > 5.0
    return magnitudes(ends.reshape(-1, 3)[far])


def warp(job):
    wp = open_warp(job)

    @wp.kernel
    def step(pos: wp.array(dtype=wp.vec3), vel: wp.array(dtype=wp.vec3), dt: float, gravitation: float, mass: float):
        i = wp.tid()
        p = pos[i]
        r = wp.length(p)
        if r < 1.0e-6:
            return
        v = vel[i] + (-p / r * (gravitation * mass / (r * r))) * dt
        vel[i] = v
        pos[i] = p + v * dt

    start = inputs(job)
    pos, vel = wp.array(start, dtype=wp.vec3), wp.zeros(job.n, dtype=wp.vec3)

    def reset():
        pos.assign(start)
        vel.zero_()

    def run():
        for _ in range(job.steps):
            wp.launch(step, dim=job.n, inputs=[pos, vel, STEP, GRAVITATION, MASS])

    return Program(run, pos.numpy, reset)


def taichi(job):
    ti = open_taichi(job)
    start = inputs(job)
    pos, vel = ti.Vector.field(3, ti.f32, job.n), ti.Vector.field(3, ti.f32, job.n)

    @ti.kernel
    def step(dt: ti.f32, gravitation: ti.f32, mass: ti.f32):
        for i in pos:
            p = pos[i]
            r = p.norm()
            if r >= CORE:
                v = vel[i] + (-p / r * (gravitation * mass / (r * r))) * dt
                vel[i] = v
                pos[i] = p + v * dt

    def reset():
        pos.from_numpy(start)
        vel.fill(0)

    def run():
        for _ in range(job.steps):
            step(STEP, GRAVITATION, MASS)
        ti.sync()

    return Program(run, pos.to_numpy, reset)


def jax(job):
    jax = open_jax(job)
    jnp, start, state = jax.numpy, inputs(job), {}

    def step(p, v):
        r = jnp.sqrt((p * p).sum(1, keepdims=True))
        pull = -p / r * (f32(GRAVITATION * MASS) / (r * r))
        v = v + jnp.where(r < CORE, f32(0), pull) * f32(STEP)
        return p + v * f32(STEP), v

    step = jax.jit(step, donate_argnums=(0, 1))

    def reset():
        state["p"] = jnp.array(start)
        state["v"] = jnp.zeros_like(state["p"]).block_until_ready()

    def run():
        p, v = state["p"], state["v"]
        for _ in range(job.steps):
            p, v = step(p, v)
        state["p"], state["v"] = p.block_until_ready(), v

    return Program(run, lambda: np.asarray(state["p"]), reset)


def numba(job):
    nb = open_numba(job)
    import math

    start = inputs(job)
    pos, vel = start.copy(), np.zeros_like(start)

    @nb.njit("void(f4[:,::1], f4[:,::1], f4, f4)", parallel=True, error_model="numpy")
    def step(pos, vel, dt, pull):
        for i in nb.prange(pos.shape[0]):
            x, y, z = pos[i, 0], pos[i, 1], pos[i, 2]
            r = math.sqrt(x * x + y * y + z * z)
            if r >= np.float32(1e-6):
                c = -(pull / (r * r)) / r * dt
                vx, vy, vz = vel[i, 0] + x * c, vel[i, 1] + y * c, vel[i, 2] + z * c
                vel[i, 0], vel[i, 1], vel[i, 2] = vx, vy, vz
                pos[i, 0], pos[i, 1], pos[i, 2] = x + vx * dt, y + vy * dt, z + vz * dt

    def reset():
        pos[:] = start
        vel[:] = 0

    def run():
        for _ in range(job.steps):
            step(pos, vel, f32(STEP), f32(GRAVITATION * MASS))

    return Program(run, lambda: pos, reset)
