//===- LowerWarpMatrices.cpp - wmma: fragments of matrices ----------------===//
//
// `wmma.load`, `wmma.mma` and `wmma.store`. PTX leaves open which lane holds
// what of a fragment; here it is what `mma.sync` says (MatrixProducts.h), of
// any number of columns, so that a product is one of its units. Fragments that
// have more registers than that takes repeat their elements.
//
// Loads and stores are those of the elements, with all checks, and the subgroup
// does each of them together, as `.sync` says: it waits before and behind.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/MatrixRecord.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

using Element = MatrixUnit::Element;

/// All lanes of a subgroup have to be there.
static constexpr uint64_t wholeSubgroup = 0xffffffff;
static constexpr unsigned lanesOfRow = 4, rowsOfLanes = 8, columnsOfGroup = 8;

namespace {
/// What one of the instructions names.
struct WarpMatrices {
  /// `a`, `b`, `c` or `d` of a load or store; nothing of a product.
  char operand = 0;
  /// In the order of memory: rows one after the other, or columns.
  bool isByRows = false;
  bool hasStride = false;
  MatrixUnit unit;
  /// Of a product, whose sums may go in as halves and come out as floats.
  bool hasHalfSums = false, hasHalfResults = false;

  bool isSum() const { return operand == 'c' || operand == 'd'; }
  unsigned rowsOf() const { return operand == 'b' ? unit.depth : unit.rows; }
  unsigned columnsOf() const {
    return operand == 'a' ? unit.depth : unit.columns;
  }
  /// Elements in a register, and registers that differ.
  unsigned packed() const {
    return isSum() ? unit.packedSums() : unit.packed();
  }
  unsigned words() const {
    return isSum()          ? unit.sumWords()
           : operand == 'a' ? unit.rowWords()
                            : unit.columnWords();
  }
};

/// A load, store or product in one kernel.
class WarpMatrixLowering {
public:
  WarpMatrixLowering(KernelBuilder &builder, CallInst &instruction,
                     const WarpMatrices &matrices)
      : kernel(builder), call(instruction), matrices(matrices),
        ir(&instruction), i32(ir.getInt32Ty()), i64(ir.getInt64Ty()) {}

  void load();
  void store();
  void multiply();

private:
  void waitForSubgroup();
  Value *distance();
  std::pair<Value *, Value *> positionOf(unsigned word, unsigned part);
  Value *placeOf(unsigned word, unsigned part);
  bool isContiguous() const;
  Value *loadWord(unsigned word, Type *type);
  void storeWord(unsigned word, Value *value);
  SmallVector<Value *, 8> sumsAsFloats(ArrayRef<Value *> registers);
  Value *resultOf(ArrayRef<Value *> sums);

  KernelBuilder &kernel;
  CallInst &call;
  const WarpMatrices &matrices;
  IRBuilder<> ir;
  Type *i32, *i64;
};
} // namespace

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static bool setElement(StringRef name, MatrixUnit &unit) {
  auto element = StringSwitch<std::optional<Element>>(name)
                     .Case("f16", Element::F16)
                     .Case("bf16", Element::BF16)
                     .Case("tf32", Element::TF32)
                     .Case("s8", Element::S8)
                     .Case("u8", Element::U8)
                     .Case("f64", Element::F64)
                     .Default(std::nullopt);
  if (!element)
    return false;
  unit.rowElement = unit.columnElement = *element;
  bool isInteger = element == Element::S8 || element == Element::U8;
  unit.sum = isInteger                 ? MatrixUnit::Sum::S32
             : element == Element::F64 ? MatrixUnit::Sum::F64
                                       : MatrixUnit::Sum::F32;
  return true;
}

static bool setSum(StringRef name, MatrixUnit &unit) {
  auto sum = StringSwitch<std::optional<MatrixUnit::Sum>>(name)
                 .Case("f16", MatrixUnit::Sum::F16)
                 .Case("f32", MatrixUnit::Sum::F32)
                 .Case("f64", MatrixUnit::Sum::F64)
                 .Case("s32", MatrixUnit::Sum::S32)
                 .Default(std::nullopt);
  if (sum)
    unit.sum = *sum;
  return sum.has_value();
}

/// `m16n16k16`
static bool setShape(StringRef shape, MatrixUnit &unit) {
  return shape.consume_front("m") && !shape.consumeInteger(10, unit.rows) &&
         shape.consume_front("n") && !shape.consumeInteger(10, unit.columns) &&
         shape.consume_front("k") && !shape.consumeInteger(10, unit.depth) &&
         shape.empty() && unit.depth <= 16;
}

/// `row.stride.f16.p0` behind the operand.
static bool parseAccess(ArrayRef<StringRef> words, WarpMatrices &matrices) {
  matrices.isByRows = words.front() == "row";
  words = words.drop_front();
  matrices.hasStride = !words.empty() && words.front() == "stride";
  if (matrices.hasStride)
    words = words.drop_front();
  if (words.empty())
    return false;
  // The factors do not matter to sums.
  return matrices.isSum() ? setSum(words.front(), matrices.unit)
                          : setElement(words.front(), matrices.unit);
}

/// `row.col.f32.f16.satfinite`: results and sums of halves, else the factors.
static bool parseProduct(ArrayRef<StringRef> words, WarpMatrices &matrices) {
  words = words.drop_front(2);
  MatrixUnit &unit = matrices.unit;
  bool isSaturating = !words.empty() && words.back() == "satfinite";
  if (isSaturating)
    words = words.drop_back();
  if (!words.empty() && words.front() == "rn")
    words = words.drop_front();
  if (words.size() == 2) {
    matrices.hasHalfResults = words[0] == "f16";
    matrices.hasHalfSums = words[1] == "f16";
    bool areHalves = matrices.hasHalfResults && matrices.hasHalfSums;
    // Halves saturate to the largest finite number, which no unit does.
    return !isSaturating && setElement("f16", unit) &&
           setSum(areHalves ? "f16" : "f32", unit);
  }
  if (words.size() != 1 || !setElement(words.front(), unit))
    return false;
  unit.saturates = isSaturating;
  return !isSaturating || unit.sum == MatrixUnit::Sum::S32;
}

/// What is behind `llvm.nvvm.wmma.`
static std::optional<WarpMatrices> parse(StringRef name) {
  SmallVector<StringRef, 8> words;
  name.split(words, '.');
  WarpMatrices matrices;
  if (words.size() < 5 || !setShape(words[0], matrices.unit))
    return std::nullopt;
  if (words[1] == "mma")
    return parseProduct(ArrayRef(words).drop_front(2), matrices)
               ? std::optional(matrices)
               : std::nullopt;
  if ((words[1] != "load" && words[1] != "store") || words[2].size() != 1)
    return std::nullopt;
  matrices.operand = words[2].front();
  return parseAccess(ArrayRef(words).drop_front(3), matrices)
             ? std::optional(matrices)
             : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

void WarpMatrixLowering::waitForSubgroup() {
  kernel.createWait(ir, call, Wait::SubgroupBarrier, ir.getInt64(wholeSubgroup),
                    ir.getInt64(0), ir.getInt64(0));
}

/// Elements from a row to the next, or from a column; an i64.
Value *WarpMatrixLowering::distance() {
  if (matrices.hasStride)
    return ir.CreateSExt(call.getArgOperand(call.arg_size() - 1), i64);
  return ir.getInt64(matrices.isByRows ? matrices.columnsOf()
                                       : matrices.rowsOf());
}

/// The row and the column of an element, each an i32; see MatrixProducts.cpp.
std::pair<Value *, Value *> WarpMatrixLowering::positionOf(unsigned word,
                                                           unsigned part) {
  Value *lane = kernel.laneId(ir);
  Value *g = ir.CreateLShr(lane, 2), *c = ir.CreateAnd(lane, lanesOfRow - 1);
  const MatrixUnit &unit = matrices.unit;
  auto from = [&](Value *base, unsigned first) {
    return ir.CreateAdd(base, ir.getInt32(first));
  };
  if (matrices.isSum()) {
    unsigned index = word * matrices.packed() + part, ofGroup = unit.rows / 4;
    unsigned group = index / ofGroup, number = index % ofGroup;
    return {from(g, number / 2 * rowsOfLanes),
            from(ir.CreateShl(c, 1), group * columnsOfGroup + number % 2)};
  }
  unsigned groups =
      matrices.operand == 'a' ? unit.rows / rowsOfLanes : unit.groups();
  unsigned parts = matrices.words() / groups;
  bool isLeft = matrices.operand == 'a';
  unsigned group = isLeft ? word % groups : word / parts;
  unsigned number = isLeft ? word / groups : word % parts;
  Value *outer = from(g, group * rowsOfLanes);
  Value *product = from(ir.CreateMul(c, ir.getInt32(unit.packed())),
                        number * lanesOfRow * unit.packed() + part);
  return isLeft ? std::pair(outer, product) : std::pair(product, outer);
}

Value *WarpMatrixLowering::placeOf(unsigned word, unsigned part) {
  auto [row, column] = positionOf(word, part);
  Value *outer = ir.CreateZExt(matrices.isByRows ? row : column, i64);
  Value *inner = ir.CreateZExt(matrices.isByRows ? column : row, i64);
  Value *element = ir.CreateAdd(ir.CreateMul(outer, distance()), inner);
  unsigned bytes = matrices.unit.isDouble() ? 8 : 4 / matrices.packed();
  return ir.CreatePtrAdd(call.getArgOperand(0),
                         ir.CreateMul(element, ir.getInt64(bytes)));
}

/// Whether the elements of a register are neighbours in memory: those of sums
/// and of the left factor are in a row.
bool WarpMatrixLowering::isContiguous() const {
  return matrices.packed() == 1 ||
         matrices.isByRows == (matrices.operand != 'b');
}

Value *WarpMatrixLowering::loadWord(unsigned word, Type *type) {
  if (isContiguous()) {
    Align align(type->getPrimitiveSizeInBits() / 8);
    return ir.CreateAlignedLoad(type, placeOf(word, 0), align);
  }
  unsigned bits = 32 / matrices.packed();
  Value *bitsOfWord = ir.getInt32(0);
  for (unsigned part = 0; part < matrices.packed(); ++part) {
    Value *element = ir.CreateAlignedLoad(ir.getIntNTy(bits),
                                          placeOf(word, part), Align(bits / 8));
    bitsOfWord = ir.CreateOr(
        bitsOfWord, ir.CreateShl(ir.CreateZExt(element, i32), bits * part));
  }
  return ir.CreateBitCast(bitsOfWord, type);
}

void WarpMatrixLowering::load() {
  waitForSubgroup();
  auto *types = dyn_cast<StructType>(call.getType());
  unsigned registers = types ? types->getNumElements() : 1;
  SmallVector<Value *, 8> words;
  for (unsigned word = 0; word < std::min(matrices.words(), registers); ++word)
    words.push_back(
        loadWord(word, types ? types->getElementType(word) : call.getType()));
  Value *result = PoisonValue::get(call.getType());
  for (unsigned number = 0; number < registers; ++number) {
    Value *word = words[number % words.size()];
    result = types ? ir.CreateInsertValue(result, word, number) : word;
  }
  waitForSubgroup();
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void WarpMatrixLowering::storeWord(unsigned word, Value *value) {
  if (isContiguous()) {
    Align align(value->getType()->getPrimitiveSizeInBits() / 8);
    ir.CreateAlignedStore(value, placeOf(word, 0), align);
    return;
  }
  unsigned bits = 32 / matrices.packed();
  Value *bitsOfWord = ir.CreateBitCast(value, i32);
  for (unsigned part = 0; part < matrices.packed(); ++part)
    ir.CreateAlignedStore(ir.CreateTrunc(ir.CreateLShr(bitsOfWord, bits * part),
                                         ir.getIntNTy(bits)),
                          placeOf(word, part), Align(bits / 8));
}

void WarpMatrixLowering::store() {
  waitForSubgroup();
  for (unsigned word = 0; word < matrices.words(); ++word)
    storeWord(word, call.getArgOperand(1 + word));
  waitForSubgroup();
  call.eraseFromParent();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Sums of halves, two in a register, as floats.
SmallVector<Value *, 8>
WarpMatrixLowering::sumsAsFloats(ArrayRef<Value *> registers) {
  SmallVector<Value *, 8> sums;
  for (Value *pair : registers)
    for (uint64_t part : {0, 1})
      sums.push_back(
          ir.CreateFPExt(ir.CreateExtractElement(pair, part), ir.getFloatTy()));
  return sums;
}

/// The registers of the result, from the new sums of the unit.
Value *WarpMatrixLowering::resultOf(ArrayRef<Value *> sums) {
  Value *result = PoisonValue::get(call.getType());
  bool isRounded =
      matrices.hasHalfResults && matrices.unit.sum == MatrixUnit::Sum::F32;
  unsigned packed = isRounded ? 2 : 1;
  for (unsigned number = 0; number < sums.size() / packed; ++number) {
    Value *word = sums[number];
    if (isRounded) {
      word = PoisonValue::get(FixedVectorType::get(ir.getHalfTy(), 2));
      for (uint64_t part : {0, 1})
        word = ir.CreateInsertElement(
            word, ir.CreateFPTrunc(sums[2 * number + part], ir.getHalfTy()),
            part);
    }
    result = ir.CreateInsertValue(result, word, number);
  }
  return result;
}

void WarpMatrixLowering::multiply() {
  const MatrixUnit &unit = matrices.unit;
  SmallVector<Value *, 24> arguments(call.args());
  auto *types = cast<StructType>(call.getType());
  bool isOfFloats = unit.sum == MatrixUnit::Sum::F32;
  unsigned sumCount = unit.sumWords();
  if (isOfFloats && matrices.hasHalfSums)
    sumCount /= 2;
  // The factors have the same number of registers, or as many as differ.
  unsigned factors = arguments.size() - sumCount;
  bool areRepeated = factors != unit.rowWords() + unit.columnWords();
  unsigned firstColumn = areRepeated ? factors / 2 : unit.rowWords();
  SmallVector<Value *, 8> sums(ArrayRef(arguments).take_back(sumCount));
  if (isOfFloats && matrices.hasHalfSums)
    sums = sumsAsFloats(sums);

  MatrixRecord record(kernel, unit,
                      MatrixRecord::allocate(kernel, unit.words()));
  for (unsigned word = 0; word < unit.rowWords(); ++word)
    record.store(ir, arguments[word], ir.getInt64(word));
  for (unsigned word = 0; word < unit.columnWords(); ++word)
    record.store(ir, arguments[firstColumn + word],
                 ir.getInt64(record.firstColumnWord() + word));
  for (auto [word, sum] : enumerate(sums))
    record.store(ir, sum, ir.getInt64(record.firstSumWord() + word));
  record.multiply(ir, call);
  SmallVector<Value *, 8> results;
  bool isRounded = isOfFloats && matrices.hasHalfResults;
  for (unsigned number = 0; number < unit.sumWords(); ++number)
    results.push_back(record.loadSum(
        ir, number,
        isRounded ? ir.getFloatTy() : types->getElementType(number)));
  call.replaceAllUsesWith(resultOf(results));
  call.eraseFromParent();
}

bool gpuopt::runtime::lowerWarpMatrices(KernelBuilder &kernel, CallInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("llvm.nvvm.wmma."))
    return false;
  std::optional<WarpMatrices> matrices = parse(name);
  if (!matrices)
    return false;
  WarpMatrixLowering lowering(kernel, call, *matrices);
  if (!matrices->operand)
    lowering.multiply();
  else if (matrices->operand == 'd')
    lowering.store();
  else
    lowering.load();
  return true;
}
