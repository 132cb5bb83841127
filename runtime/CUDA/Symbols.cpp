//===- Symbols.cpp - variables of the device ------------------------------===//

#include "runtime/CUDA/Graphs.h"
#include "runtime/CUDA/Program.h"

#include <cstring>

using namespace gpuopt;
using namespace gpuopt::cuda;

/// Calls `use` with the bytes of a variable from `offset` on, of which there
/// are `bytes`.
template <class Use>
static cudaError_t withVariable(const void *symbol, size_t bytes, size_t offset,
                                Use use) {
  return call([&](Program &program) {
    Variable *variable = symbol ? program.findVariable(symbol) : nullptr;
    if (!variable)
      return cudaErrorInvalidSymbol;
    if (offset > variable->bytes || bytes > variable->bytes - offset)
      return cudaErrorInvalidValue;
    auto storage = program.storage(*variable);
    if (!storage)
      return report(storage.takeError(), cudaErrorInvalidSymbol);
    return use(program, storage->data() + offset, *variable);
  });
}

static cudaError_t copy(Program &program, void *to, const void *from,
                        size_t bytes) {
  if (GPU *gpu = program.gpu())
    return bytes ? gpu->copy({to, bytes, from, bytes, bytes}) : cudaSuccess;
  std::memcpy(to, from, bytes);
  program.memory.noteWrite(to, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from,
                               size_t bytes, size_t offset, cudaMemcpyKind) {
  return withVariable(symbol, bytes, offset,
                      [&](Program &program, uint8_t *place, const Variable &) {
                        return copy(program, place, from, bytes);
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
                                 size_t offset, cudaMemcpyKind) {
  return withVariable(symbol, bytes, offset,
                      [&](Program &program, uint8_t *place, const Variable &) {
                        return copy(program, to, place, bytes);
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
  if (!pointer)
    return remember(cudaErrorInvalidValue);
  return withVariable(symbol, 0, 0,
                      [&](Program &, uint8_t *place, const Variable &) {
                        *pointer = place;
                        return cudaSuccess;
                      });
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  if (!bytes)
    return remember(cudaErrorInvalidValue);
  return withVariable(symbol, 0, 0,
                      [&](Program &, uint8_t *, const Variable &variable) {
                        *bytes = variable.bytes;
                        return cudaSuccess;
                      });
}
