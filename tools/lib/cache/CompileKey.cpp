//===- CompileKey.cpp - what the result of a compilation depends on -------===//
//
// Structures are taken apart by structured bindings: a new member does not
// compile until it has found its place here.
//
//===----------------------------------------------------------------------===//

#include "tools/lib/cache/CompileKey.h"

#include "tools/lib/cache/CacheKey.h"
#include "tools/lib/compile/CompilerSteps.h"

#include "llvm/Bitcode/BitcodeWriter.h"

using namespace gpuopt;
using namespace llvm;

namespace {
/// Appends values to the parts of a key, each so that its end is known.
class KeyWriter {
public:
  template <typename... Values>
  void add(const Values &...values) {
    (append(values), ...);
  }
  std::vector<std::string> parts;

private:
  void append(const std::string &text) { parts.push_back(text); }
  template <typename Value>
    requires std::is_integral_v<Value> || std::is_enum_v<Value>
  void append(Value value) {
    parts.push_back(std::to_string(static_cast<int64_t>(value)));
  }
  template <typename Value>
  void append(const std::vector<Value> &list) {
    append(list.size());
    for (const Value &value : list)
      append(value);
  }
  template <typename Value>
  void append(const std::optional<Value> &value) {
    append(value.has_value());
    if (value)
      append(*value);
  }
  template <typename Value>
  void append(const std::map<std::string, Value> &map) {
    append(map.size());
    for (const auto &[name, value] : map)
      add(name, value);
  }
  template <typename Value>
  void append(const StringMap<Value> &map) {
    std::map<std::string, Value> sorted;
    for (const auto &entry : map)
      sorted.emplace(entry.getKey().str(), entry.getValue());
    append(sorted);
  }

  void append(const Design &design) { append(design.toString()); }
  void append(const ImportOptions &options) {
    const auto &[language, text, clangArguments, cudaPath, fpContract, fastMath,
                 looksLikeNVCC, kernels, leaveOutUnsupported, isOfProgram] =
        options;
    add(language, text, clangArguments, cudaPath, fpContract, fastMath,
        looksLikeNVCC, kernels, leaveOutUnsupported, isOfProgram);
  }
  void append(const CompileOptions &options) {
    const auto &[inputKind, text, target, kernels, import, signature, optimize,
                 gridSync, strict, timeBudget, assumeNoalias, reassociate,
                 matrixUnits, sizes, plan, keepSteps, specialize, designs,
                 design] = options;
    // What did not end in time is not kept.
    (void)timeBudget;
    add(inputKind, text, target, kernels, import, signature, optimize, gridSync,
        strict, assumeNoalias, reassociate, matrixUnits, sizes, plan, keepSteps,
        specialize, designs, design);
  }

  void append(const SourcePosition &position) {
    const auto &[file, line, column] = position;
    add(file, line, column);
  }
  void append(const SourceSpan &span) {
    const auto &[begin, end] = span;
    add(begin, end);
  }
  void append(const ElementType &type) {
    const auto &[kind, bytes, lanes] = type;
    add(kind, bytes, lanes);
  }
  void append(const StructureMember &member) {
    const auto &[name, typeName, offset, element, extents, isPointer,
                 pointeeIsConst, pointee] = member;
    add(name, typeName, offset, element, extents, isPointer, pointeeIsConst,
        pointee);
  }
  void append(const KernelParameter &parameter) {
    const auto &[name, typeName, isPointer, pointeeIsConst, isRestrict, pointee,
                 element, bytes, structure, members, alignment, offset] =
        parameter;
    add(name, typeName, isPointer, pointeeIsConst, isRestrict, pointee, element,
        bytes, structure, members, alignment, offset);
  }
  void append(const SplitStructure &structure) {
    const auto &[whole, first, count] = structure;
    add(whole, first, count);
  }
  void append(const ShareHint &hint) { append(hint.toString()); }
  void append(const KernelPragma &pragma) {
    const auto &[domain, arrays, outputs, share, reassociate] = pragma;
    add(domain, arrays, outputs, share, reassociate);
  }
  void append(const std::pair<std::string, std::string> &value) {
    add(value.first, value.second);
  }
  void append(const Step &step) {
    const auto &[code, pass, outcome, kernel, location, reason, values, metrics,
                 reordersSums] = step;
    add(code, pass, outcome, kernel, location, reason, values, metrics,
        reordersSums);
  }
  void append(const KernelInfo &kernel) {
    const auto &[name, symbol, displayName, position, parameters, structures,
                 pragma, usesGlobalSync] = kernel;
    add(name, symbol, displayName, position, parameters, structures, pragma,
        usesGlobalSync);
  }
};
} // namespace

/// Clang's module, with positions; empty for MLIR input.
static std::string bitcodeOf(const Module *module) {
  std::string bitcode;
  raw_string_ostream stream(bitcode);
  if (module)
    WriteBitcodeToFile(*module, stream);
  return bitcode;
}

std::optional<std::string> gpuopt::compileKey(const Compilation &compilation) {
  std::string raised = bytecodeOf(compilation.raised());
  if (raised.empty())
    return std::nullopt;
  std::string target;
  raw_string_ostream(target) << compilation.target();
  KeyWriter writer;
  writer.add(compilerIdentity(), deviceToolsIdentity(), target,
             compilation.path().str(), compilation.options(),
             compilation.kernels(), compilation.reassociable().vec(),
             compilation.steps(), bitcodeOf(compilation.importedModule()),
             raised);
  return makeCacheKey(writer.parts);
}
