//===- BlockUse.cpp - kernels that are written for their block ------------===//

#include "conversion/ImportSource/BlockUse.h"

#include "dialects/GPUOpt/LargestBlock.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;
using namespace gpuopt;

/// The note on a function, `16,16,1`.
static constexpr StringLiteral kLaunchBlockNote = "gpuopt-launch-block";

/// `value` without the casts of integers around it.
static const Value *withoutCasts(const Value *value) {
  while (isa<SExtInst, ZExtInst, TruncInst, FreezeInst>(value))
    value = cast<Instruction>(value)->getOperand(0);
  return value;
}

/// The name of the device function that `value` calls; empty for all else.
static StringRef calledFunction(const Value *value) {
  const auto *call = dyn_cast<CallBase>(withoutCasts(value));
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  StringRef name = callee ? callee->getName() : "";
  return name.consume_front("__gpuopt_") ? name : "";
}

/// Whether `value` is `blockIdx * blockDim` along `dimension`.
static bool isStartOfBlock(const Value *value, char dimension) {
  const auto *product = dyn_cast<BinaryOperator>(withoutCasts(value));
  if (!product || product->getOpcode() != Instruction::Mul)
    return false;
  StringRef left = calledFunction(product->getOperand(0));
  StringRef right = calledFunction(product->getOperand(1));
  std::string id = std::string("block_id_") + dimension;
  std::string size = std::string("block_dim_") + dimension;
  return (left == id && right == size) || (left == size && right == id);
}

/// Whether the thread's id that `value` is goes into work items' ids only.
static bool numbersWorkItems(const Value &value, char dimension) {
  return all_of(value.users(), [&](const User *user) {
    if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst>(user))
      return numbersWorkItems(*user, dimension);
    const auto *sum = dyn_cast<BinaryOperator>(user);
    return sum && sum->getOpcode() == Instruction::Add &&
           (isStartOfBlock(sum->getOperand(0), dimension) ||
            isStartOfBlock(sum->getOperand(1), dimension));
  });
}

static bool isWorkgroupMemory(const Value *value) {
  constexpr unsigned workgroupSpace = 3;
  return value->getType()->isPointerTy() &&
         value->getType()->getPointerAddressSpace() == workgroupSpace;
}

/// Whether a constant, such as an address cast to a plain one, is made of
/// workgroup memory.
static bool mentionsWorkgroupMemory(const Value *value) {
  if (isWorkgroupMemory(value))
    return true;
  const auto *constant = dyn_cast<ConstantExpr>(value);
  return constant && any_of(constant->operand_values(), [](const Value *part) {
           return mentionsWorkgroupMemory(part);
         });
}

static bool dependsOnBlock(const Instruction &instruction) {
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    return !instruction.use_empty();
  if (any_of(instruction.operand_values(), mentionsWorkgroupMemory))
    return true;
  StringRef name = calledFunction(&instruction);
  if (!isa<CallBase>(instruction) || name.empty())
    return false;
  if (name.starts_with("thread_id_"))
    return !numbersWorkItems(instruction, name.back());
  return !name.starts_with("block_id_") && !name.starts_with("block_dim_") &&
         !name.starts_with("grid_dim_") && name != "subgroup_size";
}

bool gpuopt::dependsOnBlock(const Function &kernel) {
  return any_of(instructions(kernel), [](const Instruction &instruction) {
    return ::dependsOnBlock(instruction);
  });
}

/// The numbers of an attribute `name="8,4,1"`, of which there may be fewer.
static std::optional<std::array<int64_t, 3>> blockOf(StringRef text) {
  std::array<int64_t, 3> block = {1, 1, 1};
  unsigned count = 0;
  for (StringRef part : split(text, ',')) {
    if (count == block.size() || part.trim().getAsInteger(10, block[count]))
      return std::nullopt;
    ++count;
  }
  return block;
}

/// OpenCL's `__attribute__((reqd_work_group_size(X, Y, Z)))`.
static std::optional<std::array<int64_t, 3>>
requiredBlock(const Function &kernel) {
  const MDNode *node = kernel.getMetadata("reqd_work_group_size");
  if (!node || node->getNumOperands() != 3)
    return std::nullopt;
  std::array<int64_t, 3> block;
  for (auto [size, operand] : zip(block, node->operands())) {
    auto *number = mdconst::dyn_extract<ConstantInt>(operand);
    if (!number)
      return std::nullopt;
    size = number->getSExtValue();
  }
  return block;
}

/// The most threads of a flat block that `__launch_bounds__` says.
static std::optional<std::array<int64_t, 3>>
launchBounds(const Function &kernel) {
  if (Attribute most = kernel.getFnAttribute("nvvm.maxntid"); most.isValid())
    return blockOf(most.getValueAsString());
  // Of AMD's targets: the fewest and the most, Clang's own where there is none.
  // OpenCL has no bounds, but another default.
  constexpr unsigned byDefault = 1024;
  if (kernel.getParent()->getNamedMetadata("opencl.ocl.version"))
    return std::nullopt;
  auto [fewest, most] = kernel.getFnAttribute("amdgpu-flat-work-group-size")
                            .getValueAsString()
                            .split(',');
  unsigned threads;
  if (most.getAsInteger(10, threads) || threads == byDefault)
    return std::nullopt;
  return std::array<int64_t, 3>{threads, 1, 1};
}

std::optional<std::array<int64_t, 3>>
gpuopt::boundingBlock(const Function &kernel) {
  if (auto required = requiredBlock(kernel))
    return required;
  bool isFlat = none_of(instructions(kernel), [](const Instruction &op) {
    StringRef name = calledFunction(&op);
    return name == "thread_id_y" || name == "thread_id_z";
  });
  return isFlat ? launchBounds(kernel) : std::nullopt;
}

void gpuopt::setLaunchBlock(Function &kernel,
                            const std::array<int64_t, 3> &block) {
  if (any_of(block,
             [](int64_t size) {
               return size < 1 || size > kMostThreadsOfBlock;
             }) ||
      block[0] * block[1] * block[2] > kMostThreadsOfBlock)
    return;
  kernel.addFnAttr(kLaunchBlockNote, std::to_string(block[0]) + "," +
                                         std::to_string(block[1]) + "," +
                                         std::to_string(block[2]));
}

std::optional<std::array<int32_t, 3>>
gpuopt::takeLaunchBlock(Function &kernel) {
  Attribute note = kernel.getFnAttribute(kLaunchBlockNote);
  std::optional<std::array<int64_t, 3>> block;
  if (note.isValid())
    block = blockOf(note.getValueAsString());
  kernel.removeFnAttr(kLaunchBlockNote);
  if (!block)
    return std::nullopt;
  return std::array<int32_t, 3>{static_cast<int32_t>((*block)[0]),
                                static_cast<int32_t>((*block)[1]),
                                static_cast<int32_t>((*block)[2])};
}
