//===- DelinearizationTest.cpp - rows and columns of flat subscripts ------===//

#include "passes/Raising/Delinearization.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

enum Variables : unsigned { X, Y, Z, I, J, H, K, W };

Polynomial var(unsigned variable) { return Polynomial::variable(variable); }

bool isParameter(const Monomial &monomial) {
  for (unsigned factor : monomial)
    if (factor < H)
      return false;
  return true;
}

unsigned rankOf(unsigned variable) {
  return variable <= Z ? Z - variable : Z + 1;
}

const VariableTraits traits{isParameter, rankOf};

/// The first layout that all subscripts fit.
ArrayLayout layoutOf(llvm::ArrayRef<Polynomial> flats) {
  for (const ArrayLayout &layout : proposeLayouts(flats, traits)) {
    bool fits = true;
    for (const Polynomial &flat : flats)
      fits &= fitsLayout(splitSubscript(flat, layout), traits);
    if (fits)
      return layout;
  }
  return ArrayLayout{{Polynomial::unknown()}};
}

TEST(Delinearization, Rows) {
  Polynomial flat = var(Y) * var(K) + var(I);
  ArrayLayout layout = layoutOf({flat});
  EXPECT_EQ(layout, (ArrayLayout{{var(K)}}));
  llvm::SmallVector<Polynomial> subscripts = splitSubscript(flat, layout);
  EXPECT_EQ(subscripts[0], var(Y));
  EXPECT_EQ(subscripts[1], var(I));
  EXPECT_EQ(layout.getExtent(1), var(K));
}

TEST(Delinearization, DiagonalAgrees) {
  EXPECT_EQ(layoutOf({var(I) * var(W) + var(J), var(I) * var(W) + var(I)}),
            (ArrayLayout{{var(W)}}));
}

TEST(Delinearization, Volume) {
  Polynomial flat = (var(Z) * var(H) + var(Y)) * var(W) + var(X);
  ArrayLayout layout = layoutOf({flat});
  EXPECT_EQ(layout, (ArrayLayout{{var(H) * var(W), var(W)}}));
  EXPECT_EQ(layout.getExtent(1), var(H));
  EXPECT_EQ(layout.getExtent(2), var(W));
}

TEST(Delinearization, SumOfParametersAsStride) {
  Polynomial pitch = var(W) + var(K) - 1;
  EXPECT_EQ(layoutOf({(var(Y) + var(I)) * pitch + var(X) + var(J)}),
            (ArrayLayout{{pitch}}));
}

TEST(Delinearization, RowsWalkedBackwardsAreNotNegative) {
  Polynomial up = var(Y) * var(W) + var(X);
  Polynomial down = var(I) * var(W) * -4 + var(X);
  for (const ArrayLayout &layout : proposeLayouts({up, down}, traits))
    for (unsigned dimension = 1; dimension <= layout.strides.size();
         ++dimension)
      EXPECT_GT(layout.getExtent(dimension)->getConstant().value_or(1), 0);
}

TEST(Delinearization, InterleavedStaysFlat) {
  EXPECT_EQ(layoutOf({var(X) * 2, var(X) * 2 + 1}), ArrayLayout());
}

// b * stride + y * w + x: the batch is the outer dimension.
TEST(Delinearization, BatchStride) {
  ArrayLayout layout = layoutOf({var(Z) * var(W) + var(Y) * var(K) + var(X)});
  EXPECT_EQ(layout, (ArrayLayout{{var(W), var(K)}}));
  EXPECT_FALSE(layout.getExtent(1));
}

TEST(Delinearization, ProductOfVariablesDoesNotFit) {
  ArrayLayout layout;
  EXPECT_FALSE(fitsLayout(splitSubscript(var(X) * var(Y), layout), traits));
}

} // namespace
