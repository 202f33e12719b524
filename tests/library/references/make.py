"""Makes tables.txt: what NumPy and SciPy say of matrices and rotations.

    python -m venv venv && venv/bin/pip install numpy==2.4.6 scipy==1.17.1
    venv/bin/python make.py > tables.txt

A line is `name | numbers in | numbers out`, all f64 with every digit; matrices row by row, quaternions x y z w.
"""

import numpy as np
import scipy.linalg as linalg
from scipy.spatial.transform import Rotation, Slerp

rng = np.random.default_rng(20)


def line(name, inputs, outputs):
    def text(values):
        flat = np.concatenate([np.asarray(v, dtype=float).ravel() for v in values])
        return " ".join(repr(float(x)) for x in flat)

    print(f"{name} | {text(inputs)} | {text(outputs)}")


def matrices(n):
    """Ordinary, badly scaled, nearly singular, singular."""
    for _ in range(12):
        yield rng.normal(size=(n, n))
    for _ in range(4):
        yield rng.normal(size=(n, n)) * 10.0 ** rng.integers(-12, 12)
    for small in (1e-3, 1e-8, 1e-14):
        u, _ = np.linalg.qr(rng.normal(size=(n, n)))
        v, _ = np.linalg.qr(rng.normal(size=(n, n)))
        yield u @ np.diag([small] + [1.0] * (n - 1)) @ v
    yield np.zeros((n, n))
    yield np.eye(n)
    yield np.outer(rng.normal(size=n), rng.normal(size=n))


for n in (2, 3):
    for a in matrices(n):
        line(f"singular{n}", [a], [np.linalg.svd(a)[1]])
        line(f"eigen{n}", [a], [np.linalg.eigvalsh((a + a.T) / 2)])
        if abs(np.linalg.det(a)) > 1e-3 and np.abs(a).max() < 100:
            if n == 3 or np.linalg.det(a) > 0:
                line(f"polar{n}", [a], linalg.polar(a))

for n in (2, 3, 4, 5, 6):
    for _ in range(4):
        a = rng.normal(size=(n, n))
        b = rng.normal(size=n)
        q, r = np.linalg.qr(a)
        signs = np.diag(np.sign(np.diag(r)))
        positive = a @ a.T + np.eye(n)
        line(f"general{n}", [a, b], [np.linalg.det(a), np.linalg.solve(a, b), q @ signs, signs @ r, np.linalg.inv(a)])
        line(f"positive{n}", [positive, b], [np.linalg.cholesky(positive), np.linalg.solve(positive, b)])

ORDERS = ["ZYX", "ZXY", "YXZ", "YZX", "XYZ", "XZY", "ZYZ", "ZXZ", "YXY", "YZY", "XYX", "XZX"]
for extrinsic in (False, True):
    for k, order in enumerate(ORDERS):
        for _ in range(3):
            angles = rng.uniform(-3, 3, size=3)
            rotation = Rotation.from_euler(order.lower() if extrinsic else order, angles)
            line(f"euler{k + 12 * extrinsic}", [angles], [rotation.as_quat(canonical=True), rotation.as_matrix()])

for size in (0.0, 1e-12, 1e-6, 1e-3, 0.009, 0.0101, 0.5, 3.0, 3.14159):
    for _ in range(3):
        axis = rng.normal(size=3)
        vector = axis / np.linalg.norm(axis) * size
        rotation = Rotation.from_rotvec(vector)
        line("vector", [vector], [rotation.as_quat(canonical=True)])

for _ in range(12):
    ends = Rotation.random(2, rng=rng)
    at = rng.uniform()
    middle = Slerp([0, 1], ends)(at)
    line("slerp", [ends.as_quat(), at], [middle.as_quat(canonical=True)])
    line("between", [ends.as_quat()], [(ends[0].inv() * ends[1]).magnitude()])

for _ in range(8):
    # Featherstone's 6x6 matrices, angular first; and an inertia by the parallel axis theorem.
    rotation, shift = Rotation.random(rng=rng), rng.normal(size=3)
    r = rotation.as_matrix()
    skew = lambda v: np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    motion = np.block([[r, np.zeros((3, 3))], [skew(shift) @ r, r]])
    force = np.linalg.inv(motion).T
    swap = np.block([[np.zeros((3, 3)), np.eye(3)], [np.eye(3), np.zeros((3, 3))]])
    mass, com = rng.uniform(1, 3), rng.normal(size=3)
    b = rng.normal(size=(3, 3))
    inertia = b @ b.T
    c = skew(com)
    spatial = np.block([[inertia + mass * c @ c.T, mass * c], [mass * c.T, mass * np.eye(3)]])
    moved = force @ spatial @ np.linalg.inv(motion)
    line(
        "spatial",
        [shift, rotation.as_quat(), mass, com, inertia],
        [swap @ motion @ swap, swap @ force @ swap, swap @ spatial @ swap, swap @ moved @ swap],
    )
