//===- BuildStatements.cpp - blocks as statements -------------------------===//
//
// Loops, branches, stores and barriers, and the variables that carry values
// across them. See KernelBuilder.h.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/KernelBuilder.h"
#include "conversion/EmitSource/LaunchSequence.h"
#include "conversion/EmitSource/LegalNames.h"
#include "conversion/EmitSource/Structures.h"
#include "dialects/GPUOpt/LargestBlock.h"

#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"
#include "dialects/GPUOpt/GPUOptOps.h"
#include "dialects/GPUOpt/ResidentBlocks.h"
#include "runtime/Launch.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

LogicalResult KernelBuilder::build() {
  if (!function.getBody().hasOneBlock()) {
    fail(function.getLoc(),
         "a kernel with branches that are not structured has no source form; "
         "raise it first");
    return failure();
  }
  addParameters();
  addWorkgroupArrays();
  if (auto geometry =
          function->getAttrOfType<GeometryAttr>(kGeometryAttrName)) {
    kernel.threadsPerBlock = 1;
    for (int64_t threads : geometry.getBlock())
      kernel.threadsPerBlock *= threads;
    kernel.residentBlocks = residentBlocksOf(function);
    kernel.wavesPerUnit =
        wavesPerExecutionUnit(function, kernel.threadsPerBlock);
  }
  kernel.hasNarrowPositions = function->hasAttr(kNarrowPositionsAttrName);
  kernel.body = buildBlock(function.getBody().front());
  return failure(hasFailed);
}

void KernelBuilder::addParameters() {
  unsigned count = function.getFunctionType().getNumInputs();
  SmallVector<std::string> names = parameterNames(function);
  Variable *owner = nullptr;
  for (unsigned number = 0; number < count && !hasFailed; ++number) {
    auto memory =
        function.getArgAttrOfType<DictionaryAttr>(number, kStructureAttrName);
    if (DictionaryAttr structure = structureAround(function, number)) {
      if (firstOf(structure) == number)
        owner = addSplitStructure(structure, baseOf(names[number]));
      addMember(structure, number, names[number], owner);
    } else if (memory) {
      addStructure(number, memory, names[number]);
    } else {
      addParameter(number, names[number]);
    }
  }
}

void KernelBuilder::addParameter(unsigned number, const std::string &name) {
  BlockArgument argument = function.getArgument(number);
  auto memref = dyn_cast<MemRefType>(argument.getType());
  if (isa<LLVM::LLVMPointerType>(argument.getType()))
    return failWithPointer(argument, name);
  CType type =
      typeOf(memref ? memref.getElementType() : Type(argument.getType()));
  if (type.kind == CType::Void || type.lanes != 1) {
    fail(function.getLoc(), "a parameter of type " + spell(argument.getType()) +
                                " has no source form");
    return;
  }
  if (type.kind == CType::Index)
    type = {CType::Signed, 64, 1};
  Variable *parameter = kernel.createVariable(Variable::Parameter, name, type);
  parameter->isPointer = memref != nullptr;
  variables[argument] = parameter;
  if (launchers && isOfLaunch(argument)) {
    // A part of the launch: `grid_x` is `grid.x`.
    auto [what, axis] = StringRef(parameter->name).split('_');
    parameter->name = (what + "." + axis).str();
    parameter->type = kIndexType;
    parameter->range = {1, what == "block" ? kMostThreadsOfBlock
                           : axis == "x"   ? std::numeric_limits<int>::max()
                                           : kMostBlocksAlongYOrZ};
    return;
  }
  auto has = [&](StringRef attribute) {
    return static_cast<bool>(function.getArgAttr(number, attribute));
  };
  parameter->isRestrict = memref && has("llvm.noalias");
  parameter->isConst = memref && has("llvm.readonly");
  if (parameter->type.isInteger() && has(kUnsignedAttrName)) {
    parameter->type.kind = CType::Unsigned;
    if (type.bits <= 32)
      parameter->range = {0, (int64_t(1) << type.bits) - 1};
  }
  if (auto pointee =
          function.getArgAttrOfType<StringAttr>(number, kPointeeAttrName))
    parameter->pointee = pointee.str();
  if (has(kUnusedAttrName))
    parameter->pointToAnything();
  kernel.parameters.push_back(parameter);
}

void KernelBuilder::addWorkgroupArrays() {
  for (BlockArgument argument : function.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(argument.getType());
    CType element = typeOf(type.getElementType());
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
        element.kind == CType::Void) {
      fail(function.getLoc(),
           "workgroup memory of type " + spell(type) + " has no source form");
      return;
    }
    Variable *array = kernel.createVariable(Variable::Shared, "", element);
    llvm::append_range(array->shape, type.getShape());
    kernel.shared.push_back(array);
    variables[argument] = array;
  }
}

//===--- Variables --------------------------------------------------------===//

std::string KernelBuilder::nameFor(Value value) {
  for (Location location = value.getLoc();;) {
    if (auto named = dyn_cast<NameLoc>(location))
      return named.getName().str();
    if (auto call = dyn_cast<CallSiteLoc>(location)) {
      location = call.getCallee();
      continue;
    }
    auto fused = dyn_cast<FusedLoc>(location);
    if (!fused || fused.getLocations().empty())
      return "";
    location = fused.getLocations().front();
  }
}

Variable *KernelBuilder::variableOf(Value value) {
  Value leader = plan.leader(value);
  Variable *&variable = variables[leader];
  if (!variable) {
    CType type = typeOf(value.getType());
    if (type.kind == CType::Void)
      fail(value.getLoc(),
           "a value of type " + spell(value.getType()) + " has no source form");
    variable = kernel.createVariable(Variable::Local, nameFor(value), type);
  }
  if (variable->name.empty())
    variable->name = nameFor(value);
  return variable;
}

Stmt *KernelBuilder::emit(Stmt::Kind kind, Location location) {
  Stmt *stmt = kernel.createStmt(kind, location);
  current->push_back(stmt);
  return stmt;
}

void KernelBuilder::assign(Location location, Value to, const Expr *value) {
  const Expr *target = kernel.use(variableOf(to));
  if (kernel.asSum(target) == value || target == value)
    return;
  Stmt *stmt = emit(Stmt::Assign, location);
  stmt->target = target;
  stmt->value = value;
  if (to.getType().isInteger(1) && plan.isAlone(to))
    meanings[target->variable] = value;
  if (isa<IndexType>(to.getType()) && plan.isAlone(to)) {
    source::Range &range = target->variable->range;
    range = rangeOf(value);
    target->variable->isIndex = true;
    // An id of a block is one in any order.
    Operation *op = to.getDefiningOp();
    if (auto axis =
            op ? op->getAttrOfType<StringAttr>(kBlockIdAttrName) : StringAttr())
      if (Variable *id = builtins.lookup(("blockIdx." + axis.str()))) {
        range.low = std::max(range.low, id->range.low);
        range.high = std::min(range.high, id->range.high);
      }
  }
}

static bool reads(const Expr *expr, const Variable *variable) {
  return expr->variable == variable ||
         llvm::any_of(expr->operands, [&](const Expr *operand) {
           return reads(operand, variable);
         });
}

void KernelBuilder::assignAll(Location location, ValueRange to,
                              ValueRange values) {
  struct Copy {
    Variable *to;
    const Expr *value;
  };
  std::vector<Copy> copies;
  for (auto [target, value] : llvm::zip(to, values)) {
    Variable *variable = variableOf(target);
    // What is undefined need not be written, but a loop's variable must exist
    // before the loop.
    if (isUndefined(value.getDefiningOp())) {
      if (isa<BlockArgument>(target))
        emit(Stmt::Assign, location)->target = kernel.use(variable);
      continue;
    }
    const Expr *expr = build(value);
    if (expr != kernel.use(variable) &&
        expr != kernel.asSum(kernel.use(variable)))
      copies.push_back({variable, expr});
  }
  while (!copies.empty()) {
    // First what no other copy reads.
    auto isFree = [&](const Copy &copy) {
      return llvm::none_of(copies, [&](const Copy &other) {
        return &other != &copy && reads(other.value, copy.to);
      });
    };
    auto next = llvm::find_if(copies, isFree);
    if (next == copies.end()) {
      // A circle: its first value moves out of the way.
      next = copies.begin();
      Variable *saved = kernel.createVariable(
          Variable::Local, "previous_" + next->to->name, next->to->type);
      Stmt *save = emit(Stmt::Assign, location);
      save->target = kernel.use(saved);
      save->value = kernel.use(next->to);
      for (Copy &copy : copies)
        if (copy.to != next->to)
          copy.value = rewrite(
              kernel, copy.value, [&](const Expr *expr) -> const Expr * {
                return expr == kernel.use(next->to) ? kernel.use(saved)
                                                    : nullptr;
              });
    }
    Stmt *stmt = emit(Stmt::Assign, location);
    stmt->target = kernel.use(next->to);
    stmt->value = next->value;
    copies.erase(next);
  }
}

//===--- Blocks -----------------------------------------------------------===//

source::Block KernelBuilder::buildBlock(mlir::Block &block) {
  source::Block built;
  source::Block *outer = std::exchange(current, &built);
  for (Operation &op : block)
    if (!hasFailed)
      buildOp(&op);
  current = outer;
  return built;
}

void KernelBuilder::buildStore(Operation *op, Value value, const Expr *target) {
  Stmt *stmt = emit(Stmt::Assign, op->getLoc());
  stmt->target = target;
  stmt->value = build(value);
}

/// A call, or what gives one value.
void KernelBuilder::buildResult(Operation *op) {
  if (buildCall(op))
    return;
  if (isa<LLVM::Trap>(op)) {
    emit(Stmt::Evaluate, op->getLoc())->value =
        call("__trap", {}, CType{CType::Void, 0, 1});
    return;
  }
  if (op->getNumResults() != 1) {
    failWithoutForm(op);
    return;
  }
  assign(op->getLoc(), op->getResult(0), buildOpValue(op));
}

void KernelBuilder::buildOp(Operation *op) {
  if (plan.isInline(op) || isOfStructure(op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](affine::AffineForOp loop) { buildFor(loop); })
      .Case([&](scf::ForOp loop) { buildFor(loop); })
      .Case([&](affine::AffineParallelOp loop) { buildParallel(loop); })
      .Case([&](scf::WhileOp loop) { buildWhile(loop); })
      .Case([&](scf::IfOp branch) { buildIf(branch); })
      .Case([&](scf::IndexSwitchOp branch) { buildSwitch(branch); })
      .Case<gpu::ReturnOp, scf::YieldOp, affine::AffineYieldOp,
            scf::ConditionOp>([](Operation *) {})
      .Case([&](gpu::BarrierOp) { emit(Stmt::Barrier, op->getLoc()); })
      .Case([&](affine::AffineStoreOp store) {
        buildStore(op, store.getValue(),
                   access(op->getLoc(), store.getMemRef(),
                          indices(store.getAffineMap(), store.getMapOperands()),
                          typeOf(store.getValue().getType())));
      })
      .Case([&](memref::StoreOp store) {
        buildStore(op, store.getValue(),
                   access(op->getLoc(), store.getMemRef(),
                          indices(store.getIndices()),
                          typeOf(store.getValue().getType())));
      })
      .Case([&](vector::StoreOp store) {
        buildStore(op, store.getValueToStore(),
                   access(op->getLoc(), store.getBase(),
                          indices(store.getIndices()),
                          typeOf(store.getValueToStore().getType())));
      })
      .Case([&](LLVM::StoreOp store) {
        buildStore(op, store.getValue(),
                   elementAt(op->getLoc(), store.getAddr(),
                             store.getValue().getType()));
      })
      .Case([&](memref::AtomicRMWOp atomic) { buildAtomic(atomic); })
      .Case([&](affine::AffinePrefetchOp prefetch) {
        buildPrefetch(
            op, prefetch.getMemref(),
            indices(prefetch.getAffineMap(), prefetch.getMapOperands()));
      })
      .Case([&](memref::PrefetchOp prefetch) {
        buildPrefetch(op, prefetch.getMemref(), indices(prefetch.getIndices()));
      })
      .Case([&](GridBarrierOp) {
        emit(Stmt::Evaluate, op->getLoc())->value =
            call("grid_barrier", {}, CType{});
      })
      .Case([&](gpu::ShuffleOp shuffle) { buildShuffle(shuffle); })
      .Case([&](gpu::LaunchFuncOp launch) { buildLaunch(launch); })
      .Case<nvgpu::DeviceAsyncCopyOp>([&](auto) { buildAsyncCopy(op); })
      .Case([&](NVVM::CpAsyncCommitGroupOp) {
        emit(Stmt::AsyncCommit, op->getLoc());
      })
      .Case([&](NVVM::CpAsyncWaitGroupOp wait) {
        emit(Stmt::AsyncWait, op->getLoc())->step = wait.getN();
      })
      .Default([&](Operation *) { buildResult(op); });
}

//===--- Loops ------------------------------------------------------------===//

/// The E of d * floor(E / d); null for all else.
static const Expr *roundedFrom(const Expr *sum) {
  bool isRounded = sum->operands.size() == 1 && sum->constant == 0 &&
                   sum->operands[0]->kind == Expr::Quotient &&
                   sum->coefficients[0] == sum->operands[0]->constant;
  return isRounded ? sum->operands[0]->operands[0] : nullptr;
}

/// Whether `lower` is `upper` rounded down, or both are the same number rounded
/// down, `lower` by more.
static bool isRounding(const Expr *lower, const Expr *upper) {
  const Expr *whole = roundedFrom(lower);
  if (!whole)
    return false;
  return whole == upper ||
         (roundedFrom(upper) == whole &&
          lower->coefficients[0] % upper->coefficients[0] == 0);
}

/// A loop from max(0, x) on starts at x where x is its end rounded down: with a
/// negative end, rounded to zero, it has no iteration either way.
static const Expr *dropClamp(const Expr *lower, const Expr *upper) {
  if (lower->operands.size() != 1 || lower->constant ||
      lower->operands[0]->kind != Expr::Maximum)
    return lower;
  const Expr *choice = lower->operands[0];
  for (unsigned i : {0, 1})
    if (constantValue(choice->operands[i]) == 0 &&
        isRounding(choice->operands[1 - i], upper))
      return choice->operands[1 - i];
  return lower;
}

bool KernelBuilder::buildSingle(Operation *op, Value counter, const Expr *lower,
                                const Expr *upper, int64_t step,
                                mlir::Block &body, ValueRange carried) {
  std::optional<int64_t> first = constantValue(lower);
  std::optional<int64_t> end = constantValue(upper);
  if (first && end && *first < *end && *first + step >= *end) {
    counters[counter] = lower;
    for (Operation &inner : body)
      if (!hasFailed)
        buildOp(&inner);
    if (!hasFailed)
      assignAll(op->getLoc(), carried, body.getTerminator()->getOperands());
    return true;
  }
  bool wasClamped = dropClamp(lower, upper) != lower;
  lower = dropClamp(lower, upper);
  bool isFromZero = wasClamped || rangeOf(lower).isNonNegative();
  if (!isFromZero || !isRounding(lower, upper) || lower->coefficients[0] > step)
    return false;
  Stmt *branch = kernel.createStmt(Stmt::If, op->getLoc());
  branch->value = compareIndices(arith::CmpIPredicate::slt, lower, upper);
  size_t mark = facts.size();
  // The loop starts at zero or later: what it is rounded from is positive.
  learnAtLeast(roundedFrom(lower), 1);
  Expr start = *lower->operands[0];
  start.isTruncating = true;
  counters[counter] = kernel.scale(kernel.asSum(kernel.make(std::move(start))),
                                   lower->coefficients[0]);
  source::Block *outer = current;
  branch->body = buildBlock(body);
  current = &branch->body;
  if (!hasFailed)
    assignAll(op->getLoc(), carried, body.getTerminator()->getOperands());
  current = outer;
  current->push_back(branch);
  forget(mark);
  return true;
}

const Expr *KernelBuilder::addCounter(Stmt &loop, Value counter,
                                      const Expr *lower, const Expr *upper,
                                      int64_t step) {
  Range low = rangeOf(lower), high = rangeOf(upper);
  lower = dropClamp(lower, upper);
  if (!low.isNonNegative() && rangeOf(lower).low < 0 &&
      isRounding(lower, upper))
    low.low = 0;
  // A bound below zero ends a loop from zero at once, however it is rounded.
  auto truncate = [&](const Expr *bound) {
    if (bound->operands.size() != 1 || bound->constant ||
        bound->operands[0]->kind != Expr::Quotient ||
        bound->coefficients[0] <= 0)
      return bound;
    Expr quotient = *bound->operands[0];
    quotient.isTruncating = true;
    return kernel.scale(kernel.asSum(kernel.make(std::move(quotient))),
                        bound->coefficients[0]);
  };
  if (low.isNonNegative()) {
    lower = truncate(lower);
    upper = truncate(upper);
  }
  loop.lower = lower;
  loop.upper = upper;
  loop.step = step;
  loop.counter =
      kernel.createVariable(Variable::Counter, nameFor(counter), kIndexType);
  loop.counter->counterStep = step;
  // Whole steps end at the bound itself.
  const Expr *length = kernel.add(upper, lower, -1);
  bool isWhole = length->constant % step == 0 &&
                 llvm::all_of(length->coefficients, [&](int64_t coefficient) {
                   return coefficient % step == 0;
                 });
  loop.counter->range = {
      low.low, (high + Range{isWhole ? -step : -1, isWhole ? -step : -1}).high};
  const Expr *use = kernel.asSum(kernel.use(loop.counter));
  counters[counter] = use;
  return use;
}

void KernelBuilder::finishLoop(Stmt *loop, mlir::Block &body, ValueRange inits,
                               ValueRange carried) {
  size_t mark = facts.size();
  // Where the body runs there is an iteration.
  if (rangeOf(loop->lower).isNonNegative())
    learnAtLeast(loop->upper, rangeOf(loop->lower).low + 1);
  source::Block *outer = current;
  loop->body = buildBlock(body);
  current = &loop->body;
  if (!hasFailed)
    assignAll(body.getTerminator()->getLoc(), carried,
              body.getTerminator()->getOperands());
  current = outer;
  current->push_back(loop);
  forget(mark);
}

void KernelBuilder::buildFor(affine::AffineForOp op) {
  Stmt *loop = kernel.createStmt(Stmt::For, op.getLoc());
  auto bound = [&](AffineMap map, ValueRange operands, Expr::Kind kind) {
    SmallVector<const Expr *> bounds = indices(map, operands);
    const Expr *result = bounds[0];
    for (const Expr *other : llvm::drop_begin(bounds))
      result = choose(kind, result, other);
    return result;
  };
  const Expr *lower =
      bound(op.getLowerBoundMap(), op.getLowerBoundOperands(), Expr::Maximum);
  const Expr *upper =
      bound(op.getUpperBoundMap(), op.getUpperBoundOperands(), Expr::Minimum);
  assignAll(op.getLoc(), op.getRegionIterArgs(), op.getInits());
  if (buildSingle(op, op.getInductionVar(), lower, upper, op.getStepAsInt(),
                  *op.getBody(), op.getRegionIterArgs()))
    return;
  addCounter(*loop, op.getInductionVar(), lower, upper, op.getStepAsInt());
  finishLoop(loop, *op.getBody(), op.getInits(), op.getRegionIterArgs());
}

void KernelBuilder::buildFor(scf::ForOp op) {
  Stmt *loop = kernel.createStmt(Stmt::For, op.getLoc());
  std::optional<int64_t> step = getConstantIntValue(op.getStep());
  source::Range stepRange = rangeOf(index(op.getStep()));
  bool isPositive =
      stepRange.low > 0 && stepRange.high < std::numeric_limits<int64_t>::max();
  if (!isPositive || !isa<IndexType>(op.getInductionVar().getType())) {
    fail(op.getLoc(), "a loop whose step may not be positive, or that does not "
                      "count an index, has no source form");
    return;
  }
  addCounter(*loop, op.getInductionVar(), index(op.getLowerBound()),
             index(op.getUpperBound()), step.value_or(1));
  if (!step) {
    loop->stepBy = index(op.getStep());
    loop->counter->counterStep = stepRange.high;
  }
  assignAll(op.getLoc(), op.getRegionIterArgs(), op.getInits());
  finishLoop(loop, *op.getBody(), op.getInits(), op.getRegionIterArgs());
}

void KernelBuilder::buildParallel(affine::AffineParallelOp op) {
  // All iterations in one thread have the same effect (kCollectiveAttrName).
  if (op.getNumResults() != 0 || !op->hasAttr(kCollectiveAttrName)) {
    fail(op.getLoc(), "a parallel loop in a kernel has no source form");
    return;
  }
  source::Block *outer = current;
  Stmt *outermost = nullptr;
  for (unsigned i = 0; i < op.getNumDims(); ++i) {
    Stmt *loop = kernel.createStmt(Stmt::For, op.getLoc());
    const Expr *lower =
        indices(op.getLowerBoundMap(i), op.getLowerBoundsOperands())[0];
    const Expr *upper =
        indices(op.getUpperBoundMap(i), op.getUpperBoundsOperands())[0];
    addCounter(*loop, op.getIVs()[i], lower, upper, op.getSteps()[i]);
    current->push_back(loop);
    outermost = outermost ? outermost : loop;
    current = &loop->body;
  }
  source::Block body = buildBlock(*op.getBody());
  llvm::append_range(*current, body);
  current = outer;
}

void KernelBuilder::buildWhile(scf::WhileOp op) {
  assignAll(op.getLoc(), op.getBeforeArguments(), op.getInits());
  Stmt *loop = kernel.createStmt(Stmt::Forever, op.getLoc());
  source::Block *outer = current;
  loop->body = buildBlock(*op.getBeforeBody());
  scf::ConditionOp condition = op.getConditionOp();
  current = &loop->body;
  bool testsFirst = loop->body.empty();
  size_t before = loop->body.size();
  const Expr *holds = build(condition.getCondition());
  assignAll(op.getLoc(), op.getAfterArguments(), condition.getArgs());
  testsFirst &= loop->body.size() == before;
  source::Block after = buildBlock(*op.getAfterBody());
  current = &after;
  assignAll(op.getLoc(), op.getBeforeArguments(),
            op.getYieldOp().getOperands());
  if (testsFirst) {
    loop->kind = Stmt::While;
    loop->value = holds;
    loop->body = std::move(after);
  } else if (after.empty() && loop->body.size() == before) {
    loop->kind = Stmt::DoWhile;
    loop->value = holds;
  } else {
    Stmt *leave = kernel.createStmt(Stmt::If, op.getLoc());
    Expr negation{Expr::Unary, kBoolType};
    negation.text = "!";
    negation.operands = {holds};
    leave->value = kernel.make(std::move(negation));
    leave->body.push_back(kernel.createStmt(Stmt::Break, op.getLoc()));
    // What the condition passes on is set before the loop is left.
    loop->body.push_back(leave);
    llvm::append_range(loop->body, after);
  }
  current = outer;
  current->push_back(loop);
}
