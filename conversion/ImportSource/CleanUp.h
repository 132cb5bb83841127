//===- CleanUp.h - from Clang's output to what raising reads ----*- C++ -*-===//
//
// Clang's unoptimised output keeps every variable in memory and every function
// apart. A few passes of LLVM's make of it one function for each kernel, with
// values in registers and loops as the source wrote them: not rotated, so that
// a `for` loop is a header with its phis and its comparison.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_CLEANUP_H
#define CONVERSION_IMPORTSOURCE_CLEANUP_H

#include "conversion/ImportSource/KernelInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/LogicalResult.h"

namespace gpuopt {

/// What becomes of kernels that cannot be taken: recursion, indirect calls,
/// calls to functions without a body.
enum class UnsupportedKernels {
  AreErrors,
  /// Removed, with a warning, unless none is left.
  AreLeftOutBesideOthers,
  AreLeftOut
};

/// Inlines everything into `kernels`, removes other kernels, cleans up, and
/// gives pointers one form on all targets. Reports an error and fails where a
/// kernel cannot be taken and is not to be left out; moves those that are to
/// `leftOut`.
llvm::LogicalResult cleanUp(llvm::Module &module,
                            std::vector<KernelInfo> &kernels,
                            UnsupportedKernels unsupported,
                            std::vector<KernelInfo> &leftOut);

/// Gives each function of DeviceFunctions.def the attributes that it has there.
void annotateDeviceFunctions(llvm::Module &module);

/// Makes pointers to global memory plain ones. CUDA on NVIDIA has no others;
/// HIP on AMD passes `ptr addrspace(1)` to kernels, OpenCL does so on both. One
/// form for all lets the later stages know one; the back ends infer the space
/// of a kernel's arguments again.
void flattenGlobalPointers(llvm::Module &module);

/// Turns each copy of a few bytes with a known size (`b[i] = a[i]` with
/// `float4`) into a load and a store, or into one of each for every member
/// where the address is only aligned as they are.
void expandSmallCopies(llvm::Module &module);

/// The same for copies of which InstCombine would make one integer, however low
/// their alignment is. Returns whether there were any.
bool expandIntegerCopies(llvm::Function &function);

/// Makes a copy again of a vector's structure (`float4`) that an inlined
/// function returned, which is loaded as one value and stored by its members.
/// Returns whether there were any.
bool joinReturnedMembers(llvm::Function &function);

/// Splits a load of which InstCombine has made one where branches join, from an
/// address that differs from branch to branch, into the loads of the source.
/// Returns whether there were any.
bool splitMergedLoads(llvm::Function &function);

/// Turns what sets a local array of numbers at once (`float sums[4] = {}`) into
/// stores of its elements, unless it is large.
void expandSmallMemsets(llvm::Module &module);

/// Unrolls loops with a known number of iterations that choose the elements of
/// a local array (`float sums[4]`), where all elements are chosen by constants
/// then: the array can live in registers, and is values for all later stages.
/// The same for arrays in structures that are passed by value.
/// Returns whether there were any.
bool unrollLocalArrays(llvm::Function &function,
                       llvm::FunctionAnalysisManager &analyses);

/// Splits each `llvm.fmuladd` ("fuse these two or not") into a product and a
/// sum that may be contracted: the same freedom in the form that raising knows.
void splitMultiplyAdds(llvm::Module &module);

/// Computes 32-bit indices that LLVM would factor (`i * m + i`) in 64 bits,
/// where they are extended: what is known not to wrap stays known. Returns
/// whether there were any.
bool widenIndices(llvm::Function &function);

/// Name of the attribute that tells whether a function computes its positions
/// in arrays in 32 signed bits: `narrow` or `wide`.
inline constexpr llvm::StringLiteral kPositionsAttrName = "gpuopt-positions";

/// Whether every position in an array that `function` is given is computed in
/// 32 signed bits.
bool hasNarrowPositions(const llvm::Function &function);

/// Moves the location of what the prelude does to the user's line.
void hidePreludeLocations(llvm::Module &module);

/// Replaces inline PTX that is known by LLVM's instructions and calls of
/// DeviceFunctions.def.
void expandInlineAssembly(llvm::Module &module);

/// With a real SDK's headers, built-in variables and barriers are NVVM's
/// intrinsics: makes them calls of DeviceFunctions.def. What the prelude leaves
/// to NVVM's intrinsics, such as textures, becomes calls of them.
void nameDeviceFunctions(llvm::Module &module);

/// Makes calls of the `fast_` functions of DeviceFunctions.def the intrinsics
/// and divisions that they are.
void expandFastFunctions(llvm::Module &module);

/// Why a kernel cannot be taken, and where.
struct KernelProblem {
  SourcePosition position;
  std::string message;
};

/// The first thing in `kernel`, with everything inlined, that cannot be taken.
std::optional<KernelProblem> findProblem(const llvm::Function &kernel);

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_CLEANUP_H
