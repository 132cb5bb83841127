#!/usr/bin/env python3
"""Checks and times PyTorch, its compiler and Triton on the kernels of a bundle.

  torch_peers.py B/manifest.json --out B/results.jsonl

adds records like the runner's: variants torch-eager, torch-compile and triton. Results are
compared with the same function in float64, to within what float32 sums may be off (Higham,
section 3.1). Where PyTorch or a GPU is not there, every variant is recorded as absent, with the
reason. Of a dry run's manifest they are run on the CPU (Triton in its interpreter) where PyTorch
is installed. What is in the file already is not run again.
"""

import argparse
import json
import os
import pathlib
import random
import statistics
import sys
import time

VARIANTS = ("torch-eager", "torch-compile", "triton")
SAMPLE_SECONDS, MAX_SECONDS = 2e-4, 3.0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="FILE")
    parser.add_argument("--samples", type=int, default=30, help="timed samples (default: 30)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(40))
    return parser.parse_args()


# --- what the kernels are in PyTorch ---------------------------------------------------------


def crd(a):
    return a.view(-1, 2).abs().sum().view(1)


def demosaic(raw):
    import torch
    here, up, down = raw[1:-1, 1:-1], raw[:-2], raw[2:]
    left, right = raw[1:-1, :-2], raw[1:-1, 2:]
    cross = (left + right + up[:, 1:-1] + down[:, 1:-1]) * 0.25
    diagonal = (up[:, :-2] + up[:, 2:] + down[:, :-2] + down[:, 2:]) * 0.25
    across, along = (left + right) * 0.5, (up[:, 1:-1] + down[:, 1:-1]) * 0.5
    rows = torch.arange(here.shape[0], device=raw.device)[:, None] % 2 == 1
    columns = torch.arange(here.shape[1], device=raw.device)[None, :] % 2 == 1
    red = torch.where(rows, torch.where(columns, diagonal, along),
                      torch.where(columns, across, here))
    blue = torch.where(rows, torch.where(columns, here, across),
                       torch.where(columns, along, diagonal))
    return torch.stack([red, torch.where(rows == columns, cross, here), blue])


def imregionmax(image):
    import torch
    h, w = image.shape
    others = [image[i:h - 2 + i, j:w - 2 + j] for i in range(3) for j in range(3)
              if (i, j) != (1, 1)]
    most = others[0]
    for other in others[1:]:
        most = torch.maximum(most, other)
    return (image[1:-1, 1:-1] > most).to(image.dtype)


def conv(image, filter):
    import torch
    return torch.nn.functional.conv2d(image[None, None], filter[None, None])[0, 0]


def strsm(l, b):
    import torch
    return torch.linalg.solve_triangular(l, b, upper=False)


#: Each kernel: shapes of the inputs, the function, roundings on the longest path.
KERNELS = {
    "mm": (lambda s: [(s["m"], s["k"]), (s["k"], s["n"])], lambda a, b: a @ b, lambda s: s["k"]),
    "mv": (lambda s: [(s["h"], s["w"]), (s["w"],)], lambda a, b: a @ b, lambda s: s["w"]),
    "tmv": (lambda s: [(s["h"], s["w"]), (s["h"],)], lambda a, b: a.T @ b, lambda s: s["h"]),
    "vv": (lambda s: [(s["n"],), (s["n"],)], lambda a, b: a * b, lambda s: 1),
    "rd": (lambda s: [(s["n"],)], lambda a: a.sum().view(1), lambda s: s["n"]),
    "crd": (lambda s: [(2 * s["n"],)], crd, lambda s: 2 * s["n"]),
    "dot": (lambda s: [(s["n"],), (s["n"],)], lambda a, b: (a * b).sum().view(1), lambda s: s["n"]),
    "strsm": (lambda s: [(s["m"], s["m"]), (s["m"], s["n"])], strsm, lambda s: 6 * s["m"]),
    "conv": (lambda s: [(s["h"] + s["kh"] - 1, s["w"] + s["kw"] - 1), (s["kh"], s["kw"])], conv,
             lambda s: s["kh"] * s["kw"]),
    "tp": (lambda s: [(s["h"], s["w"])], lambda a: a.T.contiguous(), lambda s: 0),
    "demosaic": (lambda s: [(s["h"] + 2, s["w"] + 2)], demosaic, lambda s: 4),
    "imregionmax": (lambda s: [(s["h"] + 2, s["w"] + 2)], imregionmax, lambda s: 0),
}


def make_inputs(torch, case: dict, device: str, seed: int) -> list:
    generator = torch.Generator(device=device).manual_seed(seed)
    shapes = KERNELS[case["kernel"]][0](case["scalars"])
    inputs = [torch.rand(shape, generator=generator, device=device) for shape in shapes]
    if case["kernel"] == "imregionmax":  # with many neighbours alike
        return [torch.floor(inputs[0] * 64) / 64]
    if case["kernel"] not in ("rd", "strsm"):
        return [2 * each - 1 for each in inputs]
    if case["kernel"] == "strsm":  # rows whose diagonal dominates
        m = shapes[0][0]
        inputs[0] = (2 * inputs[0] - 1) * (0.5 / m) + torch.eye(m, device=device) * 1.5
        inputs[1] = 2 * inputs[1] - 1
    return inputs


# --- records ----------------------------------------------------------------------------------


class Records:
    """results.jsonl, as bench/runner/Records.h keeps it."""

    def __init__(self, path: pathlib.Path):
        self.path, self.done = path, set()
        begun = set()
        for line in path.read_text().splitlines() if path.exists() else []:
            record = json.loads(line)
            (begun if record["status"] == "begun" else self.done).add(
                (record["case"], record["variant"]))
        for case, variant in begun - self.done:
            if variant in VARIANTS:
                self.write(case, variant, status="failed", reason="Python ended while this ran")

    def write(self, case: str, variant: str, **fields) -> None:
        with self.path.open("a") as file:
            file.write(json.dumps({"case": case, "variant": variant, **fields}) + "\n")
        if fields["status"] != "begun":
            self.done.add((case, variant))


# --- running ------------------------------------------------------------------------------------


class Bench:
    def __init__(self, torch, device: str, arguments: argparse.Namespace):
        self.torch, self.device, self.arguments = torch, device, arguments
        self.is_gpu = device == "cuda"
        self.cache = (torch.cuda.get_device_properties(0).L2_cache_size if self.is_gpu else 1 << 14)

    def timed(self, work) -> float:
        """Seconds of `work`."""
        if not self.is_gpu:
            start = time.perf_counter()
            work()
            return time.perf_counter() - start
        start, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        work()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / 1000

    def times(self, function, inputs: list) -> dict:
        """As the runner's: the median over samples, on inputs that the cache does not hold."""
        total = sum(each.numel() * each.element_size() for each in inputs)
        sets = [inputs] + [[each.clone() for each in inputs]
                           for _ in range(min(63, 2 * self.cache // max(1, total)))]
        turn = 0

        def calls(count: int):
            nonlocal turn
            for _ in range(count):
                function(*sets[turn % len(sets)])
                turn += 1

        for _ in range(3):
            once = self.timed(lambda: calls(1))
        count = int(min(200, max(1, SAMPLE_SECONDS / max(once, 1e-9))))
        samples: list[float] = []
        while len(samples) < self.arguments.samples and (len(samples) < 3 or
                                                         sum(samples) * count < MAX_SECONDS):
            samples.append(self.timed(lambda: calls(count)) / count)
        return {"seconds": statistics.median(samples), "seconds_min": min(samples),
                "seconds_max": max(samples), "samples": len(samples), "calls_per_sample": count,
                "array_sets": len(sets)}

    def check(self, case: dict, function, inputs: list) -> dict:
        _, reference, terms = KERNELS[case["kernel"]]
        expected = reference(*(each.double() for each in inputs))
        magnitude = expected.abs()
        if case["kernel"] == "strsm":
            magnitude = 2 * magnitude.max()
        elif terms(case["scalars"]):
            magnitude = reference(*(each.double().abs() for each in inputs)).abs()
            if case["kernel"] == "demosaic":
                magnitude = magnitude.clamp(min=1)
        roundings = terms(case["scalars"]) + 4  # as bench/runner/Value.h has it
        bound = min(roundings, 10 * roundings ** 0.5) * 2.0 ** -24 * magnitude + 1e-37
        error = (function(*inputs).double() - expected).abs()
        worst = (error / bound).max().item()
        fields = {"compared": expected.numel(), "results": expected.numel(),
                  "against": "same in float64", "error_over_bound": worst}
        return fields | ({"status": "right"} if worst <= 1 else
                         {"status": "wrong", "reason": f"{worst:.3g} of what it may be off"})

    def run(self, case: dict, variant: str) -> dict:
        function = KERNELS[case["kernel"]][1]
        if variant == "triton":
            import triton_kernels
            if case["kernel"] not in triton_kernels.KERNELS:
                return {"status": "absent", "reason": "no kernel of this kind in the tutorials"}
            function = triton_kernels.KERNELS[case["kernel"]]
        elif variant == "torch-compile":
            self.torch._dynamo.reset()
            function = self.torch.compile(function)
        inputs = make_inputs(self.torch, case, self.device, self.arguments.seed)
        found = self.check(case, function, inputs)
        return found | (self.times(function, inputs) if found["status"] == "right" else {})


def why_absent(manifest: dict) -> tuple[str, object, str]:
    """The reason, or nothing and PyTorch and the device."""
    if manifest["dry_run"]:
        os.environ["TRITON_INTERPRET"] = "1"
    try:
        import torch
    except ImportError as error:
        return f"{error} in {sys.executable}", None, ""
    if torch.cuda.is_available():
        return "", torch, "cuda"
    return ("", torch, "cpu") if manifest["dry_run"] else ("PyTorch finds no GPU", None, "")


def main() -> int:
    arguments = parse_arguments()
    manifest = json.loads(arguments.manifest.read_text())
    records = Records(arguments.out)
    todo = [(case, variant) for case in manifest["cases"] if case["kernel"] in KERNELS
            for variant in VARIANTS if (case["id"], variant) not in records.done]
    if not todo:
        return 0
    reason, torch, device = why_absent(manifest)
    if reason:
        for case, variant in todo:
            records.write(case["id"], variant, status="absent", reason=reason)
        return 0
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    bench = Bench(torch, device, arguments)
    for number, (case, variant) in enumerate(todo, start=1):
        print(f"[{number}/{len(todo)}] {case['id']} {variant}", file=sys.stderr, flush=True)
        records.write(case["id"], variant, status="begun")
        try:
            found = bench.run(case, variant)
        except ImportError as error:
            found = {"status": "absent", "reason": str(error)}
        except Exception as error:  # whatever a compiler or a full memory throws
            lines = str(error).strip().splitlines() or [type(error).__name__]
            found = {"status": "failed", "reason": f"{type(error).__name__}: {lines[0]}"}
        records.write(case["id"], variant, **found)
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
    return 0


if __name__ == "__main__":
    sys.exit(main())
