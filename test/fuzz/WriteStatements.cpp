//===- WriteStatements.cpp - random control flow --------------------------===//

#include "test/fuzz/KernelWriter.h"

#include <algorithm>

using namespace gpuopt::fuzz;

std::string KernelWriter::accumulatorType() {
  return anyOf({"f32", "f32", "f32", "f64", "i32", "index", "f16"});
}

static Range rangeOf(const std::string &type) {
  return isFloat(type) ? Range() : rangeOfType(type);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// What `value predicate bound` says of `value`, where it holds.
static Range refine(Range value, Range bound, const std::string &predicate) {
  Range refined = value;
  if (predicate == "slt" || (predicate == "ult" && bound.low >= 0))
    refined.high = std::min(value.high, bound.high - 1);
  if (predicate == "ult" && bound.low >= 0)
    refined.low = std::max<int64_t>(value.low, 0);
  if (predicate == "sle")
    refined.high = std::min(value.high, bound.high);
  if (predicate == "sge")
    refined.low = std::max(value.low, bound.low);
  if (predicate == "sgt")
    refined.low = std::max(value.low, bound.low + 1);
  // Code that nobody reaches may compute anything.
  return refined.low > refined.high ? value : refined;
}

/// An `scf.if` over a comparison of an index in scope with another integer.
void KernelWriter::guardedBranch() {
  std::vector<Value> candidates;
  for (const Value &value : scope)
    if (value.type == "index" && value.range.low > -1000 &&
        value.range.high < 10000)
      candidates.push_back(value);
  if (candidates.empty())
    return;
  Value value = any(candidates);
  Value bound = chance(50) ? constant("index", number(0, 20)) : any(candidates);
  std::string predicate = anyOf({"slt", "slt", "sle", "sgt", "sge", "ult"});
  Value condition = define("arith.cmpi " + predicate + ", " + value.name +
                               ", " + bound.name + " : index",
                           "i1", {-1, 0});
  if (chance(30)) {
    Value other = anyCondition(1);
    condition =
        define("arith.andi " + condition.name + ", " + other.name + " : i1",
               "i1", {-1, 0});
  }
  line("scf.if " + condition.name + " {");
  nested(false, [&] {
    Value refined = value;
    refined.range = refine(value.range, bound.range, predicate);
    scope.push_back(refined);
    body(number(1, 3));
  });
  line("}");
}

/// An `affine.if` over an index that affine operations take.
void KernelWriter::affineBranch() {
  std::vector<Value> candidates;
  for (const Value &value : scope)
    if (value.isDim && value.range.isWithin({-1000, 10000}))
      candidates.push_back(value);
  if (candidates.empty())
    return;
  Value value = any(candidates);
  int64_t bound = number(0, 20);
  bool isUpper = chance(60);
  std::string end = std::to_string(bound);
  line("affine.if affine_set<(d0) : (" +
       (isUpper ? "-d0 + " + end : "d0 - " + end) + " >= 0)>(" + value.name +
       ") {");
  nested(false, [&] {
    Value refined = value;
    refined.range =
        refine(value.range, {bound, bound}, isUpper ? "sle" : "sge");
    scope.push_back(refined);
    body(number(1, 3));
  });
  if (chance(20)) {
    line("} else {");
    nested(false, [&] { body(1); });
  }
  line("}");
}

/// An `scf.if` over anything, with or without a result.
void KernelWriter::branch() {
  Value condition = anyCondition(2);
  bool hasResult = chance(50);
  std::string type = accumulatorType(), name = fresh();
  line((hasResult ? name + " = " : "") + "scf.if " + condition.name +
       (hasResult ? " -> (" + type + ") {" : " {"));
  auto part = [&] {
    nested(false, [&] {
      body(number(hasResult ? 0 : 1, 2));
      if (hasResult)
        line("scf.yield " + anyOfType(type, 2).name + " : " + type);
    });
  };
  part();
  if (hasResult || chance(30)) {
    line("} else {");
    part();
  }
  line("}");
  if (hasResult)
    scope.push_back({name, type, rangeOf(type), false});
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void KernelWriter::affineLoop() {
  std::string type = accumulatorType(), name = fresh();
  bool carries = chance(60);
  Value init = anyOfType(type, 1);
  int64_t low = chance(70) ? 0 : number(-1, 2),
          step = chance(75) ? 1 : number(2, 3);
  int64_t high = number(1, 7);
  std::string upper = std::to_string(high);
  if (chance(50) && sizeValues[2].isDim) {
    upper = sizeValues[2].name;
    high = sizes[2];
  } else if (chance(15)) {
    // A bound that differs among the work items.
    Range range;
    std::string text = affineText(range);
    Value bound = define("arith.constant " + std::to_string(high) + " : index",
                         "index", {high, high}, true);
    if (range.isWithin({-20, 12})) {
      Value other = indexWithin({-20, 12});
      if (other.isDim) {
        upper = "min affine_map<(d0, d1) -> (d0, d1)>(" + other.name + ", " +
                bound.name + ")";
        high = std::min(high, other.range.high);
      }
    }
  }
  std::string iterator = fresh("i"), carried = fresh("s");
  line((carries ? name + " = " : "") + "affine.for " + iterator + " = " +
       std::to_string(low) + " to " + upper +
       (step > 1 ? " step " + std::to_string(step) : "") +
       (carries ? " iter_args(" + carried + " = " + init.name + ") -> (" +
                      type + ") {"
                : " {"));
  bool isUniform = upper.rfind("min", 0) != 0;
  nested(isUniform, [&] {
    scope.push_back({iterator, "index", {low, std::max(low, high - 1)}, true});
    if (carries)
      scope.push_back({carried, type, rangeOf(type), false});
    body(number(0, 3));
    if (carries)
      line("affine.yield " + anyOfType(type, 3).name + " : " + type);
  });
  line("}");
  if (carries)
    scope.push_back({name, type, rangeOf(type), false});
}

void KernelWriter::countedLoop() {
  std::string type = chance(70) ? "index" : "i32";
  std::string of = accumulatorType(), name = fresh();
  Value init = anyOfType(of, 1);
  Value low = constant(type, number(-1, 3));
  Value high = anyInteger(type, 1);
  if (high.range.high > 12) {
    Value most = constant(type, number(1, 12));
    high = define("arith.minsi " + high.name + ", " + most.name + " : " + type,
                  type,
                  {std::min(high.range.low, most.range.low), most.range.high});
  }
  Value step = constant(type, number(1, 3));
  if (chance(30))
    step = positive(anyInteger(type, 1));
  std::string iterator = fresh("i"), carried = fresh("s");
  line(name + " = scf.for " + iterator + " = " + low.name + " to " + high.name +
       " step " + step.name + " iter_args(" + carried + " = " + init.name +
       ") -> (" + of + ")" + (type == "index" ? " {" : " : " + type + " {"));
  nested(false, [&] {
    scope.push_back(
        {iterator,
         type,
         {low.range.low, std::max(low.range.low, high.range.high - 1)},
         false});
    scope.push_back({carried, of, rangeOf(of), false});
    body(number(0, 3));
    line("scf.yield " + anyOfType(of, 3).name + " : " + of);
  });
  line("}");
  scope.push_back({name, of, rangeOf(of), false});
}

/// `while (i < bound && …) i += step`, of any integer type.
void KernelWriter::whileLoop() {
  std::string type = anyOf({"index", "i32", "i64", "i16"});
  std::string of = accumulatorType(), name = fresh();
  Value init = anyOfType(of, 1), low = constant(type, number(-2, 2));
  int64_t end = number(1, 9), by = number(1, 3);
  Value bound = constant(type, end), step = constant(type, by);
  std::string i = fresh("i"), s = fresh("s"), more = fresh();
  std::string types = type + ", " + of;
  line(name + ":2 = scf.while (" + i + " = " + low.name + ", " + s + " = " +
       init.name + ") : (" + types + ") -> (" + types + ") {");
  nested(false, [&] {
    scope.push_back({i, type, {low.range.low, end - 1 + by}, false});
    scope.push_back({s, of, rangeOf(of), false});
    line(more + " = arith.cmpi slt, " + i + ", " + bound.name + " : " + type);
    if (chance(30)) {
      Value other = anyCondition(2);
      std::string both = fresh();
      line(both + " = arith.andi " + more + ", " + other.name + " : i1");
      more = both;
    }
    line("scf.condition(" + more + ") " + i + ", " + s + " : " + types);
  });
  line("} do {");
  i = fresh("i"), s = fresh("s");
  line("^bb0(" + i + ": " + type + ", " + s + ": " + of + "):");
  nested(false, [&] {
    scope.push_back({i, type, {low.range.low, end - 1}, false});
    scope.push_back({s, of, rangeOf(of), false});
    body(number(0, 2));
    std::string next = fresh();
    line(next + " = arith.addi " + i + ", " + step.name +
         (chance(60) ? " overflow<nsw> : " : " : ") + type);
    line("scf.yield " + next + ", " + anyOfType(of, 3).name + " : " + types);
  });
  line("}");
  scope.push_back({name + "#1", of, rangeOf(of), false});
}

/// `for (s = …; s > 0; s >>= 1)`.
void KernelWriter::halvingLoop() {
  std::string of = accumulatorType(), name = fresh();
  Value init = anyOfType(of, 1);
  int64_t first = number(1, 40);
  Value start = constant("i32", first), zero = constant("i32", 0),
        one = constant("i32", 1);
  std::string i = fresh("i"), s = fresh("s"), more = fresh();
  std::string types = "i32, " + of;
  line(name + ":2 = scf.while (" + i + " = " + start.name + ", " + s + " = " +
       init.name + ") : (" + types + ") -> (" + types + ") {");
  line(more + " = arith.cmpi " + anyOf({"sgt", "ne", "ugt"}) + ", " + i + ", " +
       zero.name + " : i32");
  line("scf.condition(" + more + ") " + i + ", " + s + " : " + types);
  line("} do {");
  i = fresh("i"), s = fresh("s");
  line("^bb0(" + i + ": i32, " + s + ": " + of + "):");
  nested(true, [&] {
    scope.push_back({i, "i32", {1, first}, false});
    scope.push_back({s, of, rangeOf(of), false});
    body(number(0, 2));
    std::string next = fresh();
    line(next + " = arith." + anyOf({"shrsi", "shrui"}) + " " + i + ", " +
         one.name + " : i32");
    line("scf.yield " + next + ", " + anyOfType(of, 3).name + " : " + types);
  });
  line("}");
  scope.push_back({name + "#1", of, rangeOf(of), false});
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void KernelWriter::statement() {
  if (isConvergent && usesThreads && chance(30))
    return chance(70) ? workgroupPhase() : shuffle();
  bool mayNest = depth < 4 && budget > 0;
  switch (mayNest ? number(0, 15) : number(0, 4)) {
  case 0:
  case 1:
  case 13:
    return storeOwn(any(outputs));
  case 2:
    return loadOwn(any(outputs));
  case 3:
    anyOfType(any(outputs).view.element, 3);
    return;
  case 4:
    return atomic();
  case 5:
  case 6:
  case 7:
  case 14:
    return affineLoop();
  case 8:
    return countedLoop();
  case 9:
    return whileLoop();
  case 10:
    return halvingLoop();
  case 11:
    return branch();
  case 12:
    return affineBranch();
  default:
    return guardedBranch();
  }
}

void KernelWriter::body(unsigned statements) {
  for (; statements > 0 && budget > 0; --statements) {
    --budget;
    statement();
  }
}
