//===- Textures.cpp - references to textures ------------------------------===//

#include "conversion/ImportPTX/Textures.h"

#include "llvm/ADT/BitVector.h"
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

//===----------------------------------------------------------------------===//
// Channels that are looked at
//===----------------------------------------------------------------------===//

static bool names(const Operand &operand, StringRef name) {
  return operand.name == name ||
         any_of(operand.parts,
                [&](const Operand &part) { return names(part, name); });
}

namespace {
/// Follows what a function does with a register.
class RegisterUses {
public:
  explicit RegisterUses(const SourceFunction &function) : body(function.body) {
    for (auto [at, statement] : enumerate(body)) {
      if (auto *label = std::get_if<Label>(&statement))
        labels[label->name] = at;
      // Names may stand for several registers then.
      hasScopes |= std::holds_alternative<ScopeMark>(statement);
    }
  }

  /// Whether `name` is read behind statement `from`, before it is written.
  bool isReadBehind(size_t from, StringRef name) const;

private:
  bool writes(const SourceInstruction &instruction, StringRef name) const;
  static bool reads(const SourceInstruction &instruction, StringRef name);
  void addTargets(const SourceInstruction &branch,
                  SmallVectorImpl<size_t> &next) const;

  ArrayRef<Statement> body;
  StringMap<size_t> labels;
  bool hasScopes = false;
};
} // namespace

/// The first operand is what is written, but for places in memory; sums of a
/// warpgroup are read, too.
bool RegisterUses::reads(const SourceInstruction &instruction, StringRef name) {
  if (instruction.guard == name)
    return true;
  bool readsAll = instruction.words.front() == "wgmma";
  for (auto [index, operand] : enumerate(instruction.operands))
    if ((index || readsAll || operand.kind == Operand::Kind::Address) &&
        names(operand, name))
      return true;
  return false;
}

bool RegisterUses::writes(const SourceInstruction &instruction,
                          StringRef name) const {
  return !hasScopes && instruction.guard.empty() &&
         !instruction.operands.empty() &&
         instruction.operands.front().kind != Operand::Kind::Address &&
         names(instruction.operands.front(), name);
}

/// The statements that `branch` may go to, by its labels or by a list of them.
void RegisterUses::addTargets(const SourceInstruction &branch,
                              SmallVectorImpl<size_t> &next) const {
  for (const Operand &operand : branch.operands) {
    auto known = labels.find(operand.name);
    if (known == labels.end())
      continue;
    next.push_back(known->second);
    for (StringRef target : std::get<Label>(body[known->second]).targets)
      if (auto label = labels.find(target); label != labels.end())
        next.push_back(label->second);
  }
}

bool RegisterUses::isReadBehind(size_t from, StringRef name) const {
  SmallVector<size_t> next = {from + 1};
  BitVector seen(body.size() + 1);
  while (!next.empty()) {
    size_t at = next.pop_back_val();
    if (at == body.size() || seen.test(at))
      continue;
    seen.set(at);
    auto *instruction = std::get_if<SourceInstruction>(&body[at]);
    if (instruction && reads(*instruction, name))
      return true;
    if (instruction && writes(*instruction, name))
      continue;
    StringRef word = instruction ? instruction->words.front() : "";
    if (word == "bra" || word == "brx")
      addTargets(*instruction, next);
    bool goesOn = !is_contained({"bra", "brx", "ret", "exit"}, word) ||
                  !instruction->guard.empty();
    if (goesOn)
      next.push_back(at + 1);
  }
  return false;
}

/// The shape of each texture: its channels are those that are looked at.
static StringMap<Shape> shapesIn(const SourceModule &module) {
  StringMap<Shape> shapes;
  for (const SourceFunction &function : module.functions) {
    RegisterUses uses(function);
    for (auto [at, statement] : enumerate(function.body))
      if (std::optional<Fetch> fetch = fetchOf(statement)) {
        Shape &shape = shapes[fetch->texture];
        shape.dimensions = std::max(shape.dimensions, fetch->dimensions);
        for (unsigned index = shape.channels; index < fetch->channels.size();
             ++index)
          if (StringRef name = fetch->channels[index].name;
              name != "_" && uses.isReadBehind(at, name))
            shape.channels = index + 1;
      }
  }
  return shapes;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

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
