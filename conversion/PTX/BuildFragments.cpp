//===- BuildFragments.cpp - wmma: fragments of matrices -------------------===//
//
// `wmma.load`, `wmma.mma` and `wmma.store` are NVVM's intrinsics of the same
// names, in which the words are in another order; there are those that the ISA
// has, so that a shape, or a type, that it has not finds none.
//
//===----------------------------------------------------------------------===//

#include "conversion/PTX/Builders.h"
#include "conversion/PTX/MatrixRegisters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

static constexpr StringLiteral prefix = "llvm.nvvm.wmma.";

static bool isShape(StringRef word) {
  return word.size() > 1 && word[0] == 'm' && isDigit(word[1]);
}

/// `wmma.load.a.sync.aligned.row.m16n16k16.global.f16`, where the space says no
/// more than the address, is `m16n16k16.load.a.row.stride.f16`.
static std::string nameOfAccess(ArrayRef<StringRef> words, bool hasStride) {
  StringRef layout = is_contained(words, "row") ? "row" : "col";
  StringRef type = words.back();
  return (*find_if(words, isShape) + "." + words[1] + "." + words[2] + "." +
          layout + (hasStride ? ".stride." : ".") + type)
      .str();
}

/// `wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16` has the types of both sums
/// behind the shape, since the factors are halves, `….f32.bf16.bf16.f32` all
/// four: `m16n16k16.mma.row.col.f32.f16`, `….bf16`. Empty where the words are
/// in another order.
static std::string nameOfProduct(ArrayRef<StringRef> words) {
  const StringRef *shape = find_if(words, isShape);
  ArrayRef<StringRef> before(words.begin(), shape),
      types(shape + 1, words.end());
  SmallVector<StringRef, 8> name = {*shape, "mma"};
  for (StringRef word : before)
    if (word == "and" || word == "xor" || word == "popc")
      name.push_back(word);
  append_range(name, before.take_back(2));
  bool saturates = !types.empty() && types.back() == "satfinite";
  if (saturates)
    types = types.drop_back();
  // How results are rounded stands before the types, or behind them.
  if (types.size() % 2) {
    bool isFirst = types.front().starts_with("r");
    name.push_back(isFirst ? types.front() : types.back());
    types = isFirst ? types.drop_front() : types.drop_back();
  }
  if (types.size() != 2 && types.size() != 4)
    return "";
  if (types.size() == 2)
    append_range(name, types);
  else
    name.push_back(types[1]);
  if (saturates)
    name.push_back("satfinite");
  return join(name, ".");
}

/// The type of the intrinsic; null where there is none.
static FunctionType *findIntrinsic(Operation &op, StringRef name,
                                   ArrayRef<llvm::Type *> overloads) {
  Intrinsic::ID id = Intrinsic::lookupIntrinsicID(name);
  if (id != Intrinsic::not_intrinsic)
    return Intrinsic::getType(op.ir.getContext(), id, overloads);
  op.fail("there is no such shape or type");
  return nullptr;
}

/// The number of elements from one row, or column, to the next one, where it is
/// given: operand `index`.
static bool readStride(Operation &op, unsigned index,
                       SmallVectorImpl<Value *> &arguments) {
  if (op.operandCount() == index)
    return true;
  arguments.push_back(op.read(index, kU32));
  return arguments.back();
}

static std::string accessed(Operation &op, unsigned strideOperand) {
  return prefix.str() +
         nameOfAccess(op.instruction.words, op.operandCount() > strideOperand);
}

bool build::loadFragment(Operation &op) {
  std::string name = accessed(op, 2);
  llvm::Type *pointer = op.ir.getPtrTy();
  SmallVector<Value *, 2> arguments = {op.function.readAddress(op.operand(1))};
  return arguments.front() && findIntrinsic(op, name, pointer) &&
         readStride(op, 2, arguments) &&
         writeRegisters(op, op.operand(0),
                        op.function.callIntrinsic(name, arguments, pointer));
}

bool build::storeFragment(Operation &op) {
  std::string name = accessed(op, 2);
  llvm::Type *pointer = op.ir.getPtrTy();
  SmallVector<Value *, 10> arguments = {op.function.readAddress(op.operand(0))};
  FunctionType *type = findIntrinsic(op, name, pointer);
  unsigned strides = op.operandCount() - 2;
  if (!arguments.front() || !type ||
      !readRegisters(op, ArrayRef(op.operand(1)), type,
                     type->getNumParams() - strides, arguments) ||
      !readStride(op, 2, arguments))
    return false;
  op.function.callIntrinsic(name, arguments, pointer);
  return true;
}

bool build::multiplyFragments(Operation &op) {
  std::string name = prefix.str() + nameOfProduct(op.instruction.words);
  FunctionType *type = findIntrinsic(op, name, {});
  SmallVector<Value *, 24> arguments;
  return type &&
         readRegisters(op, ArrayRef(op.instruction.operands).drop_front(), type,
                       type->getNumParams(), arguments) &&
         writeRegisters(op, op.operand(0),
                        op.function.callIntrinsic(name, arguments));
}

/// Lane 4 * i + j has elements 2 * j and 2 * j + 1 of row i: what it gets of
/// column i is in the lanes of rows 2 * j and 2 * j + 1.
Value *build::transposeMatrix(Operation &op) {
  Builder &ir = op.ir;
  Value *lane = op.callNVVM("read.ptx.sreg.laneid", {});
  Value *row = ir.CreateLShr(lane, 2), *half = ir.CreateAnd(row, 1);
  Value *first = ir.CreateOr(ir.CreateShl(ir.CreateAnd(lane, 3), 3),
                             ir.CreateLShr(row, 1));
  auto element = [&](unsigned index) {
    Value *word = op.callNVVM("shfl.sync.idx.i32",
                              {ir.getInt32(-1), op[0],
                               ir.CreateAdd(first, ir.getInt32(4 * index)),
                               ir.getInt32(31)});
    return ir.CreateAnd(ir.CreateLShr(word, ir.CreateShl(half, 4)), 0xffff);
  };
  Value *low = element(0);
  return ir.CreateOr(low, ir.CreateShl(element(1), 16));
}
