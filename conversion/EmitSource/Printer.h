//===- Printer.h - from a tree to text --------------------------*- C++ -*-===//

#ifndef CONVERSION_EMITSOURCE_PRINTER_H
#define CONVERSION_EMITSOURCE_PRINTER_H

#include "conversion/EmitSource/Spelling.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuopt::source {

/// Prints one kernel, not yet formatted. Every exact integer is computed in
/// `int` where all partial results are in its range, else in 64 bits.
class Printer {
public:
  /// How tightly operators bind.
  static constexpr int kUnary = 13, kProduct = 12, kSum = 11, kShift = 10,
                       kSelect = 2;

  Printer(const Kernel &kernel, Spelling spelling, llvm::raw_ostream &stream)
      : kernel(kernel), spelling(spelling), stream(stream) {}

  mlir::LogicalResult print();

  /// Only the body, in braces.
  mlir::LogicalResult printBody();

private:
  /// Text, how tightly it binds, and whether it is computed in 64 bits.
  struct Text {
    std::string text;
    int precedence = 100;
    bool isWide = false;
  };

  void printHead();
  void printIds();
  void printViews();
  void printBlock(const Block &block);
  bool printJoined(const Stmt &first, const Stmt &second);
  void printStmt(const Stmt &stmt);
  void printFunction(const Stmt &stmt);
  void printAssign(const Stmt &stmt);
  void printFor(const Stmt &stmt);
  std::string boundOf(const Stmt &stmt);
  void printIf(const Stmt &stmt);
  void printAsyncCopy(const Stmt &stmt);
  void declare(const Variable &variable);
  std::string declarator(const Variable &variable) const;
  std::string typeOf(const Variable &variable) const;
  bool isWide(const Variable &variable) const;

  Text expr(const Expr *expr);
  Text node(const Expr *expr);
  /// `text`, in parentheses where it binds less tightly than `precedence`.
  static std::string wrap(const Text &text, int precedence);
  static std::string unary(llvm::StringRef operation, const Text &operand);
  std::string text(const Expr *from) { return expr(from).text; }
  Text literal(const Expr *expr);
  Text extremum(const Expr *expr);
  Text lane(const Expr *expr);
  Text sum(const Expr *expr);
  Text firstTerm(const Expr *operand, int64_t coefficient, bool needsWide);
  Text term(const Expr *operand, int64_t coefficient, bool needsWide);
  Text product(const Expr *expr);
  Text division(const Expr *expr);
  Text binary(const Expr *expr);
  Text use(const Expr *expr);
  Text cast(const Expr *expr);
  std::optional<std::string> roundOnce(CType type, const Expr &operand,
                                       const Text &from) const;
  Text call(const Expr *expr);
  std::string mask(const Expr *expr);
  Text access(const Expr *expr);
  /// The element that an access starts at, as a scalar.
  std::string element(const Expr *access);
  Text position(const Expr *access);
  std::optional<Text> nestedPosition(const Expr *access);
  std::string widen(const Text &text) const;
  void fail(const llvm::Twine &message);

  const Kernel &kernel;
  Spelling spelling;
  llvm::raw_ostream &stream;
  const Stmt *at = nullptr;
  /// In a position that the source computes in `int` itself.
  bool isNarrow = false;
  /// What is printed may be negative: unsigned numbers are read as signed ones.
  bool needsSign = false;
  /// In what is computed modulo 2^64.
  bool wraps = false;
  bool hasFailed = false;
};

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_PRINTER_H
