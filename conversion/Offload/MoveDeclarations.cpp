//===- MoveDeclarations.cpp - constants that a device declares ------------===//

#include "conversion/Offload/MoveDeclarations.h"

#include "conversion/Offload/VariableUses.h"
#include "conversion/Offload/Writes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

/// Whether `value` consists of literals.
static bool isLiteral(const Stmt &value) {
  bool isPart = isa<InitListExpr, ImplicitValueInitExpr, CastExpr, ParenExpr,
                    UnaryOperator, BinaryOperator, IntegerLiteral,
                    FloatingLiteral, CharacterLiteral, ConstantExpr>(value);
  return isPart && llvm::all_of(value.children(), [](const Stmt *child) {
           return child && isLiteral(*child);
         });
}

/// Whether `variable` has one value wherever `function` reads it.
static bool isConstant(const VarDecl &variable, const FunctionDecl &function,
                       const ASTContext &context) {
  QualType type = variable.getType();
  if (!variable.hasLocalStorage() || isa<ParmVarDecl>(variable) ||
      variable.hasAttrs() || !variable.getInit() ||
      !(type->isConstantArrayType() || type->isArithmeticType()) ||
      !context.getBaseElementType(type)->isArithmeticType() ||
      context.getBaseElementType(type).isVolatileQualified())
    return false;
  Writes writes(context);
  writes.add(function.getBody());
  return !writes.assigns(&variable) && isLiteral(*variable.getInit()) &&
         variable.getInit()->isConstantInitializer(
             const_cast<ASTContext &>(context), /*ForRef=*/false) &&
         isUsedByValue(variable, *function.getBody());
}

static std::string declarationOf(const VarDecl &variable,
                                 const ASTContext &context) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  variable.print(stream, PrintingPolicy(context.getLangOpts()));
  return text + ";";
}

/// What is done in each iteration of the parallel loops.
static const Stmt *bodyOf(const ParallelLoop &loop) {
  const Stmt *body = loop.loop;
  for (unsigned left = loop.collapsed; left > 0;) {
    if (const auto *braces = dyn_cast<CompoundStmt>(body)) {
      body = braces->body_front();
      continue;
    }
    body = cast<ForStmt>(body)->getBody();
    --left;
  }
  return body;
}

/// Takes the arrays that `isMoved` out of `plan`.
static void eraseArrays(DataPlan &plan,
                        llvm::function_ref<bool(const VarDecl *)> isMoved) {
  std::vector<DataItem> arrays;
  std::vector<std::optional<size_t>> places;
  for (DataItem &item : plan.arrays) {
    bool isLeft = !isMoved(item.variable);
    places.push_back(isLeft ? std::optional(arrays.size()) : std::nullopt);
    if (isLeft)
      arrays.push_back(std::move(item));
  }
  plan.arrays = std::move(arrays);
  for (LoopPlan &loop : plan.loops) {
    std::vector<size_t> left;
    for (size_t array : loop.arrays)
      if (places[array])
        left.push_back(*places[array]);
    loop.arrays = std::move(left);
    llvm::erase_if(loop.values, isMoved);
  }
}

/// Whether the block `body` itself declares something of that name.
static bool declares(const Stmt &body, const VarDecl &variable) {
  const auto *braces = dyn_cast<CompoundStmt>(&body);
  return braces && llvm::any_of(braces->body(), [&](const Stmt *statement) {
           const auto *declarations = dyn_cast<DeclStmt>(statement);
           return declarations &&
                  llvm::any_of(declarations->decls(), [&](const Decl *each) {
                    const auto *named = dyn_cast<NamedDecl>(each);
                    return named &&
                           named->getIdentifier() == variable.getIdentifier();
                  });
         });
}

std::vector<MovedDeclarations>
offload::moveDeclarations(const Region &region, DataPlan &plan,
                          const SourceText &text, const ASTContext &context) {
  std::vector<MovedDeclarations> moved;
  llvm::DenseSet<const VarDecl *> variables, kept;
  for (auto [loop, needs] : llvm::zip_equal(region.loops, plan.loops)) {
    MovedDeclarations declarations{bodyOf(loop), {}};
    auto add = [&](const VarDecl *variable) {
      // Heads of loops are evaluated before there is a body.
      bool isInBody = variablesIn(*declarations.body).contains(variable);
      if (!isInBody || loop.hasOwn(variable) ||
          declares(*declarations.body, *variable) ||
          !text.placeOf(*declarations.body) ||
          !isConstant(*variable, *loop.function, context)) {
        kept.insert(variable);
        return;
      }
      variables.insert(variable);
      declarations.texts.push_back(declarationOf(*variable, context));
    };
    for (size_t array : needs.arrays)
      add(plan.arrays[array].variable);
    for (const VarDecl *value : needs.values)
      add(value);
    if (!declarations.texts.empty())
      moved.push_back(std::move(declarations));
  }
  eraseArrays(plan, [&](const VarDecl *variable) {
    return variables.contains(variable) && !kept.contains(variable);
  });
  return moved;
}
