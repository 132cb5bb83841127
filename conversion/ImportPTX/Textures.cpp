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
  /// Of the texture; 0 for linear memory.
  unsigned dimensions;
};
/// What the fetches of a module say of a texture.
struct Shape {
  unsigned channels = 1;
  unsigned dimensions = 0;
};
} // namespace

static std::optional<Fetch> fetchOf(const Statement &statement) {
  auto *instruction = std::get_if<SourceInstruction>(&statement);
  if (!instruction || instruction->words.front() != "tex" ||
      instruction->words.size() < 2 || instruction->operands.size() < 2 ||
      instruction->operands[1].parts.empty())
    return std::nullopt;
  const auto &words = instruction->words;
  unsigned dimensions = words[1] == "1d" ? 1 : words[1] == "2d" ? 2 : 3;
  bool isLinear = dimensions == 1 && words.back() == "s32";
  return Fetch{instruction->operands[1].parts.front().name,
               instruction->operands[0].parts, isLinear ? 0 : dimensions};
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

/// The shape of each texture: its channels are those that are looked at.
static StringMap<Shape> shapesIn(const SourceModule &module) {
  StringMap<Shape> shapes;
  for (const SourceFunction &function : module.functions) {
    StringSet<> names = namesReadIn(function);
    for (const Statement &statement : function.body)
      if (std::optional<Fetch> fetch = fetchOf(statement)) {
        Shape &shape = shapes[fetch->texture];
        shape.dimensions = std::max(shape.dimensions, fetch->dimensions);
        for (auto [index, channel] : enumerate(fetch->channels))
          if (channel.name != "_" && names.contains(channel.name))
            shape.channels = std::max<unsigned>(shape.channels, index + 1);
      }
  }
  return shapes;
}

/// `name`, with underscores behind it where the text has such a variable.
static StringRef freeName(std::string name, SourceModule &module,
                          const SourceFunction &kernel) {
  auto isIt = [&](const Variable &variable) { return variable.name == name; };
  auto declaresIt = [&](const Statement &statement) {
    auto *variable = std::get_if<Variable>(&statement);
    return variable && isIt(*variable);
  };
  while (any_of(module.variables, isIt) || any_of(kernel.parameters, isIt) ||
         any_of(kernel.body, declaresIt))
    name += '_';
  return module.addName(name);
}

/// Adds the array of `texture` to the parameters of `kernel`, and its extents.
static void addParameters(const Variable &texture, const Shape &shape,
                          SourceModule &module, SourceFunction &kernel) {
  Variable array = texture;
  array.space = Space::Parameter;
  array.type = {RegisterType::Kind::Bits, 64};
  array.isPointer = true;
  array.channels = shape.channels == 3 ? 4 : shape.channels;
  static constexpr StringRef suffixes[] = {"_width", "_height", "_depth"};
  std::vector<Variable> extents;
  for (StringRef suffix : ArrayRef(suffixes).take_front(shape.dimensions)) {
    Variable &extent = extents.emplace_back();
    extent.at = texture.at;
    extent.space = Space::Parameter;
    extent.type = {RegisterType::Kind::Signed, 32};
    extent.name = freeName((texture.name + suffix).str(), module, kernel);
    extent.isTextureExtent = true;
    array.textureExtents.push_back(extent.name);
  }
  kernel.parameters.push_back(std::move(array));
  append_range(kernel.parameters, extents);
}

void gpuopt::ptx::makeTextureParameters(SourceModule &module) {
  auto isTexture = [](const Variable &variable) { return variable.isTexture; };
  if (none_of(module.variables, isTexture))
    return;
  StringMap<Shape> shapes = shapesIn(module);
  for (SourceFunction &function : module.functions) {
    StringSet<> fetched;
    for (const Statement &statement : function.body)
      if (std::optional<Fetch> fetch = fetchOf(statement))
        fetched.insert(fetch->texture);
    for (const Variable &variable : module.variables)
      if (function.isKernel && variable.isTexture &&
          fetched.contains(variable.name))
        addParameters(variable, shapes.lookup(variable.name), module, function);
  }
  erase_if(module.variables, isTexture);
}
