"""Reads a trace of `gpuopt profile --trace` and adds up what each access of the
source did: executions, requests, the least and the most distance of neighbours
by Algorithm 1 (addresses of a request sorted). Compares with the profile's JSON."""
import json
import sys
import zlib


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        self.at += count
        return self.data[self.at - count : self.at]

    def word(self):
        return int.from_bytes(self.take(4), "little")

    def unsigned(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value, byte, shift

    def signed(self):
        value, byte, shift = self.unsigned()
        return value - (1 << shift) if byte & 64 else value


def requests(records):
    reader = Reader(records)
    while reader.at < len(records):
        block, _, site, subgroup, turn, size = (reader.unsigned()[0] for _ in range(6))
        flags = reader.take(1)[0]
        count, lane, address = reader.unsigned()[0], reader.unsigned()[0], reader.signed()
        lanes, addresses = [lane], [address]
        step = reader.signed() if flags & 1 else None
        for _ in range(count - 1):
            lanes.append(lanes[-1] + (1 if step is not None else reader.unsigned()[0]))
            addresses.append(addresses[-1] + (step if step is not None else reader.signed()))
        yield block, site, subgroup, turn, size, bool(flags & 2), lanes, addresses


file = Reader(open(sys.argv[1], "rb").read())
assert file.take(12) == b"GPUOPTTRACE2"
head = json.loads(file.take(file.word()))
found, blocks = {}, set()
while file.at < len(file.data):
    codec, raw, stored = file.take(1)[0], file.word(), file.word()
    records = file.take(stored)
    records = zlib.decompress(records) if codec == 1 else records
    assert len(records) == raw
    for block, site, _, _, _, _, lanes, addresses in requests(records):
        access = head["accesses"][site]
        key = access["location"], access["array"], access["kind"]
        executions, count, least, most = found.get(key, (0, 0, None, None))
        ordered = sorted(addresses)
        distances = [right - left for left, right in zip(ordered, ordered[1:])]
        known = [value for value in (least, most) if value is not None]
        found[key] = (executions + len(lanes), count + 1, min(known + distances), max(known + distances))
        blocks.add(block)

profile = json.load(open(sys.argv[2]))[0]
for access in profile["accesses"]:
    executions, count, least, most = found.pop((access["location"], access["array"], access["kind"]))
    assert executions == access["executions"] and count == access["requests"], access
    if access["space"] == "global":
        stride = access["algorithm1"]["stride_bytes"]
        assert (least, most) == (stride["min"], stride["max"]), access
assert not found
print(f"{head['kernel']} on {head['target']}: {len(blocks)} blocks, as in the profile")
