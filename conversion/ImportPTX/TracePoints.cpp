//===- TracePoints.cpp - what instrumented PTX records --------------------===//

#include "conversion/ImportPTX/TracePoints.h"

#include "conversion/PTX/InstructionTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace gpuopt::ptx;

static std::optional<TracePoint::Kind> kindOf(const SourceInstruction &source) {
  return StringSwitch<std::optional<TracePoint::Kind>>(source.words.front())
      .Cases({"ld", "ldu"}, TracePoint::Kind::Load)
      .Case("st", TracePoint::Kind::Store)
      .Cases({"atom", "red"}, TracePoint::Kind::Atomic)
      .Cases({"bar", "barrier"}, TracePoint::Kind::Barrier)
      .Default(std::nullopt);
}

/// The first operand in brackets.
static const Operand *findAddress(const SourceInstruction &instruction) {
  for (const Operand &operand : instruction.operands)
    if (operand.kind == Operand::Kind::Address && operand.parts.size() == 1)
      return &operand;
  return nullptr;
}

static std::optional<TracePoint>
describePoint(const SourceInstruction &instruction) {
  std::optional<TracePoint::Kind> kind = kindOf(instruction);
  std::optional<Match> match = kind ? findRule(instruction) : std::nullopt;
  if (!match)
    return std::nullopt;
  TracePoint point;
  point.kind = *kind;
  point.instruction = &instruction;
  if (*kind == TracePoint::Kind::Barrier)
    return match->has("warp") ? std::nullopt : std::optional(point);
  if (match->has("local") || match->has("const") ||
      !match->startingWith("param").empty())
    return std::nullopt;
  point.address = findAddress(instruction);
  point.isWorkgroup = !match->startingWith("shared").empty();
  point.isGeneric = !point.isWorkgroup && !match->has("global");
  point.elementBytes = match->types.front().bits / 8;
  point.bytes = match->vectorLength() * point.elementBytes;
  return point.address ? std::optional(point) : std::nullopt;
}

std::vector<TracePoint> gpuopt::ptx::tracePoints(const SourceModule &module,
                                                 const SourceFunction &kernel,
                                                 StringRef path) {
  std::vector<TracePoint> points;
  std::string line;
  for (const Statement &statement : kernel.body) {
    if (auto *location = std::get_if<Location>(&statement)) {
      auto file = module.files.find(location->file);
      line = location->line && file != module.files.end()
                 ? file->second + ":" + utostr(location->line) + ":" +
                       utostr(location->column)
                 : "";
    }
    auto *instruction = std::get_if<SourceInstruction>(&statement);
    std::optional<TracePoint> point =
        instruction ? describePoint(*instruction) : std::nullopt;
    if (!point)
      continue;
    point->location = line.empty() ? (path + ":" + Twine(instruction->at.line) +
                                      ":" + Twine(instruction->at.column))
                                         .str()
                                   : line;
    points.push_back(std::move(*point));
  }
  return points;
}

std::vector<unsigned>
gpuopt::ptx::wideParameters(const SourceFunction &kernel) {
  std::vector<unsigned> numbers;
  for (auto [index, parameter] : enumerate(kernel.parameters))
    if (!parameter.isArray() && parameter.type.bits == 64 &&
        numbers.size() < trace::mostParameters)
      numbers.push_back(index);
  return numbers;
}

uint64_t gpuopt::ptx::identityOf(StringRef text, const SourceFunction &kernel) {
  return xxh3_64bits(text) ^ xxh3_64bits(kernel.name);
}
