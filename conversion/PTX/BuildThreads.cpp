//===- BuildThreads.cpp - what threads do together ------------------------===//
//
// As the front end has it (DeviceFunctions.def) where that says the same, which
// raising knows; else intrinsics of NVVM.
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/Builders.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// `.aligned` is what `bar` means.
static std::string aligned(Operation &op) {
  bool isAligned = op.match.rule->name == "bar" || op.has("aligned");
  return isAligned ? ".aligned" : "";
}

/// A block has 16 of them.
static bool isBarrier(Operation &op, const Operand &operand) {
  bool isNone = operand.kind == Operand::Kind::Integer &&
                (operand.number < 0 || operand.number > 15);
  return !isNone || op.fail("there is no such barrier");
}

bool build::barrier(Operation &op) {
  if (!isBarrier(op, op.operand(0)))
    return false;
  SmallVector<Value *, 2> arguments;
  for (unsigned i = 0; i < op.operandCount(); ++i) {
    arguments.push_back(op.read(i, kU32));
    if (!arguments.back())
      return false;
  }
  op.callNVVM("barrier.cta.sync" + aligned(op) +
                  (arguments.size() == 2 ? ".count" : ".all"),
              arguments);
  return true;
}

bool build::barrierArrival(Operation &op) {
  Value *barrier = isBarrier(op, op.operand(0)) ? op.read(0, kU32) : nullptr;
  Value *threads = barrier ? op.read(1, kU32) : nullptr;
  return threads && op.callNVVM("barrier.cta.arrive" + aligned(op) + ".count",
                                {barrier, threads});
}

bool build::subgroupBarrier(Operation &op) {
  op.function.callDevice("subgroup_barrier", op.ir.getVoidTy(),
                         {op.ir.CreateZExt(op[0], op.ir.getInt64Ty())});
  return true;
}

/// `bar.red.popc.u32 d, barrier, threads, !p`, of which `threads` may be
/// missing.
static Value *reduceAtBarrier(Operation &op, StringRef kind) {
  if (!isBarrier(op, op.operand(1)))
    return nullptr;
  SmallVector<Value *, 3> arguments;
  unsigned last = op.operandCount() - 1;
  for (unsigned i = 1; i < last; ++i)
    arguments.push_back(op.read(i, kU32));
  arguments.push_back(op.read(last, kPredicate));
  if (is_contained(arguments, nullptr))
    return nullptr;
  return op.callNVVM(("barrier.cta.red." + kind).str() + aligned(op) +
                         (arguments.size() == 3 ? ".count" : ".all"),
                     arguments);
}

bool build::barrierCount(Operation &op) {
  Value *count = reduceAtBarrier(op, "popc");
  return count && op.write(0, count, kU32);
}

bool build::barrierVote(Operation &op) {
  Value *result = reduceAtBarrier(op, op.has("and") ? "and" : "or");
  return result && op.write(0, result, kPredicate);
}

//===----------------------------------------------------------------------===//
// Shuffles and votes
//===----------------------------------------------------------------------===//

static Value *lanesThatAreThere(Operation &op) {
  return op.ir.CreateTrunc(
      op.function.callDevice("active_mask", op.ir.getInt64Ty(), {}),
      op.ir.getInt32Ty());
}

/// The mask behind `count` operands; where there is none, instructions from
/// before `.sync` are of all lanes that are there.
static Value *maskOf(Operation &op, unsigned count) {
  return op.in.size() > count ? op[count] : lanesThatAreThere(op);
}

/// Whether all 32 lanes are one segment: what CUDA's shuffles with no width
/// are.
static bool isWholeSubgroup(Value *clamp, bool isUp) {
  auto *constant = dyn_cast<ConstantInt>(clamp);
  return constant && (constant->getZExtValue() & 0x1f1f) == (isUp ? 0 : 0x1f);
}

/// `shfl.sync.MODE.b32 d|p, value, lane, clamp, mask`
bool build::shuffle(Operation &op) {
  Builder &ir = op.ir;
  if (op.has("sync") != (op.in.size() == 4))
    return op.fail("a mask is missing, or one too many");
  const Operand &target = op.operand(0);
  bool isPair = target.kind == Operand::Kind::Pair;
  StringRef mode = op.has("up")     ? "up"
                   : op.has("down") ? "down"
                   : op.has("bfly") ? "bfly"
                                    : "idx";
  Value *mask = maskOf(op, 3);
  bool wantsPredicate = isPair && target.parts[1].name != "_";
  const Operand &result = isPair ? target.parts[0] : target;
  if (!wantsPredicate && isWholeSubgroup(op[2], mode == "up")) {
    Value *shuffled = op.function.callDevice(
        ("shuffle_" + (mode == "bfly" ? "xor" : mode)).str(), ir.getInt32Ty(),
        {ir.CreateZExt(mask, ir.getInt64Ty()), op[0], ir.CreateAnd(op[1], 31),
         ir.getInt32(32)});
    return op.function.write(result, shuffled, kB32);
  }
  Value *pair = op.callNVVM(("shfl.sync." + mode + ".i32p").str(),
                            {mask, op[0], op[1], op[2]});
  if (!op.function.write(result, ir.CreateExtractValue(pair, 0), kB32))
    return false;
  return !wantsPredicate ||
         op.function.write(target.parts[1], ir.CreateExtractValue(pair, 1),
                           kPredicate);
}

/// The lanes of `mask` for which `holds` is true.
static Value *lanesWhere(Operation &op, Value *mask, Value *holds) {
  Builder &ir = op.ir;
  return op.function.callDevice("ballot", ir.getInt64Ty(),
                                {ir.CreateZExt(mask, ir.getInt64Ty()),
                                 ir.CreateZExt(holds, ir.getInt32Ty())});
}

static bool lacksMask(Operation &op) {
  return op.has("sync") != (op.in.size() == 2);
}

bool build::vote(Operation &op) {
  Builder &ir = op.ir;
  if (lacksMask(op))
    return op.fail("a mask is missing, or one too many");
  Value *mask = maskOf(op, 1), *result;
  if (op.has("uni"))
    result = op.callNVVM("vote.uni.sync", {mask, op[0]});
  else if (op.has("all"))
    result = ir.CreateIsNull(lanesWhere(op, mask, ir.CreateNot(op[0])));
  else
    result = ir.CreateIsNotNull(lanesWhere(op, mask, op[0]));
  return op.write(0, result, kPredicate);
}

bool build::ballot(Operation &op) {
  if (lacksMask(op))
    return op.fail("a mask is missing, or one too many");
  Value *lanes = lanesWhere(op, maskOf(op, 1), op[0]);
  return op.write(0, op.ir.CreateTrunc(lanes, op.ir.getInt32Ty()), kB32);
}

/// Writes `d|p`, or d alone, from a pair.
static bool writePair(Operation &op, Value *pair) {
  const Operand &target = op.operand(0);
  Value *first = op.ir.CreateExtractValue(pair, 0);
  if (target.kind != Operand::Kind::Pair)
    return op.write(0, first, kB32);
  return op.function.write(target.parts[0], first, kB32) &&
         op.function.write(target.parts[1], op.ir.CreateExtractValue(pair, 1),
                           kPredicate);
}

bool build::matchLanes(Operation &op) {
  std::string suffix = op.type().bits == 64 ? ".i64" : ".i32";
  if (op.has("any"))
    return op.write(0, op.callNVVM("match.any.sync" + suffix, {op[1], op[0]}),
                    kB32);
  return writePair(
      op, op.callNVVM("match.all.sync" + suffix + "p", {op[1], op[0]}));
}

bool build::elect(Operation &op) {
  return writePair(op, op.callNVVM("elect.sync", {op[0]}));
}

Value *build::reduceLanes(Operation &op) {
  StringRef kind;
  for (StringRef known : {"add", "min", "max", "and", "or", "xor"})
    if (op.has(known))
      kind = known;
  bool isUnsigned = op.type().kind == RegisterType::Kind::Unsigned &&
                    (kind == "min" || kind == "max");
  return op.callNVVM(
      ("redux.sync." + StringRef(isUnsigned ? "u" : "") + kind).str(),
      {op[0], op[1]});
}

Value *build::activeMask(Operation &op) { return lanesThatAreThere(op); }
