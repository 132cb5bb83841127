//===- Variant.cpp - a design, made and judged ----------------------------===//

#include "tools/search/Variant.h"

#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Analysis/Occupancy.h"
#include "passes/Transforms/BlockOrder/BlockOrder.h"

#include "llvm/ADT/StringExtras.h"

using namespace gpuopt;

llvm::StringRef gpuopt::stringify(VariantVerdict verdict) {
  switch (verdict) {
  case VariantVerdict::Chosen:
    return "chosen";
  case VariantVerdict::Legal:
    return "legal";
  case VariantVerdict::Slower:
    return "slower";
  case VariantVerdict::Dropped:
    return "dropped";
  }
  llvm_unreachable("unknown verdict");
}

//===----------------------------------------------------------------------===//
// What the passes made of a design
//===----------------------------------------------------------------------===//

/// The number that a step has under `name`; nothing where it has none.
static std::optional<int64_t> metricOf(const Step &step, llvm::StringRef name) {
  for (const auto &[key, text] : step.metrics) {
    int64_t value;
    if (key == name && !llvm::StringRef(text).getAsInteger(10, value))
      return value;
  }
  return std::nullopt;
}

/// Whether `code` says that tiles are loaded ahead.
static bool isPrefetch(RemarkCode code) {
  return code == RemarkCode::TilesCopiedAhead ||
         code == RemarkCode::TilesStagedAhead ||
         code == RemarkCode::TilesCarriedAhead;
}

/// Reads what prefetching did from the steps.
static void readPrefetching(const Compilation &compilation,
                            const KernelInfo &kernel, Variant &variant) {
  for (const Step &step : compilation.steps())
    if (step.isAbout(kernel) && isPrefetch(step.code)) {
      variant.stages = metricOf(step, "stages").value_or(1);
      variant.prefetchDistance = std::max<int64_t>(1, variant.stages - 1);
    }
}

/// Reads the order of the blocks from the kernel.
static void readBlockOrder(mlir::gpu::GPUFuncOp kernel, Variant &variant) {
  // No rows in another order than groups.
  if (BlockOrderAttr order = blockOrderOf(kernel))
    variant.group = order.getRows();
}

/// What a pass said against the merges and turns of `design`; empty where none
/// did.
static std::string whyNotMerged(const Compilation &compilation,
                                const KernelInfo &kernel,
                                const Design &design) {
  std::string missed;
  for (const Step &step : compilation.steps()) {
    if (!step.isAbout(kernel))
      continue;
    if (step.outcome == Step::Outcome::Failed)
      return step.reason;
    if (step.outcome != Step::Outcome::Missed)
      continue;
    // The merges say why; that some are missing comes after them.
    if ((step.code == RemarkCode::BlocksNotMerged ||
         step.code == RemarkCode::ThreadsNotMerged) &&
        missed.empty())
      missed = step.reason;
    if ((step.code == RemarkCode::MergesRefused ||
         step.code == RemarkCode::NotMerged) &&
        (!design.blocks.empty() || !design.threads.empty()))
      return missed.empty() ? step.reason : missed;
    if (step.code == RemarkCode::MemoryNotMultiplexed && design.turns > 1)
      return step.reason;
  }
  return "";
}

/// Why the threads along `fastest` are not neighbours; empty where they are.
static std::string whyNotPermuted(const Compilation &compilation,
                                  const KernelInfo &kernel,
                                  llvm::StringRef fastest) {
  if (fastest.empty() || fastest == "x")
    return "";
  std::string reason = "its blocks have threads along one dimension only";
  for (const Step &step : compilation.steps()) {
    if (!step.isAbout(kernel))
      continue;
    if (step.code == RemarkCode::ThreadsPermuted)
      return "";
    if (step.code == RemarkCode::ThreadsNotPermuted)
      reason = step.reason;
  }
  return reason;
}

/// Whether the blocks work in groups of rows.
static bool hasGroups(const Compilation &compilation,
                      const KernelInfo &kernel) {
  return llvm::any_of(compilation.steps(), [&](const Step &step) {
    return step.isAbout(kernel) && step.code == RemarkCode::BlocksGrouped;
  });
}

/// Whether units multiply its tiles, for which threads change their places: the
/// block has a row for each subgroup then.
static bool usesMatrixUnits(const Compilation &compilation,
                            const KernelInfo &kernel) {
  return llvm::any_of(compilation.steps(), [&](const Step &step) {
    return step.isAbout(kernel) &&
           (step.code == RemarkCode::WarpgroupUnitsUsed ||
            step.code == RemarkCode::MatrixUnitsUsed);
  });
}

/// Why the block is not the one that `design` asks for; empty where it is.
static std::string whyNotShaped(const Dim3 &block, const Design &design,
                                bool isReordered) {
  bool isMerged = !design.blocks.empty() || !design.threads.empty();
  int64_t threads = 1, askedThreads = 1;
  bool isSame = true;
  for (auto [dim, asked] : llvm::enumerate(design.block)) {
    int64_t merged = dim < design.blocks.size() ? design.blocks[dim] : 1;
    threads *= block[dim];
    askedThreads *= asked * merged;
    isSame &= block[dim] == asked * merged;
  }
  isSame |= isReordered && threads == askedThreads;
  return isMerged && !isSame ? "the block cannot have this shape" : "";
}

std::string gpuopt::whyNotMade(const Compilation &compilation,
                               const KernelInfo &kernel, const Design &design) {
  if (kernel.usesGlobalSync && design != Design())
    return kNoDesignsOfSequences.str();
  if (std::string why = whyNotMerged(compilation, kernel, design); !why.empty())
    return why;
  if (std::string why = whyNotPermuted(compilation, kernel, design.fastest);
      !why.empty())
    return why;
  auto geometry = compilation.geometry(kernel, compilation.options().sizes);
  // Threads can be renumbered in any launch.
  Design launchOnly;
  launchOnly.fastest = design.fastest;
  if (!geometry)
    return design == launchOnly ? "" : "the kernel keeps its launch";
  Variant variant;
  readPrefetching(compilation, kernel, variant);
  if (design.stages > 1 && variant.stages != design.stages)
    return "the tiles cannot have " + std::to_string(design.stages) + " stages";
  if (design.stages == 1 &&
      (variant.stages != 1 || variant.prefetchDistance != 1))
    return "the next tiles cannot wait in registers";
  if (design.group > 1 && !hasGroups(compilation, kernel))
    return "its blocks cannot work in groups of rows";
  return whyNotShaped(geometry->block, design,
                      usesMatrixUnits(compilation, kernel));
}

/// Reads the estimate of the registers from the steps.
static void readEstimates(const Compilation &compilation, Variant &variant) {
  for (const Step &step : compilation.steps()) {
    if (step.code != RemarkCode::MergesPlanned)
      continue;
    variant.registers = metricOf(step, "fewest_registers")
                            .value_or(metricOf(step, "registers").value_or(0));
    variant.carriedRegisters = metricOf(step, "carried_registers").value_or(0);
    variant.measuredBy = "estimate";
  }
}

/// Why a launch of `items` work items would be the original kernel's; empty
/// where it would not.
static std::string whyNotLaunched(const LaunchGeometry &geometry,
                                  const Dim3 &items) {
  for (unsigned dim = 0; dim < 3; ++dim)
    if (!geometry.extents[dim] && items[dim] % geometry.itemsPerBlock[dim] != 0)
      return std::to_string(items[dim]) + " work items along " +
             std::string(1, static_cast<char>('x' + dim)) +
             " are no multiple of " +
             std::to_string(geometry.itemsPerBlock[dim]) +
             ", and no guard says where they end";
  return "";
}

static int64_t productOf(const Dim3 &values) {
  return values[0] * values[1] * values[2];
}

/// Counts what the tuned kernel does, its blocks in the launch's order.
static void countAccesses(mlir::gpu::GPUFuncOp kernel,
                          const Compilation &compilation, Variant &variant) {
  const SizeMap &sizes = compilation.options().sizes;
  TargetAttr target = compilation.target();
  mlir::OpBuilder builder(kernel);
  auto inOrder = mlir::cast<mlir::gpu::GPUFuncOp>(builder.clone(*kernel));
  restoreBlockOrder(inOrder);
  variant.profile = computeKernelProfile(
      inOrder, target, variant.block, productOf(variant.itemsPerThread), sizes);
  inOrder.erase();
  variant.sectorsPerItem =
      variant.profile.sectors() / productOf(variant.itemsPerBlock);
  for (const AccessProfile &access : variant.profile.accesses) {
    variant.widestAccess = std::max(variant.widestAccess, access.bytes);
    variant.bankConflictDegree =
        std::max(variant.bankConflictDegree, access.bankConflictDegree);
  }
  variant.workgroupBytes = declaredWorkgroupBytes(kernel);
  variant.ofWarpgroups = kernel
                             .walk([](WarpgroupProductOp) {
                               return mlir::WalkResult::interrupt();
                             })
                             .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Verdict
//===----------------------------------------------------------------------===//

Prediction VariantMaker::predict(const Variant &variant, int64_t group,
                                 TargetAttr target) const {
  LaunchProfile launch;
  launch.kernel = variant.profile;
  for (unsigned dim = 0; dim < 3; ++dim)
    launch.grid[dim] = std::max<int64_t>(
        1, llvm::divideCeil(launchItems[dim], variant.itemsPerBlock[dim]));
  launch.group = group;
  launch.blocksPerMultiprocessor = variant.blocksPerMultiprocessor;
  launch.instructionsPerOperation = variant.instructionsPerOperation;
  launch.prefetchDistance = variant.prefetchDistance;
  return predictLaunch(launch, target);
}

/// Checks the limits of the target, and predicts.
void VariantMaker::judge(Variant &variant, TargetAttr target) const {
  int64_t threads = productOf(variant.block);
  OccupancyFact occupancy = computeOccupancy(
      {threads, std::min(variant.registers, target.getRegistersPerThread()),
       variant.workgroupBytes},
      target);
  variant.blocksPerMultiprocessor = occupancy.blocksPerMultiprocessor;
  variant.occupancy = occupancy.occupancy;

  variant.prediction = predict(variant, variant.group, target);

  if (variant.spillBytes > 0)
    return variant.drop("spills " + std::to_string(variant.spillBytes) +
                        " bytes of registers");
  if (variant.registers > target.getRegistersPerThread())
    return variant.drop("spills: needs " + std::to_string(variant.registers) +
                        " registers, a thread has " +
                        std::to_string(target.getRegistersPerThread()));
  if (occupancy.blocksPerMultiprocessor == 0)
    return variant.drop(
        "not one block fits on a multiprocessor: " + std::to_string(threads) +
        " threads, " + std::to_string(variant.registers) + " registers, " +
        std::to_string(variant.workgroupBytes) + " bytes of workgroup memory");
  if (occupancy.blocksPerMultiprocessor < variant.design.resident)
    return variant.drop("not " + std::to_string(variant.design.resident) +
                        " blocks fit on a multiprocessor, by its " +
                        stringify(occupancy.limit).str());
  if (occupancy.blocksPerMultiprocessor == 1)
    variant.reason = "one block per multiprocessor, by its " +
                     stringify(occupancy.limit).str();
}

Variant VariantMaker::make(const Design &design) const {
  Variant variant;
  variant.design = design;
  std::unique_ptr<Compilation> compilation = compile(design);
  mlir::gpu::GPUFuncOp kernel = compilation
                                    ? compilation->tunedKernel(raised.kernel)
                                    : mlir::gpu::GPUFuncOp();
  std::optional<LaunchGeometry> geometry =
      kernel ? compilation->geometry(raised.kernel, raised.options.sizes)
             : std::nullopt;
  if (!geometry) {
    variant.drop("the kernel keeps its launch");
    return variant;
  }
  variant.block = geometry->block;
  variant.itemsPerThread = geometry->itemsPerThread;
  variant.itemsPerBlock = geometry->itemsPerBlock;
  for (unsigned dim = 0; dim < 3; ++dim)
    variant.isMergeable[dim] =
        geometry->extents[dim] || geometry->originalBlock[dim] != 1;
  readPrefetching(*compilation, raised.kernel, variant);
  readBlockOrder(kernel, variant);
  std::string why = whyNotMade(*compilation, raised.kernel, design);
  if (why.empty())
    why = whyNotLaunched(*geometry, launchItems);
  if (!why.empty()) {
    variant.drop(std::move(why));
    return variant;
  }
  countAccesses(kernel, *compilation, variant);
  llvm::raw_string_ostream(variant.code) << kernel;
  readEstimates(*compilation, variant);
  judge(variant, compilation->target());
  return variant;
}

//===----------------------------------------------------------------------===//
// Assembling
//===----------------------------------------------------------------------===//

/// Whether an opcode computes with floating-point numbers or accesses memory.
static bool isOperation(llvm::StringRef opcode) {
  static constexpr llvm::StringLiteral prefixes[] = {
      "FFMA",    "FADD",    "FMUL",    "FMNMX", "DFMA",    "DADD",
      "DMUL",    "HFMA",    "HADD",    "HMUL",  "MUFU",    "LD",
      "ST",      "ATOM",    "RED",     "ds_",   "flat_",   "glob",
      "buffer",  "scratch", "ld.",     "st.",   "cp.",     "fma",
      "add.f",   "mul.f",   "v_fma",   "v_mac", "v_mad_f", "v_pk_fma",
      "v_add_f", "v_mul_f", "v_max_f", "v_dual"};
  return llvm::any_of(prefixes, [&](llvm::StringRef prefix) {
    return opcode.starts_with(prefix);
  });
}

/// The instructions of `mix` for each operation that the kernel's profile
/// counts too; nothing where it has none of them.
static std::optional<double>
instructionsPerOperation(const InstructionMix &mix) {
  double operations = 0;
  for (const auto &[opcode, count] : mix.opcodes)
    operations += isOperation(opcode) ? count : 0;
  if (operations == 0)
    return std::nullopt;
  return mix.instructions / operations;
}

/// The same where units multiply matrices, which the profile counts as the
/// operations of the vector units that take as long: as many as all of an
/// iteration, and 1 where the unit takes longer than its instructions.
static double instructionsBesideUnits(const InstructionMix &mix,
                                      const KernelProfile &profile) {
  double rounds = 1;
  for (const AccessProfile &access : profile.accesses)
    rounds = std::max(rounds, access.rounds);
  double operations =
      (profile.arithmetic + profile.accessesPerThread()) / rounds;
  return std::max(1.0, mix.instructions / std::max(operations, 1.0));
}

void VariantMaker::assemble(Variant &variant) const {
  std::unique_ptr<Compilation> compilation = compile(variant.design);
  if (!compilation)
    return variant.drop("its module cannot be read");
  const std::vector<KernelResources> &resources = compilation->resources();
  auto found = llvm::find_if(resources, [&](const KernelResources &kernel) {
    return kernel.symbol == raised.kernel.symbol;
  });
  // Without an assembler for the target estimates have to do.
  if (found == resources.end())
    return;
  variant.registers = found->registers;
  variant.spillBytes = found->spillBytes;
  // Of memory whose size the launch gives it does not know.
  if (!variant.ofWarpgroups)
    variant.workgroupBytes = found->sharedBytes;
  variant.measuredBy = found->measuredBy;
  if (const std::optional<InstructionMix> &mix = found->instructionMix) {
    variant.multiplyAddShare = mix->multiplyAddShare();
    variant.instructionsPerOperation =
        mix->matrixProducts ? instructionsBesideUnits(*mix, variant.profile)
                            : instructionsPerOperation(*mix).value_or(
                                  variant.instructionsPerOperation);
  }
  variant.reason.clear();
  judge(variant, compilation->target());
}
