//===- LoopDependences.cpp - loops that are declared parallel, and are not ===//

#include "conversion/ImportSource/OpenACC/LoopDependences.h"

#include "conversion/ImportSource/OpenACC/Atomics.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <vector>

using namespace clang;
using namespace gpuopt;
using mlir::presburger::IntegerPolyhedron;
using mlir::presburger::PresburgerSpace;

namespace {
/// A sum of variables, each with a factor, and a constant.
struct LinearForm {
  llvm::SmallMapVector<const VarDecl *, int64_t, 4> factors;
  int64_t constant = 0;

  void add(const LinearForm &other, int64_t factor) {
    for (auto [variable, of] : other.factors)
      factors[variable] += factor * of;
    constant += factor * other.constant;
  }
};

/// A loop whose bounds are linear.
struct LinearLoop {
  const VarDecl *variable = nullptr;
  LinearForm lower, bound;
  BinaryOperatorKind comparison = BO_LT;
  int64_t step = 1;
};

/// An element that an iteration accesses.
struct ArrayAccess {
  const Expr *expression = nullptr;
  const VarDecl *array = nullptr;
  llvm::SmallVector<LinearForm> subscripts;
  bool isWrite = false;
  /// Around it, in the loop that is asked about.
  std::vector<LinearLoop> loops;
};

/// Finds the accesses that every iteration makes and whose subscripts are
/// linear in variables that nothing but loops changes.
class AccessFinder {
public:
  AccessFinder(const CountedLoop &loop, const ASTContext &context)
      : context(context), iterator(loop.variable) {
    collectAssigned(loop.statement->getBody());
    visit(loop.statement->getBody());
  }

  std::vector<ArrayAccess> accesses;

  std::optional<LinearLoop> read(const CountedLoop &loop) const;

private:
  void collectAssigned(const Stmt *statement);
  void visit(const Stmt *statement);
  void visitOperands(const Stmt *statement, const Expr &variable);
  void visitLoop(ForStmt *loop);
  void add(const Expr *element, bool isWrite);
  std::optional<LinearForm> read(const Expr *expression) const;

  const ASTContext &context;
  const VarDecl *iterator;
  std::vector<LinearLoop> loops;
  llvm::DenseSet<const VarDecl *> assigned;
};
} // namespace

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

void AccessFinder::collectAssigned(const Stmt *statement) {
  if (!statement)
    return;
  if (const auto *declarations = dyn_cast<DeclStmt>(statement))
    for (const Decl *declaration : declarations->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration))
        assigned.insert(variable);
  if (const Expr *target = assignedExpression(statement))
    if (const VarDecl *variable = namedVariable(const_cast<Expr *>(target)))
      assigned.insert(variable);
  for (const Stmt *child : statement->children())
    collectAssigned(child);
}

std::optional<LinearForm> AccessFinder::read(const Expr *expression) const {
  expression = expression->IgnoreParenImpCasts();
  LinearForm form;
  Expr::EvalResult result;
  if (!expression->isValueDependent() &&
      expression->EvaluateAsInt(result, context)) {
    form.constant = result.Val.getInt().getExtValue();
    return form;
  }
  if (const VarDecl *variable = namedVariable(const_cast<Expr *>(expression))) {
    bool isIterator = llvm::any_of(loops, [&](const LinearLoop &loop) {
      return loop.variable == variable;
    });
    if (variable != iterator && !isIterator && assigned.contains(variable))
      return std::nullopt;
    form.factors[variable] = 1;
    return form;
  }
  const auto *binary = dyn_cast<BinaryOperator>(expression);
  if (!binary)
    return std::nullopt;
  std::optional<LinearForm> left = read(binary->getLHS());
  std::optional<LinearForm> right = read(binary->getRHS());
  if (!left || !right)
    return std::nullopt;
  switch (binary->getOpcode()) {
  case BO_Add:
  case BO_Sub:
    left->add(*right, binary->getOpcode() == BO_Add ? 1 : -1);
    return left;
  case BO_Mul:
    if (left->factors.empty())
      std::swap(left, right);
    if (!right->factors.empty())
      return std::nullopt;
    form.add(*left, right->constant);
    return form;
  default:
    return std::nullopt;
  }
}

void AccessFinder::add(const Expr *element, bool isWrite) {
  ArrayAccess access;
  access.expression = element;
  access.isWrite = isWrite;
  access.loops = loops;
  const Expr *base = element->IgnoreParenImpCasts();
  while (const auto *subscript = dyn_cast<ArraySubscriptExpr>(base)) {
    std::optional<LinearForm> form = read(subscript->getIdx());
    if (!form)
      return;
    access.subscripts.push_back(std::move(*form));
    base = subscript->getBase()->IgnoreParenImpCasts();
  }
  access.array = namedVariable(const_cast<Expr *>(base));
  if (access.array && !access.subscripts.empty() &&
      !assigned.contains(access.array))
    accesses.push_back(std::move(access));
}

std::optional<LinearLoop> AccessFinder::read(const CountedLoop &loop) const {
  std::optional<LinearForm> lower = read(loop.lower), bound = read(loop.bound);
  if (!lower || !bound)
    return std::nullopt;
  return LinearLoop{loop.variable, *lower, *bound, loop.comparison, loop.step};
}

void AccessFinder::visitLoop(ForStmt *statement) {
  LoopProblem problem;
  std::optional<CountedLoop> loop = readLoop(*statement, context, problem);
  std::optional<LinearLoop> linear = loop ? read(*loop) : std::nullopt;
  if (!linear)
    return;
  loops.push_back(std::move(*linear));
  visit(statement->getBody());
  loops.pop_back();
}

void AccessFinder::visit(const Stmt *statement) {
  // What a condition decides may never be done.
  if (!statement || isa<SwitchStmt, WhileStmt, DoStmt>(statement))
    return;
  if (const auto *choice = dyn_cast<IfStmt>(statement))
    return visit(choice->getCond());
  // Iterations may meet at its variable.
  if (const auto *atomic = dyn_cast<OpenACCAtomicConstruct>(statement))
    return visitOperands(atomic->getAssociatedStmt(),
                         *atomic->getAssociatedStmtInfo().First.X);
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(statement))
    return visit(choice->getCond());
  if (const auto *loop = dyn_cast<ForStmt>(statement))
    return visitLoop(const_cast<ForStmt *>(loop));
  const Expr *target = assignedExpression(statement);
  if (target) {
    add(target, /*isWrite=*/true);
    const auto *plain = dyn_cast<BinaryOperator>(statement);
    if (!plain || plain->getOpcode() != BO_Assign)
      add(target, /*isWrite=*/false);
  } else if (isa<ArraySubscriptExpr>(statement)) {
    add(cast<Expr>(statement), /*isWrite=*/false);
  }
  for (const Stmt *child : statement->children())
    if (child != target)
      visit(child);
}

/// What `statement` reads, `variable` aside.
void AccessFinder::visitOperands(const Stmt *statement, const Expr &variable) {
  if (!statement || isSameExpression(*statement, variable, context))
    return;
  if (isa<ArraySubscriptExpr>(statement))
    return visit(statement);
  for (const Stmt *child : statement->children())
    visitOperands(child, variable);
}

//===----------------------------------------------------------------------===//
// Inequalities
//===----------------------------------------------------------------------===//

namespace {
/// A variable of iteration 1 or 2 or, with 0, of both.
struct Column {
  const VarDecl *variable = nullptr;
  unsigned iteration = 0;
  /// The number of steps of the loop with that variable.
  bool isStepCount = false;
  bool operator==(const Column &) const = default;
};

/// A linear form over columns.
struct Row {
  std::vector<std::pair<Column, int64_t>> terms;
  int64_t constant = 0;
};

/// Which elements two iterations access, as a system of linear inequalities.
class TwoIterations {
public:
  TwoIterations(const LinearLoop &loop, const ArrayAccess &first,
                const ArrayAccess &second);

  void addLoop(const LinearLoop &loop, unsigned iteration);
  bool hasSolution() const;

private:
  void add(const LinearForm &form, int64_t factor, unsigned iteration,
           Row &row) const;

  llvm::DenseSet<const VarDecl *> own;
  std::vector<Row> inequalities, equalities;
};
} // namespace

void TwoIterations::add(const LinearForm &form, int64_t factor,
                        unsigned iteration, Row &row) const {
  for (auto [variable, of] : form.factors)
    row.terms.push_back(
        {{variable, own.contains(variable) ? iteration : 0}, factor * of});
  row.constant += factor * form.constant;
}

TwoIterations::TwoIterations(const LinearLoop &loop, const ArrayAccess &first,
                             const ArrayAccess &second) {
  own.insert(loop.variable);
  for (const ArrayAccess *access : {&first, &second})
    for (const LinearLoop &inner : access->loops)
      own.insert(inner.variable);
  for (auto [iteration, access] :
       {std::pair(1u, &first), std::pair(2u, &second)}) {
    addLoop(loop, iteration);
    for (const LinearLoop &inner : access->loops)
      addLoop(inner, iteration);
  }
  for (auto [left, right] :
       llvm::zip_equal(first.subscripts, second.subscripts)) {
    Row difference;
    add(left, 1, 1, difference);
    add(right, -1, 2, difference);
    equalities.push_back(std::move(difference));
  }
  // The first one is earlier.
  int64_t forwards = loop.step > 0 ? 1 : -1;
  inequalities.push_back(
      {{{{loop.variable, 2}, forwards}, {{loop.variable, 1}, -forwards}}, -1});
}

void TwoIterations::addLoop(const LinearLoop &loop, unsigned iteration) {
  bool goesUp = loop.step > 0;
  unsigned of = own.contains(loop.variable) ? iteration : 0;
  // bound - variable, or the reverse, which is not negative.
  Row room;
  add(loop.bound, goesUp ? 1 : -1, iteration, room);
  room.terms.push_back({{loop.variable, of}, goesUp ? -1 : 1});
  room.constant -= loop.comparison == BO_LT || loop.comparison == BO_GT;
  inequalities.push_back(std::move(room));
  // variable = lower + step * count
  Column count = {loop.variable, of, /*isStepCount=*/true};
  Row steps;
  add(loop.lower, 1, iteration, steps);
  steps.terms.push_back({{loop.variable, of}, -1});
  steps.terms.push_back({count, loop.step});
  equalities.push_back(std::move(steps));
  inequalities.push_back({{{count, 1}}, 0});
}

bool TwoIterations::hasSolution() const {
  std::vector<Column> columns;
  for (const std::vector<Row> *rows : {&inequalities, &equalities})
    for (const Row &row : *rows)
      for (const auto &[column, factor] : row.terms)
        if (!llvm::is_contained(columns, column))
          columns.push_back(column);
  IntegerPolyhedron system(PresburgerSpace::getSetSpace(columns.size()));
  auto toVector = [&](const Row &row) {
    std::vector<int64_t> vector(columns.size() + 1);
    for (const auto &[column, factor] : row.terms)
      vector[llvm::find(columns, column) - columns.begin()] += factor;
    vector.back() = row.constant;
    return vector;
  };
  for (const Row &row : inequalities)
    system.addInequality(toVector(row));
  for (const Row &row : equalities)
    system.addEquality(toVector(row));
  return !system.isIntegerEmpty();
}

std::optional<LoopDependence>
gpuopt::findDependence(const CountedLoop &loop, ArrayRef<CountedLoop> around,
                       ArrayRef<const VarDecl *> own,
                       const ASTContext &context) {
  AccessFinder finder(loop, context);
  std::optional<LinearLoop> linear = finder.read(loop);
  if (!linear)
    return std::nullopt;
  auto doMeet = [&](const ArrayAccess &first, const ArrayAccess &second) {
    TwoIterations system(*linear, first, second);
    for (const CountedLoop &outer : around)
      if (std::optional<LinearLoop> of = finder.read(outer))
        system.addLoop(*of, 0);
    return system.hasSolution();
  };
  for (const ArrayAccess &write : finder.accesses)
    for (const ArrayAccess &other : finder.accesses)
      if (write.isWrite && write.array == other.array &&
          !llvm::is_contained(own, write.array) &&
          write.subscripts.size() == other.subscripts.size() &&
          (doMeet(write, other) || doMeet(other, write)))
        return LoopDependence{write.expression, other.expression};
  return std::nullopt;
}
