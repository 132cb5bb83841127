//===- PointerRoots.cpp - which array a pointer points into ---------------===//

#include "passes/Raising/PointerRoots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpuopt;

namespace {

bool isPointer(Value value) {
  return isa<LLVM::LLVMPointerType>(value.getType());
}

/// Whether an address that is turned into a number only becomes a pointer
/// again: how AMD's kernel arguments are brought to the generic space.
bool isAddressSpaceCast(LLVM::PtrToIntOp op) {
  return op.getType().isInteger(64) &&
         llvm::all_of(op->getUsers(), [](Operation *user) {
           return isa<LLVM::IntToPtrOp>(user);
         });
}

/// The pointer that `op`'s result is computed from without leaving its array.
Value getSource(Operation *op) {
  if (auto gep = dyn_cast<LLVM::GEPOp>(op))
    return gep.getBase();
  if (auto cast = dyn_cast<LLVM::AddrSpaceCastOp>(op))
    return cast.getArg();
  if (auto cast = dyn_cast<LLVM::IntToPtrOp>(op))
    if (auto number = cast.getArg().getDefiningOp<LLVM::PtrToIntOp>())
      if (isAddressSpaceCast(number))
        return number.getArg();
  return nullptr;
}

/// The block argument that operand `use` of a branch is passed to.
BlockArgument getPassedTo(OpOperand &use) {
  auto branch = dyn_cast<BranchOpInterface>(use.getOwner());
  if (!branch)
    return nullptr;
  auto argument = branch.getSuccessorBlockArgument(use.getOperandNumber());
  return argument ? *argument : nullptr;
}

} // namespace

std::optional<PointerOffset>
gpuopt::computePointerOffset(LLVM::GEPOp gep, const DataLayout &layout) {
  PointerOffset offset;
  Type type = gep.getElemType();
  bool first = true;
  auto indices = gep.getIndices();
  for (auto index : indices) {
    auto constant = dyn_cast<IntegerAttr>(index);
    if (!first) {
      if (auto structType = dyn_cast<LLVM::LLVMStructType>(type)) {
        if (!constant || structType.isOpaque())
          return std::nullopt;
        uint64_t bytes = 0;
        for (auto [i, field] : llvm::enumerate(structType.getBody())) {
          if (!structType.isPacked())
            bytes = llvm::alignTo(bytes, layout.getTypeABIAlignment(field));
          type = field;
          if (static_cast<int64_t>(i) == constant.getInt())
            break;
          bytes += layout.getTypeSize(field);
        }
        offset.constantBytes += bytes;
        continue;
      }
      if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
        type = array.getElementType();
      else if (auto vector = dyn_cast<VectorType>(type))
        type = vector.getElementType();
      else
        return std::nullopt;
    }
    first = false;
    int64_t stride = llvm::alignTo(layout.getTypeSize(type).getFixedValue(),
                                   layout.getTypeABIAlignment(type));
    if (constant)
      offset.constantBytes += constant.getInt() * stride;
    else if (cast<Value>(index).getType().isSignlessInteger())
      offset.terms.push_back({cast<Value>(index), stride});
    else
      return std::nullopt;
  }
  return offset;
}

//===--- Exact division ---------------------------------------------------===//

/// Below 64 bits a product must not wrap for its quotient to be exact; at 64
/// bits addresses wrap with it.
static bool keepsMultiples(Operation *op) {
  if (op->getResult(0).getType().isInteger(64))
    return true;
  auto flags =
      cast<arith::ArithIntegerOverflowFlagsInterface>(op).getOverflowAttr();
  return bitEnumContainsAny(flags.getValue(), arith::IntegerOverflowFlags::nsw);
}

/// What a block's argument may be; nothing where that is not known.
static std::optional<SmallVector<Value>> incomingValues(BlockArgument value) {
  SmallVector<Value> values;
  Block *block = value.getOwner();
  if (block->isEntryBlock())
    return std::nullopt;
  for (auto it = block->pred_begin(), end = block->pred_end(); it != end;
       ++it) {
    auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
    Value incoming = branch ? branch.getSuccessorOperands(
                                  it.getSuccessorIndex())[value.getArgNumber()]
                            : Value();
    if (!incoming)
      return std::nullopt;
    values.push_back(incoming);
  }
  return values;
}

namespace {
/// Whether values are multiples of a number. What a loop carries is one where
/// it starts as one, and stays one if it is.
class Multiples {
public:
  explicit Multiples(int64_t divisor) : divisor(divisor) {}

  bool holds(Value value);

private:
  bool holdsForAll(ValueRange values) {
    return llvm::all_of(values, [&](Value each) { return holds(each); });
  }
  bool holdsFor(Operation *op);
  bool holdsForArgument(BlockArgument value);

  const int64_t divisor;
  llvm::SmallDenseSet<Value, 4> assumed, refuted;
};
} // namespace

bool Multiples::holdsFor(Operation *op) {
  APInt constant;
  if (isa<arith::ExtSIOp>(op))
    return holds(op->getOperand(0));
  if (isa<arith::SelectOp>(op))
    return holdsForAll(op->getOperands().drop_front());
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return keepsMultiples(op) && holdsForAll(op->getOperands());
  if (isa<arith::MulIOp>(op))
    return keepsMultiples(op) &&
           llvm::any_of(op->getOperands(),
                        [&](Value operand) { return holds(operand); });
  if (isa<arith::ShLIOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    return keepsMultiples(op) && constant.ult(31) &&
           (int64_t(1) << constant.getZExtValue()) % divisor == 0;
  return false;
}

/// What has been found true on the assumption goes with it.
bool Multiples::holdsForArgument(BlockArgument value) {
  if (!value.getType().isInteger(64) || refuted.contains(value))
    return false;
  auto before = assumed;
  if (!assumed.insert(value).second)
    return true;
  auto incoming = incomingValues(value);
  if (incoming && holdsForAll(*incoming))
    return true;
  assumed = std::move(before);
  refuted.insert(value);
  return false;
}

bool Multiples::holds(Value value) {
  APInt constant;
  if (divisor == 1)
    return true;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue() % divisor == 0;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    return holdsForArgument(argument);
  }
  Operation *op = value.getDefiningOp();
  return op && holdsFor(op);
}

bool gpuopt::isMultipleOf(Value value, int64_t divisor) {
  return Multiples(divisor).holds(value);
}

Value gpuopt::makeQuotient(OpBuilder &builder, Value value, int64_t divisor) {
  APInt constant;
  if (divisor == 1)
    return value;
  Location loc = value.getLoc();
  auto makeConstant = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(value.getType(), number));
  };
  assert(llvm::isPowerOf2_64(divisor) && "elements have such sizes");
  if (matchPattern(value, m_ConstantInt(&constant)))
    return makeConstant(constant.getSExtValue() / divisor);
  Operation *op = value.getDefiningOp();
  if (!op || isa<arith::SelectOp>(op))
    return arith::ShRSIOp::create(builder, loc, value,
                                  makeConstant(llvm::Log2_64(divisor)));
  auto flags = arith::IntegerOverflowFlags::none;
  if (auto flagged = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    flags = flagged.getOverflowAttr().getValue();
  if (isa<arith::ExtSIOp>(op))
    return arith::ExtSIOp::create(
        builder, loc, value.getType(),
        makeQuotient(builder, op->getOperand(0), divisor));
  if (isa<arith::ShLIOp>(op)) {
    matchPattern(op->getOperand(1), m_ConstantInt(&constant));
    return builder.createOrFold<arith::MulIOp>(
        loc, op->getOperand(0),
        makeConstant((int64_t(1) << constant.getZExtValue()) / divisor), flags);
  }
  if (isa<arith::MulIOp>(op)) {
    unsigned multiple = isMultipleOf(op->getOperand(1), divisor);
    return builder.createOrFold<arith::MulIOp>(
        loc, op->getOperand(1 - multiple),
        makeQuotient(builder, op->getOperand(multiple), divisor), flags);
  }
  Value lhs = makeQuotient(builder, op->getOperand(0), divisor);
  Value rhs = makeQuotient(builder, op->getOperand(1), divisor);
  if (isa<arith::SubIOp>(op))
    return arith::SubIOp::create(builder, loc, lhs, rhs, flags);
  return arith::AddIOp::create(builder, loc, lhs, rhs, flags);
}

//===--- Roots ------------------------------------------------------------===//

PointerRoots::PointerRoots(gpu::GPUFuncOp kernel) {
  trace(kernel);
  auto addArray = [&](Value root) { arrays[root].root = root; };
  for (BlockArgument argument : kernel.getArguments())
    if (isPointer(argument))
      addArray(argument);
  kernel.walk([&](Operation *op) {
    if (auto alloca = dyn_cast<LLVM::AllocaOp>(op))
      addArray(alloca);
    if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
      if (lookup(address) == address.getResult())
        addArray(address);
  });
  for (auto [pointer, root] : roots)
    if (auto it = arrays.find(root); root && it != arrays.end())
      collectUses(pointer, it->second);
}

Value PointerRoots::lookup(Value pointer) const {
  return roots.lookup(pointer);
}

std::optional<Value> PointerRoots::traceResult(Operation *op) const {
  if (isa<LLVM::AllocaOp>(op))
    return op->getResult(0);
  if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
    return globals.lookup(address.getGlobalNameAttr());
  if (auto select = dyn_cast<LLVM::SelectOp>(op)) {
    auto lhs = roots.find(select.getTrueValue());
    auto rhs = roots.find(select.getFalseValue());
    if (lhs == roots.end() && rhs == roots.end())
      return std::nullopt;
    if (lhs == roots.end() || rhs == roots.end())
      return lhs == roots.end() ? rhs->second : lhs->second;
    return lhs->second == rhs->second ? lhs->second : Value();
  }
  if (Value source = getSource(op)) {
    auto it = roots.find(source);
    return it == roots.end() ? std::nullopt : std::optional(it->second);
  }
  return Value();
}

void PointerRoots::trace(gpu::GPUFuncOp kernel) {
  for (BlockArgument argument : kernel.getBody().getArguments())
    if (isPointer(argument))
      roots[argument] = argument;
  kernel.walk([&](LLVM::AddressOfOp op) {
    globals.try_emplace(op.getGlobalNameAttr(), op.getResult());
  });
  // Optimistic: a value without an entry has not been reached yet.
  bool changed = true;
  auto update = [&](Value pointer, Value root) {
    auto [it, isNew] = roots.try_emplace(pointer, root);
    if (isNew || (it->second && it->second != root)) {
      it->second = isNew ? root : Value();
      changed = true;
    }
  };
  while (changed) {
    changed = false;
    kernel.walk([&](Operation *op) {
      for (Value result : op->getResults())
        if (isPointer(result))
          if (std::optional<Value> root = traceResult(op))
            update(result, *root);
      for (OpOperand &operand : op->getOpOperands())
        if (isPointer(operand.get()))
          if (BlockArgument argument = getPassedTo(operand))
            if (auto it = roots.find(operand.get()); it != roots.end()) {
              Value root = it->second;
              update(argument, root);
            }
    });
  }
}

/// Comparisons with pointers into the same array, and of a parameter with null.
bool PointerRoots::isComparable(LLVM::ICmpOp op) const {
  Value lhs = lookup(op.getLhs()), rhs = lookup(op.getRhs());
  if (lhs && lhs == rhs)
    return true;
  bool isEquality = op.getPredicate() == LLVM::ICmpPredicate::eq ||
                    op.getPredicate() == LLVM::ICmpPredicate::ne;
  return isEquality && isa<BlockArgument>(op.getLhs()) && lhs == op.getLhs() &&
         op.getRhs().getDefiningOp<LLVM::ZeroOp>();
}

void PointerRoots::collectUses(Value pointer, RootArray &array) {
  for (OpOperand &use : pointer.getUses())
    if (!array.obstacle)
      collectUse(use, array);
}

/// What `memref.atomic_rmw` stands for here: an update that orders nothing
/// else, and is seen at once by the threads of the launch at most.
static bool isRelaxedOnDevice(LLVM::AtomicRMWOp update) {
  static constexpr StringLiteral scopes[] = {
      "device",    "agent",           "block",        "workgroup",
      "wavefront", "subgroup",        "singlethread", "agent-one-as",
      "cluster",   "workgroup-one-as"};
  std::optional<StringRef> scope = update.getSyncscope();
  return update.getOrdering() == LLVM::AtomicOrdering::monotonic && scope &&
         llvm::is_contained(scopes, *scope);
}

void PointerRoots::collectUse(OpOperand &use, RootArray &array) {
  Operation *op = use.getOwner();
  auto refuse = [&](const Twine &reason) {
    array.obstacle = Refusal{op->getLoc(), reason.str()};
  };
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    if (load.getVolatile_() ||
        load.getOrdering() != LLVM::AtomicOrdering::not_atomic)
      return refuse("volatile or atomic load");
    array.accesses.push_back(op);
    return;
  }
  if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    if (use.get() == store.getValue())
      return refuse("its address is stored in memory");
    if (store.getVolatile_() ||
        store.getOrdering() != LLVM::AtomicOrdering::not_atomic)
      return refuse("volatile or atomic store");
    array.accesses.push_back(op);
    array.isWritten = true;
    return;
  }
  if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op)) {
    if (use.get() == update.getVal() || update.getVolatile_())
      return refuse("volatile atomic update or update by an address");
    if (!isRelaxedOnDevice(update))
      return refuse("atomic update that orders other accesses or is seen "
                    "beyond the device");
    array.accesses.push_back(op);
    array.isWritten = true;
    return;
  }
  if (isa<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op))
    return;
  if (auto gep = dyn_cast<LLVM::GEPOp>(op))
    array.offsets.push_back(gep);
  if (auto number = dyn_cast<LLVM::PtrToIntOp>(op)) {
    if (!isAddressSpaceCast(number))
      refuse("its address is used as a number");
    return;
  }
  if (auto compare = dyn_cast<LLVM::ICmpOp>(op)) {
    if (!isComparable(compare))
      return refuse("its address is compared with another");
    return;
  }
  Value target = getPassedTo(use);
  if (!target && (getSource(op) || isa<LLVM::SelectOp>(op)))
    target = op->getResult(0);
  if (!target)
    return refuse("its address is used by " + op->getName().getStringRef());
  if (lookup(target) != array.root)
    refuse("its address flows together with others");
}
