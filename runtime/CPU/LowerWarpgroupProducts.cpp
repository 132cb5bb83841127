//===- LowerWarpgroupProducts.cpp - wgmma on the host ---------------------===//
//
// Each of the four subgroups that `wgmma.mma_async` is for has 16 of the 64
// rows, and sums of its own: to it, the instruction is an `mma.sync` with more
// columns (MatrixProducts.h), whose operands lie in workgroup memory. Each lane
// loads the words that it would hold in registers, with the checks that its own
// loads have.
//
// It is done at once: whether a kernel waits for it before it looks at the
// sums or writes to the operands, and whether it has fences in front, is not
// seen.
//
// Descriptors and layouts: PTX ISA, "Asynchronous Warpgroup Level Matrix Shared
// Memory Layout" (the canonical layouts of CUTLASS's mma_sm90_desc.hpp). A
// descriptor with a base offset, which nobody writes, is a bad address.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/MatrixRecord.h"
#include "runtime/CPU/WarpgroupProduct.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

namespace {
/// A matrix in workgroup memory: lines (rows, or columns of the other factor)
/// of elements that are multiplied for one sum.
class MatrixInMemory {
public:
  /// `descriptor` is an i64.
  MatrixInMemory(KernelBuilder &kernel, IRBuilderBase &ir, Value *descriptor,
                 uint32_t elementBytes, bool isTransposed);

  /// The 32 bits of a line that begin with element `first`; both are i64s.
  Value *loadWord(IRBuilderBase &ir, Value *line, Value *first) const;

private:
  Value *bytesAt(IRBuilderBase &ir, unsigned bit) const;
  Value *offsetOf(IRBuilderBase &ir, Value *line, Value *element) const;
  Value *addressOf(IRBuilderBase &ir, Value *line, Value *element) const;

  static constexpr uint64_t chunkBytes = 16;
  /// What a descriptor can name.
  static constexpr uint64_t windowMask = (uint64_t(1) << 18) - 1;

  Value *descriptor, *memory;
  uint32_t elementBytes;
  bool isTransposed;
  Value *start, *leadingOffset, *strideOffset;
  /// Chunks of 16 bytes that are permuted among each other; 1 for a layout
  /// without swizzling.
  Value *chunksOfSpan, *isPlain;
};

class WarpgroupLowering {
public:
  /// `memory` has room for the record.
  WarpgroupLowering(KernelBuilder &kernel, CallInst &statement,
                    const WarpgroupProduct &product, Value *memory);
  void lower();

private:
  Value *valueOf(StringRef operand);
  bool isNumber(StringRef operand, int64_t number);
  bool negates();
  Value *firstElement(Value *part);
  void storeRows();
  void storeColumns();
  void storeSums();
  Value *loadSums();

  KernelBuilder &kernel;
  CallInst &statement;
  const WarpgroupProduct &product;
  const MatrixUnit unit;
  IRBuilder<> ir;
  Type *i64;
  MatrixRecord record;
  /// The lane's place in groups of four, whose fragments are one line's.
  Value *group, *place;
  /// By the number that the text has for an operand.
  SmallVector<Value *, 0> operands;
};
} // namespace

//===----------------------------------------------------------------------===//
// Workgroup memory
//===----------------------------------------------------------------------===//

MatrixInMemory::MatrixInMemory(KernelBuilder &kernel, IRBuilderBase &ir,
                               Value *descriptor, uint32_t elementBytes,
                               bool isTransposed)
    : descriptor(descriptor), elementBytes(elementBytes),
      isTransposed(isTransposed) {
  memory = kernel.loadField(ir, kernel.block, offsetof(BlockContext, workgroup),
                            ir.getPtrTy());
  start = bytesAt(ir, 0);
  leadingOffset = bytesAt(ir, 16);
  strideOffset = bytesAt(ir, 32);
  // 0 for none, 1 for 128 bytes, 2 for 64, 3 for 32.
  Value *mode = ir.CreateLShr(descriptor, 62);
  isPlain = ir.CreateIsNull(mode);
  Value *logarithm = ir.CreateAnd(ir.CreateSub(ir.getInt64(4), mode), 3);
  chunksOfSpan = ir.CreateShl(ir.getInt64(1), logarithm);
}

/// Fields count chunks.
Value *MatrixInMemory::bytesAt(IRBuilderBase &ir, unsigned bit) const {
  Value *count = ir.CreateAnd(ir.CreateLShr(descriptor, bit), 0x3fff);
  return ir.CreateMul(count, ir.getInt64(chunkBytes));
}

/// Where an element would be without swizzling.
Value *MatrixInMemory::offsetOf(IRBuilderBase &ir, Value *line,
                                Value *element) const {
  auto number = [&](uint64_t value) { return ir.getInt64(value); };
  Value *span = ir.CreateMul(chunksOfSpan, number(chunkBytes));
  if (isTransposed) {
    // Lines are beside each other, as many as a span has room for.
    Value *byte = ir.CreateMul(line, number(elementBytes));
    Value *ofSpans =
        ir.CreateMul(ir.CreateUDiv(byte, span),
                     ir.CreateSelect(isPlain, strideOffset, leadingOffset));
    Value *ofEights =
        ir.CreateMul(ir.CreateLShr(element, 3),
                     ir.CreateSelect(isPlain, leadingOffset, strideOffset));
    Value *inEight = ir.CreateMul(ir.CreateAnd(element, 7), span);
    return ir.CreateAdd(ir.CreateAdd(ir.CreateURem(byte, span), ofSpans),
                        ir.CreateAdd(inEight, ofEights));
  }
  // Eight lines are a span apart; without swizzling, the second chunk of each
  // is somewhere else.
  Value *ofLine =
      ir.CreateAdd(ir.CreateMul(ir.CreateAnd(line, 7), span),
                   ir.CreateMul(ir.CreateLShr(line, 3), strideOffset));
  Value *byte = ir.CreateMul(element, number(elementBytes));
  Value *inChunk = ir.CreateAnd(byte, chunkBytes - 1);
  Value *chunk = ir.CreateUDiv(byte, number(chunkBytes));
  Value *ofChunk = ir.CreateMul(
      chunk, ir.CreateSelect(isPlain, leadingOffset, number(chunkBytes)));
  return ir.CreateAdd(ofLine, ir.CreateAdd(inChunk, ofChunk));
}

Value *MatrixInMemory::addressOf(IRBuilderBase &ir, Value *line,
                                 Value *element) const {
  Value *address = ir.CreateAdd(start, offsetOf(ir, line, element));
  Value *swizzle = ir.CreateAnd(ir.CreateLShr(address, 7),
                                ir.CreateSub(chunksOfSpan, ir.getInt64(1)));
  address = ir.CreateXor(address, ir.CreateShl(swizzle, 4));
  // A descriptor has the low bits of the host's addresses.
  Value *begin = ir.CreatePtrToInt(memory, ir.getInt64Ty());
  Value *distance = ir.CreateAnd(ir.CreateSub(address, begin), windowMask);
  Value *hasBaseOffset =
      ir.CreateIsNotNull(ir.CreateAnd(ir.CreateLShr(descriptor, 49), 7));
  return ir.CreateSelect(hasBaseOffset, ConstantPointerNull::get(ir.getPtrTy()),
                         ir.CreatePtrAdd(memory, distance));
}

Value *MatrixInMemory::loadWord(IRBuilderBase &ir, Value *line,
                                Value *first) const {
  Type *i32 = ir.getInt32Ty();
  if (!isTransposed)
    return ir.CreateAlignedLoad(i32, addressOf(ir, line, first), Align(4));
  // Only elements of 16 bits may be laid out so.
  Value *word = ir.getInt32(0);
  for (unsigned element : {0u, 1u}) {
    Value *at = ir.CreateAdd(first, ir.getInt64(element));
    Value *half = ir.CreateAlignedLoad(ir.getInt16Ty(), addressOf(ir, line, at),
                                       Align(2));
    word =
        ir.CreateOr(word, ir.CreateShl(ir.CreateZExt(half, i32), 16 * element));
  }
  return word;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Values of the operands of a statement by their numbers in its text; a result
/// has that of the operand that is tied to it, or null.
static SmallVector<Value *, 0> operandsOf(const CallBase &statement) {
  SmallVector<Value *, 0> operands;
  unsigned argument = 0;
  auto *assembly = cast<InlineAsm>(statement.getCalledOperand());
  for (const InlineAsm::ConstraintInfo &info : assembly->ParseConstraints()) {
    if (info.Type == InlineAsm::isOutput)
      operands.push_back(nullptr);
    if (info.Type != InlineAsm::isInput)
      continue;
    Value *value = statement.getArgOperand(argument++);
    unsigned tiedTo;
    if (!StringRef(info.Codes.front()).getAsInteger(10, tiedTo))
      operands[tiedTo] = value;
    // Tied or not, it has a number.
    operands.push_back(value);
  }
  return operands;
}

/// The operand, or number, that the text of a statement names; null for what it
/// does not have.
static Value *findOperand(ArrayRef<Value *> operands, StringRef text,
                          LLVMContext &context) {
  unsigned index;
  if (text.consume_front("$"))
    return text.getAsInteger(10, index) || index >= operands.size()
               ? nullptr
               : operands[index];
  int64_t number;
  return text.getAsInteger(10, number)
             ? nullptr
             : ConstantInt::getSigned(Type::getInt64Ty(context), number);
}

/// What a call does, where it is one product of operands that it has.
static std::optional<WarpgroupProduct> productOf(const CallBase &call) {
  auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
  auto *results = dyn_cast<StructType>(call.getType());
  if (!assembly || !results ||
      any_of(assembly->ParseConstraints(),
             [](const InlineAsm::ConstraintInfo &info) {
               return info.isIndirect || info.Type == InlineAsm::isLabel;
             }))
    return std::nullopt;
  std::optional<WarpgroupProduct> product =
      parseWarpgroupProduct(assembly->getAsmString());
  if (!product)
    return std::nullopt;
  SmallVector<Value *, 0> operands = operandsOf(call);
  auto find = [&](StringRef text) {
    return findOperand(operands, text, call.getContext());
  };
  auto isResult = [&](StringRef text) {
    unsigned index;
    return text.consume_front("$") && !text.getAsInteger(10, index) &&
           index < results->getNumElements();
  };
  auto isOneOf = [&](StringRef text, ArrayRef<int64_t> numbers) {
    auto *constant = dyn_cast_or_null<ConstantInt>(find(text));
    return text.empty() ||
           (constant && is_contained(numbers, constant->getSExtValue()));
  };
  bool isKnown = all_of(product->sums, isResult) &&
                 all_of(product->rows, find) && find(product->columns) &&
                 find(product->accumulates) &&
                 isOneOf(product->rowScale, {1, -1}) &&
                 isOneOf(product->columnScale, {1, -1}) &&
                 isOneOf(product->rowsAreTransposed, {0, 1}) &&
                 isOneOf(product->columnsAreTransposed, {0, 1});
  return isKnown ? std::move(product) : std::nullopt;
}

WarpgroupLowering::WarpgroupLowering(KernelBuilder &kernel, CallInst &statement,
                                     const WarpgroupProduct &product,
                                     Value *memory)
    : kernel(kernel), statement(statement), product(product),
      unit(product.unit), ir(&statement), i64(ir.getInt64Ty()),
      record(kernel, unit, memory), operands(operandsOf(statement)) {
  Value *lane = ir.CreateZExt(kernel.laneId(ir), i64);
  group = ir.CreateLShr(lane, 2);
  place = ir.CreateAnd(lane, 3);
}

Value *WarpgroupLowering::valueOf(StringRef operand) {
  return findOperand(operands, operand, kernel.context);
}

bool WarpgroupLowering::isNumber(StringRef operand, int64_t number) {
  auto *constant = dyn_cast_or_null<ConstantInt>(valueOf(operand));
  return constant && constant->getSExtValue() == number;
}

bool WarpgroupLowering::negates() {
  return isNumber(product.rowScale, -1) != isNumber(product.columnScale, -1);
}

//===----------------------------------------------------------------------===//
// The record
//===----------------------------------------------------------------------===//

/// The first element of the lane's word number `part` of a line.
Value *WarpgroupLowering::firstElement(Value *part) {
  Value *word = ir.CreateAdd(ir.CreateShl(part, 2), place);
  return ir.CreateMul(word, ir.getInt64(unit.packed()));
}

/// The bits that hold the signs of a word's elements.
static uint32_t signsOf(const MatrixUnit &unit) {
  return unit.packed() == 4   ? 0x80808080
         : unit.packed() == 2 ? 0x80008000
                              : 0x80000000;
}

void WarpgroupLowering::storeRows() {
  std::optional<MatrixInMemory> matrix;
  if (!product.rowsAreInRegisters)
    matrix.emplace(kernel, ir, valueOf(product.rows.front()),
                   unit.elementBytes(), isNumber(product.rowsAreTransposed, 1));
  // Subgroup s of four has rows from 16 s on.
  Value *thread = kernel.loadField(
      ir, kernel.thread, offsetof(ThreadContext, linearId), ir.getInt32Ty());
  Value *subgroup = ir.CreateAnd(ir.CreateLShr(thread, 5), 3);
  Value *firstRow =
      ir.CreateAdd(ir.CreateShl(ir.CreateZExt(subgroup, i64), 4), group);
  for (unsigned number = 0; number < unit.rowWords(); ++number) {
    Value *word;
    if (matrix) {
      Value *row = ir.CreateAdd(firstRow, ir.getInt64(8 * (number % 2)));
      word = matrix->loadWord(ir, row, firstElement(ir.getInt64(number / 2)));
    } else {
      word = kernel.toWord(ir, valueOf(product.rows[number]));
    }
    if (negates())
      word = ir.CreateXor(word, signsOf(unit));
    record.store(ir, word, ir.getInt64(number));
  }
}

/// In a loop: 256 columns are 64 words for each lane.
void WarpgroupLowering::storeColumns() {
  MatrixInMemory matrix(kernel, ir, valueOf(product.columns),
                        unit.elementBytes(),
                        isNumber(product.columnsAreTransposed, 1));
  unsigned parts = unit.columnWords() / unit.groups();
  auto [body, columns] = SplitBlockAndInsertSimpleForLoop(
      ir.getInt64(unit.groups()), statement.getIterator());
  ir.SetInsertPoint(body);
  Value *column = ir.CreateAdd(ir.CreateShl(columns, 3), group);
  for (unsigned part = 0; part < parts; ++part) {
    Value *word = matrix.loadWord(ir, column, firstElement(ir.getInt64(part)));
    Value *number = ir.CreateAdd(ir.CreateMul(columns, ir.getInt64(parts)),
                                 ir.getInt64(record.firstColumnWord() + part));
    record.store(ir, word, number);
  }
  ir.SetInsertPoint(&statement);
}

void WarpgroupLowering::storeSums() {
  Value *accumulates = ir.CreateIsNotNull(valueOf(product.accumulates));
  for (auto [number, sum] : enumerate(product.sums)) {
    // None is read where the sums only begin here.
    Value *old = valueOf(sum), *word = ir.getInt64(0);
    if (old)
      word = ir.CreateSelect(accumulates, kernel.toWord(ir, old), word);
    record.store(ir, word, ir.getInt64(record.firstSumWord() + number));
  }
}

/// What the statement gives: the new sums.
Value *WarpgroupLowering::loadSums() {
  auto *types = cast<StructType>(statement.getType());
  Value *result = PoisonValue::get(types);
  for (auto [number, sum] : enumerate(product.sums)) {
    unsigned index;
    if (!sum.drop_front().getAsInteger(10, index))
      result = ir.CreateInsertValue(
          result, record.loadSum(ir, number, types->getElementType(index)),
          index);
  }
  return result;
}

void WarpgroupLowering::lower() {
  storeRows();
  storeColumns();
  storeSums();
  record.multiply(ir, statement);
  statement.replaceAllUsesWith(loadSums());
  statement.eraseFromParent();
}

bool gpuopt::runtime::isWarpgroupProduct(const CallBase &call) {
  return productOf(call).has_value();
}

void gpuopt::runtime::lowerWarpgroupProducts(KernelBuilder &kernel) {
  // Blocks are split.
  SmallVector<std::pair<CallInst *, WarpgroupProduct>> products;
  unsigned words = 0;
  for (Instruction &instruction : instructions(*kernel.function))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (std::optional<WarpgroupProduct> product = productOf(*call)) {
        words = std::max(words, product->unit.words());
        products.emplace_back(call, std::move(*product));
      }
  if (products.empty())
    return;
  // One after the other, they can share their memory.
  Value *memory = MatrixRecord::allocate(kernel, words);
  for (const auto &[statement, product] : products)
    WarpgroupLowering(kernel, *statement, product, memory).lower();
}
