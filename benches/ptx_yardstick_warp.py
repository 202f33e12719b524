"""The kernels of tests/yardstick/kernels.rs in Warp, as its users write them."""
import warp as wp


@wp.kernel
def saxpy(x: wp.array(dtype=float), y: wp.array(dtype=float), a: float):
    i = wp.tid()
    y[i] = a * x[i] + y[i]


@wp.kernel
def gravity(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), x1: wp.array(dtype=wp.vec3), v1: wp.array(dtype=wp.vec3),
            e: wp.array(dtype=float), g: wp.vec3, dt: float, rest: float):
    i = wp.tid()
    vn = v[i] + g * dt
    xn = x[i] + vn * dt
    if xn[1] < 0.0:
        xn = wp.vec3(xn[0], 0.0, xn[2])
        vn = wp.vec3(vn[0], -rest * vn[1], vn[2])
    x1[i] = xn
    v1[i] = vn
    wp.atomic_add(e, 0, 0.5 * wp.dot(vn, vn))


@wp.kernel
def nbody(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), m: wp.array(dtype=float), x1: wp.array(dtype=wp.vec3),
          v1: wp.array(dtype=wp.vec3), dt: float, eps2: float, n: int):
    i = wp.tid()
    xi = x[i]
    a = wp.vec3(0.0, 0.0, 0.0)
    for j in range(n):
        d = x[j] - xi
        r2 = wp.dot(d, d) + eps2
        a += d * (m[j] / (wp.sqrt(r2) * r2))
    vn = v[i] + a * dt
    x1[i] = xi + vn * dt
    v1[i] = vn


@wp.kernel
def spring(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), ia: wp.array(dtype=wp.uint32), ib: wp.array(dtype=wp.uint32),
           rest: wp.array(dtype=float), ke: float, kd: float, f: wp.array(dtype=wp.vec3)):
    t = wp.tid()
    i = wp.int32(ia[t])
    j = wp.int32(ib[t])
    d = x[i] - x[j]
    l = wp.length(d)
    u = d / l
    s = ke * (l - rest[t]) + kd * wp.dot(u, v[i] - v[j])
    wp.atomic_sub(f, i, u * s)
    wp.atomic_add(f, j, u * s)


@wp.kernel
def heat(u: wp.array2d(dtype=float), o: wp.array2d(dtype=float), n: int, al: float):
    i, j = wp.tid()
    c = u[i, j]
    if i > 0 and i < n - 1 and j > 0 and j < n - 1:
        c = c + al * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * c)
    o[i, j] = c
