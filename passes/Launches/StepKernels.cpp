//===- StepKernels.cpp - kernels that do several steps --------------------===//

#include "passes/Launches/StepKernels.h"

#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "dialects/GPUOpt/SubgroupShuffles.h"
#include "passes/Launches/StepEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpuopt;

namespace {
/// What both kernels are made with.
class StepKernelBuilder {
public:
  StepKernelBuilder(const StepLoop &steps, const StepShape &shape,
                    bool withFirst, StringRef suffix);

  gpu::GPUFuncOp createBlocks();
  gpu::GPUFuncOp createLast();

private:
  using Body = function_ref<void()>;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, value);
  }
  Value less(Value left, Value right) {
    return arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, left,
                                 right);
  }
  Value both(Value left, Value right) {
    return arith::AndIOp::create(builder, left, right);
  }
  Value multiply(Value left, int64_t right) {
    return arith::MulIOp::create(builder, left, constant(right));
  }
  /// Half of a positive number, some times.
  Value halve(Value value, unsigned times) {
    return arith::ShRSIOp::create(builder, value, constant(times));
  }
  void barrier() { gpu::BarrierOp::create(builder); }
  void addIf(Value condition, Body body);
  void addFor(Value begin, Value end, int64_t step,
              function_ref<void(Value)> body);
  /// An array for each that is written, with `shape` elements.
  void addTiles(ArrayRef<int64_t> shape);
  /// The step in workgroup memory of the thread whose element is `own` and
  /// whose partner is `partner`.
  void stepInTiles(Value id, Value extent, ArrayRef<Value> own,
                   ArrayRef<Value> partner);
  bool isWanted(unsigned array) {
    return !wantedElements(steps, array).has_value();
  }
  void storeTree(const TreeValues &tree);
  void storeRoots(Value row, Value lane, Value exists, Value root);
  SmallVector<Value> lengthsFrom(Value step, unsigned levels);
  Value emitRound(Value step, bool withFirst);
  Value emitTrees(Value step, unsigned levels, bool withFirst);
  Value addWhileAbove(Value limit, Value step,
                      llvm::function_ref<Value(Value)> round);
  Value emitRounds(Value step);
  void fillTiles(Value step, Value first);
  Value stepsInTiles(Value step);
  void stepsInSubgroup(Value step);
  void storeTiles(Value step);
  bool canShuffle();

  const StepLoop &steps;
  const StepShape &shape;
  bool withFirst;
  gpu::GPUFuncOp function;
  ImplicitLocOpBuilder builder;
  SmallVector<Value> arguments;
  /// Numbers of the arrays that are written, and their tiles.
  SmallVector<unsigned> arrays;
  llvm::DenseMap<unsigned, Value> tiles;
  Value thread;
};
} // namespace

StepKernelBuilder::StepKernelBuilder(const StepLoop &loop,
                                     const StepShape &sizes, bool first,
                                     StringRef suffix)
    : steps(loop), shape(sizes), withFirst(first),
      builder(loop.step.kernel->getLoc(), loop.step.kernel->getContext()) {
  function = createKernelBeside(builder, steps, suffix);
  llvm::append_range(arguments, function.getArguments());
  for (Value array : steps.step.written)
    arrays.push_back(cast<BlockArgument>(array).getArgNumber());
  builder.setInsertionPointToStart(&function.getBody().front());
  thread = gpu::ThreadIdOp::create(builder, gpu::Dimension::x);
}

void StepKernelBuilder::addIf(Value condition, Body body) {
  auto branch = scf::IfOp::create(builder, condition, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  body();
}

void StepKernelBuilder::addFor(Value begin, Value end, int64_t step,
                               function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(builder, begin, end, constant(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void StepKernelBuilder::addTiles(ArrayRef<int64_t> extents) {
  auto space = gpu::AddressSpaceAttr::get(
      builder.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  for (unsigned array : arrays) {
    auto type = cast<MemRefType>(function.getArgument(array).getType());
    tiles[array] = function.addWorkgroupAttribution(
        MemRefType::get(extents, type.getElementType(),
                        MemRefLayoutAttrInterface(), space),
        builder.getLoc());
  }
}

void StepKernelBuilder::stepInTiles(Value id, Value extent, ArrayRef<Value> own,
                                    ArrayRef<Value> partner) {
  auto load = [&](ItemElement element) -> Value {
    return memref::LoadOp::create(builder, tiles[element.first],
                                  element.second ? partner : own);
  };
  for (auto [element, value] :
       emitItem(builder, steps.step, arguments, id, extent, load))
    memref::StoreOp::create(builder, value, tiles[element.first],
                            element.second ? partner : own);
}

//===----------------------------------------------------------------------===//
// Trees in registers
//===----------------------------------------------------------------------===//

/// The lengths of `levels` steps from `step` on, the last one first.
SmallVector<Value> StepKernelBuilder::lengthsFrom(Value step, unsigned levels) {
  SmallVector<Value> lengths;
  for (unsigned times = levels; times-- > 0;)
    lengths.push_back(times == 0 ? step : halve(step, times));
  return lengths;
}

/// Stores what is still wanted of a tree: the root, which later steps read, and
/// the others where the source does not say that they are not.
void StepKernelBuilder::storeTree(const TreeValues &tree) {
  for (auto [array, number] : tree.stored)
    if (number == 0 || isWanted(array))
      memref::StoreOp::create(builder, tree.values.lookup({array, number}),
                              arguments[array], tree.positions[number]);
}

/// Stores from the tiles what is still wanted in all rows, and of the others
/// the first row, which later steps read.
void StepKernelBuilder::storeRoots(Value row, Value lane, Value exists,
                                   Value root) {
  for (unsigned array : arrays) {
    Value isLast = less(row, constant(1));
    addIf(isWanted(array) ? exists : both(exists, isLast), [&] {
      Value value =
          memref::LoadOp::create(builder, tiles[array], ValueRange{row, lane});
      memref::StoreOp::create(builder, value, arguments[array], root);
    });
  }
}

gpu::GPUFuncOp StepKernelBuilder::createBlocks() {
  int64_t rows = shape.rows, lanes = shape.lanes;
  unsigned rowLevels = llvm::Log2_64(rows);
  addTiles({rows, lanes});
  Value block = gpu::BlockIdOp::create(builder, gpu::Dimension::x);
  AffineExpr d0 = builder.getAffineDimExpr(0), d1 = builder.getAffineDimExpr(1);
  auto apply = [&](AffineExpr expr, ValueRange dims) -> Value {
    return affine::AffineApplyOp::create(
        builder, AffineMap::get(dims.size(), 0, expr), dims);
  };
  Value row = apply(d0.floorDiv(lanes), thread);
  Value lane = apply(d0 % lanes, thread);
  Value first = arguments[arguments.size() - 1];
  if (!first.getType().isIndex())
    first = arith::IndexCastOp::create(builder, builder.getIndexType(), first);
  SmallVector<Value> lengths = lengthsFrom(first, shape.levels + rowLevels);
  auto rowLengths = ArrayRef<Value>(lengths).take_front(rowLevels);
  Value own = apply(d0 * lanes + d1, {block, lane});
  Value exists = less(own, lengths.front());
  Value root = own;
  for (auto [bit, length] : llvm::enumerate(rowLengths)) {
    Value isSet = apply(d0.floorDiv(int64_t(1) << bit) % 2, row);
    root = arith::AddIOp::create(builder, root,
                                 arith::MulIOp::create(builder, isSet, length));
  }

  StepContext context{steps, arguments, withFirst};
  addIf(exists, [&] {
    TreeValues tree = emitTree(
        builder, context, ArrayRef<Value>(lengths).drop_front(rowLevels), root);
    for (unsigned array : arrays) {
      Value value = tree.values.lookup({array, 0});
      if (!value)
        value = emitInitial(builder, context, array, root);
      memref::StoreOp::create(builder, value, tiles[array],
                              ValueRange{row, lane});
      tree.stored.remove({array, 0});
    }
    storeTree(tree);
  });
  for (unsigned level = rowLevels; level-- > 0;) {
    barrier();
    Value acts = both(exists, less(row, constant(1 << level)));
    addIf(acts, [&] {
      Value partner = arith::AddIOp::create(builder, row, constant(1 << level));
      stepInTiles(root, rowLengths[level], {row, lane}, {partner, lane});
    });
  }
  if (steps.step.writesPartner)
    barrier();
  storeRoots(row, lane, exists, root);
  gpu::ReturnOp::create(builder);
  function.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(rows * lanes), 1, 1}));
  return function;
}

//===----------------------------------------------------------------------===//
// One block
//===----------------------------------------------------------------------===//

/// Does `levels` steps from `step` on, tree after tree; returns the next step.
Value StepKernelBuilder::emitTrees(Value step, unsigned levels, bool first) {
  SmallVector<Value> lengths = lengthsFrom(step, levels);
  addFor(thread, lengths.front(), shape.lastThreads, [&](Value root) {
    StepContext context{steps, arguments, first};
    storeTree(emitTree(builder, context, lengths, root));
  });
  return halve(lengths.front(), 1);
}

/// Several steps at once; where all elements count, only if `step` can be
/// halved exactly, else one. Returns the next step.
Value StepKernelBuilder::emitRound(Value step, bool first) {
  unsigned levels = shape.lastLevels;
  if (!needsWholeSteps(steps) || levels == 1)
    return emitTrees(step, levels, first);
  Value rest = arith::RemSIOp::create(builder, step,
                                      constant(int64_t(1) << (levels - 1)));
  Value isWhole = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, rest,
                                        constant(0));
  auto branch =
      scf::IfOp::create(builder, TypeRange{builder.getIndexType()}, isWhole,
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, emitTrees(step, levels, first));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, emitTrees(step, 1, first));
  return branch.getResult(0);
}

/// `while (step > limit) { step = round(step); barrier }`; returns the step
/// that is left.
Value StepKernelBuilder::addWhileAbove(Value limit, Value step,
                                       llvm::function_ref<Value(Value)> round) {
  Type type = builder.getIndexType();
  auto loop = scf::WhileOp::create(builder, TypeRange{type}, ValueRange{step});
  OpBuilder::InsertionGuard guard(builder);
  Block *before =
      builder.createBlock(&loop.getBefore(), {}, {type}, {builder.getLoc()});
  scf::ConditionOp::create(builder, less(limit, before->getArgument(0)),
                           before->getArguments());
  Block *after =
      builder.createBlock(&loop.getAfter(), {}, {type}, {builder.getLoc()});
  Value next = round(after->getArgument(0));
  barrier();
  scf::YieldOp::create(builder, next);
  return loop.getResult(0);
}

/// Rounds until all elements of a step fit the block's threads.
Value StepKernelBuilder::emitRounds(Value step) {
  Value limit = constant(shape.lastThreads / 2);
  if (withFirst) {
    // Elements are those of the launch before in the first round only.
    auto branch = scf::IfOp::create(builder, TypeRange{builder.getIndexType()},
                                    less(limit, step),
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value next = emitRound(step, true);
    barrier();
    scf::YieldOp::create(builder, next);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, step);
    step = branch.getResult(0);
  }
  return addWhileAbove(limit, step,
                       [&](Value now) { return emitRound(now, false); });
}

/// Brings the elements below 2 * `step` to workgroup memory; `first` is the
/// kernel's first step.
void StepKernelBuilder::fillTiles(Value step, Value first) {
  addIf(less(thread, multiply(step, 2)), [&] {
    for (unsigned array : arrays) {
      StepContext later{steps, arguments, false};
      StepContext now{steps, arguments, withFirst};
      Value value;
      if (withFirst) {
        auto branch = scf::IfOp::create(
            builder,
            TypeRange{
                cast<MemRefType>(tiles[array].getType()).getElementType()},
            less(constant(shape.lastThreads / 2), first),
            /*withElseRegion=*/true);
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(branch.thenBlock());
        scf::YieldOp::create(builder,
                             emitInitial(builder, later, array, thread));
        builder.setInsertionPointToStart(branch.elseBlock());
        scf::YieldOp::create(builder, emitInitial(builder, now, array, thread));
        value = branch.getResult(0);
      } else {
        value = emitInitial(builder, later, array, thread);
      }
      memref::StoreOp::create(builder, value, tiles[array], thread);
    }
  });
  barrier();
}

/// Shuffles take values of 32 bits, and an item writes its own element only.
bool StepKernelBuilder::canShuffle() {
  return shape.hasShuffles && !steps.step.writesPartner &&
         llvm::all_of(arrays, [&](unsigned array) {
           Type type =
               cast<MemRefType>(arguments[array].getType()).getElementType();
           return type.isF32() || type.isInteger(32);
         });
}

/// Returns the step that is left.
Value StepKernelBuilder::stepsInTiles(Value step) {
  Value limit = constant(canShuffle() ? shape.lanes / 2 : 0);
  return addWhileAbove(limit, step, [&](Value now) {
    addIf(less(thread, now), [&] {
      Value partner = arith::AddIOp::create(builder, thread, now);
      stepInTiles(thread, now, {thread}, {partner});
    });
    return halve(now, 1);
  });
}

/// The last steps, whose elements are those of one subgroup's lanes.
void StepKernelBuilder::stepsInSubgroup(Value step) {
  Type i32 = builder.getI32Type();
  addIf(less(thread, constant(shape.lanes)), [&] {
    SmallVector<Value> state = {step};
    for (unsigned array : arrays)
      state.push_back(memref::LoadOp::create(builder, tiles[array], thread));
    SmallVector<Type> types = llvm::to_vector(ValueRange(state).getTypes());
    SmallVector<Location> locs(types.size(), builder.getLoc());
    auto loop = scf::WhileOp::create(builder, types, state);
    {
      OpBuilder::InsertionGuard guard(builder);
      Block *before = builder.createBlock(&loop.getBefore(), {}, types, locs);
      scf::ConditionOp::create(builder,
                               less(constant(0), before->getArgument(0)),
                               before->getArguments());
      Block *after = builder.createBlock(&loop.getAfter(), {}, types, locs);
      Value now = after->getArgument(0);
      Value offset = arith::IndexCastOp::create(builder, i32, now);
      Value width = arith::ConstantIntOp::create(builder, shape.lanes, 32);
      llvm::DenseMap<unsigned, Value> own, partner;
      for (auto [number, array] : llvm::enumerate(arrays)) {
        own[array] = after->getArgument(number + 1);
        partner[array] = gpu::ShuffleOp::create(builder, own[array], offset,
                                                width, gpu::ShuffleMode::DOWN)
                             .getShuffleResult();
      }
      SmallVector<Type> valueTypes(types.begin() + 1, types.end());
      auto branch =
          scf::IfOp::create(builder, TypeRange(valueTypes), less(thread, now),
                            /*withElseRegion=*/true);
      SmallVector<Value> kept(after->getArguments().drop_front());
      {
        OpBuilder::InsertionGuard inner(builder);
        builder.setInsertionPointToStart(branch.thenBlock());
        auto load = [&](ItemElement element) {
          return element.second ? partner[element.first] : own[element.first];
        };
        ItemValues stored =
            emitItem(builder, steps.step, arguments, thread, now, load);
        SmallVector<Value> values;
        for (auto [number, array] : llvm::enumerate(arrays)) {
          Value value = stored.lookup({array, 0});
          values.push_back(value ? value : kept[number]);
        }
        scf::YieldOp::create(builder, values);
        builder.setInsertionPointToStart(branch.elseBlock());
        scf::YieldOp::create(builder, kept);
      }
      SmallVector<Value> next = {halve(now, 1)};
      llvm::append_range(next, branch.getResults());
      scf::YieldOp::create(builder, next);
    }
    for (auto [number, array] : llvm::enumerate(arrays))
      memref::StoreOp::create(builder, loop.getResult(number + 1), tiles[array],
                              thread);
  });
}

/// Stores what is wanted of the elements that the steps from `step` on, or the
/// launch before the loop, wrote; each thread those that it wrote last itself.
void StepKernelBuilder::storeTiles(Value step) {
  bool areBothWritten = steps.step.writesPartner || withFirst;
  Value written = areBothWritten ? multiply(step, 2) : step;
  for (unsigned array : arrays) {
    std::optional<int64_t> wanted = wantedElements(steps, array);
    if (wanted == 0)
      continue;
    Value condition = less(thread, written);
    if (wanted)
      condition = both(condition, less(thread, constant(*wanted)));
    addIf(condition, [&] {
      Value value = memref::LoadOp::create(builder, tiles[array], thread);
      memref::StoreOp::create(builder, value, arguments[array], thread);
    });
  }
}

gpu::GPUFuncOp StepKernelBuilder::createLast() {
  addTiles({shape.lastThreads});
  Value first = arguments[arguments.size() - 1];
  if (!first.getType().isIndex())
    first = arith::IndexCastOp::create(builder, builder.getIndexType(), first);
  Value step = emitRounds(first);
  fillTiles(step, first);
  Value rest = stepsInTiles(step);
  if (canShuffle())
    stepsInSubgroup(rest);
  storeTiles(step);
  gpu::ReturnOp::create(builder);
  function.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(
      {static_cast<int32_t>(shape.lastThreads), 1, 1}));
  return function;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// 32-bit registers for one element of a tree, if all are loaded first. Few of
/// their addresses are alive at a time.
static int64_t registersPerElement(const StepLoop &steps) {
  constexpr int64_t registerBits = 32;
  int64_t registers = 0;
  for (Value array : steps.step.written) {
    Type type = cast<MemRefType>(array.getType()).getElementType();
    registers += llvm::divideCeil(type.getIntOrFloatBitWidth(), registerBits);
  }
  return registers;
}

StepShape gpuopt::computeStepShape(const StepLoop &steps, TargetAttr target) {
  // Beside the elements; and for a thread of the block for the last steps.
  constexpr int64_t baseRegisters = 32, enoughRegisters = 128;
  constexpr int64_t threads = 256;
  StepShape shape;
  shape.hasShuffles = hasSubgroupShuffles(target);
  shape.lanes = target.getSubgroupSize();
  shape.rows = threads / shape.lanes;
  int64_t registers = target.getRegistersPerMultiprocessor();
  shape.lastThreads = llvm::bit_floor<uint64_t>(
      std::min({target.getThreadsPerWorkgroup(), shape.lastThreads,
                registers / enoughRegisters}));
  auto levelsFor = [&](int64_t blockThreads) -> unsigned {
    int64_t available =
        std::min(target.getRegistersPerThread(), registers / blockThreads);
    uint64_t elements = std::max<int64_t>(2, (available - baseRegisters) /
                                                 registersPerElement(steps));
    return std::min(shape.levels, llvm::Log2_64(elements));
  };
  shape.lastLevels = levelsFor(shape.lastThreads);
  // Elements that no step reads lie beyond those that may be wanted.
  while (shape.lastLevels > 1 &&
         (shape.lastThreads / 2) >> (shape.lastLevels - 1) < kMostOutputs)
    --shape.lastLevels;
  shape.levels = levelsFor(threads);
  return shape;
}

gpu::GPUFuncOp gpuopt::createBlockSteps(const StepLoop &steps,
                                        const StepShape &shape,
                                        bool withFirst) {
  return StepKernelBuilder(steps, shape, withFirst,
                           withFirst ? "__first_steps" : "__steps")
      .createBlocks();
}

gpu::GPUFuncOp gpuopt::createLastSteps(const StepLoop &steps,
                                       const StepShape &shape, bool withFirst) {
  return StepKernelBuilder(steps, shape, withFirst,
                           withFirst ? "__first_last_steps" : "__last_steps")
      .createLast();
}
