//===- LowerMatrixProducts.cpp - calls of matrix instructions -------------===//
//
// `mma.sync` becomes a wait for the subgroup (MatrixProducts.h). `ldmatrix` and
// `stmatrix` are what PTX says they are: lane r of eight names a row of 16
// bytes, of which lane 4 r + c has word c. So lanes tell each other their rows,
// and each loads or stores a word, with the checks and the conflicts of banks
// that the rows have; transposed matrices are exchanged by halves of words
// behind the load, in front of the store.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/KernelBuilder.h"
#include "runtime/CPU/MatrixRecord.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

/// All lanes of a subgroup have to be there.
static constexpr uint64_t wholeSubgroup = 0xffffffff;

namespace {
class MatrixLowering {
public:
  MatrixLowering(KernelBuilder &builder, CallInst &instruction)
      : kernel(builder), call(instruction), ir(&instruction),
        i64(ir.getInt64Ty()), i32(ir.getInt32Ty()) {}

  void multiply(MatrixUnit unit);
  void load(unsigned matrices, bool isTransposed);
  void store(unsigned matrices, bool isTransposed);

private:
  Value *wait(Wait kind, Value *value, Value *operand) {
    return kernel.createWait(ir, call, kind, ir.getInt64(wholeSubgroup), value,
                             operand);
  }
  Value *exchange(Value *value, Value *lane);
  Value *placeOfWord(unsigned matrix);
  Value *transpose(Value *word);

  KernelBuilder &kernel;
  CallInst &call;
  IRBuilder<> ir;
  Type *i64, *i32;
};
} // namespace

Value *MatrixLowering::exchange(Value *value, Value *lane) {
  return wait(Wait::Exchange, value, ir.CreateZExtOrTrunc(lane, i64));
}

void MatrixLowering::multiply(MatrixUnit unit) {
  MatrixRecord record(kernel, unit,
                      MatrixRecord::allocate(kernel, unit.words()));
  for (auto [word, value] : enumerate(call.args()))
    record.store(ir, value, ir.getInt64(word));
  record.multiply(ir, call);
  Value *result = PoisonValue::get(call.getType());
  auto *types = cast<StructType>(call.getType());
  for (unsigned number = 0; number < unit.sumWords(); ++number)
    result = ir.CreateInsertValue(
        result, record.loadSum(ir, number, types->getElementType(number)),
        number);
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

/// Where the lane's word of its row of a matrix is, whose rows the lanes from 8
/// times its number on name.
Value *MatrixLowering::placeOfWord(unsigned matrix) {
  Value *lane = kernel.laneId(ir);
  Value *source = ir.CreateAdd(ir.CreateLShr(lane, 2), ir.getInt32(8 * matrix));
  Value *row = exchange(ir.CreatePtrToInt(call.getArgOperand(0), i64), source);
  // The checks know the array of an address that is computed from it.
  Value *own = call.getArgOperand(0);
  Value *distance = ir.CreateSub(row, ir.CreatePtrToInt(own, i64));
  Value *word = ir.CreateShl(ir.CreateAnd(lane, 3), 2);
  return ir.CreatePtrAdd(own, ir.CreateAdd(distance, ir.CreateZExt(word, i64)));
}

/// Element e of a lane is in row 2 c + e and column g: half g % 2 of the word
/// of lane (2 c + e) * 4 + g / 2.
Value *MatrixLowering::transpose(Value *word) {
  Value *lane = kernel.laneId(ir);
  Value *g = ir.CreateLShr(lane, 2), *c = ir.CreateAnd(lane, 3);
  Value *result = ir.getInt32(0);
  for (unsigned element : {0u, 1u}) {
    Value *row = ir.CreateAdd(ir.CreateShl(c, 1), ir.getInt32(element));
    Value *source = ir.CreateAdd(ir.CreateShl(row, 2), ir.CreateLShr(g, 1));
    Value *found =
        ir.CreateTrunc(exchange(ir.CreateZExt(word, i64), source), i32);
    found = ir.CreateLShr(found, ir.CreateShl(ir.CreateAnd(g, 1), 4));
    found = ir.CreateShl(ir.CreateAnd(found, 0xffff), 16 * element);
    result = ir.CreateOr(result, found);
  }
  return result;
}

void MatrixLowering::load(unsigned matrices, bool isTransposed) {
  Value *result = PoisonValue::get(call.getType());
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    Value *word = ir.CreateAlignedLoad(i32, placeOfWord(matrix), Align(4));
    if (isTransposed)
      word = transpose(word);
    result = matrices == 1 ? word : ir.CreateInsertValue(result, word, matrix);
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void MatrixLowering::store(unsigned matrices, bool isTransposed) {
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    Value *word = call.getArgOperand(1 + matrix);
    if (isTransposed)
      word = transpose(word);
    ir.CreateAlignedStore(word, placeOfWord(matrix), Align(4));
  }
  call.eraseFromParent();
}

bool gpuopt::runtime::lowerMatrixProduct(KernelBuilder &kernel,
                                         CallInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  if (name.consume_front("llvm.nvvm.mma.")) {
    std::optional<MatrixUnit> unit = parseMatrixUnit(name);
    if (unit)
      MatrixLowering(kernel, call).multiply(*unit);
    return unit.has_value();
  }
  bool isLoad = name.consume_front("llvm.nvvm.ldmatrix.");
  unsigned matrices;
  if ((!isLoad && !name.consume_front("llvm.nvvm.stmatrix.")) ||
      !name.consume_front("sync.aligned.m8n8.x") ||
      name.consumeInteger(10, matrices) || matrices > 4)
    return false;
  bool isTransposed = name.consume_front(".trans");
  if (!name.starts_with(".b16"))
    return false;
  MatrixLowering lowering(kernel, call);
  if (isLoad)
    lowering.load(matrices, isTransposed);
  else
    lowering.store(matrices, isTransposed);
  return true;
}
