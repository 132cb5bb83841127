"""Prints how many accesses of a kernel are coalesced by Algorithm 1, and which
are not: name, total, uncoalesced, and for each of these kind, array and stride."""
import json
import sys

for kernel in json.load(open(sys.argv[1])):
    accesses = [access for access in kernel["accesses"] if access["space"] == "global"]
    bad = [access for access in accesses if not access["algorithm1"]["coalesced"]]
    print(f"{kernel['kernel']}: {len(accesses)} accesses, {len(bad)} uncoalesced")
    for access in bad:
        stride = access["algorithm1"]["stride_bytes"]["max"] // access["bytes"]
        print(f"  {access['kind']} {access['array']} by {stride}, {access['executions']} times")
