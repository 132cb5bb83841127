//===- AnnotateAccesses.cpp - write down how accesses use memory ----------===//

#include "passes/Analysis/AccessReport.h"
#include "passes/Analysis/BankConflicts.h"
#include "passes/Analysis/Passes.h"
#include "passes/Analysis/Traffic.h"

#include "dialects/GPUOpt/KnownTargets.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

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

/// Where the value of a global load goes: to workgroup memory when stores to it
/// are its only uses.
static Staging stagingOf(Operation *load) {
  auto storesToWorkgroup = [](Operation *user) {
    return TypeSwitch<Operation *, bool>(user)
        .Case<memref::StoreOp, affine::AffineStoreOp>([](auto store) {
          return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
              store.getMemRefType());
        })
        .Case([](vector::StoreOp store) {
          return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
              store.getMemRefType());
        })
        .Default([](Operation *) { return false; });
  };
  return !load->use_empty() && llvm::all_of(load->getUsers(), storesToWorkgroup)
             ? Staging::Workgroup
             : Staging::Registers;
}

static remark::RemarkOpts remarkOptions(StringRef name, Operation *kernel) {
  return remark::RemarkOpts::name(name).category("gpuopt").function(
      SymbolTable::getSymbolName(kernel));
}

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
  remark::analysis(access.op->getLoc(), remarkOptions("Coalescing", kernel))
      << remark::add("{0} of '{1}' is {2}", stringifyAccessKind(access.kind),
                     access.array, text)
      << remark::metric("function", access.toString(variables));
}

static void annotateWorkgroup(const AccessFunction &access,
                              const VariableTable &variables,
                              const Request &request, Operation *kernel) {
  BankConflictFact fact = computeBankConflicts(
      access, variables, request.target, request.block, request.sizes);
  auto found = remark::analysis(access.op->getLoc(),
                                remarkOptions("BankConflicts", kernel));
  if (fact.degree == 0)
    found << remark::add("banks of '{0}' are not known: {1}", access.array,
                         fact.reason);
  else
    found << remark::add("{0} of '{1}' meets {2} words per bank",
                         stringifyAccessKind(access.kind), access.array,
                         fact.degree);
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

/// Reads `name=value` settings; reports the first that is none.
static FailureOr<SizeMap> parseSizes(ArrayRef<std::string> settings,
                                     Location loc) {
  SizeMap sizes;
  for (StringRef setting : settings) {
    auto [name, text] = setting.split('=');
    int64_t value;
    if (name.empty() || text.getAsInteger(10, value)) {
      emitError(loc) << "expected a size of the form 'name=value', found '"
                     << setting << "'";
      return failure();
    }
    sizes[name] = value;
  }
  return sizes;
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
    TrafficFact traffic =
        computeTraffic(kernel, *machine, request.block, *given);
    remark::analysis(kernel.getLoc(), remarkOptions("Traffic", kernel))
        << remark::add("{0:f3} sectors per work item", traffic.sectorsPerItem)
        << remark::metric("loads", traffic.loadSectorsPerItem)
        << remark::metric("stores", traffic.storeSectorsPerItem)
        << remark::metric("unresolved", traffic.unresolvedAccesses);
  });
}
