# RUN: %python %s %gpuopt_build/lib/libgpuopt-c.so
"""A program in another language loads the library at run time; three threads compile at once."""

import ctypes
import sys
import threading

gpuopt = ctypes.CDLL(sys.argv[1])
for name in ("gpuoptOptionsCreate", "gpuoptCompile", "gpuoptReport"):
    getattr(gpuopt, name).restype = ctypes.c_void_p
gpuopt.gpuoptKernelName.restype = ctypes.c_char_p
for name in ("gpuoptOptionsSetKind", "gpuoptRun"):
    getattr(gpuopt, name).restype = ctypes.c_bool
results = {}


def compile(name):
    text = f"__global__ void {name}(int *a, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += 1; }}".encode()
    options = ctypes.c_void_p(gpuopt.gpuoptOptionsCreate())
    gpuopt.gpuoptOptionsSetText(options, text, ctypes.c_size_t(len(text)))
    assert gpuopt.gpuoptOptionsSetKind(options, b"cu") and not gpuopt.gpuoptOptionsSetKind(options, b"exe")
    said = ctypes.c_void_p()
    file = ctypes.c_void_p(gpuopt.gpuoptCompile(name.encode(), options, ctypes.byref(said)))
    assert file and ctypes.cast(said, ctypes.c_char_p).value == b""
    array = (ctypes.c_int * 5)(*range(5))
    count = ctypes.c_int(5)

    class Argument(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]

    arguments = (Argument * 2)((ctypes.addressof(array), 20), (ctypes.addressof(count), 4))
    assert gpuopt.gpuoptRun(file, ctypes.c_size_t(0), None, arguments, ctypes.c_size_t(2), None)
    results[gpuopt.gpuoptKernelName(file, ctypes.c_size_t(0)).decode()] = list(array)
    gpuopt.gpuoptFree(said)
    gpuopt.gpuoptFileDestroy(file)
    gpuopt.gpuoptOptionsDestroy(options)


threads = [threading.Thread(target=compile, args=(f"f{number}",)) for number in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert results == {f"f{number}": [1, 2, 3, 4, 5] for number in range(3)}, results
