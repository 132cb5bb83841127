//===- Subscripts.h - arrays whose elements are subscripts ------*- C++ -*-===//
//
// A kernel that gathers, `a[at[i]]`, runs only with elements of `at` that lie
// in `a`. Inputs that are made up have to be such, and those that bound a loop
// over subscripts, as row pointers of sparse matrices do, have to rise:
//
//   for (int j = row[i]; j < row[i + 1]; ++j)   // row: rising, within column
//     sum += value[j] * x[column[j]];           // column: within x
//
// What is found here is what the data flow from a load to an address shows; a
// subscript that is computed otherwise, or that goes by way of memory, is not
// seen.
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_LIB_LAUNCH_SUBSCRIPTS_H
#define TOOLS_LIB_LAUNCH_SUBSCRIPTS_H

#include "llvm/IR/Module.h"

#include <cstdint>
#include <vector>

namespace gpuopt {

/// The elements of one parameter's array select elements of another's.
struct SubscriptUse {
  /// Parameters of the kernel.
  unsigned array = 0;
  unsigned indexed = 0;
  /// Bytes between what two successive subscripts select,
  uint64_t strideBytes = 0;
  /// times the values of these parameters: `width` of `a[at[i] * width + j]`.
  std::vector<unsigned> strideParameters;
  /// The element is where a loop starts: successive ones bound its subscripts.
  bool startsLoop = false;
};

/// All such uses in the kernel `symbol` of `module`.
std::vector<SubscriptUse> findSubscripts(const llvm::Module &module,
                                         llvm::StringRef symbol);

} // namespace gpuopt

#endif // TOOLS_LIB_LAUNCH_SUBSCRIPTS_H
