//===- HostRewriter.h - the host's side of OpenACC programs -----*- C++ -*-===//
//
// Rewrites the text of a program so that any C or C++ compiler makes the host's
// side of it: parts that become kernels are launches, data clauses and
// directives are calls of the runtime (prelude/gpuopt/openacc_calls.h), each on
// the line that it was on.
//
//   #pragma acc data copy(a[0:n])     #pragma acc data copy(a[0:n])
//   {                                 { gpuopt_acc_enter(copyin, …, &a[0], …);
//   { #pragma acc parallel loop         #pragma acc parallel loop
//     for (i = 0; i < n; i++)     →     { … gpuopt_acc_launch(…, n, …); }
//       a[i] *= 2;
//   }                                 } gpuopt_acc_leave(copyout, …); }
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_OPENACC_HOSTREWRITER_H
#define CONVERSION_IMPORTSOURCE_OPENACC_HOSTREWRITER_H

#include "conversion/ImportSource/OpenACC/ClauseText.h"
#include "conversion/ImportSource/OpenACC/Outline.h"

#include "clang/AST/DeclOpenACC.h"
#include "clang/AST/OpenACCClause.h"
#include "clang/Sema/Sema.h"

#include <map>
#include <string>

namespace gpuopt {

class HostRewriter {
public:
  explicit HostRewriter(clang::Sema &sema);

  /// Rewrites the directives and data clauses in a function. What cannot be
  /// taken is reported here, too.
  void addDirectives(clang::FunctionDecl &function);
  /// The same for `declare` outside of functions: data for the whole run.
  void addDeclared(const clang::OpenACCDeclareDecl &directive);
  /// Offsets in the file.
  struct Place {
    unsigned begin = 0, end = 0;
  };
  /// The text of `part`, to be asked for before it is outlined.
  std::optional<Place> placeOf(const KernelPart &part);
  /// Puts a launch in its place, after it has been.
  void addLaunch(Place place, const KernelPart &part,
                 const OutlinedKernel &kernel, llvm::StringRef symbol);

  /// The file with all that was added.
  std::string text() const;

private:
  using Clauses = llvm::ArrayRef<const clang::OpenACCClause *>;
  void visit(clang::Stmt *statement);
  void visitRegion(clang::Stmt *block, Clauses clauses, bool isCompute);
  void visitHostData(clang::OpenACCHostDataConstruct &construct);
  void replaceDirective(const clang::OpenACCConstructStmt &directive,
                        Clauses clauses);
  void replaceDeclared(const clang::OpenACCDeclareDecl &directive);
  std::string argumentText(const HostArgument &argument, const KernelPart &part,
                           const KernelPragma &pragma);

  std::optional<Place> rangeOf(const clang::Stmt &statement);
  std::optional<Place> placeOf(clang::SourceRange directive);
  std::optional<unsigned> offsetOf(clang::SourceLocation location);
  unsigned lineAt(unsigned offset) const;
  /// As many lines as the text between has.
  std::string lineBreaks(Place place) const;
  void replace(Place place, std::string text);
  void insert(unsigned offset, bool isBehind, std::string text);

  clang::ASTContext &context;
  const clang::SourceManager &sources;
  llvm::StringRef file;
  ClauseText clauseText;

  /// Whether the function is one of a template.
  bool isTemplate = false;

  struct Edit {
    Place replaced;
    std::string text;
  };
  /// What is done before `main`.
  std::string atStart;
  /// By offset; at the same one, what ends there comes first.
  std::multimap<std::pair<unsigned, bool>, Edit> edits;
};

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_OPENACC_HOSTREWRITER_H
