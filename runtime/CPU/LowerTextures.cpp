//===- LowerTextures.cpp - fetches from textures, accesses of surfaces ----===//
//
// `llvm.nvvm.tex.unified.*`, `llvm.nvvm.tld4.unified.*`, `llvm.nvvm.txq.*`,
// `llvm.nvvm.suld.*` and `llvm.nvvm.sust.b.*`, by which source and PTX say
// them, become calls of the host (Textures.h). What
// they take and give goes through words in the thread's frame:
//
//   x, y, z, layer | four words of data
//
// There is one level of detail: levels and gradients choose nothing.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/KernelBuilder.h"
#include "runtime/Textures.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

static constexpr unsigned layerWord = 3, firstDataWord = 4, wordCount = 8;

namespace {
class TextureLowering {
public:
  TextureLowering(KernelBuilder &builder, CallInst &instruction)
      : kernel(builder), call(instruction), ir(&instruction),
        i32(ir.getInt32Ty()) {
    IRBuilder<> entry(kernel.bodyBegin);
    words = entry.CreateAlloca(ArrayType::get(i32, wordCount));
  }

  void fetch(const TextureFetch &fetch);
  void access(const SurfaceAccess &access, bool isStore);
  void query(TextureQuery query, bool isOfSurface);

private:
  void storeWord(unsigned number, Value *value);
  Value *loadWord(unsigned number, Type *type);
  unsigned storePlace(unsigned dimensions, bool isLayered);
  void callHost(StringRef function, uint32_t code, StringRef what,
                bool isStore = false);
  void replaceBy(Value *result);

  KernelBuilder &kernel;
  CallInst &call;
  IRBuilder<> ir;
  Type *i32;
  Value *words;
};
} // namespace

static void trust(KernelBuilder &kernel, Instruction *access) {
  access->setMetadata(trustedMetadata, MDNode::get(kernel.context, {}));
}

/// A number of up to 64 bits, in one word or two.
void TextureLowering::storeWord(unsigned number, Value *value) {
  unsigned bits = value->getType()->getPrimitiveSizeInBits();
  if (bits < 32)
    value = ir.CreateZExt(value, i32);
  Value *place = ir.CreateConstInBoundsGEP1_32(i32, words, number);
  trust(kernel, ir.CreateAlignedStore(value, place, Align(4)));
}

Value *TextureLowering::loadWord(unsigned number, Type *type) {
  Value *place = ir.CreateConstInBoundsGEP1_32(i32, words, number);
  LoadInst *word = ir.CreateAlignedLoad(type, place, Align(4));
  trust(kernel, word);
  return word;
}

/// The operands behind the handle; returns the number of the next one.
unsigned TextureLowering::storePlace(unsigned dimensions, bool isLayered) {
  unsigned next = 1;
  if (isLayered)
    storeWord(layerWord, call.getArgOperand(next++));
  for (unsigned dimension = 0; dimension < dimensions; ++dimension)
    storeWord(dimension, call.getArgOperand(next++));
  return next;
}

/// What can go wrong has a place each: there is no such object, what it shows
/// is not there any more, and an element beyond a surface.
void TextureLowering::callHost(StringRef function, uint32_t code,
                               StringRef what, bool isStore) {
  std::optional<unsigned> site;
  std::string object = what.str();
  for (const std::string &text :
       {"uses a " + object + " object that there is not",
        "uses a " + object + " of memory that there is not",
        std::string(isStore ? "writes" : "reads") + " beyond a " + object}) {
    unsigned added = kernel.addSite(Site::Kind::Trap, call);
    kernel.facts.sites[added].text = text;
    site = site.value_or(added);
  }
  FunctionCallee host = kernel.hostFunction(
      function, ir.getVoidTy(),
      {ir.getPtrTy(), ir.getInt64Ty(), i32, ir.getPtrTy(), i32});
  ir.CreateCall(host, {kernel.thread, call.getArgOperand(0), ir.getInt32(code),
                       words, ir.getInt32(*site)});
}

void TextureLowering::replaceBy(Value *result) {
  if (result)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void TextureLowering::fetch(const TextureFetch &fetch) {
  storePlace(fetch.dimensions, fetch.isLayered);
  callHost("gpuopt.texture.fetch", fetch.encode(), "texture");
  auto *types = cast<StructType>(call.getType());
  Value *result = PoisonValue::get(types);
  for (unsigned channel = 0; channel < 4; ++channel)
    result = ir.CreateInsertValue(
        result,
        loadWord(firstDataWord + channel, types->getElementType(channel)),
        channel);
  replaceBy(result);
}

void TextureLowering::access(const SurfaceAccess &access, bool isStore) {
  unsigned next = storePlace(access.dimensions, access.isLayered);
  // Elements of 8 bits are in registers of 16; bytes follow each other.
  auto *types = dyn_cast<StructType>(call.getType());
  unsigned parts = isStore ? call.arg_size() - next
                   : types ? types->getNumElements()
                           : 1;
  unsigned bytes = access.bytes / parts;
  Type *memory = ir.getIntNTy(8 * bytes);
  auto placeOf = [&](unsigned part) {
    Value *data = ir.CreateConstInBoundsGEP1_32(i32, words, firstDataWord);
    return ir.CreateConstInBoundsGEP1_32(ir.getInt8Ty(), data, part * bytes);
  };
  if (isStore)
    for (unsigned part = 0; part < parts; ++part)
      trust(kernel, ir.CreateAlignedStore(
                        ir.CreateTrunc(call.getArgOperand(next + part), memory),
                        placeOf(part), Align(1)));
  callHost(isStore ? "gpuopt.surface.store" : "gpuopt.surface.load",
           access.encode(), "surface", isStore);
  if (isStore)
    return replaceBy(nullptr);
  Value *result = PoisonValue::get(call.getType());
  for (unsigned part = 0; part < parts; ++part) {
    Type *type = types ? types->getElementType(part) : call.getType();
    LoadInst *loaded = ir.CreateAlignedLoad(memory, placeOf(part), Align(1));
    trust(kernel, loaded);
    Value *value = ir.CreateZExt(loaded, type);
    result = types ? ir.CreateInsertValue(result, value, part) : value;
  }
  replaceBy(result);
}

void TextureLowering::query(TextureQuery query, bool isOfSurface) {
  callHost(isOfSurface ? "gpuopt.surface.query" : "gpuopt.texture.query",
           uint32_t(query), isOfSurface ? "surface" : "texture");
  replaceBy(loadWord(firstDataWord, i32));
}

/// `1d` to `3d`, and `array` behind it.
static bool parseGeometry(StringRef &name, uint32_t &dimensions,
                          bool &isLayered) {
  if (name.consumeInteger(10, dimensions) || !name.consume_front("d.") ||
      dimensions < 1 || dimensions > 3)
    return false;
  isLayered = name.consume_front("array.");
  return true;
}

/// `2d.array.v4f32.s32`
static std::optional<TextureFetch> parseFetch(StringRef name) {
  TextureFetch fetch;
  fetch.isOfCube = name.consume_front("cube.");
  if (fetch.isOfCube) {
    fetch.dimensions = 3;
    fetch.isLayered = name.consume_front("array.");
  } else if (!parseGeometry(name, fetch.dimensions, fetch.isLayered)) {
    return std::nullopt;
  }
  if (!name.consume_front("level."))
    name.consume_front("grad.");
  fetch.isByIndex = name.ends_with(".s32");
  return fetch;
}

/// `g.2d.v4f32.f32`
static std::optional<TextureFetch> parseGather(StringRef name) {
  size_t channel = StringRef("rgba").find(name.front());
  if (channel == StringRef::npos || !name.drop_front().starts_with(".2d."))
    return std::nullopt;
  TextureFetch fetch;
  fetch.dimensions = 2;
  fetch.gathered = channel + 1;
  return fetch;
}

static std::optional<TextureQuery> parseQuery(StringRef name) {
  return StringSwitch<std::optional<TextureQuery>>(name)
      .Case("width", TextureQuery::Width)
      .Case("height", TextureQuery::Height)
      .Case("depth", TextureQuery::Depth)
      .Case("array.size", TextureQuery::Layers)
      .Default(std::nullopt);
}

/// `2d.v4i32.trap`
static std::optional<SurfaceAccess> parseAccess(StringRef name) {
  SurfaceAccess access;
  if (!parseGeometry(name, access.dimensions, access.isLayered))
    return std::nullopt;
  uint32_t elements = 1, bits;
  if (name.consume_front("v") && name.consumeInteger(10, elements))
    return std::nullopt;
  if (!name.consume_front("i") || name.consumeInteger(10, bits))
    return std::nullopt;
  access.bytes = elements * bits / 8;
  auto mode = StringSwitch<std::optional<SurfaceAccess::Mode>>(name)
                  .Case(".zero", SurfaceAccess::Mode::Zero)
                  .Case(".clamp", SurfaceAccess::Mode::Clamp)
                  .Case(".trap", SurfaceAccess::Mode::Trap)
                  .Default(std::nullopt);
  if (!mode)
    return std::nullopt;
  access.mode = *mode;
  return access;
}

bool gpuopt::runtime::lowerTexture(KernelBuilder &kernel, CallInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  bool isOfSurface = name.consume_front("llvm.nvvm.suq.");
  if (isOfSurface || name.consume_front("llvm.nvvm.txq.")) {
    std::optional<TextureQuery> query = parseQuery(name);
    if (query)
      TextureLowering(kernel, call).query(*query, isOfSurface);
    return query.has_value();
  }
  bool isGather = name.consume_front("llvm.nvvm.tld4.unified.");
  if (isGather || name.consume_front("llvm.nvvm.tex.unified.")) {
    std::optional<TextureFetch> fetch =
        isGather ? parseGather(name) : parseFetch(name);
    if (fetch)
      TextureLowering(kernel, call).fetch(*fetch);
    return fetch.has_value();
  }
  bool isStore = name.consume_front("llvm.nvvm.sust.b.");
  if (!isStore && !name.consume_front("llvm.nvvm.suld."))
    return false;
  std::optional<SurfaceAccess> access = parseAccess(name);
  if (access)
    TextureLowering(kernel, call).access(*access, isStore);
  return access.has_value();
}
