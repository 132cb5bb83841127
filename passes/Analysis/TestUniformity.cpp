//===- TestUniformity.cpp - make the uniformity analysis visible ----------===//
//
// A pass for tests: writes what the analysis says as attributes `depends` on
// operations with results, `control` on barriers, and `test.contents` on the
// kernel for its workgroup arrays.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/TestPasses.h"
#include "passes/Analysis/Uniformity.h"

using namespace mlir;
using namespace gpuopt;

namespace {
struct TestUniformityPass
    : public PassWrapper<TestUniformityPass, OperationPass<gpu::GPUFuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestUniformityPass)

  StringRef getArgument() const final { return "test-gpuopt-uniformity"; }
  StringRef getDescription() const final {
    return "annotate values with the ids that they depend on";
  }

  StringAttr describe(Dependence dependence) {
    std::string text;
    llvm::raw_string_ostream os(text);
    printDependence(os, dependence);
    return StringAttr::get(&getContext(), text);
  }

  void runOnOperation() override {
    UniformityAnalysis uniformity(getOperation());
    SmallVector<Attribute> arrays;
    for (Value array : getOperation().getWorkgroupAttributions())
      arrays.push_back(describe(uniformity.contentsDependOn(array)));
    getOperation().walk([&](Operation *op) {
      if (op->getNumResults() != 0) {
        Dependence all = Dependence::None;
        for (Value result : op->getResults())
          all |= uniformity.dependsOn(result);
        op->setAttr("depends", describe(all));
      }
      if (isa<gpu::BarrierOp>(op))
        op->setAttr("control", describe(uniformity.controlDependsOn(op)));
    });
    if (!arrays.empty())
      getOperation()->setAttr("test.contents",
                              ArrayAttr::get(&getContext(), arrays));
  }
};
} // namespace

void gpuopt::registerTestUniformityPass() {
  PassRegistration<TestUniformityPass>();
}
