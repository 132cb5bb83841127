"""Whether the chosen design of the matrix product has what a fast one needs; the
naive kernel moves 640 sectors per work item."""
import json
import sys

(kernel,) = json.load(open(sys.argv[1]))
chosen, *others = kernel["variants"]
assert chosen["verdict"] == "chosen", chosen
assert all(other["verdict"] != "chosen" for other in others)
assert chosen["measured_by"] == "ptxas", chosen
# A block of 128 x 128 items loads 2 * 128 * 4096 floats: 8 sectors for each item, and stores 1/8.
assert 8.125 <= chosen["sectors_per_item"] <= 8.2, chosen
assert chosen["multiply_add_share"] >= 0.85, chosen
assert chosen["widest_access_bytes"] == 16, chosen
assert chosen["stages"] >= 2, chosen
assert chosen["spill_bytes"] == 0, chosen
assert chosen["bank_conflict_degree"] == 1, chosen
assert chosen["blocks_per_sm"] >= 1, chosen
legal = [other for other in others if other["verdict"] == "legal"]
assert all(other["predicted_seconds"] * 1.02 >= chosen["predicted_seconds"] for other in legal)
assert all(other["spill_bytes"] == 0 for other in legal)
dropped = [other for other in others if other["verdict"] == "dropped"]
assert dropped and all(other["reason"] for other in dropped)
