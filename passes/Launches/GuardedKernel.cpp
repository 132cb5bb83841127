//===- GuardedKernel.cpp - work items and the elements they own -----------===//

#include "passes/Launches/GuardedKernel.h"

#include "passes/Analysis/AccessFunction.h"
#include "passes/Analysis/IntegerValues.h"
#include "passes/Analysis/Speculation.h"
#include "passes/Analysis/Uniformity.h"
#include "passes/Transforms/Utils/Aliasing.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace gpuopt;

Value gpuopt::arrayOfElement(Operation *op) {
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

bool gpuopt::isElementStore(Operation *op) {
  return isa<memref::StoreOp, affine::AffineStoreOp>(op);
}

namespace {
class KernelReader {
public:
  KernelReader(gpu::GPUFuncOp kernel, std::string &reason)
      : kernel(kernel), reason(reason) {}

  std::optional<GuardedKernel> read(std::optional<unsigned> extent);
  std::optional<GuardedKernel> readButterflies(unsigned step);

private:
  bool readTop();
  bool readGuard(std::optional<unsigned> extent);
  bool readArrays();
  bool readOffsets();
  bool readPairs(AccessFunctions &functions);
  bool readBound(AccessFunctions &functions);
  bool isPair(AccessFunctions &functions, const Polynomial &own);
  bool checkConditionals();
  bool checkConditional(scf::IfOp branch);
  bool no(const Twine &why) {
    reason = why.str();
    return false;
  }

  gpu::GPUFuncOp kernel;
  std::string &reason;
  GuardedKernel result;
  /// Of butterflies: the number of a work item's first element.
  Polynomial firstElement;
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

namespace {
/// `smaller < larger`.
struct LessThan {
  Value smaller, larger;
  bool isSigned;
};
} // namespace

static std::optional<LessThan> readLessThan(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  Value left = compare.getLhs(), right = compare.getRhs();
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
    return LessThan{left, right, true};
  case arith::CmpIPredicate::ult:
    return LessThan{left, right, false};
  case arith::CmpIPredicate::sgt:
    return LessThan{right, left, true};
  case arith::CmpIPredicate::ugt:
    return LessThan{right, left, false};
  default:
    return std::nullopt;
  }
}

/// `id < argument`.
bool KernelReader::readGuard(std::optional<unsigned> extent) {
  std::optional<LessThan> guard = readLessThan(result.guard.getCondition());
  if (!guard)
    return no("the guard is not 'id < extent'");
  IntegerValues values(kernel);
  auto isExact = [&](const IntegerValue &value) {
    return guard->isSigned ? value.isSigned : value.isUnsigned;
  };
  IntegerValue left = values.get(guard->smaller),
               right = values.get(guard->larger);
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
    Value memref = arrayOfElement(op);
    auto array =
        memref ? dyn_cast<BlockArgument>(memoryRoot(memref)) : BlockArgument();
    if (!array || array.getOwner() != &kernel.getBody().front() ||
        cast<MemRefType>(array.getType()).getRank() != 1)
      return WalkResult::interrupt();
    arrays.insert(array);
    if (isElementStore(op))
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
    result.writesPartner |=
        isElementStore(access.op) && result.offsets[access.op];
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
      known.insert({memoryRoot(arrayOfElement(&op)), offset->second});
  }
  WalkResult inside = branch.walk([&](Operation *op) {
    if (isa<scf::IfOp, scf::YieldOp>(op))
      return WalkResult::advance();
    auto offset = result.offsets.find(op);
    bool isKnown =
        offset != result.offsets.end() &&
        known.contains({memoryRoot(arrayOfElement(op)), offset->second});
    return isKnown || isTotal(op) ? WalkResult::advance()
                                  : WalkResult::interrupt();
  });
  return !inside.wasInterrupted() ||
         no("its kernel accesses memory under a condition of its own");
}

bool KernelReader::checkConditionals() {
  return llvm::all_of(
      result.guard.thenBlock()->getOps<scf::IfOp>(),
      [&](scf::IfOp branch) { return checkConditional(branch); });
}

std::optional<GuardedKernel>
KernelReader::read(std::optional<unsigned> extent) {
  result.kernel = kernel;
  if (!readTop() || !readGuard(extent) || !readArrays() || !readOffsets() ||
      !checkConditionals())
    return std::nullopt;
  return std::move(result);
}

std::optional<GuardedKernel>
gpuopt::readGuardedKernel(gpu::GPUFuncOp kernel, std::optional<unsigned> extent,
                          std::string &reason) {
  return KernelReader(kernel, reason).read(extent);
}

//===----------------------------------------------------------------------===//
// Butterflies
//===----------------------------------------------------------------------===//

/// The id of a work item, blockIdx.x * blockDim.x + threadIdx.x.
static Polynomial workItem() {
  auto variable = [](unsigned number) { return Polynomial::variable(number); };
  return variable(VariableTable::blockId(0)) *
             variable(VariableTable::blockDim(0)) +
         variable(VariableTable::threadId(0));
}

/// Whether element `own` is the first of the work item's pair for step s:
/// id / s * (2 * s) + id % s, which is id + id / s * s; or 2 * id - (id & (s -
/// 1)), which is the same for powers of two.
bool KernelReader::isPair(AccessFunctions &functions, const Polynomial &own) {
  const VariableTable &variables = functions.variables();
  Polynomial id = workItem();
  Polynomial step = *functions.resolve(kernel.getArgument(result.extent));
  for (unsigned number = 0; number < variables.size(); ++number) {
    const Variable &variable = variables[number];
    if (variable.kind != Variable::Kind::Derived)
      continue;
    Polynomial derived = Polynomial::variable(number);
    using Operator = Variable::Operator;
    bool isQuotient = (variable.op == Operator::FloorDiv ||
                       variable.op == Operator::TruncDiv) &&
                      variable.left == id && variable.right == step;
    if (isQuotient && own == id + derived * step)
      return true;
    bool isMasked = variable.op == Operator::And &&
                    ((variable.left == id && variable.right == step - 1) ||
                     (variable.left == step - 1 && variable.right == id));
    if (isMasked && own == id + id - derived) {
      result.butterflies->needsPowerOfTwo = true;
      return true;
    }
  }
  return false;
}

/// The elements of the work item's pair, in all arrays that are written.
bool KernelReader::readPairs(AccessFunctions &functions) {
  std::optional<Polynomial> step =
      functions.resolve(kernel.getArgument(result.extent));
  if (!step)
    return false;
  llvm::SmallVector<std::pair<Operation *, Polynomial>> accesses;
  for (const AccessFunction &access : functions.accesses()) {
    if (!result.written.contains(access.base))
      continue;
    if (!access.isResolved() || access.accessBytes != access.elementBytes)
      return false;
    Polynomial::Division elements =
        access.address.divide(Polynomial(access.elementBytes));
    if (!elements.remainder.isZero())
      return false;
    accesses.push_back({access.op, elements.quotient});
    if (firstElement.isZero() && isPair(functions, elements.quotient))
      firstElement = elements.quotient;
  }
  if (firstElement.isZero())
    return false;
  for (const auto &[op, element] : accesses) {
    bool isPartner = element == firstElement + *step;
    if (!isPartner && element != firstElement)
      return false;
    result.offsets[op] = isPartner;
    result.writesPartner |= isElementStore(op) && isPartner;
  }
  return true;
}

/// Whether `value` is computed from arguments other than number `excluded`.
static bool isFromArguments(Value value, unsigned excluded) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp()) &&
           argument.getArgNumber() != excluded;
  Operation *op = value.getDefiningOp();
  return op->getNumRegions() == 0 &&
         isa<arith::ArithDialect>(*op->getDialect()) && isTotal(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isFromArguments(operand, excluded);
         });
}

/// The guard bounds the pair's elements, or the work items' ids.
bool KernelReader::readBound(AccessFunctions &functions) {
  std::optional<LessThan> guard = readLessThan(result.guard.getCondition());
  if (!guard || !isFromArguments(guard->larger, result.extent))
    return no("the guard of its butterflies does not compare with a size");
  IntegerValues values(kernel);
  IntegerValue left = values.get(guard->smaller);
  std::optional<Polynomial> bounded = functions.resolve(guard->smaller);
  Polynomial step = *functions.resolve(kernel.getArgument(result.extent));
  if (!bounded || !(guard->isSigned ? left.isSigned : left.isUnsigned))
    return no("what the guard of its butterflies compares may wrap around");
  result.butterflies->boundsElements = *bounded == firstElement + step;
  if (!result.butterflies->boundsElements && *bounded != workItem())
    return no("the guard of its butterflies bounds neither their second "
              "elements nor the work item's id");
  result.butterflies->bound = guard->larger;
  result.butterflies->isUnsigned = !guard->isSigned;
  return true;
}

std::optional<GuardedKernel> KernelReader::readButterflies(unsigned step) {
  result.kernel = kernel;
  result.extent = step;
  result.butterflies.emplace();
  AccessFunctions functions(kernel);
  if (!readTop() || !readArrays() || !readPairs(functions)) {
    reason.clear();
    return std::nullopt;
  }
  if (!readBound(functions) || !checkConditionals())
    return std::nullopt;
  return std::move(result);
}

std::optional<GuardedKernel> gpuopt::readButterflies(gpu::GPUFuncOp kernel,
                                                     unsigned step,
                                                     std::string &reason) {
  return KernelReader(kernel, reason).readButterflies(step);
}

static Value emitValue(OpBuilder &builder, Value value, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    emitValue(builder, operand, mapping);
  return builder.clone(*op, mapping)
      ->getResult(cast<OpResult>(value).getResultNumber());
}

Value gpuopt::emitBound(OpBuilder &builder, const GuardedKernel &kernel,
                        ValueRange arguments) {
  IRMapping mapping;
  gpu::GPUFuncOp function = kernel.kernel;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    mapping.map(function.getArgument(i), arguments[i]);
  return emitValue(builder, kernel.butterflies->bound, mapping);
}
