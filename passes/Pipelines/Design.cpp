//===- Design.cpp - one point of the space of designs ---------------------===//

#include "passes/Pipelines/Design.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuopt;

namespace {
/// A choice that is a list along x, y, z, or a number.
struct ListChoice {
  llvm::StringRef name;
  std::vector<int64_t> Design::*value;
};
struct NumberChoice {
  llvm::StringRef name;
  int64_t Design::*value;
};
} // namespace

static constexpr ListChoice kLists[] = {{"block", &Design::block},
                                        {"blocks", &Design::blocks},
                                        {"threads", &Design::threads},
                                        {"contiguous", &Design::contiguous}};
static constexpr NumberChoice kNumbers[] = {
    {"stages", &Design::stages}, {"width", &Design::width},
    {"group", &Design::group},   {"resident", &Design::resident},
    {"share", &Design::share},   {"turns", &Design::turns}};

std::string Design::toString() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator space(" ");
  if (!fastest.empty())
    os << space << "fastest=" << fastest;
  for (const ListChoice &choice : kLists)
    if (const std::vector<int64_t> &list = this->*choice.value; !list.empty()) {
      os << space << choice.name << '=';
      llvm::interleave(list, os, ",");
    }
  for (const NumberChoice &choice : kNumbers)
    if (this->*choice.value != 0)
      os << space << choice.name << '=' << this->*choice.value;
  return text;
}

llvm::Expected<Design> Design::parse(llvm::StringRef text) {
  Design design;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    auto [name, value] = part.split('=');
    if (name == "fastest") {
      if (value != "x" && value != "y" && value != "z")
        return llvm::createStringError("'fastest' takes x, y or z, found '" +
                                       value + "'");
      design.fastest = value.str();
      continue;
    }
    auto isIt = [&](const auto &choice) { return choice.name == name; };
    const auto *list = llvm::find_if(kLists, isIt);
    const auto *number = llvm::find_if(kNumbers, isIt);
    bool isList = list != std::end(kLists);
    if (!isList && number == std::end(kNumbers))
      return llvm::createStringError(
          "unknown choice '" + name +
          "' of a design; expected fastest, block, blocks, threads, "
          "contiguous, stages, width, group, resident, share or turns");
    llvm::SmallVector<llvm::StringRef> values;
    value.split(values, ',');
    std::vector<int64_t> numbers(values.size());
    bool isValid = values.size() <= (isList ? 3 : 1);
    for (auto [digits, parsed] : llvm::zip(values, numbers))
      isValid &= !digits.getAsInteger(10, parsed) && parsed > 0;
    if (isValid && name == "share" && !llvm::isPowerOf2_64(numbers.front()))
      return llvm::createStringError("'share' takes a power of two, found '" +
                                     value + "'");
    if (!isValid)
      return llvm::createStringError("'" + name + "' takes " +
                                     (isList
                                          ? "up to three positive numbers X,Y,Z"
                                          : "a positive number") +
                                     ", found '" + value + "'");
    if (isList)
      design.*list->value = std::move(numbers);
    else
      design.*number->value = numbers.front();
  }
  return design;
}
