#!/usr/bin/env python3
"""Proves what passes make of index arithmetic equal to what they got, for all values (translation validation).

Kernels of one or two operations on integers of 8 and 16 bits - every operation, flag, cast and kind of operand - are sent through passes,
and Z3 proves each one's result a refinement: where the source is defined, the result is, and stores to the same element at the
same time. The kernels are all there are of one operation, and a sample, by seed, of those of two.

  validate-rewrites.py                        200 kernels of each kind
  validate-rewrites.py --count 5000 --seed 7  more, and others
"""

import argparse
import itertools
import random
import subprocess
import sys

from semantics import parse_kernels, refutation

RAISE = "gpuopt-raise-indices,canonicalize,cse,gpuopt-raise-global-ids,gpuopt-raise-index-arithmetic,canonicalize,cse"
PIPELINES = ["gpuopt-raise-indices", "gpuopt-raise-global-ids", "gpuopt-raise-index-arithmetic", RAISE,
             f"{RAISE},gpuopt-delinearize-accesses,canonicalize,cse"]
FLAGS = {name: ["", " overflow<nsw>", " overflow<nuw>", " overflow<nsw, nuw>"] for name in ("addi", "subi", "muli", "shli")}
OPERATIONS = ["addi", "subi", "muli", "shli", "shrsi", "shrui", "andi", "ori", "xori", "divsi", "divui", "remsi", "remui", "minsi",
              "maxsi", "minui", "maxui"]
ORDERS = ["slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge", "eq", "ne"]
CONSTANTS = [-128, -8, -3, -1, 0, 1, 2, 3, 7, 8, 15, 100, 127]


class Kernel:
    """The text of one kernel, operation by operation."""

    def __init__(self, choose):
        self.choose, self.lines = choose, []

    def add(self, text):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"    {name} = {text}")
        return name

    def constant(self, bits, value):
        value = (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))
        return self.add(f"arith.constant {value} : i{bits}")

    def number(self, identifier):
        return self.add(f"arith.index_cast {self.add(identifier)} : index to i32")

    def operand(self, bits):
        kind = self.choose(["p", "q", "thread", "constant", "constant"])
        if kind == "constant":
            return self.constant(bits, self.choose(CONSTANTS))
        if kind == "thread":
            thread = self.number("gpu.thread_id x")
            return thread if bits == 32 else self.add(f"arith.{'trunci' if bits < 32 else 'extui'} {thread} : i32 to i{bits}")
        return f"%{kind}{bits}" if bits in (8, 16) else self.add(f"arith.{self.choose(['extsi', 'extui'])} %{kind}8 : i8 to i{bits}")

    def operation(self, bits, name, flags, left):
        right = self.operand(bits)
        if name in ("shli", "shrsi", "shrui"):
            right = self.constant(bits, self.choose([0, 1, 3, bits // 2, bits - 8, bits - 1]))
        return self.add(f"arith.{name} {left}, {right}{flags} : i{bits}")

    def any_operation(self, bits, left):
        name = self.choose(OPERATIONS)
        return self.operation(bits, name, self.choose(FLAGS.get(name, [""])), left)

    def widen(self, bits, value):
        """`value` as an integer of another width, or the same."""
        target = self.choose([8, 16, 32, 64])
        if target == bits:
            return bits, value
        cast = self.choose(["extsi", "extui"]) if target > bits else "trunci"
        return target, self.add(f"arith.{cast} {value} : i{bits} to i{target}")

    def store(self, bits, value, cast):
        at = self.add(f"arith.{cast} {value} : i{bits} to index")
        self.lines.append(f"    memref.store %v, %a[{at}] : memref<?xi8>")

    def guarded_store(self, bits, left, order):
        right = self.operand(bits)
        holds = self.add(f"arith.cmpi {order}, {left}, {right} : i{bits}")
        at = self.add("gpu.thread_id x")
        self.lines += [f"    scf.if {holds} {{", f"      memref.store %v, %a[{at}] : memref<?xi8>", "    }"]

    def text(self, name):
        return "\n".join([f"  gpu.func @{name}(%a: memref<?xi8>, %v: i8, %p8: i8, %q8: i8, %p16: i16, %q16: i16) kernel {{", *self.lines,
                          "    gpu.return", "  }"])


def end(kernel, bits, value):
    if kernel.choose([True, False]):
        kernel.store(bits, value, kernel.choose(["index_cast", "index_castui"]))
    else:
        kernel.guarded_store(bits, value, kernel.choose(ORDERS))
    return kernel


def single_operations(choose):
    """Every operation with every flag, at 8 and 16 bits; operands and casts at random."""
    for bits, name in itertools.product((8, 16), OPERATIONS):
        for flags in FLAGS.get(name, [""]):
            kernel = Kernel(choose)
            value = kernel.operation(bits, name, flags, kernel.operand(bits))
            yield end(kernel, *kernel.widen(bits, value))


def double_operations(choose):
    while True:
        kernel = Kernel(choose)
        bits = choose([8, 16])
        bits, value = kernel.widen(bits, kernel.any_operation(bits, kernel.operand(bits)))
        bits, value = kernel.widen(bits, kernel.any_operation(bits, value))
        yield end(kernel, bits, value)


def global_ids(choose):
    """What holds the work item's id, in 32 bits, and in 64 behind that."""
    while True:
        kernel = Kernel(choose)
        block, size, thread = (kernel.number(f"gpu.{name} x") for name in ("block_id", "block_dim", "thread_id"))
        terms = [kernel.add(f"arith.muli {block}, {size} : i32"), thread, kernel.operand(32)]
        terms = [terms[place] for place in choose([(0, 1, 2), (1, 0, 2), (2, 0, 1), (0, 2, 1)])]
        value = terms[0]
        for term in terms[1:]:
            value = kernel.add(f"arith.addi {value}, {term}{choose(FLAGS['addi'])} : i32")
        yield end(kernel, *kernel.widen(32, value))


def addresses(choose):
    """Several stores to one array at sums of ids, of rows of several lengths, and of offsets."""
    while True:
        kernel = Kernel(choose)
        x, y = kernel.add("gpu.thread_id x"), kernel.add("gpu.block_id x")
        sizes = [kernel.add(f"arith.{choose(['index_cast', 'index_castui'])} %{name} : {name.replace('p', 'i').replace('q', 'i')} to index")
                 for name in ("p8", choose(["q8", "p16"]))]

        def constant():
            return kernel.add(f"arith.constant {choose([-300, -3, -1, 1, 2, 3, 7, 8, 16, 65536])} : index")

        def combine(name, left, right):
            return kernel.add(f"arith.{name} {left}, {right}{choose(FLAGS.get(name, ['']))} : index")

        def term():
            factor = choose([x, y, combine("addi", choose([x, y]), constant()), choose(sizes),
                             combine(choose(["divui", "remui"]), x, kernel.add(f"arith.constant {choose([2, 3, 8])} : index"))])
            for _ in range(choose([0, 1, 1, 2])):
                factor = combine("muli", factor, choose([*sizes, constant()]))
            return factor

        common = [term() for _ in range(choose([1, 2]))]
        for _ in range(choose([1, 2])):
            at = term()
            for part in common:
                at = combine(choose(["addi", "addi", "subi"]), at, part)
            kernel.lines.append(f"    memref.store %v, %a[{at}] : memref<?xi8>")
        yield kernel


def transformed(tool, module, passes):
    pipeline = f"builtin.module(gpu.module(gpu.func({passes})))" if passes else "builtin.module()"
    done = subprocess.run([tool, "-", f"--pass-pipeline={pipeline}", "--mlir-print-op-generic"], input=module, capture_output=True,
                          text=True, check=False)
    if done.returncode:
        sys.exit(f"{tool}: {done.stderr}")
    return parse_kernels(done.stdout)


def prove(arguments, texts):
    """How many proofs there are, how many took too long, and how many were refuted."""
    proven = unknown = refuted = 0
    module = "\n".join(["gpu.module @m {", *texts.values(), "}"])
    before, maps_before = transformed(arguments.tool, module, "")
    for passes in PIPELINES:
        after, maps_after = transformed(arguments.tool, module, passes)
        for name, text in texts.items():
            found = refutation(before[name], after[name], (maps_before, maps_after), arguments.timeout)
            proven += found is None
            unknown += found == "unknown"
            if found not in (None, "unknown"):
                refuted += 1
                print(f"REFUTED after {passes}, with {found}:\n{text}", flush=True)
    return proven, unknown, refuted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="gpuopt-opt")
    parser.add_argument("--count", type=int, default=200, help="kernels of one and of two operations each (default: 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=2000, help="milliseconds for a proof (default: 2000)")
    arguments = parser.parse_args()
    choose = random.Random(arguments.seed).choice
    kernels = [kernel for _ in range(1 + arguments.count // 100) for kernel in single_operations(choose)][:arguments.count]
    kernels += itertools.islice(double_operations(choose), arguments.count)
    kernels += itertools.islice(global_ids(choose), arguments.count // 4)
    kernels += itertools.islice(addresses(choose), arguments.count // 4)
    texts = {f"k{number}": kernel.text(f"k{number}") for number, kernel in enumerate(kernels)}
    proven, unknown, refuted = prove(arguments, texts)
    print(f"{proven} proven, {unknown} not decided in time, {refuted} refuted")
    return bool(refuted)


sys.exit(main())
