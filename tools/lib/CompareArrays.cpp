//===- CompareArrays.cpp - outputs of two kernels -------------------------===//

#include "tools/lib/Check.h"

#include "tools/lib/Scalars.h"

#include <cmath>
#include <cstring>

using namespace gpuopt;

/// The error that different contraction of multiply and add may leave, relative
/// to the size of the numbers. Integers and opaque bytes must be equal.
static double toleranceOf(const ElementType &type, bool reassociated) {
  double slack = reassociated ? 100 : 1;
  if (type.kind == ElementKind::BFloat)
    return 2e-2 * slack;
  if (type.kind != ElementKind::Float)
    return 0;
  return slack * (type.bytes == 8 ? 1e-12 : type.bytes == 4 ? 1e-5 : 4e-3);
}

/// Root mean square of the finite scalars of an array.
static double rootMeanSquare(const ElementType &type,
                             const std::vector<uint8_t> &bytes, size_t size) {
  double sum = 0;
  int64_t count = 0;
  for (size_t at = 0; at + type.bytes <= size; at += type.bytes) {
    double value = loadScalar(type, bytes.data() + at);
    if (!std::isfinite(value))
      continue;
    sum += value * value;
    ++count;
  }
  return count ? std::sqrt(sum / count) : 0;
}

ArrayComparison gpuopt::compareArrays(const ProblemArray &original,
                                      const ProblemArray &tuned,
                                      bool reassociated) {
  ElementType type = original.element;
  if (type.kind == ElementKind::Opaque || type.bytes == 0)
    type = {ElementKind::UnsignedInt, 1,
            std::max(1u, type.bytes) * std::max(1u, type.lanes)};

  ArrayComparison result;
  result.name = original.name;
  result.elements = original.outputElements;
  result.tolerance = toleranceOf(type, reassociated);
  size_t size = size_t(result.elements) * type.bytes * type.lanes;
  double scale = rootMeanSquare(type, original.bytes, size);
  for (size_t at = 0; at + type.bytes <= size; at += type.bytes) {
    const uint8_t *expected = original.bytes.data() + at;
    const uint8_t *found = tuned.bytes.data() + at;
    if (std::memcmp(expected, found, type.bytes) == 0)
      continue;
    double a = loadScalar(type, expected);
    double b = loadScalar(type, found);
    if (std::isnan(a) && std::isnan(b))
      continue;
    double error = std::abs(a - b) / std::max(std::abs(a), scale);
    if (!(error <= result.tolerance))
      ++result.mismatches;
    if (std::isnan(error))
      error = std::numeric_limits<double>::infinity();
    if (error <= result.largestError)
      continue;
    result.largestError = error;
    result.worstElement = at / (type.bytes * type.lanes);
    result.original = a;
    result.tuned = b;
  }
  return result;
}
