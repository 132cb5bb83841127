"""Reads the arrays that gpuopt check wrote, without NumPy, and checks c = a * b."""

import ast
import struct
import sys


def read(path):
    data = open(path, "rb").read()
    assert data[:8] == b"\x93NUMPY\x01\x00", path
    (length,) = struct.unpack("<H", data[8:10])
    assert (10 + length) % 64 == 0, "the data is aligned"
    header = ast.literal_eval(data[10 : 10 + length].decode())
    assert header["descr"] == "<f4" and not header["fortran_order"], header
    return struct.unpack(f"<{header['shape'][0]}f", data[10 + length :])


a, b, c = (read(f"{sys.argv[1]}/{name}.npy") for name in "abc")
assert len(c) == 1000
for x, y, z in zip(a, b, c):
    assert z == struct.unpack("f", struct.pack("f", x * y))[0]
