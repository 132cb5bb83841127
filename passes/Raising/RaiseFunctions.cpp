//===- RaiseFunctions.cpp - llvm.func kernels to gpu.func -----------------===//

#include "passes/Analysis/Remarks.h"
#include "passes/Raising/Passes.h"
#include "passes/Raising/RaiseOperations.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuopt {
#define GEN_PASS_DEF_RAISEFUNCTIONS
#include "passes/Raising/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;

namespace {

bool isKernel(LLVM::LLVMFuncOp func) {
  return func->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
         func->hasAttr("nvvm.kernel") || func->hasAttr("rocdl.kernel") ||
         func.getCConv() == LLVM::cconv::CConv::PTX_Kernel ||
         func.getCConv() == LLVM::cconv::CConv::AMDGPU_KERNEL;
}

/// Each case that the one above may run into costs a branch around all of them,
/// which hands on all values of theirs: time and code grow with the third power
/// of their number.
constexpr unsigned kMostFallThroughs = 32;

/// How many of the cases of a switch others run into.
unsigned countFallThroughs(LLVM::SwitchOp op) {
  llvm::SmallPtrSet<Block *, 16> cases(op->getSuccessors().begin(),
                                       op->getSuccessors().end());
  return llvm::count_if(cases, [&](Block *target) {
    return llvm::any_of(target->getPredecessors(),
                        [&](Block *from) { return from != op->getBlock(); });
  });
}

/// Structured branches are regions in regions, and many an algorithm,
/// upstream's too, goes up through all of them from each operation.
constexpr unsigned kMostNesting = 256;

/// How deep the branches of `body` are nested once they are structured: a block
/// lies in the branch that it depends on, unless it is where the ways meet
/// again.
unsigned countNesting(Region &body) {
  if (body.hasOneBlock())
    return 0;
  DominanceInfo dominance;
  PostDominanceInfo postDominance;
  llvm::DenseMap<Block *, unsigned> depths;
  unsigned most = 0;
  for (auto *node : llvm::depth_first(dominance.getRootNode(&body))) {
    auto *above = node->getIDom();
    if (!above)
      continue;
    Block *from = above->getBlock();
    auto *end = postDominance.getNode(from);
    bool isMeeting =
        end && end->getIDom() && end->getIDom()->getBlock() == node->getBlock();
    bool isInside = from->getNumSuccessors() > 1 && !isMeeting;
    unsigned depth = depths.lookup(from) + isInside;
    depths[node->getBlock()] = depth;
    most = std::max(most, depth);
  }
  return most;
}

/// Every kernel can be raised whose blocks end in terminators that `cf` has.
std::optional<gpuopt::Refusal> checkFunction(LLVM::LLVMFuncOp func) {
  if (func.isVarArg())
    return gpuopt::Refusal{func.getLoc(), "variable number of arguments"};
  if (!isa<LLVM::LLVMVoidType>(func.getFunctionType().getReturnType()))
    return gpuopt::Refusal{func.getLoc(), "kernel returns a value"};
  if (unsigned depth = countNesting(func.getBody()); depth > kMostNesting)
    return gpuopt::Refusal{func.getLoc(),
                           llvm::formatv("branches nested {0} deep, more "
                                         "than {1}",
                                         depth, kMostNesting)};
  for (Block &block : func.getBody()) {
    Operation *terminator = block.getTerminator();
    if (!isa<LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp, LLVM::ReturnOp,
             LLVM::UnreachableOp>(terminator))
      return gpuopt::Refusal{
          terminator->getLoc(),
          ("control flow by " + terminator->getName().getStringRef()).str()};
    auto op = dyn_cast<LLVM::SwitchOp>(terminator);
    if (!op)
      continue;
    if (op.getValue().getType().getIntOrFloatBitWidth() > 64)
      return gpuopt::Refusal{op.getLoc(), "switch over more than 64 bits"};
    if (unsigned cases = countFallThroughs(op); cases > kMostFallThroughs)
      return gpuopt::Refusal{
          op.getLoc(),
          llvm::formatv("switch with {0} cases that others run into, more "
                        "than {1}",
                        cases, kMostFallThroughs)};
  }
  return std::nullopt;
}

/// Facts about parameters that hold for memrefs and scalars too.
DictionaryAttr keepArgumentFacts(DictionaryAttr attributes) {
  if (!attributes)
    return DictionaryAttr();
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute attribute : attributes)
    if (attribute.getName() != LLVM::LLVMDialect::getNoUndefAttrName())
      kept.push_back(attribute);
  return DictionaryAttr::get(attributes.getContext(), kept);
}

/// Function attributes that change what code means or how it may be launched.
/// The others describe the import's target; lowering writes its own.
bool isKernelFact(StringRef name) {
  return name.starts_with("gpuopt.") || name.contains("denormal") ||
         name.contains("fp_math") || name.contains("fp-math") ||
         name.starts_with("nvvm.max") || name.starts_with("nvvm.min") ||
         name.starts_with("nvvm.req") || name.starts_with("nvvm.cluster") ||
         name.starts_with("rocdl.") || name.starts_with("amdgpu-");
}

SmallVector<NamedAttribute> keepKernelFacts(LLVM::LLVMFuncOp func) {
  Builder builder(func.getContext());
  SmallVector<NamedAttribute> kept;
  for (NamedAttribute attribute : func->getAttrs())
    if (isKernelFact(attribute.getName()) &&
        attribute.getName() != "rocdl.kernel")
      kept.push_back(attribute);
  SmallVector<Attribute> passthrough;
  if (ArrayAttr all = func.getPassthroughAttr())
    for (Attribute attribute : all) {
      auto pair = dyn_cast<ArrayAttr>(attribute);
      auto name = pair && !pair.empty() ? dyn_cast<StringAttr>(pair[0])
                                        : dyn_cast<StringAttr>(attribute);
      if (name && isKernelFact(name))
        passthrough.push_back(attribute);
    }
  if (!passthrough.empty())
    kept.push_back(
        builder.getNamedAttr("passthrough", builder.getArrayAttr(passthrough)));
  return kept;
}

/// Puts a `gpu.func` with the body of `func`, still in the LLVM dialect, in
/// its place.
gpu::GPUFuncOp replaceFunction(LLVM::LLVMFuncOp func) {
  OpBuilder builder(func);
  auto type = builder.getFunctionType(func.getArgumentTypes(), {});
  auto kernel = gpu::GPUFuncOp::create(builder, func.getLoc(), func.getName(),
                                       type, {}, {}, keepKernelFacts(func));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel.getBody().takeBody(func.getBody());
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (auto facts = keepArgumentFacts(func.getArgAttrDict(i)))
      kernel.setArgAttrs(i, facts);
  func.erase();
  // Where a stack slot is alive is the back end's to find out again: markers
  // must name the slot itself, which merging of blocks does not know to keep.
  kernel.walk([](Operation *op) {
    if (isa<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op))
      op->erase();
  });
  return kernel;
}

class RaiseFunctionsPass
    : public gpuopt::impl::RaiseFunctionsBase<RaiseFunctionsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    gpuopt::populateRaiseArithmeticPatterns(patterns);
    gpuopt::populateRaiseBranchPatterns(patterns);
    gpuopt::populateRaiseCallPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));

    for (auto func : llvm::make_early_inc_range(
             getOperation().getOps<LLVM::LLVMFuncOp>())) {
      if (func.isExternal() || !isKernel(func))
        continue;
      if (std::optional<gpuopt::Refusal> refusal = checkFunction(func)) {
        sayMissed(gpuopt::RemarkCode::KernelNotRaised, func, *refusal);
        ++numKept;
        continue;
      }
      walkAndApplyPatterns(replaceFunction(func), frozen);
      ++numRaised;
    }
  }
};

} // namespace
