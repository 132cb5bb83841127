//===- AnnotateAccesses.cpp - write down how accesses use memory ----------===//

#include "passes/Analysis/AccessReport.h"
#include "passes/Analysis/BankConflicts.h"
#include "passes/Analysis/Passes.h"
#include "passes/Analysis/Remarks.h"
#include "passes/Analysis/Sharing.h"
#include "passes/Analysis/SizeSettings.h"
#include "passes/Analysis/Traffic.h"

#include "dialects/GPUOpt/KnownTargets.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuopt {
#define GEN_PASS_DEF_ANNOTATEACCESSES
#include "passes/Analysis/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

namespace {
/// What the pass was asked for.
struct Request {
  TargetAttr target;
  BlockShape block;
  SizeMap sizes;
};

struct AnnotateAccesses
    : public gpuopt::impl::AnnotateAccessesBase<AnnotateAccesses> {
  using AnnotateAccessesBase::AnnotateAccessesBase;
  void runOnOperation() override;
};
} // namespace

/// Attaches `gpuopt.segment` to a global access and says the same in a remark.
static void annotateGlobal(const AccessFunction &access,
                           const VariableTable &variables,
                           const Request &request, Operation *kernel) {
  CoalescingFact fact = computeCoalescing(access, variables, request.target,
                                          request.block, request.sizes);
  std::optional<Staging> staging;
  if (access.kind == AccessKind::Load)
    staging = stagingOf(access.op);
  access.op->setAttr(
      kSegmentAttrName,
      SegmentAttr::get(kernel->getContext(), fact.verdict, fact.strideBytes,
                       fact.sectors, fact.requests, staging,
                       llvm::join(fact.assumptions, ", "), fact.reason));
  std::string text;
  llvm::raw_string_ostream os(text);
  fact.print(os);
  sayFound(RemarkCode::AccessCoalescing, kernel, access.op->getLoc(),
           {{"kind", stringifyAccessKind(access.kind)},
            {"array", access.array},
            {"fact", text}})
      << remark::metric("function", access.toString(variables));
}

static void annotateWorkgroup(const AccessFunction &access,
                              const VariableTable &variables,
                              const Request &request, Operation *kernel) {
  BankConflictFact fact = computeBankConflicts(
      access, variables, request.target, request.block, request.sizes);
  Location loc = access.op->getLoc();
  if (fact.degree == 0)
    sayFound(RemarkCode::BanksUnknown, kernel, loc,
             {{"array", access.array}, {"reason", fact.reason}});
  else
    sayFound(RemarkCode::BankConflicts, kernel, loc,
             {{"kind", stringifyAccessKind(access.kind)},
              {"array", access.array},
              {"words", fact.degree}});
}

static void annotate(const AccessFunction &access,
                     const VariableTable &variables, const Request &request,
                     Operation *kernel) {
  access.op->setAttr(
      kAccessAttrName,
      AccessAttr::get(kernel->getContext(), access.array, access.kind,
                      access.space, access.elementBytes, access.accessBytes,
                      access.isResolved() ? access.toString(variables) : "",
                      access.unresolved));
  if (access.space == MemorySpace::Global)
    annotateGlobal(access, variables, request, kernel);
  else if (access.space == MemorySpace::Workgroup)
    annotateWorkgroup(access, variables, request, kernel);
}

/// Attaches `gpuopt.sharing` to a load from which neighbours take the same
/// data, and says so in a remark.
static void annotateSharing(const LoadSharing &load, Operation *kernel) {
  MLIRContext *context = kernel->getContext();
  SmallVector<Attribute> shared;
  auto add = [&](Neighbours between, unsigned dimension,
                 const SharingFact &fact) {
    if (fact.isShared())
      shared.push_back(SharingAttr::get(
          context, between, static_cast<Direction>(dimension), fact.kind,
          fact.distance, static_cast<int64_t>(100 * fact.overlap), fact.reads,
          std::max<int64_t>(fact.elements, 1)));
  };
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    add(Neighbours::Threads, dimension, load.threads[dimension]);
    add(Neighbours::Blocks, dimension, load.blocks[dimension]);
  }
  if (shared.empty())
    return;
  load.access->op->setAttr(kSharingAttrName, ArrayAttr::get(context, shared));
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    if (load.sharedAlong(dimension).isShared())
      sayFound(RemarkCode::LoadShared, kernel, load.access->op->getLoc(),
               {{"fact", load.describe(dimension)}});
}

void AnnotateAccesses::runOnOperation() {
  Operation *root = getOperation();
  auto fail = [&](const Twine &message) {
    emitError(root->getLoc()) << message;
    signalPassFailure();
  };
  llvm::Expected<TargetAttr> machine = lookUpTarget(&getContext(), target);
  if (!machine)
    return fail(llvm::toString(machine.takeError()));
  FailureOr<SizeMap> given = parseSizes(sizes, root->getLoc());
  if (failed(given))
    return signalPassFailure();
  std::optional<BlockShape> shape;
  if (!block.empty()) {
    shape = BlockShape{1, 1, 1};
    if (block.size() > 3 ||
        llvm::any_of(block, [](int64_t extent) { return extent < 1; }))
      return fail("expected one to three positive extents in 'block'");
    llvm::copy(block, shape->begin());
  }
  root->walk([&](gpu::GPUFuncOp kernel) {
    Request request{*machine, blockShapeOf(kernel, shape), *given};
    AccessFunctions functions(kernel);
    for (const AccessFunction &access : functions.accesses()) {
      ++(access.isResolved() ? numResolved : numUnresolved);
      annotate(access, functions.variables(), request, kernel);
    }
    SharingAnalysis sharing(kernel, functions, request.target, request.block,
                            request.sizes);
    for (const LoadSharing &load : sharing.loads())
      annotateSharing(load, kernel);
    TrafficFact traffic =
        computeTraffic(kernel, *machine, request.block, *given);
    sayFound(
        RemarkCode::Traffic, kernel, kernel.getLoc(),
        {{"sectors", llvm::formatv("{0:f3}", traffic.sectorsPerItem).str()}})
        << remark::metric("loads", traffic.loadSectorsPerItem)
        << remark::metric("stores", traffic.storeSectorsPerItem)
        << remark::metric("unresolved", traffic.unresolvedAccesses);
  });
}
