//===- DisplacedArrays.cpp - arrays that are not aligned ------------------===//

#include "tools/lib/launch/DisplacedArrays.h"

#include "llvm/Support/Alignment.h"

using namespace gpuopt;

/// The widest access is of this many bytes.
static constexpr uint64_t kWidest = 16;

DisplacedArrays::DisplacedArrays(
    Problem &problem, llvm::MutableArrayRef<KernelArgument> arguments) {
  for (ProblemArray &array : problem.arrays()) {
    if (array.displacement == 0)
      continue;
    Copy copy{&array, {}, nullptr};
    copy.storage.resize(array.bytes.size() + array.displacement + kWidest);
    uintptr_t aligned =
        llvm::alignAddr(copy.storage.data(), llvm::Align(kWidest));
    copy.begin = reinterpret_cast<uint8_t *>(aligned + array.displacement);
    llvm::copy(array.bytes, copy.begin);
    for (KernelArgument &argument : arguments)
      if (argument.kind == KernelArgument::Kind::Buffer &&
          argument.data == array.bytes.data())
        argument.data = copy.begin;
    copies.push_back(std::move(copy));
  }
}

DisplacedArrays::~DisplacedArrays() {
  for (Copy &copy : copies)
    std::copy_n(copy.begin, copy.array->bytes.size(),
                copy.array->bytes.begin());
}
