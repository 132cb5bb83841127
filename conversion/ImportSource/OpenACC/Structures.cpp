//===- Structures.cpp - structures that a kernel reads --------------------===//

#include "conversion/ImportSource/OpenACC/Structures.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtOpenACC.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace gpuopt;

std::string gpuopt::memberText(const MemberPath &path) {
  std::string text;
  for (const FieldDecl *field : path)
    text += "." + field->getNameAsString();
  return text;
}

namespace {
/// Notes what of `variable` is read, and how often it is mentioned.
class ReadFinder : public DynamicRecursiveASTVisitor {
public:
  explicit ReadFinder(const VarDecl &variable) : variable(variable) {}

  bool TraverseOpenACCLoopConstruct(OpenACCLoopConstruct *construct) override {
    return TraverseStmt(construct->getLoop());
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) override {
    mentions += reference->getDecl() == &variable;
    return true;
  }
  /// Values are read, and what is bound to a reference to constants, as the
  /// objects of constant member functions are, is not changed.
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) override {
    const Expr *from = cast->getSubExpr();
    bool isRead = cast->getCastKind() == CK_LValueToRValue ||
                  (cast->getCastKind() == CK_NoOp && cast->isLValue() &&
                   cast->getType().isConstQualified() &&
                   !from->getType().isConstQualified());
    if (isRead)
      add(from);
    return true;
  }

  std::vector<MemberPath> reads;
  unsigned mentions = 0;

private:
  void add(const Expr *expression) {
    MemberPath path;
    expression = expression->IgnoreParens();
    while (const auto *member = dyn_cast<MemberExpr>(expression)) {
      auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
      if (!field || member->isArrow())
        return;
      path.insert(path.begin(), field);
      expression = member->getBase()->IgnoreParens();
    }
    const auto *root = dyn_cast<DeclRefExpr>(expression);
    if (root && root->getDecl() == &variable)
      reads.push_back(std::move(path));
  }

  const VarDecl &variable;
};
} // namespace

/// Adds the numbers and pointers of what is at `path`, of type `type`. False
/// where there is something else.
static bool addLeaves(QualType type, const MemberPath &path,
                      std::vector<MemberPath> &leaves) {
  if (!type->isRecordType()) {
    // The kernel's own structure is assigned to.
    bool isLeaf = (type->isArithmeticType() || type->isPointerType() ||
                   type->isEnumeralType()) &&
                  !type.isConstQualified();
    if (isLeaf && !llvm::is_contained(leaves, path))
      leaves.push_back(path);
    return isLeaf;
  }
  const RecordDecl *record = type->getAsRecordDecl()->getDefinition();
  const auto *derived = dyn_cast<CXXRecordDecl>(record);
  if (record->isUnion() || (derived && derived->getNumBases() > 0))
    return false;
  for (FieldDecl *field : record->fields()) {
    // What is mutable may change in a constant.
    if (field->isBitField() || field->isMutable() || field->isUnnamedBitField())
      return false;
    MemberPath inner = path;
    inner.push_back(field);
    if (!addLeaves(field->getType(), inner, leaves))
      return false;
  }
  return true;
}

std::optional<std::vector<MemberPath>>
gpuopt::findReadMembers(Stmt *statement, const VarDecl &variable) {
  QualType type = variable.getType().getNonReferenceType();
  const ASTContext &context = variable.getASTContext();
  if (!type.isTriviallyCopyableType(context) ||
      !type->getAsRecordDecl()->getDefinition())
    return std::nullopt;
  ReadFinder finder(variable);
  finder.TraverseStmt(statement);
  // Of constants nothing else is done either, but they are not cast.
  bool isConstant = type.isConstQualified();
  if (!isConstant && finder.reads.size() != finder.mentions)
    return std::nullopt;
  if (finder.reads.size() != finder.mentions)
    finder.reads = {{}};
  std::vector<MemberPath> leaves;
  for (const MemberPath &path : finder.reads) {
    QualType of = path.empty() ? type : path.back()->getType();
    if (!addLeaves(of, path, leaves))
      return std::nullopt;
  }
  return leaves;
}
