//===- SearchReport.cpp - what a search found, as a table and as JSON -----===//

#include "tools/search/Search.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace gpuopt;
using namespace llvm;

static json::Array toArray(const Dim3 &dim) {
  return json::Array{dim[0], dim[1], dim[2]};
}

/// Null where there is no finite number.
static json::Value toValue(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

static json::Value toValue(std::optional<double> value) {
  return value ? toValue(*value) : json::Value(nullptr);
}

static json::Object toObject(const Variant &variant) {
  json::Object object{
      {"design", variant.design.toString()},
      {"verdict", stringify(variant.verdict)},
      {"reason", variant.reason},
      {"block", toArray(variant.block)},
      {"items_per_thread", toArray(variant.itemsPerThread)},
      {"items_per_block", toArray(variant.itemsPerBlock)},
      {"stages", variant.stages},
      {"widest_access_bytes", variant.widestAccess},
      {"shared_bytes", variant.workgroupBytes},
      {"bank_conflict_degree", variant.bankConflictDegree},
      {"sectors_per_item", variant.sectorsPerItem},
      {"registers", nullptr},
      {"spill_bytes", nullptr},
      {"blocks_per_sm", variant.blocksPerMultiprocessor},
      {"occupancy", variant.occupancy},
      {"measured_by", variant.measuredBy},
      {"multiply_add_share", toValue(variant.multiplyAddShare)},
      {"predicted_seconds", toValue(variant.prediction.seconds)},
      {"measured_seconds", toValue(variant.measuredSeconds)}};
  if (!variant.measuredBy.empty())
    object["registers"] = variant.registers;
  if (variant.measuredBy == "ptxas" || variant.measuredBy == "llvm")
    object["spill_bytes"] = variant.spillBytes;
  const Prediction &prediction = variant.prediction;
  object["prediction"] =
      json::Object{{"limit", prediction.limit},
                   {"issue_cycles", toValue(prediction.issueCycles)},
                   {"shared_cycles", toValue(prediction.sharedCycles)},
                   {"global_cycles", toValue(prediction.globalCycles)},
                   {"path_cycles", toValue(prediction.pathCycles)},
                   {"rounds", prediction.rounds},
                   {"dram_bytes", toValue(prediction.dramBytes)}};
  return object;
}

json::Array gpuopt::toJSON(const SearchResult &result) {
  json::Array variants;
  for (const Variant &variant : result.variants)
    variants.push_back(toObject(variant));
  return variants;
}

//===----------------------------------------------------------------------===//
// The cache's form
//===----------------------------------------------------------------------===//

std::string gpuopt::serialize(const SearchResult &result) {
  return formatv("{0}", json::Value(json::Object{
                            {"items", toArray(result.items)},
                            {"assumptions", json::Array(result.assumptions)},
                            {"space", result.spaceSize},
                            {"reason", result.reason},
                            {"variants", toJSON(result)}}))
      .str();
}

static bool readShape(const json::Value &value, Dim3 &dim, json::Path path) {
  std::vector<int64_t> values;
  if (!json::fromJSON(value, values, path) || values.size() != 3)
    return false;
  llvm::copy(values, dim.begin());
  return true;
}

/// Null stands for infinity where `value` is a prediction.
static bool readNumber(const json::Value &value, double &number) {
  number =
      value.getAsNumber().value_or(std::numeric_limits<double>::infinity());
  return true;
}

/// One of a fixed set of words, which outlives what was read.
template <typename Word>
static bool readWord(StringRef text, ArrayRef<Word> words,
                     function_ref<StringRef(Word)> spell, Word &word) {
  for (Word candidate : words)
    if (spell(candidate) == text) {
      word = candidate;
      return true;
    }
  return false;
}

static bool readPrediction(const json::Object &object, Prediction &prediction) {
  static constexpr StringRef limits[] = {
      "issue", "workgroup memory", "L2", "latency", "DRAM", "occupancy", ""};
  auto number = [&](StringRef name, double &value) {
    const json::Value *found = object.get(name);
    return found && readNumber(*found, value);
  };
  std::optional<StringRef> limit = object.getString("limit");
  std::optional<int64_t> rounds = object.getInteger("rounds");
  prediction.rounds = rounds.value_or(0);
  return limit && rounds &&
         readWord<StringRef>(
             *limit, limits, [](StringRef word) { return word; },
             prediction.limit) &&
         number("issue_cycles", prediction.issueCycles) &&
         number("shared_cycles", prediction.sharedCycles) &&
         number("global_cycles", prediction.globalCycles) &&
         number("path_cycles", prediction.pathCycles) &&
         number("dram_bytes", prediction.dramBytes);
}

static bool readVariant(const json::Value &value, Variant &variant,
                        json::Path path) {
  static constexpr VariantVerdict verdicts[] = {
      VariantVerdict::Chosen, VariantVerdict::Legal, VariantVerdict::Slower,
      VariantVerdict::Dropped};
  const json::Object *object = value.getAsObject();
  json::ObjectMapper map(value, path);
  std::string design, verdict;
  std::optional<int64_t> registers, spillBytes;
  if (!map || !map.map("design", design) || !map.map("verdict", verdict) ||
      !map.map("reason", variant.reason) ||
      !map.map("stages", variant.stages) ||
      !map.map("widest_access_bytes", variant.widestAccess) ||
      !map.map("shared_bytes", variant.workgroupBytes) ||
      !map.map("bank_conflict_degree", variant.bankConflictDegree) ||
      !map.map("registers", registers) || !map.map("spill_bytes", spillBytes) ||
      !map.map("blocks_per_sm", variant.blocksPerMultiprocessor) ||
      !map.map("measured_by", variant.measuredBy) ||
      !map.map("multiply_add_share", variant.multiplyAddShare) ||
      !map.map("measured_seconds", variant.measuredSeconds))
    return false;
  variant.registers = registers.value_or(0);
  variant.spillBytes = spillBytes.value_or(0);
  auto shape = [&](StringRef name, Dim3 &dim) {
    const json::Value *found = object->get(name);
    return found && readShape(*found, dim, path);
  };
  auto number = [&](StringRef name, double &result) {
    const json::Value *found = object->get(name);
    return found && readNumber(*found, result);
  };
  const json::Object *prediction = object->getObject("prediction");
  if (!shape("block", variant.block) ||
      !shape("items_per_thread", variant.itemsPerThread) ||
      !shape("items_per_block", variant.itemsPerBlock) ||
      !number("sectors_per_item", variant.sectorsPerItem) ||
      !number("occupancy", variant.occupancy) ||
      !number("predicted_seconds", variant.prediction.seconds) || !prediction ||
      !readPrediction(*prediction, variant.prediction) ||
      !readWord<VariantVerdict>(verdict, verdicts, stringify, variant.verdict))
    return false;
  Expected<Design> parsed = Design::parse(design);
  if (!parsed) {
    consumeError(parsed.takeError());
    return false;
  }
  variant.design = std::move(*parsed);
  return true;
}

std::optional<SearchResult> gpuopt::deserialize(StringRef text) {
  Expected<json::Value> value = json::parse(text);
  if (!value) {
    consumeError(value.takeError());
    return std::nullopt;
  }
  SearchResult result;
  json::Path::Root root("search");
  json::ObjectMapper map(*value, root);
  const json::Value *items =
      value->getAsObject() ? value->getAsObject()->get("items") : nullptr;
  const json::Array *variants = value->getAsObject()
                                    ? value->getAsObject()->getArray("variants")
                                    : nullptr;
  if (!map || !items || !variants || !readShape(*items, result.items, root) ||
      !map.map("assumptions", result.assumptions) ||
      !map.map("space", result.spaceSize) || !map.map("reason", result.reason))
    return std::nullopt;
  for (const json::Value &entry : *variants)
    if (!readVariant(entry, result.variants.emplace_back(), root))
      return std::nullopt;
  result.isFromCache = true;
  return result;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// "16x16".
static std::string shapeOf(const Dim3 &dim) {
  std::string text = std::to_string(dim[0]) + "x" + std::to_string(dim[1]);
  return dim[2] > 1 ? text + "x" + std::to_string(dim[2]) : text;
}

/// "168", "~61" for an estimate, "168+28" with 28 bytes spilled.
static std::string registersOf(const Variant &variant) {
  if (variant.measuredBy.empty())
    return "?";
  std::string text = variant.measuredBy == "estimate" ? "~" : "";
  text += std::to_string(variant.registers);
  if (variant.spillBytes)
    text += "+" + std::to_string(variant.spillBytes);
  return text;
}

/// "1.23 ms".
static std::string timeOf(double seconds) {
  if (!std::isfinite(seconds) || seconds == 0)
    return "-";
  if (seconds < 1e-3)
    return formatv("{0:f1} us", seconds * 1e6);
  return formatv("{0:f2} ms", seconds * 1e3);
}

static void printRow(const Variant &variant, size_t number, double best,
                     raw_ostream &os) {
  std::string design = variant.design.toString();
  os << formatv("{0,3} {1,-8} ", number, stringify(variant.verdict));
  bool isMade = variant.itemsPerBlock[0] > 0 && variant.sectorsPerItem > 0;
  if (isMade) {
    os << formatv("{0,-8} {1,-6} {2,3} {3,4} {4,7} {5,6} {6,3} {7,8:f3} {8,9} ",
                  shapeOf(variant.block), shapeOf(variant.itemsPerThread),
                  variant.stages, variant.widestAccess, registersOf(variant),
                  variant.workgroupBytes, variant.blocksPerMultiprocessor,
                  variant.sectorsPerItem, timeOf(variant.seconds()));
    if (best > 0 && std::isfinite(variant.seconds()))
      os << formatv("{0,6:f2} ", variant.seconds() / best);
    else
      os << formatv("{0,6} ", "-");
    os << formatv("{0,-16} ", variant.prediction.limit);
  } else {
    os << formatv("{0,81}", "");
  }
  os << (design.empty() ? "(the passes' own choices)" : design);
  if (!variant.reason.empty())
    os << ": " << variant.reason;
  os << '\n';
}

void gpuopt::printTable(const SearchResult &result, const KernelInfo &kernel,
                        TargetAttr target, raw_ostream &os) {
  os << kernel.displayName << " (" << kernel.position.file << ':'
     << kernel.position.line << ") for " << target.getTargetName() << ", "
     << shapeOf(result.items) << " work items";
  for (auto [index, note] : enumerate(result.assumptions))
    os << (index ? ", " : " (assumed: ") << note;
  os << (result.assumptions.empty() ? "\n" : ")\n");
  if (!result.reason.empty()) {
    os << "  nothing to search: " << result.reason << '\n';
    return;
  }
  const Variant *chosen = result.chosen();
  double best = chosen ? chosen->seconds() : 0;
  bool isMeasured = chosen && chosen->measuredSeconds;
  os << result.variants.size() << " variants made, of a space of "
     << result.spaceSize << " merges"
     << (result.isPartial ? "; the time was up, so not all were tried" : "")
     << '\n';
  os << formatv("{0,3} {1,-8} {2,-8} {3,-6} {4,3} {5,4} {6,7} {7,6} {8,3} "
                "{9,8} {10,9} {11,6} {12,-16} {13}\n",
                "#", "verdict", "block", "items", "st", "wide", "regs",
                "shared", "b/m", "sec/item",
                isMeasured ? "measured" : "predicted", "rel", "limit",
                "design: remark");
  for (auto [index, variant] : enumerate(result.variants))
    printRow(variant, index + 1, best, os);
}
