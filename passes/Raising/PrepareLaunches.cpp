//===- PrepareLaunches.cpp - what a kernel needs to know of its launch ----===//
//
// Outlined kernels take arrays as descriptors and rely on the exact grid. Ours
// take pointers and extents and check the grid, so that they can be launched
// in any shape. Sizes are written as expressions beside the values.
//
//===----------------------------------------------------------------------===//

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Raising/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSet.h"

namespace gpuopt {
#define GEN_PASS_DEF_PREPARELAUNCHES
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {

/// A size as a value of the kernel and as text over its parameters.
struct Size {
  OpFoldResult value;
  std::string text;
};

class KernelPreparer {
public:
  KernelPreparer(gpu::GPUFuncOp kernel, ArrayRef<gpu::LaunchFuncOp> launches)
      : kernel(kernel), launches(launches), builder(kernel.getBody()),
        numInputs(kernel.getNumArguments()), arrays(numInputs) {}

  void run();
  unsigned expandedArrays = 0;
  unsigned guardedKernels = 0;

private:
  std::string nameOf(unsigned argument);
  bool needsExtents(unsigned argument);
  Size addParameter(Type type, const Twine &name);
  void expandArray(unsigned argument);
  void updateLaunches(unsigned argument, MemRefType type);
  std::optional<Size> gridExtent(Value size, unsigned dim);
  bool isOneThreadPerBlock();
  void useGlobalIds(ArrayRef<Size> domain);
  void guard(ArrayRef<Size> domain);
  void describeLaunch();

  gpu::GPUFuncOp kernel;
  ArrayRef<gpu::LaunchFuncOp> launches;
  OpBuilder builder;
  /// Arguments before any is added.
  unsigned numInputs;
  /// Extents of each array argument; empty for one that needs none.
  SmallVector<SmallVector<Size>> arrays;
};

struct PrepareLaunchesPass
    : gpuopt::impl::PrepareLaunchesBase<PrepareLaunchesPass> {
  using Base::Base;
  void runOnOperation() override;
};

} // namespace

/// True for an array whose type says nothing of where it lies and how.
static bool isPlainArray(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getLayout().isIdentity() && !memref.getMemorySpace();
}

std::string KernelPreparer::nameOf(unsigned argument) {
  if (auto name = kernel.getArgAttrOfType<StringAttr>(argument, kNameAttrName))
    return name.str();
  return "arg" + std::to_string(argument);
}

/// Rank-1 arrays are pointers already, unless someone asks for their extent.
bool KernelPreparer::needsExtents(unsigned argument) {
  auto type = dyn_cast<MemRefType>(kernel.getArgument(argument).getType());
  if (!isPlainArray(kernel.getArgument(argument).getType()) ||
      type.hasStaticShape())
    return false;
  auto isDim = [](Operation *user) { return isa<memref::DimOp>(user); };
  return type.getRank() > 1 ||
         llvm::any_of(kernel.getArgument(argument).getUsers(), isDim) ||
         llvm::any_of(launches, [&](gpu::LaunchFuncOp launch) {
           Value array = launch.getKernelOperand(argument);
           return llvm::any_of(array.getUsers(), isDim);
         });
}

Size KernelPreparer::addParameter(Type type, const Twine &name) {
  std::string text = name.str();
  unsigned index = kernel.getNumArguments();
  auto attributes = builder.getDictionaryAttr(
      builder.getNamedAttr(kNameAttrName, builder.getStringAttr(text)));
  (void)kernel.insertArgument(index, type, attributes, kernel.getLoc());
  return {OpFoldResult(kernel.getArgument(index)), text};
}

static OpFoldResult multiply(OpBuilder &builder, Location loc, OpFoldResult a,
                             OpFoldResult b) {
  auto x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x == 1)
    return b;
  if (y == 1)
    return a;
  if (x && y)
    return builder.getIndexAttr(*x * *y);
  return arith::MulIOp::create(builder, loc,
                               getValueOrCreateConstantIndexOp(builder, loc, a),
                               getValueOrCreateConstantIndexOp(builder, loc, b))
      .getResult();
}

/// Appends the flat array and its unknown extents to what launches pass.
void KernelPreparer::updateLaunches(unsigned argument, MemRefType type) {
  for (gpu::LaunchFuncOp launch : launches) {
    OpBuilder host(launch);
    Location loc = launch.getLoc();
    Value array = launch.getKernelOperand(argument);
    OpFoldResult elements = host.getIndexAttr(1);
    SmallVector<Value> extents;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      OpFoldResult extent = host.getIndexAttr(type.getDimSize(dim));
      if (type.isDynamicDim(dim)) {
        extents.push_back(memref::DimOp::create(host, loc, array, dim));
        extent = extents.back();
      }
      elements = multiply(host, loc, elements, extent);
    }
    auto flat = MemRefType::get({ShapedType::kDynamic}, type.getElementType());
    Value pointer =
        type.getRank() == 1
            ? array
            : memref::ReinterpretCastOp::create(
                  host, loc, flat, array, OpFoldResult(host.getIndexAttr(0)),
                  ArrayRef<OpFoldResult>(elements),
                  ArrayRef<OpFoldResult>(host.getIndexAttr(1)))
                  .getResult();
    launch.getKernelOperandsMutable().slice(argument, 1).assign(pointer);
    launch.getKernelOperandsMutable().append(extents);
  }
}

void KernelPreparer::expandArray(unsigned argument) {
  Value array = kernel.getArgument(argument);
  auto type = cast<MemRefType>(array.getType());
  std::string name = nameOf(argument);
  SmallVector<Size> &extents = arrays[argument];
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (type.isDynamicDim(dim))
      extents.push_back(
          addParameter(builder.getIndexType(), name + "_dim" + Twine(dim)));
    else
      extents.push_back({builder.getIndexAttr(type.getDimSize(dim)),
                         std::to_string(type.getDimSize(dim))});
  }
  updateLaunches(argument, type);

  SmallVector<Operation *> users(array.getUsers());
  Location loc = kernel.getLoc();
  for (Operation *user : users) {
    auto dim = dyn_cast<memref::DimOp>(user);
    std::optional<int64_t> index = dim ? dim.getConstantIndex() : std::nullopt;
    if (!index || *index < 0 || *index >= type.getRank())
      continue;
    OpBuilder atUser(dim);
    dim.replaceAllUsesWith(
        getValueOrCreateConstantIndexOp(atUser, loc, extents[*index].value));
    dim.erase();
  }
  ++expandedArrays;
  if (type.getRank() == 1)
    return;

  SmallVector<OpFoldResult> sizes, strides(type.getRank());
  for (const Size &extent : extents)
    sizes.push_back(extent.value);
  OpFoldResult stride = builder.getIndexAttr(1);
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    strides[dim] = stride;
    if (dim)
      stride = multiply(builder, loc, stride, sizes[dim]);
  }
  array.setType(MemRefType::get({ShapedType::kDynamic}, type.getElementType()));
  Value view = memref::ReinterpretCastOp::create(
      builder, loc, type, array, OpFoldResult(builder.getIndexAttr(0)), sizes,
      strides);
  array.replaceAllUsesExcept(view, view.getDefiningOp());
}

/// The number of blocks `size` of a launch, as the kernel can know it.
std::optional<Size> KernelPreparer::gridExtent(Value size, unsigned dim) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return Size{builder.getIndexAttr(*constant), std::to_string(*constant)};
  gpu::LaunchFuncOp launch = launches.front();
  if (auto dimOp = size.getDefiningOp<memref::DimOp>()) {
    for (unsigned i = 0; i < numInputs; ++i) {
      std::optional<int64_t> index = dimOp.getConstantIndex();
      // The operand may have become a flat view of the array.
      Value operand = launch.getKernelOperand(i);
      if (auto flat = operand.getDefiningOp<memref::ReinterpretCastOp>())
        operand = arrays[i].empty() ? operand : flat.getSource();
      if (operand == dimOp.getSource() && index && *index >= 0 &&
          static_cast<size_t>(*index) < arrays[i].size())
        return arrays[i][*index];
    }
  }
  for (unsigned i = 0; i < numInputs; ++i)
    if (launch.getKernelOperand(i) == size)
      return Size{OpFoldResult(kernel.getArgument(i)), nameOf(i)};
  if (!size.getType().isIndex())
    return std::nullopt;
  launch.getKernelOperandsMutable().append(size);
  static constexpr StringRef names[] = {"extent_x", "extent_y", "extent_z"};
  return addParameter(size.getType(), names[dim]);
}

/// True where blocks are single threads that know nothing of each other: then
/// a block is a work item, and blocks of any shape will do.
bool KernelPreparer::isOneThreadPerBlock() {
  gpu::LaunchFuncOp launch = launches.front();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  if (!llvm::all_of(ArrayRef<Value>{block.x, block.y, block.z},
                    [](Value size) { return getConstantIntValue(size) == 1; }))
    return false;
  if (kernel.getNumWorkgroupAttributions() || !kernel.getBody().hasOneBlock())
    return false;
  WalkResult others = kernel.getBody().walk([](Operation *op) {
    bool isId = isa<gpu::BlockIdOp, gpu::ThreadIdOp, gpu::BlockDimOp,
                    gpu::GridDimOp, gpu::ReturnOp>(op);
    return isa<gpu::GPUDialect>(op->getDialect()) && !isId
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !others.wasInterrupted();
}

void KernelPreparer::useGlobalIds(ArrayRef<Size> domain) {
  kernel.walk([&](Operation *op) {
    OpBuilder at(op);
    Value value;
    if (auto block = dyn_cast<gpu::BlockIdOp>(op))
      value = gpu::GlobalIdOp::create(at, op->getLoc(), block.getDimension());
    else if (isa<gpu::ThreadIdOp>(op))
      value = arith::ConstantIndexOp::create(at, op->getLoc(), 0);
    else if (isa<gpu::BlockDimOp>(op))
      value = arith::ConstantIndexOp::create(at, op->getLoc(), 1);
    else if (auto grid = dyn_cast<gpu::GridDimOp>(op))
      value = getValueOrCreateConstantIndexOp(
          at, op->getLoc(),
          domain[static_cast<unsigned>(grid.getDimension())].value);
    if (!value)
      return;
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  });
  kernel.removeKnownBlockSizeAttr();
}

/// Encloses the body in the test that the work item exists.
void KernelPreparer::guard(ArrayRef<Size> domain) {
  Location loc = kernel.getLoc();
  Block &body = kernel.getBody().front();
  OpBuilder top = OpBuilder::atBlockBegin(&body);
  Operation *first = &body.front();
  Value condition;
  for (auto [dim, extent] : llvm::enumerate(domain)) {
    if (getConstantIntValue(extent.value) == 1)
      continue;
    Value id =
        gpu::GlobalIdOp::create(top, loc, static_cast<gpu::Dimension>(dim));
    Value inside = arith::CmpIOp::create(
        top, loc, arith::CmpIPredicate::slt, id,
        getValueOrCreateConstantIndexOp(top, loc, extent.value));
    condition =
        condition ? arith::AndIOp::create(top, loc, condition, inside) : inside;
  }
  if (!condition)
    return;
  auto branch = scf::IfOp::create(top, loc, condition, /*else=*/false);
  Block *then = branch.thenBlock();
  then->getOperations().splice(then->begin(), body.getOperations(),
                               first->getIterator(),
                               body.getTerminator()->getIterator());
  // Views of arrays belong to the top of the kernel.
  for (Operation &op : llvm::make_early_inc_range(*then)) {
    if (!isa<memref::ReinterpretCastOp, arith::ConstantOp>(op) &&
        !(isa<arith::MulIOp>(op) && llvm::all_of(op.getOperands(), [](Value v) {
            return isa<BlockArgument>(v);
          })))
      continue;
    bool isTop = llvm::all_of(op.getOperands(), [&](Value value) {
      return value.getParentBlock() == &body;
    });
    if (isTop)
      op.moveBefore(branch);
  }
  ++guardedKernels;
}

void KernelPreparer::describeLaunch() {
  if (launches.size() != 1)
    return;
  gpu::LaunchFuncOp launch = launches.front();
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  SmallVector<Size> domain;
  SmallVector<Attribute> texts;
  Value blocks[] = {grid.x, grid.y, grid.z};
  Value threads[] = {block.x, block.y, block.z};
  for (unsigned dim = 0; dim < 3; ++dim) {
    std::optional<Size> extent = gridExtent(blocks[dim], dim);
    std::optional<int64_t> size = getConstantIntValue(threads[dim]);
    if (!extent || !size)
      return;
    domain.push_back(*extent);
    texts.push_back(builder.getStringAttr(
        *size == 1 ? extent->text
                   : "(" + extent->text + ") * " + std::to_string(*size)));
  }
  while (texts.size() > 1 && cast<StringAttr>(texts.back()).getValue() == "1")
    texts.pop_back();
  kernel->setAttr(kDomainAttrName, builder.getArrayAttr(texts));
  if (!isOneThreadPerBlock())
    return;
  useGlobalIds(domain);
  guard(domain);
}

void KernelPreparer::run() {
  for (unsigned argument = 0; argument < numInputs; ++argument)
    if (needsExtents(argument))
      expandArray(argument);
  SmallVector<Type> types(kernel.getBody().getArgumentTypes());
  types.resize(kernel.getNumArguments());
  kernel.setFunctionType(builder.getFunctionType(types, {}));
  describeLaunch();
  kernel.removeKnownGridSizeAttr();
  for (auto [argument, extents] : llvm::enumerate(arrays)) {
    SmallVector<Attribute> texts;
    for (const Size &extent : extents)
      texts.push_back(builder.getStringAttr(extent.text));
    if (!texts.empty())
      kernel.setArgAttr(argument, kExtentsAttrName,
                        builder.getArrayAttr(texts));
  }
}

/// `wish`, or the first of `wish_2`, `wish_3`, … that is not taken.
static std::string freeName(StringRef wish,
                            llvm::function_ref<bool(StringRef)> isTaken) {
  if (!isTaken(wish))
    return wish.str();
  unsigned next = 2;
  return SymbolTable::generateSymbolName<32>(wish, isTaken, next).str().str();
}

/// Gives arguments the names that the host function has for them, each once,
/// whole arrays before parts of them; and the kernel the host function's name
/// where it has only one.
static void copyNames(gpu::GPUFuncOp kernel, gpu::LaunchFuncOp launch) {
  auto host = launch->getParentOfType<func::FuncOp>();
  if (!host)
    return;
  llvm::StringSet<> taken;
  auto name = [&](unsigned index, const Twine &wish) {
    std::string free = freeName(
        wish.str(), [&](StringRef other) { return taken.contains(other); });
    taken.insert(free);
    kernel.setArgAttr(index, kNameAttrName,
                      StringAttr::get(kernel.getContext(), free));
  };
  llvm::SmallDenseMap<Value, unsigned> passed;
  for (Value operand : launch.getKernelOperands())
    ++passed[memoryRoot(operand)];
  for (bool isPart : {false, true})
    for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands())) {
      Value root = memoryRoot(operand);
      auto argument = dyn_cast<BlockArgument>(root);
      if ((root != operand) != isPart)
        continue;
      if (!argument || argument.getOwner()->getParentOp() != host) {
        auto own = kernel.getArgAttrOfType<StringAttr>(index, kNameAttrName);
        name(index, own ? own.str() : "value" + std::to_string(index));
        continue;
      }
      unsigned number = argument.getArgNumber();
      // What is said of an array need not be so for a part of it, nor that
      // nothing else points to it where it is passed twice.
      for (NamedAttribute attr :
           mlir::function_interface_impl::getArgAttrs(host, number))
        if (!isPart &&
            (passed[root] == 1 ||
             attr.getName() != LLVM::LLVMDialect::getNoAliasAttrName()))
          kernel.setArgAttr(index, attr.getName(), attr.getValue());
      auto known = host.getArgAttrOfType<StringAttr>(number, kNameAttrName);
      name(index, known ? known.str() : "arg" + std::to_string(number));
    }
  unsigned launches = 0;
  host.walk([&](gpu::LaunchFuncOp) { ++launches; });
  if (launches == 1 && !kernel->hasAttr(kSourceNameAttrName))
    kernel->setAttr(kSourceNameAttrName, host.getSymNameAttr());
}

/// Outlining names modules apart, but not the functions in them, and functions
/// of several modules become those of one.
static void giveOwnNames(ModuleOp module) {
  SmallVector<FunctionOpInterface> functions;
  llvm::StringSet<> given, taken;
  module.walk([&](FunctionOpInterface function) {
    if (!function->getParentOfType<gpu::GPUModuleOp>() || function.isExternal())
      return;
    functions.push_back(function);
    given.insert(function.getName());
  });
  for (FunctionOpInterface function : functions) {
    StringRef name = function.getName();
    if (taken.insert(name).second)
      continue;
    std::string free = freeName(name, [&](StringRef other) {
      return given.contains(other) || taken.contains(other);
    });
    taken.insert(free);
    auto symbol = StringAttr::get(function.getContext(), free);
    if (succeeded(SymbolTable::replaceAllSymbolUses(function, symbol, module)))
      SymbolTable::setSymbolName(function, symbol);
  }
}

void PrepareLaunchesPass::runOnOperation() {
  giveOwnNames(getOperation());
  SymbolTableCollection symbols;
  DenseMap<Operation *, SmallVector<gpu::LaunchFuncOp>> launches;
  getOperation()->walk([&](gpu::LaunchFuncOp launch) {
    Operation *kernel =
        symbols.lookupNearestSymbolFrom(launch, launch.getKernelAttr());
    if (kernel)
      launches[kernel].push_back(launch);
  });
  getOperation()->walk([&](gpu::GPUFuncOp kernel) {
    if (!kernel.isKernel())
      return;
    ArrayRef<gpu::LaunchFuncOp> calls = launches[kernel];
    if (calls.size() == 1)
      copyNames(kernel, calls.front());
    KernelPreparer preparer(kernel, calls);
    preparer.run();
    numExpandedArrays += preparer.expandedArrays;
    numGuardedKernels += preparer.guardedKernels;
  });
}
