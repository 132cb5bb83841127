//===- Printer.cpp - statements as text -----------------------------------===//

#include "conversion/EmitSource/Printer.h"

using namespace gpuopt;
using namespace gpuopt::source;

mlir::LogicalResult Printer::print() {
  printHead();
  stream << " {\n";
  for (const Variable *array : kernel.shared) {
    stream << spelling.sharedQualifier();
    if (kernel.alignsShared && array->type.bits / 8 * array->type.lanes < 16)
      stream << (spelling.isOpenCL() ? "__attribute__((aligned(16))) "
                                     : "__align__(16) ");
    stream << spelling.type(array->type) << ' ' << declarator(*array) << ";\n";
  }
  for (const Variable &variable : kernel.allVariables())
    if (variable.kind == Variable::Builtin)
      stream << "const int " << variable.name << " = "
             << spelling.builtin(variable.initializer) << ";\n";
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

void Printer::printBlock(const Block &block) {
  for (const Stmt *stmt : block)
    printStmt(*stmt);
}

void Printer::printStmt(const Stmt &stmt) {
  at = &stmt;
  bool declaresTarget =
      stmt.kind == Stmt::Assign && stmt.value &&
      stmt.target->kind == Expr::Use && stmt.declares.size() == 1 &&
      stmt.declares[0] == stmt.target->variable && stmt.isDeclaration;
  if (!declaresTarget)
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
  case Stmt::Comment:
    stream << "// " << stmt.text << '\n';
    return;
  }
}

/// Whether `block` is one statement without a line of its own before it.
static bool isSingle(const Block &block) {
  return block.size() == 1 && block[0]->declares.empty() &&
         block[0]->kind != Stmt::Comment &&
         !(block[0]->kind == Stmt::If && !block[0]->orElse.empty()) &&
         !block[0]->isUnrolled;
}

void Printer::printIf(const Stmt &stmt) {
  stream << "if (" << text(stmt.value) << ") ";
  // `else` belongs to this one.
  bool needsBraces =
      !isSingle(stmt.body) ||
      (!stmt.orElse.empty() &&
       (!isSingle(stmt.orElse) || stmt.body[0]->kind != Stmt::Assign));
  stream << (needsBraces ? "{\n" : "\n");
  printBlock(stmt.body);
  stream << (needsBraces ? "}" : "");
  if (stmt.orElse.empty()) {
    stream << (needsBraces ? "\n" : "");
    return;
  }
  bool isChain = stmt.orElse.size() == 1 && stmt.orElse[0]->kind == Stmt::If &&
                 stmt.orElse[0]->declares.empty();
  stream << " else ";
  if (isChain)
    return printStmt(*stmt.orElse[0]);
  stream << (needsBraces ? "{\n" : "\n");
  printBlock(stmt.orElse);
  stream << (needsBraces ? "}\n" : "\n");
}

void Printer::printFor(const Stmt &stmt) {
  if (stmt.isUnrolled)
    stream << "#pragma unroll\n";
  const std::string &name = stmt.counter->name;
  std::string step =
      stmt.step == 1 ? "++" + name : name + " += " + std::to_string(stmt.step);
  stream << "for (" << typeOf(*stmt.counter) << ' ' << name << " = "
         << text(stmt.lower) << "; " << name << " < ";
  Text upper = expr(stmt.upper);
  stream << wrap(upper, 10) << "; " << step << ") ";
  bool needsBraces = !isSingle(stmt.body);
  stream << (needsBraces ? "{\n" : "\n");
  printBlock(stmt.body);
  stream << (needsBraces ? "}\n" : "");
}

void Printer::printAssign(const Stmt &stmt) {
  Text value = expr(stmt.value);
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
  if (isUpdate || isCommuted)
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
  stream << "__pipeline_memcpy_async(&" << element(stmt.target) << ", &"
         << element(stmt.value) << ", " << stmt.step << ");\n";
}
