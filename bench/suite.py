"""What bench/run.py measures: kernels, sizes, operation counts, peers.

A kernel's arrays, outputs and work domain come from the pragma in front of it,
its parameters from its signature, so that a kernel is written down once.
"""

import dataclasses
import pathlib
import re
import struct

from suite_entry import Entry, square
from suite_kernels import KERNELS

ROOT = pathlib.Path(__file__).resolve().parent.parent


def unified(paper: list[str], full: str, small: str, flops: str, **more) -> Entry:
    return Entry(paper, full, small, flops, has_steps=True, **more)


K4 = [1024, 2048, 3072, 4096]
#: The kernels of examples/unified.cu.
UNIFIED = {
    "mm": unified(square("m n k", K4), "m=8192,n=8192,k=8192", "m=33,n=65,k=17", "2*m*n*k",
                  peers=["cublasSgemm"]),
    "mv": unified(square("h w", K4), "h=32768,w=32768", "h=70,w=33", "2*h*w",
                  peers=["cublasSgemv"]),
    "tmv": unified(square("h w", K4), "h=32768,w=32768", "h=33,w=70", "2*h*w",
                   peers=["cublasSgemv"]),
    "vv": unified(square("n", [1 << 20, 1 << 22]), f"n={1 << 28}", "n=1003", "n",
                  peers=["cublasSdgmm"]),
    "rd": unified(square("n", [1 << 20, 1 << 22, 1 << 24]), f"n={1 << 28}", "n=2048", "n",
                  bytes="4*(n+1)", peers=["cublasSasum", "cub"], fill={"a": "positive"},
                  updates=["a"]),
    "crd": unified(square("n", [1 << 20, 1 << 22]), f"n={1 << 27}", "n=2048", "2*n",
                   bytes="4*(2*n+1)", peers=["cublasScasum", "cub"]),
    "strsm": unified(square("m n", K4), "m=4096,n=32768", "m=21,n=40", "m*m*n",
                     bytes="2*m*(m+1)+8*m*n", peers=["cublasStrsm"], fill={"l": "dominant"},
                     updates=["b"]),
    "conv": unified([f"h={n},w={n},kh=32,kw=32" for n in K4], "h=8192,w=8192,kh=32,kw=32",
                    "h=19,w=70,kh=5,kw=3", "2*h*w*kh*kw", peers=["cudnnConvolutionForward"],
                    by_hand=("conv.cu", "conv_by_hand", (32, 64, 1), (32, 8, 1))),
    "tp": unified(square("h w", [*K4, 8192]), "h=32768,w=16384", "h=37,w=70", "0",
                  peers=["cublasSgeam", "copy"]),
    "demosaic": unified(square("h w", K4), "h=16384,w=16384", "h=21,w=70", "12*h*w"),
    "imregionmax": unified(square("h w", K4), "h=16384,w=16384", "h=21,w=70", "0",
                           fill={"image": "levels"}),
}
#: A sum of products, as examples/unified.cu has sums: what cublasSdot is there for.
REDUCTIONS = {
    "dot": Entry(square("n", [1 << 20, 1 << 22]), f"n={1 << 27}", "n=2048", "2*n",
                 bytes="4*(2*n+1)", peers=["cublasSdot", "cub"]),
}
SUITE = {**UNIFIED, **REDUCTIONS, **KERNELS}
FILES = {**dict.fromkeys(UNIFIED, ROOT / "examples/unified.cu"),
         **dict.fromkeys(REDUCTIONS, ROOT / "bench/peers/dot.cu"),
         **{name: ROOT / f"bench/kernels/{name}.cu" for name in KERNELS}}
TYPES = {"__half": "f16", "float": "f32", "double": "f64", "int": "i32", "long long": "i64",
         "unsigned char": "u8", "unsigned": "u32", "unsigned int": "u32"}
BYTES = {"f16": 2, "f32": 4, "f64": 8, "i32": 4, "i64": 8, "u8": 1, "u32": 4}
PACKING = {"float": "<f", "double": "<d", "int": "<i", "unsigned": "<I", "long": "<q",
           "long long": "<q"}


@dataclasses.dataclass
class Array:
    name: str
    type: str
    elements: int
    role: str
    counted: int
    fill: str


@dataclasses.dataclass
class Case:
    """One kernel at one size."""
    kernel: str
    file: str
    size: str
    arrays: list[Array]
    scalars: dict[str, float]
    #: Type and name of each parameter; the type of an array is "*".
    parameters: list[tuple[str, str]]
    domain: list[int]
    flops: int
    bytes: int
    #: Of the operations: "f32" and so on.
    type: str
    peers: list[str]
    #: Whether step by step, and designs of the search, are measured at this size.
    has_steps: bool
    has_search: bool

    @property
    def id(self) -> str:
        return f"{self.kernel}:{self.size}"

    def naive_blocks(self) -> list[tuple[int, int, int]]:
        """Blocks that people would choose; the better one counts."""
        return SUITE[self.kernel].blocks or (
            [(256, 1, 1)] if len(self.domain) == 1 else [(16, 16, 1), (32, 8, 1)])

    def grid(self, block: tuple[int, int, int]) -> tuple[int, int, int]:
        domain = [*self.domain, 1, 1][:3]
        return tuple(-(-items // threads) for items, threads in zip(domain, block))

    def argument(self, type: str, name: str) -> str:
        """A launch argument as plan.txt has it: an array, or bytes and bits of a number."""
        if type == "*":
            return f"a:{name}"
        integer = type not in ("float", "double")
        bits = struct.pack(PACKING[type], int(self.scalars[name]) if integer else
                           self.scalars[name])
        return f"{len(bits)}:{int.from_bytes(bits, 'little')}"


def evaluate(expression: str, sizes: dict[str, int]) -> int:
    """The value of a C expression over sizes."""
    return int(eval(expression.replace("//", "/").replace("/", "//"), {"__builtins__": {}},
                    dict(sizes)))


def declaration(kernel: str) -> tuple[dict[str, list[str]], list[tuple[str, str]]]:
    """The pragma's clauses and the parameters, (type, name), of a kernel."""
    source = FILES[kernel].read_text().replace("\\\n", " ")
    found = re.search(r"#pragma gpuopt ([^\n]*)\n(?:template[^\n]*\n)?__global__\s+void\s+" +
                      kernel + r"\(([^)]*)\)", source)
    clauses: dict[str, list[str]] = {"domain": [], "array": [], "output": []}
    for name, text in re.findall(r"(\w+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)", found[1]):
        clauses[name].append(text)
    parameters = []
    for text in found[2].split(","):
        type, name = re.fullmatch(r"\s*(?:const\s+)?(.*?)\s*(\w+)\s*", text, re.S).groups()
        parameters.append((type.replace("__restrict__", "").replace(" *", "*").strip(), name))
    return clauses, parameters


def make_case(kernel: str, size: str) -> Case:
    entry = SUITE[kernel]
    clauses, parameters = declaration(kernel)
    sizes = {name: int(value) for name, value in (part.split("=") for part in size.split(","))}
    types = {name: TYPES[type.rstrip("*").strip()] for type, name in parameters
             if type.endswith("*")}
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
            elements *= evaluate(extent, sizes)
        role = "inout" if name in entry.updates else "out" if name in outputs else "in"
        counted = evaluate(outputs[name], sizes) if outputs.get(name) else elements
        is_result = name in outputs or name in entry.updates
        arrays.append(Array(name, types[name], elements, role, counted if is_result else 0,
                            entry.fill.get(name, "uniform")))
    moved = sum(BYTES[array.type] * array.elements * (2 if array.role == "inout" else 1)
                for array in arrays)
    return Case(kernel, str(FILES[kernel].relative_to(ROOT)), size, arrays,
                {**sizes, **entry.reals},
                [("*" if type.endswith("*") else type, name) for type, name in parameters],
                [evaluate(extent, sizes) for extent in clauses["domain"][0].split(",")],
                evaluate(entry.flops, sizes),
                evaluate(entry.bytes, sizes) if entry.bytes else moved, arrays[0].type,
                list(entry.peers),
                entry.has_steps and size in (entry.paper[-1], entry.full, entry.small),
                entry.has_steps and size in (entry.full, entry.small))


def cases(kernels: list[str], sizes: str) -> list[Case]:
    """The cases of some kernels for `sizes`: small, paper, full or all."""
    made = []
    for kernel in kernels:
        entry = SUITE[kernel]
        chosen = {"small": [entry.small], "paper": entry.paper, "full": [entry.full],
                  "all": [*entry.paper, entry.full]}[sizes]
        made += [make_case(kernel, size) for size in chosen]
    return made
