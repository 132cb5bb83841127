//===- References.h - what the kernels compute, in float64 ------*- C++ -*-===//
//
// One plain function for each kernel, straight from the definition: the results
// of one item, which is an element, a row, a column, whatever gives results by
// itself. Families of kernels are in references/.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_RUNNER_REFERENCES_H
#define BENCH_RUNNER_REFERENCES_H

#include "Arrays.h"
#include "Value.h"

#include <array>

namespace bench {

/// What one element of an output must be.
struct Expected {
  uint32_t array = 0;
  uint64_t element = 0;
  double value = 0;
  /// How far a result may be from it.
  double bound = 0;
};

/// How far results of one type may be off: its unit roundoff, twice for float64
/// where the reference is as far off itself, and its smallest number.
struct Precision {
  double roundoff, least;
};
inline Precision precisionOf(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return {0x1p-11, 0x1p-24};
  case ElementType::F32:
    return {0x1p-24, 1e-37};
  case ElementType::F64:
    return {0x1p-52, 1e-300};
  default:
    return {0, 0};
  }
}

/// One item of a case, as the references see it.
class Item {
public:
  Item(const Case &entry, const HostArrays &arrays, uint64_t number,
       std::vector<Expected> *results)
      : number(int64_t(number)), entry(entry), arrays(arrays),
        results(results) {}

  const int64_t number;

  /// Number of items and operations of each. True where that is all that is
  /// asked for.
  bool isSize(double items, double operations) {
    itemCount = items;
    operationsPerItem = operations;
    return !results;
  }
  double itemCount = 0, operationsPerItem = 0;

  int64_t integer(const char *name) const { return int64_t(real(name)); }
  double real(const char *name) const { return entry.scalars.at(name); }
  template <typename... Names>
  std::array<int64_t, sizeof...(Names)> integers(Names... names) const {
    return {integer(names)...};
  }
  /// The item's place in rows of `extents`, the last one counting fastest; the
  /// first has no bound.
  template <typename... Extents>
  std::array<int64_t, sizeof...(Extents) + 1> place(Extents... extents) const {
    std::array<int64_t, sizeof...(Extents)> sizes{extents...};
    std::array<int64_t, sizeof...(Extents) + 1> at{};
    int64_t rest = number;
    for (size_t i = sizes.size(); i > 0; --i) {
      at[i] = rest % sizes[i - 1];
      rest /= sizes[i - 1];
    }
    at[0] = rest;
    return at;
  }

  /// The contents of an array before the launch.
  auto operator[](const char *name) const {
    const HostArray &array = arrays[entry.arrayNumber(name)];
    return [&array](int64_t index) { return Value(array[uint64_t(index)]); };
  }

  void put(const char *name, int64_t element, const Value &value) {
    size_t array = entry.arrayNumber(name);
    Precision precision = precisionOf(entry.arrays[array].type);
    results->push_back({uint32_t(array), uint64_t(element), value.value,
                        value.bound(precision.roundoff, precision.least)});
  }

private:
  const Case &entry;
  const HostArrays &arrays;
  std::vector<Expected> *results;
};

using ReferenceFunction = void (*)(Item &);
using ReferenceTable = std::map<std::string, ReferenceFunction>;

} // namespace bench

#include "references/Elementwise.h"
#include "references/Images.h"
#include "references/Products.h"
#include "references/Rows.h"
#include "references/Sums.h"

namespace bench {

/// The reference of a case.
class Reference {
public:
  Reference(const Case &entry, const HostArrays &arrays)
      : entry(entry), arrays(arrays) {
    for (const ReferenceTable *table :
         {&elementwiseReferences(), &imageReferences(), &productReferences(),
          &rowReferences(), &sumReferences()})
      if (auto found = table->find(entry.kernel); found != table->end())
        function = found->second;
    if (!function)
      throw std::runtime_error("no reference for kernel '" + entry.kernel +
                               "'");
    Item size(entry, arrays, 0, nullptr);
    function(size);
    itemCount = uint64_t(size.itemCount);
    operationsPerItem = std::max(1.0, size.operationsPerItem);
  }

  /// Items that together make all results, and operations of each.
  uint64_t items() const { return itemCount; }
  double operations() const { return operationsPerItem; }

  void compute(uint64_t number, std::vector<Expected> &results) const {
    Item item(entry, arrays, number, &results);
    function(item);
  }

private:
  const Case &entry;
  const HostArrays &arrays;
  ReferenceFunction function = nullptr;
  uint64_t itemCount = 0;
  double operationsPerItem = 0;
};

} // namespace bench

#endif // BENCH_RUNNER_REFERENCES_H
