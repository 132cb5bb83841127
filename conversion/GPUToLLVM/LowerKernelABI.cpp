//===- LowerKernelABI.cpp - memref arguments as bare pointers -------------===//

#include "conversion/GPUToLLVM/Passes.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "dialects/GPUOpt/GPUOptOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_LOWERKERNELABI
#include "conversion/GPUToLLVM/Passes.h.inc"

namespace {

/// Layout of an array that a bare pointer stands for. A rank-1 array of
/// unknown extent has `ShapedType::kDynamic` as its size.
struct PointerLayout {
  int64_t offset = 0;
  SmallVector<int64_t> sizes;
  SmallVector<int64_t> strides;
};

/// The layout of `type`, or failure where only the caller could know it.
FailureOr<PointerLayout> getPointerLayout(MemRefType type) {
  PointerLayout layout;
  layout.sizes.assign(type.getShape().begin(), type.getShape().end());
  if (failed(type.getStridesAndOffset(layout.strides, layout.offset)))
    return failure();
  if (ShapedType::isDynamic(layout.offset) ||
      llvm::any_of(layout.strides, ShapedType::isDynamic))
    return failure();
  return layout;
}

/// LLVM's number for the memory space of a kernel argument: the default space
/// or an explicit number.
FailureOr<unsigned> getPointerSpace(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (!space)
    return 0u;
  if (auto number = dyn_cast<IntegerAttr>(space))
    return static_cast<unsigned>(number.getInt());
  if (auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(space))
    if (gpuSpace.getValue() == gpu::AddressSpace::Global)
      return 1u;
  return failure();
}

class KernelABI {
public:
  explicit KernelABI(gpu::GPUFuncOp kernel) : kernel(kernel) {}

  LogicalResult lower();
  unsigned loweredArguments = 0;

private:
  LogicalResult checkExtentIsUnused(Value argument, unsigned index);
  LogicalResult lowerArgument(unsigned index);
  void lowerVariable(GetVariableOp variable);
  Value buildDescriptor(OpBuilder &builder, Value pointer, MemRefType type,
                        const PointerLayout &layout);

  gpu::GPUFuncOp kernel;
};

} // namespace

LogicalResult KernelABI::checkExtentIsUnused(Value argument, unsigned index) {
  for (Operation *user : argument.getUsers())
    if (auto dim = dyn_cast<memref::DimOp>(user))
      return dim.emitOpError("asks for an extent of kernel argument ")
             << index << ", which is passed as a bare pointer";
  return success();
}

Value KernelABI::buildDescriptor(OpBuilder &builder, Value pointer,
                                 MemRefType type, const PointerLayout &layout) {
  Location loc = pointer.getLoc();
  MLIRContext *context = builder.getContext();
  Type i64 = builder.getI64Type();
  SmallVector<Type> fields = {pointer.getType(), pointer.getType(), i64};
  if (type.getRank() > 0)
    fields.append(2, LLVM::LLVMArrayType::get(i64, type.getRank()));
  Value descriptor = LLVM::PoisonOp::create(
      builder, loc, LLVM::LLVMStructType::getLiteral(context, fields));
  auto insert = [&](Value value, ArrayRef<int64_t> position) {
    descriptor =
        LLVM::InsertValueOp::create(builder, loc, descriptor, value, position);
  };
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, i64,
                                    builder.getI64IntegerAttr(value));
  };
  insert(pointer, {0});
  insert(pointer, {1});
  insert(constant(layout.offset), {2});
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    // An unknown extent stays poison: nothing may use it.
    if (!ShapedType::isDynamic(layout.sizes[dim]))
      insert(constant(layout.sizes[dim]), {3, dim});
    insert(constant(layout.strides[dim]), {4, dim});
  }
  return UnrealizedConversionCastOp::create(builder, loc, type, descriptor)
      .getResult(0);
}

LogicalResult KernelABI::lowerArgument(unsigned index) {
  BlockArgument argument = kernel.getBody().getArgument(index);
  auto type = dyn_cast<MemRefType>(argument.getType());
  if (!type)
    return success();
  FailureOr<PointerLayout> layout = getPointerLayout(type);
  FailureOr<unsigned> space = getPointerSpace(type);
  if (failed(layout) || failed(space))
    return kernel.emitOpError("argument ")
           << index << " of type " << type
           << " cannot be a bare pointer: expected rank 1 or static shape, "
              "static strides and global memory";
  if (failed(checkExtentIsUnused(argument, index)))
    return failure();

  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  auto pointerType = LLVM::LLVMPointerType::get(builder.getContext(), *space);
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : argument.getUses())
    uses.push_back(&use);
  argument.setType(pointerType);
  Value array = buildDescriptor(builder, argument, type, *layout);
  for (OpOperand *use : uses)
    use->set(array);
  ++loweredArguments;
  return success();
}

/// The variable's own address, in the space that its array's type names.
void KernelABI::lowerVariable(GetVariableOp variable) {
  OpBuilder builder(variable);
  auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
      variable, variable.getVariableAttr());
  auto type = cast<MemRefType>(variable.getArray().getType());
  Value pointer = LLVM::AddressOfOp::create(builder, variable.getLoc(), global);
  unsigned space = *getPointerSpace(type);
  if (space != global.getAddrSpace())
    pointer = LLVM::AddrSpaceCastOp::create(
        builder, variable.getLoc(),
        LLVM::LLVMPointerType::get(builder.getContext(), space), pointer);
  variable.replaceAllUsesWith(
      buildDescriptor(builder, pointer, type, *getPointerLayout(type)));
  variable.erase();
}

LogicalResult KernelABI::lower() {
  kernel.walk([&](GetVariableOp variable) { lowerVariable(variable); });
  for (unsigned index = 0; index < kernel.getFunctionType().getNumInputs();
       ++index)
    if (failed(lowerArgument(index)))
      return failure();
  SmallVector<Type> types(kernel.getBody().getArgumentTypes());
  types.resize(kernel.getFunctionType().getNumInputs());
  kernel.setFunctionType(FunctionType::get(
      kernel.getContext(), types, kernel.getFunctionType().getResults()));

  SmallVector<Attribute> attributes;
  for (unsigned index = 0; index < types.size(); ++index) {
    DictionaryAttr attrs = kernel.getArgAttrDict(index);
    attributes.push_back(attrs ? attrs
                               : DictionaryAttr::get(kernel.getContext()));
  }
  kernel->setAttr(kParameterAttrsAttrName,
                  ArrayAttr::get(kernel.getContext(), attributes));

  auto geometry = kernel->getAttrOfType<GeometryAttr>(kGeometryAttrName);
  if (!geometry)
    return success();
  SmallVector<int32_t> block(geometry.getBlock().begin(),
                             geometry.getBlock().end());
  kernel.setKnownBlockSizeAttr(
      DenseI32ArrayAttr::get(kernel.getContext(), block));
  return success();
}

namespace {
struct LowerKernelABI : impl::LowerKernelABIBase<LowerKernelABI> {
  void runOnOperation() override {
    Builder builder(&getContext());
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      kernel.walk([&](LLVM::AtomicRMWOp op) {
        op->setAttr(kSourceOrderAttrName, builder.getUnitAttr());
      });
      KernelABI abi(kernel);
      if (kernel.isKernel() && failed(abi.lower()))
        return signalPassFailure();
      loweredArguments += abi.loweredArguments;
    }
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      function.walk([&](LLVM::AtomicRMWOp op) {
        op->setAttr(kSourceOrderAttrName, builder.getUnitAttr());
      });
  }
};
} // namespace
} // namespace gpuopt
