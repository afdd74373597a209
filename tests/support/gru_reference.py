#!/usr/bin/env python3
"""The network of learn/seq2seq/gru.h written again with numpy, in double precision, from its formulas alone.

    gru_reference.py FILE

FILE is what tests/unit/test_numpy.c wrote: sizes, parameters, one batch, and the probabilities and losses that C
found. Exits 1 when one of them is off by more than 1e-5.
SPDX-License-Identifier: Apache-2.0
"""
import sys

import numpy as np


def read(path):
    with open(path) as f:
        return {name: np.array([float(x) for x in rest]) for name, *rest in (line.split() for line in f)}


def cut(flat, shapes):
    at, out = 0, []
    for shape in shapes:
        n = int(np.prod(shape))
        out.append(flat[at : at + n].reshape(shape))
        at += n
    assert at == len(flat)
    return out


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def unit(x, h, w, b, u):
    n = len(h)
    inside, state = x @ w + b, h @ u
    z = sigmoid(inside[:n] + state[:n])
    r = sigmoid(inside[n : 2 * n] + state[n : 2 * n])
    new = np.tanh(inside[2 * n :] + r * state[2 * n :])
    return (1 - z) * new + z * h


def main():
    data = read(sys.argv[1])
    V, e, h = (int(x) for x in data["sizes"])
    emb, enc_w, enc_b, enc_u, dec_w, dec_b, dec_u, out_w, out_b = cut(
        data["parameters"],
        [(V, e), (e, 3 * h), (3 * h,), (h, 3 * h), (e, 3 * h), (3 * h,), (h, 3 * h), (h, V), (V,)],
    )
    worst = 0.0
    softmax_loss = ace_loss = 0.0
    for i in range(int(data["rows"][0])):
        source, target = data[f"source{i}"].astype(int), data[f"target{i}"].astype(int)
        state = np.zeros(h)
        for token in source:
            state = unit(emb[token], state, enc_w, enc_b, enc_u)
        before, wanted = 0, data[f"probability{i}"].reshape(len(target), V)
        for t, token in enumerate(target):
            state = unit(emb[before], state, dec_w, dec_b, dec_u)
            logit = state @ out_w + out_b
            p = np.exp(logit - logit.max())
            p /= p.sum()
            worst = max(worst, np.abs(p - wanted[t]).max())
            softmax_loss -= np.log(p[token]) / len(target)
            ace_loss -= (np.log(p[token]) + np.log1p(-np.delete(p, token)).sum()) / len(target)
            before = token
    for name, loss in (("softmax", softmax_loss), ("ace", ace_loss)):
        worst = max(worst, abs(loss - data[name][0]) / loss)
    print(f"largest difference {worst:.2e}")
    return 1 if worst > 1e-5 else 0


if __name__ == "__main__":
    sys.exit(main())
