#!/usr/bin/env python3
"""Makes steps.txt: the first ten points of gradient descent, Adam and AdamW, by their published recurrences, in f64.

    python3 tests/optim/references/make.py > tests/optim/references/steps.txt

Sgd: PyTorch's documentation of torch.optim.SGD. Adam: Kingma and Ba, ICLR 2015, algorithm 1, as published, with both
corrections computed apart. AdamW: PyTorch's documentation of torch.optim.AdamW.

The loss is x²/2 + 5 y² + sin(x y) + z⁴/4 from (1.5, -0.75, 2). Each line: name, step, x, y, z.
"""
from math import cos, sqrt


def gradient(p):
    x, y, z = p
    return [x + y * cos(x * y), 10.0 * y + x * cos(x * y), z ** 3]


START = [1.5, -0.75, 2.0]


def sgd(rate, momentum=0.0, dampening=0.0, decay=0.0, nesterov=False):
    theta, buffer = START[:], None
    for t in range(1, 11):
        g = [gi + decay * p for gi, p in zip(gradient(theta), theta)]
        if momentum != 0.0:
            if t > 1:
                buffer = [momentum * b + (1.0 - dampening) * gi for b, gi in zip(buffer, g)]
            else:
                buffer = g[:]
            g = [gi + momentum * b for gi, b in zip(g, buffer)] if nesterov else buffer
        theta = [p - rate * gi for p, gi in zip(theta, g)]
        yield t, theta


def adam(rate, beta1=0.9, beta2=0.999, epsilon=1e-8, decay=0.0, decoupled=False):
    theta, m, v = START[:], [0.0] * 3, [0.0] * 3
    for t in range(1, 11):
        g = gradient(theta)
        if decoupled:
            theta = [p - rate * decay * p for p in theta]
        else:
            g = [gi + decay * p for gi, p in zip(g, theta)]
        m = [beta1 * mi + (1.0 - beta1) * gi for mi, gi in zip(m, g)]
        v = [beta2 * vi + (1.0 - beta2) * gi * gi for vi, gi in zip(v, g)]
        mh = [mi / (1.0 - beta1 ** t) for mi in m]
        vh = [vi / (1.0 - beta2 ** t) for vi in v]
        theta = [p - rate * mi / (sqrt(vi) + epsilon) for p, mi, vi in zip(theta, mh, vh)]
        yield t, theta


CASES = {
    "sgd": sgd(0.05),
    "sgd-decay": sgd(0.05, decay=0.3),
    "momentum": sgd(0.02, momentum=0.9),
    "dampened": sgd(0.02, momentum=0.9, dampening=0.4, decay=0.1),
    "nesterov": sgd(0.02, momentum=0.8, nesterov=True),
    "adam": adam(0.1),
    "adam-betas": adam(0.3, 0.6, 0.8, 1e-3),
    "adam-decay": adam(0.1, decay=0.5),
    "adamw": adam(0.1, decay=0.01, decoupled=True),
    "adamw-decay": adam(0.1, decay=2.0, decoupled=True),
}

for name, steps in CASES.items():
    for t, theta in steps:
        print(name, t, *(repr(p) for p in theta))
