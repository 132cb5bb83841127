//===- PaddedArrays.cpp - arrays behind which there is room ---------------===//

#include "tools/lib/launch/PaddedArrays.h"

using namespace gpuopt;

/// What a byte behind an array is: two of them are NaN in every format of at
/// least 16 bits, and no number that programs like to store.
static uint8_t fillAt(size_t at) { return at % 2 ? 0xff : 0xf7; }

llvm::ArrayRef<uint8_t> PaddedArrays::Copy::bytes() const {
  return {storage.front().bytes, storage.size() * sizeof(Granule)};
}

llvm::MutableArrayRef<uint8_t> PaddedArrays::Copy::bytes() {
  return {storage.front().bytes, storage.size() * sizeof(Granule)};
}

PaddedArrays::PaddedArrays(Problem &problem,
                           llvm::MutableArrayRef<KernelArgument> arguments) {
  for (ProblemArray &array : problem.arrays()) {
    if (array.bytes.size() % sizeof(Granule) == 0 || array.displacement)
      continue;
    Copy copy{&array, {}};
    copy.storage.resize(array.bytes.size() / sizeof(Granule) + 1);
    for (auto [at, byte] : llvm::enumerate(copy.bytes()))
      byte = fillAt(at);
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
    if (llvm::any_of(llvm::enumerate(copy.bytes()), [&](auto place) {
          return place.index() >= copy.array->bytes.size() &&
                 place.value() != fillAt(place.index());
        }))
      names.push_back(copy.array->name);
  return names;
}
