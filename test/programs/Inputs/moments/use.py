import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
rows, n = 300, 33
for kind, function in ((ctypes.c_float, library.meansOfFloats), (ctypes.c_double, library.meansOfDoubles)):
    x = (kind * (rows * n))(*[(i * 5) % 64 for i in range(rows * n)])
    means = (kind * rows)()
    error = function(x, means, ctypes.c_size_t(rows), ctypes.c_uint(n))
    wrong = sum(abs(means[r] - sum(x[r * n : r * n + n]) / n) > 1e-4 for r in range(rows))
    print(kind.__name__, "error", error, "wrong", wrong)
