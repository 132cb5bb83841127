//===- Remarks.cpp - what passes say --------------------------------------===//

#include "passes/Analysis/Remarks.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace gpuopt;

namespace {
struct RemarkText {
  RemarkCode code;
  StringRef name, pass, sentence;
};
} // namespace

static constexpr RemarkText kTexts[] = {
#define GPUOPT_REMARK(code, pass, sentence)                                    \
  {RemarkCode::code, #code, #pass, sentence},
#include "passes/Analysis/Remarks.def"
};

static const RemarkText &textOf(RemarkCode code) {
  return kTexts[static_cast<unsigned>(code)];
}

StringRef gpuopt::toString(RemarkCode code) { return textOf(code).name; }

StringRef gpuopt::passOf(RemarkCode code) { return textOf(code).pass; }

std::optional<RemarkCode> gpuopt::parseRemarkCode(StringRef name) {
  const auto *found = llvm::find_if(
      kTexts, [&](const RemarkText &text) { return text.name == name; });
  if (found == std::end(kTexts))
    return std::nullopt;
  return found->code;
}

std::string gpuopt::fillIn(StringRef sentence, ArrayRef<RemarkValue> values) {
  std::string text;
  while (sentence.contains('{')) {
    auto [before, place] = sentence.split('{');
    auto [name, behind] = place.split('}');
    text += before;
    for (const RemarkValue &value : values)
      if (value.name == name)
        text += value.text;
    sentence = behind;
  }
  return text + sentence.str();
}

/// The key of the argument for the value `name`. No metric has braces.
static std::string keyOf(StringRef name) { return ("{" + name + "}").str(); }

std::optional<StringRef> gpuopt::nameOfValue(StringRef key) {
  if (key.consume_front("{") && key.consume_back("}"))
    return key;
  return std::nullopt;
}

/// Starts a remark by `start`, upstream's function for its kind, with the
/// sentence as its argument `key`.
template <typename Start>
static remark::detail::InFlightRemark
say(Start start, StringRef key, RemarkCode code, Operation *kernel,
    Location loc, ArrayRef<RemarkValue> values) {
  const RemarkText &text = textOf(code);
  auto remark = start(loc, remark::RemarkOpts::name(text.name)
                               .category("gpuopt")
                               .subCategory(text.pass)
                               .function(SymbolTable::getSymbolName(kernel)));
  if (!remark)
    return remark;
  remark << remark::detail::Remark::Arg(key, fillIn(text.sentence, values));
  for (const RemarkValue &value : values)
    remark << remark::detail::Remark::Arg(keyOf(value.name), value.text);
  return remark;
}

remark::detail::InFlightRemark gpuopt::sayPassed(RemarkCode code,
                                                 Operation *kernel,
                                                 Location loc,
                                                 ArrayRef<RemarkValue> values) {
  return say(remark::passed, "Remark", code, kernel, loc, values);
}

remark::detail::InFlightRemark gpuopt::sayMissed(RemarkCode code,
                                                 Operation *kernel,
                                                 Location loc,
                                                 ArrayRef<RemarkValue> values) {
  return say(remark::missed, "Reason", code, kernel, loc, values);
}

remark::detail::InFlightRemark gpuopt::sayFound(RemarkCode code,
                                                Operation *kernel, Location loc,
                                                ArrayRef<RemarkValue> values) {
  return say(remark::analysis, "Remark", code, kernel, loc, values);
}

void gpuopt::sayMissed(RemarkCode code, Operation *kernel,
                       const Refusal &refusal) {
  sayMissed(code, kernel, refusal.location, {{"reason", refusal.reason}});
}
