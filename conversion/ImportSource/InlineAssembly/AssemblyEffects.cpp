//===- AssemblyEffects.cpp - instructions with effects --------------------===//

#include "conversion/ImportSource/InlineAssembly/AssemblyBuilder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// `shfl.sync.down.b32 d|p, a, b, c, mask`: c has the last lane that may be
/// read in its lowest five bits, and behind them which bits of a lane's number
/// are the number of its segment (PTX ISA 9.7.9.6).
bool AssemblyBuilder::buildShuffle(const PTXInstruction &instruction,
                                   Value *guard) {
  if (!hasPTXLanes || guard || instruction.operands.size() != 5 ||
      instruction.opcode.size() != 4 || instruction.opcode[1] != "sync" ||
      instruction.opcode[3] != "b32")
    return false;
  StringRef kind = instruction.opcode[2];
  SmallVector<PTXOperand, 4> results = instruction.operands[0].parts();
  PTXType word = {'b', 32};
  std::array<Value *, 4> in;
  for (unsigned i = 0; i < 4; ++i)
    if (!(in[i] = read(instruction.operands[i + 1], word)))
      return false;
  auto [value, step, limits, mask] = in;
  mask = builder.CreateZExt(mask, builder.getInt64Ty());
  Value *lowestFive = builder.getInt32(31);
  step = builder.CreateAnd(step, lowestFive);
  Value *segment = builder.CreateAnd(
      builder.CreateLShr(limits, builder.getInt32(8)), lowestFive);
  Value *lane = laneId();
  Value *first = builder.CreateAnd(lane, segment);
  Value *inside = builder.CreateAnd(builder.CreateNot(segment), lowestFive);
  Value *last = builder.CreateOr(
      first, builder.CreateAnd(builder.CreateAnd(limits, lowestFive), inside));
  Value *from = kind == "up"     ? builder.CreateSub(lane, step)
                : kind == "down" ? builder.CreateAdd(lane, step)
                : kind == "bfly" ? builder.CreateXor(lane, step)
                : kind == "idx"
                    ? builder.CreateOr(first, builder.CreateAnd(step, inside))
                    : nullptr;
  if (!from)
    return false;
  Value *isInside = kind == "up" ? builder.CreateICmpSGE(from, last)
                                 : builder.CreateICmpSLE(from, last);

  // CUDA's own functions for segments of a power of two, in their full length.
  auto *constant = dyn_cast<ConstantInt>(limits);
  uint64_t bits = constant ? constant->getZExtValue() : ~0ull;
  unsigned width = 32 - (bits >> 8 & 31);
  bool isUsual = constant && isPowerOf2_32(width) &&
                 (bits & 31) == (kind == "up" ? 0 : 31);
  StringRef function = !isUsual         ? "shuffle_idx"
                       : kind == "up"   ? "shuffle_up"
                       : kind == "down" ? "shuffle_down"
                       : kind == "bfly" ? "shuffle_xor"
                                        : "shuffle_idx";
  if (!isUsual) {
    step = builder.CreateSelect(isInside, from, lane);
    width = 32;
  }
  Value *shuffled = callDevice(function, builder.getInt32Ty(),
                               {mask, value, step, builder.getInt32(width)});
  return write(results[0], shuffled, nullptr) &&
         (results.size() == 1 ||
          (results.size() == 2 && write(results[1], isInside, nullptr)));
}

/// `vote.sync.ballot.b32 d, p, mask`, or `vote.ballot.sync.b32`.
Value *AssemblyBuilder::buildVote(const PTXInstruction &instruction) {
  if (instruction.operands.size() != 3 || instruction.opcode.size() != 4)
    return nullptr;
  bool isFirst = instruction.opcode[1] == "sync";
  StringRef kind = instruction.opcode[isFirst ? 2 : 1];
  if (!isFirst && instruction.opcode[2] != "sync")
    return nullptr;
  if (!hasPTXLanes)
    return nullptr;
  Value *predicate = read(instruction.operands[1], {'b', 1});
  Value *mask = read(instruction.operands[2], {'b', 32});
  if (!predicate || !mask || !is_contained({"ballot", "any", "all"}, kind))
    return nullptr;
  if (kind == "all")
    predicate = builder.CreateNot(predicate);
  Value *votes =
      callDevice("ballot", builder.getInt64Ty(),
                 {builder.CreateZExt(mask, builder.getInt64Ty()),
                  builder.CreateZExt(predicate, builder.getInt32Ty())});
  if (kind == "ballot")
    return builder.CreateTrunc(votes, builder.getInt32Ty());
  Value *isNone = builder.CreateICmpEQ(votes, builder.getInt64(0));
  return kind == "all" ? isNone : builder.CreateNot(isNone);
}

//===----------------------------------------------------------------------===//
// Memory and other effects
//===----------------------------------------------------------------------===//

namespace {
/// What stands between `ld` or `st` and the type.
struct AccessModifiers {
  AtomicOrdering ordering = AtomicOrdering::NotAtomic;
  /// `device`, `block`, or the whole system.
  StringRef scope;
  bool isVolatile = false;
  unsigned elements = 1;
};
} // namespace

static std::optional<AccessModifiers>
readModifiers(const PTXInstruction &instruction) {
  AccessModifiers read;
  bool isLoad = instruction.opcode.front() == "ld";
  for (StringRef word : modifiers(instruction)) {
    if (word == "volatile" || word == "cv")
      read.isVolatile = true;
    else if (word == "relaxed")
      read.ordering = AtomicOrdering::Monotonic;
    else if (isLoad && word == "acquire")
      read.ordering = AtomicOrdering::Acquire;
    else if (!isLoad && word == "release")
      read.ordering = AtomicOrdering::Release;
    else if (word == "gpu")
      read.scope = "device";
    else if (word == "cta")
      read.scope = "block";
    else if (word == "v2" || word == "v4")
      read.elements = word == "v2" ? 2 : 4;
    // Hints, and memory that a pointer to all memory reaches as well.
    else if (!word.starts_with("L1::") && !word.starts_with("L2::") &&
             !is_contained({"global", "weak", "sys", "nc", "ca", "cg", "cs",
                            "lu", "wb", "wt"},
                           word))
      return std::nullopt;
  }
  return read;
}

/// Elements of a vector are accessed at once, as the instruction does it:
/// nothing may divide an access where others look on.
bool AssemblyBuilder::buildAccess(const PTXInstruction &instruction,
                                  Value *guard) {
  bool isLoad = instruction.opcode.front() == "ld";
  std::optional<PTXType> type = typeOf(instruction);
  std::optional<AccessModifiers> how = readModifiers(instruction);
  if (guard || !type || !how || type->bits < 8 ||
      instruction.operands.size() != 2)
    return false;
  uint64_t bits = uint64_t(type->bits) * how->elements;
  bool isAtomic = how->ordering != AtomicOrdering::NotAtomic;
  // No instruction of LLVM's for the host has more.
  if (bits > (isAtomic ? 64 : 128))
    return false;
  how->isVolatile |= isVolatile;
  Value *address = readAddress(instruction.operands[isLoad ? 1 : 0]);
  PTXOperand registers = instruction.operands[isLoad ? 0 : 1];
  SmallVector<PTXOperand, 4> parts =
      registers.isVector() ? registers.parts()
                           : SmallVector<PTXOperand, 4>{registers};
  if (!address || parts.size() != how->elements)
    return false;
  Type *scalar = builder.getIntNTy(type->bits);
  Type *whole = builder.getIntNTy(bits);
  if (how->elements > 1 && !isAtomic)
    whole = FixedVectorType::get(scalar, how->elements);
  SyncScope::ID scope = builder.getContext().getOrInsertSyncScopeID(how->scope);
  if (isLoad) {
    LoadInst *load = builder.CreateAlignedLoad(whole, address, Align(bits / 8),
                                               how->isVolatile);
    load->setAtomic(how->ordering, scope);
    return writeElements(parts, load, *type);
  }
  Value *data = readElements(parts, whole, *type);
  if (!data)
    return false;
  StoreInst *store = builder.CreateAlignedStore(data, address, Align(bits / 8),
                                                how->isVolatile);
  store->setAtomic(how->ordering, scope);
  return true;
}

/// What a load of `type`, or of several at once, has read.
bool AssemblyBuilder::writeElements(ArrayRef<PTXOperand> parts, Value *loaded,
                                    PTXType type) {
  for (auto [index, part] : enumerate(parts)) {
    Value *element = loaded->getType()->isVectorTy()
                         ? builder.CreateExtractElement(loaded, index)
                         : extractPart(loaded, index, type.bits);
    // A register may be wider than what is loaded.
    Type *held = types.lookup(part.text);
    unsigned width = held ? widthOf(held) : 0;
    if (width > type.bits)
      element = builder.CreateIntCast(element, builder.getIntNTy(width),
                                      type.isSigned());
    if (!write(part, element, /*guard=*/nullptr))
      return false;
  }
  return true;
}

/// What a store of `type`, or of several at once as one of `whole`, writes.
Value *AssemblyBuilder::readElements(ArrayRef<PTXOperand> parts, Type *whole,
                                     PTXType type) {
  Value *data = Constant::getNullValue(whole);
  for (auto [index, part] : enumerate(parts)) {
    Type *held = types.lookup(part.text);
    unsigned width = held ? widthOf(held) : 0;
    Value *element = read(part, {'b', std::max(type.bits, width)});
    if (!element)
      return nullptr;
    element = builder.CreateTrunc(element, builder.getIntNTy(type.bits));
    data = whole->isVectorTy()
               ? builder.CreateInsertElement(data, element, index)
               : insertPart(data, element, index);
  }
  return data;
}

/// Barriers and fences.
bool AssemblyBuilder::buildEffect(const PTXInstruction &instruction) {
  std::string opcode = join(instruction.opcode, ".");
  Type *none = builder.getVoidTy();
  ArrayRef<PTXOperand> operands = instruction.operands;
  // Barrier 0 is the whole block's; one that is not aligned may be another in
  // each branch.
  if (opcode == "bar.sync" || opcode == "barrier.sync.aligned")
    return operands.size() == 1 && operands[0].text == "0" &&
           callDevice("barrier", none, {});
  if (opcode == "bar.warp.sync" && hasPTXLanes && operands.size() == 1) {
    Value *mask = read(operands[0], {'b', 32});
    return mask && callDevice("subgroup_barrier", none,
                              {builder.CreateZExt(mask, builder.getInt64Ty())});
  }
  if (opcode == "trap" && operands.empty())
    return callDevice("trap", none, {});
  int scope = StringSwitch<int>(opcode)
                  .Cases({"membar.cta", "fence.acq_rel.cta", "fence.sc.cta"}, 0)
                  .Cases({"membar.gl", "fence.acq_rel.gpu", "fence.sc.gpu"}, 1)
                  .Cases({"membar.sys", "fence.acq_rel.sys", "fence.sc.sys"}, 2)
                  .Default(-1);
  return scope >= 0 && operands.empty() &&
         callDevice("fence", none, {builder.getInt32(scope)});
}
