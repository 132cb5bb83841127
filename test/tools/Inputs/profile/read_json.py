"""Prints some figures of a profile's JSON, one line for each kernel and access."""
import json
import sys

for kernel in json.load(open(sys.argv[1])):
    dram = kernel["dram"]
    moved = dram["read_bytes"] + dram["written_bytes"]
    print(f"{kernel['kernel']} {kernel['version']} {'exact' if kernel['exact'] else 'sampled'}: "
          f"{kernel['global_sectors']} sectors, DRAM {moved} of {dram['compulsory_bytes']}")
    for access in kernel["accesses"]:
        if access["space"] != "global":
            continue
        stride = access["algorithm1"]["stride_bytes"]
        print(f"{access['kind']} {access['verdict']} {access['sectors_per_request']:.1f} of "
              f"{access['ideal_sectors_per_request']:.1f} sectors, uses {100 * access['efficiency']:.0f}%, "
              f"stride {stride['min']}..{stride['max']}")
