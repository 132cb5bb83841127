"""Prints the launches of the first kernel of a report, a line each."""

import json
import sys

kernel = json.load(sys.stdin)[0]
for launch in kernel["launch"]["sequence"]:
    arguments = [a if isinstance(a, str) else f"{a['name']}={a['bits']}" for a in launch["arguments"]]
    print(launch["symbol"], launch["grid"], launch["block"], *arguments)
print("phases:", *[phase["symbol"] for phase in kernel["phases"]])
