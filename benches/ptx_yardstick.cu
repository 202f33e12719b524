// The kernels of tests/yardstick/kernels.rs in CUDA C++, as one writes them without tuning.
struct v3 { float x, y, z; };
__device__ __forceinline__ float dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
#define THREAD int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return

extern "C" __global__ void saxpy(const float* __restrict__ x, float* __restrict__ y, float a, int n) {
    THREAD;
    y[i] = a * x[i] + y[i];
}

extern "C" __global__ void gravity(const v3* __restrict__ x, const v3* __restrict__ v, v3* __restrict__ x1, v3* __restrict__ v1,
                                   float* __restrict__ e, v3 g, float dt, float rest, int n) {
    THREAD;
    v3 p = x[i], w = v[i];
    w.x += g.x * dt; w.y += g.y * dt; w.z += g.z * dt;
    p.x += w.x * dt; p.y += w.y * dt; p.z += w.z * dt;
    if (p.y < 0.0f) { p.y = 0.0f; w.y = -rest * w.y; }
    x1[i] = p; v1[i] = w;
    atomicAdd(e, 0.5f * dot(w, w));
}

extern "C" __global__ void nbody(const v3* __restrict__ x, const v3* __restrict__ v, const float* __restrict__ m,
                                 v3* __restrict__ x1, v3* __restrict__ v1, float dt, float eps2, int n) {
    THREAD;
    v3 p = x[i], a = {0.0f, 0.0f, 0.0f};
    for (int j = 0; j < n; ++j) {
        v3 d = {x[j].x - p.x, x[j].y - p.y, x[j].z - p.z};
        float r2 = dot(d, d) + eps2;
        float w = m[j] / (sqrtf(r2) * r2);
        a.x += d.x * w; a.y += d.y * w; a.z += d.z * w;
    }
    v3 w = v[i];
    w.x += a.x * dt; w.y += a.y * dt; w.z += a.z * dt;
    p.x += w.x * dt; p.y += w.y * dt; p.z += w.z * dt;
    x1[i] = p; v1[i] = w;
}

extern "C" __global__ void spring(const v3* __restrict__ x, const v3* __restrict__ v, const unsigned* __restrict__ ia,
                                  const unsigned* __restrict__ ib, const float* __restrict__ rest, float ke, float kd,
                                  v3* __restrict__ f, int n) {
    THREAD;
    unsigned a = ia[i], b = ib[i];
    v3 p = x[a], q = x[b], vp = v[a], vq = v[b];
    v3 d = {p.x - q.x, p.y - q.y, p.z - q.z}, r = {vp.x - vq.x, vp.y - vq.y, vp.z - vq.z};
    float l = sqrtf(dot(d, d));
    v3 u = {d.x / l, d.y / l, d.z / l};
    float s = ke * (l - rest[i]) + kd * dot(u, r);
    atomicAdd(&f[a].x, -(u.x * s)); atomicAdd(&f[a].y, -(u.y * s)); atomicAdd(&f[a].z, -(u.z * s));
    atomicAdd(&f[b].x, u.x * s); atomicAdd(&f[b].y, u.y * s); atomicAdd(&f[b].z, u.z * s);
}

extern "C" __global__ void heat(const float* __restrict__ u, float* __restrict__ o, int n, float al) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n) return;
    int k = i * n + j;
    float c = u[k];
    if (i > 0 && i < n - 1 && j > 0 && j < n - 1) c = c + al * (u[k - n] + u[k + n] + u[k - 1] + u[k + 1] - 4.0f * c);
    o[k] = c;
}
