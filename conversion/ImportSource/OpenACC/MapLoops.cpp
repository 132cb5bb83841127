//===- MapLoops.cpp - iterations of loops as work items -------------------===//

#include "conversion/ImportSource/OpenACC/MapLoops.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"

using namespace clang;
using namespace gpuopt;

namespace {
/// Builds expressions and statements at one place of the source.
class ItemBuilder {
public:
  ItemBuilder(Sema &sema, SourceLocation location)
      : sema(sema), context(sema.Context), location(location) {}

  /// `blockIdx.x * blockDim.x + threadIdx.x`.
  Expr *id(unsigned dimension) {
    return binary(BO_Add,
                  binary(BO_Mul, call("block_id", dimension),
                         call("block_dim", dimension)),
                  call("thread_id", dimension));
  }

  Expr *binary(BinaryOperatorKind operation, Expr *left, Expr *right) {
    return left && right
               ? sema.BuildBinOp(nullptr, location, operation, left, right)
                     .get()
               : nullptr;
  }

  Expr *integer(int64_t value) {
    return sema.ActOnIntegerConstant(location, value).get();
  }

  Expr *convert(Expr *value, QualType type) {
    TypeSourceInfo *to = context.getTrivialTypeSourceInfo(type, location);
    return value ? sema.BuildCStyleCastExpr(location, to, location, value).get()
                 : nullptr;
  }

  Stmt *when(Expr *condition, Stmt *then) {
    return IfStmt::Create(context, location, IfStatementKind::Ordinary,
                          /*Init=*/nullptr, /*Var=*/nullptr, condition,
                          location, location, then);
  }

  Stmt *both(Stmt *first, Stmt *second) {
    return CompoundStmt::Create(context, {first, second}, FPOptionsOverride(),
                                location, location);
  }

  /// In a loop of one iteration, which `continue` may end.
  Stmt *once(Stmt *body) {
    return new (context) DoStmt(body, integer(0), location, location, location);
  }

private:
  /// A call of a function of DeviceFunctions.def.
  Expr *call(StringRef name, unsigned dimension) {
    std::string symbol = ("__gpuopt_" + name + "_").str() + "xyz"[dimension];
    IdentifierInfo &identifier = context.Idents.get(symbol);
    QualType type = context.getFunctionType(context.IntTy, {}, {});
    FunctionDecl *function = FunctionDecl::Create(
        context, context.getTranslationUnitDecl(), location, location,
        DeclarationName(&identifier), type,
        context.getTrivialTypeSourceInfo(type, location), SC_Extern);
    function->addAttr(AsmLabelAttr::CreateImplicit(context, symbol));
    Expr *callee = sema.BuildDeclRefExpr(function, type, VK_LValue, location);
    return sema.BuildCallExpr(nullptr, callee, location, {}, location).get();
  }

  Sema &sema;
  ASTContext &context;
  SourceLocation location;
};
} // namespace

/// Whether `continue` in `statement` is one of a loop around it.
static bool continuesOutside(const Stmt *statement) {
  if (!statement || isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement))
    return false;
  return isa<ContinueStmt>(statement) ||
         llvm::any_of(statement->children(), continuesOutside);
}

static Stmt *mapFrom(ArrayRef<CountedLoop> loops, Sema &sema) {
  const CountedLoop &loop = loops.front();
  ItemBuilder builder(sema, loop.statement->getForLoc());
  auto offset = [&](QualType type) {
    Expr *id = builder.id(/*dimension=*/loops.size() - 1);
    if (!type.isNull())
      id = builder.convert(id, type);
    return loop.step == 1
               ? id
               : builder.binary(BO_Mul, id, builder.integer(loop.step));
  };
  // The variable may wrap beyond the last iteration, but 64 bits tell these.
  Expr *first =
      builder.convert(builder.binary(BO_Add, loop.lower, offset(QualType())),
                      loop.variable->getType().getUnqualifiedType());
  QualType wide = sema.Context.LongLongTy;
  Expr *value =
      builder.binary(BO_Add, builder.convert(loop.lower, wide), offset(wide));
  Expr *condition =
      builder.binary(loop.comparison, value, builder.convert(loop.bound, wide));
  Stmt *body = loops.size() > 1 ? mapFrom(loops.drop_front(), sema)
                                : loop.statement->getBody();
  if (!first || !condition || !body)
    return nullptr;
  if (continuesOutside(body))
    body = builder.once(body);
  Stmt *start = loop.statement->getInit();
  if (isa<DeclStmt>(start))
    loop.variable->setInit(first);
  else
    cast<BinaryOperator>(start)->setRHS(first);
  return builder.both(start, builder.when(condition, body));
}

Stmt *gpuopt::mapLoops(ArrayRef<CountedLoop> loops, Sema &sema) {
  return mapFrom(loops, sema);
}

Stmt *gpuopt::onlyFirstItem(Stmt *statement, Sema &sema) {
  ItemBuilder builder(sema, statement->getBeginLoc());
  return builder.when(builder.binary(BO_LT, builder.id(0), builder.integer(1)),
                      statement);
}
