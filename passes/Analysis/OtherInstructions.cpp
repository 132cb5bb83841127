//===- OtherInstructions.cpp - what a thread issues besides ---------------===//

#include "passes/Analysis/OtherInstructions.h"

#include "passes/Analysis/SubgroupExchange.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <set>
#include <tuple>

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool isWide(Type type) { return type.isInteger(64); }

/// Of floating-point operations that are no single instruction, what they take
/// beyond the one that counts as arithmetic.
static double extraOf(Operation *op) {
  if (isa<arith::DivFOp, math::SqrtOp>(op))
    return 7;
  if (isa<math::FmaOp, math::AbsFOp, math::RsqrtOp>(op))
    return 0;
  if (isa<math::SinOp, math::CosOp, math::PowFOp>(op))
    return 30;
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) ? 10 : 0;
}

static double instructionsOfInteger(Operation *op) {
  Type type = op->getOperand(0).getType();
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op)) {
    if (matchPattern(op->getOperand(1), m_Constant()))
      return 4;
    return isWide(type) ? 70 : 20;
  }
  if (isa<arith::MulIOp>(op))
    return isWide(type) ? 3 : 1;
  return isWide(type) ? 2 : 1;
}

/// Instructions of `op` by itself, without those of its regions.
static double instructionsOf(Operation *op) {
  if (isa<scf::IfOp, gpu::BarrierOp>(op) || isSubgroupBarrier(op))
    return 1;
  if (auto branch = dyn_cast<affine::AffineIfOp>(op))
    return 1 + branch.getIntegerSet().getNumConstraints();
  if (isSubgroupExchange(op))
    return 2;
  if (isa<CallOpInterface>(op))
    return 20;
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return 0;
  if (isa<arith::CmpIOp, arith::CmpFOp, arith::SelectOp>(op))
    return isWide(op->getOperands().back().getType()) ? 2 : 1;
  if (isa<arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp,
          arith::ExtFOp, arith::TruncFOp>(op))
    return 1;
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp, arith::BitcastOp>(op))
    return 0;
  Type type = op->getResult(0).getType();
  // Those of indices are parts of addresses.
  if (isa<IntegerType>(type) &&
      isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    return instructionsOfInteger(op);
  return extraOf(op);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// The part of an address that an instruction does not hold.
static Polynomial variablePart(const Polynomial &address) {
  return address - Polynomial(address.getCoefficient({}));
}

static double instructionsOfAddress(const AccessFunction &access) {
  constexpr double computed = 3, moved = 2;
  if (!access.isResolved() || access.loops.empty() || access.loops.back() < 0)
    return computed;
  Polynomial step = access.address.getCofactor(access.loops.back());
  return step.getConstant() ? 0 : moved;
}

static double countAddresses(const AccessFunctions &functions,
                             llvm::function_ref<double(Block *)> executionsOf) {
  // By array, loops and address.
  std::set<std::tuple<void *, std::vector<int>, Polynomial>> known;
  double sum = 0;
  for (const AccessFunction &access : functions.accesses()) {
    if (!access.op || access.space == MemorySpace::Private)
      continue;
    bool isKnown = access.isResolved() &&
                   !known
                        .emplace(access.base.getAsOpaquePointer(), access.loops,
                                 variablePart(access.address))
                        .second;
    if (!isKnown)
      sum +=
          instructionsOfAddress(access) * executionsOf(access.op->getBlock());
  }
  return sum;
}

double gpuopt::countOtherInstructions(
    Operation *kernel, const AccessFunctions &functions,
    llvm::function_ref<double(Block *)> executionsOf) {
  double sum = countAddresses(functions, executionsOf);
  kernel->walk([&](Operation *op) {
    if (isa<LoopLikeOpInterface>(op)) {
      for (Region &region : op->getRegions())
        if (!region.empty())
          sum += executionsOf(&region.front());
      return;
    }
    if (double number = instructionsOf(op); number > 0)
      sum += number * executionsOf(op->getBlock());
  });
  return sum;
}
