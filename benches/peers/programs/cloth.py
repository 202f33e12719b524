"""W4: a cloth of masses and springs, forces scattered by atomics. Mode `grad`: and back to the first speeds, states kept."""
import math

from harness import Program, f32, magnitudes, np, open_jax, open_taichi, open_warp, uniform

STIFFNESS, DAMPING, STEP, GRAVITY, SPACING = 1000.0, 0.1, 1e-3, -9.81, 0.1
GOAL = (0.0, -0.5, 0.0)


def inputs(n):
    """Places, speeds and inverse masses of the particles; ends and lengths of the springs."""
    k = np.arange(n * n, dtype=np.int32).reshape(n, n)
    pairs = [(k[:, :-1], k[:, 1:]), (k[:-1], k[1:]), (k[:-1, :-1], k[1:, 1:]), (k[1:, :-1], k[:-1, 1:])]
    ends = [np.concatenate([pair[e].ravel() for pair in pairs]) for e in (0, 1)]
    lengths = [SPACING, SPACING, SPACING * math.sqrt(2.0), SPACING * math.sqrt(2.0)]
    rest = np.concatenate([np.full(pair[0].size, length, f32) for pair, length in zip(pairs, lengths)])
    places = np.zeros((n * n, 3), f32)
    places[:, 0] = (k % n).ravel().astype(f32) * f32(SPACING)
    places[:, 2] = (k // n).ravel().astype(f32) * f32(SPACING)
    inverse_masses = np.full(n * n, 10.0, f32)
    inverse_masses[[0, n - 1]] = 0.0
    speeds = (uniform(6, 3 * n * n) - 0.5).astype(f32).reshape(-1, 3)
    speeds[inverse_masses == 0.0] = 0.0
    return places, speeds, inverse_masses, ends, rest


def checksum(job, result):
    return magnitudes(result)


def warp(job):
    wp = open_warp(job)

    @wp.kernel
    def pull(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), a: wp.array(dtype=int), b: wp.array(dtype=int),
             rest: wp.array(dtype=float), force: wp.array(dtype=wp.vec3)):
        s = wp.tid()
        i = a[s]
        j = b[s]
        d = x[i] - x[j]
        length = wp.length(d)
        u = d / length
        strength = 1000.0 * (length - rest[s]) + 0.1 * wp.dot(u, v[i] - v[j])
        wp.atomic_sub(force, i, u * strength)
        wp.atomic_add(force, j, u * strength)

    @wp.kernel
    def advance(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), force: wp.array(dtype=wp.vec3),
                inverse_mass: wp.array(dtype=float), gravity: wp.vec3, dt: float,
                x_next: wp.array(dtype=wp.vec3), v_next: wp.array(dtype=wp.vec3)):
        i = wp.tid()
        w = inverse_mass[i]
        speed = v[i]
        if w > 0.0:
            speed = speed + (force[i] * w + gravity) * dt
        v_next[i] = speed
        x_next[i] = x[i] + speed * dt

    @wp.kernel
    def miss(x: wp.array(dtype=wp.vec3), start: wp.array(dtype=wp.vec3), share: float, loss: wp.array(dtype=float)):
        i = wp.tid()
        d = x[i] - start[i] - wp.vec3(0.0, -0.5, 0.0)
        wp.atomic_add(loss, 0, wp.dot(d, d) * share)

    x0, v0, w0, ends, rest = inputs(job.n)
    count, gravity = job.n * job.n, wp.vec3(0.0, GRAVITY, 0.0)
    a, b = (wp.array(end, dtype=int) for end in ends)
    r, w = wp.array(rest, dtype=float), wp.array(w0, dtype=float)

    def step(x, v, force, x_next, v_next):
        force.zero_()
        wp.launch(pull, dim=rest.size, inputs=[x, v, a, b, r], outputs=[force])
        wp.launch(advance, dim=count, inputs=[x, v, force, w, gravity, STEP], outputs=[x_next, v_next])

    if job.mode == "grad":
        return _warp_gradient(wp, job, step, miss, x0, v0)
    x, v, force = (wp.array(start, dtype=wp.vec3) for start in (x0, v0, np.zeros_like(x0)))

    def reset():
        x.assign(x0)
        v.assign(v0)

    def run():
        for _ in range(job.steps):
            step(x, v, force, x, v)

    return Program(run, x.numpy, reset)


def _warp_gradient(wp, job, step, miss, x0, v0):
    count = job.n * job.n
    x, v, force = ([wp.zeros(count, dtype=wp.vec3, requires_grad=True) for _ in range(job.steps + 1)] for _ in range(3))
    start, loss = wp.array(x0, dtype=wp.vec3), wp.zeros(1, dtype=float, requires_grad=True)
    x[0].assign(x0)
    v[0].assign(v0)
    found = {}

    def run():
        loss.zero_()
        tape = wp.Tape()
        with tape:
            for t in range(job.steps):
                step(x[t], v[t], force[t], x[t + 1], v[t + 1])
            wp.launch(miss, dim=count, inputs=[x[job.steps], start, 1.0 / count], outputs=[loss])
        tape.backward(loss)
        found["gradient"] = v[0].grad.numpy().copy()
        tape.zero()

    return Program(run, lambda: found["gradient"])


def taichi(job):
    ti = open_taichi(job)
    x0, v0, w0, ends, rest0 = inputs(job.n)
    count, springs, grad = job.n * job.n, len(rest0), job.mode == "grad"
    # Forward alone, a step writes over the state that it came from.
    last, ahead = (job.steps, 1) if grad else (0, 0)
    a, b = ti.field(ti.i32, springs), ti.field(ti.i32, springs)
    rest, w = ti.field(ti.f32, springs), ti.field(ti.f32, count)
    for field, values in zip((a, b, rest, w), (*ends, rest0, w0)):
        field.from_numpy(values)
    x, v = (ti.Vector.field(3, ti.f32, (last + 1, count), needs_grad=grad) for _ in range(2))
    force = ti.Vector.field(3, ti.f32, (max(last, 1), count), needs_grad=grad)
    loss, start = ti.field(ti.f32, (), needs_grad=grad), ti.Vector.field(3, ti.f32, count)
    start.from_numpy(x0)

    @ti.kernel
    def pull(t: ti.i32):
        for s in range(springs):
            i = a[s]
            j = b[s]
            d = x[t, i] - x[t, j]
            length = d.norm()
            u = d / length
            strength = STIFFNESS * (length - rest[s]) + DAMPING * u.dot(v[t, i] - v[t, j])
            ti.atomic_sub(force[t, i], u * strength)
            ti.atomic_add(force[t, j], u * strength)

    @ti.kernel
    def advance(t: ti.i32):
        for i in range(count):
            speed = v[t, i]
            if w[i] > 0.0:
                speed += (force[t, i] * w[i] + ti.Vector([0.0, GRAVITY, 0.0])) * STEP
            v[t + ahead, i] = speed
            x[t + ahead, i] = x[t, i] + speed * STEP

    @ti.kernel
    def miss():
        for i in range(count):
            d = x[last, i] - start[i] - ti.Vector([0.0, -0.5, 0.0])
            loss[None] += d.dot(d) * (1.0 / count)

    @ti.kernel
    def load(places: ti.types.ndarray(), speeds: ti.types.ndarray()):
        for i in range(count):
            for c in ti.static(range(3)):
                x[0, i][c] = places[i, c]
                v[0, i][c] = speeds[i, c]

    def forward():
        for _ in range(job.steps):
            force.fill(0)
            pull(0)
            advance(0)
        ti.sync()

    def back_and_forth():
        force.fill(0)
        loss[None] = 0
        with ti.ad.Tape(loss):
            for t in range(job.steps):
                pull(t)
                advance(t)
            miss()
        ti.sync()

    if grad:
        return Program(back_and_forth, lambda: v.grad.to_numpy()[0], lambda: load(x0, v0))
    return Program(forward, lambda: x.to_numpy()[0], lambda: load(x0, v0))


def jax(job):
    jax = open_jax(job)
    jnp = jax.numpy
    x0, v0, w0, _, _ = inputs(job.n)
    w, gravity = jnp.asarray(w0)[:, None], jnp.asarray([0.0, GRAVITY, 0.0], f32)

    def step(state, _):
        x, v = state
        v = v + jnp.where(w > 0, _sliced_forces(jnp, job.n, x, v) * w + gravity, 0) * f32(STEP)
        return (x + v * f32(STEP), v), None

    def ends(x, v):
        return jax.lax.scan(step, (x, v), None, length=job.steps)[0][0]

    def loss(v, x):
        return jnp.sum((ends(x, v) - x - jnp.asarray(GOAL, f32)) ** 2) / f32(job.n * job.n)

    program = jax.jit((lambda x, v: jax.grad(loss)(v, x)) if job.mode == "grad" else ends)
    x, v, found = jnp.asarray(x0), jnp.asarray(v0), {}

    def run():
        found["result"] = program(x, v).block_until_ready()

    return Program(run, lambda: np.asarray(found["result"]))


def _sliced_forces(jnp, n, x, v):
    """Forces by shifted slices of the grid: XLA's scatter, a serial loop, would be slower."""
    x, v, force = x.reshape(n, n, 3), v.reshape(n, n, 3), 0
    low, high, every = slice(None, -1), slice(1, None), slice(None)
    kinds = [
        ((every, low), (every, high), SPACING),
        ((low, every), (high, every), SPACING),
        ((low, low), (high, high), SPACING * math.sqrt(2.0)),
        ((high, low), (low, high), SPACING * math.sqrt(2.0)),
    ]

    def padding(ends):
        return tuple((0, 1) if e == low else (1, 0) if e == high else (0, 0) for e in ends) + ((0, 0),)

    for a, b, rest in kinds:
        d = x[a] - x[b]
        length = jnp.sqrt((d * d).sum(-1, keepdims=True))
        u = d / length
        closing = (u * (v[a] - v[b])).sum(-1, keepdims=True)
        pull = u * (f32(STIFFNESS) * (length - f32(rest)) + f32(DAMPING) * closing)
        force = force - jnp.pad(pull, padding(a)) + jnp.pad(pull, padding(b))
    return force.reshape(-1, 3)
