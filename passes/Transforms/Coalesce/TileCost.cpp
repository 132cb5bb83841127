//===- TileCost.cpp - what a tile costs -----------------------------------===//
//
// Asks the analyses about accesses that are not there yet: those of the
// collective loop that fills or empties a tile.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Coalesce/TileCost.h"

using namespace mlir;
using namespace gpuopt;

double gpuopt::sectorsOfTile(const StagingContext &context,
                             ArrayRef<TileDimension> dimensions,
                             const AccessFunction &access,
                             std::optional<unsigned> iterator,
                             int64_t iterations, VariableTable table) {
  AccessFunction staged = access;
  staged.op = nullptr;
  staged.guards.clear();
  if (iterator) {
    Variable loop = table[*iterator];
    unsigned strip = table.addLoop("strip", loop.lowerBounds, loop.upperBounds,
                                   loop.step * Polynomial(iterations));
    staged.address = staged.address.substitute(
        *iterator, Polynomial::variable(*iterator) * loop.step +
                       Polynomial::variable(strip));
  }
  for (const TileDimension &dimension : dimensions) {
    unsigned index =
        table.addLoop("index", {Polynomial(0)}, {Polynomial(dimension.extent)});
    staged.collective.push_back(index);
    staged.address = staged.address.substitute(
        dimension.isIteration() ? *iterator
                                : VariableTable::threadId(dimension.source),
        Polynomial::variable(index));
  }
  return sectorsPerBlock(context, staged, table);
}

double gpuopt::sectorsPerBlock(const StagingContext &context,
                               const AccessFunction &access,
                               const VariableTable &table) {
  CoalescingFact fact =
      computeCoalescing(access, table, context.target, context.block);
  return fact.sectorsPerRequest() * fact.requestsPerBlock;
}
