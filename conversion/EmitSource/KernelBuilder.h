//===- KernelBuilder.h - from gpu.func to a tree ----------------*- C++ -*-===//
//
// Reads a raised kernel, optimised or not. What has no source form gets a
// diagnostic at its location, and `build` fails.
//
//===----------------------------------------------------------------------===//

#ifndef CONVERSION_EMITSOURCE_KERNELBUILDER_H
#define CONVERSION_EMITSOURCE_KERNELBUILDER_H

#include "conversion/EmitSource/Tree.h"
#include "conversion/EmitSource/ValuePlan.h"
#include "dialects/GPUOpt/GPUOptOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace gpuopt::source {

/// `type` as MLIR writes it.
inline std::string spell(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

class KernelBuilder {
public:
  KernelBuilder(Kernel &kernel, mlir::gpu::GPUFuncOp function,
                bool isOpenCL = false)
      : kernel(kernel), function(function), plan(function), isOpenCL(isOpenCL) {
  }

  /// For a function of the host: what it calls to launch a kernel, by symbol.
  /// Before the kernel's arguments stands `context`, or where that is empty the
  /// launch as CUDA has it.
  void setLaunchers(const llvm::StringMap<std::string> &names,
                    llvm::StringRef context = "") {
    launchers = &names;
    launchContext = context;
  }

  mlir::LogicalResult build();

private:
  /// An array and how its elements are addressed.
  struct View {
    Variable *array = nullptr;
    /// Strides of all dimensions but the last; empty for an array with a shape.
    llvm::SmallVector<const Expr *> strides;
    const Expr *offset = nullptr;
  };

  // Parameters, arrays, blocks (BuildStatements.cpp).
  void addParameters();
  void addParameter(unsigned number, const std::string &name);
  // Structures that are passed by value (BuildStructures.cpp).
  void addStructure(unsigned number, mlir::DictionaryAttr structure,
                    const std::string &name);
  Variable *addSplitStructure(mlir::DictionaryAttr structure,
                              llvm::StringRef name);
  void addMember(mlir::DictionaryAttr structure, unsigned number,
                 llvm::StringRef name, Variable *owner);
  bool addMember(mlir::Operation *load, Variable *structure,
                 mlir::DictionaryAttr member, int64_t offset);
  bool isOfStructure(mlir::Operation *op) const;
  /// The element that an address in an array of a structure is that of.
  const Expr *elementAt(mlir::Location location, mlir::Value address,
                        mlir::Type type);
  void addWorkgroupArrays();
  Block buildBlock(mlir::Block &block);
  void buildOp(mlir::Operation *op);
  void buildFor(mlir::affine::AffineForOp loop);
  void buildFor(mlir::scf::ForOp loop);
  void buildParallel(mlir::affine::AffineParallelOp loop);
  void buildWhile(mlir::scf::WhileOp loop);
  void buildIf(mlir::scf::IfOp branch);
  void buildSwitch(mlir::scf::IndexSwitchOp branch);
  /// Builds a branch whose other branch does the same under another condition,
  /// as versions that turned out alike do.
  bool buildSameBranches(mlir::scf::IfOp branch);
  void buildResult(mlir::Operation *op);
  void buildStore(mlir::Operation *op, mlir::Value value, const Expr *target);
  void buildAsyncCopy(mlir::Operation *op);
  void buildAtomic(mlir::memref::AtomicRMWOp op);
  void buildPrefetch(mlir::Operation *op, mlir::Value memref,
                     llvm::ArrayRef<const Expr *> subscripts);
  bool buildCall(mlir::Operation *op);
  const Expr *maskOf(mlir::Value mask);
  void buildMaskedShuffle(mlir::LLVM::CallOp op, llvm::StringRef name);
  void buildShuffle(mlir::gpu::ShuffleOp op);
  void buildLaunch(mlir::gpu::LaunchFuncOp launch);
  llvm::SmallVector<const Expr *>
  buildConfiguration(mlir::gpu::LaunchFuncOp launch);
  /// Builds the one iteration that a loop may have as a branch.
  bool buildSingle(mlir::Operation *op, mlir::Value counter, const Expr *lower,
                   const Expr *upper, int64_t step, mlir::Block &body,
                   mlir::ValueRange carried);
  const Expr *addCounter(Stmt &loop, mlir::Value counter, const Expr *lower,
                         const Expr *upper, int64_t step);
  /// The loop around `body`, with the variables that it carries.
  void finishLoop(Stmt *loop, mlir::Block &body, mlir::ValueRange inits,
                  mlir::ValueRange carried);
  void assign(mlir::Location location, mlir::Value to, const Expr *value);
  /// Assigns all at once: none sees what another has written.
  void assignAll(mlir::Location location, mlir::ValueRange to,
                 mlir::ValueRange values);
  Stmt *emit(Stmt::Kind kind, mlir::Location location);
  Variable *variableOf(mlir::Value value);
  std::string nameFor(mlir::Value value);

  // Memory (BuildAccesses.cpp).
  /// Reports a parameter that is still an address, where it is used.
  void failWithPointer(mlir::BlockArgument pointer, llvm::StringRef name);
  View viewOf(mlir::Value memref);
  Variable *declaredVariable(GetVariableOp get);
  View viewOfVariable(GetVariableOp get);
  /// A view of a variable of the module with the shape that it is declared
  /// with; none of an array where it is another one.
  View viewAsDeclared(mlir::memref::ReinterpretCastOp cast);
  const Expr *access(mlir::Location location, mlir::Value memref,
                     llvm::ArrayRef<const Expr *> subscripts, CType type);
  llvm::SmallVector<const Expr *> indices(mlir::ValueRange values);
  llvm::SmallVector<const Expr *> indices(mlir::AffineMap map,
                                          mlir::ValueRange operands);

  // Values (BuildExpressions.cpp, BuildArithmetic.cpp).
  const Expr *build(mlir::Value value);
  const Expr *index(mlir::Value value);
  const Expr *affine(mlir::AffineExpr expr, mlir::AffineMap map,
                     llvm::ArrayRef<const Expr *> operands);
  /// The smaller or the larger of two.
  const Expr *choose(Expr::Kind kind, const Expr *left, const Expr *right);
  const Expr *condition(mlir::Value value) { return build(value); }
  const Expr *buildOpValue(mlir::Operation *op);
  const Expr *buildByType(mlir::Operation *op);
  const Expr *buildSelect(mlir::arith::SelectOp select);
  const Expr *buildUndefined(mlir::Type undefined);
  const Expr *buildGlobalId(mlir::gpu::GlobalIdOp id);
  const Expr *buildConstant(mlir::TypedAttr constant);
  const Expr *buildBuiltin(llvm::StringRef what, mlir::gpu::Dimension dimension,
                           int64_t most);
  /// What a subgroup has or is: a variable `name` that is read once.
  const Expr *readSubgroup(llvm::StringRef what, llvm::StringRef name,
                           Range range);
  const Expr *buildSubgroup(mlir::Operation *op);
  /// A lane of a vector, or a vector with another lane, at a constant place.
  const Expr *buildElement(mlir::Operation *op);
  const Expr *buildReversed(mlir::LLVM::BitReverseOp op);
  const Expr *laneOf(const Expr *vector, int64_t number);
  const Expr *buildIndexArithmetic(mlir::Operation *op);
  const Expr *asDividend(const Expr *sum);
  const Expr *findExtended(const Expr *sum, int64_t divisor);
  /// `dividend` / `divisor`, rounded down.
  const Expr *buildFloor(const Expr *dividend, int64_t divisor);
  /// Arithmetic that sums, products and divisions by constants are exact for;
  /// null for all else.
  const Expr *buildExact(mlir::Operation *op, const Expr *left,
                         const Expr *right);
  const Expr *buildBitwise(mlir::Operation *op, const Expr *left,
                           const Expr *right);
  const Expr *buildWide(mlir::Operation *op, const Expr *left,
                        const Expr *right);
  const Expr *buildInteger(mlir::Operation *op);
  const Expr *narrow(llvm::StringRef operation, const Expr *left,
                     const Expr *right, CType type);
  const Expr *buildFloat(mlir::Operation *op);
  const Expr *buildCompare(mlir::arith::CmpIOp op);
  const Expr *compareIndices(mlir::arith::CmpIPredicate predicate,
                             const Expr *left, const Expr *right);
  const Expr *buildCompare(mlir::arith::CmpFOp op);
  /// The number of `type` that has the bits of `number`; null where no function
  /// tells.
  const Expr *buildBits(const Expr *number, CType type);
  const Expr *buildCast(mlir::Operation *op);
  const Expr *buildVector(mlir::Operation *op);
  const Expr *buildMath(mlir::Operation *op);
  const Expr *binary(llvm::StringRef text, const Expr *left, const Expr *right,
                     CType type);
  /// `left && right`, without what is known or said twice.
  const Expr *conjunction(const Expr *left, const Expr *right);
  const Expr *disjunction(const Expr *left, const Expr *right);
  /// `condition`, turned round part by part.
  const Expr *opposite(const Expr *condition);
  const Expr *cast(const Expr *expr, CType type);
  const Expr *call(llvm::StringRef name, llvm::ArrayRef<const Expr *> arguments,
                   CType type);
  CType typeOf(mlir::Type type);
  const Expr *fail(mlir::Location location, const llvm::Twine &message);
  const Expr *failWithoutForm(mlir::Operation *op);

  /// What a true condition says of parameters, until `forget`.
  size_t learn(const Expr *condition);
  void learnAtLeast(const Expr *sum, int64_t bound);
  void forget(size_t mark);

  /// A fact to take back: an old lower bound, or divisibility.
  struct Fact {
    Variable *variable;
    int64_t oldLow;
  };

  Kernel &kernel;
  mlir::gpu::GPUFuncOp function;
  ValuePlan plan;
  bool isOpenCL;
  const llvm::StringMap<std::string> *launchers = nullptr;
  llvm::StringRef launchContext;
  Block *current = nullptr;
  bool hasFailed = false;
  llvm::DenseMap<mlir::Value, Variable *> variables;
  llvm::DenseMap<mlir::Value, const Expr *> counters;
  /// What variables stand for that are conditions.
  llvm::DenseMap<Variable *, const Expr *> meanings;
  /// Pointers that are members of structures.
  llvm::DenseMap<mlir::Value, Variable *> pointers;
  llvm::StringMap<Variable *> builtins;
  /// Variables of the module, by symbol.
  llvm::StringMap<Variable *> ofModule;
  std::vector<Fact> facts;
};

} // namespace gpuopt::source

#endif // CONVERSION_EMITSOURCE_KERNELBUILDER_H
