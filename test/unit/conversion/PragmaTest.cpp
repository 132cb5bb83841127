//===- PragmaTest.cpp - '#pragma gpuopt' on literals ----------------------===//

#include "conversion/ImportSource/Pragma.h"

#include "gtest/gtest.h"

using namespace gpuopt;

static const llvm::StringMap<int64_t> sizes = {
    {"n", 64}, {"m", 5}, {"big", int64_t(1) << 40}, {"zero", 0}};

/// The value of `text`, or the error's text.
static std::string evaluate(llvm::StringRef text) {
  llvm::Expected<int64_t> value = evaluateExtent(text, sizes);
  return value ? std::to_string(*value) : llvm::toString(value.takeError());
}

TEST(Extent, FollowsPrecedence) {
  EXPECT_EQ(evaluate("n"), "64");
  EXPECT_EQ(evaluate("2 * n + m"), "133");
  EXPECT_EQ(evaluate("2*(n+m)"), "138");
  EXPECT_EQ(evaluate("n / m % 5"), "2");
  EXPECT_EQ(evaluate("1 << m - 1"), "16");
  EXPECT_EQ(evaluate("n - m - 1"), "58");
  EXPECT_EQ(evaluate("-m + ~0"), "-6");
  EXPECT_EQ(evaluate("0x10u"), "16");
  EXPECT_EQ(evaluate("big * 4"), std::to_string(int64_t(1) << 42));
}

TEST(Extent, SaysWhatIsWrong) {
  EXPECT_EQ(evaluate("n +"), "in 'n +' at character 4: expected a number, a "
                             "name or '('");
  EXPECT_EQ(evaluate("k"), "in 'k' at character 1: unknown name 'k'");
  EXPECT_EQ(evaluate("n / zero"), "in 'n / zero' at character 3: division by "
                                  "zero");
  EXPECT_EQ(evaluate("(n"), "in '(n' at character 3: expected ')'");
  EXPECT_EQ(evaluate("n m"), "in 'n m' at character 3: expected an operator");
  EXPECT_EQ(evaluate("big * big"), "in 'big * big' at character 5: the value "
                                   "does not fit into 64 bits");
  EXPECT_EQ(evaluate("1 << 70"), "in '1 << 70' at character 3: the shift "
                                 "distance 70 is not in 0..62");
}

TEST(Extent, KnowsItsNames) {
  llvm::Expected<std::vector<std::string>> names =
      namesInExtent("a * (b + a) << (c - 2)");
  ASSERT_TRUE(bool(names));
  EXPECT_EQ(*names, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Clauses, AreRead) {
  KernelPragma pragma;
  EXPECT_FALSE(parsePragmaClauses(
      "domain(w, h / 2) array(image: h + kh - 1, (w + 2)) output(c, d: 1)",
      pragma));
  EXPECT_EQ(pragma.domain, (std::vector<std::string>{"w", "h / 2"}));
  EXPECT_EQ(pragma.arrays["image"],
            (std::vector<std::string>{"h + kh - 1", "(w + 2)"}));
  EXPECT_TRUE(pragma.outputs["c"].empty());
  EXPECT_EQ(pragma.outputs["d"], (std::vector<std::string>{"1"}));
  EXPECT_FALSE(pragma.reassociate);
}

// What is said of the sums of a loop need not be about a kernel.
TEST(Clauses, NeedNoArguments) {
  KernelPragma pragma;
  EXPECT_FALSE(parsePragmaClauses("reassociate", pragma));
  EXPECT_TRUE(pragma.reassociate);
  EXPECT_FALSE(pragma.isOfKernel());
  EXPECT_FALSE(parsePragmaClauses("domain(n) reassociate", pragma));
  EXPECT_TRUE(pragma.isOfKernel());
}

TEST(Clauses, SayWhatIsWrongAndWhere) {
  auto errorIn = [](llvm::StringRef text) {
    KernelPragma pragma;
    std::optional<TextError> error = parsePragmaClauses(text, pragma);
    return error ? std::to_string(error->offset) + ": " + error->message
                 : std::string();
  };
  EXPECT_EQ(errorIn("domain(n"), "8: expected ')'");
  EXPECT_EQ(errorIn("array(a n)"), "8: expected ':'");
  EXPECT_EQ(errorIn("domain(1,2,3,4)"),
            "0: expected at most three extents in 'domain', found 4");
  EXPECT_EQ(errorIn("array(a: 1) array(a: 2)"), "18: 'a' has a shape already");
  EXPECT_EQ(errorIn("frob(1)"), "0: unknown clause 'frob'; expected 'domain', "
                                "'array', 'output', 'share' or "
                                "'reassociate'");
  EXPECT_EQ(
      errorIn("reassociate(1)"),
      "11: expected 'domain', 'array', 'output', 'share' or 'reassociate'");
}

TEST(Clauses, FitTheKernel) {
  std::vector<KernelParameter> parameters(2);
  parameters[0].name = "a";
  parameters[0].isPointer = true;
  parameters[1].name = "n";
  parameters[1].typeName = "int";
  parameters[1].element = {ElementKind::SignedInt, 4, 1};
  auto check = [&](llvm::StringRef text) {
    KernelPragma pragma;
    EXPECT_FALSE(parsePragmaClauses(text, pragma));
    return checkPragma(pragma, parameters).value_or("");
  };
  EXPECT_EQ(check("domain(n) array(a: n) output(a)"), "");
  EXPECT_EQ(check("domain(m)"), "'m' is no parameter of the kernel");
  EXPECT_EQ(check("domain(a)"), "'a' is no integer parameter");
  EXPECT_EQ(check("output(n)"), "'n' is no array but of type 'int'");
}
