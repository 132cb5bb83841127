//===- KernelBuilder.cpp - helpers that the steps share -------------------===//

#include "runtime/CPU/KernelBuilder.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

Value *KernelBuilder::loadField(IRBuilderBase &ir, Value *base, size_t offset,
                                Type *type, bool invariant) {
  Value *address = ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), base, offset);
  LoadInst *load = ir.CreateLoad(type, address);
  load->setMetadata(trustedMetadata, MDNode::get(context, {}));
  if (invariant)
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  return load;
}

FunctionCallee KernelBuilder::hostFunction(StringRef name, Type *result,
                                           ArrayRef<Type *> parameters) {
  FunctionCallee callee = module.getOrInsertFunction(
      name, FunctionType::get(result, parameters, false));
  cast<Function>(callee.getCallee())->setDoesNotThrow();
  return callee;
}

/// Where the front end's own headers are; a user means the place that uses
/// them.
static constexpr StringLiteral preludeDirectory = "/gpuopt-prelude/";

/// The file as the user named it: a function that has lost its own debug
/// information has the path in two parts.
static std::string pathOf(const DILocation &location) {
  SmallString<128> path(location.getFilename());
  if (sys::path::is_relative(path) && !location.getDirectory().empty()) {
    path = location.getDirectory();
    sys::path::append(path, location.getFilename());
  }
  return path.str().str();
}

static std::string formatLocation(const DILocation &location) {
  return pathOf(location) + ":" + std::to_string(location.getLine()) + ":" +
         std::to_string(location.getColumn());
}

unsigned KernelBuilder::addSite(Site::Kind kind, const Instruction &at) {
  Site site;
  site.kind = kind;
  for (const DILocation *location = at.getDebugLoc(); location;
       location = location->getInlinedAt()) {
    site.inlinedLocation += formatLocation(*location) + ";";
    if (site.location.empty() && location->getLine() &&
        !StringRef(pathOf(*location)).starts_with(preludeDirectory))
      site.location = formatLocation(*location);
  }
  facts.sites.push_back(std::move(site));
  return facts.sites.size() - 1;
}
