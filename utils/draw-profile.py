#!/usr/bin/env python3
"""Draws a kernel's accesses before and after, from `gpuopt profile --compare --json`.

  gpuopt profile examples/unified.cu --kernel mm --size m=256,n=256,k=256 --compare --json mm.json
  utils/draw-profile.py mm.json "Matrix product on an H200, m = n = k = 256" > docs/pictures/mm.svg

Each access to global memory is drawn as in the page of `--html`: the lanes of one
request above, the sectors that they touch below. utils/update-docs.sh renews the
README's picture, test/docs/picture.test says when it is due.
"""

import colorsys
import html
import json
import pathlib
import sys

SECTOR_BYTES = 32
LANES = 32
WIDTH, MARGIN, LABELS = 920, 20, 90
PANEL = (WIDTH - LABELS - 2 * MARGIN - 30) / 2
BEFORE, AFTER, INK, SOFT = "#c2410c", "#1d6fb8", "#1c2330", "#5b6675"


class Drawing:
    """The elements of an SVG, in order."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def rect(self, x: float, y: float, width: float, height: float, fill: str, more: str = "") -> None:
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"{more}/>')

    def line(self, x1: float, y1: float, x2: float, y2: float, color: str) -> None:
        self.parts.append(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{color}" stroke-width=".8"/>')

    def text(self, x: float, y: float, text: str, style: str = "") -> None:
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}"{style}>{html.escape(text)}</text>')


def bold(color: str) -> str:
    return f' style="font-weight:600;fill:{color}"'


def number(value: float) -> str:
    return f"{value:,.0f}".replace(",", " ")


def times(value: float) -> str:
    return f"{value:.2g}" if value < 10 else f"{value:.0f}"


def lane_color(lane: int) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(lane / LANES, .45, .65))


def sectors_of(access: dict) -> list[int]:
    """The sectors that the sample request touches, in order."""
    return sorted({sector for address in access["sample_request"]["addresses"]
                   for sector in range(address // SECTOR_BYTES, (address + access["bytes"] - 1) // SECTOR_BYTES + 1)})


def place(sectors: list[int]) -> tuple[dict[int, float], float]:
    """Where each sector begins, with gaps between those that lie apart, and how wide one is."""
    gaps = [index > 0 and sector != sectors[index - 1] + 1 for index, sector in enumerate(sectors)]
    room = min(44.0, PANEL / (len(sectors) + .3 * sum(gaps)))
    left: dict[int, float] = {}
    x = 0.0
    for sector, gap in zip(sectors, gaps):
        x += .3 * room * gap
        left[sector] = x
        x += room
    return left, room


def draw_request(drawing: Drawing, access: dict, x: float, y: float) -> None:
    """One request: lanes at `y`, sectors below."""
    sample, step = access["sample_request"], PANEL / LANES
    active = set(sample["lanes"])
    for lane in range(LANES):
        drawing.rect(x + lane * step + .5, y, step - 1, 8, lane_color(lane) if lane in active else "#eceff3")
    left, room = place(sectors_of(access))
    for begin in left.values():
        drawing.rect(x + begin + .5, y + 34, room - 1.5, 12, "#fff", f' stroke="{SOFT}" stroke-width=".8"')
    for lane, address in zip(sample["lanes"], sample["addresses"]):
        at = x + left[address // SECTOR_BYTES] + address % SECTOR_BYTES / SECTOR_BYTES * (room - 1)
        wide = max(.8, access["bytes"] / SECTOR_BYTES * (room - 1) - .3)
        drawing.rect(at + .5, y + 34.4, min(wide, room - 1.5), 11.2, lane_color(lane))
        drawing.line(x + (lane + .5) * step, y + 8, at + wide / 2, y + 34, lane_color(lane))


def caption(access: dict) -> str:
    sectors = access["sectors_per_request"]
    return (f"{number(access['requests'])} requests × {times(sectors)} sector{'s' * (sectors != 1)}, "
            f"{100 * access['efficiency']:.3g} % of the bytes used")


def draw_totals(drawing: Drawing, versions: list[dict], y: float) -> None:
    """A bar for each version, as long as what it moves."""
    before, after = (version["global_sectors"] for version in versions)
    whole = WIDTH - 2 * MARGIN - LABELS - 250
    for version, name, color in zip(versions, ("as written", "by gpuopt"), (BEFORE, AFTER)):
        sectors = version["global_sectors"]
        drawing.text(MARGIN, y + 12, name, bold(color))
        length = max(1.5, whole * sectors / max(before, after))
        drawing.rect(MARGIN + LABELS, y, length, 15, color)
        fewer = f", {times(before / after)} times fewer" if version is versions[1] and after < before else ""
        drawing.text(MARGIN + LABELS + length + 8, y + 12, f"{number(sectors)} sectors of {SECTOR_BYTES} bytes{fewer}")
        y += 22


def draw(versions: list[dict], title: str) -> str:
    drawing = Drawing()
    drawing.text(MARGIN, 30, title, f' style="font-size:16px;font-weight:600;fill:{INK}"')
    draw_totals(drawing, versions, 46)
    columns = (MARGIN + LABELS, MARGIN + LABELS + PANEL + 30)
    y = 118.0
    for x, name, color in zip(columns, ("as written", "by gpuopt"), (BEFORE, AFTER)):
        drawing.text(x, y, f"{name}: one request of {LANES} lanes", bold(color))
    accesses = [{(access["kind"], access["array"]): access for access in version["accesses"] if access["space"] == "global"}
                for version in versions]
    for key in accesses[0]:
        y += 22
        drawing.text(MARGIN, y + 26, f"{key[0]} {key[1]}", f' style="font-weight:600;fill:{INK}"')
        if key == next(iter(accesses[0])):
            drawing.text(MARGIN, y + 8, "lanes")
            drawing.text(MARGIN, y + 45, "sectors")
        for x, version in zip(columns, accesses):
            if key in version:
                draw_request(drawing, version[key], x, y)
                drawing.text(x, y + 60, caption(version[key]))
        y += 62
    tiles = [access for access in versions[1]["accesses"] if access["space"] != "global"]
    if tiles:
        y += 26
        worst = max(access["conflict_degree"] for access in tiles)
        drawing.text(MARGIN, y, "All other reads are of tiles in workgroup memory, "
                     + ("without bank conflicts." if worst == 1 else f"with bank conflicts ({worst}-way at worst)."))
    height = y + 20
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" height="{height:.0f}">',
        f'<style>text{{font:12px system-ui,"Segoe UI",Roboto,"Liberation Sans",sans-serif;fill:{SOFT}}}</style>',
        f'<rect width="100%" height="100%" rx="8" fill="#fff"/>', *drawing.parts, "</svg>", ""])


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    profiles = json.loads(pathlib.Path(sys.argv[1]).read_text())
    versions = [next(profile for profile in profiles if profile["version"] == version)
                for version in ("as_written", "optimized")]
    sys.stdout.write(draw(versions, sys.argv[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
