//===- InstructionTable.cpp - which instruction is it? --------------------===//

#include "conversion/PTX/InstructionTable.h"

#include "conversion/PTX/Builders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

static constexpr Rule rules[] = {
#define PTX_VALUE(NAME, MODIFIERS, TYPES, OPERANDS, BUILDER)                   \
  {NAME, MODIFIERS, TYPES, OPERANDS, build::BUILDER, nullptr},
#define PTX_EFFECT(NAME, MODIFIERS, TYPES, OPERANDS, BUILDER)                  \
  {NAME, MODIFIERS, TYPES, OPERANDS, nullptr, build::BUILDER},
#include "conversion/PTX/Instructions.def"
};

/// By name, in the order of the table.
static const StringMap<SmallVector<const Rule *, 4>> &rulesByName() {
  static const auto byName = [] {
    StringMap<SmallVector<const Rule *, 4>> map;
    for (const Rule &rule : rules)
      map[rule.name].push_back(&rule);
    return map;
  }();
  return byName;
}

bool Match::has(StringRef modifier) const {
  return is_contained(modifiers, modifier);
}

unsigned Match::vectorLength() const {
  return has("v2") ? 2 : has("v4") ? 4 : has("v8") ? 8 : 1;
}

StringRef Match::startingWith(StringRef prefix) const {
  for (StringRef modifier : modifiers)
    if (modifier.starts_with(prefix))
      return modifier;
  return "";
}

bool ptx::isKnownName(StringRef name) { return rulesByName().contains(name); }

/// Whether `word` is one of the alternatives `a|b|L1::*`.
static bool isOneOf(StringRef alternatives, StringRef word) {
  for (StringRef alternative : split(alternatives, '|'))
    if (alternative.consume_back("*") ? word.starts_with(alternative)
                                      : word == alternative)
      return true;
  return false;
}

/// Whether `type` is of a class that `Instructions.def` names by a capital
/// letter, or is the one that it names.
static bool isOfClass(RegisterType type, StringRef word, StringRef name) {
  bool isInteger = type.kind == RegisterType::Kind::Signed ||
                   type.kind == RegisterType::Kind::Unsigned;
  bool isSimple = type.lanes == 1;
  bool isWord = type.bits >= 16 && type.bits <= 64;
  if (name == "I")
    return isSimple && isInteger && isWord;
  if (name == "J")
    return isSimple && isInteger && type.bits <= 64;
  if (name == "B")
    return isSimple && type.kind == RegisterType::Kind::Bits && isWord;
  if (name == "F")
    return isSimple && type.kind == RegisterType::Kind::Float &&
           type.bits >= 32;
  if (name == "H")
    return type.isFloat() && type.bits / type.lanes == 16;
  if (name == "X")
    return isSimple && !type.isPredicate() && type.bits <= 128;
  return word == name;
}

static std::optional<Match> matchRule(const Rule &rule,
                                      ArrayRef<StringRef> words) {
  Match match;
  match.rule = &rule;
  SmallVector<StringRef, 4> types, groups;
  rule.types.split(types, ' ', -1, /*KeepEmpty=*/false);
  rule.modifiers.split(groups, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    std::optional<RegisterType> type = typeNamed(word);
    if (type && match.types.size() < types.size() &&
        any_of(split(types[match.types.size()], '|'),
               [&](StringRef name) { return isOfClass(*type, word, name); })) {
      match.types.push_back(*type);
      continue;
    }
    auto group = find_if(groups, [&](StringRef alternatives) {
      alternatives.consume_front("?");
      return isOneOf(alternatives, word);
    });
    if (group == groups.end())
      return std::nullopt;
    groups.erase(group);
    match.modifiers.push_back(word);
  }
  bool isComplete = match.types.size() == types.size() &&
                    all_of(groups, [](StringRef alternatives) {
                      return alternatives.starts_with("?");
                    });
  return isComplete ? std::optional(std::move(match)) : std::nullopt;
}

std::optional<Match> ptx::findRule(const SourceInstruction &instruction) {
  auto known = rulesByName().find(instruction.words.front());
  if (known == rulesByName().end())
    return std::nullopt;
  for (const Rule *rule : known->second)
    if (auto match = matchRule(*rule, ArrayRef(instruction.words).drop_front()))
      return match;
  return std::nullopt;
}

static std::optional<RegisterType> typeOfLetter(char letter,
                                                ArrayRef<RegisterType> types) {
  auto wide = [](RegisterType type) {
    type.bits *= 2;
    return type;
  };
  switch (letter) {
  case 'd':
  case 'a':
    return types[0];
  case 'b':
    return types[1];
  case 'c':
    return types[2];
  case 'w':
  case 'v':
    return wide(types[0]);
  case 'n':
  case 'u':
    return RegisterType{RegisterType::Kind::Unsigned, 32};
  case 'p':
  case 'q':
    return RegisterType{RegisterType::Kind::Predicate, 1};
  default:
    return std::nullopt;
  }
}

SmallVector<OperandRule, 5> ptx::operandRules(const Match &match) {
  SmallVector<OperandRule, 5> operands;
  for (StringRef word : split(match.rule->operands, ' ')) {
    if (word.empty())
      continue;
    OperandRule &operand = operands.emplace_back();
    operand.isOptional = word.ends_with("?");
    operand.isDestination = StringRef("dwnq").contains(word.front());
    operand.type = typeOfLetter(word.front(), match.types);
  }
  return operands;
}
