//===- LaunchBracketsTest.cpp - launches that are written apart -----------===//

#include "conversion/ImportSource/LaunchBrackets.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

TEST(LaunchBrackets, AreJoinedWithTheBlanksBehind) {
  EXPECT_EQ(joinLaunchBrackets("k<< <g, b>> >(x);"), "k<<< g, b>>> (x);");
  EXPECT_EQ(joinLaunchBrackets("k << < g, b >> > (x);"),
            "k <<<  g, b >>>  (x);");
  EXPECT_EQ(joinLaunchBrackets("k< < <g, b> > >(x);"), "k<<<  g, b>>>  (x);");
}

TEST(LaunchBrackets, OfSeveralLaunchesAreAllJoined) {
  EXPECT_EQ(joinLaunchBrackets("k<< <g, b>> >(); l<< <g, b>> >();"),
            "k<<< g, b>>> (); l<<< g, b>>> ();");
}

TEST(LaunchBrackets, InOnePieceAreLeftAlone) {
  EXPECT_EQ(joinLaunchBrackets("k<<<g, b>>>(x); A<B<C<int>> > y;"),
            std::nullopt);
}

TEST(LaunchBrackets, OfOperatorsAndTemplatesAreNone) {
  EXPECT_EQ(joinLaunchBrackets("operator<< <int>(s, x); A<B<C<int>> > y;"),
            std::nullopt);
  EXPECT_EQ(joinLaunchBrackets("a = b << c < d;"), std::nullopt);
}

TEST(LaunchBrackets, InCommentsAndTextsAreNone) {
  EXPECT_EQ(joinLaunchBrackets("// k<< <g>> >\n\"<< <\" /* << < */"),
            std::nullopt);
}

TEST(LaunchBrackets, DoNotReachBehindTheirStatement) {
  EXPECT_EQ(joinLaunchBrackets("k<< <g, b; A<B<C<int>> > y;"),
            "k<<< g, b; A<B<C<int>> > y;");
}

} // namespace
