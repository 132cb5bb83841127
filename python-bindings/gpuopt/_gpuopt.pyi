"""The part in C++. What users see is the package around it."""

from collections.abc import Callable
from typing import Any, Optional

class Settings:
    target: str
    kernels: list[str]
    optimize: bool
    assume_noalias: bool
    reassociate: bool
    sizes: dict[str, int]
    specialize: dict[str, int]
    designs: dict[str, str]
    clang_arguments: list[str]
    text: Optional[str]
    kind: Optional[str]
    def __init__(self) -> None: ...

class CompiledFile:
    class Run:
        sizes: dict[str, int | float]
        inputs: dict[str, str]
        same_arrays: dict[str, str]
        grid: Optional[list[int]]
        block: Optional[list[int]]
        shared_bytes: int
        seed: int
        def __init__(self) -> None: ...

    def kernels(self) -> list[tuple[str, str, str, str, int, list[tuple[str, str, bool]]]]: ...
    def emit(self, kind: str) -> tuple[bytes, str]: ...
    def report(self) -> str: ...
    def explain(self, kernel: int) -> str: ...
    def launch(
        self,
        kernel: int,
        arguments: tuple[Any, ...],
        grid: Optional[list[int]],
        block: Optional[list[int]],
        shared_bytes: int,
    ) -> list[tuple[str, str, str]]: ...
    def launches(
        self, kernel: int, grid: list[int], block: list[int], shared_bytes: int, scalars: dict[str, int]
    ) -> list[dict[str, Any]]: ...
    def seconds_of_kernels(self) -> float: ...
    def variable(self, name: str) -> Any: ...
    def check(self, kernel: int, run: Run, values: str, from_: str, allow_fallback: bool) -> tuple[bool, str, str]: ...
    def profile(self, kernel: int, run: Run, versions: list[bool]) -> tuple[str, str, str]: ...
    def search(
        self, kernel: int, budget: float, measure: Optional[Callable[..., Optional[float]]], cache: bool
    ) -> tuple[Optional[str], str, str, str]: ...
    def sanitize(self, kernel: int, run: Run) -> tuple[str, str]: ...

def compile(path: str, settings: Settings) -> tuple[Optional[CompiledFile], str]: ...
