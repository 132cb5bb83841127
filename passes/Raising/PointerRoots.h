//===- PointerRoots.h - which array a pointer points into -------*- C++ -*-===//
//
// Every pointer of a kernel is traced to its *root*: a parameter, a variable, a
// local array. Arithmetic, casts, selects and branches are
// looked through; a pointer that two roots flow into has none.
//
//   %p = getelementptr %a[%i]             root %a
//   ^bb(%q: !llvm.ptr)  from %a, from %p  root %a
//   %r = select %c, %a, %b                no root
//   %s = load %a : !llvm.ptr              no root (an address from memory)
//
// A root becomes a memref when all that happens to its pointers are accesses
// of one element type, or of vectors of it.
//
//===----------------------------------------------------------------------===//

#ifndef PASSES_RAISING_POINTERROOTS_H
#define PASSES_RAISING_POINTERROOTS_H

#include "passes/Analysis/Remarks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/MapVector.h"

#include <optional>
#include <string>

namespace gpuopt {

/// One root with all that is done to its pointers.
struct RootArray {
  /// A kernel argument, `llvm.mlir.addressof` or `llvm.alloca`.
  mlir::Value root;
  /// Element of the memref; null until chosen.
  mlir::Type element;
  /// Bytes of one element.
  int64_t bytes = 0;
  /// Loads, stores and atomic updates through pointers into the array.
  llvm::SmallVector<mlir::Operation *> accesses;
  /// Pointer arithmetic on it.
  llvm::SmallVector<mlir::LLVM::GEPOp> offsets;
  /// What keeps it in the LLVM dialect, if anything does.
  std::optional<Refusal> obstacle;
  /// Whether anything is written through its pointers.
  bool isWritten = false;
};

/// Byte offset that one `getelementptr` adds: a constant, and values that are
/// each multiplied by a number of bytes.
struct PointerOffset {
  int64_t constantBytes = 0;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> terms;
};

/// The offset that `gep` adds, or nothing where its type has no fixed layout.
std::optional<PointerOffset>
computePointerOffset(mlir::LLVM::GEPOp gep, const mlir::DataLayout &layout);

/// Whether `value` is a multiple of `divisor` by the way it is computed; its
/// quotient is then what makeQuotient builds.
bool isMultipleOf(mlir::Value value, int64_t divisor);
mlir::Value makeQuotient(mlir::OpBuilder &builder, mlir::Value value,
                         int64_t divisor);

/// The roots of one kernel.
class PointerRoots {
public:
  explicit PointerRoots(mlir::gpu::GPUFuncOp kernel);

  /// Root of a pointer; null where it has none.
  mlir::Value lookup(mlir::Value pointer) const;

  /// Every root that is a parameter, variable or local array.
  llvm::MapVector<mlir::Value, RootArray> arrays;

private:
  /// Traces all pointers; a null root means that several flow together.
  void trace(mlir::gpu::GPUFuncOp kernel);
  /// Root that an operation's result inherits, if it is known by now.
  std::optional<mlir::Value> traceResult(mlir::Operation *op) const;
  bool isComparable(mlir::LLVM::ICmpOp op) const;
  void collectUses(mlir::Value pointer, RootArray &array);
  void collectUse(mlir::OpOperand &use, RootArray &array);

  llvm::DenseMap<mlir::Value, mlir::Value> roots;
  /// First `llvm.mlir.addressof` of each global variable.
  llvm::DenseMap<mlir::Attribute, mlir::Value> globals;
};

} // namespace gpuopt

#endif // PASSES_RAISING_POINTERROOTS_H
