//===- LinearLanes.cpp - addresses of lanes in closed form ----------------===//

#include "passes/Analysis/LinearLanes.h"

#include "llvm/ADT/DenseMap.h"
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

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

namespace gpuopt {
/// The linear forms of polynomials and of what is derived from lanes' digits.
class LinearForms {
public:
  using Form = LinearLanes::Form;
  /// The least and the largest value over all lanes.
  using Range = std::pair<int64_t, int64_t>;

  /// Both outlive this.
  LinearForms(llvm::ArrayRef<LaneDigit> laneDigits,
              const Evaluation *computation)
      : digits(laneDigits), definitions(computation) {}

  std::optional<Form> formOf(const FlatPolynomial &polynomial);
  Range rangeOf(const Form &form) const;

private:
  std::optional<Form> formOf(unsigned variable);
  std::optional<Form> compute(const Evaluation::Computed &definition);
  std::optional<Form> derive(Variable::Operator op, const Form &left,
                             const Form &right) const;
  std::optional<Form> quotient(const Form &dividend, int64_t divisor,
                               bool isRoundedDown) const;
  bool add(Form &sum, int64_t factor, const Form &form) const;
  Form constant(int64_t value) const {
    return {value, LinearLanes::Digits(digits.size(), 0)};
  }

  llvm::ArrayRef<LaneDigit> digits;
  const Evaluation *definitions;
  /// By variable, of those that are no digits.
  llvm::SmallDenseMap<unsigned, std::optional<Form>, 8> known;
};
} // namespace gpuopt

/// Adds `factor` times `form`; false where that might leave 64 bits.
bool LinearForms::add(Form &sum, int64_t factor, const Form &form) const {
  bool isSmall = addProduct(sum.base, factor, form.base);
  int64_t magnitude = std::abs(sum.base);
  for (size_t number = 0; number < digits.size(); ++number)
    isSmall = isSmall &&
              addProduct(sum.strides[number], factor, form.strides[number]) &&
              addProduct(magnitude, digits[number].extent,
                         std::abs(sum.strides[number]));
  return isSmall;
}

std::optional<LinearForms::Form>
LinearForms::formOf(const FlatPolynomial &polynomial) {
  Form form = constant(0);
  bool isLinear = polynomial.visitLinear(
      [&](int64_t coefficient, std::optional<unsigned> variable) {
        if (!variable)
          return add(form, coefficient, constant(1));
        std::optional<Form> of = formOf(*variable);
        return of && add(form, coefficient, *of);
      });
  return isLinear ? std::optional(std::move(form)) : std::nullopt;
}

std::optional<LinearForms::Form> LinearForms::formOf(unsigned variable) {
  const auto *digit = llvm::find_if(digits, [&](const LaneDigit &candidate) {
    return candidate.variable == variable;
  });
  if (digit != digits.end()) {
    Form form = constant(digit->first);
    form.strides[digit - digits.begin()] = digit->step;
    Form sum = constant(0);
    return add(sum, 1, form) ? std::optional(std::move(sum)) : std::nullopt;
  }
  if (auto found = known.find(variable); found != known.end())
    return found->second;
  std::optional<Form> form;
  if (definitions)
    for (const Evaluation::Computed &definition : definitions->laneComputed())
      if (definition.number == variable)
        form = compute(definition);
  known.try_emplace(variable, form);
  return form;
}

std::optional<LinearForms::Form>
LinearForms::compute(const Evaluation::Computed &definition) {
  const Variable &variable = definitions->variables[definition.number];
  if (variable.kind != Variable::Kind::Derived)
    return std::nullopt;
  std::optional<Form> left = formOf(definition.operands[0]);
  std::optional<Form> right = formOf(definition.operands[1]);
  return left && right ? derive(variable.op, *left, *right) : std::nullopt;
}

LinearForms::Range LinearForms::rangeOf(const Form &form) const {
  Range range = {form.base, form.base};
  for (auto [digit, stride] : llvm::zip_equal(digits, form.strides))
    (stride < 0 ? range.first : range.second) += stride * (digit.extent - 1);
  return range;
}

/// The quotient where all lanes round off the same.
std::optional<LinearForms::Form>
LinearForms::quotient(const Form &dividend, int64_t divisor,
                      bool isRoundedDown) const {
  if (divisor <= 0 || (!isRoundedDown && rangeOf(dividend).first < 0))
    return std::nullopt;
  Form whole = constant(0), rest = dividend;
  for (auto [stride, ofRest] : llvm::zip_equal(whole.strides, rest.strides))
    if (ofRest % divisor == 0) {
      stride = ofRest / divisor;
      ofRest = 0;
    }
  auto [least, most] = rangeOf(rest);
  whole.base = llvm::divideFloorSigned(least, divisor);
  return whole.base == llvm::divideFloorSigned(most, divisor)
             ? std::optional(std::move(whole))
             : std::nullopt;
}

std::optional<LinearForms::Form> LinearForms::derive(Variable::Operator op,
                                                     const Form &left,
                                                     const Form &right) const {
  using Operator = Variable::Operator;
  Range ofLeft = rangeOf(left), ofRight = rangeOf(right);
  bool isConstant = ofRight.first == ofRight.second;
  if (isConstant && ofLeft.first == ofLeft.second) {
    auto value = VariableTable::fold(op, ofLeft.first, ofRight.first);
    return value && std::abs(*value) < kLargest
               ? std::optional(constant(*value))
               : std::nullopt;
  }
  switch (op) {
  case Operator::FloorDiv:
  case Operator::TruncDiv:
    return isConstant ? quotient(left, ofRight.first, op == Operator::FloorDiv)
                      : std::nullopt;
  case Operator::Min:
  case Operator::Max:
    if (ofLeft.second <= ofRight.first)
      return op == Operator::Min ? left : right;
    if (ofRight.second <= ofLeft.first)
      return op == Operator::Min ? right : left;
    return std::nullopt;
  case Operator::Wrap:
    return isConstant && (ofRight.first == 0 || ofLeft.first >= 0)
               ? std::optional(left)
               : std::nullopt;
  case Operator::And:
    return isConstant && llvm::isMask_64(ofRight.first) && ofLeft.first >= 0 &&
                   ofLeft.second <= ofRight.first
               ? std::optional(left)
               : std::nullopt;
  case Operator::Or:
  case Operator::Xor:
    return std::nullopt;
  }
  llvm_unreachable("unknown operator");
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// Whether `comparison` holds for all numbers of `range`; nothing where it does
/// for some.
static std::optional<bool> holdsIn(const Comparison &comparison,
                                   LinearForms::Range range) {
  using Relation = Comparison::Relation;
  auto [least, most] = range;
  switch (comparison.relation) {
  case Relation::Less:
  case Relation::LessEqual:
    if (comparison.holds(most))
      return true;
    if (!comparison.holds(least))
      return false;
    return std::nullopt;
  case Relation::Equal:
  case Relation::NotEqual:
    if (least == most || least > 0 || most < 0)
      return comparison.holds(least);
    return std::nullopt;
  }
  llvm_unreachable("unknown relation");
}

/// Adds what of `guard` differs between lanes; false where that is not linear.
bool LinearLanes::addGuard(const FlatGuards::FlatGuard &guard,
                           LinearForms &forms) {
  LinearGuard linear{{}, guard.negated, guard.complete};
  bool isDecided = false;
  for (const auto &[left, comparison] : guard.comparisons) {
    std::optional<Form> side = forms.formOf(left);
    if (!side)
      return false;
    std::optional<bool> always = holdsIn(*comparison, forms.rangeOf(*side));
    if (!always)
      linear.conditions.push_back({std::move(*side), comparison});
    else
      isDecided |= !*always;
  }
  if (!isDecided && !linear.conditions.empty())
    guards.push_back(std::move(linear));
  else
    neverActive |= isDecided ? !guard.negated : guard.negated && guard.complete;
  return true;
}

std::optional<LinearLanes> LinearLanes::create(llvm::ArrayRef<LaneDigit> of,
                                               const FlatPolynomial &position,
                                               const FlatGuards &conditions,
                                               const Evaluation *definitions) {
  LinearLanes lanes;
  lanes.digits.assign(of.begin(), of.end());
  lanes.neverActive = conditions.neverHold;
  LinearForms forms(lanes.digits, definitions);
  std::optional<Form> form = forms.formOf(position);
  if (!form)
    return std::nullopt;
  lanes.address = std::move(*form);
  if (!llvm::all_of(conditions.guards, [&](const FlatGuards::FlatGuard &guard) {
        return lanes.addGuard(guard, forms);
      }))
    return std::nullopt;
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
