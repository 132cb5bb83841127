//===- gpuopt.h - gpuopt's C interface ---------------------------*- C -*-===//
//
// For programs and frameworks that embed the compiler, in any language that
// calls C: kernels in source or MLIR in; PTX, HSACO or source, the launch of
// the tuned kernel, and a run on the CPU out. The library (libgpuopt-c.so)
// exports these functions and nothing else, so that it lives beside another
// LLVM; as it is built by default, its own is inside.
//
// Handles are opaque, and not NULL where nothing else is said. Functions that
// can fail take an address where they put a message, which the caller frees by
// gpuoptFree; it may be NULL. Nothing throws an exception. What ends the
// process: that memory runs out, and source that is nested so deeply that half
// a gigabyte of stack does not do. Strings are UTF-8 and end in a null. Several
// threads may use one file; its calls follow each other.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOPT_C_GPUOPT_H
#define GPUOPT_C_GPUOPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Functions are added with a larger number, and not taken away.
#define GPUOPT_C_VERSION 1

/// GPUOPT_C_VERSION of the library.
uint32_t gpuoptVersion(void);

/// Frees what a function has returned or put at an address of the caller's.
void gpuoptFree(void *memory);

//===----------------------------------------------------------------------===//
// What to compile
//===----------------------------------------------------------------------===//

typedef struct GpuoptOptions GpuoptOptions;

typedef enum {
  GPUOPT_OPTIMIZE = 0,       ///< on unless set off: run the transforms
  GPUOPT_ASSUME_NOALIAS = 1, ///< every pointer is __restrict__
  GPUOPT_REASSOCIATE = 2,    ///< floating-point sums may be reordered
  GPUOPT_STRICT = 3          ///< a kernel that cannot be optimised is an error
} GpuoptFlag;

GpuoptOptions *gpuoptOptionsCreate(void);
void gpuoptOptionsDestroy(GpuoptOptions *options);

/// A known machine description or the path of one; "sm_90" if not set.
void gpuoptOptionsSetTarget(GpuoptOptions *options, const char *target);
/// The input itself, instead of a file, `size` bytes long.
void gpuoptOptionsSetText(GpuoptOptions *options, const char *text,
                          size_t size);
/// "cu", "hip", "cl" or "mlir", where the ending of the path does not tell.
/// False for another.
bool gpuoptOptionsSetKind(GpuoptOptions *options, const char *kind);
/// Only kernels that are added are compiled; all where none is.
void gpuoptOptionsAddKernel(GpuoptOptions *options, const char *name);
/// An argument of Clang's command line, such as "-Iinclude".
void gpuoptOptionsAddClangArgument(GpuoptOptions *options,
                                   const char *argument);
/// A value of a parameter that the report's counts are evaluated for.
void gpuoptOptionsSetSize(GpuoptOptions *options, const char *parameter,
                          int64_t value);
/// A value that the kernels are made for; other launches take the original.
void gpuoptOptionsSpecialize(GpuoptOptions *options, const char *parameter,
                             int64_t value);
void gpuoptOptionsSetFlag(GpuoptOptions *options, GpuoptFlag flag, bool isOn);

//===----------------------------------------------------------------------===//
// Compiled files
//===----------------------------------------------------------------------===//

typedef struct GpuoptFile GpuoptFile;

/// Compiles the file at `path`, or the text of `options`, for which it is only
/// a name. NULL where the input is wrong. `*diagnostics` gets all that was
/// said, warnings too ("FILE:LINE:COL: error: MESSAGE"); it is empty where
/// nothing was.
GpuoptFile *gpuoptCompile(const char *path, const GpuoptOptions *options,
                          char **diagnostics);
void gpuoptFileDestroy(GpuoptFile *file);

/// Kernels are numbered in source order, their parameters as they stand. Names
/// live as long as the file. A number that there is not gives NULL or 0.
size_t gpuoptKernelCount(const GpuoptFile *file);
const char *gpuoptKernelName(const GpuoptFile *file, size_t kernel);
const char *gpuoptKernelSymbol(const GpuoptFile *file, size_t kernel);
size_t gpuoptParameterCount(const GpuoptFile *file, size_t kernel);
const char *gpuoptParameterName(const GpuoptFile *file, size_t kernel,
                                size_t parameter);
/// As it is written: "const float *".
const char *gpuoptParameterType(const GpuoptFile *file, size_t kernel,
                                size_t parameter);
bool gpuoptParameterIsPointer(const GpuoptFile *file, size_t kernel,
                              size_t parameter);
/// Bytes of the argument: 8 for a pointer.
size_t gpuoptParameterBytes(const GpuoptFile *file, size_t kernel,
                            size_t parameter);

/// The tuned kernels as "ptx", "cubin", "hsaco", "llvm", "mlir", "cuda", "hip"
/// or "opencl": `*data` gets `*size` bytes, and a null behind them. Kernels
/// that have no such form are left out where others have one.
bool gpuoptEmit(GpuoptFile *file, const char *kind, char **data, size_t *size,
                char **error);

/// Geometry, resources, accesses and steps as JSON (docs/report.md).
char *gpuoptReport(GpuoptFile *file);

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

typedef struct {
  uint32_t grid[3];
  uint32_t block[3];
  /// Of dynamic workgroup memory.
  uint32_t sharedBytes;
} GpuoptLaunch;

/// One argument of a kernel. For a pointer: the array, `bytes` long, or NULL and
/// 0; else the value.
typedef struct {
  const void *data;
  size_t bytes;
} GpuoptArgument;

/// Runs what does the same as `kernel` in `launch` (NULL: as many blocks as the
/// kernel's guards say) on the CPU, on arrays in this memory, and waits for it.
/// False where it cannot run, or has done something wrong, such as an access
/// out of bounds; arrays may have been changed then.
bool gpuoptRun(GpuoptFile *file, size_t kernel, const GpuoptLaunch *launch,
               const GpuoptArgument *arguments, size_t count, char **error);

/// Ends the run of a kernel of `file` that is going on, which then has failed.
/// Another thread may call it, and a handler of signals.
void gpuoptInterrupt(GpuoptFile *file);

typedef struct GpuoptDecision GpuoptDecision;

/// The launches, in order, of kernels in what gpuoptEmit gives, that do what
/// `kernel` does in `launch`. Of arrays only where they lie matters; they may
/// be a GPU's. NULL where they are not known.
GpuoptDecision *gpuoptDecide(GpuoptFile *file, size_t kernel,
                             const GpuoptLaunch *launch,
                             const GpuoptArgument *arguments, size_t count,
                             char **error);
void gpuoptDecisionDestroy(GpuoptDecision *decision);

/// Below: `index` is less than gpuoptDecisionCount.
size_t gpuoptDecisionCount(const GpuoptDecision *decision);
const char *gpuoptDecisionSymbol(const GpuoptDecision *decision, size_t index);
GpuoptLaunch gpuoptDecisionLaunch(const GpuoptDecision *decision, size_t index);
/// Whether nothing tuned takes the launch: it is the kernel as it was written.
bool gpuoptDecisionIsFallback(const GpuoptDecision *decision, size_t index);
/// Whether all blocks must be resident at once.
bool gpuoptDecisionIsCooperative(const GpuoptDecision *decision, size_t index);
/// Addresses of the arguments, as cuLaunchKernel and hipModuleLaunchKernel take
/// them; they live as long as the decision.
void **gpuoptDecisionArguments(const GpuoptDecision *decision, size_t index);

#ifdef __cplusplus
}
#endif

#endif // GPUOPT_C_GPUOPT_H
