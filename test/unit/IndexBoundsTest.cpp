//===- IndexBoundsTest.cpp - what an index is at least in a block ---------===//
//
// Minimal cases of what property tests have found (test/unit/property).
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/IndexBounds.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace gpuopt;

namespace {

// The bound of the loop gets a variable while the quotient gets its own.
TEST(IndexBounds, QuotientsAreNoBounds) {
  MLIRContext context;
  context.loadDialect<affine::AffineDialect, gpu::GPUDialect>();
  auto module = parseSourceString<ModuleOp>(R"(
    gpu.module @m {
      gpu.func @k(%n: index) kernel {
        affine.for %i = 0 to %n {
          %q = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)
        }
        gpu.return
      }
    })",
                                            &context);
  gpu::GPUFuncOp kernel;
  module->walk([&](gpu::GPUFuncOp function) { kernel = function; });
  IndexBounds bounds(kernel, {1, 1, 1});
  module->walk([&](affine::AffineApplyOp apply) {
    std::optional<unsigned> quotient = bounds.formOf(apply).getVariable();
    ASSERT_TRUE(quotient);
    EXPECT_EQ(bounds.valueOf(*quotient), Value());
  });
}

} // namespace
