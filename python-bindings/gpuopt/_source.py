"""What is compiled, and how: enough to compile it again for other sizes or by another design."""

import dataclasses
import numbers
from typing import Optional

from . import _gpuopt
from ._errors import CompileError, log_warnings


@dataclasses.dataclass(frozen=True)
class Source:
    """The arguments of `gpuopt.compile`."""

    path: str
    target: str
    kernels: list[str]
    optimize: bool
    sizes: dict[str, int]
    specialize: dict[str, int]
    clang_arguments: list[str]
    text: Optional[str]
    kind: Optional[str]
    assume_noalias: bool
    reassociate: bool
    designs: dict[str, str] = dataclasses.field(default_factory=dict)

    def __post_init__(self):
        for name in ("path", "target", "text", "kind"):
            value = getattr(self, name)
            if not isinstance(value, str) and (value is not None or name in ("path", "target")):
                raise TypeError(f"{name}: expected text, found {type(value).__name__}")
        for name in ("kernels", "clang_arguments"):
            value = getattr(self, name)
            if isinstance(value, str) or not all(isinstance(entry, str) for entry in value):
                raise TypeError(f"{name}: expected a list of texts, found {value!r}")
        if "\0" in self.path:
            raise ValueError("path: there is a null in it")
        for name in ("sizes", "specialize"):
            for parameter, value in getattr(self, name).items():
                if not isinstance(value, numbers.Integral):
                    raise TypeError(f"{name}: expected an integer for '{parameter}', found {type(value).__name__}")

    def compile(self) -> "_gpuopt.CompiledFile":
        settings = _gpuopt.Settings()
        for field in dataclasses.fields(self):
            if field.name != "path":
                setattr(settings, field.name, getattr(self, field.name))
        file, diagnostics = _gpuopt.compile(self.path, settings)
        if file is None:
            raise CompileError(diagnostics)
        log_warnings(diagnostics)
        known = {parameter for *_, parameters in file.kernels() for parameter, *_ in parameters}
        for parameter in [*self.sizes, *self.specialize]:
            if parameter.split(".")[0] not in known:
                raise ValueError(f"no kernel has a parameter '{parameter}'; there are {', '.join(sorted(known))}")
        return file
