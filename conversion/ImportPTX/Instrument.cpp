//===- Instrument.cpp - PTX that records its accesses ---------------------===//
//
// The text stays as it is, with pieces put in between: a function behind the
// head of the module, one more parameter and a few instructions at the begin of
// a kernel, and a call in front of each instruction that is recorded, with its
// guard.
//
//===----------------------------------------------------------------------===//

#include "conversion/ImportPTX/TracePoints.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace llvm;
using namespace gpuopt::ptx;

/// Appends a record. `%point` has the number of the point, and bit 31 where the
/// address is one of workgroup memory.
static constexpr StringLiteral recordFunction = R"(
.func gpuopt_record(.reg .b64 %buffer, .reg .b64 %address, .reg .b32 %point)
{
  .reg .pred %full;
  .reg .b32 %thread, %block, %extent, %id;
  .reg .b64 %slot, %room, %wide;
  atom.global.add.u64 %slot, [%buffer], 1;
  ld.global.u64 %room, [%buffer+8];
  setp.ge.u64 %full, %slot, %room;
  @%full ret;
  mad.lo.u64 %slot, %slot, 24, %buffer;
  mov.u32 %thread, %tid.z;
  mov.u32 %extent, %ntid.y;
  mov.u32 %id, %tid.y;
  mad.lo.u32 %thread, %thread, %extent, %id;
  mov.u32 %extent, %ntid.x;
  mov.u32 %id, %tid.x;
  mad.lo.u32 %thread, %thread, %extent, %id;
  mov.u32 %block, %ctaid.z;
  mov.u32 %extent, %nctaid.y;
  mov.u32 %id, %ctaid.y;
  mad.lo.u32 %block, %block, %extent, %id;
  mov.u32 %extent, %nctaid.x;
  mul.wide.u32 %wide, %block, %extent;
  mov.u32 %id, %ctaid.x;
  cvt.u64.u32 %room, %id;
  add.u64 %wide, %wide, %room;
  st.global.u64 [%slot+512], %address;
  st.global.u32 [%slot+520], %thread;
  st.global.u32 [%slot+524], %point;
  st.global.u64 [%slot+528], %wide;
  ret;
}
)";

namespace {
class Instrumenter {
public:
  Instrumenter(StringRef text, const SourceModule &module)
      : text(text), module(module), tokens(splitTokens(text)) {}

  Error instrument(const SourceFunction &kernel);
  Expected<std::string> finish();

private:
  /// Puts `piece` in front of `place`, which points into the text.
  void insert(const char *place, const std::string &piece) {
    pieces[place - text.begin()] += piece;
  }
  size_t findToken(StringRef word, size_t from) const;
  void begin(const SourceFunction &kernel, size_t brace);
  void record(const TracePoint &point, unsigned number);
  static std::string addressOf(const TracePoint &point);

  StringRef text;
  const SourceModule &module;
  std::vector<Token> tokens;
  /// By the place that they stand in front of.
  std::map<size_t, std::string> pieces;
};
} // namespace

/// The number of the first token that is `word`; that of the last one where
/// there is none.
size_t Instrumenter::findToken(StringRef word, size_t from) const {
  while (from + 1 < tokens.size() && !tokens[from].is(word))
    ++from;
  return from;
}

/// The first thread writes what the host should know of the launch.
void Instrumenter::begin(const SourceFunction &kernel, size_t brace) {
  std::string code;
  raw_string_ostream os(code);
  os << "\n  .reg .b64 %gpuopt_buffer;\n"
        "  ld.param.u64 %gpuopt_buffer, [gpuopt_trace];\n"
        "  cvta.to.global.u64 %gpuopt_buffer, %gpuopt_buffer;\n"
        "  {\n"
        "  .reg .pred %first;\n"
        "  .reg .b32 %id, %sum;\n"
        "  .reg .b64 %value;\n"
        "  mov.u32 %sum, %tid.x;\n";
  for (StringRef id : {"tid.y", "tid.z", "ctaid.x", "ctaid.y", "ctaid.z"})
    os << "  mov.u32 %id, %" << id << ";\n  or.b32 %sum, %sum, %id;\n";
  os << "  setp.eq.u32 %first, %sum, 0;\n";
  auto store = [&](unsigned word) {
    os << "  @%first st.global.u64 [%gpuopt_buffer+" << word * trace::wordBytes
       << "], %value;\n";
  };
  for (auto [name, first] :
       {std::pair("nctaid", trace::gridWord), {"ntid", trace::blockWord}})
    for (unsigned dim = 0; dim < 3; ++dim) {
      os << "  mov.u32 %id, %" << name << '.' << "xyz"[dim]
         << ";\n  cvt.u64.u32 %value, %id;\n";
      store(first + dim);
    }
  std::vector<unsigned> wide = wideParameters(kernel);
  os << "  mov.u64 %value, " << wide.size() << ";\n";
  store(trace::parameterWord);
  for (auto [index, number] : enumerate(wide)) {
    os << "  ld.param.u64 %value, [" << kernel.parameters[number].name
       << "];\n";
    store(trace::parameterWord + 1 + index);
  }
  os << "  }";
  insert(tokens[brace].text.end(), code);
}

/// Instructions that put the address into `%address`.
std::string Instrumenter::addressOf(const TracePoint &point) {
  const Operand &base = point.address->parts.front();
  if (base.kind == Operand::Kind::Integer)
    return formatv("mov.u64 %address, {0};", base.number);
  std::string offset =
      base.number ? formatv(" add.s64 %address, %address, {0};", base.number)
                  : std::string();
  // Addresses in workgroup memory may have 32 bits, in a register or where the
  // name of a variable stands.
  if (!point.isWorkgroup)
    return formatv("mov.u64 %address, {0};", base.name).str() + offset;
  if (!base.name.starts_with("%"))
    return formatv("mov.u64 %address, {0};", base.name).str() + offset;
  return formatv("cvt.u64.u32 %address, {0};", base.name).str() + offset;
}

/// `{ … @%p call gpuopt_record, (…); }` in front of the instruction, and of its
/// guard.
void Instrumenter::record(const TracePoint &point, unsigned number) {
  const SourceInstruction &instruction = *point.instruction;
  std::string guard;
  const char *place = instruction.words.front().begin();
  if (!instruction.guard.empty()) {
    guard = formatv("@{0}{1} ", instruction.isGuardNegated ? "!" : "",
                    instruction.guard);
    place = instruction.guard.begin();
    while (*place != '@')
      --place;
  }
  std::string code = "{ .reg .pred %shared; .reg .b64 %address, %window; "
                     ".reg .b32 %point; ";
  unsigned workgroup = 1u << trace::workgroupBit;
  code += formatv("mov.u32 %point, {0}; ",
                  point.isWorkgroup ? number | workgroup : number);
  code += point.address ? addressOf(point) : "mov.u64 %address, 0;";
  if (point.isGeneric)
    code += formatv(" isspacep.shared %shared, %address; "
                    "cvta.to.shared.u64 %window, %address; "
                    "selp.b64 %address, %window, %address, %shared; "
                    "@%shared or.b32 %point, %point, {0};",
                    workgroup);
  code += " " + guard +
          "call gpuopt_record, (%gpuopt_buffer, %address, %point); }\n  ";
  insert(place, code);
}

Error Instrumenter::instrument(const SourceFunction &kernel) {
  auto name = find_if(tokens, [&](const Token &token) {
    return token.text.begin() == kernel.name.begin();
  });
  size_t brace = findToken("{", name - tokens.begin());
  size_t close = findToken(")", name - tokens.begin());
  if (brace + 1 == tokens.size())
    return createStringError("kernel '" + kernel.name + "' has no body");
  if (close < brace)
    insert(tokens[close].text.begin(), kernel.parameters.empty()
                                           ? ".param .u64 gpuopt_trace"
                                           : ", .param .u64 gpuopt_trace");
  else
    insert(tokens[brace].text.begin(), "(.param .u64 gpuopt_trace) ");
  begin(kernel, brace);
  for (auto [number, point] : enumerate(tracePoints(module, kernel, "")))
    record(point, number);
  return Error::success();
}

Expected<std::string> Instrumenter::finish() {
  size_t size = findToken(".address_size", 0);
  if (size + 2 >= tokens.size() || tokens[size + 1].text != "64")
    return createStringError(
        "only PTX with '.address_size 64' is instrumented");
  insert(tokens[size + 1].text.end(), ("\n" + recordFunction).str());
  std::string result;
  size_t done = 0;
  for (const auto &[place, piece] : pieces) {
    result += text.slice(done, place);
    result += piece;
    done = place;
  }
  return result + text.substr(done).str();
}

Expected<std::string>
gpuopt::ptx::instrument(StringRef text, const SourceModule &module,
                        function_ref<bool(const SourceFunction &)> isWanted) {
  Instrumenter instrumenter(text, module);
  for (const SourceFunction &function : module.functions)
    if (function.isKernel && function.isDefined && isWanted(function))
      if (Error error = instrumenter.instrument(function))
        return error;
  return instrumenter.finish();
}
