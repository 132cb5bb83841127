//===- PlainLoops.cpp - loops that are parallel without saying so ---------===//

#include "conversion/Offload/PlainLoops.h"

#include "conversion/Offload/Bounds.h"
#include "conversion/Offload/LiveBehind.h"
#include "conversion/Offload/VariableUses.h"
#include "conversion/Offload/Writes.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;
using mlir::presburger::IntegerPolyhedron;
using mlir::presburger::PresburgerSpace;

//===----------------------------------------------------------------------===//
// Whether two iterations meet
//===----------------------------------------------------------------------===//

namespace {
/// Linear inequalities about two iterations of a loop, each with variables of
/// its own for the loops inside.
class TwoIterations {
public:
  explicit TwoIterations(const Effects &effects) : effects(effects) {}

  void addLoops(const Access &access, unsigned iteration);
  /// Both subscripts are equal; false where that is not linear.
  bool addEqual(const Polynomial &first, const Polynomial &second);
  /// The loop at that place is in an earlier iteration in the first one.
  void addOrder(size_t loop);
  bool isEmpty() const;

private:
  /// A product of symbols, in iteration 1 or 2 where it is of loops.
  using Column = std::pair<Polynomial::Product, unsigned>;
  using Row = std::map<Column, int64_t>;

  bool add(const Polynomial &polynomial, unsigned iteration, int64_t factor,
           Row &row) const;
  void addNotNegative(const Polynomial &polynomial, unsigned iteration);

  const Effects &effects;
  std::vector<Row> inequalities, equalities;
};
} // namespace

/// Adds `factor` times `polynomial` to `row`; false where it is not linear in
/// variables of loops.
bool TwoIterations::add(const Polynomial &polynomial, unsigned iteration,
                        int64_t factor, Row &row) const {
  for (const auto &[product, number] : polynomial.terms()) {
    bool hasLoop = llvm::any_of(product, [&](SymbolID symbol) {
      return effects.symbols.isLoop(symbol);
    });
    if (hasLoop && product.size() > 1)
      return false;
    row[{product, hasLoop ? iteration : 0}] += factor * number;
  }
  return true;
}

/// What is not linear leaves more room, which is on the safe side.
void TwoIterations::addNotNegative(const Polynomial &polynomial,
                                   unsigned iteration) {
  Row row;
  if (add(polynomial, iteration, 1, row))
    inequalities.push_back(std::move(row));
}

void TwoIterations::addLoops(const Access &access, unsigned iteration) {
  for (size_t place : access.loops) {
    const LoopRange &range = effects.loops[place];
    Polynomial variable = Polynomial::ofSymbol(range.symbol);
    addNotNegative(variable - range.least, iteration);
    addNotNegative(range.most - variable, iteration);
    if (!range.of)
      continue;
    // A condition is on the same value.
    Polynomial original = Polynomial::ofSymbol(effects.loops[*range.of].symbol);
    addNotNegative(variable - original, iteration);
    addNotNegative(original - variable, iteration);
  }
}

bool TwoIterations::addEqual(const Polynomial &first,
                             const Polynomial &second) {
  Row row;
  bool isLinear = add(first, 1, 1, row) && add(second, 2, -1, row);
  equalities.push_back(std::move(row));
  return isLinear;
}

void TwoIterations::addOrder(size_t loop) {
  const LoopRange &range = effects.loops[loop];
  Row row;
  row[{{range.symbol}, 2}] = 1;
  row[{{range.symbol}, 1}] = -1;
  row[{{}, 0}] = -1;
  inequalities.push_back(std::move(row));
}

bool TwoIterations::isEmpty() const {
  std::map<Column, size_t> columns;
  for (const std::vector<Row> *rows : {&inequalities, &equalities})
    for (const Row &row : *rows)
      for (const auto &[column, factor] : row)
        if (!column.first.empty())
          columns.try_emplace(column, columns.size());
  IntegerPolyhedron system(PresburgerSpace::getSetSpace(columns.size()));
  auto toVector = [&](const Row &row) {
    std::vector<int64_t> vector(columns.size() + 1);
    for (const auto &[column, factor] : row)
      vector[column.first.empty() ? columns.size() : columns.at(column)] =
          factor;
    return vector;
  };
  for (const Row &row : inequalities)
    system.addInequality(toVector(row));
  for (const Row &row : equalities)
    system.addEquality(toVector(row));
  return system.isIntegerEmpty();
}

/// Whether `access` is to another element in each iteration of all its loops
/// that its subscripts mention, those of `parallel` among them.
static bool isOneToOne(const Effects &effects, const Access &access,
                       size_t parallel) {
  Conditions conditions;
  Bounds bounds(effects, conditions);
  llvm::DenseSet<SymbolID> used;
  for (const std::optional<Polynomial> &subscript : access.subscripts) {
    if (!subscript)
      return false;
    Polynomial renamed = *subscript;
    auto ranges = bounds.withConditions(access.loops, renamed);
    if (!ranges)
      return false;
    llvm::DenseSet<SymbolID> here;
    Tiling tiling = tile(renamed, *ranges, here);
    bool isWhole = llvm::none_of(tiling.first.symbols(), [&](SymbolID symbol) {
      return effects.symbols.isLoop(symbol);
    });
    if (isWhole && here.contains(effects.loops[parallel].symbol))
      return true;
  }
  return false;
}

/// Whether two iterations of the loop at `parallel` may meet at these accesses
/// of one array.
static bool mayMeet(const Effects &effects, const Access &first,
                    const Access &second, size_t parallel) {
  if (first.subscripts == second.subscripts && first.loops == second.loops &&
      isOneToOne(effects, first, parallel))
    return false;
  for (auto [one, two] :
       {std::pair(&first, &second), std::pair(&second, &first)}) {
    TwoIterations system(effects);
    system.addLoops(*one, 1);
    system.addLoops(*two, 2);
    system.addOrder(parallel);
    for (auto [left, right] : llvm::zip(one->subscripts, two->subscripts))
      if (!left || !right || !system.addEqual(*left, *right))
        return true;
    if (one->subscripts.empty() || !system.isEmpty())
      return true;
  }
  return false;
}

static std::optional<Problem> findMeeting(const Effects &effects) {
  for (const Access &write : effects.accesses)
    for (const Access &other : effects.accesses)
      if (write.isWrite && write.base == other.base &&
          mayMeet(effects, write, other, /*parallel=*/0))
        return Problem{write.expression->getExprLoc(),
                       "iterations may write '" +
                           write.base->getNameAsString() +
                           "' where others access it",
                       false};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
class PlainLoopFinder {
public:
  PlainLoopFinder(const FunctionDecl &function, const ASTContext &context,
                  llvm::function_ref<void(const Problem &)> decline)
      : function(function), context(context), decline(decline), live(function) {
  }

  void find(const Stmt *statement);
  std::vector<ParallelLoop> found;

private:
  std::optional<Problem> prove(ParallelLoop &loop);
  void addPrivates(ParallelLoop &loop);
  std::optional<Problem> checkScalars(const ParallelLoop &loop,
                                      const Effects &effects);
  bool isDeadBehind(const VarDecl &variable, const ParallelLoop &loop);

  const FunctionDecl &function;
  const ASTContext &context;
  llvm::function_ref<void(const Problem &)> decline;
  LiveBehind live;
};
} // namespace

/// Whether nobody looks at `variable` behind `loop`, nor through a pointer in
/// it.
bool PlainLoopFinder::isDeadBehind(const VarDecl &variable,
                                   const ParallelLoop &loop) {
  return variable.hasLocalStorage() && !live.isLive(variable, *loop.loop) &&
         isUsedByValue(variable, *function.getBody());
}

/// Gives each iteration its own of the scalars that it assigns, where nobody
/// looks at them behind the loop.
void PlainLoopFinder::addPrivates(ParallelLoop &loop) {
  Writes writes(context);
  writes.add(loop.loop);
  LoopProblem problem;
  auto form = readLoopForm(const_cast<ForStmt &>(*loop.loop), context, problem);
  for (const VarDecl *variable : variablesIn(*loop.loop))
    if (variable->getType()->isScalarType() && writes.assigns(variable) &&
        !writes.declares(variable) && !(form && form->variable == variable) &&
        isDeadBehind(*variable, loop))
      loop.privates.push_back(variable);
  loop.unnamedPrivates = loop.privates;
}

/// Whether no value of a scalar goes into, or out of, an iteration.
std::optional<Problem> PlainLoopFinder::checkScalars(const ParallelLoop &loop,
                                                     const Effects &effects) {
  auto needed = [&](const VarDecl *variable, const Expr *where) {
    return Problem{where ? where->getExprLoc() : loop.loop->getForLoc(),
                   "'" + variable->getNameAsString() +
                       "' goes from one iteration to another or is used "
                       "behind the loop",
                   false};
  };
  for (const Scalars &scalars : effects.scalars)
    for (const auto &[variable, use] : scalars)
      if (use.isWritten)
        return needed(variable, use.first);
  for (const Scalars &scalars : effects.privates)
    for (const auto &[variable, use] : scalars)
      if (use.isReadFirst)
        return needed(variable, use.first);
  const VarDecl *counter =
      effects.loops.empty() ? nullptr : effects.loops[0].variable;
  bool isDeclaredInside = isa_and_nonnull<DeclStmt>(loop.loop->getInit());
  bool isOfIterations =
      isDeclaredInside && counter && isUsedByValue(*counter, *loop.loop);
  if (counter && !isOfIterations && !isDeadBehind(*counter, loop))
    return needed(counter, nullptr);
  return std::nullopt;
}

/// Whether `loop` is parallel, with variables that it makes private.
std::optional<Problem> PlainLoopFinder::prove(ParallelLoop &loop) {
  addPrivates(loop);
  Effects effects = findEffects(regionOf(loop), context);
  if (effects.problem)
    return effects.problem;
  std::optional<Problem> problem = checkScalars(loop, effects);
  return problem ? problem : findMeeting(effects);
}

void PlainLoopFinder::find(const Stmt *statement) {
  if (!statement)
    return;
  if (const auto *counted = dyn_cast<ForStmt>(statement)) {
    ParallelLoop loop;
    loop.function = &function;
    loop.statement = loop.loop = counted;
    std::optional<Problem> problem = prove(loop);
    if (!problem)
      return found.push_back(std::move(loop));
    decline(*problem);
  }
  for (const Stmt *child : statement->children())
    find(child);
}

std::vector<ParallelLoop>
offload::findPlainLoops(const FunctionDecl &function, const ASTContext &context,
                        llvm::function_ref<void(const Problem &)> decline) {
  PlainLoopFinder finder(function, context, decline);
  finder.find(function.getBody());
  return std::move(finder.found);
}
