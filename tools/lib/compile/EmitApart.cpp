//===- EmitApart.cpp - PTX of several kernels at once ---------------------===//

#include "tools/lib/compile/EmitApart.h"

#include "conversion/GPUToLLVM/GPUToLLVM.h"
#include "conversion/ImportSource/LargeStack.h"
#include "dialects/GPUOpt/KnownTargets.h"
#include "tools/lib/compile/AlikeCode.h"
#include "tools/lib/compile/CompilerSteps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"

#include <atomic>
#include <mutex>

using namespace mlir;
using namespace gpuopt;

//===----------------------------------------------------------------------===//
// What hangs together
//===----------------------------------------------------------------------===//

/// Whether every part may have `op`: it defines nothing.
static bool isForAll(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return isa<LLVM::ModuleFlagsOp>(op) || (function && function.isExternal());
}

/// The definitions of `kernels`, of which those that refer to each other are in
/// one group. Empty where an operation is none that can be referred to.
static llvm::MapVector<Operation *, std::vector<Operation *>>
groupsOf(gpu::GPUModuleOp kernels) {
  SymbolTable table(kernels);
  llvm::EquivalenceClasses<Operation *> related;
  for (Operation &op : *kernels.getBody()) {
    if (isForAll(&op))
      continue;
    std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(&op);
    if (!isa<SymbolOpInterface>(op) || !uses)
      return {};
    related.insert(&op);
    for (SymbolTable::SymbolUse use : *uses)
      if (Operation *used = table.lookup(use.getSymbolRef().getRootReference());
          used && !isForAll(used))
        related.unionSets(&op, used);
  }
  llvm::MapVector<Operation *, std::vector<Operation *>> groups;
  for (Operation &op : *kernels.getBody())
    if (!isForAll(&op))
      groups[related.getLeaderValue(&op)].push_back(&op);
  return groups;
}

/// The same, as far as it is worth a module of LLVM's: what is small goes
/// together.
static std::vector<std::vector<Operation *>> partsOf(gpu::GPUModuleOp kernels) {
  constexpr size_t smallPart = 512;
  std::vector<std::vector<Operation *>> parts;
  size_t last = smallPart;
  for (auto &[leader, group] : groupsOf(kernels)) {
    size_t operations = 0;
    for (Operation *op : group)
      op->walk([&](Operation *) { ++operations; });
    if (last + operations > smallPart) {
      parts.emplace_back();
      last = 0;
    }
    last += operations;
    llvm::append_range(parts.back(), group);
  }
  return parts;
}

namespace {
/// A part that is alike to one before it.
struct AlikePart {
  size_t first;
  AlikeCode code;
};
} // namespace

/// For each part the first one before it of which the text needs other names
/// and positions only.
static std::vector<std::optional<AlikePart>>
findAlike(ArrayRef<std::vector<Operation *>> parts) {
  std::vector<std::optional<AlikePart>> alike(parts.size());
  llvm::DenseMap<uint64_t, SmallVector<size_t, 2>> known;
  for (auto [index, part] : llvm::enumerate(parts)) {
    SmallVector<size_t, 2> &others = known[fingerprintOf(part)];
    for (size_t first : others)
      if (auto found = AlikeCode::find(parts[first], part);
          found && found->hasMangledNames()) {
        alike[index] = AlikePart{first, std::move(*found)};
        break;
      }
    if (!alike[index])
      others.push_back(index);
  }
  return alike;
}

/// MLIR bytecode of a module with `part` of `kernels` and what all have.
static std::string clonePart(ModuleOp module, gpu::GPUModuleOp kernels,
                             ArrayRef<Operation *> part) {
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->cloneWithoutRegions());
  OpBuilder builder =
      OpBuilder::atBlockEnd(&copy->getBodyRegion().emplaceBlock());
  Operation *clone = builder.insert(kernels->cloneWithoutRegions());
  builder.setInsertionPointToStart(&clone->getRegion(0).emplaceBlock());
  for (Operation &op : *kernels.getBody())
    if (isForAll(&op))
      builder.clone(op);
  for (Operation *op : part)
    builder.clone(*op);
  return bytecodeOf(*copy);
}

//===----------------------------------------------------------------------===//
// Code of a part
//===----------------------------------------------------------------------===//

namespace {
/// A part on its way to PTX.
struct PartCode {
  std::unique_ptr<llvm::LLVMContext> context;
  /// Null where something is wrong with it.
  std::unique_ptr<llvm::Module> module;
};

/// Contexts that threads take and give back: to make one takes as long as to
/// compile a small kernel.
class ContextPool {
public:
  std::unique_ptr<MLIRContext> take() {
    std::lock_guard<std::mutex> lock(mutex);
    return idle.empty() ? createCompilerContext() : idle.pop_back_val();
  }
  void giveBack(std::unique_ptr<MLIRContext> context) {
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(context));
  }

private:
  std::mutex mutex;
  SmallVector<std::unique_ptr<MLIRContext>> idle;
};
} // namespace

static PartCode optimizePart(StringRef bytecode, StringRef targetName,
                             const EmitOptions &options, ContextPool &pool) {
  std::unique_ptr<MLIRContext> context = pool.take();
  auto giveBack = llvm::scope_exit([&] { pool.giveBack(std::move(context)); });
  ScopedDiagnosticHandler silence(context.get(),
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      bytecode, ParserConfig(context.get(), /*verifyAfterParse=*/false));
  llvm::Expected<TargetAttr> target = lookUpTarget(context.get(), targetName);
  if (!target) {
    llvm::consumeError(target.takeError());
    return {};
  }
  if (!module)
    return {};
  PartCode code;
  code.context = std::make_unique<llvm::LLVMContext>();
  code.module = lowerToLLVMIR(*module, *target, *code.context);
  if (!code.module)
    return {};
  expandGridBarriers(*code.module, *target);
  if (llvm::Error error = optimizeForTarget(*code.module, *target, options)) {
    llvm::consumeError(std::move(error));
    return {};
  }
  return code;
}

/// Whether all that `module` defines is called as something in `code` is.
static bool definesOnly(const AlikeCode &code, const llvm::Module &module) {
  return llvm::all_of(
      module.global_values(), [&](const llvm::GlobalValue &value) {
        return value.isDeclaration() || code.isNamedIn(value.getName());
      });
}

/// Gives what parts have brought along, of the device library for one, names
/// that no other part has. False where such a thing has to keep its name.
static bool renameRepeated(MutableArrayRef<PartCode> parts) {
  llvm::StringSet<> taken;
  for (auto [index, part] : llvm::enumerate(parts)) {
    // What is alike to another one has names of its own.
    if (!part.module)
      continue;
    for (llvm::GlobalValue &value : part.module->global_values()) {
      if (value.isDeclaration() ||
          (value.hasName() && taken.insert(value.getName()).second))
        continue;
      if (!value.hasLocalLinkage())
        return false;
      std::string name = value.getName().str();
      do
        value.setName(name += "__" + std::to_string(index));
      while (!taken.insert(value.getName()).second);
    }
  }
  return true;
}

namespace {
/// The parts of a module on their way to PTX, each by itself; of those that are
/// alike the first one only.
class Parts {
public:
  Parts(ModuleOp whole, gpu::GPUModuleOp itsKernels, TargetAttr machine,
        StringRef nameOfTarget, const EmitOptions &emitOptions)
      : module(whole), kernels(itsKernels), target(machine),
        targetName(nameOfTarget), options(emitOptions),
        definitions(partsOf(itsKernels)) {}

  size_t size() const { return definitions.size(); }
  std::optional<std::string> emit();

private:
  void optimize(ArrayRef<size_t> indices);
  void optimizeAll();
  void generate();
  void renameAlike();

  ModuleOp module;
  gpu::GPUModuleOp kernels;
  TargetAttr target;
  StringRef targetName;
  const EmitOptions &options;
  std::vector<std::vector<Operation *>> definitions;
  std::vector<std::optional<AlikePart>> alike;
  std::vector<PartCode> codes;
  std::vector<std::string> texts;
  ContextPool pool;
  std::atomic<bool> isWrong = false;
};
} // namespace

static constexpr StringLiteral kTooDeep = "gpuopt: error: nested too deeply\n";

void Parts::optimize(ArrayRef<size_t> indices) {
  std::vector<std::string> bytecodes;
  for (size_t index : indices)
    bytecodes.push_back(clonePart(module, kernels, definitions[index]));
  auto optimizeOne = [&](size_t number) {
    PartCode &code = codes[indices[number]];
    if (!isWrong)
      code = optimizePart(bytecodes[number], targetName, options, pool);
    if (!code.module)
      isWrong = true;
  };
  runOnLargeStacks(indices.size(), optimizeOne, kTooDeep);
}

void Parts::optimizeAll() {
  alike = findAlike(definitions);
  codes.resize(size());
  std::vector<size_t> different, others;
  for (size_t index = 0; index < size(); ++index)
    if (!alike[index])
      different.push_back(index);
  optimize(different);
  if (isWrong)
    return;
  // What a text has brought along, it cannot bring along twice.
  for (size_t index = 0; index < size(); ++index)
    if (alike[index] &&
        !definesOnly(alike[index]->code, *codes[alike[index]->first].module)) {
      alike[index].reset();
      others.push_back(index);
    }
  optimize(others);
}

void Parts::generate() {
  texts.resize(size());
  auto generateOne = [&](size_t index) {
    PartCode &code = codes[index];
    if (!code.module)
      return;
    llvm::Expected<std::string> text = emitAssembly(*code.module, target);
    if (text)
      texts[index] = std::move(*text);
    else
      llvm::consumeError(text.takeError());
    if (texts[index].empty())
      isWrong = true;
    // What lies in the context goes before it.
    code.module.reset();
    code.context.reset();
  };
  runOnLargeStacks(size(), generateOne, kTooDeep);
}

void Parts::renameAlike() {
  for (size_t index = 0; index < size() && !isWrong; ++index) {
    if (!alike[index])
      continue;
    const auto &[first, code] = *alike[index];
    if (std::optional<std::string> text = code.renamePTX(texts[first]))
      texts[index] = std::move(*text);
    else
      isWrong = true;
  }
}

std::optional<std::string> Parts::emit() {
  optimizeAll();
  if (isWrong || !renameRepeated(codes))
    return std::nullopt;
  generate();
  renameAlike();
  return isWrong ? std::nullopt : mergePTX(texts);
}

std::optional<std::string> gpuopt::emitPTXApart(ModuleOp module,
                                                TargetAttr target,
                                                StringRef targetName,
                                                const EmitOptions &options) {
  auto modules = module.getOps<gpu::GPUModuleOp>();
  if (!llvm::hasSingleElement(modules))
    return std::nullopt;
  Parts parts(module, *modules.begin(), target, targetName, options);
  return parts.size() < 2 ? std::nullopt : parts.emit();
}
