#!/usr/bin/env python3
"""Different URLs of 1,024 bytes whose XXH3 is the same, 64 and 128 bits: collide.py COUNT [PREFIX]

As tests/support/collide.c makes them, where it is explained. PREFIX stands before each line.
SPDX-License-Identifier: Apache-2.0
"""
import sys

KEYS = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
STRIPE, WORD, LANES, STRIPES = 64, 8, 8, 15


def pair(by: int) -> tuple[int, int] | None:
    return next(((a, a ^ by) for a in LETTERS if a ^ by in LETTERS), None)


def key(stripe: int, lane: int) -> bytes:
    return KEYS[WORD * (stripe + lane):][:WORD]


def main() -> None:
    url = bytearray(b"https://h.example/".ljust(1024, b"x"))
    ways: list[tuple[int, int]] = []
    used: set[tuple[int, int]] = set()
    for lane in range(LANES):
        for a in range(1, STRIPES):
            for b in range(a + 1, STRIPES):
                differ = bytes(x ^ y for x, y in zip(key(a, lane), key(b, lane)))
                high = [pair(d) for d in differ[4:]]
                low = [i for i in range(4) if not differ[i] & 1]
                if None in high or not low or {(a, lane), (b, lane)} & used:
                    continue
                used |= {(a, lane), (b, lane)}
                p, q = STRIPE * a + WORD * lane, STRIPE * b + WORD * lane
                url[p + 4:p + 8], url[q + 4:q + 8] = (bytes(h[side] for h in high if h) for side in (0, 1))
                ways += [(p + i, q + i) for i in low]
    prefix = sys.argv[2] if len(sys.argv) > 2 else ""
    for number in range(int(sys.argv[1])):
        for bit, (p, q) in enumerate(ways):
            url[p], url[q] = b"cb" if number >> bit & 1 else b"bc"
        print(prefix + url.decode())


main()
