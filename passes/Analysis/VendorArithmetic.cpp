//===- VendorArithmetic.cpp - arithmetic that only a vendor has -----------===//

#include "passes/Analysis/VendorArithmetic.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace gpuopt;

/// PTX's instructions on registers, by the name before the first dot. Those
/// with a carry are no function of what stands in the statement.
static bool isArithmetic(StringRef instruction) {
  static const llvm::StringSet<> names = {
      "abs",      "add",  "and",   "bfe",  "bfi",  "bfind", "brev", "clz",
      "copysign", "cos",  "cvt",   "div",  "dp2a", "dp4a",  "ex2",  "fma",
      "lg2",      "lop3", "mad",   "max",  "min",  "mov",   "mul",  "mul24",
      "neg",      "not",  "or",    "popc", "prmt", "rcp",   "rem",  "rsqrt",
      "sad",      "selp", "setp",  "shf",  "shl",  "shr",   "sin",  "slct",
      "sqrt",     "sub",  "szext", "tanh", "xor"};
  auto [name, modifiers] = instruction.split('.');
  SmallVector<StringRef> parts;
  modifiers.split(parts, '.');
  return names.contains(name) && !llvm::is_contained(parts, "cc");
}

/// Whether `text` is instructions on its operands and registers of its own.
/// Special registers are those with a percent sign.
static bool isArithmeticText(StringRef text) {
  if (text.contains('%') || text.contains('@') || text.contains("//") ||
      text.contains("/*"))
    return false;
  SmallVector<StringRef> statements;
  text.split(statements, ';');
  return llvm::all_of(statements, [](StringRef statement) {
    statement = statement.trim(" \t\n\r{}");
    StringRef first = statement.take_until(
        [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
    return statement.empty() || first == ".reg" || isArithmetic(first);
  });
}

static bool isArithmetic(LLVM::InlineAsmOp op) {
  auto isNumber = [](Type type) { return type.isIntOrFloat(); };
  // Several results come as a structure.
  return !op.getHasSideEffects() && !op.getConstraints().contains("memory") &&
         llvm::all_of(op.getOperandTypes(), isNumber) &&
         isArithmeticText(op.getAsmString());
}

/// The families of `llvm.nvvm.` that compute, by the part before the next dot.
static bool isArithmetic(LLVM::CallIntrinsicOp op) {
  static const llvm::StringSet<> families = {
      "add", "mul", "div", "fma", "rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin",
      "cos", "tanh", "fabs", "fmin", "fmax", "ceil", "floor", "round", "trunc",
      "prmt", "sad", "mulhi", "mul24", "idp2a", "idp4a", "bitcast", "fshl",
      "fshr", "saturate",
      // Conversions.
      "d2f", "d2i", "d2ll", "d2ui", "d2ull", "f2bf16", "f2f16", "f2h", "f2i",
      "f2ll", "f2tf32", "f2ui", "f2ull", "i2d", "i2f", "ll2d", "ll2f", "ui2d",
      "ui2f", "ull2d", "ull2f", "bf2h", "ff2bf16x2", "ff2f16x2", "e2m1x2",
      "e2m3x2", "e3m2x2", "e4m3x2", "e5m2x2", "ue8m0x2", "bf16x2", "f16x2",
      "ff"};
  StringRef name = op.getIntrin();
  return name.consume_front("llvm.nvvm.") &&
         families.contains(name.split('.').first) &&
         llvm::none_of(op.getOperandTypes(),
                       llvm::IsaPred<LLVM::LLVMPointerType>);
}

bool gpuopt::isVendorArithmetic(Operation *op) {
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return isArithmetic(assembly);
  auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op);
  return intrinsic && isArithmetic(intrinsic);
}
