//===- PolynomialTest.cpp - polynomials and their division ----------------===//

#include "passes/Analysis/Polynomial.h"

#include <gtest/gtest.h>

#include <limits>

using namespace gpuopt;

namespace {

enum Variables : unsigned { I, J, Idx, Idy, K, W, H };

std::string nameOf(unsigned variable) {
  static const char *names[] = {"i", "j", "idx", "idy", "k", "w", "h"};
  return names[variable];
}

Polynomial var(unsigned variable) { return Polynomial::variable(variable); }
std::string str(const Polynomial &p) { return p.str(nameOf); }

TEST(Polynomial, Arithmetic) {
  Polynomial p = (var(Idy) + var(I)) * (var(W) - 1) + 3;
  EXPECT_EQ(str(p), "i*w + idy*w - i - idy + 3");
  EXPECT_EQ(p - p, Polynomial());
  EXPECT_EQ(p.getConstantTerm(), 3);
  EXPECT_EQ(p.getCoefficient({Idy, W}), 1);
  EXPECT_EQ(str(-p + 3), "-i*w - idy*w + i + idy");
  EXPECT_EQ(str(var(I) * var(I)), "i*i");
}

TEST(Polynomial, Queries) {
  EXPECT_TRUE((var(I) * 4 + 1).isLinear());
  EXPECT_FALSE((var(I) * var(W)).isLinear());
  EXPECT_EQ(Polynomial(7).getConstant(), 7);
  EXPECT_EQ(Polynomial().getConstant(), 0);
  EXPECT_FALSE(var(I).getConstant());
  EXPECT_EQ(var(I).getVariable(), unsigned(I));
  EXPECT_FALSE((var(I) * 2).getVariable());
  EXPECT_EQ((var(W) * 4 + 6).getContent(), 2);
}

TEST(Polynomial, Substitute) {
  EXPECT_EQ(str((var(K) * var(I) + 1).substitute(K, var(W) + 2)),
            "i*w + 2*i + 1");
}

// -2^63 has no negation: its greatest divisor was negative.
TEST(Polynomial, TheLeastNumberIsUnknown) {
  int64_t least = std::numeric_limits<int64_t>::min();
  EXPECT_TRUE(Polynomial(least).isUnknown());
  EXPECT_TRUE((var(I) * (least / 2) * 2).isUnknown());
  EXPECT_TRUE((Polynomial(least + 1) - 1).isUnknown());
  EXPECT_EQ((var(I) * (least + 1)).getContent(), -(least + 1));
}

// Products have a largest degree; beyond, nothing is claimed.
TEST(Polynomial, LongProductsAreUnknown) {
  Polynomial product(1);
  for (unsigned i = 0; i < Monomial::kMostFactors; ++i)
    product = product * var(i % 2 ? W : I);
  EXPECT_EQ(str(product), "i*i*i*i*w*w*w");
  EXPECT_TRUE((product * var(K)).isUnknown());
  EXPECT_TRUE((var(K) * (product + 1)).isUnknown());
  EXPECT_TRUE(product.substitute(I, var(I) * var(I)).isUnknown());
  EXPECT_TRUE(Polynomial::term({0, 1, 2, 3, 4, 5, 6, 0}, 1).isUnknown());
  EXPECT_EQ(str(product.divide(var(W) * var(I)).quotient), "i*i*i*w*w");
}

// Sums merge terms, also with themselves.
TEST(Polynomial, SumsOfManyTerms) {
  Polynomial p = var(I) * var(W) + var(J) * 2 + var(K) - 5;
  Polynomial q = var(I) * var(W) * -1 + var(H) + var(K) * 3 + 5;
  EXPECT_EQ(str(p + q), "2*j + 4*k + h");
  EXPECT_EQ(str(p - q), "2*i*w + 2*j - 2*k - h - 10");
  p += p;
  EXPECT_EQ(str(p), "2*i*w + 4*j + 2*k - 10");
  p -= p;
  EXPECT_TRUE(p.isZero());
}

// Overflow is a value, not a wrapped number.
TEST(Polynomial, OverflowIsUnknown) {
  Polynomial big(std::numeric_limits<int64_t>::max());
  EXPECT_TRUE((big + 1).isUnknown());
  EXPECT_TRUE((big * var(I) * 2).isUnknown());
  EXPECT_TRUE(((big + 1) - (big + 1)).isUnknown());
}

// What is the same for all lanes is put in once: 4*idy*k + 4*i at k = 5, i = 2.
TEST(FlatPolynomial, Fold) {
  FlatPolynomial flat(var(Idy) * var(K) * 4 + var(Idy) + var(I) * 4);
  llvm::SmallVector<int64_t> values(7, 0);
  values[K] = 5;
  values[I] = 2;
  llvm::BitVector open(7);
  open.set(Idy);
  FlatPolynomial folded = flat.fold(values, open);
  values[K] = values[I] = 100;
  values[Idy] = 3;
  EXPECT_EQ(folded.evaluate(values), 3 * 21 + 8);
  EXPECT_TRUE(folded.isVariable());
  open.reset();
  EXPECT_EQ(folded.fold(values, open).getConstant(), 71);
  values[Idy] = std::numeric_limits<int64_t>::max();
  EXPECT_FALSE(folded.fold(values, open).getConstant());
}

// mm: a[idy * k + i]
TEST(Polynomial, DivideByParameter) {
  auto [row, column] = (var(Idy) * var(K) + var(I)).divide(var(K));
  EXPECT_EQ(str(row), "idy");
  EXPECT_EQ(str(column), "i");
}

// conv: image[(idy + i) * (w + k - 1) + idx + j]
TEST(Polynomial, DivideBySum) {
  Polynomial pitch = var(W) + var(K) - 1;
  Polynomial flat = (var(Idy) + var(I)) * pitch + var(Idx) + var(J);
  auto [row, column] = flat.divide(pitch);
  EXPECT_EQ(row, var(Idy) + var(I));
  EXPECT_EQ(column, var(Idx) + var(J));
}

// demosaic: raw[o - p - 1], o = (idy + 1) * p + idx + 1, p = w + 2
TEST(Polynomial, DivideStencil) {
  Polynomial pitch = var(W) + 2;
  Polynomial flat = (var(Idy) + 1) * pitch + var(Idx) + 1 - pitch - 1;
  auto [row, column] = flat.divide(pitch);
  EXPECT_EQ(row, var(Idy));
  EXPECT_EQ(column, var(Idx));
}

TEST(Polynomial, DivideByProduct) {
  Polynomial flat = (var(I) * var(H) + var(Idy)) * var(W) + var(Idx);
  auto [plane, rest] = flat.divide(var(H) * var(W));
  EXPECT_EQ(plane, var(I));
  EXPECT_EQ(rest, var(Idy) * var(W) + var(Idx));
}

TEST(Polynomial, DivideByConstant) {
  auto [row, column] = (var(Idy) * 512 + var(Idx) - 1).divide(512);
  EXPECT_EQ(row, var(Idy));
  EXPECT_EQ(column, var(Idx) - 1);
  auto next = (var(Idy) * 512 + var(Idx) + 511).divide(512);
  EXPECT_EQ(next.quotient, var(Idy) + 1);
  EXPECT_EQ(next.remainder, var(Idx) - 1);
  auto mirrored = (var(Idy) * 512 - var(Idx) + 1).divide(512);
  EXPECT_EQ(mirrored.quotient, var(Idy));
  EXPECT_EQ(mirrored.remainder, Polynomial(1) - var(Idx));
}

// What does not divide stays in the remainder.
TEST(Polynomial, DivideRemainder) {
  Polynomial flat = var(Idy) * var(W) + var(Idx);
  EXPECT_TRUE(flat.divide(var(K)).quotient.isZero());
  EXPECT_TRUE(flat.divide(var(W) * 2).quotient.isZero());
  EXPECT_TRUE(flat.divide(Polynomial()).quotient.isUnknown());
}

} // namespace
