#!/usr/bin/env python3
"""Benchmarks kernels against what people would use instead, on any machine.

  bench/run.py --build B        makes a bundle in directory B: the kernels of examples/unified.cu
                                and bench/kernels as nvcc, clang and gpuopt compile them, and a
                                runner. Copy B to the machine with the GPU; it needs neither
                                gpuopt nor an SDK (B/cache need not be copied)
  B/run.py --run B              there: checks every result, times everything, writes
                                B/results/<date>-<chip>.json, a table (.md) and plots (.png)
  bench/run.py --run B          the same from the source tree, into bench/results
  bench/run.py --dry-run B      builds small sizes as LLVM IR and runs them with the same runner
                                in the CPU executor: results are checked, times mean nothing
  bench/run.py --report F.json  table and plots anew, where matplotlib (requirements.txt) is
  bench/run.py --no-gpu         what needs no GPU: exact counts against the checked-in tables
                                (regression.py) and compile-time ratios (compile_time.py); with
                                --quick in a minute or two, the ratios of every sixth file only
  bench/run.py --page           docs/performance.md from the newest results (--check: only compare)

Variants of each kernel:
  nvcc-XxY, clang-XxY           the source as it is, -O3, in blocks of X by Y threads
  as-written                    the source as it is through gpuopt's back end (compile --no-opt)
  gpuopt-general, gpuopt        optimised for all sizes; optimised for the size at hand
  step-…                        between as-written and gpuopt: coalesced, then vectorised, then
                                with merged threads and blocks
  gpuopt-search, design-N       the model's choice, and the others of the N best by the model
  by-hand-…                     a kernel that a person tuned (bench/peers)
  cublas…, cudnn…, cub, copy    libraries, without TF32; a copy on the device (AMD: hipblas…)
  triton, torch-eager, torch-compile
                                Triton's tutorial kernels, PyTorch and its compiler, where the
                                machine has them
What is not there is reported as absent, with the reason. Everything can be broken off and started
again: what is done is not done again. Exit code: 0 if nothing was wrong.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import results as reporting  # noqa: E402  (beside this file, in the tree and in bundles)

ROOT = HERE.parent
IN_TREE = (HERE / "suite.py").exists()


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--build", metavar="B", help="make a bundle in B")
    what.add_argument("--run", metavar="B", help="run the bundle in B")
    what.add_argument("--dry-run", metavar="B", help="make and run a bundle in B without a GPU")
    what.add_argument("--no-gpu", action="store_true", help="counts and compile-time ratios")
    what.add_argument("--report", metavar="F", help="table and plots of a results file")
    what.add_argument("--page", action="store_true", help="write docs/performance.md")
    parser.add_argument("--kernel", action="append", metavar="NAME",
                        help="only this kernel; repeat for several (default: all)")
    parser.add_argument("--sizes", choices=["small", "paper", "full", "all"],
                        help="small: for tests; paper: Yang et al. 2012, 1k to 4k; full: to fill "
                             "an H200; all: the last two (default: all, in dry runs small)")
    parser.add_argument("--small", action="store_const", const="small", dest="sizes",
                        help="short for --sizes small")
    parser.add_argument("--target", default="sm_90", help="default: sm_90")
    parser.add_argument("--format", choices=["cubin", "ptx", "hsaco"],
                        help="what the bundle holds (default: cubin where ptxas is, else ptx; for "
                             "AMD hsaco)")
    parser.add_argument("--search", type=int, default=3, metavar="N",
                        help="the N best designs of gpuopt's search for the kernels of "
                             "examples/unified.cu at the full size (or the small one); 0: no search "
                             "(default: 3)")
    parser.add_argument("--bin", default=str(ROOT / "build/bin"),
                        help="directory of gpuopt (default: build/bin)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(),
                        help="compilations at once (default: one per core)")
    parser.add_argument("--driver", metavar="LIB",
                        help="driver (default: libcuda.so.1, for AMD libamdhip64.so)")
    parser.add_argument("--cublas", metavar="LIB", help="default: the libcublas.so (for AMD "
                        "libhipblas.so) that is installed")
    parser.add_argument("--cudnn", metavar="LIB", help="default: the libcudnn.so that is installed")
    parser.add_argument("--python", default=sys.executable, metavar="P",
                        help="the Python that has PyTorch and Triton (default: this one)")
    parser.add_argument("--samples", type=int, default=30, help="timed samples (default: 30)")
    parser.add_argument("--seed", type=int, help="of the inputs (default: a new one)")
    parser.add_argument("--results", type=pathlib.Path, metavar="DIR",
                        help="default: bench/results; in bundles and dry runs B/results")
    parser.add_argument("--runs", type=int, default=3,
                        help="with --no-gpu: runs of each compiler per file (default: 3)")
    parser.add_argument("--quick", action="store_true",
                        help="with --no-gpu: one run, and of the compile times a sample")
    parser.add_argument("--check", action="store_true",
                        help="with --page: exit code 1 where the page is out of date")
    arguments = parser.parse_args()
    if not IN_TREE and not arguments.run and not arguments.report:
        parser.error("a bundle can only --run and --report; the rest needs the source tree")
    if arguments.search < 0 or arguments.samples < 1 or arguments.runs < 1:
        parser.error("--search, --samples and --runs take positive numbers")
    arguments.cub = None
    arguments.bundle = arguments.build or arguments.run or arguments.dry_run
    arguments.sizes = arguments.sizes or ("small" if arguments.dry_run else "all")
    return arguments


def build(arguments: argparse.Namespace) -> None:
    import bundle
    import suite
    for name in arguments.kernel or []:
        if name not in suite.SUITE:
            sys.exit(f"run.py: no kernel named '{name}'; there are {', '.join(suite.SUITE)}")
    if not os.path.exists(f"{arguments.bin}/gpuopt-bench-runner"):
        sys.exit(f"run.py: no gpuopt-bench-runner in {arguments.bin}: build it, or name --bin")
    ptxas = os.environ.get("GPUOPT_PTXAS") or shutil.which("ptxas") or shutil.which(
        "ptxas", path="/usr/local/cuda/bin")
    usual = "hsaco" if arguments.target.startswith("gfx") else "cubin" if ptxas else "ptx"
    arguments.format = arguments.format or usual
    arguments.dry_run = bool(arguments.dry_run)
    bundle.build(arguments)


def runner_of(bundle: pathlib.Path) -> str:
    """The runner; built anew where the shipped one does not start (another C library)."""
    runner = bundle / "runner"
    try:
        subprocess.run([runner, "--help"], capture_output=True)  # prints its usage
        return str(runner)
    except OSError:
        own = bundle / "runner-here"
        subprocess.run(["c++", "-std=c++20", "-O2", "-pthread",
                        str(bundle / "runner-source/Runner.cpp"), "-o", str(own), "-ldl"],
                       check=True)
        return str(own)


def run(arguments: argparse.Namespace) -> int:
    """Runs the runner, again and again behind what ends it, then what Python has, and reports."""
    bundle = pathlib.Path(arguments.bundle).resolve()
    if not (bundle / "plan.txt").exists():
        sys.exit(f"run.py: {bundle} is no bundle: it has no plan.txt")
    records = bundle / "results.jsonl"
    command = [runner_of(bundle), str(bundle / "plan.txt"), "--out", str(records),
               "--samples", str(arguments.samples)]
    for option in ("driver", "cublas", "cudnn", "seed"):
        if getattr(arguments, option) is not None:
            command += [f"--{option}", str(getattr(arguments, option))]
    cub = bundle / "libcub-reductions.so"
    if arguments.cub or cub.exists():
        command += ["--cub", str(arguments.cub or cub)]
    size = -1
    while True:
        code = subprocess.run(command).returncode
        if code in (0, 1):
            break
        before, size = size, records.stat().st_size if records.exists() else 0
        if code == 2 or size == before:
            sys.exit(f"run.py: the runner cannot go on (exit code {code})")
        print(f"run.py: the runner ended with exit code {code}; going on behind it")
    run_torch(arguments, bundle, records)
    found = reporting.collect(bundle, records)
    is_local = not IN_TREE or found["dry_run"]
    directory = arguments.results or (bundle / "results" if is_local else HERE / "results")
    for path in reporting.write(found, directory):
        print(f"wrote {path}")
    states = reporting.counts(found)
    print(", ".join(f"{number} {state}" for state, number in states.items()))
    return 1 if states["wrong"] or states["failed"] else 0


def run_torch(arguments: argparse.Namespace, bundle: pathlib.Path, records: pathlib.Path) -> None:
    """PyTorch and Triton on the same kernels and sizes; what is absent is recorded so."""
    script = next(path for path in (bundle / "torch_peers.py", HERE / "peers/torch_peers.py")
                  if path.exists())
    command = [arguments.python, str(script), str(bundle / "manifest.json"), "--out", str(records),
               "--samples", str(arguments.samples)]
    if arguments.seed is not None:
        command += ["--seed", str(arguments.seed)]
    code = subprocess.run(command).returncode
    if code:
        print(f"run.py: torch_peers.py ended with exit code {code}")


def subgroup_size(arguments: argparse.Namespace) -> str:
    """Threads in lockstep on the target, which the CPU executor has to know."""
    said = subprocess.run([f"{arguments.bin}/gpuopt", "targets", arguments.target],
                          capture_output=True, text=True).stdout
    found = re.search(r"subgroup_size = (\d+)", said)
    return found[1] if found else "32"


def dry_run(arguments: argparse.Namespace) -> int:
    driver = pathlib.Path(arguments.bin).parent / "lib/libgpuopt-cpu-driver.so"
    arguments.driver = arguments.driver or str(driver)
    for library in ("cublas", "cudnn", "cub"):  # it has plain loops for those as well
        setattr(arguments, library, getattr(arguments, library) or str(driver))
    arguments.samples = 1
    os.environ["GPUOPT_CPU_DRIVER_SUBGROUP"] = subgroup_size(arguments)
    build(arguments)
    # What is compiled anew has to be run anew.
    (pathlib.Path(arguments.bundle) / "results.jsonl").unlink(missing_ok=True)
    return run(arguments)


def no_gpu(arguments: argparse.Namespace) -> int:
    directory = arguments.results or HERE / "results"
    directory.mkdir(parents=True, exist_ok=True)
    date = datetime.date.today().isoformat()
    times, counts = directory / f"{date}-times.part", directory / f"{date}-counts.part"
    chosen = [word for name in arguments.kernel or [] for word in ("--kernel", name)]
    print("counts: bench/regression.py", flush=True)
    done = subprocess.run([sys.executable, str(HERE / "regression.py"), "--bin", arguments.bin,
                           "--target", arguments.target, "--jobs", str(arguments.jobs),
                           "--json", str(counts), *chosen], capture_output=True, text=True)
    print(done.stdout + done.stderr, end="")
    said = (done.stdout.strip().splitlines() or ["failed"])[-1]
    files = [str(HERE / f"kernels/{name}.cu") for name in arguments.kernel or []
             if (HERE / f"kernels/{name}.cu").exists()]
    if arguments.quick and not files:
        files = sorted(map(str, (HERE / "kernels").glob("*.cu")))[::6]
    runs = 1 if arguments.quick else arguments.runs
    code = done.returncode
    if files or not arguments.kernel:  # those of examples/unified.cu have no file of their own
        print("compile time: bench/compile_time.py --phases", flush=True)
        code |= subprocess.run([sys.executable, str(HERE / "compile_time.py"), *files, "--bin",
                                arguments.bin, "--target", arguments.target, "--runs",
                                str(runs), "--phases", "--json", str(times)]).returncode
    rows, counted = (json.loads(part.read_text()) if part.exists() else empty
                     for part, empty in ((times, []), (counts, {})))
    for part in (times, counts):
        part.unlink(missing_ok=True)
    path = directory / f"{date}-{'quick' if arguments.quick else 'no-gpu'}.json"
    path.write_text(json.dumps({
        "date": date, "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "target": arguments.target, "runs": runs, "quick": arguments.quick, "compile_time": rows,
        "counts": {"said": said, "kernels": counted.get(arguments.target, {})},
    }, indent=1) + "\n")
    print(f"wrote {path}")
    return 1 if code else 0


def report(arguments: argparse.Namespace) -> int:
    path = pathlib.Path(arguments.report)
    for written in reporting.write(json.loads(path.read_text()), arguments.results or path.parent):
        print(f"wrote {written}")
    return 0


def page(arguments: argparse.Namespace) -> int:
    import page as pages  # not in bundles
    text = pages.page(arguments.results or HERE / "results")
    path = ROOT / "docs/performance.md"
    if arguments.check:
        is_fresh = path.exists() and path.read_text() == text
        print("docs/performance.md: " + ("up to date" if is_fresh else
                                         "out of date; run bench/run.py --page"))
        return 0 if is_fresh else 1
    path.write_text(text)
    print(f"wrote {path}")
    return 0


def main() -> int:
    arguments = parse_arguments()
    if arguments.build:
        build(arguments)
        return 0
    if arguments.run:
        return run(arguments)
    if arguments.dry_run:
        return dry_run(arguments)
    if arguments.report:
        return report(arguments)
    return no_gpu(arguments) if arguments.no_gpu else page(arguments)


if __name__ == "__main__":
    sys.exit(main())
