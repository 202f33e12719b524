"""W3: bodies that all pull each other, one launch a step, two arrays of places by turns."""
from harness import Program, f32, magnitudes, np, open_jax, open_numba, open_taichi, open_warp, uniform

STEP, SOFTENING = 0.01, 0.01


def inputs(job):
    return (2.0 * uniform(4, 3 * job.n) - 1.0).astype(f32).reshape(-1, 3)


def checksum(job, ends):
    return magnitudes(ends)


def warp(job):
    wp = open_warp(job)

    @wp.kernel
    def step(src: wp.array(dtype=wp.vec3), vel: wp.array(dtype=wp.vec3), dst: wp.array(dtype=wp.vec3), n: int, mass: float):
        i = wp.tid()
        p = src[i]
        pull = wp.vec3()
        for j in range(n):
            d = src[j] - p
            inverse = 1.0 / wp.sqrt(wp.dot(d, d) + 0.01)
            pull += d * (mass * inverse * inverse * inverse)
        v = vel[i] + pull * 0.01
        vel[i] = v
        dst[i] = p + v * 0.01

    start = inputs(job)
    state = [wp.array(start, dtype=wp.vec3), wp.zeros(job.n, dtype=wp.vec3)]
    vel = wp.zeros(job.n, dtype=wp.vec3)

    def reset():
        state[0].assign(start)
        vel.zero_()

    def run():
        for _ in range(job.steps):
            wp.launch(step, dim=job.n, inputs=[state[0], vel, state[1], job.n, 1.0 / job.n])
            state.reverse()

    return Program(run, lambda: state[0].numpy(), reset)


def taichi(job):
    ti = open_taichi(job)
    start, n = inputs(job), job.n
    pos, vel = ti.Vector.field(3, ti.f32, (2, n)), ti.Vector.field(3, ti.f32, n)

    @ti.kernel
    def step(now: ti.i32, mass: ti.f32):
        for i in range(n):
            p = pos[now, i]
            pull = ti.Vector([0.0, 0.0, 0.0])
            for j in range(n):
                d = pos[now, j] - p
                inverse = 1.0 / ti.sqrt(d.dot(d) + SOFTENING)
                pull += d * (mass * inverse * inverse * inverse)
            v = vel[i] + pull * STEP
            vel[i] = v
            pos[1 - now, i] = p + v * STEP

    def reset():
        pos.from_numpy(np.stack([start, start]))
        vel.fill(0)

    def run():
        for k in range(job.steps):
            step(k & 1, 1.0 / n)
        ti.sync()

    return Program(run, lambda: pos.to_numpy()[job.steps & 1], reset)


def jax(job):
    jax = open_jax(job)
    jnp, start, state = jax.numpy, inputs(job), {}

    def step(p, v):
        # Coordinate by coordinate, which XLA takes better than arrays of vectors.
        x, y, z = p[:, 0], p[:, 1], p[:, 2]
        dx, dy, dz = (c[None, :] - c[:, None] for c in (x, y, z))
        inverse = 1.0 / jnp.sqrt(dx * dx + dy * dy + dz * dz + f32(SOFTENING))
        weight = f32(1.0 / job.n) * inverse * inverse * inverse
        v = v + jnp.stack([(weight * d).sum(1) for d in (dx, dy, dz)], 1) * f32(STEP)
        return p + v * f32(STEP), v

    step = jax.jit(step)

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
    state, vel = [start.copy(), start.copy()], np.zeros_like(start)

    @nb.njit("void(f4[:,::1], f4[:,::1], f4[:,::1], f4, f4, f4)", parallel=True, fastmath=True, error_model="numpy")
    def step(src, vel, dst, mass, softening, dt):
        n = src.shape[0]
        for i in nb.prange(n):
            x, y, z = src[i, 0], src[i, 1], src[i, 2]
            ax, ay, az = np.float32(0), np.float32(0), np.float32(0)
            for j in range(n):
                dx, dy, dz = src[j, 0] - x, src[j, 1] - y, src[j, 2] - z
                inverse = np.float32(1) / math.sqrt(dx * dx + dy * dy + dz * dz + softening)
                weight = mass * inverse * inverse * inverse
                ax += dx * weight
                ay += dy * weight
                az += dz * weight
            vx, vy, vz = vel[i, 0] + ax * dt, vel[i, 1] + ay * dt, vel[i, 2] + az * dt
            vel[i, 0], vel[i, 1], vel[i, 2] = vx, vy, vz
            dst[i, 0], dst[i, 1], dst[i, 2] = x + vx * dt, y + vy * dt, z + vz * dt

    def reset():
        state[0][:] = start
        vel[:] = 0

    def run():
        for _ in range(job.steps):
            step(state[0], vel, state[1], f32(1.0 / job.n), f32(SOFTENING), f32(STEP))
            state.reverse()

    return Program(run, lambda: state[0], reset)
