//===- LaunchRulesJSON.cpp - launch rules as they travel ------------------===//
//
// An expression is an array in postfix order: [3, "s0", "*", 16, "ceildiv"].
//
//===----------------------------------------------------------------------===//

#include "runtime/LaunchRules.h"

#include "llvm/ADT/STLExtras.h"

using namespace gpuopt;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::ObjectMapper;
using llvm::json::Path;
using llvm::json::Value;
using Step = IntegerExpression::Step;

static constexpr std::pair<Step, llvm::StringLiteral> kOperators[] = {
    {Step::Add, "+"},
    {Step::Multiply, "*"},
    {Step::Modulo, "mod"},
    {Step::FloorDivide, "floordiv"},
    {Step::CeilDivide, "ceildiv"}};

namespace gpuopt {

static Value toJSON(const IntegerExpression &expression) {
  Array terms;
  for (const IntegerExpression::Term &term : expression.terms) {
    if (term.step == Step::Constant)
      terms.push_back(term.value);
    else if (term.step == Step::Symbol)
      terms.push_back("s" + std::to_string(term.value));
    else
      for (auto [step, spelling] : kOperators)
        if (step == term.step)
          terms.push_back(spelling);
  }
  return terms;
}

static bool fromJSON(const Value &value, IntegerExpression::Term &term,
                     Path path) {
  if (std::optional<int64_t> constant = value.getAsInteger()) {
    term = {Step::Constant, *constant};
    return true;
  }
  llvm::StringRef text = value.getAsString().value_or("");
  for (auto [step, spelling] : kOperators)
    if (text == spelling) {
      term = {step, 0};
      return true;
    }
  unsigned symbol;
  if (text.consume_front("s") && !text.getAsInteger(10, symbol)) {
    term = {Step::Symbol, symbol};
    return true;
  }
  path.report("expected a number, a symbol or an operator");
  return false;
}

static bool fromJSON(const Value &value, IntegerExpression &expression,
                     Path path) {
  return fromJSON(value, expression.terms, path);
}

static Value toJSON(const ParameterRule &rule) {
  return Object{
      {"name", rule.name},           {"argument", rule.argument},
      {"offset", rule.offset},       {"bytes", rule.bytes},
      {"bits", rule.bits},           {"pointer", rule.isPointer},
      {"value", rule.requiredValue}, {"alignment", rule.alignment},
      {"extents", rule.extents},     {"element_bytes", rule.elementBytes},
      {"compared", rule.isCompared}, {"distinct", rule.mustBeDistinct}};
}

static bool fromJSON(const Value &value, ParameterRule &rule, Path path) {
  ObjectMapper map(value, path);
  return map && map.map("name", rule.name) &&
         map.map("argument", rule.argument) && map.map("offset", rule.offset) &&
         map.map("bytes", rule.bytes) && map.map("bits", rule.bits) &&
         map.map("pointer", rule.isPointer) &&
         map.map("value", rule.requiredValue) &&
         map.map("alignment", rule.alignment) && rule.alignment > 0 &&
         map.map("extents", rule.extents) &&
         map.map("element_bytes", rule.elementBytes) &&
         map.map("compared", rule.isCompared) &&
         map.map("distinct", rule.mustBeDistinct) &&
         (!rule.isCompared || rule.elementBytes > 0);
}

static Value toJSON(const ConditionRule &rule) {
  return Object{{"expression", toJSON(rule.expression)},
                {"equality", rule.isEquality},
                {"text", rule.text}};
}

static bool fromJSON(const Value &value, ConditionRule &rule, Path path) {
  ObjectMapper map(value, path);
  return map && map.map("expression", rule.expression) &&
         map.map("equality", rule.isEquality) && map.map("text", rule.text);
}

static Value toJSON(const GuardRule &rule) {
  return Object{{"end", toJSON(rule.end)},
                {"unsigned", Array(rule.unsignedSymbols)}};
}

static bool fromJSON(const Value &value, GuardRule &rule, Path path) {
  ObjectMapper map(value, path);
  return map && map.map("end", rule.end) &&
         map.map("unsigned", rule.unsignedSymbols);
}

/// Reads one value for each of x, y and z.
template <class T>
static bool mapDimensions(ObjectMapper &map, llvm::StringLiteral name,
                          std::array<T, 3> &out, Path path) {
  std::vector<T> values;
  if (!map.map(name, values))
    return false;
  if (values.size() != out.size()) {
    path.field(name).report("expected three values");
    return false;
  }
  llvm::move(values, out.begin());
  return true;
}

template <class T>
static Value arrayOf(const std::array<T, 3> &values) {
  Array array;
  for (const T &value : values)
    array.push_back(value);
  return array;
}

static Value toJSON(const GeometryRule &rule) {
  return Object{{"block", arrayOf(rule.block)},
                {"items_per_thread", arrayOf(rule.itemsPerThread)},
                {"items_per_block", arrayOf(rule.itemsPerBlock)},
                {"extents", arrayOf(rule.extents)},
                {"guards", arrayOf(rule.guards)},
                {"original_block", arrayOf(rule.originalBlock)},
                {"reads_grid", rule.readsGrid},
                {"dynamic_shared_bytes", rule.dynamicSharedBytes}};
}

static bool fromJSON(const Value &value, GeometryRule &rule, Path path) {
  ObjectMapper map(value, path);
  return map && mapDimensions(map, "block", rule.block, path) &&
         mapDimensions(map, "items_per_thread", rule.itemsPerThread, path) &&
         mapDimensions(map, "items_per_block", rule.itemsPerBlock, path) &&
         mapDimensions(map, "extents", rule.extents, path) &&
         mapDimensions(map, "guards", rule.guards, path) &&
         mapDimensions(map, "original_block", rule.originalBlock, path) &&
         map.map("reads_grid", rule.readsGrid) &&
         map.mapOptional("dynamic_shared_bytes", rule.dynamicSharedBytes);
}

Value toJSON(const LaunchRules &rules) {
  return Object{
      {"symbol", rules.symbol},
      {"fallback", rules.fallback},
      {"parameters", Array(rules.parameters)},
      {"conditions", Array(rules.conditions)},
      {"workgroup_bytes", rules.workgroupBytes},
      {"most_threads",
       rules.mostThreads ? Value(*rules.mostThreads) : Value(nullptr)},
      {"geometry", rules.geometry ? toJSON(*rules.geometry) : Value(nullptr)},
      {"work_items",
       rules.workItems ? arrayOf(*rules.workItems) : Value(nullptr)}};
}

static bool mapWorkItems(ObjectMapper &map, LaunchRules &rules, Path path) {
  std::optional<std::vector<IntegerExpression>> items;
  if (!map.map("work_items", items))
    return false;
  if (!items)
    return true;
  rules.workItems.emplace();
  return mapDimensions(map, "work_items", *rules.workItems, path);
}

bool fromJSON(const Value &value, LaunchRules &rules, Path path) {
  ObjectMapper map(value, path);
  return map && map.map("symbol", rules.symbol) &&
         map.map("fallback", rules.fallback) &&
         map.map("parameters", rules.parameters) &&
         map.map("conditions", rules.conditions) &&
         map.mapOptional("workgroup_bytes", rules.workgroupBytes) &&
         map.map("most_threads", rules.mostThreads) &&
         map.map("geometry", rules.geometry) && mapWorkItems(map, rules, path);
}

} // namespace gpuopt
