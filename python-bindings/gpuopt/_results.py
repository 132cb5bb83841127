"""What checks and profiles have found."""

import dataclasses
import html
import typing

if typing.TYPE_CHECKING:
    from ._kernel import Kernel


@dataclasses.dataclass(frozen=True)
class Launch:
    """One launch of a kernel in what `emit` gives: `symbol` with `grid` and `block` (x, y, z) and `shared_bytes` of dynamic
    workgroup memory. `is_fallback` where it is the kernel as it was written, with the `reason` where that is known."""

    symbol: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    is_fallback: bool
    reason: str


@dataclasses.dataclass(frozen=True)
class Tuning:
    """What a search has found: the `kernel` made by the best `design` (docs/search.md), all `variants` as dictionaries, the
    best first, and the table of `gpuopt tune` as `str()`."""

    kernel: "Kernel"
    design: str
    variants: list[dict]
    text: str

    def __str__(self) -> str:
        return self.text


@dataclasses.dataclass(frozen=True)
class Check:
    """Whether the tuned kernel has computed what the untouched source computes.

    True in a condition where all launches passed. `runs` has a dictionary for each launch (docs/report.md, `check`), `str()`
    is the text that `gpuopt check` prints.
    """

    passed: bool
    runs: list[dict]
    text: str

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return self.text


@dataclasses.dataclass(frozen=True)
class Sanity:
    """What a kernel as it is written did against the rules of GPUs: `faults` is a list of dictionaries (docs/report.md)
    with what and where. True in a condition where there is nothing."""

    report: dict
    text: str

    @property
    def faults(self) -> list[dict]:
        return self.report["faults"]

    def __bool__(self) -> bool:
        return not self.faults

    def __str__(self) -> str:
        return self.text


@dataclasses.dataclass(frozen=True)
class Profile:
    """What a kernel asks of memory: `versions` has a dictionary for each version that ran (docs/profile.md), `html` is the
    page of `gpuopt profile --html`, which a notebook shows, and `str()` its text."""

    versions: list[dict]
    text: str
    html: str

    def save(self, path) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.html)}" style="width: 100%; height: 900px; border: 0"></iframe>'

    def __str__(self) -> str:
        return self.text
