//===- Spelling.h - offloaded sections in three dialects --------*- C++ -*-===//
//
//   omp  #pragma omp target teams distribute parallel for map(to: b[0:n]) …
//   acc  #pragma acc parallel loop copyin(b[0:n]) …
//   leo  #pragma offload target(mic) in(b:length(n)) …
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_OFFLOAD_SPELLING_H
#define CONVERSION_OFFLOAD_SPELLING_H

#include "conversion/Offload/DataPlan.h"

namespace gpuopt::offload {

/// OpenMP 5, OpenACC, or Intel's Language Extensions for Offload.
enum class Dialect { OpenMP, OpenACC, LEO };

/// What the functions of the output need that `helperText` defines.
struct Helpers {
  bool pays = false, paysForTeam = false, apart = false;
  bool lesser = false, greater = false, malloc = false;
};

class Spelling {
public:
  Spelling(Dialect dialect, const clang::ASTContext &context)
      : dialect(dialect), context(context) {}

  /// What its directives consist of, which must be no macros.
  llvm::ArrayRef<llvm::StringLiteral> words() const;
  /// What keeps `loop` from being said in the dialect.
  std::optional<Problem> check(const ParallelLoop &loop) const;
  std::optional<Problem> check(const DataPlan &plan,
                               const Effects &effects) const;
  /// The directive in front of a whole region, without a line break; empty for
  /// none.
  std::string regionDirective(const Region &region, const DataPlan &plan,
                              const SymbolTable &symbols) const;
  /// The directive of the loop number `place` of a region.
  std::string loopDirective(const Region &region, size_t place,
                            const DataPlan &plan,
                            const SymbolTable &symbols) const;
  /// When `region` is offloaded, as an expression of C behind that indentation;
  /// empty for always.
  std::string condition(llvm::StringRef place, llvm::StringRef indent,
                        const Region &region, const DataPlan &plan,
                        const SymbolTable &symbols, const Variables &kept,
                        const FixedPointers &pointers);
  /// Whether it pays there, alone; arrays that are `kept` may be there.
  std::string pays(llvm::StringRef place, bool isInTeam, const DataPlan &plan,
                   const SymbolTable &symbols, const Variables &kept);
  /// The text of a loop with the directives in it as those of the dialect.
  std::string body(llvm::StringRef text) const;
  /// The function that aligns what it allocates.
  llvm::StringRef aligningMalloc() {
    used.malloc = true;
    return "gpuopt_offload_malloc";
  }
  /// Definitions of what the conditions so far use; empty for none.
  std::string helperText() const;

private:
  std::string clauses(llvm::ArrayRef<DataItem> items, const Variables &values,
                      const SymbolTable &symbols) const;
  std::string presentClause(llvm::ArrayRef<DataItem> items,
                            const SymbolTable &symbols) const;
  std::string operand(const DataItem &item, const SymbolTable &symbols) const;
  std::string keptClauses(const ParallelLoop &loop) const;
  std::string apartText(const DataPlan &plan, const SymbolTable &symbols);
  const char *clauseName(Direction direction) const;

  Dialect dialect;
  const clang::ASTContext &context;
  Helpers used;
};

} // namespace gpuopt::offload

#endif // CONVERSION_OFFLOAD_SPELLING_H
