//===- TextureReferences.h - texture<T> t; ----------------------*- C++ -*-===//
//
// A reference to a texture or surface lives on the device, though nothing in
// its declaration says so: `texture<float, 1> t;` (see the prelude's
// textures.h). As a variable of the device the host side of a program registers
// it, so that the runtime finds it by its address.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_IMPORTSOURCE_TEXTUREREFERENCES_H
#define CONVERSION_IMPORTSOURCE_TEXTUREREFERENCES_H

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Decl.h"

#include <memory>

namespace gpuopt {

/// Makes `variable` one of the device if it is a texture reference.
void placeTextureReference(clang::VarDecl &variable);

/// Does so for each variable, before consumers behind it see it.
std::unique_ptr<clang::ASTConsumer> createTexturePlacer();

} // namespace gpuopt

#endif // CONVERSION_IMPORTSOURCE_TEXTUREREFERENCES_H
