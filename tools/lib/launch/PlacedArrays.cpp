//===- PlacedArrays.cpp - arrays where a launch wants them ----------------===//

#include "tools/lib/launch/PlacedArrays.h"

#include "llvm/Support/Alignment.h"

using namespace gpuopt;

/// The widest access is of this many bytes, and so much is what a device's
/// allocations are aligned by.
static constexpr uint64_t kWidest = 16, kAllocation = 256;

/// What copies lie apart at least. Launchers take what a kernel may access for
/// accessed, which is a little more than small arrays have: side by side they
/// would overlap in some runs, and not in others.
static constexpr uint64_t kApart = 4096;

/// What a byte behind an array is: two of them are NaN in every format of at
/// least 16 bits, and no number that programs like to store.
static uint8_t fillAt(size_t at) { return at % 2 ? 0xff : 0xf7; }

PlacedArrays::PlacedArrays(Problem &problem,
                           llvm::MutableArrayRef<KernelArgument> arguments,
                           Placement placement) {
  for (ProblemArray &array : problem.arrays()) {
    uint64_t size = array.bytes.size();
    uint64_t padded = llvm::alignTo(size, kWidest);
    bool isPadded = placement.isPadded && padded != size && !array.displacement;
    uint64_t displacement = placement.isDisplaced ? array.displacement : 0;
    bool isPlaced =
        !placement.isAligned ||
        llvm::isAddrAligned(llvm::Align(kAllocation), array.bytes.data());
    if (isPlaced && !isPadded && displacement == 0)
      continue;
    Copy copy{&array, {}, {}};
    copy.storage.resize(padded + displacement + kAllocation + kApart);
    uintptr_t aligned =
        llvm::alignAddr(copy.storage.data(), llvm::Align(kAllocation));
    copy.bytes = {reinterpret_cast<uint8_t *>(aligned + displacement),
                  isPadded ? padded : size};
    for (auto [at, byte] : llvm::enumerate(copy.bytes))
      byte = at < size ? array.bytes[at] : fillAt(at);
    for (KernelArgument &argument : arguments)
      if (argument.kind == KernelArgument::Kind::Buffer &&
          argument.data == array.bytes.data()) {
        argument.data = copy.bytes.data();
        if (isPadded)
          argument.size = padded;
      }
    copies.push_back(std::move(copy));
  }
}

PlacedArrays::~PlacedArrays() {
  for (Copy &copy : copies)
    llvm::copy(copy.bytes.take_front(copy.array->bytes.size()),
               copy.array->bytes.begin());
}

std::vector<std::string> PlacedArrays::overrun() const {
  std::vector<std::string> names;
  for (const Copy &copy : copies)
    if (llvm::any_of(llvm::enumerate(copy.bytes), [&](auto place) {
          return place.index() >= copy.array->bytes.size() &&
                 place.value() != fillAt(place.index());
        }))
      names.push_back(copy.array->name);
  return names;
}
