//===- Instrument.cpp - PTX that records its accesses ---------------------===//
//
// The text stays as it is, with pieces put in between: a function behind the
// head of the module, one more parameter and a few instructions at the begin of
// a kernel, and a call in front of each instruction that is recorded, with its
// guard.
//
//===----------------------------------------------------------------------===//

#include "conversion/ImportPTX/Textures.h"
#include "conversion/ImportPTX/TracePoints.h"
#include "conversion/PTX/ModuleBuilder.h"
#include "conversion/PTX/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace llvm;
using namespace gpuopt::ptx;

/// Appends a record. `%point` has the number of the point, and bit 31 where the
/// address is one of workgroup memory; all ones for what is not recorded. {0}
/// are the bytes of a record, {1} to {4} where its parts are.
static constexpr StringLiteral recordFunction = R"(
.func gpuopt_record(.reg .b64 %buffer, .reg .b64 %address, .reg .b32 %point)
{{
  .reg .pred %skips;
  .reg .b32 %thread, %block, %extent, %id;
  .reg .b64 %slot, %room, %wide;
  setp.eq.s32 %skips, %point, -1;
  @%skips ret;
  atom.global.add.u64 %slot, [%buffer], 1;
  ld.global.u64 %room, [%buffer+{5}];
  setp.ge.u64 %skips, %slot, %room;
  @%skips ret;
  mad.lo.u64 %slot, %slot, {0}, %buffer;
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
  st.global.u64 [%slot+{1}], %address;
  st.global.u32 [%slot+{2}], %thread;
  st.global.u32 [%slot+{3}], %point;
  st.global.u64 [%slot+{4}], %wide;
  ret;
}
)";

static std::string textOfRecordFunction() {
  constexpr unsigned word = trace::wordBytes;
  constexpr unsigned record = trace::recordWord * word;
  return formatv(recordFunction.data(), trace::wordsOfRecord * word, record,
                 record + word, record + word + word / 2, record + 2 * word,
                 trace::roomWord * word);
}

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
  std::string addressOf(const TracePoint &point) const;

  StringRef text;
  const SourceModule &module;
  std::vector<Token> tokens;
  /// Names of the module's and the kernel's that are no registers.
  StringSet<> variables;
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
  os << "  mov.u64 %value, " << identityOf(text, kernel) << "U;\n";
  store(trace::identityWord);
  for (auto [index, number] : enumerate(wide)) {
    os << "  ld.param.u64 %value, [" << kernel.parameters[number].name
       << "];\n";
    store(trace::parameterWord + 1 + index);
  }
  os << "  }";
  insert(tokens[brace].text.end(), code);
}

/// Instructions that put the address into `%gpuopt_address`. Addresses in
/// workgroup memory may have 32 bits where a register has them.
std::string Instrumenter::addressOf(const TracePoint &point) const {
  const Operand &base = point.address->parts.front();
  if (base.kind == Operand::Kind::Integer)
    return formatv("mov.u64 %gpuopt_address, {0};", base.number);
  bool mayBeNarrow = point.isWorkgroup && !variables.contains(base.name);
  std::string code =
      formatv("{0} %gpuopt_address, {1};",
              mayBeNarrow ? "cvt.u64.u32" : "mov.u64", base.name);
  if (base.number)
    code +=
        formatv(" add.s64 %gpuopt_address, %gpuopt_address, {0};", base.number);
  return code;
}

/// What a generic address is one of is known where it is used. One of local
/// memory is not recorded.
static std::string resolveGeneric() {
  return formatv(
      " isspacep.local %gpuopt_is, %gpuopt_address;"
      " selp.b32 %gpuopt_point, -1, %gpuopt_point, %gpuopt_is;"
      " isspacep.shared %gpuopt_is, %gpuopt_address;"
      " cvta.to.shared.u64 %gpuopt_window, %gpuopt_address;"
      " selp.b64 %gpuopt_address, %gpuopt_window, %gpuopt_address, %gpuopt_is;"
      " @%gpuopt_is or.b32 %gpuopt_point, %gpuopt_point, {0};",
      1u << trace::workgroupBit);
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
  unsigned workgroup = 1u << trace::workgroupBit;
  std::string code =
      formatv("{{ .reg .pred %gpuopt_is; .reg .b64 %gpuopt_address, "
              "%gpuopt_window; .reg .b32 %gpuopt_point; "
              "mov.u32 %gpuopt_point, {0}; {1}{2} {3}call gpuopt_record, "
              "(%gpuopt_buffer, %gpuopt_address, %gpuopt_point); }\n  ",
              point.isWorkgroup ? number | workgroup : number,
              point.address ? addressOf(point) : "mov.u64 %gpuopt_address, 0;",
              point.isGeneric ? resolveGeneric() : "", guard);
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
  variables.clear();
  for (const Variable &variable : module.variables)
    variables.insert(variable.name);
  for (const Statement &statement : kernel.body)
    if (auto *variable = std::get_if<Variable>(&statement);
        variable && variable->space != Space::Register)
      variables.insert(variable->name);
  for (auto [number, point] : enumerate(tracePoints(module, kernel, "")))
    record(point, number);
  return Error::success();
}

Expected<std::string> Instrumenter::finish() {
  size_t size = findToken(".address_size", 0);
  if (size + 2 >= tokens.size() || tokens[size + 1].text != "64")
    return createStringError(
        "only PTX with '.address_size 64' is instrumented");
  insert(tokens[size + 1].text.end(), "\n" + textOfRecordFunction());
  std::string result;
  size_t done = 0;
  for (const auto &[place, piece] : pieces) {
    result += text.slice(done, place);
    result += piece;
    done = place;
  }
  return result + text.substr(done).str();
}

std::optional<Problem>
gpuopt::ptx::findWrong(SourceModule module, StringRef path,
                       function_ref<bool(const SourceFunction &)> isWanted) {
  makeTextureParameters(module);
  LLVMContext context;
  llvm::Module target(path, context);
  ModuleBuilder builder(module, path, target);
  Problems problems;
  if (!builder.declareVariables(problems))
    return problems.get().isUnsupported ? std::nullopt : problems.take();
  for (const SourceFunction &function : module.functions)
    if (function.isKernel && function.isDefined && isWanted(function))
      if (std::optional<Problem> problem = builder.define(function);
          problem && !problem->isUnsupported)
        return problem;
  builder.finish();
  return std::nullopt;
}

Expected<std::string>
gpuopt::ptx::instrument(StringRef text, const SourceModule &module,
                        function_ref<bool(const SourceFunction &)> isWanted) {
  if (text.contains("gpuopt_record"))
    return createStringError("it has been instrumented already");
  Instrumenter instrumenter(text, module);
  for (const SourceFunction &function : module.functions)
    if (function.isKernel && function.isDefined && isWanted(function))
      if (Error error = instrumenter.instrument(function))
        return error;
  return instrumenter.finish();
}
