"""What bench/run.py measures: kernels, sizes, operation counts, peers.

A kernel's arrays, outputs and work domain come from the pragma in front of it,
its parameters from its signature, so that a kernel is written down once.
Parameters are arrays of float and scalars of int.
"""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "examples/unified.cu"


@dataclasses.dataclass
class Entry:
    """How to measure one kernel; expressions are over its scalar parameters."""
    #: Sizes: the paper's (Yang et al. 2012, Table II), one that fills an H200, and
    #: one for tests, no multiple of anything.
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
    #: Outputs that the kernel reads first: it solves or sums in place.
    updates: list[str] = dataclasses.field(default_factory=list)


def square(names: str, sizes: list[int]) -> list[str]:
    return [",".join(f"{name}={size}" for name in names.split()) for size in sizes]


K4 = [1024, 2048, 3072, 4096]
SUITE = {
    "mm": Entry(square("m n k", K4), "m=8192,n=8192,k=8192", "m=33,n=65,k=17", "2*m*n*k",
                peers=["cublasSgemm"]),
    "mv": Entry(square("h w", K4), "h=32768,w=32768", "h=70,w=33", "2*h*w", peers=["cublasSgemv"]),
    "tmv": Entry(square("h w", K4), "h=32768,w=32768", "h=33,w=70", "2*h*w",
                 peers=["cublasSgemv"]),
    "vv": Entry(square("n", [1 << 20, 1 << 22]), f"n={1 << 28}", "n=1003", "n"),
    "rd": Entry(square("n", [1 << 20, 1 << 22, 1 << 24]), f"n={1 << 28}", "n=2048", "n",
                bytes="4*(n+1)", peers=["cublasSasum"], fill={"a": "positive"}, updates=["a"]),
    "crd": Entry(square("n", [1 << 20, 1 << 22]), f"n={1 << 27}", "n=2048", "2*n",
                 bytes="4*(2*n+1)", peers=["cublasScasum"]),
    "strsm": Entry(square("m n", K4), "m=4096,n=32768", "m=21,n=40", "m*m*n",
                   bytes="2*m*(m+1)+8*m*n", peers=["cublasStrsm"], fill={"l": "dominant"},
                   updates=["b"]),
    "conv": Entry([f"h={n},w={n},kh=32,kw=32" for n in K4], "h=8192,w=8192,kh=32,kw=32",
                  "h=19,w=70,kh=5,kw=3", "2*h*w*kh*kw"),
    "tp": Entry(square("h w", [*K4, 8192]), "h=32768,w=16384", "h=37,w=70", "0",
                peers=["cublasSgeam", "copy"]),
    "demosaic": Entry(square("h w", K4), "h=16384,w=16384", "h=21,w=70", "12*h*w"),
    "imregionmax": Entry(square("h w", K4), "h=16384,w=16384", "h=21,w=70", "0",
                         fill={"image": "levels"}),
}


@dataclasses.dataclass
class Array:
    name: str
    elements: int
    role: str
    counted: int
    fill: str


@dataclasses.dataclass
class Case:
    """One kernel at one size."""
    kernel: str
    size: str
    arrays: list[Array]
    scalars: dict[str, int]
    parameters: list[str]
    domain: list[int]
    flops: int
    bytes: int
    peers: list[str]

    @property
    def id(self) -> str:
        return f"{self.kernel}:{self.size}"

    def naive_blocks(self) -> list[tuple[int, int, int]]:
        """Blocks that people would choose; the better one counts."""
        return [(256, 1, 1)] if len(self.domain) == 1 else [(16, 16, 1), (32, 8, 1)]

    def grid(self, block: tuple[int, int, int]) -> tuple[int, int, int]:
        domain = [*self.domain, 1, 1][:3]
        return tuple(-(-items // threads) for items, threads in zip(domain, block))


def evaluate(expression: str, sizes: dict[str, int]) -> int:
    """The value of a C expression over sizes."""
    return int(eval(expression.replace("/", "//"), {"__builtins__": {}}, dict(sizes)))


def declaration(kernel: str) -> tuple[dict[str, list[str]], list[str]]:
    """The pragma's clauses and the parameters ('*a' for arrays) of a kernel."""
    found = re.search(r"#pragma gpuopt ([^\n]*)\n__global__\s+void\s+" + kernel + r"\(([^)]*)\)",
                      SOURCE.read_text())
    clauses: dict[str, list[str]] = {"domain": [], "array": [], "output": []}
    for name, text in re.findall(r"(\w+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)", found[1]):
        clauses[name].append(text)
    words = [parameter.split() for parameter in found[2].split(",")]
    return clauses, ["*" + word[-1].lstrip("*") if "*" in "".join(word) else word[-1]
                     for word in words]


def make_case(kernel: str, size: str) -> Case:
    entry = SUITE[kernel]
    clauses, parameters = declaration(kernel)
    scalars = {name: int(value) for name, value in (part.split("=") for part in size.split(","))}
    outputs = {}
    for clause in clauses["output"]:
        for text in clause.split(","):
            name, _, counted = (part.strip() for part in text.partition(":"))
            outputs[name] = counted
    arrays = []
    for clause in clauses["array"]:
        name, _, shape = (part.strip() for part in clause.partition(":"))
        elements = 1
        for extent in shape.split(","):
            elements *= evaluate(extent, scalars)
        role = "inout" if name in entry.updates else "out" if name in outputs else "in"
        counted = evaluate(outputs[name], scalars) if outputs.get(name) else elements
        arrays.append(Array(name, elements, role, counted if name in outputs else 0,
                            entry.fill.get(name, "uniform")))
    moved = sum(4 * array.elements * (2 if array.role == "inout" else 1) for array in arrays)
    return Case(kernel, size, arrays, scalars, parameters,
                [evaluate(extent, scalars) for extent in clauses["domain"][0].split(",")],
                evaluate(entry.flops, scalars),
                evaluate(entry.bytes, scalars) if entry.bytes else moved, entry.peers)


def cases(kernels: list[str], sizes: str) -> list[Case]:
    """The cases of some kernels for `sizes`: small, paper, full or all."""
    made = []
    for kernel in kernels:
        entry = SUITE[kernel]
        chosen = {"small": [entry.small], "paper": entry.paper, "full": [entry.full],
                  "all": [*entry.paper, entry.full]}[sizes]
        made += [make_case(kernel, size) for size in chosen]
    return made
