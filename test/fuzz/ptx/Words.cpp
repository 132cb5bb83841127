//===- Words.cpp - words of PTX by chance ---------------------------------===//

#include "test/fuzz/ptx/Words.h"

#include "conversion/PTX/Module.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuopt::fuzz;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {
/// A row of the table, as it is written there.
struct Row {
  const char *name;
  const char *modifiers;
  const char *types;
  const char *operands;
};
} // namespace

static constexpr Row rows[] = {
#define PTX_VALUE(NAME, MODIFIERS, TYPES, OPERANDS, BUILDER)                   \
  {NAME, MODIFIERS, TYPES, OPERANDS},
#define PTX_EFFECT(NAME, MODIFIERS, TYPES, OPERANDS, BUILDER)                  \
  {NAME, MODIFIERS, TYPES, OPERANDS},
#include "conversion/PTX/Instructions.def"
};

/// One of `words`, which are separated by `separator`.
static StringRef pickWord(StringRef words, Random &random,
                          char separator = ' ') {
  SmallVector<StringRef> list;
  words.split(list, separator, -1, /*KeepEmpty=*/false);
  return random.pick(list);
}

static constexpr StringRef types =
    "pred b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 u16x2 "
    "s16x2 f16 f16x2 f32 f64 bf16 tf32 bf16x2";

static constexpr StringRef directives =
    "visible extern weak common entry func reg global const shared "
    "local param align ptr branchtargets loc file pragma maxntid "
    "reqntid section version target address_size minnctapersm alias v2 "
    "v4 callprototype attribute";

static constexpr StringRef numbers =
    "0 1 -1 2 3 4 7 8 15 16 31 32 33 63 64 65 127 128 255 256 -128 "
    "65535 65536 1048576 2097152 1073741823 1073741824 2147483647 "
    "-2147483648 2147483648 4294967295 4294967296 1099511627776 "
    "9223372036854775807 -9223372036854775808 18446744073709551615 "
    "18446744073709551616 0x1f 0xffU 0b101 017 0x";

static constexpr StringRef floats =
    "0f00000000 0f80000000 0f3F800000 0f7F800000 0f7FC00000 0f00000001 "
    "0fFFFFFFFF 0d0000000000000000 0d3FF0000000000000 "
    "0d7FF0000000000000 0d7FF8000000000001 0d8000000000000000 1.5 "
    "1e308 1e-400 1e999 0f 0d1";

static constexpr StringRef specialRegisters =
    "%tid.x %tid.y %ntid.x %ctaid.z %nctaid.x %laneid %warpid %nwarpid "
    "%lanemask_lt %clock64 %globaltimer %smid %gridid "
    "%dynamic_smem_size WARP_SZ _ %envreg3";

std::string gpuopt::fuzz::randomNumber(Random &random) {
  return random.oneIn(8) ? std::to_string(random.below(1 << 12))
                         : pickWord(numbers, random).str();
}

std::string gpuopt::fuzz::randomFloat(Random &random) {
  return pickWord(floats, random).str();
}

std::string gpuopt::fuzz::randomSpecialRegister(Random &random) {
  return pickWord(specialRegisters, random).str();
}

/// One of `a|b|L1::*`.
static StringRef pickAlternative(StringRef group, Random &random) {
  StringRef one = pickWord(group, random, '|');
  // A cache's policy or size; any end does.
  return one.consume_back("L2::*")   ? "L2::128B"
         : one.consume_back("L1::*") ? "L1::no_allocate"
                                     : one;
}

static StringRef randomModifier(Random &random) {
  StringRef groups = random.pick(rows).modifiers;
  return groups.empty()
             ? "sync"
             : pickAlternative(pickWord(groups, random).ltrim('?'), random);
}

std::string gpuopt::fuzz::randomWord(Random &random) {
  StringRef word = random.oneIn(3)   ? pickWord(directives, random)
                   : random.oneIn(2) ? pickWord(types, random)
                                     : randomModifier(random);
  return ("." + word).str();
}

/// One that a capital letter of the table stands for.
static StringRef typeOfClass(StringRef name, Random &random) {
  StringRef members =
      llvm::StringSwitch<StringRef>(name)
          .Case("I", "u16 u32 u64 s16 s32 s64")
          .Case("J", "u8 u16 u32 u64 s8 s16 s32 s64")
          .Case("B", "b16 b32 b64")
          .Case("F", "f32 f64")
          .Case("H", "f16 bf16 f16x2 bf16x2")
          .Case("X", "b8 b16 b32 b64 b128 u8 u32 s8 s16 u64 f32 f64")
          .Default(name);
  return pickWord(members, random);
}

namespace {
/// `add.s32` by a row of the table, with its types.
struct Opcode {
  Row row;
  std::string text;
  SmallVector<StringRef, 4> types;
};
} // namespace

static Opcode chooseOpcode(Random &random) {
  Row row = random.pick(rows);
  Opcode opcode = {row, row.name, {}};
  SmallVector<StringRef> groups;
  StringRef(row.modifiers).split(groups, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef group : groups)
    if (!group.consume_front("?") || random.oneIn(4))
      opcode.text += ("." + pickAlternative(group, random)).str();
  groups.clear();
  StringRef(row.types).split(groups, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef group : groups) {
    StringRef type = typeOfClass(pickAlternative(group, random), random);
    opcode.types.push_back(type);
    opcode.text += ("." + type).str();
  }
  return opcode;
}

std::string gpuopt::fuzz::randomOpcode(Random &random) {
  return chooseOpcode(random).text;
}

namespace {
/// Chooses the operands of one instruction: registers that suit it, or any
/// names of a text.
class Operands {
public:
  Operands(const Opcode &opcode, ArrayRef<StringRef> names, Random &random)
      : opcode(opcode), names(names), random(random) {}

  /// One for a letter of `Row::operands`.
  std::string operand(char letter);

private:
  std::string source(unsigned bits);
  std::string registerOf(unsigned bits);
  std::string anything();
  std::string several(size_t count, unsigned bits);
  unsigned bitsOf(size_t type) const;

  const Opcode &opcode;
  ArrayRef<StringRef> names;
  Random &random;
};
} // namespace

/// One for each kind of register that there is, with 1 for predicates.
static constexpr std::pair<unsigned, const char *> registerNames[] = {
    {1, "%zp"},  {8, "%zb"},  {16, "%zh"},
    {32, "%zw"}, {64, "%zd"}, {128, "%zq"}};

/// The registers that `Operands` chooses from.
static std::string declarations() {
  std::string text;
  for (auto [bits, name] : registerNames)
    text += ".reg ." + (bits == 1 ? "pred" : "b" + std::to_string(bits)) + " " +
            name + "<4>; ";
  return text;
}

unsigned Operands::bitsOf(size_t type) const {
  return type < opcode.types.size()
             ? gpuopt::ptx::typeNamed(opcode.types[type])->bits
             : 32;
}

std::string Operands::registerOf(unsigned bits) {
  if (random.oneIn(16))
    return randomSpecialRegister(random);
  if (!names.empty())
    return random.pick(names).str();
  for (auto [width, name] : registerNames)
    if (width >= bits)
      return name + std::to_string(random.below(4));
  return "_";
}

std::string Operands::source(unsigned bits) {
  return random.oneIn(6)   ? randomNumber(random)
         : random.oneIn(8) ? randomFloat(random)
                           : registerOf(bits);
}

std::string Operands::several(size_t count, unsigned bits) {
  std::string text = "{" + registerOf(bits);
  while (--count)
    text += ", " + registerOf(bits);
  return text + "}";
}

/// One that the table says nothing about.
std::string Operands::anything() {
  unsigned bits = bitsOf(0);
  switch (random.below(8)) {
  case 0:
  case 1:
    return "[" + registerOf(64) + "]";
  case 2:
    return "[" + registerOf(64) + "+" + randomNumber(random) + "]";
  case 3:
    return several(random.oneIn(2) ? 2 : 4, random.oneIn(2) ? bits : bits / 2);
  case 4:
    return registerOf(bits) + "|" + registerOf(1);
  case 5:
    return "(" + registerOf(bits) + ")";
  case 6:
    return registerOf(1);
  default:
    return source(bits);
  }
}

std::string Operands::operand(char letter) {
  switch (letter) {
  case 'd':
    return registerOf(bitsOf(0));
  case 'w':
    return registerOf(2 * bitsOf(0));
  case 'n':
    return registerOf(32);
  case 'q':
    return registerOf(1);
  case 'a':
    return source(bitsOf(0));
  case 'b':
    return source(bitsOf(1));
  case 'v':
    return source(2 * bitsOf(0));
  case 'u':
    return source(32);
  case 'p':
    return (random.oneIn(4) ? "!" : "") + registerOf(1);
  default:
    return anything();
  }
}

std::string gpuopt::fuzz::randomInstruction(ArrayRef<StringRef> names,
                                            Random &random) {
  Opcode opcode = chooseOpcode(random);
  Operands operands(opcode, names, random);
  std::string text = random.oneIn(8) ? "@" + operands.operand('q') + " " : "";
  text += opcode.text;
  SmallVector<StringRef> letters;
  StringRef(opcode.row.operands).split(letters, ' ', -1, /*KeepEmpty=*/false);
  StringRef separator = " ";
  for (StringRef letter : letters) {
    if (letter.ends_with("?") && random.oneIn(2))
      break;
    text += separator;
    text += operands.operand(letter.front());
    separator = ", ";
  }
  return names.empty() ? "{ " + declarations() + text + "; }" : text + ";";
}
