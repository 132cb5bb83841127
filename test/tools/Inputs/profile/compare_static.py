"""Compares what access functions predict of a kernel with what a run shows: for
each access of the source verdict, sectors per request and executions, and the
degree of bank conflicts in workgroup memory. Fails where a resolved access
differs; prints how many agreed."""
import json
import pathlib
import subprocess
import sys


def run(*arguments):
    done = subprocess.run(["gpuopt", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(arguments)}: {done.stdout}{done.stderr}"


def key(access):
    """The file's directory is spelt differently in the two, as are local arrays."""
    array = access["array"] if access["space"] == "global" else ""
    return access["location"].split("/")[-1], array, access["kind"], access["space"]


def predicted(source, kernel, sizes, target, work):
    report = work / f"{kernel}.report.json"
    run("compile", source, "--kernel", kernel, "--target", target, "--size", sizes, "--no-specialize", "--no-opt",
        "--report", str(report), "--emit", "mlir", "-o", str(work / f"{kernel}.mlir"))
    text = json.loads(report.read_text())
    kernels = text["kernels"] if isinstance(text, dict) and "kernels" in text else text
    kernels = kernels if isinstance(kernels, list) else [kernels]
    return {key(access): access for access in kernels[0]["accesses"]["before"]}


def measured(source, kernel, sizes, target, launch, work):
    profile = work / f"{kernel}.profile.json"
    run("profile", source, "--kernel", kernel, "--target", target, "--size", sizes, "--sample", "all", *launch,
        "--json", str(profile))
    return json.loads(profile.read_text())[0]["accesses"]


def differences(static, dynamic):
    if dynamic["space"] != "global":
        if static["bank_conflict_degree"] != dynamic["conflict_degree"]:
            yield f"conflict degree {static['bank_conflict_degree']}, found {dynamic['conflict_degree']}"
        return
    sectors = dynamic["sectors_per_request"]
    if abs(static["sectors_per_request"] - sectors) > 1e-6 * sectors:
        yield f"{static['sectors_per_request']} sectors per request, found {sectors}"
    if static["verdict"] != dynamic["verdict"]:
        yield f"{static['verdict']}, found {dynamic['verdict']}"


def compare(source, kernel, sizes, target, work, launch=()):
    """Returns how many accesses agree, and how many are not affine or stand in a
    loop that is not."""
    static = predicted(source, kernel, sizes, target, work)
    agreed = others = 0
    for access in measured(source, kernel, sizes, target, launch, work):
        fact = static.get(key(access))
        assert fact is not None, f"{kernel}: no prediction for {key(access)}, only for {list(static)}"
        is_known = fact["verdict"] != "unresolved" if access["space"] == "global" else fact["bank_conflict_degree"]
        if not is_known or not fact["executions_exact"]:
            others += 1
            print("not affine:", *key(access), file=sys.stderr)
            continue
        wrong = list(differences(fact, access))
        assert not wrong, f"{kernel} on {target}, {key(access)}: predicted {'; '.join(wrong)}"
        agreed += 1
    return agreed, others


def main():
    source, target, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    rest = sys.argv[4:]
    for kernel, sizes in zip(rest[::2], rest[1::2]):
        agreed, others = compare(source, kernel, sizes, target, work)
        print(f"{kernel} on {target}: {agreed} equal, {others} not affine")


if __name__ == "__main__":
    main()
