//===- ItemsOfEach.cpp - work items in the place of one -------------------===//

#include "passes/Analysis/ItemsOfEach.h"

#include "dialects/GPUOpt/LaunchConditions.h"
#include "passes/Analysis/Coalescing.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace gpuopt;

double gpuopt::countItemsOfEach(Operation *kernel, const SizeMap &sizes) {
  auto items = kernel->getAttrOfType<AffineMapAttr>(kItemsOfEachAttrName);
  if (!items)
    return 1;
  auto function = cast<FunctionOpInterface>(kernel);
  SmallVector<std::optional<int64_t>> arguments;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    auto name = function.getArgAttrOfType<StringAttr>(number, kNameAttrName);
    auto size = name ? sizes.find(name.getValue()) : sizes.end();
    arguments.push_back(size == sizes.end() ? kAssumedSize : size->second);
  }
  std::optional<int64_t> count =
      evaluate(items.getValue().getResult(0), arguments);
  return count && *count > 0 ? static_cast<double>(*count) : 1;
}

void gpuopt::setItemsOfEach(Operation *kernel, unsigned numArguments,
                            AffineExpr items) {
  kernel->setAttr(kItemsOfEachAttrName,
                  AffineMapAttr::get(AffineMap::get(0, numArguments, items)));
}
