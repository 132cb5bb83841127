//===- PaddedArrays.cpp - arrays behind which there is room ---------------===//

#include "tools/lib/launch/PaddedArrays.h"

using namespace gpuopt;

static constexpr uint8_t kFill = 0xff;

llvm::MutableArrayRef<uint8_t> PaddedArrays::Copy::bytes() {
  return {storage.front().bytes, storage.size() * sizeof(Granule)};
}

llvm::ArrayRef<uint8_t> PaddedArrays::Copy::padding() const {
  return llvm::ArrayRef(storage.front().bytes, storage.size() * sizeof(Granule))
      .drop_front(array->bytes.size());
}

PaddedArrays::PaddedArrays(Problem &problem,
                           llvm::MutableArrayRef<KernelArgument> arguments) {
  for (ProblemArray &array : problem.arrays()) {
    if (array.bytes.size() % sizeof(Granule) == 0 || array.displacement)
      continue;
    Copy copy{&array, {}};
    copy.storage.resize(array.bytes.size() / sizeof(Granule) + 1);
    llvm::fill(copy.bytes(), kFill);
    llvm::copy(array.bytes, copy.bytes().begin());
    for (KernelArgument &argument : arguments)
      if (argument.kind == KernelArgument::Kind::Buffer &&
          argument.data == array.bytes.data()) {
        argument.data = copy.bytes().data();
        argument.size = copy.bytes().size();
      }
    copies.push_back(std::move(copy));
  }
}

PaddedArrays::~PaddedArrays() {
  for (Copy &copy : copies)
    llvm::copy(copy.bytes().take_front(copy.array->bytes.size()),
               copy.array->bytes.begin());
}

std::vector<std::string> PaddedArrays::overrun() const {
  std::vector<std::string> names;
  for (const Copy &copy : copies)
    if (!llvm::all_of(copy.padding(),
                      [](uint8_t byte) { return byte == kFill; }))
      names.push_back(copy.array->name);
  return names;
}
