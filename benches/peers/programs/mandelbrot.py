"""W14: the Mandelbrot set in one launch; `steps` is the limit of turns. Mode `shuffled`: pixels without order."""
from harness import Program, bits, f32, np, open_numba, open_taichi, open_warp, total


def order(job):
    return np.argsort(bits(14, job.n * job.n), kind="stable").astype(np.int32)


def checksum(job, counts):
    return total(counts)


def warp(job):
    wp = open_warp(job)

    @wp.func
    def turns(pixel: int, n: int, limit: int):
        width = float(10 * n)
        cx = float(26 * (pixel % n) + 13 - 20 * n) / width
        cy = float(26 * (pixel / n) + 13 * (1 - n)) / width
        x = float(0.0)
        y = float(0.0)
        k = int(0)
        while k < limit:
            x2 = x * x
            y2 = y * y
            if x2 + y2 > 4.0:
                break
            y = (x + x) * y + cy
            x = (x2 - y2) + cx
            k = k + 1
        return k

    @wp.kernel
    def rows(order: wp.array(dtype=int), counts: wp.array(dtype=int), n: int, limit: int):
        pixel = wp.tid()
        counts[pixel] = turns(pixel, n, limit)

    @wp.kernel
    def ordered(order: wp.array(dtype=int), counts: wp.array(dtype=int), n: int, limit: int):
        pixel = order[wp.tid()]
        counts[pixel] = turns(pixel, n, limit)

    kernel = ordered if job.mode == "shuffled" else rows
    pixels, counts = wp.array(order(job), dtype=int), wp.zeros(job.n * job.n, dtype=int)
    inputs = [pixels, counts, job.n, job.steps]
    return Program(lambda: wp.launch(kernel, dim=job.n * job.n, inputs=inputs), counts.numpy, counts.zero_)


def taichi(job):
    ti = open_taichi(job)
    n, limit, shuffled = job.n, job.steps, job.mode == "shuffled"
    pixels, counts = ti.field(ti.i32, n * n), ti.field(ti.i32, n * n)
    pixels.from_numpy(order(job))

    @ti.func
    def turns(pixel):
        width = ti.cast(10 * n, ti.f32)
        cx = ti.cast(26 * (pixel % n) + 13 - 20 * n, ti.f32) / width
        cy = ti.cast(26 * (pixel // n) + 13 * (1 - n), ti.f32) / width
        x = 0.0
        y = 0.0
        k = 0
        while k < limit:
            x2 = x * x
            y2 = y * y
            if x2 + y2 > 4.0:
                break
            y = (x + x) * y + cy
            x = (x2 - y2) + cx
            k += 1
        return k

    @ti.kernel
    def image():
        for t in range(n * n):
            pixel = t
            if ti.static(shuffled):
                pixel = pixels[t]
            counts[pixel] = turns(pixel)

    def run():
        image()
        ti.sync()

    return Program(run, counts.to_numpy, lambda: counts.fill(0))


def numba(job):
    nb = open_numba(job)
    pixels = order(job) if job.mode == "shuffled" else np.arange(job.n * job.n, dtype=np.int32)
    counts, four = np.zeros(job.n * job.n, np.int32), f32(4)

    @nb.njit("void(i4[::1], i4[::1], i8, i8)", parallel=True, error_model="numpy")
    def image(pixels, counts, n, limit):
        width = np.float32(10 * n)
        for t in nb.prange(n * n):
            pixel = pixels[t]
            cx = np.float32(26 * (pixel % n) + 13 - 20 * n) / width
            cy = np.float32(26 * (pixel // n) + 13 * (1 - n)) / width
            x, y, k = np.float32(0), np.float32(0), 0
            while k < limit:
                x2, y2 = x * x, y * y
                if x2 + y2 > four:
                    break
                y = (x + x) * y + cy
                x = (x2 - y2) + cx
                k += 1
            counts[pixel] = k

    return Program(lambda: image(pixels, counts, job.n, job.steps), lambda: counts, lambda: counts.fill(0))
