//===- TileCost.h - what a tile costs ---------------------------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_TILECOST_H
#define PASSES_TRANSFORMS_TILECOST_H

#include "passes/Transforms/StagingPlan.h"

namespace gpuopt {

/// Sectors that a block moves each time it executes `access`.
double sectorsPerBlock(const StagingContext &context,
                       const AccessFunction &access,
                       const VariableTable &table);

/// Sectors that a block moves to fill the tile of `load` with what `access`
/// reads in `iterations` iterations of the loop with the variable `iterator`.
double sectorsToFill(const StagingContext &context, const StagedLoad &load,
                     const AccessFunction &access,
                     std::optional<unsigned> iterator, int64_t iterations,
                     VariableTable table);

/// Elements to add to each row of the tile of `load`: 1 where that takes bank
/// conflicts away, else 0.
int64_t choosePadding(const StagingContext &context, const StagedLoad &load,
                      int64_t elementBytes);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_TILECOST_H
