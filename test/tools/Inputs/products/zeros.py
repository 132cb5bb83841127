"""Writes a.npy (m x k) and b.npy (k x n), of numbers for which zeros matter.

Rows of a and columns of b are of several kinds, of which each meets each: zeros
of both signs; zeros and an infinity in the last place; small numbers; all the
same, zeros of either sign in a and positive numbers in b. The products of those
are zeros of one sign, of which one leaves a sum of -0.0 as it is and the other
a difference.
"""

import random
import struct
import sys


def line(kind, length, chance, same):
    if kind > 2:
        return [same] * length
    numbers = [chance.choice([0.0, -0.0]) for _ in range(length)]
    if kind == 1:
        numbers[-1] = chance.choice([float("inf"), float("-inf")])
    if kind == 2:
        numbers = [float(chance.randint(-4, 4)) for _ in range(length)]
    return numbers


def write(path, numbers):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(numbers)},), }}"
    header = header.ljust(128 - 10 - 1) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(numbers)}f", *numbers))


directory, m, n, k = sys.argv[1], *map(int, sys.argv[2:])
chance = random.Random(1)
rows = [line(y % 5, k, chance, -0.0 if y % 5 == 3 else 0.0) for y in range(m)]
columns = [line(x % 4, k, chance, 1.5) for x in range(n)]
write(f"{directory}/a.npy", [x for row in rows for x in row])
write(f"{directory}/b.npy", [column[i] for i in range(k) for column in columns])
