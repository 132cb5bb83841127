//===- Compiler.h - the library behind every tool ---------------*- C++ -*-===//
//
// Source or module in; tuned module, PTX or HSACO, launch geometry and report
// out. `gpuopt` is a thin shell over this header, and programs that embed the
// compiler use it in the same way:
//
//   gpuopt::CompileOptions options;
//   options.target = "sm_90";
//   auto compilation = gpuopt::Compilation::create("mm.cu", options);
//   if (!compilation)
//     return 1; // the diagnostic is printed
//   llvm::Expected<std::string> ptx =
//   compilation->emit(gpuopt::OutputKind::PTX);
//
// Installed as <gpuopt/Compiler.h>.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_COMPILE_COMPILER_H
#define TOOLS_LIB_COMPILE_COMPILER_H

#include "conversion/EmitBinary/EmitBinary.h"
#include "conversion/EmitSource/EmitSource.h"
#include "conversion/ImportSource/ImportSource.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "passes/Analysis/AccessFunction.h"
#include "passes/Pipelines/Design.h"
#include "runtime/BlockBounds.h"
#include "runtime/Launch.h"
#include "runtime/LaunchRules.h"
#include "tools/lib/compile/StepDump.h"
#include "tools/lib/compile/Steps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuopt {

struct PassFailure;

/// What becomes of grid-wide synchronisation (`gpuopt_global_sync`).
enum class GridSync {
  /// A sequence of launches, which every GPU can do.
  Split,
  /// A barrier in global memory: one launch, of which all blocks must be
  /// resident at once. Kernels keep their original launch.
  Cooperative
};

/// Who chooses what goes through workgroup memory, and in which block.
enum class TilingPlan {
  /// The passes, from what accesses cost (Yang et al. 2012).
  Unified,
  /// `gpuopt-share-arrays`, from what a block works on (Li et al. 2016).
  Share,
  /// The one of both whose kernel is quicker by the model.
  Model
};

/// What an input is written in.
enum class InputKind { CUDA, HIP, OpenCL, MLIR, PTX };

struct CompileOptions {
  /// Nothing where the ending of the input's name tells.
  std::optional<InputKind> inputKind;
  /// The input itself, instead of a file. Its path is only a name then.
  std::optional<std::string> text;
  /// A known machine description or the path of one.
  std::string target = "sm_90";
  /// Kernels by source name, symbol, or name with template arguments; all
  /// kernels of the file where empty.
  std::vector<std::string> kernels;
  ImportOptions import;
  /// Of PTX: the kernels' parameters, `ptr a, f32* b, s32 n`; see
  /// conversion/ImportPTX/Signature.h. Empty for what the PTX itself tells.
  std::string signature;
  /// False: raise, but run no transform.
  bool optimize = true;
  GridSync gridSync = GridSync::Split;
  /// A pass that fails for a kernel is an error, and so is a kernel that cannot
  /// be compiled or that the target cannot run; else the kernel stays as it is,
  /// or is left out, with a warning.
  bool strict = false;
  /// Seconds that raising a kernel, and then optimising it, may compute; 0 for
  /// no limit. A kernel that takes longer stays as it is, with a warning.
  double timeBudget = 10;
  /// Treat every pointer parameter as `__restrict__`.
  bool assumeNoalias = false;
  /// Allow floating-point sums to be reordered.
  bool reassociate = false;
  /// Let matrix units multiply, whose instructions have no form in source.
  bool matrixUnits = true;
  /// Values that the report's counts are evaluated for.
  SizeMap sizes;
  /// Nothing: `Model` for kernels with `share` hints, `Unified` for others.
  std::optional<TilingPlan> plan;
  /// Keep the kernels behind each transform, for `dumpSteps`.
  bool keepSteps = false;
  /// Values of scalar parameters that the tuned kernels are made for; launches
  /// with others take the original kernel. Empty for kernels for all sizes.
  SizeMap specialize;
  /// The choices that a search or the user makes for the passes, by symbol of
  /// the kernel, and those for all other kernels.
  llvm::StringMap<Design> designs;
  Design design;
};

/// One kernel, raised, outside of any context: variants of it can be made in
/// several threads at once.
struct RaisedKernel {
  KernelInfo kernel;
  std::string path;
  CompileOptions options;
  /// MLIR bytecode.
  std::string module;
  /// The same as text, without positions in the source.
  std::string text;
};

/// Where the arrays of a launch start, by the parameters' names.
using AddressMap = llvm::StringMap<uint64_t>;

/// An array of a tuned kernel, and what the kernel may touch of it.
struct ArrayUse {
  std::string name;
  /// Elements from its start on; nothing where a size is not known.
  std::optional<int64_t> elements;
  int64_t elementBytes = 0;
  /// True where it must not overlap with any of the others.
  bool mustBeDistinct = false;
};

/// A condition on a launch of a tuned kernel (see LaunchConditions.h).
struct LaunchCondition {
  /// As a comparison in C, over the parameters and `grid`, `block`.
  std::string text;
  /// Whether it holds; nothing where a value that it needs is not known.
  std::optional<bool> holds;
};

/// An array of which the address must be a multiple of a number of bytes.
struct ArrayAlignment {
  std::string name;
  int64_t bytes = 0;
};

/// What `Compilation::emit` writes.
enum class OutputKind { PTX, Cubin, HSACO, LLVM, MLIR, CUDA, HIP, OpenCL };

/// One argument of a launch.
struct LaunchArgument {
  std::string name;
  /// The original kernel's parameter that is passed on; nothing for a number
  /// that the sequence of launches has for this launch.
  std::optional<unsigned> parameter;
  /// The number, as the kernel takes it.
  std::vector<uint8_t> bytes;
};

/// What to launch in the place of an original launch.
struct KernelLaunch {
  std::string symbol;
  LaunchConfig config;
  /// True where the tuned kernel cannot cover the launch, so that it is the
  /// original kernel's.
  bool isFallback = false;
  /// True where that is since no work item has anything to do.
  bool hasNothingToDo = false;
  /// What the tuned kernel asks of a launch and does not find in this one, for
  /// a person; may be empty.
  std::string fallbackReason = {};
  /// The arguments, where they are not the original kernel's.
  std::vector<LaunchArgument> arguments = {};
  /// True where all blocks must be resident at once.
  bool isCooperative = false;
};

/// One file on its way through the compiler.
class Compilation {
public:
  /// Imports `path` (.cu, .hip, .cpp, .cl, .ptx or .mlir), or `options.text`,
  /// raises its kernels and, unless told otherwise, optimises them. Prints what
  /// is wrong with the input to `diagnosticStream` (DiagnosticStream.h) and
  /// returns null where it cannot.
  static std::unique_ptr<Compilation> create(llvm::StringRef path,
                                             const CompileOptions &options);

  /// The first half of that: reads the input and selects its kernels. Until
  /// `tune` has run, only path(), target(), options(), files(), kernels() and
  /// compileKey (CompileKey.h) know anything.
  static std::unique_ptr<Compilation> read(llvm::StringRef path,
                                           const CompileOptions &options);
  /// The second half, once. False where it fails, after saying why.
  bool tune();

  /// Optimises `kernel` as `design` says. Silent; null where its module cannot
  /// be read. What the passes cannot do is among the steps.
  static std::unique_ptr<Compilation> create(const RaisedKernel &kernel,
                                             const Design &design);

  /// `kernel` before optimisation, for the function above.
  RaisedKernel raisedAlone(const KernelInfo &kernel) const;

  llvm::StringRef path() const { return sourcePath; }
  TargetAttr target() const { return targetAttr; }
  const CompileOptions &options() const { return compileOptions; }
  /// The files that were read, the input's own among them.
  llvm::ArrayRef<std::string> files() const { return source.files; }

  /// Where floating-point sums may be reordered; see Reassociation.h.
  llvm::ArrayRef<SourceSpan> reassociable() const {
    return source.reassociable;
  }

  /// The selected kernels in source order.
  const std::vector<KernelInfo> &kernels() const { return kernelInfos; }
  /// Those that are not among them, since they hold what cannot be compiled for
  /// the target, or it cannot run any block of theirs; a warning has said so.
  /// Known once `tune` has run.
  const std::vector<KernelInfo> &leftOut() const { return leftOutKernels; }

  /// Raised, untransformed.
  mlir::ModuleOp raised() const { return *raisedModule; }
  /// Optimised; the same as raised() without optimisation.
  mlir::ModuleOp tuned() const { return *tunedModule; }
  /// Everything the passes said, in order.
  const std::vector<Step> &steps() const { return recordedSteps; }

  /// The tuned kernel, or null where `kernel` was not raised.
  mlir::gpu::GPUFuncOp tunedKernel(const KernelInfo &kernel) const;
  mlir::gpu::GPUFuncOp raisedKernel(const KernelInfo &kernel) const;

  /// What a launcher has to know of the tuned kernel.
  LaunchRules launchRules(const KernelInfo &kernel) const;

  /// Geometry of the tuned kernel with its extents evaluated for `scalars`
  /// (values of the scalar parameters by name); nothing where the kernel keeps
  /// its original launch.
  std::optional<LaunchGeometry> geometry(const KernelInfo &kernel,
                                         const SizeMap &scalars) const;

  /// The work items that the tuned kernel has in the place of those of the
  /// original launch, evaluated for `scalars` (at least 1 each; nothing where a
  /// size is not known); nothing at all where it has those of the launch.
  std::optional<std::array<std::optional<int64_t>, 3>>
  workItems(const KernelInfo &kernel, const SizeMap &scalars) const;

  /// Where the guards of the kernel as it is written end the work items along
  /// x, y, z, evaluated for `scalars`; nothing where none does.
  std::array<std::optional<int64_t>, 3>
  guardedItems(const KernelInfo &kernel, const SizeMap &scalars) const;

  /// The sizes that the tuned kernel is specialised for; empty where it is for
  /// all.
  SizeMap specializedSizes(const KernelInfo &kernel) const;

  /// The arrays whose places a launcher has to compare before it takes the
  /// tuned kernel, with the extents evaluated for `scalars`; empty where it has
  /// none to.
  std::vector<ArrayUse> arraysToCompare(const KernelInfo &kernel,
                                        const SizeMap &scalars) const;

  /// What a launcher has to check of a launch before it takes the tuned kernel;
  /// without `original` as far as the scalars tell.
  std::vector<LaunchCondition>
  conditions(const KernelInfo &kernel, const SizeMap &scalars,
             std::optional<LaunchConfig> original = {}) const;

  /// The arrays of which a launcher has to check the address in the same way.
  std::vector<ArrayAlignment> alignedArrays(const KernelInfo &kernel) const;

  /// The launch that does what `original` does with these scalar arguments:
  /// the tuned kernel's where its geometry, its sizes, its conditions and the
  /// places of the arrays are covered. Arrays without an address are aligned
  /// and overlap with no other.
  KernelLaunch launch(const KernelInfo &kernel, const SizeMap &scalars,
                      const LaunchConfig &original,
                      const AddressMap &addresses = {}) const;

  /// All launches, in order, that do what `original` does: the one of `launch`,
  /// or several where the kernel's grid-wide synchronisation has become the end
  /// of launches. The error is for scalars that do not tell which.
  llvm::Expected<std::vector<KernelLaunch>>
  launches(const KernelInfo &kernel, const SizeMap &scalars,
           const LaunchConfig &original,
           const AddressMap &addresses = {}) const;

  /// Whether grid-wide synchronisation has made several kernels of `kernel`.
  bool isSplit(const KernelInfo &kernel) const;

  /// Whether launches of `kernel` must be cooperative.
  bool isCooperative(const KernelInfo &kernel) const {
    return kernel.usesGlobalSync &&
           compileOptions.gridSync == GridSync::Cooperative;
  }

  /// The tuned kernels that `launches` takes for `kernel`: itself, or its
  /// parts, whose parameters begin with its own.
  std::vector<KernelInfo> phases(const KernelInfo &kernel) const;

  /// Block of the original launch where the user names none: what host code
  /// launches a kernel with that depends on it; else 256 threads, or
  /// what its launch bounds let through, of which 32 lie along x where there
  /// are more dimensions (256, 32x8, 32x4x2). The pragma's domain or the ids
  /// that the kernel reads tell how many. Along dimensions in which the kernel
  /// tells no threads apart it is 1.
  Dim3 defaultBlock(const KernelInfo &kernel) const;

  /// The block that host code launches the kernel in, where it is known.
  std::optional<Dim3> hostBlock(const KernelInfo &kernel) const;

  /// Symbol of the kernel to launch where `geometry` cannot cover a launch.
  std::string fallbackSymbol(const KernelInfo &kernel) const;

  /// The tuned kernels as target LLVM IR, before the target's -O3, and those
  /// that launches fall back to as Clang made them of the source.
  llvm::Expected<std::unique_ptr<llvm::Module>>
  lowered(llvm::LLVMContext &context) const;

  /// What runs when nothing of ours has touched the kernels: Clang's own IR,
  /// or for MLIR input the lowered input.
  llvm::Expected<std::unique_ptr<llvm::Module>>
  untouched(llvm::LLVMContext &context) const;
  /// Clang's own IR, which `untouched` copies; null for MLIR input.
  const llvm::Module *importedModule() const { return source.module.get(); }
  /// Whether the kernels are those of PTX, in a file of its own or in a binary.
  bool isFromPTX() const { return isCooperativeInput; }
  /// Of OpenACC: the kernels as the sequential program that it is without
  /// directives, for one work item; null for other sources.
  const llvm::Module *sequentialModule() const {
    return source.sequential.get();
  }
  /// Of a program with OpenACC: see `ImportedSource::hostText`.
  llvm::StringRef hostText() const { return source.hostText; }

  /// The tuned kernels in the form asked for, which is made once.
  llvm::Expected<std::string> emit(OutputKind kind) const;
  /// PTX of kernels in which the back end may not fuse products and sums: each
  /// operation rounds as it does in `lowered`, but for functions of libraries.
  llvm::Expected<std::string> emitWithoutFusing() const;
  /// The assembly of the kernels `symbols` alone, so that no other kernel's
  /// problem is theirs. Barriers of the grid stay calls, which the CPU executor
  /// knows: blocks that wait in memory would wait for ever where they run one
  /// after the other.
  llvm::Expected<std::string> emitAlone(llvm::ArrayRef<std::string> symbols,
                                        bool mayFuse) const;

  /// The kernels as source and as MLIR behind each transform, and a page that
  /// compares them; see StepDump.h. Needs `CompileOptions::keepSteps`.
  std::vector<DumpedFile> dumpSteps(OutputLanguage language) const;

  /// Registers, spills, workgroup memory and main loop of each tuned kernel:
  /// from `ptxas` or LLVM. Empty where neither can tell.
  const std::vector<KernelResources> &resources() const;

  ~Compilation();

private:
  using PassNames = llvm::ArrayRef<llvm::StringRef>;

  Compilation();
  BlockBounds blockBounds(const KernelInfo &kernel) const;
  bool load();
  bool loadSource();
  bool loadMLIR();
  bool loadPTX();
  bool adopt(llvm::FailureOr<ImportedSource> imported);
  bool selectKernels();
  void dropUnselected();
  void applyUserAssumptions();
  bool raise();
  /// Leaves out kernels that declare more workgroup memory than the target has:
  /// a driver would refuse all others of the file with them. False where that
  /// is an error.
  bool leaveOutOversized();
  /// Says for which kernels a pass failed; false where that is an error.
  bool reportFailures() const;
  /// Finds the kernels that make raising fail.
  void excludeUnraisable(const PassFailure &ofAll);
  void recordFailure(const KernelInfo &kernel, const PassFailure &failure);
  /// Makes launches of what lies between grid-wide synchronisation.
  bool split();
  bool splitIntoLaunches(SourcePosition &at, std::string &problem);
  void optimize();
  /// Drops the steps and snapshots behind the first ones.
  void forgetSince(size_t steps, size_t taken);
  /// `without` names the passes that are left out.
  mlir::OwningOpRef<mlir::ModuleOp> optimized(mlir::ModuleOp module,
                                              const Design &design,
                                              PassFailure &failure,
                                              PassNames without) const;
  /// The same with the tiles of the source where these are quicker than those
  /// that passes make: `module` is marked so.
  mlir::OwningOpRef<mlir::ModuleOp>
  optimizedWithBestTiles(mlir::ModuleOp module, const Design &design,
                         PassFailure &failure, PassNames without);
  /// The same by the passes' own choices, without what makes a kernel slower
  /// than it was (TuningGuard.h); null where that is one of several.
  mlir::OwningOpRef<mlir::ModuleOp> optimizedUnlessSlower(mlir::ModuleOp module,
                                                          PassFailure &failure);
  /// The same by the plan that is asked for (`TilingPlan`).
  mlir::OwningOpRef<mlir::ModuleOp> optimizedByPlan(mlir::ModuleOp module,
                                                    PassFailure &failure);
  /// One way to tune the only kernel, with what was said of it.
  struct Trial {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    std::vector<Step> steps;
    std::vector<StepSnapshot> snapshots;
    /// By the model.
    double time = 0;
  };
  /// `tuned`, with what was said since, which is forgotten.
  Trial takeTrial(mlir::OwningOpRef<mlir::ModuleOp> tuned, size_t steps,
                  size_t taken);
  /// Says it after all.
  mlir::OwningOpRef<mlir::ModuleOp> keepTrial(Trial trial);
  /// The quickest kernel by the plan of `gpuopt-share-arrays`, over the work
  /// items of a thread; by the passes' where it has no plan.
  Trial tryToShare(mlir::ModuleOp module, PassFailure &failure);
  /// The time of a work item of the only kernel in `module` by the model.
  double modelledTime(mlir::ModuleOp module) const;
  TilingPlan plan() const;
  /// In what a kernel of `tuned` is worse than it was; empty where none is.
  std::string findSlowerKernel(mlir::ModuleOp tuned) const;
  /// Marks the kernels of `module` that are quicker with the tiles of their
  /// source than as `tuned`, without; whether there are any. `steps` led to
  /// `tuned`.
  bool keepQuickerTiles(mlir::ModuleOp module, mlir::ModuleOp tuned,
                        const Design &design, PassNames without,
                        llvm::ArrayRef<Step> steps);
  mlir::OwningOpRef<mlir::ModuleOp> optimizedApart();
  /// The public function, in `context`.
  static std::unique_ptr<Compilation>
  createIn(std::unique_ptr<mlir::MLIRContext> context,
           const RaisedKernel &kernel, const Design &design,
           bool verifiesInput);
  /// Gives its context up, with all that is in it.
  static std::unique_ptr<mlir::MLIRContext>
  takeContext(std::unique_ptr<Compilation> done);
  /// Appends what passes said of a kernel in another context.
  void addSteps(const std::vector<Step> &steps);
  EmitSourceOptions sourceOptions(OutputLanguage language) const;
  llvm::Expected<std::string> emitSource(OutputLanguage language) const;
  llvm::Expected<std::string> makeOutput(OutputKind kind) const;

  std::string sourcePath;
  CompileOptions compileOptions;
  std::unique_ptr<mlir::MLIRContext> context;
  TargetAttr targetAttr;
  ImportedSource source;
  std::vector<KernelInfo> kernelInfos;
  /// See `leftOut`.
  std::vector<KernelInfo> leftOutKernels;
  /// What was raised; null for MLIR input.
  mlir::OwningOpRef<mlir::ModuleOp> importedKernels;
  mlir::OwningOpRef<mlir::ModuleOp> raisedModule;
  mlir::OwningOpRef<mlir::ModuleOp> tunedModule;
  /// Of PTX, whose barriers of the grid are those of cooperative launches.
  bool isCooperativeInput = false;
  std::vector<Step> recordedSteps;
  /// Taken while the passes run, which is in a const function.
  mutable std::vector<StepSnapshot> snapshots;
  /// What `emit` has made.
  mutable std::map<OutputKind, std::string> outputs;
  /// The same of `emitWithoutFusing`.
  mutable std::string unfused;
  /// What `resources` found.
  mutable std::optional<std::vector<KernelResources>> measured;
  /// Symbols of kernels that stay what Clang made of them.
  llvm::StringSet<> unraisable;
};

} // namespace gpuopt

#endif // TOOLS_LIB_COMPILE_COMPILER_H
