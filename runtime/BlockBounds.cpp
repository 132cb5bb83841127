//===- BlockBounds.cpp - the blocks that a kernel can have ----------------===//

#include "runtime/BlockBounds.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/FormatVariadic.h"

using namespace gpuopt;
using namespace llvm;

std::optional<std::string> BlockBounds::findViolation(const Dim3 &block) const {
  int64_t threads = block[0] * block[1] * block[2];
  auto textOf = [](const Dim3 &dim) {
    return formatv("{0}x{1}x{2}", dim[0], dim[1], dim[2]).str();
  };
  std::string found = "a block of " + textOf(block) + " threads";
  if (shape && block != *shape)
    return found + " is not the " + textOf(*shape) + " that it requires";
  if (mostThreads && threads > *mostThreads)
    return found + " is larger than its launch bounds, " +
           std::to_string(*mostThreads) + " threads";
  if (threads < leastThreads)
    return found + " is smaller than its launch bounds, " +
           std::to_string(leastThreads) + " threads";
  return std::nullopt;
}

/// The numbers of `name="8,4,1"`, of which there may be fewer; empty where the
/// kernel has no such attribute.
static SmallVector<int64_t> numbersOf(const Function &kernel, StringRef name) {
  SmallVector<int64_t> numbers;
  StringRef text = kernel.getFnAttribute(name).getValueAsString();
  for (StringRef part : split(text, ',')) {
    int64_t number = 0;
    if (part.trim().getAsInteger(10, number))
      return {};
    numbers.push_back(number);
  }
  return numbers;
}

static std::optional<Dim3> shapeOf(ArrayRef<int64_t> numbers) {
  if (numbers.empty() || numbers.size() > 3)
    return std::nullopt;
  Dim3 shape = {1, 1, 1};
  copy(numbers, shape.begin());
  return shape;
}

/// OpenCL's `__attribute__((reqd_work_group_size(X, Y, Z)))`.
static std::optional<Dim3> requiredShape(const Function &kernel) {
  const MDNode *node = kernel.getMetadata("reqd_work_group_size");
  if (!node)
    return std::nullopt;
  SmallVector<int64_t> numbers;
  for (const MDOperand &operand : node->operands())
    if (auto *number = mdconst::dyn_extract<ConstantInt>(operand))
      numbers.push_back(number->getSExtValue());
  return shapeOf(numbers);
}

BlockBounds gpuopt::blockBoundsOf(const Function &kernel) {
  BlockBounds bounds;
  bounds.shape = shapeOf(numbersOf(kernel, "nvvm.reqntid"));
  if (!bounds.shape)
    bounds.shape = requiredShape(kernel);
  if (auto most = shapeOf(numbersOf(kernel, "nvvm.maxntid")))
    bounds.mostThreads = (*most)[0] * (*most)[1] * (*most)[2];
  SmallVector<int64_t> range = numbersOf(kernel, "amdgpu-flat-work-group-size");
  if (range.size() == 2) {
    bounds.leastThreads = range[0];
    bounds.mostThreads = range[1];
  }
  return bounds;
}
