//===- WriteValues.cpp - random arithmetic --------------------------------===//

#include "test/fuzz/KernelWriter.h"

#include <algorithm>

using namespace gpuopt::fuzz;

using Wide = __int128;

bool gpuopt::fuzz::isVector(const std::string &type) {
  return type.rfind("vector", 0) == 0;
}

bool gpuopt::fuzz::isFloat(const std::string &type) { return type[0] == 'f'; }

unsigned gpuopt::fuzz::bitsOf(const std::string &type) {
  return type == "index" ? 64 : std::stoi(type.substr(1));
}

Range gpuopt::fuzz::rangeOfType(const std::string &type) {
  int64_t high = INT64_MAX >> (64 - bitsOf(type));
  return {-high - 1, high};
}

/// `low` to `high` where `type` holds that; else anything may come out.
static std::pair<Range, bool> fit(Wide low, Wide high,
                                  const std::string &type) {
  Range all = rangeOfType(type);
  if (low < all.low || high > all.high)
    return {all, false};
  return {{static_cast<int64_t>(low), static_cast<int64_t>(high)}, true};
}

Value KernelWriter::constant(const std::string &type, int64_t value) {
  if (isFloat(type))
    return define("arith.constant " + std::to_string(value) + ".5 : " + type,
                  type);
  return define("arith.constant " + std::to_string(value) + " : " + type, type,
                {value, value}, type == "index");
}

std::optional<Value> KernelWriter::inScope(const std::string &type) {
  std::vector<Value> found;
  for (const Value &value : scope)
    if (value.type == type)
      found.push_back(value);
  if (found.empty())
    return std::nullopt;
  // What is new is of more interest.
  return chance(50) ? found.back() : any(found);
}

Value KernelWriter::anyInteger(const std::string &type, unsigned effort) {
  if (effort == 0 || chance(25)) {
    if (std::optional<Value> known = inScope(type); known && chance(80))
      return *known;
    return constant(type, type == "i1" ? number(0, 1) - 0
                                       : number(-2, chance(20) ? 100 : 9));
  }
  switch (number(0, 9)) {
  case 0:
  case 1:
    return castInteger(type, effort - 1);
  case 2:
    if (type == "index")
      return affineInteger();
    return castInteger(type, effort - 1);
  case 3: {
    Value condition = anyCondition(effort - 1);
    Value left = anyInteger(type, effort - 1);
    Value right = anyInteger(type, effort - 1);
    return define("arith.select " + condition.name + ", " + left.name + ", " +
                      right.name + " : " + type,
                  type,
                  {std::min(left.range.low, right.range.low),
                   std::max(left.range.high, right.range.high)});
  }
  case 4:
    for (const View &view : views)
      if (view.element == type && chance(60))
        return load(view);
    [[fallthrough]];
  default:
    return binaryInteger(type, effort - 1);
  }
}

Value KernelWriter::positive(Value value) {
  if (value.range.low > 0)
    return value;
  Value one = constant(value.type, number(1, 7));
  return define(
      "arith.maxsi " + value.name + ", " + one.name + " : " + value.type,
      value.type, {one.range.low, std::max(value.range.high, one.range.high)});
}

Value KernelWriter::shifted(const std::string &type, Value left) {
  Value amount = constant(type, number(0, std::min(bitsOf(type) - 1, 5u)));
  std::string operands = left.name + ", " + amount.name;
  int64_t by = amount.range.low;
  if (chance(30)) {
    Value mask = constant(type, std::min(bitsOf(type) - 1, 3u));
    Value some = anyInteger(type, 1);
    Value bits =
        define("arith.andi " + some.name + ", " + mask.name + " : " + type,
               type, {0, mask.range.high});
    return define("arith." + anyOf({"shli", "shrsi", "shrui"}) + " " +
                      left.name + ", " + bits.name + " : " + type,
                  type, rangeOfType(type));
  }
  switch (number(0, 2)) {
  case 0: {
    auto [range, fits] =
        fit(Wide(left.range.low) << by, Wide(left.range.high) << by, type);
    bool flag = fits && chance(60);
    return define("arith.shli " + operands +
                      (flag ? " overflow<nsw> : " : " : ") + type,
                  type, range);
  }
  case 1:
    return define("arith.shrsi " + operands + " : " + type, type,
                  {left.range.low >> by, left.range.high >> by});
  default:
    return define("arith.shrui " + operands + " : " + type, type,
                  left.range.low >= 0
                      ? Range{left.range.low >> by, left.range.high >> by}
                      : rangeOfType(type));
  }
}

Value KernelWriter::divided(const std::string &type, Value left, Value right) {
  right = positive(right);
  std::string operands = left.name + ", " + right.name + " : " + type;
  auto [low, high] = left.range;
  auto quotients = [&](const char *name) {
    return define(
        name + operands, type,
        {std::min(low / right.range.low, low / right.range.high) - 1,
         std::max(high / right.range.low, high / right.range.high) + 1});
  };
  bool isFull = low == INT64_MIN || high == INT64_MAX;
  if (isFull || bitsOf(type) < 16)
    return define("arith.remui " + operands, type, {0, right.range.high - 1});
  switch (number(0, 6)) {
  case 0:
    return quotients("arith.divsi ");
  case 1:
    return quotients("arith.floordivsi ");
  case 2:
    return quotients("arith.ceildivsi ");
  case 3:
    return define("arith.divui " + operands, type,
                  low >= 0 ? Range{0, high} : rangeOfType(type));
  case 4:
    return define(
        "arith.remsi " + operands, type,
        {low < 0 ? -(right.range.high - 1) : 0, right.range.high - 1});
  default:
    return define("arith.remui " + operands, type, {0, right.range.high - 1});
  }
}

Value KernelWriter::binaryInteger(const std::string &type, unsigned effort) {
  Value left = anyInteger(type, effort);
  if (chance(10))
    return shifted(type, left);
  Value right = anyInteger(type, effort);
  if (chance(15))
    return divided(type, left, right);
  std::string operands = " " + left.name + ", " + right.name;
  auto [a, b] = left.range;
  auto [c, d] = right.range;
  bool areNatural = a >= 0 && c >= 0;
  auto exact = [&](const std::string &name, Wide low, Wide high) {
    auto [range, fits] = fit(low, high, type);
    std::string flags;
    if (fits && chance(60))
      flags = areNatural && low >= 0 && chance(30) ? " overflow<nsw, nuw>"
                                                   : " overflow<nsw>";
    return define("arith." + name + operands + flags + " : " + type, type,
                  range);
  };
  auto plain = [&](const std::string &name, Range range) {
    return define("arith." + name + operands + " : " + type, type, range);
  };
  switch (number(0, 10)) {
  case 0:
  case 1:
  case 2:
    return exact("addi", Wide(a) + c, Wide(b) + d);
  case 3:
    return exact("subi", Wide(a) - d, Wide(b) - c);
  case 4:
  case 5: {
    auto ends = {Wide(a) * c, Wide(a) * d, Wide(b) * c, Wide(b) * d};
    return exact("muli", std::min(ends), std::max(ends));
  }
  case 6:
    return plain("maxsi", {std::max(a, c), std::max(b, d)});
  case 7:
    return plain("minsi", {std::min(a, c), std::min(b, d)});
  case 8:
    return plain("andi", c >= 0   ? Range{0, d}
                         : a >= 0 ? Range{0, b}
                                  : rangeOfType(type));
  case 9:
    return plain(anyOf({"maxui", "minui"}),
                 areNatural ? Range{std::min(a, c), std::max(b, d)}
                            : rangeOfType(type));
  default:
    return plain(anyOf({"ori", "xori"}), rangeOfType(type));
  }
}

Value KernelWriter::castInteger(const std::string &type, unsigned effort) {
  if (type == "index") {
    Value from =
        anyInteger(chance(70) ? "i32" : anyOf({"i8", "i16", "i64"}), effort);
    if (from.range.low >= 0 && chance(30))
      return define("arith.index_castui " + from.name + " : " + from.type +
                        " to index",
                    "index", from.range, isTop());
    return define("arith.index_cast " + from.name + " : " + from.type +
                      " to index",
                  "index", from.range, isTop());
  }
  std::string source =
      chance(50) ? "index" : anyOf({"i8", "i16", "i32", "i64"});
  Value from = anyInteger(source, effort);
  std::string to = from.name + " : " + source + " to " + type;
  Range kept =
      from.range.isWithin(rangeOfType(type)) ? from.range : rangeOfType(type);
  if (source == "index")
    return define("arith.index_cast " + to, type, kept);
  if (source == type)
    return from;
  if (bitsOf(source) > bitsOf(type))
    return define("arith.trunci " + to, type, kept);
  if (from.range.low >= 0 && chance(50))
    return define("arith.extui " + to, type, kept);
  return define("arith.extsi " + to, type, kept);
}

/// A random affine expression over values in scope, and its range.
std::string KernelWriter::affineText(Range &range) {
  std::vector<Value> dims;
  for (const Value &value : scope)
    if (value.isDim && value.type == "index" && value.range.low > -1000 &&
        value.range.high < 10000)
      dims.push_back(value);
  range = {number(-2, 3), 0};
  range.high = range.low;
  std::string text = std::to_string(range.low);
  for (int64_t terms = dims.empty() ? 0 : number(1, 2); terms > 0; --terms) {
    // Ids and iterators are last, or first.
    Value value = chance(40) ? dims.back()
                  : chance(50)
                      ? dims[number(0, std::min<int64_t>(1, dims.size() - 1))]
                      : any(dims);
    int64_t by = chance(70) ? 1 : number(-1, 4);
    auto [low, high] = value.range;
    std::string term = value.name;
    if (chance(10)) {
      int64_t divisor = number(2, 5);
      bool isMod = chance(50);
      term = "(" + term + (isMod ? " mod " : " floordiv ") +
             std::to_string(divisor) + ")";
      low = isMod ? 0 : low / divisor - 1;
      high = isMod ? divisor - 1 : high / divisor;
    }
    text += " + " + term + " * " + std::to_string(by);
    range.low += by < 0 ? by * high : by * low;
    range.high += by < 0 ? by * low : by * high;
  }
  return text;
}

std::optional<std::string> KernelWriter::affineWithin(Range range,
                                                      unsigned tries) {
  for (; tries > 0; --tries) {
    Range found;
    std::string text = affineText(found);
    if (found.isWithin(range))
      return text;
  }
  return std::nullopt;
}

/// `expression` with the operands of a map in the place of names.
static std::string asMap(const std::string &expression) {
  std::string map, operands;
  std::vector<std::string> names;
  for (size_t i = 0; i < expression.size();) {
    if (expression[i] != '%') {
      map += expression[i++];
      continue;
    }
    size_t end = expression.find_first_not_of(
        "abcdefghijklmnopqrstuvwxyz0123456789_", i + 1);
    std::string name = expression.substr(i, end - i);
    auto known = std::find(names.begin(), names.end(), name);
    map += "d" + std::to_string(known - names.begin());
    if (known == names.end())
      names.push_back(name);
    i = end == std::string::npos ? expression.size() : end;
  }
  std::string dims;
  for (size_t i = 0; i < names.size(); ++i) {
    dims += (i ? ", d" : "d") + std::to_string(i);
    operands += (i ? ", " : "") + names[i];
  }
  return "affine_map<(" + dims + ") -> (" + map + ")>(" + operands + ")";
}

Value KernelWriter::affineInteger() {
  Range range;
  std::string text = affineText(range);
  if (chance(75))
    return define("affine.apply " + asMap(text), "index", range, true);
  Range other;
  std::string both = asMap(text + ", " + affineText(other));
  if (chance(60))
    return define(
        "affine.min " + both, "index",
        {std::min(range.low, other.low), std::min(range.high, other.high)},
        isTop());
  return define(
      "affine.max " + both, "index",
      {std::max(range.low, other.low), std::max(range.high, other.high)},
      isTop());
}

Value KernelWriter::indexWithin(Range range) {
  std::vector<Value> fitting;
  for (const Value &value : scope)
    if (value.type == "index" && value.range.isWithin(range))
      fitting.push_back(value);
  if (!fitting.empty() && chance(50))
    return chance(50) ? fitting.back() : any(fitting);
  Value value = anyInteger("index", 2);
  if (value.range.isWithin(range))
    return value;
  if (range.low == 0 && chance(60)) {
    Value extent = constant("index", range.high + 1);
    return define("arith.remui " + value.name + ", " + extent.name + " : index",
                  "index", range);
  }
  Value low = constant("index", range.low),
        high = constant("index", range.high);
  Value least =
      define("arith.maxsi " + value.name + ", " + low.name + " : index",
             "index", {range.low, std::max(range.low, value.range.high)});
  return define("arith.minsi " + least.name + ", " + high.name + " : index",
                "index", range);
}

Value KernelWriter::anyCondition(unsigned effort) {
  if (effort > 1 && chance(30)) {
    Value left = anyCondition(effort - 1), right = anyCondition(effort - 1);
    return define("arith." + anyOf({"andi", "andi", "ori", "xori"}) + " " +
                      left.name + ", " + right.name + " : i1",
                  "i1", {-1, 0});
  }
  if (effort > 0 && chance(15)) {
    Value left = anyFloat("f32", effort - 1), right = anyFloat("f32", 0);
    return define("arith.cmpf " + anyOf({"olt", "oge", "une", "ueq", "ogt"}) +
                      ", " + left.name + ", " + right.name + " : f32",
                  "i1", {-1, 0});
  }
  std::string type = chance(60) ? "index" : anyOf({"i32", "i8", "i64"});
  Value left = anyInteger(type, effort ? effort - 1 : 0);
  Value right = anyInteger(type, chance(30) && effort ? 1 : 0);
  return define(
      "arith.cmpi " +
          anyOf({"slt", "slt", "sle", "sgt", "sge", "eq", "ne", "ult", "uge"}) +
          ", " + left.name + ", " + right.name + " : " + type,
      "i1", {-1, 0});
}

Value KernelWriter::castFloat(const std::string &type, unsigned effort) {
  if (chance(40)) {
    Value from = anyInteger(anyOf({"i32", "i8", "i64", "i16"}), effort);
    return define(
        "arith.sitofp " + from.name + " : " + from.type + " to " + type, type);
  }
  std::string source = anyOf({"f16", "f32", "f64"});
  Value from = anyFloat(source, effort);
  if (source == type)
    return from;
  return define(
      (bitsOf(source) < bitsOf(type) ? "arith.extf " : "arith.truncf ") +
          from.name + " : " + source + " to " + type,
      type);
}

Value KernelWriter::anyFloat(const std::string &type, unsigned effort) {
  if (effort > 0 && chance(40)) {
    for (const View &view : views)
      if (view.element == type && chance(40))
        return load(view);
  }
  if (effort == 0 || chance(25)) {
    if (std::optional<Value> known = inScope(type); known && chance(85))
      return *known;
    return constant(type, number(-3, 3));
  }
  if (chance(15))
    return castFloat(type, effort - 1);
  return binaryFloat(type, effort - 1);
}

Value KernelWriter::binaryFloat(const std::string &type, unsigned effort) {
  Value left = anyFloat(type, effort);
  if (chance(8))
    return define(anyOf({"arith.negf ", "math.absf ", "math.floor "}) +
                      left.name + " : " + type,
                  type);
  Value right = anyFloat(type, effort);
  if (chance(8)) {
    Value condition = anyCondition(effort);
    return define("arith.select " + condition.name + ", " + left.name + ", " +
                      right.name + " : " + type,
                  type);
  }
  if (chance(6)) {
    Value sum = anyFloat(type, 0);
    return define("math.fma " + left.name + ", " + right.name + ", " +
                      sum.name + " : " + type,
                  type);
  }
  return define("arith." +
                    anyOf({"addf", "addf", "subf", "mulf", "mulf", "maxnumf",
                           "minnumf", "divf"}) +
                    " " + left.name + ", " + right.name + " : " + type,
                type);
}

Value KernelWriter::anyVector(const std::string &type, unsigned effort) {
  for (const View &view : views)
    if (view.element == type && effort > 0 && chance(60))
      return load(view);
  if (std::optional<Value> known = inScope(type); known && chance(60))
    return *known;
  if (effort == 0 || chance(40)) {
    Value element = anyFloat("f32", effort ? 1 : 0);
    return define("vector.broadcast " + element.name + " : f32 to " + type,
                  type);
  }
  Value left = anyVector(type, effort - 1), right = anyVector(type, effort - 1);
  return define("arith." + anyOf({"addf", "mulf", "subf"}) + " " + left.name +
                    ", " + right.name + " : " + type,
                type);
}

Value KernelWriter::anyOfType(const std::string &type, unsigned effort) {
  if (isVector(type))
    return anyVector(type, effort);
  return isFloat(type) ? anyFloat(type, effort) : anyInteger(type, effort);
}
