//===- VerdictTest.cpp - what the runs of a check prove -------------------===//

#include "tools/lib/check/Check.h"

#include "gtest/gtest.h"

using namespace gpuopt;
using Kind = ExecutionFault::Kind;

namespace {

/// Races of the source excuse what they may have caused, and nothing else.
TEST(Verdict, IsUndefinedWhereRacesExplainAllThatIsWrong) {
  KernelCheck check;
  check.arrays.emplace_back().mismatches = 1;
  EXPECT_EQ(check.verdict(), CheckVerdict::Failed)
      << "the source does not race";
  check.sourceRaces.emplace_back().kind = Kind::DataRace;
  EXPECT_EQ(check.verdict(), CheckVerdict::Failed)
      << "they have nothing to do with it";
  check.racesExplainOutputs = true;
  EXPECT_EQ(check.verdict(), CheckVerdict::Undefined);

  KernelCheck withFault = check;
  withFault.tunedFaults.emplace_back().kind = Kind::OutOfBounds;
  EXPECT_EQ(withFault.verdict(), CheckVerdict::Failed);

  KernelCheck withFallback = check;
  withFallback.tunedLaunches.emplace_back().isFallback = true;
  EXPECT_EQ(withFallback.verdict(), CheckVerdict::Failed)
      << "nothing tuned has run";

  KernelCheck wrongWithOrdinary;
  wrongWithOrdinary.arrays.emplace_back().mismatches = 1;
  wrongWithOrdinary.withExtremes.push_back(check);
  EXPECT_EQ(wrongWithOrdinary.verdict(), CheckVerdict::Failed);

  KernelCheck racesWithExtremes;
  racesWithExtremes.withExtremes.push_back(check);
  EXPECT_EQ(racesWithExtremes.verdict(), CheckVerdict::Undefined);
}

TEST(Verdict, FailsWhereTheTextIsWrong) {
  KernelCheck wrong;
  wrong.arrays.emplace_back().mismatches = 1;
  KernelCheck check;
  check.asText.push_back(wrong);
  EXPECT_EQ(check.ownVerdict(), CheckVerdict::Passed);
  EXPECT_EQ(check.verdict(), CheckVerdict::Failed);

  KernelCheck ordinary;
  ordinary.withExtremes.push_back(check);
  EXPECT_EQ(ordinary.verdict(), CheckVerdict::Failed);
}

TEST(Verdict, IsUndefinedWhereTheSourceGoesWrong) {
  KernelCheck check;
  check.originalFaults.emplace_back().kind = Kind::OutOfBounds;
  check.arrays.emplace_back().mismatches = 1;
  EXPECT_EQ(check.verdict(), CheckVerdict::Undefined);
  check.originalFaults.emplace_back().kind = Kind::FaultLimit;
  EXPECT_EQ(check.verdict(), CheckVerdict::Undefined);
}

TEST(Verdict, IsUnfinishedWhereTheOriginalDidNotEnd) {
  for (Kind kind : {Kind::Timeout, Kind::StepLimit, Kind::Unsupported}) {
    KernelCheck check;
    check.originalFaults.emplace_back().kind = kind;
    EXPECT_EQ(check.verdict(), CheckVerdict::Unfinished);
    EXPECT_FALSE(check.wasInterrupted());
  }
}

TEST(Verdict, BlamesATunedKernelThatDoesNotEnd) {
  KernelCheck check;
  check.tunedFaults.emplace_back().kind = Kind::Timeout;
  EXPECT_EQ(check.verdict(), CheckVerdict::Failed);
  check.tunedFaults.front().kind = Kind::Interrupted;
  EXPECT_EQ(check.verdict(), CheckVerdict::Unfinished);

  KernelCheck wrong = check;
  wrong.tunedFaults.emplace_back().kind = Kind::OutOfBounds;
  EXPECT_EQ(wrong.verdict(), CheckVerdict::Failed);

  KernelCheck extremes = check;
  KernelCheck ordinary;
  ordinary.withExtremes.push_back(extremes);
  EXPECT_EQ(ordinary.ownVerdict(), CheckVerdict::Passed);
  EXPECT_EQ(ordinary.verdict(), CheckVerdict::Unfinished);
  EXPECT_TRUE(ordinary.wasInterrupted());
}

} // namespace
