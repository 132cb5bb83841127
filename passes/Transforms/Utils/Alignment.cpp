//===- Alignment.cpp - what addresses are known to be multiples of --------===//

#include "passes/Transforms/Utils/Alignment.h"

#include "passes/Analysis/Variables.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/AlignmentAttrInterface.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Divisors
//===----------------------------------------------------------------------===//

/// The largest power of two that divides `value`.
static int64_t divisorOf(int64_t value) {
  if (value == 0)
    return kMostAlignment;
  return std::min<int64_t>(int64_t(1) << llvm::countr_zero(uint64_t(value)),
                           kMostAlignment);
}

namespace {
/// Divisors of variables. Definitions share their parts, so that each is looked
/// at once: there are far more ways through a long chain than links in it.
class Divisors {
public:
  explicit Divisors(const VariableTable &variables) : variables(variables) {}

  int64_t of(const Polynomial &polynomial,
             const std::map<unsigned, int64_t> &multiples = {});

private:
  int64_t ofVariable(unsigned number);
  int64_t compute(const Variable &variable);

  const VariableTable &variables;
  llvm::SmallDenseMap<unsigned, int64_t> divisors;
};
} // namespace

int64_t Divisors::ofVariable(unsigned number) {
  if (auto it = divisors.find(number); it != divisors.end())
    return it->second;
  int64_t divisor = compute(variables[number]);
  divisors[number] = divisor;
  return divisor;
}

int64_t Divisors::compute(const Variable &variable) {
  using Operator = Variable::Operator;
  if (variable.kind == Variable::Kind::Loop) {
    // It starts at one of the lower bounds.
    int64_t divisor = of(variable.step);
    for (const Polynomial &bound : variable.lowerBounds)
      divisor = std::min(divisor, of(bound));
    return variable.lowerBounds.empty() ? 1 : divisor;
  }
  if (variable.kind != Variable::Kind::Derived)
    return 1;
  switch (variable.op) {
  case Operator::Wrap:
    return of(variable.left);
  case Operator::Min:
  case Operator::Max:
  case Operator::Or:
  case Operator::Xor:
    return std::min(of(variable.left), of(variable.right));
  case Operator::And:
    return std::max(of(variable.left), of(variable.right));
  case Operator::FloorDiv:
  case Operator::TruncDiv: {
    // Exact where the dividend is a multiple of a power of two.
    std::optional<int64_t> by = variable.right.getConstant();
    if (!by || *by <= 0 || !llvm::has_single_bit(uint64_t(*by)))
      return 1;
    return std::max<int64_t>(1, of(variable.left) / *by);
  }
  }
  llvm_unreachable("unknown operator");
}

int64_t Divisors::of(const Polynomial &polynomial,
                     const std::map<unsigned, int64_t> &multiples) {
  if (polynomial.isUnknown())
    return 1;
  int64_t divisor = kMostAlignment;
  for (const auto &[monomial, coefficient] : polynomial.getTerms()) {
    int64_t ofTerm = divisorOf(coefficient);
    for (unsigned number : monomial) {
      ofTerm = std::min(ofTerm * ofVariable(number), kMostAlignment);
      if (auto known = multiples.find(number); known != multiples.end())
        ofTerm = std::min(ofTerm * divisorOf(known->second), kMostAlignment);
    }
    divisor = std::min(divisor, ofTerm);
  }
  return divisor;
}

int64_t gpuopt::provenDivisor(const Polynomial &polynomial,
                              const VariableTable &variables,
                              const std::map<unsigned, int64_t> &multiples) {
  return Divisors(variables).of(polynomial, multiples);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// The value of `llvm.align` among the attributes of `argument`.
static int64_t alignAttribute(BlockArgument argument) {
  auto kernel = dyn_cast<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
  if (!kernel)
    return 1;
  StringRef name = LLVM::LLVMDialect::getAlignAttrName();
  unsigned number = argument.getArgNumber();
  Attribute attribute;
  if (number < kernel.getNumArguments())
    attribute = kernel.getArgAttr(number, name);
  else if (unsigned attribution = number - kernel.getNumArguments();
           attribution < kernel.getNumWorkgroupAttributions())
    attribute = kernel.getWorkgroupAttributionAttr(attribution, name);
  auto bytes = dyn_cast_or_null<IntegerAttr>(attribute);
  return bytes ? divisorOf(bytes.getInt()) : 1;
}

/// What the array itself is aligned to, by its definition.
static int64_t alignmentOfRoot(Value root) {
  auto type = dyn_cast<MemRefType>(root.getType());
  if (!type)
    return 1;
  int64_t alignment = 1;
  // Nobody may access an element at an address that its type does not allow.
  Type element = type.getElementType();
  if (element.isIntOrFloat() || isa<VectorType>(element))
    alignment =
        divisorOf(DataLayout::closest(root.getParentBlock()->getParentOp())
                      .getTypeABIAlignment(element));
  if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type) &&
      isa<BlockArgument>(root))
    alignment = std::max(alignment, kWorkgroupArrayAlignment);
  if (auto argument = dyn_cast<BlockArgument>(root))
    return std::max(alignment, alignAttribute(argument));
  if (auto declared = root.getDefiningOp<memref::AllocaOp>())
    return std::max(alignment, divisorOf(declared.getAlignment().value_or(1)));
  if (LLVM::GlobalOp variable = getVariable(root))
    return std::max(alignment, divisorOf(variable.getAlignment().value_or(1)));
  if (auto get = root.getDefiningOp<memref::GetGlobalOp>())
    if (auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
            get, get.getNameAttr()))
      return std::max(alignment, divisorOf(global.getAlignment().value_or(1)));
  return alignment;
}

int64_t gpuopt::provenBaseAlignment(Value memref) {
  int64_t assumed = 1;
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>()) {
    // What is said of a view with another first byte is of no use.
    if (isa<memref::ViewOp>(view))
      assumed = 1;
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    if (auto assume = dyn_cast<memref::AssumeAlignmentOp>(*view);
        assume &&
        succeeded(cast<MemRefType>(memref.getType())
                      .getStridesAndOffset(strides, offset)) &&
        offset == 0)
      assumed = std::max(assumed, divisorOf(assume.getAlignment()));
    memref = view.getViewSource();
  }
  return std::max(assumed, alignmentOfRoot(memref));
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The memref that a load or store accesses.
static Value memrefOf(Operation *access) {
  for (Value operand : access->getOperands())
    if (isa<MemRefType>(operand.getType()))
      return operand;
  return nullptr;
}

int64_t gpuopt::provenAlignment(const AccessFunction &access,
                                const VariableTable &variables) {
  int64_t declared = 1;
  if (auto aligned = dyn_cast_or_null<AlignmentAttrOpInterface>(access.op))
    if (llvm::MaybeAlign alignment = aligned.getMaybeAlign())
      declared = divisorOf(alignment->value());
  Value memref = access.op ? memrefOf(access.op) : access.base;
  if (!memref || !access.isResolved())
    return declared;
  return std::max(declared, std::min(provenBaseAlignment(memref),
                                     provenDivisor(access.address, variables)));
}
