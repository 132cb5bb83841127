//===- ArrayElements.cpp - accesses of one element type -------------------===//

#include "passes/Raising/ArrayElements.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace gpuopt;

//===--- Roots ------------------------------------------------------------===//

/// The variable that a root is, if it is one.
static LLVM::GlobalOp getGlobal(gpu::GPUFuncOp kernel, Value root) {
  auto address = root.getDefiningOp<LLVM::AddressOfOp>();
  if (!address)
    return nullptr;
  return SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
      kernel->getParentOp(), address.getGlobalNameAttr());
}

static bool isWorkgroup(LLVM::GlobalOp global) {
  constexpr unsigned workgroupSpace = 3;
  return global.getAddrSpace() == workgroupSpace;
}

std::string gpuopt::describeRoot(gpu::GPUFuncOp kernel, Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    unsigned position = argument.getArgNumber();
    if (auto name =
            kernel.getArgAttrOfType<StringAttr>(position, kNameAttrName))
      return ("'" + name.getValue() + "'").str();
    return "of argument " + std::to_string(position);
  }
  if (auto address = root.getDefiningOp<LLVM::AddressOfOp>())
    return ("'" + address.getGlobalName() + "'").str();
  return "of a local variable";
}

/// Number of bytes of a local array with a fixed size, else 0.
static int64_t getAllocaBytes(LLVM::AllocaOp op, const DataLayout &layout) {
  APInt count;
  if (!matchPattern(op.getArraySize(), m_ConstantInt(&count)))
    return 0;
  return layout.getTypeSize(op.getElemType()).getFixedValue() *
         count.getZExtValue();
}

/// What keeps a variable in global or constant memory from being an array.
static std::optional<Refusal> checkVariable(LLVM::GlobalOp global) {
  constexpr unsigned globalSpace = 1;
  if (global.getAddrSpace() != 0 && global.getAddrSpace() != globalSpace &&
      global.getAddrSpace() != GetVariableOp::kConstantSpace)
    return Refusal{global.getLoc(), "it is in a special memory"};
  if (global.getThreadLocal_())
    return Refusal{global.getLoc(), "each thread has one"};
  return std::nullopt;
}

std::optional<Refusal> gpuopt::checkRoot(gpu::GPUFuncOp kernel, Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    unsigned position = argument.getArgNumber();
    for (StringRef name : {LLVM::LLVMDialect::getByValAttrName(),
                           LLVM::LLVMDialect::getByRefAttrName()})
      if (kernel.getArgAttr(position, name))
        return Refusal{argument.getLoc(), "it is a struct by value"};
    return std::nullopt;
  }
  Location loc = root.getLoc();
  if (auto alloca = root.getDefiningOp<LLVM::AllocaOp>()) {
    if (alloca->getBlock() != &kernel.getBody().front() ||
        getAllocaBytes(alloca, DataLayout::closest(kernel)) == 0)
      return Refusal{loc, "its size is not fixed"};
    return std::nullopt;
  }
  LLVM::GlobalOp global = getGlobal(kernel, root);
  if (!global)
    return Refusal{loc, "it is not a variable"};
  if (DataLayout::closest(kernel)
          .getTypeSize(global.getGlobalType())
          .getFixedValue() == 0)
    return Refusal{loc, isWorkgroup(global) ? "its size is set by the launch"
                                            : "its size is not known here"};
  // Other variables stay where they are.
  if (!isWorkgroup(global))
    return checkVariable(global);
  Operation *module = kernel->getParentOp();
  if (auto uses = SymbolTable::getSymbolUses(global, module))
    for (SymbolTable::SymbolUse use : *uses)
      if (auto func = use.getUser()->getParentOfType<LLVM::LLVMFuncOp>())
        if (!func->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
          return Refusal{loc, "a function that is not inlined uses it"};
  return std::nullopt;
}

//===--- Element type -----------------------------------------------------===//

Value gpuopt::getAccessedPointer(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getAddr();
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getAddr();
  if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
    return update.getPtr();
  return nullptr;
}

/// Type of the value that an access moves.
static Type getAccessedType(Operation *op) {
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getValue().getType();
  return op->getResult(0).getType();
}

/// The update that `memref.atomic_rmw` has, if it has it.
static std::optional<arith::AtomicRMWKind> raiseKind(LLVM::AtomicBinOp kind) {
  using Kind = arith::AtomicRMWKind;
  switch (kind) {
  case LLVM::AtomicBinOp::xchg:
    return Kind::assign;
  case LLVM::AtomicBinOp::add:
    return Kind::addi;
  case LLVM::AtomicBinOp::_and:
    return Kind::andi;
  case LLVM::AtomicBinOp::_or:
    return Kind::ori;
  case LLVM::AtomicBinOp::_xor:
    return Kind::xori;
  case LLVM::AtomicBinOp::max:
    return Kind::maxs;
  case LLVM::AtomicBinOp::min:
    return Kind::mins;
  case LLVM::AtomicBinOp::umax:
    return Kind::maxu;
  case LLVM::AtomicBinOp::umin:
    return Kind::minu;
  case LLVM::AtomicBinOp::fadd:
    return Kind::addf;
  case LLVM::AtomicBinOp::fmax:
    return Kind::maxnumf;
  case LLVM::AtomicBinOp::fmin:
    return Kind::minnumf;
  default:
    return std::nullopt;
  }
}

/// Scalar that an access moves, alone or in a vector.
static Type getScalar(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

/// Why an access cannot be one of a memref, whatever the element.
static std::optional<std::string> checkAccess(Operation *op,
                                              const DataLayout &layout) {
  Type type = getAccessedType(op);
  auto vector = dyn_cast<VectorType>(type);
  if (vector && (vector.isScalable() || vector.getRank() != 1))
    return "access of a vector that is not one-dimensional";
  Type scalar = getScalar(type);
  if (!scalar.isIntOrFloat())
    return "access of an element that is not a number";
  int64_t bits = scalar.getIntOrFloatBitWidth();
  if (bits < 8 || !llvm::isPowerOf2_64(bits))
    return "element of " + std::to_string(bits) + " bits";
  auto alignment = op->getAttrOfType<IntegerAttr>("alignment");
  if (alignment && !vector &&
      alignment.getInt() <
          static_cast<int64_t>(layout.getTypeABIAlignment(scalar)))
    return "access that is not aligned";
  if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
    if (!raiseKind(update.getBinOp()) || vector)
      return "atomic update that memref does not have";
  return std::nullopt;
}

void gpuopt::chooseElement(RootArray &array, const DataLayout &layout) {
  for (Operation *op : array.accesses) {
    if (auto reason = checkAccess(op, layout)) {
      array.obstacle = Refusal{op->getLoc(), *reason};
      return;
    }
    Type scalar = getScalar(getAccessedType(op));
    int64_t bytes = scalar.getIntOrFloatBitWidth() / 8;
    // The smallest; of one size, a float.
    if (!array.element || bytes < array.bytes ||
        (bytes == array.bytes && isa<FloatType>(scalar) &&
         !isa<FloatType>(array.element))) {
      array.element = scalar;
      array.bytes = bytes;
    }
  }
  // The type of atomic updates cannot be cast: it decides.
  for (Operation *op : array.accesses)
    if (isa<LLVM::AtomicRMWOp>(op)) {
      Type type = getAccessedType(op);
      if (type.getIntOrFloatBitWidth() != array.bytes * 8) {
        array.obstacle = Refusal{
            op->getLoc(), "atomic update of more than the smallest element"};
        return;
      }
      array.element = type;
    }
  for (Operation *op : array.accesses)
    if (isa<LLVM::AtomicRMWOp>(op) && getAccessedType(op) != array.element)
      array.obstacle =
          Refusal{op->getLoc(), "atomic updates of different types"};
  if (!array.element) {
    // Nothing is accessed: any element will do.
    array.element = IntegerType::get(array.root.getContext(), 8);
    array.bytes = 1;
  }
}

std::optional<Refusal> gpuopt::checkOffset(LLVM::GEPOp gep,
                                           const RootArray &array,
                                           const DataLayout &layout) {
  auto refuse = [&](const char *reason) {
    return Refusal{gep.getLoc(), reason};
  };
  auto offset = computePointerOffset(gep, layout);
  if (!offset)
    return refuse("pointer arithmetic over a type without fixed layout");
  if (offset->constantBytes % array.bytes != 0)
    return refuse("offset that is not a multiple of the element");
  for (auto [value, stride] : offset->terms)
    if (!isMultipleOf(value, array.bytes / std::gcd(stride, array.bytes)))
      return refuse("offset that is not known to be a multiple of the element");
  return std::nullopt;
}

//===--- Rewriting --------------------------------------------------------===//

static Attribute getSpace(MLIRContext *context, gpu::AddressSpace space) {
  return gpu::AddressSpaceAttr::get(context, space);
}

Value gpuopt::makePrivateArray(const RootArray &array,
                               const DataLayout &layout) {
  auto op = array.root.getDefiningOp<LLVM::AllocaOp>();
  OpBuilder builder(op);
  int64_t elements = llvm::divideCeil(getAllocaBytes(op, layout), array.bytes);
  auto type = MemRefType::get(
      {elements}, array.element, MemRefLayoutAttrInterface(),
      getSpace(builder.getContext(), gpu::AddressSpace::Private));
  IntegerAttr alignment;
  if (auto bytes = op.getAlignment())
    alignment = builder.getI64IntegerAttr(*bytes);
  return memref::AllocaOp::create(builder, op.getLoc(), type, alignment);
}

/// A variable in global or constant memory, at the kernel's top: views of it
/// are made there.
static Value makeVariable(gpu::GPUFuncOp kernel, LLVM::GlobalOp global,
                          Location loc, Type element, int64_t elements) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Attribute space;
  if (global.getAddrSpace() == GetVariableOp::kConstantSpace)
    space = builder.getI64IntegerAttr(GetVariableOp::kConstantSpace);
  auto type =
      MemRefType::get({elements}, element, MemRefLayoutAttrInterface(), space);
  return GetVariableOp::create(builder, loc, type, global.getSymName());
}

Value gpuopt::makeVariableArray(gpu::GPUFuncOp kernel, const RootArray &array,
                                const DataLayout &layout) {
  Builder builder(kernel.getContext());
  LLVM::GlobalOp global = getGlobal(kernel, array.root);
  int64_t bytes = layout.getTypeSize(global.getGlobalType()).getFixedValue();
  if (!isWorkgroup(global))
    return makeVariable(kernel, global, array.root.getLoc(), array.element,
                        bytes / array.bytes);
  auto type = MemRefType::get(
      {static_cast<int64_t>(llvm::divideCeil(bytes, array.bytes))},
      array.element, MemRefLayoutAttrInterface(),
      getSpace(builder.getContext(), gpu::AddressSpace::Workgroup));
  unsigned position = kernel.getNumWorkgroupAttributions();
  Value memref = kernel.addWorkgroupAttribution(type, global.getLoc());
  kernel.setWorkgroupAttributionAttr(position, kNameAttrName,
                                     global.getSymNameAttr());
  if (auto alignment = global.getAlignment())
    if (static_cast<int64_t>(*alignment) >
        static_cast<int64_t>(layout.getTypeABIAlignment(array.element)))
      kernel.setWorkgroupAttributionAttr(position,
                                         LLVM::LLVMDialect::getAlignAttrName(),
                                         builder.getI64IntegerAttr(*alignment));
  return memref;
}

/// Vector of elements with the bits of `type`; null where one element has them.
static VectorType getElements(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  int64_t bits = getScalar(type).getIntOrFloatBitWidth() *
                 (vector ? vector.getNumElements() : 1);
  int64_t count = bits / element.getIntOrFloatBitWidth();
  return vector || count != 1 ? VectorType::get({count}, element)
                              : VectorType();
}

/// The bits of `value`, an element or a vector of elements, as `type`.
static Value castBits(OpBuilder &builder, Location loc, Value value,
                      Type type) {
  if (value.getType() == type)
    return value;
  auto from = dyn_cast<VectorType>(value.getType());
  auto to = dyn_cast<VectorType>(type);
  if (!from && !to)
    return arith::BitcastOp::create(builder, loc, type, value);
  if (!from) {
    from = VectorType::get({1}, value.getType());
    value = vector::BroadcastOp::create(builder, loc, from, value);
  }
  auto target = to ? to : VectorType::get({1}, type);
  if (from != target)
    value = vector::BitCastOp::create(builder, loc, target, value);
  if (to)
    return value;
  return vector::ExtractOp::create(builder, loc, value, ArrayRef<int64_t>{0});
}

/// Bytes that a vector access is aligned to.
static IntegerAttr getAlignment(Operation *op) {
  return op->getAttrOfType<IntegerAttr>("alignment");
}

static void raiseLoad(OpBuilder &builder, LLVM::LoadOp op, Value memref,
                      Value index) {
  Location loc = op.getLoc();
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  Value loaded;
  if (VectorType elements = getElements(op.getType(), element)) {
    auto load = vector::LoadOp::create(builder, loc, elements, memref, index,
                                       op.getNontemporal());
    if (IntegerAttr alignment = getAlignment(op))
      load.setAlignmentAttr(alignment);
    loaded = load;
  } else {
    loaded = memref::LoadOp::create(builder, loc, memref, index,
                                    op.getNontemporal());
  }
  op.getResult().replaceAllUsesWith(
      castBits(builder, loc, loaded, op.getType()));
}

static void raiseStore(OpBuilder &builder, LLVM::StoreOp op, Value memref,
                       Value index) {
  Location loc = op.getLoc();
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  VectorType elements = getElements(op.getValue().getType(), element);
  Value value = castBits(builder, loc, op.getValue(),
                         elements ? Type(elements) : element);
  if (!elements) {
    memref::StoreOp::create(builder, loc, value, memref, index,
                            op.getNontemporal());
    return;
  }
  auto store = vector::StoreOp::create(builder, loc, value, memref, index,
                                       op.getNontemporal());
  if (IntegerAttr alignment = getAlignment(op))
    store.setAlignmentAttr(alignment);
}

static void raiseUpdate(OpBuilder &builder, LLVM::AtomicRMWOp op, Value memref,
                        Value index) {
  auto update = memref::AtomicRMWOp::create(builder, op.getLoc(),
                                            *raiseKind(op.getBinOp()),
                                            op.getVal(), memref, index);
  op.getResult().replaceAllUsesWith(update.getResult());
}

void gpuopt::raiseAccess(OpBuilder &builder, Operation *op, Value memref,
                         Value index) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return raiseLoad(builder, load, memref, index);
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return raiseStore(builder, store, memref, index);
  raiseUpdate(builder, cast<LLVM::AtomicRMWOp>(op), memref, index);
}
