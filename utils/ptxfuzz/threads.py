"""What the threads of a block do together; all of them run it.

In C++ each thread writes its value to `all`, an array of workgroup memory, and reads what it needs of the others'.
"""

from .memory import ROW_IN
from .program import H16, PRED, R32, R64, kind_of, variable

FULL = ("-1", "0xffffffff", "4294967295")


def barrier(maker):
    return maker.pick("bar.sync 0;", "barrier.sync 0;", "barrier.sync.aligned 0;", "bar.cta.sync 0;",
                      f"bar.sync 0, {maker.program.threads[0]};")


def together(draft, value, statements):
    """The step whose PTX is there and which means `statements`, where `all` holds each thread's `value`."""
    draft.cpp += [f"all[thread] = {value};", "__syncthreads();", *statements, "__syncthreads();"]
    return draft.done(can_be_guarded=False)


def exchange(maker):
    """Through workgroup memory."""
    draft = maker.draft()
    threads = maker.program.threads[0]
    place, other = (maker.temporary(R32) for _ in range(2))
    distance = maker.number(1, 31)
    is_next = maker.chance(0.5)
    lines = [f"mov.u32 {place}, tile;", f"mad.lo.u32 {place}, %thread0, 8, {place};"]
    move = [f"add.u32 {other}, %thread0, {distance};", f"rem.u32 {other}, {other}, {threads};"] if is_next else \
        [f"xor.b32 {other}, %thread0, {distance};"]
    from_cpp = f"all[(thread + {distance}) % {threads}]" if is_next else f"all[thread ^ {distance}]"
    lines += [*move, f"shl.b32 {other}, {other}, 3;"]
    if maker.chance(0.4):
        # Addresses of 64 bits.
        base, wide = maker.temporary(R64), maker.temporary(R64)
        lines += [f"cvt.u64.u32 {wide}, {other};", f"mov.u64 {base}, tile;", f"add.u64 {wide}, {wide}, {base};"]
        address = f"[{wide}]"
    else:
        base = maker.temporary(R32)
        lines += [f"mov.u32 {base}, tile;", f"add.u32 {other}, {other}, {base};"]
        address = f"[{other}]"
    draft.ptx += lines
    if maker.chance(0.5):
        source, target = draft.integer("b64"), draft.target(R64)
        draft.ptx += [f"st.shared.b64 [{place}], {source.ptx};", barrier(maker), f"ld.shared.b64 {target}, {address};",
                      barrier(maker)]
        return together(draft, source.cpp, [f"{variable(target)} = {from_cpp};"])
    low, high = draft.integer("b32"), draft.integer("b32")
    first, second = maker.rng.sample(maker.names(R32), 2)
    draft.ptx += [f"st.shared.v2.u32 [{place}], {{{low.ptx}, {high.ptx}}};", barrier(maker),
                  f"ld.shared.v2.u32 {{{first}, {second}}}, {address};", barrier(maker)]
    return together(draft, f"isa::u32({low.cpp}) | isa::u64(isa::u32({high.cpp})) << 32",
                    [f"{variable(first)} = {from_cpp};", f"{variable(second)} = {from_cpp} >> 32;"])


def copy(maker):
    """8 bytes of the input for each thread, which are copied to workgroup memory meanwhile, or fewer and zeros."""
    draft = maker.draft()
    threads, row = maker.program.threads[0], maker.program.style["row"]
    place, at = maker.temporary(R32), maker.number(0, row // 2 - 1) * 2
    distance, target = maker.number(1, 31), draft.target(R64)
    taken = maker.pick(8, 8, 0, 4)
    count = f", {taken}" if taken < 8 or maker.chance(0.3) else ""
    wait = maker.pick(["cp.async.commit_group;", "cp.async.wait_group 0;"], ["cp.async.wait_all;"])
    draft.ptx += [f"mov.u32 {place}, tile;", f"mad.lo.u32 {place}, %thread0, 8, {place};",
                  f"cp.async.ca.shared.global [{place}], [{ROW_IN}+{4 * at}], 8{count};", *wait, barrier(maker),
                  f"add.u32 {place}, %thread0, {distance};", f"rem.u32 {place}, {place}, {threads};",
                  f"shl.b32 {place}, {place}, 3;"]
    base = maker.temporary(R32)
    draft.ptx += [f"mov.u32 {base}, tile;", f"add.u32 {place}, {place}, {base};",
                  f"ld.shared.b64 {target}, [{place}];", barrier(maker)]
    word = f"in[row * {row} + {at}] | isa::u64(in[row * {row} + {at + 1}]) << 32"
    mask = (1 << 8 * taken) - 1
    return together(draft, f"({word}) & 0x{mask:x}ull",
                    [f"{variable(target)} = all[(thread + {distance}) % {threads}];"])


def row_address(draft, step, first):
    """The address of the row of 16 bytes that the lane names, of those of its warp."""
    maker = draft.maker
    row, base = maker.temporary(R32), maker.temporary(R32)
    draft.ptx += [f"mad.lo.u32 {row}, %thread0, {step}, {first};", f"and.b32 {row}, {row}, 15;",
                  f"shl.b32 {row}, {row}, 4;", f"and.b32 {base}, %thread0, -32;",
                  f"mad.lo.u32 {row}, {base}, 8, {row};", f"mov.u32 {base}, tile;", f"add.u32 {row}, {row}, {base};"]
    return row


def own_place(draft):
    """The address of the 8 bytes of the thread."""
    place = draft.maker.temporary(R32)
    draft.ptx += [f"mov.u32 {place}, tile;", f"mad.lo.u32 {place}, %thread0, 8, {place};"]
    return place


def load_matrices(maker):
    draft = maker.draft()
    source, count, step, first = draft.integer("b64"), maker.pick(1, 2, 4), maker.pick(1, 3, 5, 15), maker.number(0, 15)
    place, is_transposed = own_place(draft), maker.chance(0.5)
    draft.ptx += [f"st.shared.b64 [{place}], {source.ptx};", barrier(maker)]
    row = row_address(draft, step, first)
    targets = maker.rng.sample(maker.names(R32), count)
    draft.ptx += [f"ldmatrix.sync.aligned.m8n8.x{count}{'.trans' * is_transposed}.shared.b16 "
                  f"{{{', '.join(targets)}}}, [{row}];", barrier(maker)]
    flag = str(is_transposed).lower()
    return together(draft, source.cpp,
                    [f"{variable(target)} = isa::ldmatrix(all, thread, {number}, {step}, {first}, {flag});"
                     for number, target in enumerate(targets)])


def store_matrices(maker):
    draft = maker.draft()
    low, high, is_transposed = draft.integer("b32", 0), draft.integer("b32", 0), maker.chance(0.5)
    row, target = row_address(draft, 1, 0), draft.target(R64)
    draft.ptx += [f"stmatrix.sync.aligned.m8n8.x2{'.trans' * is_transposed}.shared.b16 [{row}], "
                  f"{{{low.ptx}, {high.ptx}}};", barrier(maker), f"ld.shared.b64 {target}, [{own_place(draft)}];",
                  barrier(maker)]
    return together(draft, f"{low.cpp} | isa::u64({high.cpp}) << 32",
                    [f"{variable(target)} = isa::stmatrix(all, thread, {str(is_transposed).lower()});"])


def count_in_tile(maker):
    """Updates of workgroup memory."""
    draft = maker.draft()
    name, how = maker.pick(("add", "count += all[i]"), ("max", "count = all[i] > count ? all[i] : count"),
                           ("or", "count |= all[i]"), ("xor", "count ^= all[i]"))
    type_name = "u32" if name in ("add", "max") else "b32"
    source, target, first, last = draft.integer(type_name), draft.target(R32), maker.temporary(PRED), barrier(maker)
    draft.ptx += [f"setp.eq.u32 {first}, %thread0, 0;", f"@{first} st.shared.u32 [tile], 0;", barrier(maker),
                  f"red.shared.{name}.{type_name} [tile], {source.ptx};", barrier(maker),
                  f"ld.shared.u32 {target}, [tile];", last]
    threads = maker.program.threads[0]
    return together(draft, f"isa::u32({source.cpp})",
                    ["{", "  isa::u32 count = 0;", f"  for (isa::u32 i = 0; i < {threads}; ++i)",
                     f"    {how.replace('all[i]', 'isa::u32(all[i])')};", f"  {variable(target)} = count;", "}"])


def shuffle(maker):
    draft = maker.draft()
    mode = maker.pick("up", "down", "bfly", "idx")
    source, lane = draft.integer("b32", 0.1), draft.small()
    width = maker.pick(1, 2, 4, 8, 16, 32, 32)
    clamp = (32 - width) << 8 | (0 if mode == "up" else 31)
    if maker.chance(0.2):
        clamp = maker.number(0, 31) << 8 | maker.number(0, 31)
    target = draft.target(R32)
    statement = f"{variable(target)} = isa::shfl(all, thread, {lane.cpp}, {clamp}, isThere, isa::{mode});"
    written, after = target, []
    if maker.chance(0.5):
        condition = draft.target(PRED)
        written, after = f"{target}|{condition}", [f"  {variable(condition)} = isThere;"]
    # The lane is read before the result is written.
    draft.ptx.append(f"shfl.sync.{mode}.b32 {written}, {source.ptx}, {lane.ptx}, {maker.spell(clamp, 32)}, "
                     f"{maker.pick(FULL)};")
    return together(draft, f"isa::u32({source.cpp})", ["{", "  bool isThere;", "  " + statement, *after, "}"])


def condition_of(draft):
    """A predicate or its opposite, as both texts have it."""
    name, sign = draft.maker.register(PRED), draft.maker.pick("", "!")
    return sign + name, sign + variable(name)


def vote(maker):
    draft = maker.draft()
    ptx, cpp = condition_of(draft)
    mode = maker.pick("all", "any", "uni", "ballot")
    target = draft.target(R32 if mode == "ballot" else PRED)
    type_name = "b32" if mode == "ballot" else "pred"
    draft.ptx.append(f"vote.sync.{mode}.{type_name} {target}, {ptx}, {maker.pick(FULL)};")
    test = {"all": " == ~0u", "any": " != 0", "uni": "", "ballot": ""}[mode]
    value = f"isa::ballot(all, thread){test}"
    if mode == "uni":
        value = f"{value} + 1u < 2"
    return together(draft, cpp, [f"{variable(target)} = {value};"])


def by_some_lanes(maker):
    """Votes and sums of the lower lanes of each warp, which the others do not join."""
    draft = maker.draft()
    count, target = maker.pick(1, 8, 16, 31), draft.target(R32)
    lane, some = maker.temporary(R32), maker.temporary(PRED)
    lanes = (1 << count) - 1
    draft.ptx += [f"mov.u32 {lane}, %laneid;", f"setp.lt.u32 {some}, {lane}, {count};"]
    if maker.chance(0.5):
        ptx, value = condition_of(draft)
        draft.ptx.append(f"@{some} vote.sync.ballot.b32 {target}, {ptx}, {lanes};")
        result = f"isa::ballot(all, thread) & {lanes}"
    else:
        source, distance = draft.integer("b32", 0.1), maker.number(0, 31)
        value = f"isa::u32({source.cpp})"
        draft.ptx.append(f"@{some} shfl.sync.idx.b32 {target}, {source.ptx}, {distance % count}, 31, {lanes};")
        result = f"all[thread / 32 * 32 + {distance % count}]"
    return together(draft, value, [f"if (thread % 32 < {count})", f"  {variable(target)} = {result};"])


def match(maker):
    draft = maker.draft()
    bits = maker.pick(32, 64)
    kind, mode = kind_of(f"b{bits}"), maker.pick("any", "all")
    name, few, mask = maker.register(kind), maker.temporary(kind), maker.pick(0, 1, 3, 0x80000001)
    draft.ptx.append(f"and.b{bits} {few}, {name}, {mask};")
    target, condition = draft.target(R32), draft.target(PRED)
    lanes = "isa::match(all, thread)"
    statements = [f"{variable(target)} = {lanes};"]
    written = target
    if mode == "all":
        written = f"{target}|{condition}" if maker.chance(0.7) else target
        statements = [f"{variable(target)} = {lanes} == ~0u ? ~0u : 0;"]
        if "|" in written:
            statements.append(f"{variable(condition)} = {lanes} == ~0u;")
    draft.ptx.append(f"match.{mode}.sync.b{bits} {written}, {few}, {maker.pick(FULL)};")
    return together(draft, f"{variable(name)} & {mask}", statements)


def redux(maker):
    draft = maker.draft()
    name, how = maker.pick(("add", "sum"), ("min", "least_"), ("max", "most_"), ("and", "conjunction"),
                           ("or", "disjunction"), ("xor", "parity"))
    type_name = "b32" if name in ("and", "or", "xor") else maker.pick("u32", "s32")
    source, target = draft.integer(type_name, 0.1), draft.target(R32)
    draft.ptx.append(f"redux.sync.{name}.{type_name} {target}, {source.ptx}, {maker.pick(FULL)};")
    return together(draft, f"isa::u32({source.cpp})",
                    [f"{variable(target)} = isa::redux<isa::{type_name}>(all, thread, isa::{how});"])


def reduce_at_barrier(maker):
    draft = maker.draft()
    ptx, cpp = condition_of(draft)
    mode, threads = maker.pick("popc", "and", "or"), maker.program.threads[0]
    target = draft.target(R32 if mode == "popc" else PRED)
    name = maker.pick("bar.red", "barrier.red", "bar.cta.red")
    count = f", {threads}" if maker.chance(0.3) else ""
    type_name = "u32" if mode == "popc" else "pred"
    draft.ptx.append(f"{name}.{mode}.{type_name} {target}, 0{count}, {ptx};")
    test = {"popc": "", "and": f" == {threads}", "or": " != 0"}[mode]
    return together(draft, cpp, [f"{variable(target)} = isa::countThreads(all, {threads}){test};"])


def warp_barrier(maker):
    """Orders what the lanes of a warp do to workgroup memory."""
    draft = maker.draft()
    place, other, target = maker.temporary(R32), maker.temporary(R32), draft.target(H16)
    source, distance = draft.integer("b16"), maker.number(1, 31)
    draft.ptx += [f"mov.u32 {place}, tile;", f"mad.lo.u32 {other}, %thread0, 2, {place};",
                  f"st.shared.u16 [{other}], {source.ptx};", "bar.warp.sync -1;",
                  f"xor.b32 {other}, %thread0, {distance};", f"mad.lo.u32 {other}, {other}, 2, {place};",
                  f"ld.shared.u16 {target}, [{other}];", barrier(maker)]
    return together(draft, source.cpp, [f"{variable(target)} = all[thread ^ {distance}];"])
