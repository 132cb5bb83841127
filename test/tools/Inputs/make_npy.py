"""Writes .npy files, most of them wrong, to the directory that it is given."""
import pathlib
import struct
import sys

directory = pathlib.Path(sys.argv[1])
ones = struct.pack("<32f", *range(32))


def literal(descr="'<f4'", order="False", shape="(4, 8)"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


def write(name, header=literal(), data=ones, version=1, magic=b"\x93NUMPY"):
    length = struct.pack("<H" if version == 1 else "<I", len(header) + 1)
    text = magic + bytes([version, 0]) + length + header.encode() + b"\n"
    (directory / f"{name}.npy").write_bytes(text + data)


write("good")
write("flat", literal(shape="(32,)"))
write("version2", version=2)
write("spaces", '{ "shape" : (4,8) , "fortran_order" : False, "descr" : "<f4" }')
write("integers", literal(descr="'<i4'"))
write("transposed", literal(shape="(8, 4)"))
write("fortran", literal(order="True"))
write("big", literal(descr="'>f4'"))
write("overflow", literal(shape=f"({2**32}, {2**32}, 32)"))
write("short", data=ones[:-4])
write("long", data=ones + ones)
write("negative", literal(shape="(-4, -8)"))
write("noshape", "{'descr': '<f4', 'fortran_order': False}")
write("object", literal(descr="'|O'"))
write("record", literal(descr="[('x', '<f4')]"))
write("magic", magic=b"NUMPY\x93")
write("version9", version=9)
(directory / "cut.npy").write_bytes(b"\x93NUMPY\x01\x00\xff\xff{'descr'")
(directory / "empty.npy").write_bytes(b"")
