//===- StepLoop.cpp - a loop of launches over halving steps ---------------===//

#include "passes/Launches/StepLoop.h"

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/IntegerValues.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Utils/Aliasing.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// The array that a load or store accesses; null for other operations.
static Value accessedArray(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return load.getMemRef();
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return store.getMemRef();
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    return load.getMemRef();
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return store.getMemRef();
  return {};
}

static bool isStore(Operation *op) {
  return isa<memref::StoreOp, affine::AffineStoreOp>(op);
}

namespace {
class KernelReader {
public:
  KernelReader(gpu::GPUFuncOp kernel, std::string &reason)
      : kernel(kernel), reason(reason) {}

  std::optional<GuardedKernel> read(std::optional<unsigned> extent);

private:
  bool readTop();
  bool readGuard(std::optional<unsigned> extent);
  bool readArrays();
  bool readOffsets();
  bool checkConditional(scf::IfOp branch);
  bool no(const Twine &why) {
    reason = why.str();
    return false;
  }

  gpu::GPUFuncOp kernel;
  std::string &reason;
  GuardedKernel result;
};
} // namespace

/// Nothing but arithmetic, the work item's id along x, and one conditional.
bool KernelReader::readTop() {
  if (!kernel.getBody().hasOneBlock() ||
      kernel.getNumWorkgroupAttributions() != 0)
    return no("its kernel uses workgroup memory or unstructured control flow");
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (isMemoryEffectFree(&op) && op.getNumRegions() == 0)
      continue;
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch || result.guard || branch.getNumResults() != 0 ||
        !branch.getElseRegion().empty())
      return no("its kernel does more than one guard encloses");
    result.guard = branch;
  }
  if (!result.guard)
    return no("its kernel has no guard");
  WalkResult ids = kernel.walk([&](Operation *op) {
    if (op->getNumRegions() != 0 && !isa<gpu::GPUFuncOp, scf::IfOp>(op))
      return WalkResult::interrupt();
    auto id = dyn_cast<gpu::GlobalIdOp>(op);
    bool isAllowed = isa<gpu::GPUFuncOp, gpu::ReturnOp>(op) ||
                     (id && id.getDimension() == gpu::Dimension::x) ||
                     !isa_and_nonnull<gpu::GPUDialect>(op->getDialect());
    return isAllowed ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !ids.wasInterrupted() || no("its kernel has loops, or reads more than "
                                     "the work item's id along x");
}

/// `id < argument`.
bool KernelReader::readGuard(std::optional<unsigned> extent) {
  auto compare = result.guard.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return no("the guard is no comparison");
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  Value id = compare.getLhs(), bound = compare.getRhs();
  if (predicate == Predicate::sgt || predicate == Predicate::ugt)
    std::swap(id, bound);
  bool isSigned = predicate == Predicate::slt || predicate == Predicate::sgt;
  if (!isSigned && predicate != Predicate::ult && predicate != Predicate::ugt)
    return no("the guard is not 'id < extent'");
  IntegerValues values(kernel);
  auto isExact = [&](const IntegerValue &value) {
    return isSigned ? value.isSigned : value.isUnsigned;
  };
  IntegerValue left = values.get(id), right = values.get(bound);
  if (!isExact(left) || !isExact(right) ||
      left.value != values.getId(Atom::Kind::GlobalId, 0))
    return no("the guard does not bound the work item's id");
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    Value argument = kernel.getArgument(i);
    if (!argument.getType().isIntOrIndex() || (extent && *extent != i))
      continue;
    IntegerValue parameter = values.get(argument);
    if (parameter.value != right.value || !isExact(parameter))
      continue;
    result.extent = i;
    return true;
  }
  return no("the guard does not compare with the step");
}

/// Which arrays are written, and that nothing else can be the same memory.
bool KernelReader::readArrays() {
  llvm::SetVector<Value> arrays;
  WalkResult accesses = result.guard.walk([&](Operation *op) {
    if (op == result.guard || isa<scf::IfOp, scf::YieldOp>(op) ||
        isMemoryEffectFree(op))
      return WalkResult::advance();
    Value memref = accessedArray(op);
    auto array =
        memref ? dyn_cast<BlockArgument>(memoryRoot(memref)) : BlockArgument();
    if (!array || array.getOwner() != &kernel.getBody().front() ||
        cast<MemRefType>(array.getType()).getRank() != 1)
      return WalkResult::interrupt();
    arrays.insert(array);
    if (isStore(op))
      result.written.insert(array);
    return WalkResult::advance();
  });
  if (accesses.wasInterrupted())
    return no("its kernel does more than load and store arrays");
  if (result.written.empty())
    return no("its kernel stores nothing");
  for (Value written : result.written)
    for (Value other : arrays)
      if (written != other && mayAlias(written, other))
        return no("arrays of its kernel may overlap; declare them "
                  "__restrict__");
  return true;
}

/// Elements id and id + extent of the arrays that are written.
bool KernelReader::readOffsets() {
  AccessFunctions functions(kernel);
  auto variable = [](unsigned number) { return Polynomial::variable(number); };
  Polynomial id = variable(VariableTable::blockId(0)) *
                      variable(VariableTable::blockDim(0)) +
                  variable(VariableTable::threadId(0));
  std::optional<Polynomial> extent =
      functions.resolve(kernel.getArgument(result.extent));
  if (!extent)
    return no("the step is not known");
  for (const AccessFunction &access : functions.accesses()) {
    if (!result.written.contains(access.base))
      continue;
    if (!access.isResolved() || access.accessBytes != access.elementBytes)
      return no("an element that its kernel accesses is not known");
    Polynomial bytes(access.elementBytes);
    Polynomial own = bytes * id;
    if (access.address == own)
      result.offsets[access.op] = 0;
    else if (access.address == own + bytes * *extent)
      result.offsets[access.op] = 1;
    else
      return no("its kernel accesses more than the elements of its id and a "
                "step further");
    result.writesPartner |= isStore(access.op) && result.offsets[access.op];
  }
  return true;
}

/// What a conditional in the guard does can be done with selects: arithmetic,
/// and stores to elements that are known before it.
bool KernelReader::checkConditional(scf::IfOp branch) {
  llvm::DenseSet<std::pair<Value, unsigned>> known;
  for (Operation &op : *result.guard.thenBlock()) {
    if (branch->isBeforeInBlock(&op) || &op == branch)
      break;
    if (auto offset = result.offsets.find(&op); offset != result.offsets.end())
      known.insert({memoryRoot(accessedArray(&op)), offset->second});
  }
  WalkResult inside = branch.walk([&](Operation *op) {
    if (isa<scf::IfOp, scf::YieldOp>(op))
      return WalkResult::advance();
    auto offset = result.offsets.find(op);
    bool isKnown =
        offset != result.offsets.end() &&
        known.contains({memoryRoot(accessedArray(op)), offset->second});
    return isKnown || isPure(op) ? WalkResult::advance()
                                 : WalkResult::interrupt();
  });
  return !inside.wasInterrupted() ||
         no("its kernel accesses memory under a condition of its own");
}

std::optional<GuardedKernel>
KernelReader::read(std::optional<unsigned> extent) {
  result.kernel = kernel;
  if (!readTop() || !readGuard(extent) || !readArrays() || !readOffsets())
    return std::nullopt;
  for (auto branch : result.guard.thenBlock()->getOps<scf::IfOp>())
    if (!checkConditional(branch))
      return std::nullopt;
  return std::move(result);
}

std::optional<GuardedKernel>
gpuopt::readGuardedKernel(gpu::GPUFuncOp kernel, std::optional<unsigned> extent,
                          std::string &reason) {
  return KernelReader(kernel, reason).read(extent);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Whether `condition` is `value > 0` for values that are not negative.
static bool isPositive(Value condition, Value value) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  llvm::APInt bound;
  if (!compare || compare.getLhs() != value ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&bound)))
    return false;
  using Predicate = arith::CmpIPredicate;
  switch (compare.getPredicate()) {
  case Predicate::sgt:
  case Predicate::ugt:
  case Predicate::ne:
    return bound.isZero();
  case Predicate::sge:
  case Predicate::uge:
    return bound.isOne();
  default:
    return false;
  }
}

/// Whether `next` is half of `value`, rounded down, where that is positive.
static bool isHalf(Value next, Value value) {
  Operation *op = next.getDefiningOp();
  llvm::APInt by;
  if (!op || op->getNumOperands() != 2 || op->getOperand(0) != value ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&by)))
    return false;
  if (isa<arith::ShRUIOp, arith::ShRSIOp>(op))
    return by.isOne();
  return isa<arith::DivSIOp, arith::DivUIOp>(op) && by == 2;
}

/// Whether `condition` is `half > 0`, or says the same of `value` before it is
/// halved.
static bool isPositiveHalf(Value condition, Value half, Value value) {
  if (isPositive(condition, half))
    return true;
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  llvm::APInt bound;
  if (!compare || compare.getLhs() != value ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&bound)) || !bound.isOne())
    return false;
  Operation *op = half.getDefiningOp();
  return compare.getPredicate() == arith::CmpIPredicate::sgt
             ? isa<arith::DivSIOp, arith::ShRSIOp>(op)
             : compare.getPredicate() == arith::CmpIPredicate::ugt &&
                   isa<arith::DivUIOp, arith::ShRUIOp>(op);
}

/// Emits the operation behind `half` for another value.
static Value emitHalf(OpBuilder &builder, Value half, Value value) {
  Operation *op = half.getDefiningOp();
  Operation *amount = builder.clone(*op->getOperand(1).getDefiningOp());
  Operation *copy = builder.clone(*op);
  copy->setOperands({value, amount->getResult(0)});
  return copy->getResult(0);
}

void gpuopt::rotate(StepLoop &steps) {
  if (!steps.halvesFirst)
    return;
  scf::WhileOp loop = steps.loop;
  scf::ConditionOp end = loop.getConditionOp();
  Value half = end.getArgs().front();
  auto compare = end.getCondition().getDefiningOp<arith::CmpIOp>();
  OpBuilder builder(loop);
  loop.getInitsMutable().assign(
      emitHalf(builder, half, loop.getInits().front()));
  scf::YieldOp yield = loop.getYieldOp();
  builder.setInsertionPoint(yield);
  yield.setOperand(0,
                   emitHalf(builder, half, loop.getAfterArguments().front()));
  builder.setInsertionPoint(end);
  Value step = loop.getBeforeArguments().front();
  Value zero = arith::ConstantOp::create(builder, end.getLoc(),
                                         builder.getZeroAttr(step.getType()));
  bool isUnsigned = compare.getPredicate() != arith::CmpIPredicate::sgt &&
                    compare.getPredicate() != arith::CmpIPredicate::sge;
  Value isPositiveStep = arith::CmpIOp::create(
      builder, end.getLoc(),
      isUnsigned ? arith::CmpIPredicate::ne : arith::CmpIPredicate::sgt, step,
      zero);
  end.getConditionMutable().assign(isPositiveStep);
  end.getArgsMutable().assign(step);
  steps.halvesFirst = false;
}

/// Whether the launch passes the arguments of the host function on, in their
/// order, and has the original grid and block.
static bool isOriginalLaunch(gpu::LaunchFuncOp launch, unsigned numArguments) {
  auto host = launch->getParentOfType<func::FuncOp>();
  auto isArgument = [&](Value value, unsigned number) {
    return number < host.getNumArguments() && value == host.getArgument(number);
  };
  for (unsigned i = 0; i < numArguments; ++i)
    if (!isArgument(launch.getKernelOperand(i), i))
      return false;
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  unsigned first = host.getNumArguments() - 6;
  Value sizes[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
  for (auto [index, size] : llvm::enumerate(sizes))
    if (!isArgument(size, first + index))
      return false;
  return true;
}

static gpu::GPUFuncOp kernelOf(gpu::LaunchFuncOp launch) {
  return SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernelAttr());
}

/// The launch before `loop`, with nothing but arithmetic between.
static gpu::LaunchFuncOp findLaunchBefore(scf::WhileOp loop) {
  for (Operation *op = loop->getPrevNode(); op; op = op->getPrevNode()) {
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      return launch;
    if (!isMemoryEffectFree(op))
      return {};
  }
  return {};
}

/// Whether the loop's launches are the last that the host function does.
static bool isLast(scf::WhileOp loop) {
  if (!isa<func::FuncOp>(loop->getParentOp()))
    return false;
  for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
    if (op->walk([](gpu::LaunchFuncOp) {
            return WalkResult::interrupt();
          }).wasInterrupted())
      return false;
  return true;
}

/// What the source says that counts of `array`: a number of leading elements,
/// or nothing where all do or the number is not a constant.
static std::optional<int64_t> outputElements(func::FuncOp host,
                                             unsigned array) {
  auto outputs = host->getAttrOfType<DictionaryAttr>(kOutputsAttrName);
  auto name = host.getArgAttrOfType<StringAttr>(array, kNameAttrName);
  if (!outputs || !name)
    return std::nullopt;
  auto extents = dyn_cast_or_null<ArrayAttr>(outputs.get(name.getValue()));
  if (!extents)
    return 0;
  int64_t elements = 1;
  for (Attribute text : extents) {
    int64_t extent;
    auto string = dyn_cast<StringAttr>(text);
    if (!string || string.getValue().trim().getAsInteger(0, extent))
      return std::nullopt;
    elements *= extent;
  }
  return extents.empty() ? std::nullopt : std::optional(elements);
}

static void readOutputs(StepLoop &steps) {
  if (!isLast(steps.loop))
    return;
  auto host = steps.loop->getParentOfType<func::FuncOp>();
  for (Value array : steps.step.written)
    if (auto elements =
            outputElements(host, cast<BlockArgument>(array).getArgNumber()))
      steps.outputs[array] = *elements;
}

/// The launch before the loop can be done with the first steps where it sets
/// each of its elements from other arrays, and only for them.
static void readFirst(StepLoop &steps) {
  gpu::LaunchFuncOp launch = findLaunchBefore(steps.loop);
  gpu::GPUFuncOp kernel = launch ? kernelOf(launch) : gpu::GPUFuncOp();
  if (!kernel || !isOriginalLaunch(launch, launch.getNumKernelOperands()))
    return;
  std::string unused;
  auto first = readGuardedKernel(kernel, std::nullopt, unused);
  if (!first || first->writesPartner)
    return;
  for (Value array : first->written) {
    Value same = steps.step.kernel.getArgument(
        cast<BlockArgument>(array).getArgNumber());
    if (!steps.step.written.contains(same) || !steps.outputs.contains(same))
      return;
  }
  for (auto [op, offset] : first->offsets)
    if (!isStore(op) || op->getParentOp() != first->guard)
      return;
  // What it reads, no step has written.
  bool readsSteps = false;
  first->guard.walk([&](Operation *op) {
    Value memref = accessedArray(op);
    if (!memref || isStore(op))
      return;
    auto array = cast<BlockArgument>(memoryRoot(memref));
    readsSteps |= steps.step.written.contains(
        steps.step.kernel.getArgument(array.getArgNumber()));
    for (Value written : steps.step.written)
      readsSteps |=
          mayAlias(array, first->kernel.getArgument(
                              cast<BlockArgument>(written).getArgNumber()));
  });
  if (readsSteps)
    return;
  steps.firstLaunch = launch;
  steps.first = std::move(*first);
}

std::optional<StepLoop> gpuopt::readStepLoop(scf::WhileOp loop,
                                             std::string &reason) {
  StepLoop steps;
  steps.loop = loop;
  auto no = [&](const Twine &why) {
    reason = why.str();
    return std::nullopt;
  };
  loop.getAfterBody()->walk([&](gpu::LaunchFuncOp op) { steps.launch = op; });
  if (!steps.launch)
    return no("it launches nothing");
  if (loop.getInits().size() != 1 || loop.getAfterArguments().size() != 1 ||
      !loop->use_empty())
    return no("it carries more than one value");
  Value before = loop.getBeforeArguments().front();
  Value step = loop.getAfterArguments().front();
  Value passed = loop.getConditionOp().getArgs().front();
  Value condition = loop.getConditionOp().getCondition();
  Value yielded = loop.getYieldOp().getOperand(0);
  steps.halvesFirst = passed != before;
  bool isHalving = steps.halvesFirst
                       ? isHalf(passed, before) && yielded == step &&
                             isPositiveHalf(condition, passed, before)
                       : isPositive(condition, before) && isHalf(yielded, step);
  if (!step.getType().isIntOrIndex() || !isHalving)
    return no("its steps are not s, s/2, … down to 1");
  for (Operation &op : loop.getAfterBody()->without_terminator())
    if (&op != steps.launch && !isMemoryEffectFree(&op))
      return no("each step is more than one launch");
  unsigned last = steps.launch.getNumKernelOperands() - 1;
  gpu::GPUFuncOp kernel = kernelOf(steps.launch);
  if (!kernel || steps.launch.getKernelOperand(last) != step ||
      !isOriginalLaunch(steps.launch, last))
    return no("its kernel takes more than the step besides its parameters");
  std::optional<GuardedKernel> read = readGuardedKernel(kernel, last, reason);
  if (!read)
    return std::nullopt;
  steps.step = std::move(*read);
  readOutputs(steps);
  readFirst(steps);
  return steps;
}
