"""Traces of `gpuopt profile --trace` (docs/profile.md), as what each subgroup of a block does between barriers."""

import collections
import dataclasses
import json
import zlib

MAGIC = b"GPUOPTTRACE2"


@dataclasses.dataclass
class Request:
    """What the lanes of a subgroup access at once: addresses, each of `size` bytes."""

    subgroup: int
    turn: int
    site: int
    size: int
    is_workgroup: bool
    is_load: bool  # so is an atomic operation
    is_store: bool
    lanes: list
    addresses: list

    def bytes_of(self):
        return {address + i for address in self.addresses for i in range(self.size)}

    def uses(self, first):
        """Whether it accesses workgroup memory from byte `first` on."""
        return self.is_workgroup and max(self.addresses) + self.size > first


class Reader:
    """Numbers of a frame."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        self.at += count
        return self.data[self.at - count : self.at]

    def word(self):
        return int.from_bytes(self.take(4), "little")

    def leb(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value, byte, shift

    def unsigned(self):
        return self.leb()[0]

    def signed(self):
        value, byte, shift = self.leb()
        return value - (1 << shift) if byte & 64 else value


def records_of(data, accesses):
    """(block, barriers passed, request) of each record of a frame."""
    reader = Reader(data)
    while reader.at < len(data):
        block, interval, site, subgroup, turn, size = (reader.unsigned() for _ in range(6))
        flags = reader.take(1)[0]
        count, lane, address = reader.unsigned(), reader.unsigned(), reader.signed()
        lanes, addresses = [lane], [address]
        step = reader.signed() if flags & 1 else None
        for _ in range(count - 1):
            lanes.append(lanes[-1] + (1 if step is not None else reader.unsigned()))
            addresses.append(addresses[-1] + (reader.signed() if step is None else step))
        kind = accesses[site]["kind"]
        is_load, is_store = kind != "store", kind != "load"
        yield block, interval, Request(subgroup, turn, site, size, bool(flags & 2), is_load, is_store, lanes, addresses)


def stream(path):
    """The trace's head, and an iterator over (block, barriers passed, request)."""
    with open(path, "rb") as opened:
        file = Reader(opened.read())
    if file.take(len(MAGIC)) != MAGIC:
        raise ValueError(f"{path}: not a trace of gpuopt profile")
    head = json.loads(file.take(file.word()))

    def records():
        while file.at < len(file.data):
            codec, _, stored = file.take(1)[0], file.word(), file.word()
            data = file.take(stored)
            yield from records_of(zlib.decompress(data) if codec else data, head["accesses"])

    return head, records()


def read(path):
    """The trace's head, and for each block its intervals between barriers: [[request…]…]."""
    head, records = stream(path)
    blocks = collections.defaultdict(lambda: collections.defaultdict(list))
    for block, interval, request in records:
        blocks[block][interval].append(request)
    return head, {block: [found[i] for i in range(max(found) + 1)] for block, found in sorted(blocks.items())}


def dead_boundaries(intervals, first):
    """Where, between intervals, nothing that workgroup memory holds from byte `first` on is loaded later: numbers of the
    intervals behind."""
    dead = []
    # Seen from the end: bytes that are loaded before they are stored.
    needed = set()
    for number in range(len(intervals) - 1, 0, -1):
        loaded, stored = set(), set()
        for request in intervals[number]:
            if request.uses(first) and request.is_load:
                loaded.update(request.bytes_of())
            if request.uses(first) and request.is_store:
                stored.update(request.bytes_of())
        # Within an interval a thread may load first.
        needed = (needed - stored) | loaded
        if not needed:
            dead.append(number)
    return set(dead)


def regions_of(intervals, first=0):
    """The access regions (Yang 2012, section 5.3) of workgroup memory from byte `first` on: (first, last) interval of
    each."""
    dead = dead_boundaries(intervals, first)
    regions, current = [], []
    for number, requests in enumerate(intervals):
        if number in dead and current:
            regions.append((current[0], current[-1]))
            current = []
        if any(request.uses(first) for request in requests):
            current.append(number)
    if current:
        regions.append((current[0], current[-1]))
    return regions
