//===- ContextCache.h - what is computed once for a context -----*- C++ -*-===//
//
// A process that compiles thousands of kernels runs each pass as often; what a
// pass needs and only the context decides about is made by the first one.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_GPUOPT_CONTEXTCACHE_H
#define DIALECTS_GPUOPT_CONTEXTCACHE_H

#include "dialects/GPUOpt/GPUOptDialect.h"

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <mutex>

namespace gpuopt {

/// Belongs to the dialect, and so to the context. May be asked by several
/// threads.
class ContextCache : public mlir::DialectInterface::Base<ContextCache> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ContextCache)

  explicit ContextCache(mlir::Dialect *dialect) : Base(dialect) {}

  /// What `use` makes of the one `T` of `context`, which begins empty and which
  /// nobody else uses meanwhile.
  template <typename T>
  static auto with(mlir::MLIRContext *context,
                   llvm::function_ref<typename T::Result(T &)> use) {
    auto *cache = context->getOrLoadDialect<GPUOptDialect>()
                      ->getRegisteredInterface<ContextCache>();
    std::scoped_lock lock(cache->mutex);
    std::shared_ptr<void> &slot = cache->slots[&keyOf<T>];
    if (!slot)
      slot = std::make_shared<T>();
    return use(*static_cast<T *>(slot.get()));
  }

private:
  /// Its address stands for `T`.
  template <typename T>
  static inline char keyOf = 0;

  std::mutex mutex;
  llvm::DenseMap<void *, std::shared_ptr<void>> slots;
};

} // namespace gpuopt

#endif // DIALECTS_GPUOPT_CONTEXTCACHE_H
