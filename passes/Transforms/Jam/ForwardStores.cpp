//===- ForwardStores.cpp - use what was stored, not load it again ---------===//
//
// Upstream's affine store forwarding compares subscripts and sees any other
// operation on an array as a conflict. Here addresses are compared, and the
// rows of an array are told apart by the guards (see Addresses.h).
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Jam/ForwardStores.h"

#include "passes/Analysis/DominatingFacts.h"
#include "passes/Transforms/Utils/Addresses.h"
#include "passes/Transforms/Utils/Aliasing.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace gpuopt;

namespace {
/// An element whose value is known.
struct KnownElement {
  ElementAddress address;
  Value value;
};

class StoreForwarder {
public:
  StoreForwarder(gpu::GPUFuncOp kernel, Block &block)
      : values(kernel), facts(collectFacts(&block.front(), values)) {}

  unsigned run(Block &block);

private:
  void visitStore(Operation *store, Value value);
  bool visitLoad(Operation *load);

  IntegerValues values;
  SmallVector<Polynomial> facts;
  SmallVector<KnownElement, 0> known;
};
} // namespace

/// The value that a plain store of one element writes; null for others.
static Value storedValue(Operation *op) {
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return store.getValue();
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return store.getValue();
  return nullptr;
}

void StoreForwarder::visitStore(Operation *store, Value value) {
  std::optional<ElementAddress> address = getElementAddress(store, values);
  if (!address)
    return known.clear();
  llvm::erase_if(known, [&](const KnownElement &element) {
    if (element.address.root != address->root)
      return mayAlias(element.address.root, address->root);
    SmallVector<Polynomial> strides(element.address.strides);
    llvm::append_range(strides, address->strides);
    return !provesNonZero(element.address.offset - address->offset, strides,
                          facts, values);
  });
  known.push_back({*address, value});
}

bool StoreForwarder::visitLoad(Operation *load) {
  std::optional<ElementAddress> address = getElementAddress(load, values);
  if (!address)
    return false;
  for (const KnownElement &element : known)
    if (element.address.root == address->root &&
        element.address.offset == address->offset &&
        element.value.getType() == load->getResult(0).getType()) {
      load->getResult(0).replaceAllUsesWith(element.value);
      load->erase();
      return true;
    }
  return false;
}

unsigned StoreForwarder::run(Block &block) {
  unsigned forwarded = 0;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (Value value = storedValue(&op))
      visitStore(&op, value);
    else if (isa<affine::AffineLoadOp, memref::LoadOp>(op))
      forwarded += visitLoad(&op);
    else if (!isMemoryEffectFree(&op) &&
             !hasSingleEffect<MemoryEffects::Read>(&op))
      known.clear();
  }
  return forwarded;
}

unsigned gpuopt::forwardStores(gpu::GPUFuncOp kernel, Block &block) {
  return StoreForwarder(kernel, block).run(block);
}
