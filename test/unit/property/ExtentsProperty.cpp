//===- ExtentsProperty.cpp - work items beyond extents do nothing ---------===//

#include "ArgumentExpr.h"
#include "BuildProgram.h"
#include "Properties.h"
#include "Samples.h"

#include "passes/Transforms/Utils/Extents.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::property;
using llvm::DynamicAPInt;

/// Every end has to hold, not only the one that is chosen.
static Violation checkItem(const Extents &extents, const Interpreter &run,
                           Tally &tally) {
  for (auto [dimension, ends] : llvm::enumerate(extents.ends))
    for (AffineExpr end : ends) {
      Number limit = evaluate(end, symbolsOf(run));
      if (!limit)
        continue;
      tally.add("work item within its extent");
      int64_t id = run.getItem().globalId(dimension);
      if (DynamicAPInt(id) >= *limit)
        return "work item " + std::to_string(id) +
               " is active beyond the extent " + toString(*limit) +
               " in dimension " + std::to_string(dimension);
    }
  return std::nullopt;
}

Violation gpuopt::property::checkExtents(const Program &program, Tally &tally) {
  BuiltKernel built = build(program);
  Extents extents = findExtents(built.kernel);
  for (ArrayRef<AffineExpr> ends : extents.ends)
    for (size_t i = 0; i < ends.size(); ++i)
      tally.add("extent");
  return runSamples(
      built.kernel, program.seed,
      [&](const Interpreter &run, Operation *op) -> Violation {
        auto isNegative = [&](AffineExpr argument) {
          Number number = evaluate(argument, symbolsOf(run));
          return number && *number < 0;
        };
        if (op != built.store || llvm::any_of(extents.nonNegative, isNegative))
          return std::nullopt;
        return checkItem(extents, run, tally);
      });
}
