"""gpuopt from Python: kernels written the naive way in; tuned kernels that can be called, looked at and shipped out.

    import gpuopt, numpy

    module = gpuopt.compile("mm.cu", target="sm_90")
    mm = module["mm"]
    mm(a, b, c, m, n, k)                # runs on NumPy arrays, without a GPU
    assert mm.check(m=130, n=67, k=31)  # equal to the source
    print(mm.explain())                 # what was done, and why not more
    mm.profile(m=256, n=256, k=64)      # a page in a notebook
    ptx = module.emit("ptx")            # what a GPU runs
    cuda = module.source("cuda")        # the same to read
"""

import json
import os
from collections.abc import Iterator
from typing import Optional

from ._errors import CompileError, Fault, LaunchError, log_warnings
from ._kernel import Kernel, Parameter
from ._results import Check, Launch, Profile, Sanity, Tuning
from ._source import Source

__all__ = ["Check", "Compilation", "CompileError", "Fault", "Kernel", "Launch", "LaunchError", "Parameter", "Profile",
           "Sanity", "Tuning", "compile"]


class Compilation:
    """One file, compiled for one target: `compilation["mm"]` is a kernel, iteration gives all."""

    def __init__(self, source: Source):
        self._file = source.compile()
        self._kernels = [Kernel(source, self._file, index, description)
                         for index, description in enumerate(self._file.kernels())]

    @property
    def kernels(self) -> list[str]:
        """Names of the kernels, in source order."""
        return [kernel.name for kernel in self._kernels]

    def __iter__(self) -> Iterator[Kernel]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __getitem__(self, name: str) -> Kernel:
        """The kernel of that name in the source, with template arguments where several have it, or of that symbol.

        Raises KeyError.
        """
        found = self._find(name)
        if len(found) == 1:
            return found[0]
        if found:
            raise KeyError(f"'{name}' is several kernels: there are {', '.join(f'{k.name} ({k.symbol})' for k in found)}")
        raise KeyError(f"'{name}' is no kernel: there are {', '.join(self.kernels)}")

    def __contains__(self, name: str) -> bool:
        return bool(self._find(name))

    def _find(self, name):
        """Those that are meant: by the whole name or the symbol, else without template arguments."""
        if not isinstance(name, str):
            raise TypeError(f"expected the name of a kernel, found {type(name).__name__}")
        plain = name.replace(" ", "")
        found = [kernel for kernel in self._kernels if plain in (kernel.name.replace(" ", ""), kernel.symbol)]
        return found or [kernel for kernel in self._kernels if plain == kernel.source_name]

    def emit(self, kind: str) -> bytes:
        """The tuned kernels as `ptx`, `cubin`, `hsaco`, `llvm`, `mlir`, or as source in `cuda`, `hip` or `opencl`, made once.
        Warnings of kernels that have no such form go to the logger `gpuopt`.

        Raises ValueError where the target or the machine has no such form.
        """
        if not isinstance(kind, str):
            raise TypeError(f"expected the name of a form, such as 'ptx', found {type(kind).__name__}")
        output, diagnostics = self._file.emit(kind)
        log_warnings(diagnostics)
        return output

    def source(self, language: str = "cuda") -> str:
        """The tuned kernels as source in `cuda`, `hip` or `opencl`."""
        if language not in ("cuda", "hip", "opencl"):
            raise ValueError(f"expected cuda, hip or opencl, found {language!r}")
        return self.emit(language).decode()

    def report(self) -> list[dict]:
        """One dictionary for each kernel; docs/report.md describes the fields."""
        return json.loads(self._file.report())

    def variable(self, name: str):
        """The bytes of a `__constant__` or `__device__` variable, as a NumPy array of uint8 that may be written: what calls
        of kernels read and leave there. `variable(name).view(numpy.float32)` has its numbers.

        Raises ValueError where there is none of that name.
        """
        return self._file.variable(name)


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
    assume_noalias: bool = False,
    reassociate: bool = False,
) -> Compilation:
    """Imports, raises and optimises the kernels of `path`, or of `text`, for which `path` is only a name.

    `kind` says what the input is written in (`cu`, `hip`, `cl` or `mlir`) where the ending of `path` does not. `target` is
    a known machine description or the path of one; `kernels` are the names of those that are wanted. `sizes` are values of
    parameters that the report's counts are evaluated for, `specialize` those that the kernels are made for.
    `assume_noalias` treats every pointer as `__restrict__`, `reassociate` lets floating-point sums be reordered.

    Warnings go to the logger `gpuopt`. Raises CompileError, a ValueError, where the input cannot be compiled. Threads may
    compile at once.
    """
    return Compilation(Source(os.fsdecode(path), target, kernels or [], optimize, sizes or {}, specialize or {},
                              clang_arguments or [], text, kind, assume_noalias, reassociate))
