//===- DeviceOutput.cpp - what kernels print ------------------------------===//

#include "runtime/CPU/DeviceOutput.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Alignment.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

using namespace llvm;
using namespace gpuopt;

namespace {
/// Takes the arguments one after the other.
class ArgumentReader {
public:
  explicit ArgumentReader(const void *begin)
      : begin(static_cast<const char *>(begin)) {}

  template <class T>
  T next() {
    offset = alignTo(offset, sizeof(T));
    T value;
    std::memcpy(&value, begin + offset, sizeof value);
    offset += sizeof value;
    return value;
  }

private:
  const char *begin;
  uint64_t offset = 0;
};
} // namespace

/// `spec`, a conversion of C's, applied to one value.
template <class T>
static std::string formatValue(const std::string &spec, T value) {
  int size = std::snprintf(nullptr, 0, spec.c_str(), value);
  std::string text(std::max(size, 0) + 1, '\0');
  std::snprintf(text.data(), text.size(), spec.c_str(), value);
  text.pop_back();
  return text;
}

/// Takes a conversion from the start of `format`, behind its `%`; its width and
/// precision are written out where the arguments have them.
static std::string takeSpec(StringRef &format, ArgumentReader &arguments) {
  std::string spec = "%";
  while (!format.empty()) {
    char c = format.front();
    format = format.drop_front();
    if (c == '*')
      spec += std::to_string(arguments.next<int>());
    else
      spec += c;
    if (isAlpha(c) && !StringRef("hljztL").contains(c))
      break;
  }
  return spec;
}

static std::string formatNext(const std::string &spec,
                              ArgumentReader &arguments) {
  char conversion = spec.back();
  bool isLong = StringRef(spec).find_first_of("ljzt") != StringRef::npos;
  if (StringRef("diouxX").contains(conversion) && isLong)
    return formatValue(spec, arguments.next<long long>());
  if (StringRef("diouxXc").contains(conversion))
    return formatValue(spec, arguments.next<int>());
  if (StringRef("fFeEgGaA").contains(conversion))
    return formatValue(spec, arguments.next<double>());
  if (conversion == 's')
    return formatValue(spec, arguments.next<const char *>());
  if (conversion == 'p')
    return formatValue(spec, arguments.next<void *>());
  // Nothing that C knows: as it stands.
  return spec;
}

std::string runtime::formatOutput(const char *format, const void *arguments) {
  ArgumentReader reader(arguments);
  StringRef rest = format;
  std::string text;
  while (!rest.empty()) {
    auto [plain, behind] = rest.split('%');
    text += plain;
    if (plain.size() == rest.size())
      break;
    rest = behind;
    if (rest.consume_front("%"))
      text += '%';
    else
      text += formatNext(takeSpec(rest, reader), reader);
  }
  return text;
}

int runtime::printOutput(const char *format, const void *arguments) {
  std::string text = formatOutput(format, arguments);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return static_cast<int>(text.size());
}

void runtime::printError(const std::string &text) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", text.c_str());
}
