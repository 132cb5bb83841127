//===- Symbols.cpp - variables of the device ------------------------------===//

#include "runtime/CUDA/Graphs.h"
#include "runtime/CUDA/Program.h"

#include <cstring>
#include <utility>

using namespace gpuopt;
using namespace gpuopt::cuda;

namespace {
/// A variable, and its bytes from an offset on.
struct Part {
  uint8_t *begin = nullptr;
  uint64_t variableBytes = 0;
};
} // namespace

/// Finds `bytes` of a variable.
static cudaError_t findPart(Program &program, const void *symbol, size_t bytes,
                            size_t offset, Part &part) {
  Variable *variable = symbol ? program.findVariable(symbol) : nullptr;
  if (!variable)
    return cudaErrorInvalidSymbol;
  if (offset > variable->bytes || bytes > variable->bytes - offset)
    return cudaErrorInvalidValue;
  auto storage = program.storage(*variable);
  if (!storage)
    return report(storage.takeError(), cudaErrorInvalidSymbol);
  part = {storage->data() + offset, variable->bytes};
  return cudaSuccess;
}

/// Copies from or to a part of a variable: `sides` says which, given its place.
template <class Sides>
static cudaError_t copyPart(const void *symbol, size_t bytes, size_t offset,
                            Sides sides) {
  Part part;
  return callOnDevice(
      [&](Program &program) {
        return findPart(program, symbol, bytes, offset, part);
      },
      [&](GPU &gpu) {
        auto [to, from] = sides(part.begin);
        return bytes ? gpu.finish(gpu.copy({to, bytes, from, bytes, bytes}))
                     : cudaSuccess;
      },
      [&](Program &program) {
        auto [to, from] = sides(part.begin);
        std::memcpy(to, from, bytes);
        program.memory.noteWrite(to, bytes);
        return cudaSuccess;
      });
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from,
                               size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost)
    return remember(cudaErrorInvalidMemcpyDirection);
  if (bytes && !from)
    return remember(cudaErrorInvalidValue);
  return copyPart(symbol, bytes, offset, [&](void *place) {
    return std::pair<void *, const void *>(place, from);
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from,
                                    size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream, cudaGraphNodeTypeMemcpy, [=] {
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
  });
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
                                 size_t offset, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice)
    return remember(cudaErrorInvalidMemcpyDirection);
  if (bytes && !to)
    return remember(cudaErrorInvalidValue);
  return copyPart(symbol, bytes, offset, [&](void *place) {
    return std::pair<void *, const void *>(to, place);
  });
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol,
                                      size_t bytes, size_t offset,
                                      cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return enqueue(stream, cudaGraphNodeTypeMemcpy, [=] {
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
  });
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
  return call([&](Program &program) {
    Part part;
    if (!pointer)
      return cudaErrorInvalidValue;
    cudaError_t error = findPart(program, symbol, 0, 0, part);
    if (error == cudaSuccess)
      *pointer = part.begin;
    return error;
  });
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  return call([&](Program &program) {
    Part part;
    if (!bytes)
      return cudaErrorInvalidValue;
    cudaError_t error = findPart(program, symbol, 0, 0, part);
    if (error == cudaSuccess)
      *bytes = part.variableBytes;
    return error;
  });
}
