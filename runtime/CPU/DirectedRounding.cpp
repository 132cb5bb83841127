//===- DirectedRounding.cpp - rounding up, down and to zero ---------------===//

#include "runtime/CPU/DirectedRounding.h"

#include <cfenv>
#include <cmath>
#include <limits>

using namespace gpuopt::runtime;

/// `compute` reads and writes volatile variables only, so that nothing of it
/// leaves the place where the mode is another one.
template <typename Real, typename Compute>
static Real rounded(RoundingDirection direction, Compute compute) {
  static constexpr int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  std::fesetround(modes[uint32_t(direction)]);
  volatile Real result = compute();
  std::fesetround(FE_TONEAREST);
  return result;
}

template <typename Real>
static Real add(Real left, Real right, RoundingDirection direction) {
  volatile Real a = left, b = right;
  return rounded<Real>(direction, [&] { return a + b; });
}

template <typename Real>
static Real multiply(Real left, Real right, RoundingDirection direction) {
  volatile Real a = left, b = right;
  return rounded<Real>(direction, [&] { return a * b; });
}

template <typename Real>
static Real divide(Real left, Real right, RoundingDirection direction) {
  volatile Real a = left, b = right;
  return rounded<Real>(direction, [&] { return a / b; });
}

template <typename Real>
static Real squareRoot(Real value, RoundingDirection direction) {
  volatile Real a = value;
  return rounded<Real>(direction, [&] { return std::sqrt(Real(a)); });
}

template <typename Real>
static Real fused(Real left, Real right, Real sum,
                  RoundingDirection direction) {
  volatile Real a = left, b = right, c = sum;
  return rounded<Real>(direction,
                       [&] { return std::fma(Real(a), Real(b), Real(c)); });
}

static float toFloat(double value, RoundingDirection direction) {
  volatile double a = value;
  return rounded<float>(direction, [&] { return float(a); });
}

/// Integers of 64 bits are exact in between.
template <typename Real, typename Integer>
static Real convert(Integer value, RoundingDirection direction) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  volatile long double exact = value;
  return rounded<Real>(direction, [&] { return Real(exact); });
}

std::vector<HostFunction> gpuopt::runtime::directedRoundingSymbols() {
  auto address = [](auto *function) {
    return reinterpret_cast<void *>(function);
  };
  return {{"gpuopt_round_add_f", address(add<float>)},
          {"gpuopt_round_add_d", address(add<double>)},
          {"gpuopt_round_mul_f", address(multiply<float>)},
          {"gpuopt_round_mul_d", address(multiply<double>)},
          {"gpuopt_round_div_f", address(divide<float>)},
          {"gpuopt_round_div_d", address(divide<double>)},
          {"gpuopt_round_sqrt_f", address(squareRoot<float>)},
          {"gpuopt_round_sqrt_d", address(squareRoot<double>)},
          {"gpuopt_round_fma_f", address(fused<float>)},
          {"gpuopt_round_fma_d", address(fused<double>)},
          {"gpuopt_round_d2f_f", address(toFloat)},
          {"gpuopt_round_i2f_f", address(convert<float, int32_t>)},
          {"gpuopt_round_ui2f_f", address(convert<float, uint32_t>)},
          {"gpuopt_round_ll2f_f", address(convert<float, int64_t>)},
          {"gpuopt_round_ull2f_f", address(convert<float, uint64_t>)},
          {"gpuopt_round_ll2d_d", address(convert<double, int64_t>)},
          {"gpuopt_round_ull2d_d", address(convert<double, uint64_t>)}};
}
