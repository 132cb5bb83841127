//===- KernelBuilder.h - from a GPU kernel to a host function ---*- C++ -*-===//
//
// The steps that take one kernel of a GPU module to a function that the host
// can run, in this order:
//
//   isolateKernel        one kernel, everything inlined, host attributes
//   flattenAddressSpaces one address space, host data layout
//   buildThreadFunction  `void thread(ptr context)`, arguments become loads
//   lowerSynchronisation barriers, shuffles, votes → `gpuopt.wait` calls
//   lowerUnsetRegisters  registers of PTX that nothing has set
//   lowerDeviceCalls     ids, device library, target intrinsics
//   makeArithmeticStrict every rounding as written: nothing fused or reordered
//   followErrors         rounding errors beside the numbers, where asked for
//   countOperations      operations and branches, for profiles
//   settleArithmetic     conversions and shifts that C leaves open
//   settleNotNumbers     which NaN it is
//   instrumentKernel     bounds, division by zero, endless loops, traps
//   splitAtWaits         waits → a coroutine
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_KERNELBUILDER_H
#define RUNTIME_CPU_KERNELBUILDER_H

#include "runtime/CPU/KernelFacts.h"
#include "runtime/CPU/Layout.h"
#include "runtime/CPUExecutor.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace gpuopt::runtime {

/// A value that points to the start of a memory object.
struct ObjectBase {
  /// Index into KernelFacts::objects.
  unsigned object = 0;
  /// Size in bytes, an i64.
  llvm::Value *bytes = nullptr;
};

/// Marks loads from the contexts, which need no check.
inline constexpr llvm::StringLiteral trustedMetadata = "gpuopt.trusted";

/// Marks what the source wants an approximation of.
inline constexpr llvm::StringLiteral approximateMetadata = "gpuopt.approximate";

/// A kernel on its way to the host.
struct KernelBuilder {
  KernelBuilder(llvm::Module &module, const CPUExecutorOptions &options)
      : module(module), context(module.getContext()), options(options),
        isAMD(module.getTargetTriple().isAMDGPU()) {
    // Object 0 stands for what is only known at run time.
    facts.objects.emplace_back();
  }

  llvm::Module &module;
  llvm::LLVMContext &context;
  const CPUExecutorOptions &options;
  const bool isAMD;
  /// Whether the kernel was read from PTX, whose functions may use an address
  /// of zero.
  bool isFromPTX = false;
  KernelFacts facts;

  /// The kernel; from buildThreadFunction on, the thread function.
  llvm::Function *function = nullptr;
  /// The three contexts, loaded in the prologue.
  llvm::Value *thread = nullptr;
  llvm::Value *block = nullptr;
  llvm::Value *launch = nullptr;
  /// The first instruction after the prologue.
  llvm::Instruction *bodyBegin = nullptr;
  /// Values that point to the start of an object.
  llvm::MapVector<llvm::Value *, ObjectBase> bases;

  /// The function that waits; see Layout.h. Calls of it are split later.
  llvm::Function *waitFunction = nullptr;

  /// A call of it for `at`; the result is an i64, as are the operands.
  llvm::Value *createWait(llvm::IRBuilderBase &ir, const llvm::Instruction &at,
                          Wait kind, llvm::Value *mask, llvm::Value *value,
                          llvm::Value *operand);
  /// A number or pointer of no more than 64 bits as an i64, and back.
  static llvm::Value *toWord(llvm::IRBuilderBase &ir, llvm::Value *value);
  static llvm::Value *fromWord(llvm::IRBuilderBase &ir, llvm::Value *word,
                               llvm::Type *type);
  /// The thread's lane, an i32.
  llvm::Value *laneId(llvm::IRBuilderBase &ir);
  /// A load of a field of one of the contexts.
  llvm::Value *loadField(llvm::IRBuilderBase &ir, llvm::Value *base,
                         size_t offset, llvm::Type *type,
                         bool invariant = true);
  /// A function of the host, by name.
  llvm::FunctionCallee hostFunction(llvm::StringRef name, llvm::Type *result,
                                    llvm::ArrayRef<llvm::Type *> parameters);
  /// Records a place in the kernel.
  unsigned addSite(Site::Kind kind, const llvm::Instruction &at);
};

/// Leaves only kernel `symbol` with all calls of defined functions inlined.
llvm::Error isolateKernel(KernelBuilder &kernel, llvm::StringRef symbol);

/// Puts all pointers of `module` into address space 0. Returns which variables
/// were in workgroup memory.
llvm::SmallVector<llvm::GlobalVariable *>
flattenAddressSpaces(llvm::Module &module, const llvm::DataLayout &hostLayout);

/// Turns the kernel into a function of its thread's context.
llvm::Error
buildThreadFunction(KernelBuilder &kernel,
                    llvm::ArrayRef<llvm::GlobalVariable *> workgroupVariables);

/// Notes what orders threads, for the check of races.
void noteOrder(KernelBuilder &kernel);
llvm::Error lowerSynchronisation(KernelBuilder &kernel);
/// What registers of PTX hold before they are set; see
/// conversion/PTX/UnsetRegisters.h.
void lowerUnsetRegisters(KernelBuilder &kernel);
/// Lowers a call of a matrix instruction; false where it is none that is known.
bool lowerMatrixProduct(KernelBuilder &kernel, llvm::CallInst &call);
/// The same for `wmma`.
bool lowerWarpMatrices(KernelBuilder &kernel, llvm::CallInst &call);
/// The same for barriers in memory.
bool lowerMemoryBarrier(KernelBuilder &kernel, llvm::CallInst &call);
/// The same for textures and surfaces.
bool lowerTexture(KernelBuilder &kernel, llvm::CallInst &call);
/// Whether `call` is inline PTX that lowerWarpgroupProducts knows.
bool isWarpgroupProduct(const llvm::CallBase &call);
void lowerWarpgroupProducts(KernelBuilder &kernel);
llvm::Error lowerDeviceCalls(KernelBuilder &kernel);
/// Takes from floating-point operations the leave to give other results.
void makeArithmeticStrict(KernelBuilder &kernel);
/// Computes the rounding errors of all numbers beside them (ErrorShadow.h).
void followErrors(KernelBuilder &kernel);
/// Gives what C leaves open, and LLVM too, the result that the GPU has.
void settleArithmetic(KernelBuilder &kernel);
/// Makes what is no number the one that the GPU has.
void settleNotNumbers(KernelBuilder &kernel);
void instrumentKernel(KernelBuilder &kernel);
/// Counts floating-point operations and notes the way of each branch.
void countOperations(KernelBuilder &kernel);

/// Turns the thread function into a coroutine where it waits anywhere.
llvm::Error splitAtWaits(KernelBuilder &kernel);

/// Target intrinsics that compute: approximations, conversions, bit fields.
/// Returns the replacement of `call`, or null where it is none of them.
llvm::Value *lowerTargetArithmetic(llvm::IRBuilderBase &ir,
                                   llvm::CallInst &call);

/// The host's name of a mathematical function: `sinf` for `__nv_sinf` and
/// `__ocml_sin_f32`.
std::string hostMathName(llvm::StringRef deviceName);

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_KERNELBUILDER_H
