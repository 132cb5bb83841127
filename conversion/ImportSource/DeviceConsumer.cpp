//===- DeviceConsumer.cpp - what is noted while Clang parses --------------===//

#include "conversion/ImportSource/DeviceConsumer.h"

#include "conversion/ImportSource/HostDeclarations.h"
#include "conversion/ImportSource/HostLaunches.h"
#include "conversion/ImportSource/KernelFacts.h"
#include "conversion/ImportSource/Pragma.h"
#include "conversion/ImportSource/Reassociable.h"
#include "conversion/ImportSource/TextureReferences.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace clang;
using namespace gpuopt;

/// The host may set what a variable of the device holds, by a function whose
/// body is not read here or in another file: Clang must not take a static one
/// for what it is initialised with. One of another file is not defined here.
static void noteUseByHost(VarDecl &variable) {
  auto isExplicit = [](const Attr *attribute) {
    return attribute && !attribute->isImplicit();
  };
  bool isOfDevice = isExplicit(variable.getAttr<CUDADeviceAttr>()) ||
                    isExplicit(variable.getAttr<CUDAConstantAttr>());
  // Code is made of instances, not of templates.
  if (isOfDevice && !variable.isTemplated() &&
      variable.isThisDeclarationADefinition() &&
      !variable.getType().isConstQualified())
    variable.getASTContext().CUDADeviceVarODRUsedByHost.insert(&variable);
}

static bool isUnsigned(const VarDecl &variable) {
  QualType element =
      variable.getASTContext().getBaseElementType(variable.getType());
  return element->isUnsignedIntegerType() && !element->isBooleanType();
}

bool DeviceConsumer::HandleTopLevelDecl(DeclGroupRef group) {
  for (Decl *declaration : group)
    collect(declaration);
  return true;
}

void DeviceConsumer::collect(Decl *declaration) {
  if (auto *function = dyn_cast<FunctionDecl>(declaration)) {
    if (isKernelDefinition(*function))
      kernels.push_back(function);
    return;
  }
  if (auto *variable = dyn_cast<VarDecl>(declaration)) {
    placeTextureReference(*variable);
    if (isUnsigned(*variable))
      unsignedVariables.push_back(variable);
    return noteUseByHost(*variable);
  }
  if (auto *function = dyn_cast<FunctionTemplateDecl>(declaration)) {
    hostTemplates.visit(*function);
    if (!function->getTemplatedDecl()->hasAttr<CUDAGlobalAttr>() ||
        !function->isThisDeclarationADefinition())
      return;
    // Nobody expects all kernels of a library in use.
    if (compiler.getSourceManager().isInSystemHeader(function->getLocation()))
      result.hasLibraryKernels = true;
    else
      kernelTemplates.push_back(function);
    return;
  }
  if (isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(declaration))
    for (Decl *inner : cast<DeclContext>(declaration)->noload_decls())
      collect(inner);
}

bool DeviceConsumer::shouldSkipFunctionBody(Decl *declaration) {
  const FunctionDecl *function = declaration->getAsFunction();
  if (!function || !compiler.getLangOpts().CUDA || runsOnDevice(*function))
    return false;
  const SourceManager &sources = compiler.getSourceManager();
  // The standard library's templates may run anywhere.
  if (sources.isInSystemHeader(function->getLocation()))
    return hostBodyUse != HostBodyUse::ParseAll &&
           (!function->isTemplated() || function->hasAttr<CUDAHostAttr>());
  if (hostBodyUse == HostBodyUse::Skip)
    return true;
  if (SourceRange body = findBody(*function); body.isValid())
    printer.getHostCode().add(body);
  return false;
}

/// From the function's name to the brace that closes its body, found by
/// counting braces in the text.
SourceRange DeviceConsumer::findBody(const FunctionDecl &function) const {
  const SourceManager &sources = compiler.getSourceManager();
  SourceLocation begin = sources.getFileLoc(function.getLocation());
  auto [file, offset] = sources.getDecomposedLoc(begin);
  bool invalid = false;
  StringRef text = sources.getBufferData(file, &invalid);
  if (invalid)
    return {};
  Lexer lexer(sources.getLocForStartOfFile(file), compiler.getLangOpts(),
              text.begin(), text.begin() + offset, text.end());
  Token token;
  unsigned depth = 0;
  while (!lexer.LexFromRawLexer(token)) {
    depth += token.is(tok::l_brace);
    if (token.is(tok::r_brace) && depth > 0 && --depth == 0)
      break;
  }
  return {begin, token.getLocation()};
}

std::string DeviceConsumer::symbolOf(const FunctionDecl &kernel) {
  return generator
      .GetMangledName(GlobalDecl(&kernel, KernelReferenceKind::Kernel))
      .str();
}

void DeviceConsumer::addKernel(const FunctionDecl &kernel) {
  KernelInfo info = describeKernel(kernel);
  info.symbol = symbolOf(kernel);
  result.kernels.push_back(std::move(info));
}

/// The block of most of a kernel's launches, of several the first.
void DeviceConsumer::noteLaunches(ASTContext &context) {
  using Block = std::array<int64_t, 3>;
  std::map<std::string, std::vector<Block>> launches;
  for (const HostLaunch &launch : findHostLaunches(context))
    launches[symbolOf(*launch.kernel)].push_back(launch.block);
  for (const auto &[symbol, blocks] : launches)
    result.launchBlocks[symbol] =
        *llvm::max_element(blocks, [&](const Block &a, const Block &b) {
          return llvm::count(blocks, a) < llvm::count(blocks, b);
        });
  result.hasReadLaunches = true;
}

void DeviceConsumer::noteUninstantiated(const FunctionTemplateDecl &kernel) {
  for (const FunctionDecl *specialization : kernel.specializations())
    if (specialization->isDefined())
      return;
  KernelInfo info;
  info.name = kernel.getNameAsString();
  info.position =
      toSourcePosition(kernel.getLocation(), compiler.getSourceManager());
  result.uninstantiated.push_back(std::move(info));
}

/// A pragma belongs to the next kernel behind it; all instantiations of a
/// template share one.
void DeviceConsumer::attachPragmas() {
  const SourceManager &sources = compiler.getSourceManager();
  auto isBefore = [&](SourceLocation a, SourceLocation b) {
    return sources.isBeforeInTranslationUnit(a, b);
  };
  auto placeOf = [&](const FunctionDecl *kernel) {
    if (const FunctionDecl *pattern = kernel->getTemplateInstantiationPattern())
      kernel = pattern;
    return sources.getFileLoc(kernel->getLocation());
  };
  std::vector<SourceLocation> places;
  for (const FunctionDecl *kernel : kernels)
    places.push_back(placeOf(kernel));
  for (const FunctionTemplateDecl *kernel : kernelTemplates)
    places.push_back(sources.getFileLoc(kernel->getLocation()));

  for (const PlacedPragma &placed : pragmas) {
    if (!placed.pragma.isOfKernel())
      continue;
    SourceLocation next;
    for (SourceLocation place : places)
      if (isBefore(placed.location, place) &&
          (next.isInvalid() || isBefore(place, next)))
        next = place;
    for (size_t i = 0; i < kernels.size(); ++i)
      if (placeOf(kernels[i]) == next)
        attachPragma(placed, result.kernels[i]);
    if (next.isInvalid())
      printer.printWarning(placed.location,
                           "no kernel follows this '#pragma gpuopt'");
  }
}

void DeviceConsumer::attachPragma(const PlacedPragma &placed,
                                  KernelInfo &kernel) {
  if (!kernel.pragma)
    kernel.pragma.emplace();
  KernelPragma &pragma = *kernel.pragma;
  DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
  auto report = [&](const std::string &message) {
    unsigned id = diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0");
    diagnostics.Report(placed.location, id) << message;
  };
  if (!pragma.domain.empty() && !placed.pragma.domain.empty())
    return report("this kernel has a 'domain' already");
  for (const ShareHint &hint : placed.pragma.share)
    if (llvm::any_of(pragma.share, [&](const ShareHint &known) {
          return known.array == hint.array;
        }))
      return report("'" + hint.array + "' is shared already");
  if (pragma.domain.empty())
    pragma.domain = placed.pragma.domain;
  pragma.arrays.insert(placed.pragma.arrays.begin(),
                       placed.pragma.arrays.end());
  pragma.outputs.insert(placed.pragma.outputs.begin(),
                        placed.pragma.outputs.end());
  llvm::append_range(pragma.share, placed.pragma.share);
  if (std::optional<std::string> message =
          checkPragma(placed.pragma, kernel.parameters))
    report(*message + " in the pragma of '" + kernel.name + "'");
}

void DeviceConsumer::HandleTranslationUnit(ASTContext &context) {
  if (compiler.getDiagnostics().hasErrorOccurred()) {
    if (context.getLangOpts().CUDA && printer.hasOnlySemanticErrors())
      result.hostDeclarations =
          findHostDeclarations(context, printer.getErrors());
    return;
  }
  for (const FunctionDecl *kernel : kernels)
    addKernel(*kernel);
  if (context.getLangOpts().CUDA && hostBodyUse != HostBodyUse::Skip)
    noteLaunches(context);
  result.hasKernelTemplates = !kernelTemplates.empty();
  for (const FunctionTemplateDecl *kernel : kernelTemplates)
    noteUninstantiated(*kernel);
  for (const VarDecl *variable : unsignedVariables)
    result.unsignedVariables.push_back(
        generator.GetMangledName(GlobalDecl(variable)).str());
  attachPragmas();
  result.reassociable = findReassociable(context, pragmas, printer);
}
