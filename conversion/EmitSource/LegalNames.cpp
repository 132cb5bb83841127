//===- LegalNames.cpp - names that source may have ------------------------===//

#include "conversion/EmitSource/LegalNames.h"

#include "conversion/EmitSource/Structures.h"
#include "dialects/GPUOpt/AttributeNames.h"

#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace gpuopt::source;

static clang::LangOptions optionsOfCUDA() {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = 1;
  options.CPlusPlus17 = options.CPlusPlus20 = 1;
  options.Bool = options.WChar = options.Char8 = options.CXXOperatorNames = 1;
  options.CUDA = 1;
  return options;
}

static bool isKeyword(StringRef name) {
  static const clang::LangOptions options = optionsOfCUDA();
  static const clang::IdentifierTable table(options);
  auto known = table.find(name);
  return known != table.end() && known->second &&
         (known->second->isKeyword(options) ||
          known->second->isCPlusPlusOperatorKeyword());
}

/// Words of OpenCL C.
static bool isOpenCLWord(StringRef name) {
  static const llvm::StringSet<> words = {
      "kernel", "global",    "local",      "constant",   "private", "generic",
      "pipe",   "read_only", "write_only", "read_write", "half"};
  return words.contains(name);
}

/// What headers and devices define.
static bool isDefined(StringRef name) {
  static const llvm::StringSet<> words = {
      "min",      "max",      "std",     "main",     "dim3",
      "size_t",   "NULL",     "NAN",     "INFINITY", "threadIdx",
      "blockIdx", "blockDim", "gridDim", "warpSize"};
  return words.contains(name);
}

/// `float4`, `uchar2` and what makes one.
static bool isOfVectors(StringRef name) {
  name.consume_front("make_");
  name.consume_front("u");
  for (StringRef scalar :
       {"char", "short", "int", "longlong", "long", "half", "float", "double"})
    if (StringRef lanes = name; lanes.consume_front(scalar))
      return llvm::is_contained({"2", "3", "4", "8", "16"}, lanes);
  return false;
}

/// The first identifier after `wish` that is free.
static std::string firstFree(StringRef wish,
                             llvm::function_ref<bool(StringRef)> isFree) {
  std::string clean;
  for (char c : wish)
    clean += llvm::isAlnum(c) || c == '_' ? c : '_';
  if (clean.empty() || llvm::isDigit(clean.front()))
    clean = "v" + clean;
  std::string name = clean;
  bool isShort = clean.size() == 1;
  for (unsigned next = 2; !isFree(name); ++next)
    name = clean + (llvm::isDigit(clean.back()) || !isShort ? "_" : "") +
           std::to_string(next);
  return name;
}

std::string
gpuopt::source::legalName(StringRef wish,
                          llvm::function_ref<bool(StringRef)> isTaken) {
  return firstFree(wish, [&](StringRef name) {
    return !isKeyword(name) && !isOpenCLWord(name) && !isDefined(name) &&
           !isOfVectors(name) && !isTaken(name);
  });
}

std::string
gpuopt::source::legalKernelName(StringRef wish, bool isOpenCL,
                                llvm::function_ref<bool(StringRef)> isTaken) {
  return firstFree(wish, [&](StringRef name) {
    bool isWord = isKeyword(name) || (isOpenCL && isOpenCLWord(name));
    return !isWord && name != "main" && !isTaken(name);
  });
}

SmallVector<std::string>
gpuopt::source::parameterNames(gpu::GPUFuncOp function) {
  SmallVector<std::string> names;
  llvm::StringSet<> taken;
  std::string base;
  for (unsigned i = 0; i < function.getFunctionType().getNumInputs(); ++i) {
    auto wish = function.getArgAttrOfType<StringAttr>(i, kNameAttrName);
    std::string name = wish ? wish.str() : "arg" + std::to_string(i);
    DictionaryAttr structure = structureAround(function, i);
    StringRef member;
    if (structure)
      member = StringRef(name).drop_front(baseOf(name).size());
    if (!structure || firstOf(structure) == i)
      base = legalName(structure ? baseOf(name) : StringRef(name),
                       [&](StringRef name) { return taken.contains(name); });
    taken.insert(base);
    names.push_back(base + member.str());
  }
  return names;
}
