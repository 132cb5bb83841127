//===- SplitSlices.cpp - all threads for one iteration of a loop ----------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Assist/AccessSlice.h"
#include "passes/Assist/KernelLoops.h"
#include "passes/Assist/Passes.h"

#include "mlir/Pass/PassManager.h"

namespace gpuopt {
#define GEN_PASS_DEF_SPLITSLICES
#include "passes/Assist/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// What says how the source calls an argument.
static DictionaryAttr nameFacts(MLIRContext *context, StringRef name) {
  NamedAttribute fact(StringAttr::get(context, kNameAttrName),
                      StringAttr::get(context, name));
  return DictionaryAttr::get(context, fact);
}

/// Makes arguments of the variables of the module that `slice` uses: the host
/// knows them by their addresses only.
static LogicalResult passVariables(gpu::GPUFuncOp slice) {
  llvm::MapVector<Attribute, SmallVector<GetVariableOp>> variables;
  slice.walk([&](GetVariableOp get) {
    variables[get.getVariableAttr()].push_back(get);
  });
  for (auto &[name, uses] : variables) {
    unsigned number = slice.getNumArguments();
    Type type = uses.front().getArray().getType();
    StringRef called = cast<FlatSymbolRefAttr>(name).getValue();
    if (failed(slice.insertArgument(number, type,
                                    nameFacts(slice.getContext(), called),
                                    slice.getLoc())))
      return failure();
    for (GetVariableOp get : uses) {
      get.getArray().replaceAllUsesWith(slice.getArgument(number));
      get.erase();
    }
  }
  return success();
}

/// What the source calls the iterator of `loop`, or a usual name.
static std::string nameOfIterator(Operation *loop, unsigned depth) {
  Location loc = loop->getRegion(0).getArgument(0).getLoc();
  if (auto named = loc->findInstanceOf<NameLoc>())
    return named.getName().str();
  return std::string(1, "ijkl"[depth % 4]);
}

/// Leaves of `loop` one iteration, for `iterator`.
static void inlineBody(Operation *loop, Value iterator) {
  Block &body = loop->getRegion(0).front();
  body.getArgument(0).replaceAllUsesWith(iterator);
  body.getTerminator()->erase();
  loop->getBlock()->getOperations().splice(loop->getIterator(),
                                           body.getOperations());
  loop->erase();
}

namespace {
/// A slice on its way to functions of a thread and loops of the host.
class SliceSplitter {
public:
  SliceSplitter(gpu::GPUFuncOp slice, CleanUp cleanUp)
      : slice(slice), loops(findKernelLoops(slice)), cleanUp(cleanUp),
        builder(slice.getContext()) {}

  LogicalResult split();

private:
  void createHost();
  LogicalResult visit(Operation *op);
  LogicalResult visitLoop(Operation *loop);
  LogicalResult finishFunction();
  FailureOr<gpu::GPUFuncOp> createFunction();

  gpu::GPUFuncOp slice;
  llvm::SetVector<Operation *> loops;
  CleanUp cleanUp;
  /// In the host's function, whose arguments are `known` for the slice's.
  OpBuilder builder;
  func::FuncOp host;
  IRMapping known;
  ValueRange grid, block;
  /// The kernel loops around the place that has been reached.
  SmallVector<Operation *> around;
  /// Prefetches since the last end of a kernel loop.
  SmallVector<Operation *> prefetches;
  unsigned numFunctions = 0;
};
} // namespace

void SliceSplitter::createHost() {
  auto kernels = cast<gpu::GPUModuleOp>(slice->getParentOp());
  auto module = kernels->getParentOfType<ModuleOp>();
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
  unsigned count = slice.getNumArguments();
  SmallVector<Type> types(slice.getArgumentTypes());
  types.append(6, builder.getIndexType());
  builder.setInsertionPoint(kernels);
  host = func::FuncOp::create(builder, slice.getLoc(), slice.getName(),
                              builder.getFunctionType(types, {}));
  SymbolTable(module).insert(host);
  if (Attribute name = slice->getAttr(kSourceNameAttrName))
    host->setAttr(kSourceNameAttrName, name);
  Block *body = host.addEntryBlock();
  for (unsigned i = 0; i < count; ++i) {
    if (DictionaryAttr facts = slice.getArgAttrDict(i))
      host.setArgAttrs(i, facts);
    known.map(slice.getArgument(i), body->getArgument(i));
  }
  static constexpr StringRef names[] = {"grid_x",  "grid_y",  "grid_z",
                                        "block_x", "block_y", "block_z"};
  for (auto [index, name] : llvm::enumerate(names))
    host.setArgAttr(count + index, kNameAttrName, builder.getStringAttr(name));
  grid = body->getArguments().slice(count, 3);
  block = body->getArguments().slice(count + 3, 3);
  builder.setInsertionPointToStart(body);
  func::ReturnOp::create(builder, slice.getLoc());
  builder.setInsertionPointToStart(body);
}

/// The prefetches that are waiting, for one thread and one iteration of the
/// loops around them.
FailureOr<gpu::GPUFuncOp> SliceSplitter::createFunction() {
  IRMapping copies;
  auto function = cast<gpu::GPUFuncOp>(slice->clone(copies));
  function.setName((slice.getName() + "__part" + Twine(++numFunctions)).str());
  SymbolTable(slice->getParentOp()).insert(function, slice->getIterator());
  function->setAttr(kPhaseOfAttrName,
                    FlatSymbolRefAttr::get(host.getSymNameAttr()));
  slice.walk([&](Operation *op) {
    if (isPrefetch(op) && !llvm::is_contained(prefetches, op))
      copies.lookup(op)->erase();
  });
  for (auto [depth, loop] : llvm::enumerate(around)) {
    unsigned number = function.getNumArguments();
    Type type = loop->getRegion(0).getArgument(0).getType();
    if (failed(function.insertArgument(
            number, type,
            nameFacts(slice.getContext(), nameOfIterator(loop, depth)),
            loop->getLoc())))
      return failure();
    inlineBody(copies.lookup(loop), function.getArgument(number));
  }
  if (failed(cleanUp(function)))
    return failure();
  return function;
}

LogicalResult SliceSplitter::finishFunction() {
  if (prefetches.empty())
    return success();
  FailureOr<gpu::GPUFuncOp> function = createFunction();
  prefetches.clear();
  if (failed(function))
    return failure();
  SmallVector<Value> operands(
      host.getBody().getArguments().take_front(slice.getNumArguments()));
  for (Operation *loop : around)
    operands.push_back(known.lookup(loop->getRegion(0).getArgument(0)));
  llvm::BitVector unused(function->getNumArguments());
  SmallVector<Value> given;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    unused[number] = function->getArgument(number).use_empty();
    if (!unused[number])
      given.push_back(operand);
  }
  if (failed(function->eraseArguments(unused)))
    return failure();
  gpu::LaunchFuncOp::create(builder, slice.getLoc(), *function,
                            gpu::KernelDim3{grid[0], grid[1], grid[2]},
                            gpu::KernelDim3{block[0], block[1], block[2]},
                            /*dynamicSharedMemorySize=*/Value(), given);
  return success();
}

LogicalResult SliceSplitter::visitLoop(Operation *loop) {
  if (failed(finishFunction()))
    return failure();
  Block *body = HostLoops(known, grid, block).create(builder, loop);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(body);
  around.push_back(loop);
  for (Operation &op : loop->getRegion(0).getOps())
    if (failed(visit(&op)))
      return failure();
  LogicalResult isFinished = finishFunction();
  around.pop_back();
  return isFinished;
}

LogicalResult SliceSplitter::visit(Operation *op) {
  if (loops.contains(op))
    return visitLoop(op);
  if (isPrefetch(op))
    prefetches.push_back(op);
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (failed(visit(&inner)))
        return failure();
  return success();
}

LogicalResult SliceSplitter::split() {
  createHost();
  HostLoops(known, grid, block).computeInvariants(builder, loops);
  if (failed(visit(slice)) || failed(finishFunction()))
    return failure();
  sayPassed(RemarkCode::SliceSplit, host, slice.getLoc(),
            {{"functions", numFunctions}, {"loops", loops.size()}});
  slice.erase();
  return success();
}

/// Whether `kernel` has prefetches, and no function of the host launches it.
static bool isSlice(gpu::GPUFuncOp kernel) {
  return kernel.isKernel() && !kernel->hasAttr(kPhaseOfAttrName) &&
         hasPrefetch(kernel);
}

namespace {
struct SplitSlices : public gpuopt::impl::SplitSlicesBase<SplitSlices> {
  using SplitSlicesBase::SplitSlicesBase;

  void runOnOperation() override {
    OpPassManager cleaning(gpu::GPUFuncOp::getOperationName());
    addCleanUp(cleaning);
    auto cleanUp = [&](gpu::GPUFuncOp function) {
      return runPipeline(cleaning, function);
    };
    SmallVector<gpu::GPUFuncOp> slices;
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      if (isSlice(kernel))
        slices.push_back(kernel);
    });
    for (gpu::GPUFuncOp slice : slices) {
      if (failed(passVariables(slice)) ||
          failed(SliceSplitter(slice, cleanUp).split()))
        return signalPassFailure();
      ++this->split;
    }
  }
};
} // namespace
