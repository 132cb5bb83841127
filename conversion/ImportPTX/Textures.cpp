//===- Textures.cpp - references to textures ------------------------------===//

#include "conversion/ImportPTX/Textures.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace gpuopt::ptx;

namespace {
/// A fetch from a texture, and the registers that it writes.
struct Fetch {
  StringRef texture;
  ArrayRef<Operand> channels;
};
} // namespace

static std::optional<Fetch> fetchOf(const Statement &statement) {
  auto *instruction = std::get_if<SourceInstruction>(&statement);
  if (!instruction || instruction->words.front() != "tex" ||
      instruction->operands.size() < 2 ||
      instruction->operands[1].parts.empty())
    return std::nullopt;
  return Fetch{instruction->operands[1].parts.front().name,
               instruction->operands[0].parts};
}

static void addNames(const Operand &operand, StringSet<> &names) {
  names.insert(operand.name);
  for (const Operand &part : operand.parts)
    addNames(part, names);
}

/// What the instructions of `function` read: the first operand is what they
/// write, but for places in memory.
static StringSet<> namesReadIn(const SourceFunction &function) {
  StringSet<> names;
  for (const Statement &statement : function.body)
    if (auto *instruction = std::get_if<SourceInstruction>(&statement)) {
      names.insert(instruction->guard);
      for (auto [index, operand] : enumerate(instruction->operands))
        if (index || operand.kind == Operand::Kind::Address)
          addNames(operand, names);
    }
  return names;
}

/// Channels of each texture that are looked at anywhere.
static StringMap<unsigned> countChannels(const SourceModule &module) {
  StringMap<unsigned> channels;
  for (const SourceFunction &function : module.functions) {
    StringSet<> names = namesReadIn(function);
    for (const Statement &statement : function.body)
      if (std::optional<Fetch> fetch = fetchOf(statement))
        for (auto [index, channel] : enumerate(fetch->channels))
          if (channel.name != "_" && names.contains(channel.name)) {
            unsigned &count = channels[fetch->texture];
            count = std::max<unsigned>(count, index + 1);
          }
  }
  return channels;
}

void gpuopt::ptx::makeTextureParameters(SourceModule &module) {
  auto isTexture = [](const Variable &variable) { return variable.isTexture; };
  if (none_of(module.variables, isTexture))
    return;
  StringMap<unsigned> channels = countChannels(module);
  for (SourceFunction &function : module.functions) {
    StringSet<> fetched;
    for (const Statement &statement : function.body)
      if (std::optional<Fetch> fetch = fetchOf(statement))
        fetched.insert(fetch->texture);
    for (const Variable &variable : module.variables) {
      if (!function.isKernel || !variable.isTexture ||
          !fetched.contains(variable.name))
        continue;
      Variable &parameter = function.parameters.emplace_back(variable);
      parameter.space = Space::Parameter;
      parameter.type = {RegisterType::Kind::Bits, 64};
      parameter.isPointer = true;
      unsigned count = std::max(channels.lookup(variable.name), 1u);
      parameter.channels = count == 3 ? 4 : count;
    }
  }
  erase_if(module.variables, isTexture);
}
