//===- Printer.cpp - statements as text -----------------------------------===//

#include "conversion/EmitSource/Printer.h"

#include "llvm/ADT/ScopeExit.h"

using namespace gpuopt;
using namespace gpuopt::source;

mlir::LogicalResult Printer::print() {
  printHead();
  stream << ' ';
  return printBody();
}

/// Ids in order, those of one kind in one declaration.
void Printer::printIds() {
  llvm::SmallVector<const Variable *> ids;
  for (const Variable &variable : kernel.allVariables())
    if (variable.kind == Variable::Builtin && !variable.initializer.empty() &&
        variable.name.front() != '(') // Else it is read where it is needed.
      ids.push_back(&variable);
  auto order = [](const Variable *id) {
    llvm::StringRef read = id->initializer;
    return std::pair(read.starts_with("globalIdx"), read);
  };
  llvm::sort(ids, [&](const Variable *left, const Variable *right) {
    return order(left) < order(right);
  });
  llvm::StringRef kind;
  for (const Variable *id : ids) {
    llvm::StringRef own = llvm::StringRef(id->initializer).split('.').first;
    bool continues = own == kind && own != "globalIdx";
    if (!kind.empty() && !continues)
      stream << ";\n";
    stream << (continues ? ", " : "const int ") << id->name << " = "
           << spelling.builtin(id->initializer);
    kind = own;
  }
  if (!kind.empty())
    stream << ";\n";
}

/// Other names of arrays, for elements of another type.
void Printer::printViews() {
  for (const Variable &view : kernel.allVariables())
    if (view.viewed) {
      std::string pointer = spelling.pointee(view) + " *";
      if (view.viewed->isOfModule)
        pointer = spelling.space(view) + pointer;
      stream << pointer << view.name << " = (" << pointer << ')'
             << (view.viewed->isScalar ? "&" : "") << view.viewed->name
             << ";\n";
    }
}

mlir::LogicalResult Printer::printBody() {
  stream << "{\n";
  printViews();
  for (const Variable *array : kernel.shared) {
    stream << spelling.sharedQualifier();
    if (kernel.alignsShared && array->type.bits / 8 * array->type.lanes < 16)
      stream << (spelling.isOpenCL() ? "__attribute__((aligned(16))) "
                                     : "__align__(16) ");
    stream << spelling.type(array->type) << ' ' << declarator(*array) << ";\n";
  }
  printIds();
  for (const Variable &variable : kernel.allVariables())
    if (variable.kind == Variable::Private)
      declare(variable);
  printBlock(kernel.body);
  stream << "}\n";
  return mlir::failure(hasFailed);
}

void Printer::printHead() {
  stream << spelling.kernelHead(kernel) << kernel.name << '(';
  llvm::interleaveComma(kernel.parameters, stream,
                        [&](const Variable *variable) {
                          stream << spelling.parameter(*variable);
                        });
  stream << ')';
}

bool Printer::isWide(const Variable &variable) const {
  if (variable.kind == Variable::Counter)
    return !(variable.range + Range{0, variable.counterStep}).fitsInt();
  if (variable.type.kind == CType::Index)
    return !variable.range.fitsInt();
  return variable.type.isInteger() && variable.type.bits == 64;
}

std::string Printer::typeOf(const Variable &variable) const {
  if (variable.type.kind == CType::Index)
    return isWide(variable) ? spelling.type(kIndexType) : "int";
  return spelling.type(variable.type);
}

std::string Printer::declarator(const Variable &variable) const {
  std::string text = variable.name;
  for (int64_t extent : variable.shape)
    text += "[" + std::to_string(extent) + "]";
  return text;
}

void Printer::declare(const Variable &variable) {
  if (variable.isAligned)
    stream << (spelling.isOpenCL() ? "__attribute__((aligned(16))) "
                                   : "alignas(16) ");
  stream << typeOf(variable) << ' ' << declarator(variable)
         << (variable.isZeroed ? (spelling.isOpenCL() ? " = {0}" : " = {}")
                               : "")
         << ";\n";
}

/// Prints two declarations as one where they fit into a line; else false.
bool Printer::printJoined(const Stmt &first, const Stmt &second) {
  constexpr size_t lineLength = 76;
  at = &first;
  auto nameAndValue = [&](const Stmt &stmt) {
    const Variable &variable = *stmt.target->variable;
    return declarator(variable) + " = " + text(stmt.value);
  };
  std::string line = "const " + typeOf(*first.target->variable) + ' ' +
                     nameAndValue(first) + ", " + nameAndValue(second) + ';';
  if (line.size() > lineLength ||
      typeOf(*first.target->variable) != typeOf(*second.target->variable))
    return false;
  stream << line << '\n';
  return true;
}

void Printer::printBlock(const Block &block) {
  for (size_t i = 0; i < block.size(); ++i) {
    if (block[i]->joinsNext && printJoined(*block[i], *block[i + 1]))
      ++i;
    else
      printStmt(*block[i]);
  }
}

/// Whether `stmt` gives the only variable that it declares its first value.
static bool initializesDeclared(const Stmt &stmt) {
  return stmt.kind == Stmt::Assign && stmt.value &&
         stmt.target->kind == Expr::Use && stmt.declares.size() == 1 &&
         stmt.declares[0] == stmt.target->variable && stmt.isDeclaration;
}

void Printer::printFunction(const Stmt &stmt) {
  stream << "auto " << stmt.function->name << " = [&](";
  llvm::interleaveComma(stmt.parameters, stream, [&](const Variable *index) {
    stream << typeOf(*index) << ' ' << index->name;
  });
  stream << ") {\n";
  printBlock(stmt.body);
  stream << "};\n";
}

void Printer::printStmt(const Stmt &stmt) {
  at = &stmt;
  if (!initializesDeclared(stmt))
    for (const Variable *variable : stmt.declares)
      declare(*variable);
  switch (stmt.kind) {
  case Stmt::Assign:
    if (!stmt.value)
      return;
    return printAssign(stmt);
  case Stmt::Evaluate:
    stream << text(stmt.value) << ";\n";
    return;
  case Stmt::If:
    return printIf(stmt);
  case Stmt::For:
    return printFor(stmt);
  case Stmt::Forever:
    stream << "while (true) {\n";
    printBlock(stmt.body);
    stream << "}\n";
    return;
  case Stmt::While:
    stream << "while (" << text(stmt.value) << ") {\n";
    printBlock(stmt.body);
    stream << "}\n";
    return;
  case Stmt::DoWhile:
    stream << "do {\n";
    printBlock(stmt.body);
    stream << "} while (" << text(stmt.value) << ");\n";
    return;
  case Stmt::Break:
    stream << "break;\n";
    return;
  case Stmt::Barrier:
    stream << spelling.barrier() << ";\n";
    return;
  case Stmt::AsyncCopy:
    return printAsyncCopy(stmt);
  case Stmt::AsyncCommit:
    if (spelling.getLanguage() == OutputLanguage::CUDA)
      stream << "__pipeline_commit();\n";
    return;
  case Stmt::AsyncWait:
    if (spelling.getLanguage() == OutputLanguage::CUDA)
      stream << "__pipeline_wait_prior(" << stmt.step << ");\n";
    return;
  case Stmt::Function:
    return printFunction(stmt);
  case Stmt::Comment:
    stream << "// " << stmt.text << '\n';
    return;
  }
}

/// Whether `block` is one statement that needs no braces: no line of its own
/// stands before it, but for the pragma of a loop in one that has one too.
static bool isSingle(const Block &block, bool isInUnrolled = false) {
  return block.size() == 1 && block[0]->declares.empty() &&
         block[0]->kind != Stmt::Comment &&
         !(block[0]->kind == Stmt::If && !block[0]->orElse.empty()) &&
         (!block[0]->isUnrolled || isInUnrolled);
}

/// Whether `else` of `stmt` goes on with `if`.
static bool isChained(const Stmt &stmt) {
  return stmt.orElse.size() == 1 && stmt.orElse[0]->kind == Stmt::If &&
         stmt.orElse[0]->declares.empty();
}

/// Whether one of the branches needs braces: then all of a chain have them.
static bool needsBraces(const Stmt &stmt) {
  if (!isSingle(stmt.body))
    return true;
  if (stmt.orElse.empty())
    return false;
  // `else` belongs to this one.
  if (stmt.body[0]->kind != Stmt::Assign &&
      stmt.body[0]->kind != Stmt::AsyncCopy)
    return true;
  return isChained(stmt) ? needsBraces(*stmt.orElse[0])
                         : !isSingle(stmt.orElse);
}

void Printer::printIf(const Stmt &stmt) {
  bool hasBraces = needsBraces(stmt);
  const char *open = hasBraces ? "{\n" : "\n", *close = hasBraces ? "}" : "";
  for (const Stmt *link = &stmt;; link = link->orElse[0]) {
    at = link;
    stream << "if (" << text(link->value) << ") " << open;
    printBlock(link->body);
    stream << close;
    if (link->orElse.empty())
      break;
    stream << " else ";
    if (isChained(*link))
      continue;
    stream << open;
    printBlock(link->orElse);
    stream << close;
    break;
  }
  if (hasBraces)
    stream << '\n';
}

/// i < n; or i <= n for n + 1, and i + 1 < n for n - 1, where the sum could
/// leave `int`.
std::string Printer::boundOf(const Stmt &stmt) {
  bool neededSign = std::exchange(needsSign, needsSign || spelling.isC());
  auto restore = llvm::scope_exit([&] { needsSign = neededSign; });
  const Expr *upper = stmt.upper;
  const std::string &name = stmt.counter->name;
  const Variable &counter = *stmt.counter;
  auto without = [&](int64_t constant) {
    Expr rest = *upper;
    rest.constant = constant;
    return rest;
  };
  bool isSimple = upper->kind == Expr::Sum && upper->operands.size() == 1 &&
                  !rangeOf(upper).fitsInt();
  Expr rest = isSimple ? without(0) : *upper;
  if (isSimple && upper->constant == 1)
    return name + " <= " + wrap(expr(&rest), 10);
  Range end = counter.range + Range{0, counter.counterStep};
  if (isSimple && upper->constant < 0 && rangeOf(&rest).fitsInt() &&
      (end + Range{0, -upper->constant}).fitsInt())
    return name + " + " + std::to_string(-upper->constant) + " < " +
           wrap(expr(&rest), 10);
  return name + " < " + wrap(expr(upper), 10);
}

void Printer::printFor(const Stmt &stmt) {
  // C has no such pragma that all compilers know.
  if (stmt.isUnrolled && !spelling.isC())
    stream << "#pragma unroll\n";
  const std::string &name = stmt.counter->name;
  if (stmt.halves)
    stream << "for (int " << name << " = " << text(stmt.lower) << "; " << name
           << " > " << text(stmt.upper) << "; " << name << " /= 2) ";
  std::string step =
      stmt.step == 1 ? "++" + name : name + " += " + std::to_string(stmt.step);
  if (stmt.stepBy)
    step = name + " += " + text(stmt.stepBy);
  if (!stmt.halves)
    stream << "for (" << typeOf(*stmt.counter) << ' ' << name << " = "
           << text(stmt.lower) << "; " << boundOf(stmt) << "; " << step << ") ";
  bool needsBraces = !isSingle(stmt.body, stmt.isUnrolled);
  stream << (needsBraces ? "{\n" : "\n");
  printBlock(stmt.body);
  stream << (needsBraces ? "}\n" : "");
}

/// `value` as it is assigned to something of `type`, which converts it.
static const Expr *dropConversion(const Expr *value, CType type) {
  bool isSame = value->kind == Expr::Cast && value->type.isInteger() &&
                type.isInteger() && value->type.bits == type.bits &&
                value->operands[0]->type.isInteger() && type.lanes == 1;
  return isSame && type.bits < 32 ? value->operands[0] : value;
}

void Printer::printAssign(const Stmt &stmt) {
  Text value = expr(dropConversion(stmt.value, stmt.target->type));
  if (stmt.isDeclaration) {
    const Variable &variable = *stmt.target->variable;
    stream << (stmt.isConstant ? "const " : "") << typeOf(variable) << ' '
           << declarator(variable) << " = " << value.text << ";\n";
    return;
  }
  std::string target = text(stmt.target);
  // sum = sum + x is sum += x, but for what is added from the left.
  const Expr *operation = stmt.value;
  bool isUpdate = operation->kind == Expr::Binary &&
                  operation->operands[0] == stmt.target &&
                  operation->type == stmt.target->type &&
                  operation->type.kind != CType::Bool;
  // Addition and multiplication give the same either way round.
  bool isCommuted = operation->kind == Expr::Binary && !isUpdate &&
                    operation->operands[1] == stmt.target &&
                    operation->type == stmt.target->type &&
                    (operation->text == "+" || operation->text == "*");
  // x = x >> 1, exact, is x >>= 1.
  const Expr *quotient =
      operation->kind == Expr::Sum && operation->operands.size() == 1 &&
              operation->constant == 0 && operation->coefficients[0] == 1 &&
              operation->operands[0]->kind == Expr::Quotient
          ? operation->operands[0]->operands[0]
          : nullptr;
  if (quotient && quotient->constant == 0 && quotient->operands.size() == 1 &&
      quotient->operands[0] == stmt.target && quotient->coefficients[0] == 1) {
    llvm::StringRef rest(value.text);
    if (rest.consume_front(target + " >> ") ||
        (rest = value.text).consume_front(target + " / ")) {
      bool isShift = llvm::StringRef(value.text).contains(">>");
      stream << target << (isShift ? " >>= " : " /= ") << rest << ";\n";
      return;
    }
  }
  if (isUpdate && operation->text == "+" && text(operation->operands[1]) == "1")
    stream << "++" << target << ";\n";
  else if (isUpdate || isCommuted)
    stream << target << ' ' << operation->text << "= "
           << text(operation->operands[isUpdate ? 1 : 0]) << ";\n";
  else
    stream << target << " = " << value.text << ";\n";
}

void Printer::printAsyncCopy(const Stmt &stmt) {
  if (spelling.getLanguage() != OutputLanguage::CUDA) {
    stream << text(stmt.target) << " = " << text(stmt.value) << ";\n";
    return;
  }
  spelling.require(Headers::Pipeline);
  stream << "__pipeline_memcpy_async(&" << element(stmt.target) << ", &"
         << element(stmt.value) << ", " << stmt.step << ");\n";
}
