//===- EmitApart.cpp - PTX of several kernels at once ---------------------===//

#include "tools/lib/compile/EmitApart.h"

#include "conversion/GPUToLLVM/GPUToLLVM.h"
#include "conversion/ImportSource/LargeStack.h"
#include "dialects/GPUOpt/KnownTargets.h"
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

/// Gives what parts have brought along, of the device library for one, names
/// that no other part has. False where such a thing has to keep its name.
static bool renameRepeated(MutableArrayRef<PartCode> parts) {
  llvm::StringSet<> taken;
  for (auto [index, part] : llvm::enumerate(parts))
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
  return true;
}

std::optional<std::string> gpuopt::emitPTXApart(ModuleOp module,
                                                TargetAttr target,
                                                StringRef targetName,
                                                const EmitOptions &options) {
  auto modules = module.getOps<gpu::GPUModuleOp>();
  if (!llvm::hasSingleElement(modules))
    return std::nullopt;
  gpu::GPUModuleOp kernels = *modules.begin();
  std::vector<std::vector<Operation *>> definitions = partsOf(kernels);
  if (definitions.size() < 2)
    return std::nullopt;
  std::vector<std::string> bytecodes;
  for (ArrayRef<Operation *> part : definitions)
    bytecodes.push_back(clonePart(module, kernels, part));

  constexpr StringLiteral tooDeep = "gpuopt: error: nested too deeply\n";
  ContextPool pool;
  std::vector<PartCode> parts(bytecodes.size());
  std::atomic<bool> isWrong = false;
  auto optimize = [&](size_t index) {
    if (!isWrong)
      parts[index] = optimizePart(bytecodes[index], targetName, options, pool);
    if (!parts[index].module)
      isWrong = true;
  };
  runOnLargeStacks(parts.size(), optimize, tooDeep);
  if (isWrong || !renameRepeated(parts))
    return std::nullopt;

  std::vector<std::string> texts(parts.size());
  auto generate = [&](size_t index) {
    llvm::Expected<std::string> text =
        emitAssembly(*parts[index].module, target);
    if (text)
      texts[index] = std::move(*text);
    else
      llvm::consumeError(text.takeError());
    if (texts[index].empty())
      isWrong = true;
    // What lies in the context goes before it.
    parts[index].module.reset();
    parts[index].context.reset();
  };
  runOnLargeStacks(parts.size(), generate, tooDeep);
  return isWrong ? std::nullopt : mergePTX(texts);
}
