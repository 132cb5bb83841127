//===- PrecompiledClangHeaders.h - and Clang's, parsed once -----*- C++ -*-===//
//
// For libraries that read Clang's syntax trees: most of their files take half to
// an eighth of the time with it.
//
//===----------------------------------------------------------------------===//

#include "cmake/PrecompiledHeaders.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
