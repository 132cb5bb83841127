"""The kernels of bench/kernels and of the examples, and sizes at which they are quick to run and guards have work to do."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
# By parameter: no multiples of anything, so that every guard has something to do.
SIZES = {"m": 45, "n": 70, "k": 19, "h": 37, "w": 70, "kh": 3, "kw": 5, "r": 3, "d": 2, "kl": 3,
         "H": 13, "W": 37, "C": 5, "K": 7, "N": 3, "P": 41, "B": 2, "S": 37, "D": 8,
         "np": 37, "nq": 13, "nr": 5, "a0": 5, "a1": 37, "a2": 70, "batch": 3, "iters": 3}
# The same with several tiles along each dimension, the last of them partial.
LARGE = {"m": 150, "n": 139, "k": 90, "h": 133, "w": 150, "P": 150, "np": 150}
# Kernels of one dimension, and of more than two by one size.
LARGE_SPECIAL = {"vv": {"n": 5000}, "gemver1": {"n": 500}, "heat3": {"n": 37}, "heat3_march": {"n": 37},
                 "minplus": {"n": 75}, "const_mm": {"m": 600}, "nbody_soa": {"n": 300}, "stencil1r": {"n": 5000},
                 "split_heads": {"B": 2, "T": 37, "H": 13, "D": 32},
                 "bgemm_s": {"m": 150, "n": 139, "k": 20, "batch": 2, "sa": 3000, "sb": 2780, "sc": 20850}}
# Where extents depend on each other, or the default takes long.
SPECIAL = {
    "bgemm_s": {"m": 45, "n": 37, "k": 19, "sa": 855, "sb": 703, "sc": 1665},
    "mm_ld": {"m": 45, "n": 37, "k": 19, "lda": 23, "ldb": 41, "ldc": 40},
    "conv_nchw": {"N": 2, "C": 3, "H": 9, "W": 35, "K": 3},
    "rd": {"n": 1024}, "crd": {"n": 1024}, "fft": {"n": 256},
}
# Kernels whose tiles are made for blocks of one shape.
BLOCKS = {"sh_mm": "32,32", "sh_t": "16,16"}


def kernels(large: bool = False) -> dict[str, tuple[pathlib.Path, str]]:
    """File and --size of every kernel by name."""
    found = {}
    for file in [*sorted((ROOT / "examples").glob("*.cu")), *sorted((ROOT / "bench/kernels").glob("*.cu"))]:
        for name, parameters in re.findall(r"__global__\s+void\s+(\w+)\s*\(([^)]*)\)", file.read_text()):
            scalars = [text.split()[-1] for text in parameters.split(",") if "*" not in text]
            values = SIZES | (LARGE if large else {}) | SPECIAL.get(name, {}) | (LARGE_SPECIAL.get(name, {}) if large else {})
            found.setdefault(name, (file, ",".join(f"{scalar}={values.get(scalar, 7)}" for scalar in scalars)))
    return found
