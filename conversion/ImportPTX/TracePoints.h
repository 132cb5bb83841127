//===- TracePoints.h - what instrumented PTX records ------------*- C++ -*-===//
//
// Kernels that are to be traced on a GPU call a function in front of each
// access of memory and each barrier. It appends a record to a buffer, which the
// kernel takes as one more parameter at the end: a pointer to words of 64 bits.
// The host sets all to zero but word 1.
//
//   word 0        records that were asked for
//   word 1        records that there is room for: what is beyond is lost
//   words 2…4     blocks of the grid, x first
//   words 5…7     threads of a block
//   word 8        parameters of 64 bits that the kernel has
//   words 9…62    the values of these: where arrays begin
//   word 63       of which text and kernel the records are
//   words 64…     records of three words: the address; the point (its number in
//                 `tracePoints`, bit 31 for workgroup memory) above the thread
//                 of the block (x fastest); the block
//
// Records of a thread are in the order in which it made them.
//
// Source: Fauzia, Pouchet, Sadayappan, "Characterizing and enhancing global
// memory data coalescing on GPUs" (CGO 2015), section 3.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTPTX_TRACEPOINTS_H
#define CONVERSION_IMPORTPTX_TRACEPOINTS_H

#include "conversion/PTX/Parser.h"

#include "llvm/Support/Error.h"

namespace gpuopt::ptx {

/// Words of the buffer, as above.
namespace trace {
inline constexpr unsigned wordBytes = 8;
inline constexpr unsigned roomWord = 1, gridWord = 2, blockWord = 5,
                          parameterWord = 8;
inline constexpr unsigned recordWord = 64, wordsOfRecord = 3;
inline constexpr unsigned identityWord = recordWord - 1;
inline constexpr unsigned mostParameters = identityWord - parameterWord - 1;
inline constexpr unsigned workgroupBit = 31;
} // namespace trace

/// An instruction of a kernel that makes a record.
struct TracePoint {
  enum class Kind { Load, Store, Atomic, Barrier } kind = Kind::Load;
  const SourceInstruction *instruction = nullptr;
  /// The operand that is the address, of an access.
  const Operand *address = nullptr;
  /// `.shared`; where nothing is said, the address tells when it is used.
  bool isWorkgroup = false, isGeneric = false;
  /// Bytes that a thread accesses, and those of an element.
  unsigned bytes = 0, elementBytes = 0;
  /// `file:line:column` as `.loc` has it, else that of the PTX.
  std::string location;
};

/// In the order of the text. Local memory, parameters and constants are not
/// among them, nor are asynchronous copies.
std::vector<TracePoint> tracePoints(const SourceModule &module,
                                    const SourceFunction &kernel,
                                    llvm::StringRef path);

/// The parameters of 64 bits, which may be addresses of arrays, by their
/// numbers.
std::vector<unsigned> wideParameters(const SourceFunction &kernel);

/// A number for `kernel` of `text`.
uint64_t identityOf(llvm::StringRef text, const SourceFunction &kernel);

/// What is wrong in the kernels that `isWanted` takes, and in what they call;
/// nothing where that is only that something is not supported.
std::optional<Problem>
findWrong(SourceModule module, llvm::StringRef path,
          llvm::function_ref<bool(const SourceFunction &)> isWanted);

/// `text`, of which `module` was made, with the calls in the kernels that
/// `isWanted` takes. The error is for a text that cannot have them.
llvm::Expected<std::string>
instrument(llvm::StringRef text, const SourceModule &module,
           llvm::function_ref<bool(const SourceFunction &)> isWanted);

} // namespace gpuopt::ptx

#endif // CONVERSION_IMPORTPTX_TRACEPOINTS_H
