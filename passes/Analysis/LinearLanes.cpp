//===- LinearLanes.cpp - addresses of lanes in closed form ----------------===//

#include "passes/Analysis/LinearLanes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace gpuopt;

/// Sums below do not leave 64 bits where their parts have less than this
/// magnitude together.
static constexpr int64_t kLargest = int64_t(1) << 62;

llvm::SmallVector<LaneDigit, 3> gpuopt::digitsOf(const BlockShape &block) {
  llvm::SmallVector<LaneDigit, 3> digits;
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    digits.push_back({VariableTable::threadId(dimension), block[dimension]});
  return digits;
}

int64_t LinearLanes::Form::at(const Digits &at) const {
  int64_t value = base;
  for (auto [digit, stride] : llvm::zip_equal(at, strides))
    value += digit * stride;
  return value;
}

/// Adds `factor * value` to `sum`; false where that is more than `kLargest`.
static bool addProduct(int64_t &sum, int64_t factor, int64_t value) {
  int64_t product;
  return !__builtin_mul_overflow(factor, value, &product) &&
         !__builtin_add_overflow(sum, product, &sum) && sum > -kLargest &&
         sum < kLargest;
}

std::optional<LinearLanes::Form>
LinearLanes::formOf(const FlatPolynomial &polynomial) const {
  Form form;
  form.strides.assign(digits.size(), 0);
  int64_t magnitude = 0;
  bool isLinear = polynomial.visitLinear([&](int64_t coefficient,
                                             std::optional<unsigned> variable) {
    if (!variable)
      return addProduct(form.base, coefficient, 1);
    const auto *digit = llvm::find_if(digits, [&](const LaneDigit &candidate) {
      return candidate.variable == *variable;
    });
    return digit != digits.end() &&
           addProduct(form.base, coefficient, digit->first) &&
           addProduct(form.strides[digit - digits.begin()], coefficient,
                      digit->step);
  });
  isLinear = isLinear && addProduct(magnitude, 1, std::abs(form.base));
  for (auto [digit, stride] : llvm::zip_equal(digits, form.strides))
    isLinear =
        isLinear && addProduct(magnitude, digit.extent, std::abs(stride));
  return isLinear ? std::optional(std::move(form)) : std::nullopt;
}

std::optional<LinearLanes> LinearLanes::create(llvm::ArrayRef<LaneDigit> of,
                                               const FlatPolynomial &position,
                                               const FlatGuards &conditions) {
  LinearLanes lanes;
  lanes.digits.assign(of.begin(), of.end());
  lanes.neverActive = conditions.neverHold;
  std::optional<Form> form = lanes.formOf(position);
  if (!form)
    return std::nullopt;
  lanes.address = std::move(*form);
  for (const FlatGuards::FlatGuard &guard : conditions.guards) {
    LinearGuard linear{{}, guard.negated, guard.complete};
    for (const auto &[left, comparison] : guard.comparisons) {
      std::optional<Form> side = lanes.formOf(left);
      if (!side)
        return std::nullopt;
      linear.conditions.push_back({std::move(*side), comparison});
    }
    lanes.guards.push_back(std::move(linear));
  }
  return lanes;
}

bool LinearLanes::isActive(const Digits &at) const {
  return llvm::all_of(guards, [&](const LinearGuard &guard) {
    bool allHold =
        llvm::all_of(guard.conditions, [&](const Condition &condition) {
          return condition.comparison->holds(condition.left.at(at));
        });
    return guard.negated ? !allHold || !guard.complete : allHold;
  });
}

void LinearLanes::visit(
    int64_t begin, int64_t end,
    llvm::function_ref<bool(int64_t, int64_t)> accept) const {
  if (neverActive)
    return;
  Digits at;
  int64_t rest = begin;
  for (const LaneDigit &digit : digits) {
    at.push_back(rest % digit.extent);
    rest /= digit.extent;
  }
  for (int64_t number = begin; number < end; ++number) {
    if (isActive(at) && !accept(number, address.at(at)))
      return;
    for (auto [digit, value] : llvm::zip_equal(digits, at)) {
      if (++value < digit.extent)
        break;
      value = 0;
    }
  }
}
