//===- BuildCalls.cpp - copies, atomics and device functions --------------===//
//
// See KernelBuilder.h.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/KernelBuilder.h"

#include "dialects/GPUOpt/AttributeNames.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

void KernelBuilder::buildAsyncCopy(Operation *op) {
  auto copy = cast<nvgpu::DeviceAsyncCopyOp>(op);
  if (copy.getSrcElements()) {
    fail(op->getLoc(), "a partial asynchronous copy has no source form");
    return;
  }
  CType type =
      typeOf(cast<MemRefType>(copy.getDst().getType()).getElementType());
  int64_t elements = copy.getDstElements().getSExtValue();
  Stmt *stmt = emit(Stmt::AsyncCopy, op->getLoc());
  type.lanes = elements;
  stmt->target =
      access(op->getLoc(), copy.getDst(), indices(copy.getDstIndices()), type);
  stmt->value =
      access(op->getLoc(), copy.getSrc(), indices(copy.getSrcIndices()), type);
  stmt->step = elements * type.bits / 8;
}

void KernelBuilder::buildPrefetch(Operation *op, Value memref,
                                  ArrayRef<const Expr *> subscripts) {
  CType type = typeOf(cast<MemRefType>(memref.getType()).getElementType());
  Expr address{Expr::Address, type};
  address.operands = {access(op->getLoc(), memref, subscripts, type)};
  // As the array's elements are: unsigned ones have addresses of their own.
  address.type = address.operands[0]->type;
  emit(Stmt::Evaluate, op->getLoc())->value =
      call("prefetch", {kernel.make(std::move(address))}, CType{});
}

void KernelBuilder::buildAtomic(memref::AtomicRMWOp op) {
  CType type = typeOf(op.getResult().getType());
  StringRef name = llvm::StringSwitch<StringRef>(stringifyEnum(op.getKind()))
                       .Cases({"addf", "addi"}, "atomicAdd")
                       .Case("assign", "atomicExch")
                       .Cases({"maxs", "maxu"}, "atomicMax")
                       .Cases({"mins", "minu"}, "atomicMin")
                       .Case("andi", "atomicAnd")
                       .Case("ori", "atomicOr")
                       .Case("xori", "atomicXor")
                       .Default("");
  if (name.empty() || type.bits < 32 || type.lanes != 1) {
    fail(op.getLoc(), "an atomic '" + stringifyEnum(op.getKind()) + "' of " +
                          spell(op.getResult().getType()) +
                          " has no source form");
    return;
  }
  StringRef kind = stringifyEnum(op.getKind());
  CType work = type;
  // CUDA has 64-bit atomics of unsigned integers.
  if (kind.ends_with("u") ||
      (type.isInteger() && type.bits == 64 && !kind.ends_with("s")))
    work.kind = CType::Unsigned;
  Expr address{Expr::Address, work};
  address.operands = {
      access(op.getLoc(), op.getMemref(), indices(op.getIndices()), type)};
  const Expr *made = call(
      name, {kernel.make(std::move(address)), cast(build(op.getValue()), work)},
      work);
  if (!op.use_empty()) {
    assign(op.getLoc(), op.getResult(), cast(made, type));
    return;
  }
  emit(Stmt::Evaluate, op.getLoc())->value = made;
}

/// The mask of all threads, which some languages do without.
static const Expr *allLanes(Kernel &kernel) {
  return kernel.literal("0xffffffff", {CType::Unsigned, 32, 1});
}

/// Whether `width` is that of a whole subgroup.
static bool asksForSubgroup(Value width) {
  while (auto conversion = width.getDefiningOp<arith::IndexCastOp>())
    width = conversion.getIn();
  return width.getDefiningOp<gpu::SubgroupSizeOp>() != nullptr;
}

void KernelBuilder::buildShuffle(gpu::ShuffleOp op) {
  CType type = typeOf(op.getShuffleResult().getType());
  std::optional<int64_t> width = getConstantIntValue(op.getWidth());
  if (!op.getValid().use_empty() || !width || type.bits < 32 ||
      type.lanes != 1) {
    fail(op.getLoc(), "a shuffle whose width is no constant, of less than 32 "
                      "bits or that asks who answered has no source form");
    return;
  }
  StringRef name = op.getMode() == gpu::ShuffleMode::XOR    ? "__shfl_xor_sync"
                   : op.getMode() == gpu::ShuffleMode::UP   ? "__shfl_up_sync"
                   : op.getMode() == gpu::ShuffleMode::DOWN ? "__shfl_down_sync"
                                                            : "__shfl_sync";
  SmallVector<const Expr *> arguments = {allLanes(kernel), build(op.getValue()),
                                         build(op.getOffset()),
                                         kernel.integer(*width, kIntType)};
  assign(op.getLoc(), op.getShuffleResult(), call(name, arguments, type));
}

/// The blocks, threads, workgroup memory and stream of a launch.
SmallVector<const Expr *>
KernelBuilder::buildConfiguration(gpu::LaunchFuncOp launch) {
  auto dimensions = [&](gpu::KernelDim3 sizes, StringRef whole) {
    SmallVector<const Expr *> extents = {index(sizes.x), index(sizes.y),
                                         index(sizes.z)};
    bool isWhole = true;
    for (auto [extent, axis] : llvm::zip(extents, StringRef("xyz"))) {
      const Expr *operand =
          extent->operands.size() == 1 ? extent->operands[0] : extent;
      isWhole &= operand->variable &&
                 operand->variable->name == (whole + "." + Twine(axis)).str();
    }
    if (isWhole)
      return kernel.literal(whole.str(), CType{});
    while (extents.size() > 1 && constantValue(extents.back()) == 1)
      extents.pop_back();
    return call("dim3", extents, CType{});
  };
  return {dimensions(launch.getGridSizeOperandValues(), "grid"),
          dimensions(launch.getBlockSizeOperandValues(), "block"),
          kernel.literal("shared_bytes", CType{}),
          kernel.literal("stream", CType{})};
}

void KernelBuilder::buildLaunch(gpu::LaunchFuncOp launch) {
  auto known = launchers ? launchers->find(launch.getKernelName().getValue())
                         : llvm::StringMap<std::string>::const_iterator();
  if (!launchers || known == launchers->end()) {
    fail(launch.getLoc(), "a launch in a kernel has no source form");
    return;
  }
  SmallVector<const Expr *> arguments;
  if (launchContext.empty())
    arguments = buildConfiguration(launch);
  else
    arguments = {kernel.literal(launchContext.str(), CType{})};
  for (Value operand : launch.getKernelOperands()) {
    auto array = variables.find(operand);
    bool isArray = isa<MemRefType>(operand.getType());
    if (isArray && array == variables.end()) {
      fail(launch.getLoc(), "an array made by the host has no source form");
      return;
    }
    arguments.push_back(isArray ? kernel.use(array->second) : build(operand));
  }
  emit(Stmt::Evaluate, launch.getLoc())->value =
      call(known->second, arguments, CType{});
}

/// What the source calls the device function `name`, and whether that is to be
/// said with a mask of threads.
static StringRef spellDeviceFunction(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("__gpuopt_shuffle_idx", "__shfl_sync")
      .Case("__gpuopt_shuffle_up", "__shfl_up_sync")
      .Case("__gpuopt_shuffle_down", "__shfl_down_sync")
      .Case("__gpuopt_shuffle_xor", "__shfl_xor_sync")
      .Case("__gpuopt_ballot", "__ballot_sync")
      .Case("__gpuopt_active_mask", "__activemask")
      .Case("__gpuopt_barrier_count", "__syncthreads_count")
      .Case("__gpuopt_subgroup_barrier", "__syncwarp")
      .Cases({"__gpuopt_trap", "__assertfail"}, "__trap")
      .Case("__gpuopt_clock", "clock64")
      .Default("");
}

/// Whether `name` is a function of mathematics in all languages, of `double` or
/// of `float`.
static bool isLibraryFunction(StringRef name) {
  static const llvm::StringSet<> functions = {
      "acos",  "acosh", "asin",      "asinh", "atan",  "atan2",
      "atanh", "cbrt",  "cos",       "cosh",  "cospi", "erf",
      "erfc",  "exp",   "exp10",     "exp2",  "expm1", "fdim",
      "fmod",  "hypot", "lgamma",    "log",   "log10", "log1p",
      "log2",  "logb",  "nextafter", "pow",   "rsqrt", "sin",
      "sinh",  "sinpi", "remainder", "tan",   "tanh",  "tgamma"};
  return functions.contains(name) ||
         (name.ends_with("f") && functions.contains(name.drop_back()));
}

const Expr *KernelBuilder::buildReversed(LLVM::BitReverseOp op) {
  CType type = typeOf(op.getType()), bits = type;
  if (!type.isInteger() || type.lanes != 1 || type.bits < 32)
    return failWithoutForm(op);
  bits.kind = CType::Unsigned;
  return cast(call(type.bits == 64 ? "__brevll" : "__brev",
                   {cast(build(op.getIn()), bits)}, bits),
              type);
}

/// The number that `value` has the bits of; null where it is none.
static Value numberBehind(Value value) {
  auto bits = value.getDefiningOp<arith::BitcastOp>();
  return bits && isa<FloatType>(bits.getIn().getType()) ? bits.getIn()
                                                        : Value();
}

/// A mask of threads, which languages have of different width.
const Expr *KernelBuilder::maskOf(Value mask) {
  std::optional<int64_t> bits = getConstantIntValue(mask);
  return bits && (*bits == -1 || *bits == 0xffffffff) ? allLanes(kernel)
                                                      : build(mask);
}

/// What the source calls for a shuffle of bits: floating-point numbers move as
/// they are.
void KernelBuilder::buildMaskedShuffle(LLVM::CallOp op, StringRef name) {
  Value bits = op.getOperand(1), result = op.getResult();
  Value number = numberBehind(bits);
  auto back = result.hasOneUse()
                  ? dyn_cast<arith::BitcastOp>(*result.user_begin())
                  : arith::BitcastOp();
  bool isNumber = number && back && back.getType() == number.getType();
  CType type = typeOf(isNumber ? number.getType() : result.getType());
  SmallVector<const Expr *> arguments = {maskOf(op.getOperand(0)),
                                         build(isNumber ? number : bits),
                                         build(op.getOperand(2))};
  if (!asksForSubgroup(op.getOperand(3)))
    arguments.push_back(build(op.getOperand(3)));
  const Expr *value = call(name, arguments, type);
  if (!isNumber)
    return assign(op.getLoc(), result, value);
  Variable *variable =
      kernel.createVariable(Variable::Local, nameFor(back.getResult()), type);
  counters[back.getResult()] = kernel.use(variable);
  Stmt *stmt = emit(Stmt::Assign, op.getLoc());
  stmt->target = kernel.use(variable);
  stmt->value = value;
}

bool KernelBuilder::buildCall(Operation *op) {
  auto called = dyn_cast<LLVM::CallOp>(op);
  if (!called)
    return false;
  StringRef callee = called.getCallee().value_or("");
  StringRef name = spellDeviceFunction(callee);
  SmallVector<const Expr *> arguments;
  if (name.starts_with("__shfl")) {
    buildMaskedShuffle(called, name);
    return true;
  }
  // Subgroups are an extension of OpenCL C that not every device has.
  if (isOpenCL && op->hasAttr(kOfWholeBlockAttrName)) {
    emit(Stmt::Barrier, op->getLoc());
    return true;
  }
  if (callee == "__gpuopt_fence") {
    std::optional<int64_t> scope = getConstantIntValue(op->getOperand(0));
    name = !scope        ? ""
           : *scope == 0 ? "__threadfence_block"
           : *scope == 1 ? "__threadfence"
                         : "__threadfence_system";
  } else if (!name.empty() && callee != "__assertfail") {
    for (Value operand : op->getOperands())
      arguments.push_back(build(operand));
  }
  if (name.empty() && isLibraryFunction(callee)) {
    for (Value operand : op->getOperands())
      arguments.push_back(build(operand));
    name = callee;
    // The language knows which by the type.
    if (name.ends_with("f"))
      name = name.drop_back();
  }
  if (name.empty()) {
    fail(op->getLoc(), "a call of '" + callee + "' has no source form");
    return true;
  }
  if (name == "__ballot_sync" || name == "__syncwarp")
    arguments[0] = maskOf(op->getOperand(0));
  if (op->getNumResults() == 0) {
    emit(Stmt::Evaluate, op->getLoc())->value =
        call(name, arguments, CType{CType::Void, 0, 1});
    return true;
  }
  CType type = typeOf(op->getResult(0).getType());
  CType returned = name == "__ballot_sync" || name == "__activemask"
                       ? CType{CType::Unsigned, 32, 1}
                       : type;
  const Expr *value = call(name, arguments, returned);
  if (returned != type)
    value = cast(cast(value, {CType::Unsigned, 64, 1}), type);
  assign(op->getLoc(), op->getResult(0), value);
  return true;
}
