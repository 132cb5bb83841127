//===- TileCost.h - what a tile costs ---------------------------*- C++ -*-===//

#ifndef PASSES_TRANSFORMS_COALESCE_TILECOST_H
#define PASSES_TRANSFORMS_COALESCE_TILECOST_H

#include "passes/Transforms/Coalesce/StagingPlan.h"

namespace gpuopt {

/// Sectors that a block moves each time it executes `access`.
double sectorsPerBlock(const StagingContext &context,
                       const AccessFunction &access,
                       const VariableTable &table);

/// Sectors that a block moves when it makes `access` together, once for each
/// element of a tile of `dimensions`, for a strip of `iterations` iterations of
/// the loop with the variable `iterator`, if there is one.
double sectorsOfTile(const StagingContext &context,
                     llvm::ArrayRef<TileDimension> dimensions,
                     const AccessFunction &access,
                     std::optional<unsigned> iterator, int64_t iterations,
                     VariableTable table);

} // namespace gpuopt

#endif // PASSES_TRANSFORMS_COALESCE_TILECOST_H
