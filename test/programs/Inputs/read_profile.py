"""Prints the kernels of a program's profile, and how many sectors a request of each access takes."""

import json
import sys

with open(sys.argv[1]) as file:
    for kernel in json.load(file):
        print(kernel["kernel"], kernel["version"], "launches", kernel["launches"], "sectors", kernel["global_sectors"],
              "dram read", kernel["dram"]["read_bytes"] > 0)
        for access in kernel["accesses"]:
            if access["space"] == "global":
                print(access["location"], access["array"], access["kind"], round(access["sectors_per_request"], 2))
