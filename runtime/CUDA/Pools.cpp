//===- Pools.cpp - pools of memory ----------------------------------------===//
//
// A pool keeps what has been freed, so that it need not be asked for again.
// Here asking costs nothing: pools hold settings, and nothing else.
//
//===----------------------------------------------------------------------===//

#include "runtime/CUDA/Program.h"

#include <set>

using namespace gpuopt;
using namespace gpuopt::cuda;

struct CUmemPoolHandle_st {
  std::map<cudaMemPoolAttr, uint64_t> attributes;
};

static std::set<cudaMemPool_t> &pools() {
  static auto &all = *new std::set<cudaMemPool_t>();
  return all;
}

/// The device's, as it was made.
static cudaMemPool_t defaultPool() {
  static auto *pool = new CUmemPoolHandle_st();
  pools().insert(pool);
  return pool;
}

static cudaMemPool_t &currentPool() {
  static cudaMemPool_t pool = defaultPool();
  return pool;
}

/// Calls `use` where the pool is one.
template <class Use>
static cudaError_t withPool(cudaMemPool_t pool, Use use) {
  return call([&](Program &program) {
    return pools().contains(pool) ? use(program) : cudaErrorInvalidValue;
  });
}

static cudaError_t givePool(cudaMemPool_t *pool, int device,
                            cudaMemPool_t given) {
  if (!pool)
    return cudaErrorInvalidValue;
  if (device != 0)
    return cudaErrorInvalidDevice;
  *pool = given;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  return call([&](Program &) { return givePool(pool, device, defaultPool()); });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return call([&](Program &) { return givePool(pool, device, currentPool()); });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return withPool(pool, [&](Program &) {
    if (device != 0)
      return cudaErrorInvalidDevice;
    currentPool() = pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                              const cudaMemPoolProps *properties) {
  return call([&](Program &) {
    if (!pool || !properties)
      return cudaErrorInvalidValue;
    if (properties->location.id != 0)
      return cudaErrorInvalidDevice;
    // Handles for other processes.
    if (properties->handleTypes != cudaMemHandleTypeNone)
      return cudaErrorNotSupported;
    *pool = new CUmemPoolHandle_st();
    pools().insert(*pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return withPool(pool, [&](Program &) {
    if (pool == defaultPool())
      return cudaErrorInvalidValue;
    if (pool == currentPool())
      currentPool() = defaultPool();
    pools().erase(pool);
    delete pool;
    return cudaSuccess;
  });
}

/// Those that count bytes have 64 bits, the others are an `int`.
static bool isWide(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolAttrReleaseThreshold;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
                                    cudaMemPoolAttr attribute, void *value) {
  return withPool(pool, [&](Program &) {
    if (!value)
      return cudaErrorInvalidValue;
    pool->attributes[attribute] = isWide(attribute)
                                      ? *static_cast<uint64_t *>(value)
                                      : *static_cast<int *>(value);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
                                    cudaMemPoolAttr attribute, void *value) {
  return withPool(pool, [&](Program &program) {
    if (!value)
      return cudaErrorInvalidValue;
    uint64_t found = pool->attributes[attribute];
    // What is reserved is what is used.
    if (attribute == cudaMemPoolAttrReservedMemCurrent ||
        attribute == cudaMemPoolAttrUsedMemCurrent)
      found = program.memory.allBytes() - program.memory.freeBytes();
    if (isWide(attribute))
      *static_cast<uint64_t *>(value) = found;
    else
      *static_cast<int *>(value) = int(found);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return withPool(pool, [](Program &) { return cudaSuccess; });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                 const cudaMemAccessDesc *accesses,
                                 size_t count) {
  return withPool(pool, [&](Program &) {
    for (size_t number = 0; number < count; ++number)
      if (accesses[number].location.id != 0)
        return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 cudaMemLocation *location) {
  return withPool(pool, [&](Program &) {
    if (!flags || !location)
      return cudaErrorInvalidValue;
    *flags = location->id == 0 ? cudaMemAccessFlagsProtReadWrite
                               : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes,
                                    cudaMemPool_t pool, cudaStream_t stream) {
  return withPool(
      pool, [&](Program &) { return cudaMallocAsync(pointer, bytes, stream); });
}
