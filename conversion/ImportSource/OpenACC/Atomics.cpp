//===- Atomics.cpp - '#pragma acc atomic' in kernels ----------------------===//

#include "conversion/ImportSource/OpenACC/Atomics.h"

#include "conversion/ImportSource/OpenACC/LoopForm.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;

using StmtInfo = OpenACCAtomicConstruct::StmtInfo;

bool gpuopt::isSameExpression(const Stmt &left, const Stmt &right,
                              const ASTContext &context) {
  llvm::FoldingSetNodeID ofLeft, ofRight;
  left.Profile(ofLeft, context, /*Canonical=*/true);
  right.Profile(ofRight, context, /*Canonical=*/true);
  return ofLeft == ofRight;
}

/// Whether `statement` changes what the construct is not about.
static bool changesMore(const Stmt *statement,
                        const OpenACCAtomicConstruct &construct,
                        const ASTContext &context) {
  StmtInfo info = construct.getAssociatedStmtInfo();
  if (!statement || isSameExpression(*statement, *info.First.X, context))
    return false;
  if (const Expr *target = assignedExpression(statement)) {
    auto isOne = [&](const Expr *of) {
      return of && isSameExpression(*target->IgnoreParenImpCasts(),
                                    *of->IgnoreParenImpCasts(), context);
    };
    if (!isOne(info.First.X) && !isOne(info.First.V) && !isOne(info.Second.V) &&
        !isOne(info.Second.X))
      return true;
  }
  return llvm::any_of(statement->children(), [&](const Stmt *child) {
    return changesMore(child, construct, context);
  });
}

bool gpuopt::isSupportedAtomic(const OpenACCAtomicConstruct &construct,
                               const ASTContext &context) {
  const Expr *variable = construct.getAssociatedStmtInfo().First.X;
  if (!variable)
    return false;
  // A loop does what is beside the variable more than once.
  if (changesMore(construct.getAssociatedStmt(), construct, context))
    return false;
  QualType type = variable->getType();
  uint64_t bits = context.getTypeSize(type);
  return (type->isIntegerType() || type->isRealFloatingType()) &&
         (bits == 32 || bits == 64);
}

static bool isCommutative(BinaryOperatorKind operation) {
  return operation == BO_Add || operation == BO_And || operation == BO_Or ||
         operation == BO_Xor;
}

namespace {
/// A variable and what is done to it at once.
struct FetchOperation {
  AtomicExpr::AtomicOp operation = AtomicExpr::AO__atomic_fetch_add;
  Expr *operand = nullptr;
};

/// Replaces one construct.
class AtomicBuilder {
public:
  AtomicBuilder(OpenACCAtomicConstruct &construct, FunctionDecl *function,
                Sema &sema)
      : construct(construct), info(construct.getAssociatedStmtInfo()),
        function(function), sema(sema), context(sema.Context),
        location(construct.getAssociatedStmt()->getBeginLoc()),
        variable(const_cast<Expr *>(info.First.X)),
        type(variable->getType().getUnqualifiedType()) {}

  Stmt *build();

private:
  std::optional<FetchOperation> findFetch();
  std::optional<FetchOperation> fetchOf(BinaryOperatorKind operation,
                                        Expr *operand, QualType computedAs);
  void replaceVariable(Stmt *statement);
  VarDecl *declare(StringRef name, QualType of, Expr *init);
  Expr *reference(VarDecl *declared);
  Expr *value(VarDecl *declared) {
    return sema.DefaultLvalueConversion(reference(declared)).get();
  }
  Expr *address(Expr *lvalue) {
    return sema.BuildUnaryOp(nullptr, location, UO_AddrOf, lvalue).get();
  }
  Expr *integer(int64_t number) {
    return sema.ActOnIntegerConstant(location, number).get();
  }
  /// With `relaxed` arguments for orders behind the others.
  Expr *atomic(AtomicExpr::AtomicOp operation, SmallVector<Expr *, 6> arguments,
               unsigned relaxed = 1);
  Stmt *block(ArrayRef<Stmt *> body) {
    return CompoundStmt::Create(context, body, FPOptionsOverride(), location,
                                location);
  }

  OpenACCAtomicConstruct &construct;
  StmtInfo info;
  FunctionDecl *function;
  Sema &sema;
  ASTContext &context;
  SourceLocation location;
  Expr *variable;
  QualType type;
  /// What stands for the variable in the statement.
  VarDecl *copy = nullptr;
  std::vector<Stmt *> statements;
};
} // namespace

VarDecl *AtomicBuilder::declare(StringRef name, QualType of, Expr *init) {
  VarDecl *declared = VarDecl::Create(
      context, function, location, location, &context.Idents.get(name), of,
      context.getTrivialTypeSourceInfo(of, location), SC_None);
  if (init)
    declared->setInit(init);
  statements.push_back(
      new (context) DeclStmt(DeclGroupRef(declared), location, location));
  return declared;
}

Expr *AtomicBuilder::reference(VarDecl *declared) {
  return sema.BuildDeclRefExpr(declared, declared->getType(), VK_LValue,
                               location);
}

Expr *AtomicBuilder::atomic(AtomicExpr::AtomicOp operation,
                            SmallVector<Expr *, 6> arguments,
                            unsigned relaxed) {
  // As `__ATOMIC_RELAXED`.
  while (relaxed-- > 0)
    arguments.push_back(integer(0));
  return sema
      .BuildAtomicExpr({location, location}, {location, location}, location,
                       arguments, operation)
      .get();
}

/// Puts the copy in the place of the variable.
void AtomicBuilder::replaceVariable(Stmt *statement) {
  for (Stmt *&child : statement->children()) {
    if (!child)
      continue;
    if (isa<Expr>(child) && isSameExpression(*child, *variable, context))
      child = reference(copy);
    else
      replaceVariable(child);
  }
}

/// The atomic operation for `x = x operation operand`, computed as that type.
std::optional<FetchOperation>
AtomicBuilder::fetchOf(BinaryOperatorKind operation, Expr *operand,
                       QualType computedAs) {
  // Integers wrap in whatever type; real numbers are rounded to one.
  bool isExact = type->isIntegerType()
                     ? computedAs->isIntegerType() && !type->isBooleanType()
                     : context.hasSameUnqualifiedType(type, computedAs);
  if (!isExact)
    return std::nullopt;
  switch (operation) {
  case BO_Add:
    return FetchOperation{AtomicExpr::AO__atomic_fetch_add, operand};
  case BO_Sub:
    return FetchOperation{AtomicExpr::AO__atomic_fetch_sub, operand};
  case BO_And:
    return FetchOperation{AtomicExpr::AO__atomic_fetch_and, operand};
  case BO_Or:
    return FetchOperation{AtomicExpr::AO__atomic_fetch_or, operand};
  case BO_Xor:
    return FetchOperation{AtomicExpr::AO__atomic_fetch_xor, operand};
  default:
    return std::nullopt;
  }
}

/// The operation that an update is, if a device has it.
std::optional<FetchOperation> AtomicBuilder::findFetch() {
  auto *statement = dyn_cast<Expr>(construct.getAssociatedStmt());
  if (info.Form != StmtInfo::StmtForm::Update || !statement)
    return std::nullopt;
  statement = statement->IgnoreParenImpCasts();
  if (auto *step = dyn_cast<UnaryOperator>(statement))
    return fetchOf(step->isIncrementOp() ? BO_Add : BO_Sub, integer(1), type);
  if (auto *compound = dyn_cast<CompoundAssignOperator>(statement))
    return fetchOf(
        BinaryOperator::getOpForCompoundAssignment(compound->getOpcode()),
        compound->getRHS(), compound->getComputationResultType());
  auto *assignment = dyn_cast<BinaryOperator>(statement);
  auto *result = assignment ? dyn_cast<BinaryOperator>(
                                  assignment->getRHS()->IgnoreParenImpCasts())
                            : nullptr;
  if (!result)
    return std::nullopt;
  auto isVariable = [&](Expr *operand) {
    return isSameExpression(*operand->IgnoreParenImpCasts(), *variable,
                            context);
  };
  if (isVariable(result->getLHS()))
    return fetchOf(result->getOpcode(), result->getRHS(), result->getType());
  if (isCommutative(result->getOpcode()) && isVariable(result->getRHS()))
    return fetchOf(result->getOpcode(), result->getLHS(), result->getType());
  return std::nullopt;
}

Stmt *AtomicBuilder::build() {
  if (std::optional<FetchOperation> fetch = findFetch())
    return atomic(fetch->operation, {address(variable), fetch->operand});
  VarDecl *place =
      declare("gpuopt_place", context.getPointerType(type), address(variable));
  copy = declare("gpuopt_value", type, nullptr);
  Stmt *body = construct.getAssociatedStmt();
  replaceVariable(body);
  if (info.Form == StmtInfo::StmtForm::Write) {
    statements.push_back(body);
    statements.push_back(atomic(AtomicExpr::AO__atomic_store,
                                {value(place), address(reference(copy))}));
    return block(statements);
  }
  VarDecl *old = declare("gpuopt_old", type, nullptr);
  statements.push_back(atomic(AtomicExpr::AO__atomic_load,
                              {value(place), address(reference(old))}));
  Stmt *start =
      sema.BuildBinOp(nullptr, location, BO_Assign, reference(copy), value(old))
          .get();
  if (info.Form == StmtInfo::StmtForm::Read) {
    statements.push_back(start);
    statements.push_back(body);
    return block(statements);
  }
  Expr *isDone = atomic(AtomicExpr::AO__atomic_compare_exchange,
                        {value(place), address(reference(old)),
                         address(reference(copy)), /*weak=*/integer(0)},
                        /*relaxed=*/2);
  Expr *isOpen = sema.BuildUnaryOp(nullptr, location, UO_LNot, isDone).get();
  statements.push_back(new (context) DoStmt(block({start, body}), isOpen,
                                            location, location, location));
  return block(statements);
}

void gpuopt::replaceAtomics(Stmt *statement, FunctionDecl *function,
                            Sema &sema) {
  for (Stmt *&child : statement->children()) {
    if (!child)
      continue;
    if (auto *construct = dyn_cast<OpenACCAtomicConstruct>(child))
      child = AtomicBuilder(*construct, function, sema).build();
    else
      replaceAtomics(child, function, sema);
  }
}
