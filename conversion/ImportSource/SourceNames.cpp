//===- SourceNames.cpp - what the source calls its variables --------------===//

#include "conversion/ImportSource/SourceNames.h"

#include "conversion/ImportSource/Prelude.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace gpuopt;
using llvm::StringRef;

/// In front of the names that come from the source.
static constexpr StringRef kMark = "source:";

/// Between the name of a file and that of a variable.
static constexpr char kSeparator = '\1';

//===--- In LLVM IR -------------------------------------------------------===//

/// The variable that `name`, of an `alloca`, belongs to. Clang's own
/// temporaries have a dot in theirs; a second `i` of a function is `i5`.
static StringRef variableName(StringRef name,
                              const llvm::StringSet<> &namesOfFunction) {
  if (name.contains('.') || name == "retval" || name.starts_with("tmp") ||
      name.starts_with("__") || name.starts_with("saved_stack"))
    return "";
  StringRef base = name.rtrim("0123456789");
  return namesOfFunction.contains(base) ? base : name;
}

/// Gives the values that are stored at `address` the name `marked`.
static void nameStored(llvm::Value &address, StringRef marked) {
  for (llvm::User *user : address.users()) {
    // AMD's targets have an address space of their own for local variables.
    if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(user))
      nameStored(*cast, marked);
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!store || store->getPointerOperand() != &address)
      continue;
    auto *value = llvm::dyn_cast<llvm::Instruction>(store->getValueOperand());
    if (value && !llvm::isa<llvm::AllocaInst, llvm::AddrSpaceCastInst>(value) &&
        !value->getName().starts_with(kMark))
      value->setName(marked);
  }
}

static void nameValues(llvm::Function &function) {
  llvm::DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram || subprogram->getFilename().starts_with(kPreludeDirectory))
    return;
  llvm::SmallVector<llvm::AllocaInst *> variables;
  llvm::StringSet<> names;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      variables.push_back(variable);
      names.insert(variable->getName());
    }
  for (llvm::AllocaInst *variable : variables) {
    StringRef own = variableName(variable->getName(), names);
    if (own.empty())
      continue;
    // With a dot at the end: LLVM makes names unique by numbers behind them.
    std::string marked = (kMark + own + ".").str();
    nameStored(*variable, marked);
    variable->setName(marked);
  }
}

void gpuopt::nameValues(llvm::Module &module) {
  for (llvm::Function &function : module)
    ::nameValues(function);
}

void gpuopt::hideNamesInLocations(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      StringRef name = instruction.getName();
      llvm::DISubprogram *subprogram = function.getSubprogram();
      if (!subprogram || !name.consume_front(kMark))
        continue;
      name = name.split('.').first;
      llvm::DILocation *at = instruction.getDebugLoc().get();
      if (!at) // A value that control flow brings together has no line.
        at = llvm::DILocation::get(context, subprogram->getLine(), 0,
                                   subprogram);
      auto *file = llvm::DIFile::get(
          context, (at->getFilename() + llvm::Twine(kSeparator) + name).str(),
          at->getDirectory());
      auto *scope =
          llvm::DILexicalBlockFile::get(context, at->getScope(), file, 0);
      instruction.setDebugLoc(llvm::DILocation::get(
          context, at->getLine(), at->getColumn(), scope, at->getInlinedAt()));
    }
}

//===--- In MLIR ----------------------------------------------------------===//

/// `location` without the name that it hides, which goes to `name`.
static mlir::Location reveal(mlir::Location location, std::string &name) {
  if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location))
    return mlir::CallSiteLoc::get(reveal(call.getCallee(), name),
                                  call.getCaller());
  auto fused = llvm::dyn_cast<mlir::FusedLoc>(location);
  if (!fused || fused.getLocations().size() != 1)
    return location;
  auto place = llvm::dyn_cast<mlir::FileLineColLoc>(fused.getLocations()[0]);
  auto block = llvm::dyn_cast_or_null<mlir::LLVM::DILexicalBlockFileAttr>(
      fused.getMetadata());
  if (!place || !block)
    return location;
  auto [file, hidden] = place.getFilename().getValue().split(kSeparator);
  if (hidden.empty())
    return location;
  name = hidden.str();
  mlir::Location plain = mlir::FileLineColLoc::get(
      location.getContext(), file, place.getLine(), place.getColumn());
  return mlir::FusedLoc::get({plain}, block.getScope(), location.getContext());
}

static mlir::Location withName(mlir::Location location) {
  std::string name;
  mlir::Location plain = reveal(location, name);
  if (name.empty())
    return location;
  return mlir::NameLoc::get(mlir::StringAttr::get(location.getContext(), name),
                            plain);
}

void gpuopt::takeNamesFromLocations(mlir::ModuleOp module) {
  module.walk([](mlir::Operation *op) {
    op->setLoc(withName(op->getLoc()));
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::BlockArgument argument : block.getArguments())
          argument.setLoc(withName(argument.getLoc()));
  });
}
