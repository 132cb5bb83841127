//===- FixedPointers.cpp - pointers in memory that do not change ----------===//

#include "conversion/Offload/FixedPointers.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

bool offload::pointsToObjects(QualType type) {
  return type->isPointerType() && !type->getPointeeType()->isIncompleteType() &&
         !type->getPointeeType()->isFunctionType();
}

std::string offload::nameOf(const FixedPointers &pointers,
                            const VarDecl &variable) {
  for (const FixedPointer &pointer : pointers)
    if (pointer.variable == &variable)
      return pointer.text;
  return variable.getNameAsString();
}

/// A name of C for what is called `text`, which no other of `pointers` has.
static std::string nameFor(StringRef text, const FixedPointers &pointers) {
  std::string name = "gpuopt";
  bool isBehindGap = true;
  for (char character : text) {
    bool isPart = llvm::isAlnum(character) || character == '_';
    if (isPart && isBehindGap)
      name += '_';
    if (isPart)
      name += character;
    isBehindGap = !isPart;
  }
  bool isTaken = llvm::any_of(pointers, [&](const FixedPointer &other) {
    return other.variable->getName() == name;
  });
  return isTaken ? name + "_" + std::to_string(pointers.size()) : name;
}

FixedPointer &offload::addFixedPointer(FixedPointers &pointers, StringRef text,
                                       const Expr &expression,
                                       const ASTContext &context) {
  auto known = llvm::find_if(
      pointers, [&](const FixedPointer &each) { return each.text == text; });
  if (known != pointers.end())
    return *known;
  // A variable that only this reading of the program has.
  auto &tree = const_cast<ASTContext &>(context);
  QualType type = expression.getType().getUnqualifiedType();
  VarDecl *variable = VarDecl::Create(
      tree, tree.getTranslationUnitDecl(), expression.getBeginLoc(),
      expression.getBeginLoc(), &tree.Idents.get(nameFor(text, pointers)), type,
      tree.getTrivialTypeSourceInfo(type), SC_Auto);
  pointers.push_back({text.str(), variable, {}});
  return pointers.back();
}
