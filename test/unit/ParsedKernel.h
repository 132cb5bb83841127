//===- ParsedKernel.h - a kernel from text ----------------------*- C++ -*-===//
//
// For queries that are asked of IR. An operation that a test asks about has an
// attribute `tag`: `find("q")` is the one with `tag = "q"`.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_UNIT_PARSEDKERNEL_H
#define TEST_UNIT_PARSEDKERNEL_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

namespace gpuopt {

/// The kernel of a module with one.
class ParsedKernel {
public:
  /// `signature` is what follows the name, `body` what stands before the
  /// return.
  ParsedKernel(llvm::StringRef signature, llvm::StringRef body) {
    context.loadDialect<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                        mlir::gpu::GPUDialect, mlir::memref::MemRefDialect,
                        mlir::scf::SCFDialect>();
    std::string text = ("gpu.module @m {\n  gpu.func @k" + signature +
                        " kernel {\n" + body + "\n    gpu.return\n  }\n}\n")
                           .str();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      llvm::report_fatal_error("the test's kernel is no IR");
  }

  mlir::gpu::GPUFuncOp function() {
    mlir::gpu::GPUFuncOp found;
    module->walk([&](mlir::gpu::GPUFuncOp function) { found = function; });
    return found;
  }

  mlir::Operation *find(llvm::StringRef tag) {
    mlir::Operation *found = nullptr;
    module->walk([&](mlir::Operation *op) {
      auto own = op->getAttrOfType<mlir::StringAttr>("tag");
      found = own && own.getValue() == tag ? op : found;
    });
    if (!found)
      llvm::report_fatal_error("no operation has this tag");
    return found;
  }

  mlir::Value value(llvm::StringRef tag) { return find(tag)->getResult(0); }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace gpuopt

#endif // TEST_UNIT_PARSEDKERNEL_H
