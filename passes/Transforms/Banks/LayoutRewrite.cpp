//===- LayoutRewrite.cpp - arrays in another layout -----------------------===//

#include "passes/Transforms/Banks/LayoutRewrite.h"

#include "dialects/GPUOpt/GPUOptOps.h"
#include "passes/Analysis/MatrixRows.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Elements of a vector, 1 for other types.
static int64_t elementsOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

std::optional<Subscripts> gpuopt::subscriptsOf(Operation *op, Value array) {
  using Result = std::optional<Subscripts>;
  Type elementType = cast<MemRefType>(array.getType()).getElementType();
  // An array of vectors is accessed a whole element at a time.
  auto elements = [&](Type type) {
    return type == elementType ? 1 : elementsOf(type);
  };
  if (llvm::count(op->getOperands(), array) != 1)
    return std::nullopt;
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](affine::AffineReadOpInterface load) {
        return Subscripts{load.getAffineMap(), load.getMapOperands(),
                          elements(load.getValue().getType())};
      })
      .Case([&](affine::AffineWriteOpInterface store) {
        return Subscripts{store.getAffineMap(), store.getMapOperands(),
                          elements(store.getValueToStore().getType())};
      })
      .Case<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp>(
          [&](auto access) { return Subscripts{{}, access.getIndices(), 1}; })
      .Case([&](vector::LoadOp load) {
        return Subscripts{{}, load.getIndices(), elements(load.getType())};
      })
      .Case([&](vector::StoreOp store) {
        return Subscripts{{},
                          store.getIndices(),
                          elements(store.getValueToStore().getType())};
      })
      .Case([&](MatrixDescriptorOp descriptor) {
        return Subscripts{{}, descriptor.getIndices(), 1};
      })
      .Case([&](nvgpu::LdMatrixOp load) {
        // A row of each matrix, which the lanes' addresses are those of.
        return Subscripts{
            {}, load.getIndices(), elementsOfMatrixRow(elementType)};
      })
      .Case([&](nvgpu::DeviceAsyncCopyOp copy) -> Result {
        if (copy.getDst() != array)
          return std::nullopt;
        return Subscripts{
            {},
            copy.getDstIndices(),
            static_cast<int64_t>(copy.getDstElements().getZExtValue())};
      })
      .Default([](Operation *) { return Result(); });
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Of alignments that vector accesses state, a new layout keeps that to their
/// own bytes.
static void limitAlignments(BlockArgument array) {
  auto limit = [](auto access, VectorType type) {
    std::optional<uint64_t> alignment = access.getAlignment();
    uint64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
    if (alignment && *alignment > bytes)
      access.setAlignment(bytes);
  };
  for (Operation *user : array.getUsers()) {
    if (auto load = dyn_cast<vector::LoadOp>(user))
      limit(load, load.getVectorType());
    else if (auto store = dyn_cast<vector::StoreOp>(user))
      limit(store, store.getVectorType());
  }
}

/// The shape of `array` in `layout`.
static SmallVector<int64_t> shapeIn(MemRefType type, const BankLayout &layout) {
  SmallVector<int64_t> shape(type.getShape());
  if (layout.kind == BankLayout::Kind::Padded)
    shape[layout.dimension] += layout.padding;
  if (layout.kind == BankLayout::Kind::Permuted)
    for (auto [place, dimension] : llvm::enumerate(layout.order))
      shape[place] = type.getDimSize(dimension);
  if (layout.kind == BankLayout::Kind::Skewed)
    shape.front() += (shape.front() - 1) / layout.chunk * layout.padding;
  return shape;
}

/// The column exclusive-or the row's step. The row is not negative, so that
/// shifts and masks divide.
static Value swizzledColumn(OpBuilder &builder, Location loc, Value row,
                            Value column, const BankLayout &layout) {
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value step = row;
  if (layout.rows > 1)
    step = arith::ShRUIOp::create(builder, loc, step,
                                  constant(llvm::Log2_64(layout.rows)));
  step = arith::AndIOp::create(builder, loc, step, constant(layout.steps - 1));
  if (layout.chunk > 1)
    step = arith::ShLIOp::create(builder, loc, step,
                                 constant(llvm::Log2_64(layout.chunk)));
  return arith::XOrIOp::create(builder, loc, column, step);
}

/// Lets `op` access `array` at `indices`.
static void replaceSubscripts(Operation *op, Value array,
                              ArrayRef<Value> indices) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  TypeSwitch<Operation *>(op)
      .Case<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp,
            vector::LoadOp, vector::StoreOp, nvgpu::LdMatrixOp,
            MatrixDescriptorOp>(
          [&](auto access) { access.getIndicesMutable().assign(indices); })
      .Case([&](nvgpu::DeviceAsyncCopyOp copy) {
        copy.getDstIndicesMutable().assign(indices);
      })
      .Case([&](affine::AffineVectorLoadOp load) {
        load.replaceAllUsesWith(vector::LoadOp::create(builder, loc,
                                                       load.getVectorType(),
                                                       array, indices)
                                    .getResult());
        load.erase();
      })
      .Case([&](affine::AffineVectorStoreOp store) {
        vector::StoreOp::create(builder, loc, store.getValueToStore(), array,
                                indices);
        store.erase();
      })
      .Case([&](affine::AffineReadOpInterface load) {
        load.getValue().replaceAllUsesWith(
            memref::LoadOp::create(builder, loc, array, indices));
        load.erase();
      })
      .Case([&](affine::AffineWriteOpInterface store) {
        memref::StoreOp::create(builder, loc, store.getValueToStore(), array,
                                indices);
        store.erase();
      });
}

/// The place of element `index` of an array of one dimension with `elements`.
/// Indices are not negative, so that divisions without a sign divide.
static Value flatPlace(OpBuilder &builder, Location loc, Value index,
                       int64_t elements, const BankLayout &layout) {
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value chunk = constant(layout.chunk);
  Value group = arith::DivUIOp::create(builder, loc, index, chunk);
  Value first = index, other = group;
  int64_t stride = layout.padding;
  if (layout.kind == BankLayout::Kind::Interleaved) {
    first = group;
    other = arith::RemUIOp::create(builder, loc, index, chunk);
    stride = elements / layout.chunk;
  }
  Value distance =
      stride == 1 ? other
                  : arith::MulIOp::create(builder, loc, other, constant(stride))
                        .getResult();
  return arith::AddIOp::create(builder, loc, first, distance);
}

/// The subscripts as values in front of `user`.
static SmallVector<Value> indicesOf(Operation *user,
                                    const Subscripts &subscripts) {
  SmallVector<Value> indices(subscripts.operands);
  if (!subscripts.map)
    return indices;
  OpBuilder builder(user);
  indices.clear();
  SmallVector<OpFoldResult> operands(subscripts.operands);
  for (unsigned result = 0; result < subscripts.map.getNumResults(); ++result)
    indices.push_back(getValueOrCreateConstantIndexOp(
        builder, user->getLoc(),
        affine::makeComposedFoldedAffineApply(builder, user->getLoc(),
                                              subscripts.map.getSubMap(result),
                                              operands)));
  return indices;
}

/// Lets `user` find its elements of `array`, which had `elements`, in `layout`.
static void changeAccess(Operation *user, BlockArgument array, int64_t elements,
                         const BankLayout &layout) {
  SmallVector<Value> indices = indicesOf(user, *subscriptsOf(user, array));
  OpBuilder builder(user);
  Location loc = user->getLoc();
  switch (layout.kind) {
  case BankLayout::Kind::RowMajor:
  case BankLayout::Kind::Padded:
    return;
  case BankLayout::Kind::Permuted: {
    SmallVector<Value> source = indices;
    for (auto [place, dimension] : llvm::enumerate(layout.order))
      indices[place] = source[dimension];
    break;
  }
  case BankLayout::Kind::Swizzled:
    indices.back() = swizzledColumn(builder, loc, indices[indices.size() - 2],
                                    indices.back(), layout);
    break;
  case BankLayout::Kind::Interleaved:
  case BankLayout::Kind::Skewed:
    indices.front() =
        flatPlace(builder, loc, indices.front(), elements, layout);
    break;
  }
  replaceSubscripts(user, array, indices);
}

void gpuopt::moveElements(BlockArgument array, ArrayRef<int64_t> shape,
                          PlaceFunction place) {
  limitAlignments(array);
  auto type = cast<MemRefType>(array.getType());
  for (Operation *user : llvm::to_vector(array.getUsers())) {
    SmallVector<Value> indices = indicesOf(user, *subscriptsOf(user, array));
    OpBuilder builder(user);
    place(builder, user->getLoc(), indices);
    replaceSubscripts(user, array, indices);
  }
  array.setType(MemRefType::get(shape, type.getElementType(),
                                MemRefLayoutAttrInterface(),
                                type.getMemorySpace()));
}

void gpuopt::applyLayout(BlockArgument array, const BankLayout &layout) {
  if (layout.kind == BankLayout::Kind::RowMajor)
    return;
  limitAlignments(array);
  auto type = cast<MemRefType>(array.getType());
  array.setType(MemRefType::get(shapeIn(type, layout), type.getElementType(),
                                MemRefLayoutAttrInterface(),
                                type.getMemorySpace()));
  // Subscripts stay where only rows are longer.
  if (layout.kind == BankLayout::Kind::Padded)
    return;
  for (Operation *user : llvm::to_vector(array.getUsers()))
    changeAccess(user, array, type.getNumElements(), layout);
}
