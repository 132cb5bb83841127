//===- GridSplitter.cpp - one kernel as several launches ------------------===//

#include "passes/Raising/GridSplitter.h"

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Raising/PhaseFacts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Questions about operations
//===----------------------------------------------------------------------===//

static bool hasGridBarrier(Operation *op) {
  return op->walk([](GridBarrierOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

namespace {
class GridSplitter {
public:
  explicit GridSplitter(gpu::GPUFuncOp kernel)
      : kernel(kernel), uniformity(kernel), builder(kernel.getContext()),
        symbols(kernel->getParentOp()) {}

  FailureOr<SplitKernel> split();

private:
  void createHost();
  LogicalResult splitBlock(Block &block);
  LogicalResult splitControl(Operation *op);
  LogicalResult splitIf(scf::IfOp branch);
  LogicalResult splitFor(scf::ForOp loop);
  LogicalResult splitFor(affine::AffineForOp loop);
  LogicalResult splitWhile(scf::WhileOp loop);
  LogicalResult splitLoopBody(Block &body, Block *hostBody);
  LogicalResult splitInto(Block &from, Block *to,
                          function_ref<LogicalResult()> finish);

  /// The value as the host has it, or null where it does not.
  Value tryHost(Value value);
  Value tryHostAffine(Operation *op, AffineMap map, bool isMinimum);
  LogicalResult toHost(ValueRange values, Operation *user, StringRef what,
                       SmallVectorImpl<Value> &results);

  LogicalResult addPhase(ArrayRef<Operation *> run);
  LogicalResult checkWorkgroupMemory(ArrayRef<Operation *> run);
  gpu::GPUFuncOp createPhase(IRMapping &values);
  LogicalResult computeAgain(Value value, Operation *user);
  void addParameter(Value value, Value onHost);

  gpu::GPUFuncOp kernel;
  UniformityAnalysis uniformity;
  /// At the host's insertion point.
  OpBuilder builder;
  SymbolTable symbols;
  SplitKernel result;
  /// Values of the kernel to those of the host, as far as they are visible.
  IRMapping hostValues;
  gpu::KernelDim3 grid, block;
  /// Loops of the host around its insertion point.
  unsigned hostLoops = 0;
  /// An earlier phase has used workgroup memory.
  bool usedWorkgroupMemory = false;

  // The phase that is being made.
  gpu::GPUFuncOp phase;
  IRMapping phaseValues;
  SmallVector<Value> launchArguments;
  OpBuilder *phaseBuilder = nullptr;
};
} // namespace

void GridSplitter::createHost() {
  auto kernels = cast<gpu::GPUModuleOp>(kernel->getParentOp());
  auto module = kernels->getParentOfType<ModuleOp>();
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
  unsigned numArguments = kernel.getNumArguments();
  SmallVector<Type> types(kernel.getArgumentTypes());
  types.append(6, builder.getIndexType());
  builder.setInsertionPoint(kernels);
  result.host = func::FuncOp::create(builder, kernel.getLoc(), kernel.getName(),
                                     builder.getFunctionType(types, {}));
  SymbolTable(module).insert(result.host);
  for (StringRef name : {kSourceNameAttrName, kOutputsAttrName})
    if (Attribute attribute = kernel->getAttr(name))
      result.host->setAttr(name, attribute);
  Block *body = result.host.addEntryBlock();
  for (unsigned i = 0; i < numArguments; ++i) {
    if (DictionaryAttr facts = kernel.getArgAttrDict(i))
      result.host.setArgAttrs(i, facts);
    hostValues.map(kernel.getArgument(i), body->getArgument(i));
  }
  static constexpr StringRef names[] = {"grid_x",  "grid_y",  "grid_z",
                                        "block_x", "block_y", "block_z"};
  for (auto [index, name] : llvm::enumerate(names))
    result.host.setArgAttr(numArguments + index, kNameAttrName,
                           builder.getStringAttr(name));
  auto size = [&](unsigned i) { return body->getArgument(numArguments + i); };
  grid = {size(0), size(1), size(2)};
  block = {size(3), size(4), size(5)};
  builder.setInsertionPointToStart(body);
}

FailureOr<SplitKernel> GridSplitter::split() {
  kernel.walk([&](GridBarrierOp) { ++result.barriers; });
  if (!kernel.getBody().hasOneBlock()) {
    kernel.emitError("the control flow of a kernel with grid-wide "
                     "synchronisation cannot be structured, so that it cannot "
                     "be split into launches");
    return failure();
  }
  // What it falls back to does the work of all launches, not of one.
  if (kernel->hasAttr(kGeometryAttrName)) {
    kernel.emitError("grid-wide synchronisation (gpuopt_global_sync) cannot be "
                     "split into launches once the kernel's launch is decided "
                     "(gpuopt.geometry)");
    return failure();
  }
  createHost();
  if (failed(splitBlock(kernel.getBody().front())))
    return failure();
  func::ReturnOp::create(builder, kernel.getLoc());
  kernel.erase();
  return result;
}

LogicalResult GridSplitter::splitBlock(Block &from) {
  SmallVector<Operation *> run;
  for (Operation &op : from.without_terminator()) {
    bool isBarrier = isa<GridBarrierOp>(op);
    if (!isBarrier && !hasGridBarrier(&op)) {
      run.push_back(&op);
      continue;
    }
    if (failed(addPhase(run)) || (!isBarrier && failed(splitControl(&op))))
      return failure();
    run.clear();
  }
  return addPhase(run);
}

//===----------------------------------------------------------------------===//
// Control flow of the host
//===----------------------------------------------------------------------===//

LogicalResult GridSplitter::splitControl(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return splitIf(branch);
  llvm::SaveAndRestore<unsigned> inLoop(hostLoops, hostLoops + 1);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return splitFor(loop);
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return splitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return splitWhile(loop);
  return op->emitError("grid-wide synchronisation inside of '")
         << op->getName() << "' cannot be split into launches";
}

/// Splits `from` into the block `to` of the host; `finish` ends it while what
/// is visible in it still is.
LogicalResult GridSplitter::splitInto(Block &from, Block *to,
                                      function_ref<LogicalResult()> finish) {
  OpBuilder::InsertionGuard guard(builder);
  IRMapping outside = hostValues;
  builder.setInsertionPointToEnd(to);
  LogicalResult done =
      success(succeeded(splitBlock(from)) && succeeded(finish()));
  hostValues = outside;
  return done;
}

LogicalResult GridSplitter::splitIf(scf::IfOp branch) {
  SmallVector<Value> condition;
  if (failed(toHost(branch.getCondition(), branch, "the condition", condition)))
    return failure();
  auto onHost = scf::IfOp::create(
      builder, branch.getLoc(), branch.getResultTypes(), condition.front(),
      /*addThenBlock=*/true,
      /*addElseBlock=*/!branch.getElseRegion().empty());
  // One of the two runs: each finds what was used before.
  bool usedBefore = usedWorkgroupMemory, usedAfter = usedBefore;
  for (auto [from, to] :
       llvm::zip(branch->getRegions(), onHost->getRegions())) {
    if (from.empty())
      continue;
    // The builder ends blocks of a branch without results.
    Block *body = &to.front();
    body->clear();
    usedWorkgroupMemory = usedBefore;
    auto finish = [&, &from = from]() -> LogicalResult {
      Operation *yield = from.front().getTerminator();
      SmallVector<Value> values;
      if (failed(toHost(yield->getOperands(), yield, "a result", values)))
        return failure();
      scf::YieldOp::create(builder, yield->getLoc(), values);
      return success();
    };
    if (failed(splitInto(from.front(), body, finish)))
      return failure();
    usedAfter |= usedWorkgroupMemory;
  }
  usedWorkgroupMemory = usedAfter;
  hostValues.map(branch.getResults(), onHost.getResults());
  return success();
}

/// Splits the body of a counted loop; its arguments are those of `hostBody`.
LogicalResult GridSplitter::splitLoopBody(Block &body, Block *hostBody) {
  hostBody->clear();
  IRMapping outside = hostValues;
  hostValues.map(body.getArguments(), hostBody->getArguments());
  LogicalResult done = splitInto(body, hostBody, [&]() -> LogicalResult {
    Operation *yield = body.getTerminator();
    SmallVector<Value> values;
    if (failed(toHost(yield->getOperands(), yield,
                      "a value that the loop carries", values)))
      return failure();
    scf::YieldOp::create(builder, yield->getLoc(), values);
    return success();
  });
  hostValues = outside;
  return done;
}

LogicalResult GridSplitter::splitFor(scf::ForOp loop) {
  SmallVector<Value> bounds, inits;
  if (failed(
          toHost({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
                 loop, "a bound", bounds)) ||
      failed(toHost(loop.getInitArgs(), loop, "a value that the loop carries",
                    inits)))
    return failure();
  auto onHost = scf::ForOp::create(builder, loop.getLoc(), bounds[0], bounds[1],
                                   bounds[2], inits);
  onHost.setUnsignedCmp(loop.getUnsignedCmp());
  if (failed(splitLoopBody(*loop.getBody(), onHost.getBody())))
    return failure();
  hostValues.map(loop.getResults(), onHost.getResults());
  return success();
}

LogicalResult GridSplitter::splitFor(affine::AffineForOp loop) {
  auto boundOf = [&](affine::AffineBound bound, bool isUpper) {
    SmallVector<Value> operands;
    if (failed(toHost(bound.getOperands(), loop, "a bound", operands)))
      return Value();
    auto results = affine::expandAffineMap(builder, loop.getLoc(),
                                           bound.getMap(), operands);
    if (!results)
      return Value();
    Value value = results->front();
    for (Value other : llvm::drop_begin(*results))
      value = isUpper
                  ? arith::MinSIOp::create(builder, loop.getLoc(), value, other)
                        .getResult()
                  : arith::MaxSIOp::create(builder, loop.getLoc(), value, other)
                        .getResult();
    return value;
  };
  Value lower = boundOf(loop.getLowerBound(), false);
  Value upper = lower ? boundOf(loop.getUpperBound(), true) : Value();
  SmallVector<Value> inits;
  if (!upper || failed(toHost(loop.getInits(), loop,
                              "a value that the loop carries", inits)))
    return failure();
  Value step = arith::ConstantIndexOp::create(builder, loop.getLoc(),
                                              loop.getStepAsInt());
  auto onHost =
      scf::ForOp::create(builder, loop.getLoc(), lower, upper, step, inits);
  if (failed(splitLoopBody(*loop.getBody(), onHost.getBody())))
    return failure();
  hostValues.map(loop.getResults(), onHost.getResults());
  return success();
}

LogicalResult GridSplitter::splitWhile(scf::WhileOp loop) {
  StringRef carried = "a value that the loop carries";
  SmallVector<Value> inits;
  if (failed(toHost(loop.getInits(), loop, carried, inits)))
    return failure();
  auto onHost = scf::WhileOp::create(builder, loop.getLoc(),
                                     loop.getResultTypes(), inits);
  auto addBlock = [&](Region &region, Block &from) {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Location> locs = llvm::map_to_vector(
        from.getArguments(), [](Value argument) { return argument.getLoc(); });
    Block *body =
        builder.createBlock(&region, {}, from.getArgumentTypes(), locs);
    hostValues.map(from.getArguments(), body->getArguments());
    return body;
  };
  Block &before = *loop.getBeforeBody(), &after = *loop.getAfterBody();
  Block *hostBefore = addBlock(onHost.getBefore(), before);
  Block *hostAfter = addBlock(onHost.getAfter(), after);
  auto finishBefore = [&]() -> LogicalResult {
    scf::ConditionOp end = loop.getConditionOp();
    SmallVector<Value> values;
    if (failed(toHost(end.getCondition(), loop, "the condition", values)) ||
        failed(toHost(end.getArgs(), loop, carried, values)))
      return failure();
    scf::ConditionOp::create(builder, end.getLoc(), values.front(),
                             ArrayRef<Value>(values).drop_front());
    return success();
  };
  auto finishAfter = [&]() -> LogicalResult {
    scf::YieldOp end = loop.getYieldOp();
    SmallVector<Value> values;
    if (failed(toHost(end.getOperands(), loop, carried, values)))
      return failure();
    scf::YieldOp::create(builder, end.getLoc(), values);
    return success();
  };
  if (failed(splitInto(before, hostBefore, finishBefore)) ||
      failed(splitInto(after, hostAfter, finishAfter)))
    return failure();
  hostValues.map(loop.getResults(), onHost.getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// Values of the host
//===----------------------------------------------------------------------===//

Value GridSplitter::tryHostAffine(Operation *op, AffineMap map,
                                  bool isMinimum) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(tryHost(operand));
    if (!operands.back())
      return Value();
  }
  auto results = affine::expandAffineMap(builder, op->getLoc(), map, operands);
  if (!results)
    return Value();
  Value value = results->front();
  for (Value other : llvm::drop_begin(*results))
    value = isMinimum
                ? arith::MinSIOp::create(builder, op->getLoc(), value, other)
                      .getResult()
                : arith::MaxSIOp::create(builder, op->getLoc(), value, other)
                      .getResult();
  return value;
}

Value GridSplitter::tryHost(Value value) {
  if (Value known = hostValues.lookupOrNull(value))
    return isa<MemRefType, LLVM::LLVMPointerType>(known.getType()) ? Value()
                                                                   : known;
  Operation *op = value.getDefiningOp();
  if (!op)
    return Value();
  Value found;
  auto pick = [](const gpu::KernelDim3 &sizes, gpu::Dimension dimension) {
    return dimension == gpu::Dimension::x   ? sizes.x
           : dimension == gpu::Dimension::y ? sizes.y
                                            : sizes.z;
  };
  if (auto threads = dyn_cast<gpu::BlockDimOp>(op))
    found = pick(block, threads.getDimension());
  else if (auto blocks = dyn_cast<gpu::GridDimOp>(op))
    found = pick(grid, blocks.getDimension());
  else if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    found = tryHostAffine(op, apply.getMap(), false);
  else if (auto minimum = dyn_cast<affine::AffineMinOp>(op))
    found = tryHostAffine(op, minimum.getMap(), true);
  else if (auto maximum = dyn_cast<affine::AffineMaxOp>(op))
    found = tryHostAffine(op, maximum.getMap(), false);
  if (found) {
    hostValues.map(value, found);
    return found;
  }
  if (!isMemoryEffectFree(op) || !isHostArithmetic(op))
    return Value();
  for (Value used : valuesUsedBy(op))
    if (!tryHost(used))
      return Value();
  builder.clone(*op, hostValues);
  return hostValues.lookup(value);
}

LogicalResult GridSplitter::toHost(ValueRange values, Operation *user,
                                   StringRef what,
                                   SmallVectorImpl<Value> &results) {
  for (Value value : values) {
    Value onHost = tryHost(value);
    if (!onHost)
      return user->emitError("grid-wide synchronisation (gpuopt_global_sync) "
                             "under control flow that may differ between work "
                             "items: ")
             << what
             << " depends on more than scalar parameters and the launch's size";
    results.push_back(onHost);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// Workgroup memory keeps its contents from one phase to the next, which a
/// launch does not.
LogicalResult GridSplitter::checkWorkgroupMemory(ArrayRef<Operation *> run) {
  for (Operation *op : run) {
    Operation *found = findWorkgroupMemory(op);
    if (!found)
      continue;
    if (hostLoops || usedWorkgroupMemory)
      return found->emitError("workgroup memory may keep its contents across "
                              "grid-wide synchronisation (gpuopt_global_sync), "
                              "which separate launches would lose");
    usedWorkgroupMemory = true;
    return success();
  }
  return success();
}

/// An empty kernel with the parameters of the original one.
gpu::GPUFuncOp GridSplitter::createPhase(IRMapping &values) {
  OpBuilder atKernel(kernel);
  SmallVector<NamedAttribute> attributes;
  for (NamedAttribute attribute : kernel->getDiscardableAttrs())
    if (attribute.getName() != kOutputsAttrName &&
        attribute.getName() != SymbolTable::getSymbolAttrName() &&
        attribute.getName() != kernel.getNumWorkgroupAttributionsAttrName())
      attributes.push_back(attribute);
  auto created = gpu::GPUFuncOp::create(
      atKernel, kernel.getLoc(),
      (kernel.getName() + "__phase" + Twine(result.phases.size())).str(),
      kernel.getFunctionType(), {}, {}, attributes);
  symbols.insert(created);
  created->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                   builder.getUnitAttr());
  created->setAttr(kPhaseOfAttrName,
                   FlatSymbolRefAttr::get(result.host.getSymNameAttr()));
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    if (DictionaryAttr facts = kernel.getArgAttrDict(i))
      created.setArgAttrs(i, facts);
    values.map(kernel.getArgument(i), created.getArgument(i));
  }
  return created;
}

/// What the source calls `value`, or the variable that a loop passes on as it.
static StringRef sourceName(Value value) {
  if (auto named = dyn_cast<NameLoc>(value.getLoc()))
    return named.getName();
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop =
      argument
          ? dyn_cast_or_null<scf::WhileOp>(argument.getOwner()->getParentOp())
          : scf::WhileOp();
  if (loop && argument.getOwner() == loop.getAfterBody())
    return sourceName(loop.getConditionOp().getArgs()[argument.getArgNumber()]);
  return "";
}

void GridSplitter::addParameter(Value value, Value onHost) {
  unsigned index = phase.getNumArguments();
  llvm::StringSet<> taken;
  for (unsigned i = 0; i < index; ++i)
    if (auto name = phase.getArgAttrOfType<StringAttr>(i, kNameAttrName))
      taken.insert(name.getValue());
  // By its name in the source, where it has one that is free.
  std::string name = sourceName(value).str();
  unsigned number = index - kernel.getNumArguments();
  while (name.empty() || taken.contains(name))
    name = "carried" + std::to_string(number++);
  auto facts = builder.getDictionaryAttr(
      builder.getNamedAttr(kNameAttrName, builder.getStringAttr(name)));
  (void)phase.insertArgument(index, value.getType(), facts, value.getLoc());
  phaseValues.map(value, phase.getArgument(index));
  launchArguments.push_back(onHost);
}

/// Makes `value`, from outside of the phase, known in it.
LogicalResult GridSplitter::computeAgain(Value value, Operation *user) {
  if (phaseValues.contains(value))
    return success();
  if (llvm::is_contained(kernel.getWorkgroupAttributions(), value)) {
    phaseValues.map(
        value, phase.addWorkgroupAttribution(value.getType(), value.getLoc()));
    return success();
  }
  Operation *op = value.getDefiningOp();
  // A loop's variable, or what came out of one.
  if (!op || hasGridBarrier(op)) {
    if (Value onHost = tryHost(value)) {
      addParameter(value, onHost);
      return success();
    }
    return user->emitError("a value that this needs differs between work "
                           "items and is carried across grid-wide "
                           "synchronisation (gpuopt_global_sync)");
  }
  if (!canComputeAgain(op, uniformity))
    return op->emitError("what this computes is needed behind grid-wide "
                         "synchronisation (gpuopt_global_sync), where it "
                         "cannot be computed again");
  for (Value used : valuesUsedBy(op))
    if (failed(computeAgain(used, op)))
      return failure();
  phaseBuilder->clone(*op, phaseValues);
  return success();
}

LogicalResult GridSplitter::addPhase(ArrayRef<Operation *> run) {
  if (llvm::none_of(run, mayAct))
    return success();
  if (failed(checkWorkgroupMemory(run)))
    return failure();
  phaseValues.clear();
  launchArguments.clear();
  phase = createPhase(phaseValues);
  OpBuilder atPhase = OpBuilder::atBlockBegin(&phase.getBody().front());
  phaseBuilder = &atPhase;
  llvm::SmallPtrSet<Operation *, 16> own(run.begin(), run.end());
  for (Operation *op : run)
    for (Value used : valuesUsedBy(op)) {
      Operation *definition = used.getDefiningOp();
      if (!own.contains(definition) && failed(computeAgain(used, op)))
        return failure();
    }
  for (Operation *op : run)
    atPhase.clone(*op, phaseValues);
  gpu::ReturnOp::create(atPhase, kernel.getLoc());

  SmallVector<Value> arguments(
      result.host.getArguments().take_front(kernel.getNumArguments()));
  llvm::append_range(arguments, launchArguments);
  gpu::LaunchFuncOp::create(builder, run.front()->getLoc(), phase, grid, block,
                            /*dynamicSharedMemorySize=*/Value(), arguments);
  result.phases.push_back(phase);
  return success();
}

FailureOr<SplitKernel> gpuopt::splitAtGridBarriers(gpu::GPUFuncOp kernel) {
  return GridSplitter(kernel).split();
}
