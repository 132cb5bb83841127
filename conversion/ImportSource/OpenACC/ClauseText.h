//===- ClauseText.h - what data clauses do, as text of C --------*- C++ -*-===//
//
// The calls of prelude/gpuopt/openacc_calls.h that stand for data clauses, with
// what their operands are as expressions.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_CLAUSETEXT_H
#define CONVERSION_IMPORTSOURCE_OPENACC_CLAUSETEXT_H

#include "clang/AST/OpenACCClause.h"
#include "clang/Sema/Sema.h"

#include <string>
#include <vector>

namespace gpuopt {

/// What becomes of the memory that `clause` names where a region, or an
/// unstructured lifetime of data, begins or ends; empty for nothing.
llvm::StringRef actionOf(const clang::OpenACCClause &clause, bool isEntry);

/// The condition of a directive; null where it has none.
const clang::Expr *
conditionOf(llvm::ArrayRef<const clang::OpenACCClause *> clauses);

/// The expression `text` of a pragma's with each variable as `replace` has it.
std::string
replaceNames(llvm::StringRef text,
             llvm::function_ref<std::string(llvm::StringRef)> replace);

/// `text` without overflow of its variables' types.
std::string inLongLong(llvm::StringRef text);

/// What data clauses do at a region, as statements.
struct RegionActions {
  std::string declaration, before, behind;
  /// Those of `behind`, one for each operand.
  std::vector<std::string> onExit;
};

class ClauseText {
public:
  using Clauses = llvm::ArrayRef<const clang::OpenACCClause *>;

  explicit ClauseText(clang::Sema &sema) : sema(sema), context(sema.Context) {}

  /// Whose clauses come next; null for those outside of functions.
  void setFunction(const clang::FunctionDecl *of) {
    body = of ? of->getBody() : nullptr;
  }
  /// What `clauses` do where a region begins and where it ends, with the array
  /// `ranges` for what their operands are then. Without its name, data stays
  /// until a directive ends that.
  RegionActions actionsOf(Clauses clauses, const llvm::Twine &ranges = "");
  /// What `exit data`, or else `update`, does.
  std::string changesOf(Clauses clauses, bool isUpdate);
  /// Whether `clauses` let the device do a compute construct, as an expression;
  /// empty where it always does.
  std::string launchCondition(Clauses clauses);

  std::string textOf(const clang::Expr &expression) const;
  std::string operandText(const clang::Expr &expression) const;
  /// Whether the function changes one of the variables in `text`.
  bool areChanged(llvm::StringRef text);
  /// Reports an error; false.
  bool report(clang::SourceLocation location, llvm::StringRef message);

private:
  void checkClause(const clang::OpenACCClause &clause);
  std::string memoryOf(clang::Expr *operand);
  std::string arrayOf(clang::Expr *operand);
  std::string countOf(const clang::VarDecl &variable);

  clang::Sema &sema;
  clang::ASTContext &context;
  const clang::Stmt *body = nullptr;
};

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_CLAUSETEXT_H
