"""Compares what access functions predict of a kernel (`gpuopt profile --static`)
with what a run shows: for each access of the source verdict, sectors and lines
per request, and the ideal; in workgroup memory wavefronts and the worst bank
conflict. Fails where a predicted access differs; prints how many agreed."""
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


def predicted(source, kernel, sizes, target, launch, work):
    profile = work / f"{kernel}.static.json"
    block = launch[launch.index("--block"):][:2] if "--block" in launch else []
    run("profile", source, "--kernel", kernel, "--target", target, "--size", sizes, "--static", *block,
        "--json", str(profile))
    return {key(access): access for access in json.loads(profile.read_text())[0]["accesses"]}


def measured(source, kernel, sizes, target, launch, work):
    profile = work / f"{kernel}.profile.json"
    run("profile", source, "--kernel", kernel, "--target", target, "--size", sizes, "--sample", "all", *launch,
        "--json", str(profile))
    return json.loads(profile.read_text())[0]["accesses"]


FIGURES = {"global": ["sectors_per_request", "ideal_sectors_per_request", "lines_per_request"],
           "workgroup": ["conflict_degree", "wavefronts_per_request", "ideal_wavefronts_per_request"]}


def differences(static, dynamic):
    for name in FIGURES[dynamic["space"]]:
        if abs(static[name] - dynamic[name]) > 1e-6 * dynamic[name]:
            yield f"{static[name]} {name}, found {dynamic[name]}"
    if dynamic["space"] == "global" and static["verdict"] != dynamic["verdict"]:
        yield f"{static['verdict']}, found {dynamic['verdict']}"


def compare(source, kernel, sizes, target, work, launch=()):
    """Returns how many accesses agree, and how many are not affine or stand in a
    loop that is not."""
    static = predicted(source, kernel, sizes, target, launch, work)
    agreed = others = 0
    for access in measured(source, kernel, sizes, target, launch, work):
        fact = static.get(key(access))
        assert fact is not None, f"{kernel}: no prediction for {key(access)}, only for {list(static)}"
        if not fact["predicted"] or not fact["executions_exact"]:
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
