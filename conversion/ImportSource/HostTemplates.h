//===- HostTemplates.h - templates that only the host calls -----*- C++ -*-===//
//
// A function template that says nothing may run on both sides: Clang gives it
// the attributes of both (-foffload-implicit-host-device-templates), since
// kernels call those of libraries. One that launches kernels is the host's, and
// so is one that calls it. Without that, its explicit instantiation would be
// compiled for the device, with all that is wrong there.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_HOSTTEMPLATES_H
#define CONVERSION_IMPORTSOURCE_HOSTTEMPLATES_H

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace gpuopt {

class HostTemplates {
public:
  /// Takes the attributes from a template that is the host's, before it is
  /// instantiated. Templates come in the order of the source.
  void visit(clang::FunctionTemplateDecl &function);
  /// Whether it is among those.
  bool contains(const clang::NamedDecl &declaration) const;

private:
  llvm::SmallPtrSet<const clang::Decl *, 8> known;
};

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_HOSTTEMPLATES_H
