//===- IdExpressions.cpp - index expressions over ids ---------------------===//

#include "passes/Transforms/Positions/IdExpressions.h"

using namespace mlir;
using namespace gpuopt;

IdExpressions::IdExpressions(const IndexUse &use, gpu::Dimension dimension,
                             Value iterator)
    : context(use.map.getContext()), numDims(use.map.getNumDims() + 3),
      numSymbols(use.map.getNumSymbols()), numOwnDims(use.map.getNumDims()) {
  SmallVector<AffineExpr> dims, symbols;
  for (auto [number, operand] : llvm::enumerate(use.operands)) {
    bool isDim = number < numOwnDims;
    AffineExpr own = isDim ? getAffineDimExpr(number + 3, context)
                           : getAffineSymbolExpr(number - numOwnDims, context);
    bool isThread = iterator ? operand == iterator
                             : isId<gpu::ThreadIdOp>(operand, dimension);
    if (isId<gpu::BlockIdOp>(operand, dimension))
      own = block();
    else if (isThread)
      own = thread();
    (isDim ? dims : symbols).push_back(own);
  }
  for (AffineExpr result : use.map.getResults())
    results.push_back(simplifyAffineExpr(
        result.replaceDimsAndSymbols(dims, symbols), numDims, numSymbols));
}
