//===- RaceEffects.cpp - what races may change ----------------------------===//

#include "runtime/RaceEffects.h"

#include "llvm/ADT/STLExtras.h"

using namespace gpuopt;

static bool hasFlag(const ByteFlags &flags) {
  return llvm::is_contained(flags, 1);
}

bool RaceEffects::isAny() const {
  return !workgroups.empty() || llvm::any_of(buffers, [](const Buffer &buffer) {
    return hasFlag(buffer.unsettled);
  });
}

llvm::ArrayRef<uint8_t> RaceEffects::find(llvm::StringRef name,
                                          bool isVariable) const {
  for (const Buffer &buffer : buffers)
    if (buffer.isVariable == isVariable && buffer.name == name)
      return buffer.unsettled;
  return {};
}

llvm::ArrayRef<uint8_t> RaceEffects::ofArgument(llvm::StringRef name) const {
  return find(name, /*isVariable=*/false);
}

llvm::ArrayRef<uint8_t> RaceEffects::ofVariable(llvm::StringRef symbol) const {
  return find(symbol, /*isVariable=*/true);
}

static void flipUnsettled(const ByteFlags &flags, uint64_t offset,
                          uint8_t pattern,
                          llvm::MutableArrayRef<uint8_t> bytes) {
  for (auto [index, byte] : llvm::enumerate(bytes))
    if (offset + index < flags.size() && flags[offset + index])
      byte ^= pattern;
}

void RaceEffects::disturbBuffer(size_t number, uint64_t offset,
                                llvm::MutableArrayRef<uint8_t> bytes) const {
  if (number < buffers.size())
    flipUnsettled(buffers[number].unsettled, offset, pattern, bytes);
}

void RaceEffects::disturbWorkgroup(uint32_t block, uint64_t offset,
                                   llvm::MutableArrayRef<uint8_t> bytes) const {
  auto flags = workgroups.find(block);
  if (flags != workgroups.end())
    flipUnsettled(flags->second, offset, pattern, bytes);
}
