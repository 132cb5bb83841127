//===- SizeSettings.cpp - sizes as options of passes ----------------------===//

#include "passes/Analysis/SizeSettings.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace gpuopt;

FailureOr<SizeMap> gpuopt::parseSizes(ArrayRef<std::string> settings,
                                      Location loc) {
  SizeMap sizes;
  for (StringRef setting : settings) {
    auto [name, text] = setting.split('=');
    int64_t value;
    if (name.empty() || text.getAsInteger(10, value)) {
      emitError(loc) << "expected a size of the form 'name=value', found '"
                     << setting << "'";
      return failure();
    }
    sizes[name] = value;
  }
  return sizes;
}
