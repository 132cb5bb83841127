//===- LowerWarpgroupProducts.cpp - wgmma as inline PTX -------------------===//
//
// LLVM has no intrinsic for `wgmma.mma_async`; the statements are those that
// the import of PTX writes, which the executor knows (docs/decisions.md). That
// sums may not be touched between a fence and a wait is nothing that LLVM
// knows: fences and waits take all sums and give them back.
//
//===----------------------------------------------------------------------===//

#include "conversion/GPUToLLVM/Passes.h"
#include "dialects/GPUOpt/GPUOptOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_LOWERWARPGROUPPRODUCTS
#include "conversion/GPUToLLVM/Passes.h.inc"

/// A line of a matrix, and the eight lines that the swizzle permutes.
static constexpr int64_t kLineBytes = 128, kPatternBytes = 8 * kLineBytes;
/// What descriptors count in.
static constexpr int64_t kChunkBytes = 16;

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 64);
}

/// The byte of workgroup memory that `descriptor` begins at.
static Value addressOf(OpBuilder &builder, MatrixDescriptorOp descriptor) {
  Location loc = descriptor.getLoc();
  auto type = cast<MemRefType>(descriptor.getTile().getType());
  Value address =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                 memref::ExtractAlignedPointerAsIndexOp::create(
                                     builder, loc, descriptor.getTile()));
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  for (int64_t dim = type.getRank(); dim-- > 0;) {
    Value index = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                             descriptor.getIndices()[dim]);
    Value offset = arith::MulIOp::create(builder, loc, index,
                                         constant(builder, loc, bytes));
    address = arith::AddIOp::create(builder, loc, address, offset);
    bytes *= type.getDimSize(dim);
  }
  return address;
}

/// PTX ISA, "Matrix-descriptor format": chunks of 16 bytes in 14 bits each.
static LogicalResult lowerDescriptor(MatrixDescriptorOp descriptor) {
  auto type = cast<MemRefType>(descriptor.getTile().getType());
  int64_t line = type.getShape().back() * (type.getElementTypeBitWidth() / 8);
  if (!descriptor.getPanelBytes() || line != kLineBytes)
    return descriptor.emitOpError(
        "expected a tile in the layout of warpgroups, which "
        "gpuopt-eliminate-bank-conflicts gives it");
  constexpr uint64_t swizzleOf128Bytes = uint64_t(1) << 62;
  // Of matrices that are not transposed, nobody reads the first distance.
  uint64_t panels = std::max<int64_t>(*descriptor.getPanelBytes(), kChunkBytes);
  uint64_t fixed = swizzleOf128Bytes |
                   uint64_t(kPatternBytes / kChunkBytes) << 32 |
                   (panels / kChunkBytes) << 16;
  OpBuilder builder(descriptor);
  Location loc = descriptor.getLoc();
  Value chunk = arith::ShRUIOp::create(
      builder, loc, addressOf(builder, descriptor), constant(builder, loc, 4));
  Value field = arith::AndIOp::create(builder, loc, chunk,
                                      constant(builder, loc, 0x3fff));
  descriptor.replaceAllUsesWith(
      arith::OrIOp::create(builder, loc, field,
                           constant(builder, loc, int64_t(fixed)))
          .getResult());
  descriptor.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// A statement without operands.
static void createStatement(OpBuilder &builder, Location loc,
                            const Twine &text) {
  LLVM::InlineAsmOp::create(
      builder, loc, TypeRange(), ValueRange(), builder.getStringAttr(text),
      builder.getStringAttr("~{memory}"), /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
}

namespace {
/// Writes statements whose results are sums.
class SumsWriter {
public:
  SumsWriter(Operation *op, ValueRange given)
      : builder(op), loc(op->getLoc()), sums(given) {}

  /// Lets nothing that is done with sums pass `text`.
  void order(const Twine &text);
  void multiply(WarpgroupProductOp product, Value rows, Value columns);

  OpBuilder builder;
  Location loc;
  SmallVector<Value> sums;

private:
  void write(const Twine &text, ArrayRef<Value> inputs);
};
} // namespace

/// The statement takes `inputs`, and all sums in the registers of its results.
void SumsWriter::write(const Twine &text, ArrayRef<Value> inputs) {
  Type type = sums.front().getType();
  SmallVector<std::string> constraints(sums.size(), type.isF32() ? "=f" : "=r");
  constraints.append(inputs.size(), "l");
  for (size_t index = 0; index < sums.size(); ++index)
    constraints.push_back(std::to_string(index));
  constraints.push_back("~{memory}");
  SmallVector<Value> operands(inputs);
  llvm::append_range(operands, sums);
  auto results = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(sums.size(), type));
  auto statement = LLVM::InlineAsmOp::create(
      builder, loc, TypeRange(results), operands, builder.getStringAttr(text),
      builder.getStringAttr(llvm::join(constraints, ",")),
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  for (auto [index, sum] : llvm::enumerate(sums))
    sum = LLVM::ExtractValueOp::create(builder, loc, statement.getRes(), index);
}

void SumsWriter::order(const Twine &text) { write(text, {}); }

/// What PTX calls the types of factors and sums.
static StringRef typesOf(Type operands) {
  if (operands.isInteger(8))
    return "s32.s8.s8";
  if (operands.isBF16())
    return "f32.bf16.bf16";
  return "f32.f16.f16";
}

void SumsWriter::multiply(WarpgroupProductOp product, Value rows,
                          Value columns) {
  ArrayRef<int64_t> shape = product.getShape();
  std::string text = "{\n\t.reg .pred p;\n\tsetp.ne.b32 p, 1, 0;\n\t"
                     "wgmma.mma_async.sync.aligned.m" +
                     std::to_string(shape[0]) + "n" + std::to_string(shape[1]) +
                     "k" + std::to_string(shape[2]) + "." +
                     typesOf(product.getOperands()).str() + " {";
  for (size_t index = 0; index < sums.size(); ++index)
    text += (index ? ", $" : "$") + std::to_string(index);
  text += "}, $" + std::to_string(sums.size()) + ", $" +
          std::to_string(sums.size() + 1) + ", p";
  // Neither factor is negated; which of them are transposed.
  if (!product.getOperands().isInteger())
    text += std::string(", 1, 1, ") +
            (product.getRowsTransposed() ? "1, " : "0, ") +
            (product.getColumnsTransposed() ? "1" : "0");
  write(text + ";\n\t}", {rows, columns});
}

static void lowerProduct(WarpgroupProductOp product) {
  SumsWriter writer(product, product.getSums());
  OpBuilder &builder = writer.builder;
  Location loc = product.getLoc();
  writer.order("wgmma.fence.sync.aligned;");
  Value rows = product.getRows(), columns = product.getColumns();
  auto advance = [&](Value descriptor, int64_t bytes) -> Value {
    return arith::AddIOp::create(builder, loc, descriptor,
                                 constant(builder, loc, bytes / kChunkBytes));
  };
  for (uint64_t step = 0; step < product.getSteps(); ++step) {
    if (step > 0) {
      rows = advance(rows, product.getRowStep());
      columns = advance(columns, product.getColumnStep());
    }
    writer.multiply(product, rows, columns);
  }
  createStatement(builder, loc, "wgmma.commit_group.sync.aligned;");
  std::string wait = "wgmma.wait_group.sync.aligned " +
                     std::to_string(product.getPending()) + ";";
  if (product.getPending() == 0)
    writer.order(wait);
  else
    createStatement(builder, loc, wait);
  product.replaceAllUsesWith(writer.sums);
  product.erase();
}

static void lowerWait(WarpgroupWaitOp wait) {
  SumsWriter writer(wait, wait.getSums());
  writer.order("wgmma.wait_group.sync.aligned 0;");
  wait.replaceAllUsesWith(writer.sums);
  wait.erase();
}

/// What threads write to tiles as they always do, warpgroups read by another
/// way: each thread makes what it has written known there before others go on.
static void fenceBarriers(gpu::GPUFuncOp kernel) {
  kernel.walk([](gpu::BarrierOp barrier) {
    OpBuilder builder(barrier);
    createStatement(builder, barrier.getLoc(),
                    "fence.proxy.async.shared::cta;");
  });
}

namespace {
struct LowerWarpgroupProducts
    : impl::LowerWarpgroupProductsBase<LowerWarpgroupProducts> {
  using LowerWarpgroupProductsBase::LowerWarpgroupProductsBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>())
      if (failed(lower(kernel)))
        return signalPassFailure();
  }

  LogicalResult lower(gpu::GPUFuncOp kernel);
};
} // namespace

LogicalResult LowerWarpgroupProducts::lower(gpu::GPUFuncOp kernel) {
  SmallVector<WarpgroupProductOp> products;
  SmallVector<WarpgroupWaitOp> waits;
  SmallVector<MatrixDescriptorOp> descriptors;
  kernel.walk([&](Operation *op) {
    if (auto product = dyn_cast<WarpgroupProductOp>(op))
      products.push_back(product);
    else if (auto wait = dyn_cast<WarpgroupWaitOp>(op))
      waits.push_back(wait);
    else if (auto descriptor = dyn_cast<MatrixDescriptorOp>(op))
      descriptors.push_back(descriptor);
  });
  if (!products.empty())
    fenceBarriers(kernel);
  for (WarpgroupProductOp product : products)
    lowerProduct(product);
  for (WarpgroupWaitOp wait : waits)
    lowerWait(wait);
  for (MatrixDescriptorOp descriptor : descriptors)
    if (failed(lowerDescriptor(descriptor)))
      return failure();
  return success();
}
} // namespace gpuopt
