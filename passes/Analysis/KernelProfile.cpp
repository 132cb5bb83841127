//===- KernelProfile.cpp - what a block of a kernel does ------------------===//

#include "passes/Analysis/KernelProfile.h"

#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Analysis/AccessCosts.h"
#include "passes/Analysis/BankConflicts.h"
#include "passes/Analysis/OtherInstructions.h"
#include "passes/Analysis/Traffic.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

double KernelProfile::accessesPerThread() const {
  double sum = 0;
  for (const AccessProfile &access : accesses)
    sum += access.perThread;
  return sum;
}

double KernelProfile::sectors() const {
  double sum = 0;
  for (const AccessProfile &access : accesses)
    sum += access.sectors;
  return sum;
}

double KernelProfile::wavefronts() const {
  double sum = 0;
  for (const AccessProfile &access : accesses)
    sum += access.wavefronts;
  return sum;
}

static bool waitsForMemory(const AccessProfile &access) {
  return access.kind == AccessKind::Load &&
         access.space == MemorySpace::Global && access.perThread > 0;
}

double KernelProfile::loopRounds() const {
  std::map<int, double> rounds;
  for (const AccessProfile &access : accesses)
    if (waitsForMemory(access) && access.loop >= 0)
      rounds[access.loop] = std::max(rounds[access.loop], access.rounds);
  double sum = 0;
  for (const auto &[loop, count] : rounds)
    sum += count;
  return sum;
}

double KernelProfile::straightRounds() const {
  return llvm::any_of(accesses, [](const AccessProfile &access) {
    return waitsForMemory(access) && access.loop < 0;
  });
}

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

namespace {
/// Counts one kernel.
class Profiler {
public:
  Profiler(Operation *kernelOp, TargetAttr machine, const BlockShape &shape,
           const SizeMap &parameters)
      : kernel(kernelOp), target(machine), block(shape), sizes(parameters),
        functions(kernelOp),
        costs(functions.variables(), target, block, sizes) {}

  KernelProfile run();

private:
  /// What an access costs a block each time.
  struct Requests {
    double perBlock = 0, sectorsEach = 0;
  };
  Requests requestsOf(const AccessFunction &access);
  void addAccess(const AccessFunction &access);
  double executionsOf(Block *body);
  void addMatrices(WarpgroupProductOp op);
  void countOperations();

  Operation *kernel;
  TargetAttr target;
  const BlockShape &block;
  const SizeMap &sizes;
  AccessFunctions functions;
  AccessCosts costs;
  KernelProfile profile;
  /// How often a thread runs a block of operations: seen from its accesses.
  llvm::DenseMap<Block *, double> executions;
};
} // namespace

Profiler::Requests Profiler::requestsOf(const AccessFunction &access) {
  const CoalescingFact &fact = costs.coalescingOf(access);
  if (fact.verdict != Verdict::Unresolved)
    return {fact.requestsPerBlock, fact.sectorsPerRequest()};
  double threads = block[0] * block[1] * block[2];
  return {std::max(threads / target.getSubgroupSize(), 1.0),
          std::min<double>(threads, target.getSubgroupSize())};
}

void Profiler::addAccess(const AccessFunction &access) {
  if (access.space == MemorySpace::Private)
    return;
  const VariableTable &variables = functions.variables();
  Executions count;
  Requests requests;
  // Whether a lane makes it is quicker to find than what it costs.
  if (costs.isReached(access)) {
    count = computeExecutions(access, variables, block, sizes);
    requests = requestsOf(access);
  }
  double runs = requests.perBlock == 0 ? 0 : count.count;
  if (access.collective.empty()) {
    auto [entry, isNew] = executions.try_emplace(access.op->getBlock(), runs);
    entry->second = std::max(entry->second, runs);
  }
  if (runs == 0)
    return;
  profile.standsForAll &= count.standsForAll;
  for (const std::string &note : count.assumptions)
    if (!llvm::is_contained(profile.assumptions, note))
      profile.assumptions.push_back(note);

  AccessProfile result;
  result.kind = access.kind;
  result.space = access.space;
  result.array = access.array;
  result.bytes = access.accessBytes;
  // A subgroup issues a request for all of its lanes, active or not.
  double threads = block[0] * block[1] * block[2];
  result.perThread =
      runs * requests.perBlock * target.getSubgroupSize() / threads;
  result.loop = access.loops.empty() ? -1 : std::max(access.loops.back(), 0);
  result.rounds = runs;
  if (access.space == MemorySpace::Workgroup) {
    BankConflictFact conflicts =
        computeBankConflicts(access, variables, target, block, sizes);
    result.wavefronts = runs * conflicts.wavefronts;
    result.bankConflictDegree = conflicts.degree;
  } else if (access.space == MemorySpace::Global) {
    result.sectors = runs * requests.perBlock * requests.sectorsEach;
  } // Constant memory has a cache of its own.
  for (unsigned dim = 0; dim < 3; ++dim) {
    auto dependsOn = [&](unsigned id) {
      return !access.isResolved() ||
             variables.dependsOnAny(access.address, [&](unsigned variable) {
               return variable == id;
             });
    };
    result.blockVariant[dim] = dependsOn(VariableTable::blockId(dim));
    result.itemVariant[dim] =
        result.blockVariant[dim] || dependsOn(VariableTable::threadId(dim));
  }
  profile.accesses.push_back(std::move(result));
}

/// How often a thread runs `body`: what its accesses say, else what the blocks
/// around it do and constant bounds.
double Profiler::executionsOf(Block *body) {
  if (auto known = executions.find(body); known != executions.end())
    return known->second;
  Operation *parent = body->getParentOp();
  if (!parent || parent == kernel)
    return 1;
  double count = executionsOf(parent->getBlock());
  if (auto loop = dyn_cast<affine::AffineForOp>(parent))
    if (loop.hasConstantBounds() && loop.getStepAsInt() > 0)
      count *= llvm::divideCeil(
          std::max<int64_t>(
              loop.getConstantUpperBound() - loop.getConstantLowerBound(), 0),
          loop.getStepAsInt());
  executions.try_emplace(body, count);
  return count;
}

/// Whether the product `op` becomes one instruction with the sum that uses it.
static bool isFused(Operation *op) {
  auto product = dyn_cast<arith::MulFOp>(op);
  if (!product || !product->hasOneUse() ||
      !isa<arith::AddFOp, arith::SubFOp>(*product->user_begin()))
    return false;
  return arith::bitEnumContainsAny(product.getFastmath(),
                                   arith::FastMathFlags::contract);
}

static double lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// What `products` of a thread take of it, in operations of the vector units: a
/// unit of `rows` rows that is so much quicker takes as much less.
static double operationsOfUnit(double products, int64_t rows, Type operands,
                               Type sums, TargetAttr target) {
  ArrayAttr units = target.getMatrixUnits();
  for (Attribute attribute : units ? units.getValue() : ArrayRef<Attribute>()) {
    auto unit = cast<MatrixUnitAttr>(attribute);
    if (unit.getOperands() == operands && unit.getSums() == sums &&
        unit.getRows() == rows)
      return products * double(target.getF32Gflops()) /
             double(unit.getGflops());
  }
  return products;
}

static double matrixOperations(nvgpu::MmaSyncOp op, TargetAttr target) {
  auto [rows, columns, depth] = op.getMmaShapeAsArray();
  return operationsOfUnit(double(rows * columns * depth) /
                              double(target.getSubgroupSize()),
                          rows, getElementTypeOrSelf(op.getMatrixA().getType()),
                          getElementTypeOrSelf(op.getRes().getType()), target);
}

/// The threads of a warpgroup.
static constexpr double kWarpgroupThreads = 128;

static double matrixOperations(WarpgroupProductOp op, TargetAttr target) {
  ArrayRef<int64_t> shape = op.getShape();
  double products = double(shape[0] * shape[1] * shape[2] * op.getSteps());
  return operationsOfUnit(products / kWarpgroupThreads, shape[0],
                          op.getOperands(), op.getSums().front().getType(),
                          target);
}

/// The instructions of `op` read both matrices, each of all warpgroups, without
/// conflicts.
void Profiler::addMatrices(WarpgroupProductOp op) {
  ArrayRef<int64_t> shape = op.getShape();
  double bytes = double((shape[0] + shape[1]) * shape[2] * op.getSteps()) *
                 op.getOperands().getIntOrFloatBitWidth() / 8;
  AccessProfile access;
  access.space = MemorySpace::Workgroup;
  access.bankConflictDegree = 1;
  access.wavefronts = executionsOf(op->getBlock()) * bytes *
                      double(profile.threads) / kWarpgroupThreads /
                      double(target.getWorkgroupMemoryBanks() *
                             target.getWorkgroupMemoryBankBytes());
  profile.accesses.push_back(access);
}

void Profiler::countOperations() {
  kernel->walk([&](Operation *op) {
    if (auto product = dyn_cast<nvgpu::MmaSyncOp>(op)) {
      profile.arithmetic +=
          executionsOf(op->getBlock()) * matrixOperations(product, target);
      return;
    }
    if (auto product = dyn_cast<WarpgroupProductOp>(op)) {
      profile.arithmetic +=
          executionsOf(op->getBlock()) * matrixOperations(product, target);
      addMatrices(product);
      return;
    }
    if (isa<gpu::BarrierOp>(op)) {
      profile.barriers += executionsOf(op->getBlock());
      return;
    }
    bool isFloat =
        op->getNumResults() == 1 &&
        isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
    bool isArithmetic = isa<arith::AddFOp, arith::SubFOp, arith::MulFOp,
                            arith::DivFOp, arith::MaximumFOp, arith::MinimumFOp,
                            arith::MaxNumFOp, arith::MinNumFOp>(op) ||
                        isa_and_nonnull<math::MathDialect>(op->getDialect());
    if (isFloat && isArithmetic && !isFused(op))
      profile.arithmetic +=
          executionsOf(op->getBlock()) * lanesOf(op->getResult(0).getType());
  });
}

KernelProfile Profiler::run() {
  profile.threads = block[0] * block[1] * block[2];
  for (const AccessFunction &access : functions.accesses())
    addAccess(access);
  countOperations();
  profile.others = countOtherInstructions(
      kernel, functions, [&](Block *body) { return executionsOf(body); });
  return std::move(profile);
}

KernelProfile gpuopt::computeKernelProfile(Operation *kernel, TargetAttr target,
                                           const BlockShape &block,
                                           int64_t itemsPerThread,
                                           const SizeMap &sizes) {
  KernelProfile profile = Profiler(kernel, target, block, sizes).run();
  profile.independent = itemsPerThread;
  return profile;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// The product of `factors` along the dimensions in `chosen`.
static double productOver(const std::array<int64_t, 3> &factors,
                          const std::array<bool, 3> &chosen) {
  double product = 1;
  for (unsigned dim = 0; dim < 3; ++dim)
    product *= chosen[dim] ? factors[dim] : 1;
  return product;
}

KernelProfile gpuopt::mergeProfile(const KernelProfile &profile,
                                   const ProfileMerge &merge) {
  constexpr std::array<bool, 3> all = {true, true, true};
  KernelProfile merged = profile;
  double blocks = productOver(merge.blocks, all);
  double items = productOver(merge.threads, all);
  merged.threads = profile.threads * blocks;
  merged.arithmetic = profile.arithmetic * items;
  merged.independent = profile.independent * items;
  merged.others = 0;
  for (AccessProfile &access : merged.accesses) {
    // Tiles: a block fills what it has of its own, all of its threads help.
    bool isFill =
        access.space == MemorySpace::Global && access.kind == AccessKind::Load;
    double copies = productOver(merge.threads, access.itemVariant);
    double ofBlocks = productOver(merge.blocks, access.blockVariant);
    access.sectors *= copies * (isFill ? ofBlocks : blocks);
    // Neighbouring items are accessed at once.
    double atOnce = productOver(merge.contiguous, access.itemVariant);
    access.bytes *= static_cast<int64_t>(atOnce);
    access.perThread *= copies / atOnce * (isFill ? ofBlocks / blocks : 1);
    access.wavefronts *= copies * blocks;
  }
  return merged;
}
