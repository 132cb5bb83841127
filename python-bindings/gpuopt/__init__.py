"""gpuopt from Python: source in; PTX, HSACO, launch geometry and report out.

    import gpuopt

    mm = gpuopt.compile("mm.cu", target="sm_90", kernels=["mm"])
    ptx = mm.emit("ptx")
    block = mm.report()[0]["launch"]["block"]
    source = gpuopt.compile("mm.cu", text=open("mm.cu").read()).emit("cuda").decode()
"""

import json
import os
from typing import Optional

from . import _gpuopt

__all__ = ["Compilation", "compile"]


class Compilation:
    """One file, compiled for one target."""

    def __init__(self, compilation: "_gpuopt.Compilation"):
        self._compilation = compilation
        self._report: Optional[str] = None

    @property
    def kernels(self) -> list[str]:
        """Names of the kernels, in source order."""
        return self._compilation.kernels()

    def emit(self, kind: str) -> bytes:
        """The tuned kernels as `ptx`, `cubin`, `hsaco`, `llvm`, `mlir`, or as source in `cuda`, `hip` or `opencl`, made once.

        Raises ValueError where the target or the machine has no such form.
        """
        return self._compilation.emit(kind)

    def report(self) -> list[dict]:
        """One dictionary for each kernel; docs/report.md describes the fields."""
        if self._report is None:
            self._report = self._compilation.report()
        return json.loads(self._report)


def compile(
    path: os.PathLike | str,
    target: str = "sm_90",
    kernels: Optional[list[str]] = None,
    optimize: bool = True,
    sizes: Optional[dict[str, int]] = None,
    specialize: Optional[dict[str, int]] = None,
    clang_arguments: Optional[list[str]] = None,
    text: Optional[str] = None,
    kind: Optional[str] = None,
) -> Compilation:
    """Imports, raises and optimises the kernels of `path`, or of `text`, for which `path` is only a name.

    `kind` says what the input is written in (`cu`, `hip`, `cl` or `mlir`) where the ending of `path` does not.

    `target` is a known machine description or the path of one; `sizes` are
    values of parameters that the report's counts are evaluated for, `specialize`
    those that the kernels are made for. Raises ValueError where the input is wrong; the diagnostic is on standard error.
    """
    return Compilation(
        _gpuopt.compile(os.fspath(path), target, kernels or [], optimize, sizes or {},
                        specialize or {}, clang_arguments or [], text, kind)
    )
