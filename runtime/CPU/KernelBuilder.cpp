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

Value *KernelBuilder::createWait(IRBuilderBase &ir, const Instruction &at,
                                 Wait kind, Value *mask, Value *value,
                                 Value *operand) {
  unsigned site = addSite(Site::Kind::Wait, at);
  return ir.CreateCall(waitFunction, {thread, ir.getInt32(uint32_t(kind)),
                                      ir.getInt32(site), mask, value, operand});
}

Value *KernelBuilder::toWord(IRBuilderBase &ir, Value *value) {
  Type *type = value->getType();
  if (type->isPointerTy())
    return ir.CreatePtrToInt(value, ir.getInt64Ty());
  unsigned bits = type->getPrimitiveSizeInBits();
  return ir.CreateZExtOrTrunc(ir.CreateBitCast(value, ir.getIntNTy(bits)),
                              ir.getInt64Ty());
}

Value *KernelBuilder::fromWord(IRBuilderBase &ir, Value *word, Type *type) {
  if (type->isPointerTy())
    return ir.CreateIntToPtr(word, type);
  Type *integer = ir.getIntNTy(type->getPrimitiveSizeInBits());
  return ir.CreateBitCast(ir.CreateZExtOrTrunc(word, integer), type);
}

Value *KernelBuilder::laneId(IRBuilderBase &ir) {
  return loadField(ir, thread, offsetof(ThreadContext, lane), ir.getInt32Ty());
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
