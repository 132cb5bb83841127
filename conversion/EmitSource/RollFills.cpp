//===- RollFills.cpp - a block fills a tile in a loop ---------------------===//
//
// The threads of a block fill a tile whose rows are no multiple of their number
// one element after the other: thread t takes the elements t, t + 256, and so
// on. What has been unrolled and simplified, (t + 18) / 34 + 7 for
// (t + 256) / 34, becomes `for (int i = t; i < 1156; i += 256)`.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/Conditions.h"
#include "conversion/EmitSource/TreePasses.h"

using namespace gpuopt::source;
using llvm::SmallVector;

namespace {

/// One statement that fills the element `thread + offset` of a tile whose rows
/// have `columns` elements.
struct Fill {
  /// The assignment or the copy, and the conditions that it is under.
  Stmt *stmt = nullptr;
  SmallVector<const Expr *> conditions;
  const Expr *thread = nullptr;
  int64_t columns = 0, offset = 0;
  /// What the division by `columns` has been brought down by.
  const Expr *dividend = nullptr;
  int64_t rows = 0;
};

class FillRoller {
public:
  explicit FillRoller(Kernel &kernel)
      : kernel(kernel), threads(kernel.threadsPerBlock) {}
  void visit(Block &block);

private:
  std::optional<Fill> fillOf(Stmt &stmt);
  bool roll(Block &block, size_t begin);
  std::optional<int64_t> takeBound(Fill &fill);
  const Expr *inCounter(const Expr *expr, const Fill &fill);
  bool isKnown(const Expr *condition, int64_t low, int64_t high);
  std::optional<SmallVector<const Expr *>>
  commonConditions(llvm::ArrayRef<Fill> fills, int64_t total);

  Kernel &kernel;
  int64_t threads;
  Variable *counter = nullptr;
};

/// The only summand of `sum` if that is of `kind`; null for all else.
const Expr *onlyPart(const Expr *sum, Expr::Kind kind) {
  bool isOnly = sum->kind == Expr::Sum && sum->operands.size() == 1 &&
                sum->operands[0]->kind == kind;
  return isOnly ? sum->operands[0] : nullptr;
}

} // namespace

std::optional<Fill> FillRoller::fillOf(Stmt &outer) {
  Fill fill;
  Stmt *stmt = &outer;
  if (stmt->kind == Stmt::If) {
    if (!stmt->orElse.empty() || stmt->body.size() != 1)
      return std::nullopt;
    takeApart(stmt->value, "&&", fill.conditions);
    stmt = stmt->body[0];
  }
  bool isCopy = stmt->kind == Stmt::Assign || stmt->kind == Stmt::AsyncCopy;
  if (!isCopy || !stmt->target || !stmt->value ||
      stmt->target->kind != Expr::Access ||
      stmt->target->variable->kind != Variable::Shared)
    return std::nullopt;
  fill.stmt = stmt;
  llvm::ArrayRef<const Expr *> subscripts = stmt->target->operands;
  for (unsigned i = 0; i + 1 < stmt->target->numSubscripts; ++i) {
    const Expr *row = onlyPart(subscripts[i], Expr::Quotient);
    const Expr *column = onlyPart(subscripts[i + 1], Expr::Remainder);
    if (!row || !column || subscripts[i]->coefficients[0] != 1 ||
        row->operands[0] != column->operands[0] ||
        row->constant != column->constant || !row->isTruncating)
      continue;
    fill.dividend = row->operands[0];
    fill.columns = row->constant;
    fill.rows = subscripts[i]->constant;
    fill.offset = fill.dividend->constant + fill.rows * fill.columns;
    fill.thread =
        kernel.add(fill.dividend, kernel.constant(fill.dividend->constant), -1);
    return fill;
  }
  return std::nullopt;
}

/// Takes a bound of the thread's number from the conditions of `fill`.
std::optional<int64_t> FillRoller::takeBound(Fill &fill) {
  for (const Expr *&condition : fill.conditions) {
    const Expr *difference = differenceOf(kernel, condition);
    if (!difference)
      continue;
    std::optional<int64_t> rest =
        constantValue(kernel.add(difference, fill.thread));
    if (!rest || *rest < 0 || *rest >= threads)
      continue;
    fill.conditions.erase(&condition);
    return *rest + 1;
  }
  return std::nullopt;
}

/// `comparison` with its constant on the right where nothing else is there.
static const Expr *balanced(Kernel &kernel, const Expr *comparison) {
  const Expr *left = comparison->operands[0], *right = comparison->operands[1];
  if (!differenceOf(kernel, comparison) || !constantValue(right) ||
      left->constant == 0)
    return nullptr;
  const Expr *moved = kernel.constant(left->constant);
  Expr result = *comparison;
  result.operands = {kernel.add(left, moved, -1), kernel.add(right, moved, -1)};
  return kernel.make(std::move(result));
}

/// `expr`, a part of `fill`, with the counter as the number of the element.
const Expr *FillRoller::inCounter(const Expr *expr, const Fill &fill) {
  const Expr *element = kernel.asSum(kernel.use(counter));
  auto isDivision = [&](const Expr *part) {
    return (part->kind == Expr::Quotient || part->kind == Expr::Remainder) &&
           part->operands[0] == fill.dividend && part->constant == fill.columns;
  };
  return rewrite(kernel, expr, [&](const Expr *part) -> const Expr * {
    if (part->kind == Expr::Binary)
      return balanced(kernel, part);
    if (part->kind != Expr::Sum)
      return nullptr;
    const Expr *sum = kernel.constant(part->constant);
    bool isChanged = false;
    for (auto [operand, coefficient] :
         llvm::zip(part->operands, part->coefficients)) {
      if (!isDivision(operand)) {
        sum = kernel.add(sum, operand, coefficient);
        continue;
      }
      isChanged = true;
      Expr division = *operand;
      division.operands = {element};
      division.isTruncating = true;
      sum = kernel.add(sum, kernel.make(std::move(division)), coefficient);
      if (operand->kind == Expr::Quotient)
        sum = kernel.add(sum, kernel.constant(fill.rows), -coefficient);
    }
    if (!isChanged)
      return nullptr;
    return part->isInt ? kernel.markInt(sum) : sum;
  });
}

/// Whether `condition` holds for the elements from `low` to `high`.
bool FillRoller::isKnown(const Expr *condition, int64_t low, int64_t high) {
  SmallVector<const Expr *> parts;
  takeApart(condition, "||", parts);
  Range all = std::exchange(counter->range, {low, high});
  bool holds = llvm::any_of(parts, [&](const Expr *part) {
    const Expr *difference = differenceOf(kernel, part);
    return difference && rangeOf(difference).isNonNegative();
  });
  counter->range = all;
  return holds;
}

/// The conditions of all `fills`, in terms of the counter, each of which has to
/// hold by itself for the fills that are not under it.
std::optional<SmallVector<const Expr *>>
FillRoller::commonConditions(llvm::ArrayRef<Fill> fills, int64_t total) {
  SmallVector<const Expr *> all;
  SmallVector<SmallVector<const Expr *>> own;
  for (const Fill &fill : fills) {
    auto &conditions = own.emplace_back();
    for (const Expr *condition : fill.conditions) {
      conditions.push_back(inCounter(condition, fill));
      if (!llvm::is_contained(all, conditions.back()))
        all.push_back(conditions.back());
    }
  }
  for (const Expr *condition : all)
    for (auto [number, conditions] : llvm::enumerate(own)) {
      int64_t low = number * threads;
      int64_t high = std::min(low + threads, total) - 1;
      if (!llvm::is_contained(conditions, condition) &&
          !isKnown(condition, low, high))
        return std::nullopt;
    }
  return all;
}

/// Makes a loop of the fills from `begin` on, where there are such.
bool FillRoller::roll(Block &block, size_t begin) {
  SmallVector<Fill> fills;
  for (size_t i = begin; i < block.size(); ++i) {
    std::optional<Fill> fill = fillOf(*block[i]);
    bool isNext = fill && fill->offset == int64_t(fills.size()) * threads &&
                  (fills.empty() || (fill->thread == fills[0].thread &&
                                     fill->columns == fills[0].columns));
    if (!isNext)
      break;
    fills.push_back(*fill);
  }
  // Where rows end with a round of threads, rows and columns are simpler.
  bool isRagged = llvm::any_of(
      fills, [](const Fill &fill) { return fill.dividend->constant != 0; });
  if (fills.size() < 2 || !isRagged ||
      rangeOf(fills[0].thread).high != threads - 1)
    return false;
  int64_t count = fills.size();
  int64_t total = count * threads;
  if (std::optional<int64_t> bound = takeBound(fills.back()))
    total = (count - 1) * threads + *bound;

  counter = kernel.createVariable(Variable::Counter, "", kIndexType);
  counter->range = {0, total - 1};
  counter->counterStep = threads;
  const Expr *target = inCounter(fills[0].stmt->target, fills[0]);
  const Expr *value = inCounter(fills[0].stmt->value, fills[0]);
  for (const Fill &fill : fills)
    if (inCounter(fill.stmt->target, fill) != target ||
        inCounter(fill.stmt->value, fill) != value ||
        fill.stmt->kind != fills[0].stmt->kind ||
        fill.stmt->step != fills[0].stmt->step)
      return false;
  auto conditions = commonConditions(fills, total);
  if (!conditions)
    return false;

  Stmt *loop = kernel.createStmt(Stmt::For, block[begin]->location);
  loop->counter = counter;
  loop->lower = fills[0].thread;
  loop->upper = kernel.constant(total);
  loop->step = threads;
  Stmt *stmt = fills[0].stmt;
  stmt->target = target;
  stmt->value = value;
  loop->body.push_back(stmt);
  if (!conditions->empty()) {
    Stmt *branch = kernel.createStmt(Stmt::If, stmt->location);
    branch->value = join(kernel, "&&", *conditions);
    branch->body.push_back(stmt);
    loop->body = {branch};
  }
  block.erase(block.begin() + begin, block.begin() + begin + fills.size());
  block.insert(block.begin() + begin, loop);
  return true;
}

void FillRoller::visit(Block &block) {
  for (size_t i = 0; i < block.size(); ++i) {
    visit(block[i]->body);
    visit(block[i]->orElse);
    roll(block, i);
  }
}

void gpuopt::source::rollFills(Kernel &kernel) {
  if (kernel.threadsPerBlock > 0)
    FillRoller(kernel).visit(kernel.body);
}
