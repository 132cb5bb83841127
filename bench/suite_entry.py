"""How one kernel is measured."""

import dataclasses


@dataclasses.dataclass
class Entry:
    """Sizes, operations and peers of a kernel; expressions are over its scalar parameters."""
    #: Sizes: for the kernels of Yang et al. 2012 those of the paper (Table II), one
    #: that fills an H200, and one for tests, no multiple of anything.
    paper: list[str]
    full: str
    small: str
    #: Operations; a multiply-add counts as two, comparisons and copies as none.
    flops: str
    #: What any implementation has to move. Default: every input read once, every result
    #: written once.
    bytes: str | None = None
    peers: list[str] = dataclasses.field(default_factory=list)
    #: Contents of inputs where they are not uniform in [-1, 1); see runner/Plan.h.
    fill: dict[str, str] = dataclasses.field(default_factory=dict)
    #: Outputs that the kernel reads first, or of which it leaves a part as it was.
    updates: list[str] = dataclasses.field(default_factory=list)
    #: Values of scalar parameters that are no integers.
    reals: dict[str, float] = dataclasses.field(default_factory=dict)
    #: Blocks of the original launch where the kernel is written for certain ones.
    blocks: list[tuple[int, int, int]] = dataclasses.field(default_factory=list)
    #: Written by hand as well: (file in bench/peers, symbol, items of a block, block).
    by_hand: tuple[str, str, tuple, tuple] | None = None
    #: Whether step by step and designs of the search are measured, too.
    has_steps: bool = False


def square(names: str, sizes: list[int]) -> list[str]:
    return [",".join(f"{name}={size}" for name in names.split()) for size in sizes]
