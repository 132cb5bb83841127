//===- CompareArrays.cpp - outputs of two kernels -------------------------===//

#include "tools/lib/check/CompareArrays.h"

#include "tools/lib/launch/Scalars.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <cmath>
#include <cstring>

using namespace gpuopt;

namespace {
/// Compares the scalars of one array.
class ScalarComparison {
public:
  ScalarComparison(const ElementType &scalarType, ArrayComparison &into)
      : type(scalarType), result(into) {}

  /// Notes two scalars of element `element`, which may differ by `bound`.
  void compare(const uint8_t *expected, const uint8_t *found, double bound,
               int64_t element);

private:
  const ElementType type;
  ArrayComparison &result;
};
} // namespace

void ScalarComparison::compare(const uint8_t *expected, const uint8_t *found,
                               double bound, int64_t element) {
  if (std::memcmp(expected, found, type.bytes) == 0)
    return;
  double a = loadScalar(type, expected), b = loadScalar(type, found);
  if (isFloat(type) && std::isnan(a) && std::isnan(b))
    return;
  double difference = std::abs(a - b);
  bool isBounded = std::isfinite(a) && std::isfinite(b) && bound > 0;
  double scale = std::abs(a);
  // Also 64-bit integers that are the same double, and zeros of two signs.
  double error = scale > 0 ? difference / scale : difference;
  if (std::isnan(error))
    error = std::numeric_limits<double>::infinity();
  result.largestError = std::max(result.largestError, error);
  if (isBounded && std::isfinite(bound) && difference <= bound) {
    ++result.withinBound;
    result.largestShareOfBound =
        std::max(result.largestShareOfBound, difference / bound);
    return;
  }
  // One may overflow where the other does not.
  bool mayOverflow = bound > 0 && !(std::isfinite(a) && std::isfinite(b));
  bool isMismatch = !std::isinf(bound) && !mayOverflow;
  bool isFirst = isMismatch ? result.mismatches == 0
                            : result.mismatches + result.withoutBound == 0;
  ++(isMismatch ? result.mismatches : result.withoutBound);
  if (!isFirst)
    return;
  result.firstElement = element;
  result.original = printScalar(type, expected);
  result.tuned = printScalar(type, found);
}

/// The type by which elements are compared: opaque ones as bytes.
static ElementType comparedType(const ElementType &type) {
  if (type.kind == ElementKind::Opaque || type.bytes == 0)
    return {ElementKind::UnsignedInt, 1,
            std::max(1u, type.bytes) * std::max(1u, type.lanes)};
  return {type.kind, type.bytes, std::max(1u, type.lanes)};
}

ArrayComparison gpuopt::compareArrays(const ProblemArray &original,
                                      const ProblemArray &tuned,
                                      const ErrorBounds *bounds) {
  ElementType type = comparedType(original.element);
  ArrayComparison result;
  result.name = original.name;
  result.elements = original.outputElements;
  ScalarComparison scalarsOf(type, result);
  size_t scalars = size_t(result.elements) * type.lanes;
  for (size_t i = 0; i < scalars; ++i) {
    double bound = bounds && i < bounds->size() ? (*bounds)[i] : 0;
    scalarsOf.compare(original.bytes.data() + i * type.bytes,
                      tuned.bytes.data() + i * type.bytes, bound,
                      i / type.lanes);
  }
  return result;
}

void gpuopt::findStrayWrites(const ProblemArray &before,
                             const ProblemArray &original,
                             const ProblemArray &tuned,
                             llvm::ArrayRef<uint8_t> stored,
                             ArrayComparison &result) {
  result.name = original.name;
  ElementType type = comparedType(original.element);
  auto isStray = [&](size_t at) {
    bool isScratch = before.bytes[at] != original.bytes[at] ||
                     (!stored.empty() && stored[at]);
    return before.bytes[at] != tuned.bytes[at] && !isScratch;
  };
  size_t size = before.bytes.size();
  size_t compared = original.isOutput ? size_t(original.outputElements) *
                                            type.lanes * type.bytes
                                      : 0;
  for (size_t at = compared; at < size; at += type.bytes) {
    size_t end = std::min<size_t>(at + type.bytes, size);
    if (std::memcmp(&before.bytes[at], &tuned.bytes[at], end - at) == 0 ||
        llvm::none_of(llvm::seq(at, end), isStray))
      continue;
    if (result.passed() && end - at == type.bytes) {
      result.firstElement = at / type.bytes / type.lanes;
      result.original = printScalar(type, &original.bytes[at]);
      result.tuned = printScalar(type, &tuned.bytes[at]);
    }
    ++result.strayWrites;
  }
}
