"""Checks that two arrays of floats have the same bits, but for those of NaNs."""

import math
import struct
import sys


def read(path):
    data = open(path, "rb").read()
    (length,) = struct.unpack("<H", data[8:10])
    return [data[at : at + 4] for at in range(10 + length, len(data), 4)]


first, second = map(read, sys.argv[1:])
assert len(first) == len(second)
kinds = {}
for place, (x, y) in enumerate(zip(first, second)):
    (a,), (b,) = struct.unpack("<f", x), struct.unpack("<f", y)
    assert x == y or math.isnan(a) and math.isnan(b), f"{place}: {a} and {b}"
    kind = "nan" if math.isnan(a) else "inf" if math.isinf(a) else f"{a}" if a == 0 else "other"
    kinds[kind] = kinds.get(kind, 0) + 1
print(*(f"{kind}: {kinds[kind]}" for kind in sorted(kinds)), sep=", ")
