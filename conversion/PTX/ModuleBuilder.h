//===- ModuleBuilder.h - a module of PTX as LLVM IR -------------*- C++ -*-===//

#ifndef CONVERSION_PTX_MODULEBUILDER_H
#define CONVERSION_PTX_MODULEBUILDER_H

#include "conversion/PTX/Module.h"
#include "conversion/PTX/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Module.h"

#include <memory>

namespace gpuopt::ptx {

class ModuleBuilder {
public:
  /// `path` is of the PTX itself, for code that says nothing of a source.
  ModuleBuilder(const SourceModule &source, llvm::StringRef path,
                llvm::Module &target);

  bool declareVariables(Problems &problems);
  /// Declares the function that is called `name`, and all that it calls; null
  /// where there is none.
  llvm::Function *declare(const SourceFunction &function);
  /// The body of `function` and of all that it calls. The first problem of
  /// theirs, if there is one.
  std::optional<Problem> define(const SourceFunction &function);
  /// To be called at last.
  void finish() { debugInfo.finalize(); }

  // For builders of functions.
  const SourceFunction *findFunction(llvm::StringRef name) const {
    return functions.lookup(name);
  }
  /// A number that stands for the address of a function: nobody but calls does
  /// anything with it.
  uint64_t addressOf(const SourceFunction &function) const;
  /// The functions with a body whose addresses the text takes.
  llvm::ArrayRef<const SourceFunction *> addressedFunctions();
  /// The address of a variable in the space of all memory.
  llvm::Value *findVariable(llvm::StringRef name) const {
    return variables.lookup(name);
  }
  /// Whether there is room for it anywhere.
  static bool checkSize(const Variable &variable, Problems &problems);
  /// A variable of workgroup memory that a function declares.
  llvm::Constant *declareShared(const Variable &variable);
  /// The workgroup memory that the system keeps for each block, which
  /// cooperative groups use.
  llvm::Constant *reservedShared();
  llvm::DISubprogram *subprogramOf(const SourceFunction &function);
  llvm::DILocation *locate(llvm::DISubprogram *scope, Position at,
                           const std::optional<Location> &location);
  llvm::Type *storageType(const Variable &variable);
  /// Whether a result comes back as the value of a call, not through a pointer.
  static bool returnsValue(const SourceFunction &function) {
    return function.results.size() == 1 && !function.results[0].isArray();
  }
  /// Several registers come back as one value, a structure.
  static bool returnsRegisters(const SourceFunction &function) {
    return function.results.size() > 1 &&
           llvm::all_of(function.results, [](const Variable &result) {
             return result.space == Space::Register;
           });
  }
  void noteCall(const SourceFunction &callee) {
    current->callees.push_back(&callee);
  }

  llvm::Module &target;
  llvm::LLVMContext &context;

private:
  /// A function with a body, what it calls, and what was wrong with it.
  struct Definition {
    std::vector<const SourceFunction *> callees;
    std::optional<Problem> problem;
    /// Statements, with those of all that it calls; 0 where it is not known.
    uint64_t inlinedSize = 0;
  };

  Definition &definitionOf(const SourceFunction &function);
  uint64_t inlinedSize(const SourceFunction &function);
  /// One name is one thing.
  bool checkNames(Problems &problems) const;
  std::string symbolOfShared(llvm::StringRef name) const;
  bool declareVariable(const Variable &variable, Problems &problems);
  bool initialise(const Variable &variable, llvm::GlobalVariable &global,
                  Problems &problems);
  llvm::Constant *constantOf(const Operand &value, const Variable &variable,
                             Problems &problems);
  llvm::DIFile *fileOf(llvm::StringRef name);
  void setBounds(const SourceFunction &function, llvm::Function &target);

  const SourceModule &source;
  std::string path;
  llvm::DIBuilder debugInfo;
  llvm::DICompileUnit *unit;
  llvm::StringMap<const SourceFunction *> functions;
  llvm::StringMap<llvm::Constant *> variables;
  llvm::Constant *reserved = nullptr;
  /// Once they are asked for.
  std::optional<std::vector<const SourceFunction *>> addressed;
  llvm::StringMap<std::unique_ptr<Definition>> definitions;
  /// Of the function that is being built.
  Definition *current = nullptr;
};

} // namespace gpuopt::ptx

#endif // CONVERSION_PTX_MODULEBUILDER_H
