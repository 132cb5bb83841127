//===- LoopRemainder.cpp - iterations taken several at once ---------------===//

#include "passes/Transforms/Utils/LoopRemainder.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

using namespace mlir;
using namespace gpuopt;

namespace {
/// Results of two maps over the operands of both.
struct JoinedMaps {
  JoinedMaps(AffineMap first, ValueRange firstOperands, AffineMap second,
             ValueRange secondOperands);
  AffineMap map(ArrayRef<AffineExpr> results) const {
    return AffineMap::get(dims, symbols, results, first.getContext());
  }

  unsigned dims, symbols;
  /// The first result of each.
  AffineExpr first, second;
  SmallVector<Value> operands;
};
} // namespace

JoinedMaps::JoinedMaps(AffineMap firstMap, ValueRange firstOperands,
                       AffineMap secondMap, ValueRange secondOperands)
    : dims(firstMap.getNumDims() + secondMap.getNumDims()),
      symbols(firstMap.getNumSymbols() + secondMap.getNumSymbols()),
      first(firstMap.getResult(0)),
      second(secondMap.getResult(0)
                 .shiftDims(secondMap.getNumDims(), firstMap.getNumDims())
                 .shiftSymbols(secondMap.getNumSymbols(),
                               firstMap.getNumSymbols())) {
  llvm::append_range(operands, firstOperands.take_front(firstMap.getNumDims()));
  llvm::append_range(operands,
                     secondOperands.take_front(secondMap.getNumDims()));
  llvm::append_range(operands, firstOperands.drop_front(firstMap.getNumDims()));
  llvm::append_range(operands,
                     secondOperands.drop_front(secondMap.getNumDims()));
}

LoopEnd gpuopt::endOfWholeSteps(affine::AffineForOp loop, int64_t factor) {
  JoinedMaps bounds(loop.getLowerBoundMap(), loop.getLowerBoundOperands(),
                    loop.getUpperBoundMap(), loop.getUpperBoundOperands());
  int64_t step = loop.getStepAsInt();
  AffineExpr trips = (bounds.second - bounds.first).ceilDiv(step);
  LoopEnd end{
      bounds.map(bounds.first + trips.floorDiv(factor) * (step * factor)),
      bounds.operands};
  affine::fullyComposeAffineMapAndOperands(&end.map, &end.operands);
  affine::canonicalizeMapAndOperands(&end.map, &end.operands);
  return end;
}

void gpuopt::keepRemainder(affine::AffineForOp loop, const LoopEnd &end) {
  if (affine::getConstantTripCount(loop))
    return loop.setLowerBound(end.operands, end.map);
  JoinedMaps begins(loop.getLowerBoundMap(), loop.getLowerBoundOperands(),
                    end.map, end.operands);
  loop.setLowerBound(begins.operands,
                     begins.map({begins.first, begins.second}));
}
