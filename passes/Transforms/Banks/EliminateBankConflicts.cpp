//===- EliminateBankConflicts.cpp - spread tiles over the banks -----------===//
//
// Pads or swizzles workgroup arrays whose accesses meet in a bank of workgroup
// memory. Both move elements to other places and change every access to match;
// that is right where all accesses are known and tell the elements apart by
// their subscripts. Which layout is chosen is a matter of BankLayout.h.
//
//===----------------------------------------------------------------------===//

#include "passes/Analysis/DominatingFacts.h"
#include "passes/Analysis/IndexBounds.h"
#include "passes/Analysis/MatrixRows.h"
#include "passes/Analysis/TimeBudget.h"
#include "passes/Analysis/Traffic.h"
#include "passes/Transforms/Banks/BankLayout.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"
#include "passes/Transforms/Utils/TileShape.h"
#include "passes/Transforms/Utils/WorkgroupMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace gpuopt {
#define GEN_PASS_DEF_ELIMINATEBANKCONFLICTS
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

namespace {
/// The subscripts of one access of a workgroup array.
struct Subscripts {
  /// Null where `operands` are the subscripts themselves.
  AffineMap map;
  ValueRange operands;
  /// Consecutive elements that the access moves.
  int64_t elements = 1;
};
} // namespace

/// Elements of a vector, 1 for other types.
static int64_t elementsOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

/// How `op` accesses `array`; nothing where it does anything else with it.
static std::optional<Subscripts> subscriptsOf(Operation *op, Value array) {
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
// Checks
//===----------------------------------------------------------------------===//

namespace {
/// What is known of a kernel.
class KernelFacts {
public:
  KernelFacts(gpu::GPUFuncOp kernel, BlockShape block);

  /// Checks that the layout of `array` may change.
  std::optional<Refusal> check(BlockArgument array);
  TileArray describe(BlockArgument array) const;
  BankContext context(TargetAttr target) const;

  gpu::GPUFuncOp kernel;

private:
  bool isInside(Operation *op, const Subscripts &subscripts, MemRefType type);
  bool isNonNegative(Operation *op, const Polynomial &form,
                     const Polynomial &value);

  BlockShape block;
  AccessFunctions functions;
  IndexBounds bounds;
  IntegerValues values;
};
} // namespace

KernelFacts::KernelFacts(gpu::GPUFuncOp function, BlockShape shape)
    : kernel(function), block(shape), functions(function),
      bounds(function, shape), values(function) {
  // In loops without a rest the last iteration starts a step before the end.
  kernel.walk([&](affine::AffineForOp loop) {
    if (loop.hasConstantBounds() && loop.getStepAsInt() > 1 &&
        (loop.getConstantUpperBound() - loop.getConstantLowerBound()) %
                loop.getStepAsInt() ==
            0)
      bounds.assumeFullTiles(loop);
  });
}

/// Two analyses know different things: `form` the block shape, `value` the
/// guards around `op`.
bool KernelFacts::isNonNegative(Operation *op, const Polynomial &form,
                                const Polynomial &value) {
  std::optional<int64_t> least = bounds.minimum(form).getConstant();
  return (least && *least >= 0) || provesNonNegative(op, value, values);
}

/// Whether every subscript stays in its dimension. One that leaves the
/// outermost dimension leaves the array, which no program may.
bool KernelFacts::isInside(Operation *op, const Subscripts &subscripts,
                           MemRefType type) {
  SmallVector<Polynomial> forms, exact;
  if (subscripts.map) {
    forms = bounds.formsOf(subscripts.map, subscripts.operands);
    exact = values.get(subscripts.map, subscripts.operands);
  } else {
    for (Value operand : subscripts.operands) {
      forms.push_back(bounds.formOf(operand));
      exact.push_back(values.getExact(operand, false).value);
    }
  }
  for (int64_t dimension = 1; dimension < type.getRank(); ++dimension) {
    bool isRow = dimension + 1 == type.getRank();
    Polynomial last =
        type.getDimSize(dimension) - (isRow ? subscripts.elements : int64_t(1));
    if (!isNonNegative(op, forms[dimension], exact[dimension]) ||
        !isNonNegative(op, last - forms[dimension], last - exact[dimension]))
      return false;
  }
  return true;
}

std::optional<Refusal> KernelFacts::check(BlockArgument array) {
  auto type = cast<MemRefType>(array.getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return Refusal{array.getLoc(), "the array's layout is given"};
  for (Operation *user : array.getUsers()) {
    std::optional<Subscripts> subscripts = subscriptsOf(user, array);
    if (!subscripts)
      return Refusal{user->getLoc(),
                     ("the array is used by '" +
                      user->getName().getStringRef() +
                      "', which may depend on where its elements lie")
                         .str()};
    if (!isInside(user, *subscripts, type))
      return Refusal{user->getLoc(), "a subscript may leave its dimension"};
  }
  return std::nullopt;
}

TileArray KernelFacts::describe(BlockArgument array) const {
  auto type = cast<MemRefType>(array.getType());
  TileArray tile;
  tile.shape.assign(type.getShape().begin(), type.getShape().end());
  for (const AccessFunction &access : functions.accesses()) {
    if (access.base != array)
      continue;
    tile.elementBytes = access.elementBytes;
    tile.accesses.push_back(
        {access,
         computeExecutions(access, functions.variables(), block).count});
  }
  return tile;
}

/// Registers that hold the values that loops carry: a lower bound on what a
/// thread needs.
static int64_t carriedRegisters(gpu::GPUFuncOp kernel) {
  int64_t most = 0;
  kernel.walk([&](LoopLikeOpInterface loop) {
    int64_t registers = 0;
    for (Value value : loop.getRegionIterArgs()) {
      Type type = getElementTypeOrSelf(value.getType());
      int64_t bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
      registers += llvm::divideCeil(elementsOf(value.getType()) * bits, 32);
    }
    most = std::max(most, registers);
  });
  return most;
}

BankContext KernelFacts::context(TargetAttr target) const {
  BlockResources resources;
  resources.threads = block[0] * block[1] * block[2];
  resources.registersPerThread =
      std::min(carriedRegisters(kernel), target.getRegistersPerThread());
  resources.workgroupMemoryBytes = workgroupBytes(kernel);
  return BankContext{target, block, functions.variables(), resources,
                     staticWorkgroupLimit(target)};
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

/// Lengthens a dimension of `array`; subscripts stay.
static void pad(BlockArgument array, const BankLayout &layout) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[layout.dimension] += layout.padding;
  array.setType(MemRefType::get(shape, type.getElementType(),
                                MemRefLayoutAttrInterface(),
                                type.getMemorySpace()));
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
            vector::LoadOp, vector::StoreOp, nvgpu::LdMatrixOp>(
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

static void swizzle(BlockArgument array, const BankLayout &layout) {
  for (Operation *user : llvm::to_vector(array.getUsers())) {
    Subscripts subscripts = *subscriptsOf(user, array);
    OpBuilder builder(user);
    SmallVector<Value> indices(subscripts.operands);
    if (subscripts.map) {
      indices.clear();
      SmallVector<OpFoldResult> operands(subscripts.operands);
      for (unsigned result = 0; result < subscripts.map.getNumResults();
           ++result)
        indices.push_back(getValueOrCreateConstantIndexOp(
            builder, user->getLoc(),
            affine::makeComposedFoldedAffineApply(
                builder, user->getLoc(), subscripts.map.getSubMap(result),
                operands)));
    }
    indices.back() =
        swizzledColumn(builder, user->getLoc(), indices[indices.size() - 2],
                       indices.back(), layout);
    replaceSubscripts(user, array, indices);
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// What was done for `layout` to an array of `rank` dimensions. Adds to
/// `values` what the remark says of it.
static RemarkCode describe(const BankLayout &layout, unsigned rank,
                           SmallVectorImpl<RemarkValue> &values) {
  if (layout.kind == BankLayout::Kind::Swizzled) {
    values.append({{"rows", layout.rows},
                   {"steps", layout.steps},
                   {"chunk", layout.chunk}});
    return RemarkCode::TileSwizzled;
  }
  values.emplace_back("elements", layout.padding);
  if (layout.dimension + 1 == rank)
    return RemarkCode::TileRowsPadded;
  values.emplace_back("dimension", layout.dimension);
  return RemarkCode::TileDimensionPadded;
}

/// Reports what became of `array`, which had the type `type`; nothing where it
/// has no conflicts.
static void report(gpu::GPUFuncOp kernel, BlockArgument array, MemRefType type,
                   const BankPlan &plan) {
  std::string shape = shapeText(type.getShape());
  auto count = [](double value) { return static_cast<int64_t>(value + 0.5); };
  if (plan.layout.kind == BankLayout::Kind::RowMajor) {
    if (plan.before.hasConflicts())
      sayMissed(RemarkCode::BankConflictsLeft, kernel, array.getLoc(),
                {{"tile", shape},
                 {"wavefronts", count(plan.before.wavefronts)},
                 {"degree", plan.before.degree}});
    return;
  }
  SmallVector<RemarkValue> values = {{"tile", shape},
                                     {"before", plan.before.degree},
                                     {"after", plan.after.degree}};
  RemarkCode code = describe(plan.layout, type.getRank(), values);
  sayPassed(code, kernel, array.getLoc(), values)
      << remark::metric("wavefronts_before", count(plan.before.wavefronts))
      << remark::metric("wavefronts_after", count(plan.after.wavefronts))
      << remark::metric("wavefronts_needed", count(plan.after.needed))
      << remark::metric("bytes_added",
                        staticBytes(array.getType()) - staticBytes(type));
}

namespace {
/// What became of an array.
enum class Outcome { Free, Changed, Left };
} // namespace

/// Changes the layout of `array` where that pays.
static Outcome processArray(KernelFacts &facts, BlockArgument array,
                            TargetAttr target) {
  auto type = cast<MemRefType>(array.getType());
  TileArray tile = facts.describe(array);
  BankPlan plan;
  std::optional<Refusal> refusal;
  bool isKnown = llvm::all_of(tile.accesses, [](const TileAccess &access) {
    return access.function.isResolved();
  });
  if (isKnown)
    plan = planBankLayout(tile, facts.context(target));
  if (!isKnown)
    refusal = Refusal{array.getLoc(), "the banks of an access are not known"};
  else if (plan.layout.kind != BankLayout::Kind::RowMajor)
    refusal = facts.check(array);
  if (refusal) {
    sayMissed(RemarkCode::TileLayoutKept, facts.kernel, *refusal);
    return Outcome::Left;
  }
  if (plan.layout.kind != BankLayout::Kind::RowMajor)
    limitAlignments(array);
  if (plan.layout.kind == BankLayout::Kind::Padded)
    pad(array, plan.layout);
  else if (plan.layout.kind == BankLayout::Kind::Swizzled)
    swizzle(array, plan.layout);
  report(facts.kernel, array, type, plan);
  if (plan.layout.kind != BankLayout::Kind::RowMajor)
    return Outcome::Changed;
  return plan.before.hasConflicts() ? Outcome::Left : Outcome::Free;
}

/// The threads of a block; nothing where they are not known.
static std::optional<BlockShape> blockOf(gpu::GPUFuncOp kernel) {
  if (GeometryAttr geometry = geometryOf(kernel))
    return BlockShape{geometry.getBlock()[0], geometry.getBlock()[1],
                      geometry.getBlock()[2]};
  if (std::optional<ArrayRef<int32_t>> known = kernel.getKnownBlockSize())
    return BlockShape{(*known)[0], (*known)[1], (*known)[2]};
  return std::nullopt;
}

namespace {
struct EliminateBankConflicts
    : public gpuopt::impl::EliminateBankConflictsBase<EliminateBankConflicts> {
  using EliminateBankConflictsBase::EliminateBankConflictsBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> machine = resolveTarget(getOperation(), target);
    if (failed(machine))
      return signalPassFailure();
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      process(kernel, *machine);
  }

  void process(gpu::GPUFuncOp kernel, TargetAttr machine);
};
} // namespace

void EliminateBankConflicts::process(gpu::GPUFuncOp kernel,
                                     TargetAttr machine) {
  ArrayRef<BlockArgument> arrays = kernel.getWorkgroupAttributions();
  if (arrays.empty())
    return;
  std::optional<BlockShape> block = blockOf(kernel);
  if (!block)
    return sayMissed(
        RemarkCode::TileLayoutKept, kernel,
        Refusal{kernel.getLoc(), "the kernel's block shape is not known"});
  std::optional<KernelFacts> facts;
  size_t free = 0;
  for (BlockArgument array : arrays) {
    if (!hasTime(kernel.getContext()))
      break;
    if (!facts)
      facts.emplace(kernel, *block);
    Outcome outcome = processArray(*facts, array, machine);
    free += outcome == Outcome::Free;
    if (outcome != Outcome::Changed)
      continue;
    ++changed;
    // The operations that the analyses know may be gone.
    facts.reset();
  }
  if (free > 0)
    sayFound(RemarkCode::TilesFreeOfConflicts, kernel, kernel.getLoc(),
             {{"arrays", free}, {"all", arrays.size()}});
}
