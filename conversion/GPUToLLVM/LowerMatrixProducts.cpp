//===- LowerMatrixProducts.cpp - products of matrices for NVVM ------------===//

#include "conversion/GPUToLLVM/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_LOWERMATRIXPRODUCTS
#include "conversion/GPUToLLVM/Passes.h.inc"

namespace {
/// Writes one product.
class ProductWriter {
public:
  explicit ProductWriter(nvgpu::MmaSyncOp op)
      : product(op), builder(op), loc(op.getLoc()) {}

  void run();

private:
  Value partOf(Value fragment, int64_t part);
  SmallVector<Value> registersOf(Value fragment);
  SmallVector<Value> elementsOf(Value fragment);
  NVVM::MMATypes operandType();
  void replaceSums(Value result);

  nvgpu::MmaSyncOp product;
  OpBuilder builder;
  Location loc;
};
} // namespace

/// Part `part` of a fragment. Conversions know no matrix that is made of its
/// elements.
Value ProductWriter::partOf(Value fragment, int64_t part) {
  if (auto slice = fragment.getDefiningOp<vector::ExtractStridedSliceOp>())
    return partOf(slice.getSource(),
                  part + cast<IntegerAttr>(slice.getOffsets()[0]).getInt());
  auto made = fragment.getDefiningOp<vector::FromElementsOp>();
  if (!made)
    return vector::ExtractOp::create(builder, loc, fragment, part);
  auto type = cast<VectorType>(fragment.getType());
  int64_t size = type.getDimSize(1);
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get({size}, type.getElementType()),
      made.getElements().slice(part * size, size));
}

/// The operands of a fragment as instructions take them: pairs of halves, other
/// elements as the bits of a register, doubles as they are.
SmallVector<Value> ProductWriter::registersOf(Value fragment) {
  auto type = cast<VectorType>(fragment.getType());
  if (type.getElementType().isF64())
    return elementsOf(fragment);
  SmallVector<Value> registers;
  for (int64_t part = 0; part < type.getDimSize(0); ++part) {
    Value row = partOf(fragment, part);
    if (!type.getElementType().isF16())
      row = LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), row);
    registers.push_back(row);
  }
  return registers;
}

SmallVector<Value> ProductWriter::elementsOf(Value fragment) {
  if (auto made = fragment.getDefiningOp<vector::FromElementsOp>())
    return llvm::to_vector_of<Value>(made.getElements());
  auto type = cast<VectorType>(fragment.getType());
  SmallVector<Value> elements;
  for (int64_t part = 0; part < type.getDimSize(0); ++part)
    for (int64_t element = 0; element < type.getDimSize(1); ++element)
      elements.push_back(vector::ExtractOp::create(
          builder, loc, fragment, ArrayRef<int64_t>{part, element}));
  return elements;
}

/// Gives the sums of `result` to those who take them out of the fragment.
void ProductWriter::replaceSums(Value result) {
  auto type = cast<VectorType>(product.getRes().getType());
  SmallVector<Value> elements;
  for (int64_t number = 0; number < type.getNumElements(); ++number)
    elements.push_back(
        LLVM::ExtractValueOp::create(builder, loc, result, number));
  for (Operation *user : llvm::make_early_inc_range(product->getUsers())) {
    auto extract = dyn_cast<vector::ExtractOp>(user);
    if (!extract || extract.hasDynamicPosition() ||
        extract.getNumIndices() != 2)
      continue;
    ArrayRef<int64_t> place = extract.getStaticPosition();
    extract.replaceAllUsesWith(
        elements[place[0] * type.getDimSize(1) + place[1]]);
    extract.erase();
  }
  if (!product->use_empty())
    product.replaceAllUsesWith(
        vector::FromElementsOp::create(builder, loc, type, elements)
            .getResult());
}

NVVM::MMATypes ProductWriter::operandType() {
  Type type = cast<VectorType>(product.getMatrixA().getType()).getElementType();
  if (type.isBF16())
    return NVVM::MMATypes::bf16;
  if (type.isInteger(8))
    return NVVM::MMATypes::s8;
  if (type.isF64())
    return NVVM::MMATypes::f64;
  return NVVM::MMATypes::f16;
}

void ProductWriter::run() {
  auto type = cast<VectorType>(product.getRes().getType());
  SmallVector<Type> sums(type.getNumElements(), type.getElementType());
  NVVM::MMATypes operands = operandType();
  std::optional<NVVM::MMAIntOverflow> overflow;
  if (operands == NVVM::MMATypes::s8)
    overflow = NVVM::MMAIntOverflow::wrapped;
  Value result = NVVM::MmaOp::create(
      builder, loc,
      LLVM::LLVMStructType::getLiteral(builder.getContext(), sums),
      registersOf(product.getMatrixA()), registersOf(product.getMatrixB()),
      elementsOf(product.getMatrixC()), product.getMmaShapeAsArray(),
      /*b1Op=*/std::nullopt, overflow, std::array{operands, operands},
      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  replaceSums(result);
  product.erase();
}

namespace {
struct LowerMatrixProducts
    : impl::LowerMatrixProductsBase<LowerMatrixProducts> {
  using LowerMatrixProductsBase::LowerMatrixProductsBase;

  void runOnOperation() override {
    SmallVector<nvgpu::MmaSyncOp> products;
    getOperation().walk([&](nvgpu::MmaSyncOp op) { products.push_back(op); });
    for (nvgpu::MmaSyncOp product : products)
      ProductWriter(product).run();
    getOperation().walk([](vector::ExtractStridedSliceOp slice) {
      if (slice->use_empty())
        slice.erase();
    });
  }
};
} // namespace
} // namespace gpuopt
