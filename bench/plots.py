"""Plots of results: speed-ups, roofline, sizes, step by step, choices of the search."""

import pathlib
from types import ModuleType

import results as reporting


def load() -> ModuleType | None:
    """matplotlib's pyplot, or nothing where it is absent."""
    try:
        import matplotlib
    except ImportError:
        return None
    matplotlib.use("Agg")
    from matplotlib import pyplot
    return pyplot


def naive_of(case: dict) -> tuple[str, float] | None:
    return (reporting.fastest(case, *reporting.NAIVE)
            or reporting.fastest(case, "as-written"))


def speedup(case: dict) -> float:
    return naive_of(case)[1] / reporting.default(case)[1]


def mark(results: dict, text: str) -> str:
    return f"dry run, no times of a GPU: {text}" if results["dry_run"] else text


def bars(results: dict, timed: list[dict], axes) -> None:
    axes.bar([case["id"] for case in timed], [speedup(case) for case in timed])
    axes.axhline(1, color="black", linewidth=0.5)
    axes.set(title=mark(results, "speed-up over the fastest naive kernel"), yscale="log")
    axes.tick_params(axis="x", rotation=90, labelsize=6)


def roofline(results: dict, timed: list[dict], axes) -> None:
    floors = results["floors"]
    if floors:
        intensities = [2.0 ** power for power in range(-5, 13)]
        axes.plot(intensities, [min(floors["flops_per_second"]["f32"],
                                    intensity * floors["copy_bytes_per_second"])
                                for intensity in intensities], label="f32")
    for case in timed:
        if case["flops"] and case["type"] == "f32":
            place = (case["flops"] / case["bytes"], case["flops"] / reporting.default(case)[1])
            axes.scatter(*place, s=8)
            axes.annotate(case["kernel"], place, fontsize=6)
    axes.set(title=mark(results, "roofline"), xscale="log", yscale="log",
             xlabel="FLOP per compulsory byte", ylabel="FLOP/s")


def sizes(results: dict, timed: list[dict], axes) -> None:
    for kernel in dict.fromkeys(case["kernel"] for case in timed):
        points = [(case["bytes"], speedup(case)) for case in timed if case["kernel"] == kernel]
        if len(points) > 1:
            axes.plot(*zip(*sorted(points)), marker="o", label=kernel)
    axes.set(title=mark(results, "speed-up by size"), xscale="log", yscale="log",
             xlabel="compulsory bytes")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=6, ncols=4)


def breakdown(results: dict, timed: list[dict], axes) -> None:
    """Each step's speed-up over as-written, a group of bars for each case."""
    cases = [case for case in timed if "seconds" in case["variants"].get("step-coalesced", {})
             and "seconds" in case["variants"].get("as-written", {})]
    for number, step in enumerate(reporting.STEPS):
        places = [(place, case) for place, case in enumerate(cases)
                  if "seconds" in case["variants"].get(step, {})]
        axes.bar([place + 0.16 * (number - 2) for place, _ in places],
                 [case["variants"]["as-written"]["seconds"] / case["variants"][step]["seconds"]
                  for _, case in places], width=0.16, label=step)
    axes.set_xticks(range(len(cases)), [case["id"] for case in cases], rotation=90, fontsize=6)
    axes.set(title=mark(results, "step by step, over as-written"), yscale="log")
    if cases:
        axes.legend(fontsize=6)


def draw(results: dict, stem: pathlib.Path) -> list[pathlib.Path]:
    pyplot = load()
    if not pyplot:
        print("plots: absent, no matplotlib (bench/requirements.txt); --report makes them later")
        return []
    timed = [case for case in results["cases"] if reporting.default(case) and naive_of(case)]
    written = []
    for name, plot in (("speedup", bars), ("roofline", roofline), ("sizes", sizes),
                       ("steps", breakdown)):
        figure, axes = pyplot.subplots(figsize=(12, 6))
        plot(results, timed, axes)
        figure.tight_layout()
        written.append(stem.with_name(f"{stem.name}-{name}.png"))
        figure.savefig(written[-1], dpi=110)
        pyplot.close(figure)
    return written
