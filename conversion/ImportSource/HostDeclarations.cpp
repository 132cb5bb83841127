//===- HostDeclarations.cpp - what kernels can do without -----------------===//

#include "conversion/ImportSource/HostDeclarations.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using namespace gpuopt;

bool gpuopt::runsOnDevice(const FunctionDecl &function) {
  const auto *device = function.getAttr<CUDADeviceAttr>();
  return (device && !device->isImplicit()) ||
         function.hasAttr<CUDAGlobalAttr>() || function.isConstexpr();
}

/// True for what device code cannot use, or uses by its name.
static bool isOfHost(const Decl &declaration) {
  if (const FunctionDecl *function = declaration.getAsFunction())
    return !runsOnDevice(*function);
  if (const auto *variable = dyn_cast<VarDecl>(&declaration))
    return !variable->hasAttr<CUDADeviceAttr>() &&
           !variable->hasAttr<CUDAConstantAttr>();
  return isa<TypedefNameDecl, TagDecl>(declaration);
}

/// Whether the text from `begin` on names a macro before it comes to a body, a
/// value or an end. It may stand for `__global__`, which Clang takes off a
/// declaration that has an error.
static bool mayHaveLostAttributes(SourceLocation begin,
                                  const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  if (begin.isMacroID())
    return true;
  auto [file, offset] = sources.getDecomposedLoc(begin);
  StringRef text = sources.getBufferData(file);
  Lexer lexer(sources.getLocForStartOfFile(file), context.getLangOpts(),
              text.begin(), text.begin() + offset, text.end());
  Token token;
  while (!lexer.LexFromRawLexer(token) &&
         !token.isOneOf(tok::l_brace, tok::equal, tok::semi)) {
    if (token.isNot(tok::raw_identifier))
      continue;
    auto known = context.Idents.find(token.getRawIdentifier());
    if (known != context.Idents.end() && known->second->hasMacroDefinition())
      return true;
  }
  return false;
}

namespace {
using Declarations = llvm::SmallPtrSet<const Decl *, 8>;

/// Finds the declarations that have errors, and their ranges.
class BrokenDeclarations {
public:
  BrokenDeclarations(const ASTContext &context, ArrayRef<SourceLocation> errors)
      : context(context), sources(context.getSourceManager()), left(errors) {}

  void collect(const DeclContext &scope) {
    for (Decl *declaration : scope.noload_decls()) {
      if (isa<NamespaceDecl, LinkageSpecDecl>(declaration))
        collect(*cast<DeclContext>(declaration));
      else if (takeErrors(*declaration) || declaration->isInvalidDecl())
        add(*declaration);
    }
  }

  /// True where each error lies in a declaration of the host's.
  bool areOfHost() const { return left.empty() && allOfHost; }

  const Declarations &getDeclarations() const { return declarations; }
  std::vector<FileRange> takeRanges() { return std::move(ranges); }

private:
  /// Takes what lies in `declaration` off the list; true where that is any.
  bool takeErrors(const Decl &declaration) {
    SourceLocation begin = sources.getFileLoc(declaration.getBeginLoc());
    SourceLocation end = sources.getFileLoc(declaration.getEndLoc());
    size_t before = left.size();
    llvm::erase_if(left, [&](SourceLocation error) {
      return sources.isPointWithin(sources.getFileLoc(error), begin, end);
    });
    return left.size() != before;
  }

  void add(const Decl &declaration) {
    allOfHost &= isOfHost(declaration) &&
                 !mayHaveLostAttributes(declaration.getBeginLoc(), context);
    declarations.insert(&declaration);
    auto [file, begin] =
        sources.getDecomposedLoc(sources.getFileLoc(declaration.getBeginLoc()));
    auto [endFile, end] =
        sources.getDecomposedLoc(sources.getFileLoc(declaration.getEndLoc()));
    allOfHost &= file == endFile;
    ranges.push_back(
        {sources.getFilename(declaration.getBeginLoc()).str(), begin, end});
  }

  const ASTContext &context;
  const SourceManager &sources;
  llvm::SmallVector<SourceLocation> left;
  Declarations declarations;
  std::vector<FileRange> ranges;
  bool allOfHost = true;
};

/// Looks for a use of broken declarations outside of themselves and of the
/// host's functions.
class UseFinder : public DynamicRecursiveASTVisitor {
public:
  UseFinder(const SourceManager &sources, const Declarations &broken)
      : sources(sources), broken(broken) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  // Each returns false, which ends the search, at a use.
  bool TraverseDecl(Decl *declaration) override {
    if (!declaration || broken.contains(declaration))
      return true;
    const FunctionDecl *function = declaration->getAsFunction();
    if (function && isa<FunctionDecl, FunctionTemplateDecl>(declaration) &&
        !runsOnDevice(*function) && !function->isTemplated())
      return true;
    // Templates of the host's may be instantiated for the device as well.
    bool wasInHostTemplate = inHostTemplate;
    inHostTemplate |= function && !runsOnDevice(*function);
    bool goesOn = DynamicRecursiveASTVisitor::TraverseDecl(declaration);
    inHostTemplate = wasInHostTemplate;
    return goesOn;
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) override {
    return !isBroken(*reference->getDecl());
  }
  bool VisitMemberExpr(MemberExpr *member) override {
    return !isBroken(*member->getMemberDecl());
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *construction) override {
    return !isBroken(*construction->getConstructor());
  }
  /// Stands for an expression that Clang could not make sense of. Those of host
  /// code are none of ours.
  bool VisitRecoveryExpr(RecoveryExpr *) override { return inHostTemplate; }
  bool VisitOverloadExpr(OverloadExpr *expression) override {
    return llvm::none_of(expression->decls(),
                         [&](const NamedDecl *declaration) {
                           return isBroken(*declaration->getUnderlyingDecl());
                         });
  }
  bool VisitTypeLoc(TypeLoc location) override {
    QualType type = location.getType();
    if (const auto *alias = type->getAs<TypedefType>())
      if (broken.contains(alias->getDecl()))
        return false;
    const TagDecl *tag = type->getAsTagDecl();
    return !tag || !broken.contains(tag);
  }

  /// Goes through what `scope` declares, system headers aside.
  bool traverseScope(const DeclContext &scope) {
    return llvm::all_of(scope.noload_decls(), [&](Decl *declaration) {
      if (isa<NamespaceDecl, LinkageSpecDecl>(declaration))
        return traverseScope(*cast<DeclContext>(declaration));
      return sources.isInSystemHeader(declaration->getLocation()) ||
             TraverseDecl(declaration);
    });
  }

private:
  /// Whether `declaration` has an error, or one of its redeclarations stands in
  /// what has one: an enumerator, a member, a friend.
  bool isBroken(const Decl &declaration) const {
    return llvm::any_of(declaration.redecls(), [&](const Decl *one) {
      for (const Decl *around = one; around;) {
        if (broken.contains(around))
          return true;
        const DeclContext *lexical = around->getLexicalDeclContext();
        around = lexical ? dyn_cast<Decl>(lexical) : nullptr;
      }
      return false;
    });
  }

  const SourceManager &sources;
  const Declarations &broken;
  bool inHostTemplate = false;
};
} // namespace

std::vector<FileRange>
gpuopt::findHostDeclarations(ASTContext &context,
                             ArrayRef<SourceLocation> errors) {
  const SourceManager &sources = context.getSourceManager();
  const DeclContext &scope = *context.getTranslationUnitDecl();
  BrokenDeclarations broken(context, errors);
  broken.collect(scope);
  if (!broken.areOfHost() ||
      !UseFinder(sources, broken.getDeclarations()).traverseScope(scope))
    return {};
  return broken.takeRanges();
}
