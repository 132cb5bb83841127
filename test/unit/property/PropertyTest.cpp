//===- PropertyTest.cpp - index analyses on random kernels ----------------===//
//
// RapidCheck draws programs and makes counterexamples small; the properties are
// in a file each. This is the only file with exceptions: RapidCheck throws.
//
// RC_PARAMS sets the number of programs and the seed: RC_PARAMS="max_success=
// 100000 seed=7". By default both are fixed, which is what CI wants.
//
//===----------------------------------------------------------------------===//

#include "BuildProgram.h"
#include "Properties.h"

#include "llvm/Support/CommandLine.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <limits>
#include <random>
#include <rapidcheck.h>

namespace gpuopt::property {

/// How RapidCheck shows a counterexample.
static void showValue(const Program &program, std::ostream &os) {
  os << toString(program);
}

namespace {

rc::Gen<Program> programs(ProgramShape shape) {
  return [shape](const rc::Random &random, int) {
    rc::Random source = random;
    return rc::shrinkable::shrinkRecur(
        generate([&] { return source.next(); }, shape),
        [](const Program &program) {
          return rc::seq::fromContainer(program.simplified());
        });
  };
}

using Property = Violation (*)(const Program &, Tally &);

/// Checks `property` for random programs; each of `claims` has to have been met
/// more than once in ten programs.
void check(Property property, const ProgramShape &shape,
           std::initializer_list<const char *> claims) {
  Tally tally;
  uint64_t count = 0;
  bool holds = rc::check([&] {
    Program program = *programs(shape);
    ++count;
    if (Violation violation = property(program, tally))
      RC_FAIL(*violation);
  });
  EXPECT_TRUE(holds);
  if (std::getenv("GPUOPT_SHOW_TALLY"))
    std::cout << count << " programs\n" << tally.str();
  for (const char *claim : claims)
    EXPECT_GT(tally.get(claim), count / 10) << claim;
}

/// The program that RapidCheck ends with where those fail that `fails` says;
/// nothing where it has not ended after `limit` steps.
std::optional<Program> shrink(Program program, unsigned limit,
                              llvm::function_ref<bool(const Program &)> fails) {
  while (limit-- > 0) {
    std::vector<Program> simpler = program.simplified();
    auto next = llvm::find_if(simpler, fails);
    if (next == simpler.end())
      return program;
    program = *next;
  }
  return std::nullopt;
}

TEST(Shrinking, FindsTheLeastNumber) {
  Program program;
  program.code.push_back({Opcode::Constant, 64, {}, {}});
  for (int64_t least : {int64_t(1) << 62, int64_t(-12345)}) {
    program.code[0].data[0] = least < 0 ? std::numeric_limits<int64_t>::min()
                                        : std::numeric_limits<int64_t>::max();
    std::optional<Program> shrunk = shrink(program, 100, [&](const Program &p) {
      return !p.code.empty() && (least < 0 ? p.code[0].data[0] <= least
                                           : p.code[0].data[0] >= least);
    });
    ASSERT_TRUE(shrunk);
    EXPECT_EQ(shrunk->code[0].data[0], least);
  }
}

TEST(Shrinking, EndsWhateverFails) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    EXPECT_TRUE(shrink(generate([&] { return random(); }, {.length = 6}), 2000,
                       [&](const Program &) { return random() % 4 == 0; }));
  }
}

TEST(Property, Interpreter) { check(checkInterpreter, {}, {"folded"}); }

TEST(Property, Polynomials) {
  check(checkPolynomials, {.length = 4},
        {"division", "division of a product", "substitution", "cofactor"});
}

TEST(Property, Divisors) { check(checkDivisors, {.length = 4}, {"divisor"}); }

TEST(Property, Uniformity) {
  check(checkUniformity, {}, {"two work items", "two runs"});
}

TEST(Property, AccessFunctions) {
  check(checkAccessFunctions, {}, {"resolved value", "guards"});
}

TEST(Property, IntegerValues) {
  check(checkIntegerValues, {},
        {"exact atom", "exact polynomial", "congruent polynomial", "getExact",
         "parameter", "what a launcher computes"});
}

TEST(Property, Facts) {
  check(checkFacts, {}, {"fact", "proven", "proven by facts"});
}

TEST(Property, Subscripts) { check(checkSubscripts, {}, {"subscript"}); }

TEST(Property, IndexBounds) {
  check(checkIndexBounds, {.onlyIndices = true}, {"form", "minimum", "margin"});
}

TEST(Property, RebuiltIndices) {
  check(checkRebuiltIndices, {}, {"extension", "rebuilt"});
}

TEST(Property, BuiltIndices) {
  check(checkBuiltIndices, {}, {"index of a polynomial"});
}

TEST(Property, Extents) {
  check(
      checkExtents,
      {.onlyGlobalIds = true, .loops = false, .guardedIds = true, .length = 10},
      {"extent", "work item within its extent"});
}

} // namespace
} // namespace gpuopt::property

int main(int argc, char **argv) {
  // Environment variables are the only way to set RapidCheck's defaults.
  setenv("RC_PARAMS", "max_success=1000 seed=1", /*overwrite=*/0);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
