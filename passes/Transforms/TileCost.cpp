//===- TileCost.cpp - what a tile costs -----------------------------------===//
//
// Asks the analyses about accesses that are not there yet: the loads that would
// fill a tile, and the accesses of the tile itself.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/TileCost.h"

#include "passes/Analysis/BankConflicts.h"

using namespace mlir;
using namespace gpuopt;

/// The conditions that keep threads beyond a tile from loading.
static Guard limitsOf(const TileAssignment &assignment,
                      ArrayRef<Polynomial> dimensions, VariableTable &table) {
  Guard guard;
  for (auto [expr, limit] : assignment.limits)
    guard.comparisons.push_back(
        {toPolynomial(expr, dimensions, table) - Polynomial(limit),
         Comparison::Relation::Less});
  return guard;
}

/// The thread ids and, where there are several, the round of an assignment.
static SmallVector<Polynomial> dimensionsOf(const TileAssignment &assignment,
                                            VariableTable &table) {
  SmallVector<Polynomial> dimensions;
  for (unsigned dim = 0; dim < 3; ++dim)
    dimensions.push_back(Polynomial::variable(VariableTable::threadId(dim)));
  dimensions.push_back(
      assignment.rounds > 1
          ? Polynomial::variable(table.addLoop("round", {Polynomial(0)},
                                               {Polynomial(assignment.rounds)}))
          : Polynomial(0));
  return dimensions;
}

double gpuopt::sectorsToFill(const StagingContext &context,
                             const StagedLoad &load,
                             const AccessFunction &access,
                             std::optional<unsigned> iterator,
                             int64_t iterations, VariableTable table) {
  SmallVector<Polynomial> dimensions = dimensionsOf(load.assignment, table);
  AccessFunction staged = access;
  staged.op = nullptr;
  staged.guards = {limitsOf(load.assignment, dimensions, table)};
  if (iterator) {
    Variable loop = table[*iterator];
    unsigned strip = table.addLoop("strip", loop.lowerBounds, loop.upperBounds,
                                   loop.step * Polynomial(iterations));
    staged.address = staged.address.substitute(
        *iterator, Polynomial::variable(*iterator) * loop.step +
                       Polynomial::variable(strip));
  }
  // In two steps, since the indices are made of thread ids themselves.
  SmallVector<unsigned> placeholders;
  for (const TileDimension &dimension : load.dimensions) {
    placeholders.push_back(table.addParameter("index"));
    staged.address = staged.address.substitute(
        dimension.isIteration() ? *iterator
                                : VariableTable::threadId(dimension.source),
        Polynomial::variable(placeholders.back()));
  }
  for (auto [placeholder, index] :
       llvm::zip_equal(placeholders, load.assignment.indices))
    staged.address = staged.address.substitute(
        placeholder, toPolynomial(index, dimensions, table));
  return sectorsPerBlock(context, staged, table) * load.assignment.rounds;
}

double gpuopt::sectorsPerBlock(const StagingContext &context,
                               const AccessFunction &access,
                               const VariableTable &table) {
  CoalescingFact fact =
      computeCoalescing(access, table, context.target, context.block);
  return fact.sectorsPerRequest() * fact.requestsPerBlock;
}

/// The access of the tile at `indices`, with rows of `padding` more elements.
static int64_t conflictDegree(const StagingContext &context,
                              const StagedLoad &load, int64_t elementBytes,
                              ArrayRef<Polynomial> indices, int64_t padding,
                              std::vector<Guard> guards,
                              const VariableTable &table) {
  AccessFunction access;
  access.space = MemorySpace::Workgroup;
  access.elementBytes = access.accessBytes = elementBytes;
  access.guards = std::move(guards);
  int64_t stride = elementBytes;
  for (size_t number = indices.size(); number-- > 0;) {
    access.address += indices[number] * Polynomial(stride);
    bool isRow = number + 1 == indices.size();
    stride *= load.dimensions[number].extent + (isRow ? padding : 0);
  }
  return computeBankConflicts(access, table, context.target, context.block)
      .degree;
}

int64_t gpuopt::choosePadding(const StagingContext &context,
                              const StagedLoad &load, int64_t elementBytes) {
  if (load.dimensions.size() < 2)
    return 0;
  VariableTable table;
  SmallVector<Polynomial> dimensions = dimensionsOf(load.assignment, table);
  Guard limits = limitsOf(load.assignment, dimensions, table);
  SmallVector<Polynomial> filled, read;
  for (auto [dimension, index] :
       llvm::zip_equal(load.dimensions, load.assignment.indices)) {
    filled.push_back(toPolynomial(index, dimensions, table));
    read.push_back(Polynomial::variable(
        dimension.isIteration() ? table.addLoop("k", {Polynomial(0)},
                                                {Polynomial(dimension.extent)})
                                : VariableTable::threadId(dimension.source)));
  }
  auto degree = [&](int64_t padding) {
    return conflictDegree(context, load, elementBytes, filled, padding,
                          {limits}, table) +
           conflictDegree(context, load, elementBytes, read, padding, {},
                          table);
  };
  return degree(1) < degree(0) ? 1 : 0;
}
