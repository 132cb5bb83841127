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
    program.device();
    Variable *variable = symbol ? program.findVariable(symbol) : nullptr;
    if (!variable)
      return cudaErrorInvalidSymbol;
    if (offset > variable->bytes || bytes > variable->bytes - offset)
      return cudaErrorInvalidValue;
    auto storage = program.storage(*variable);
    if (!storage)
      return report(storage.takeError(), cudaErrorInvalidSymbol);
    use(program, storage->data() + offset, *variable);
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from,
                               size_t bytes, size_t offset, cudaMemcpyKind) {
  return withVariable(symbol, bytes, offset,
                      [&](Program &, uint8_t *place, const Variable &) {
                        std::memcpy(place, from, bytes);
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
                        std::memcpy(to, place, bytes);
                        program.memory.noteWrite(to, bytes);
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
  return withVariable(
      symbol, 0, 0,
      [&](Program &, uint8_t *place, const Variable &) { *pointer = place; });
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  if (!bytes)
    return remember(cudaErrorInvalidValue);
  return withVariable(symbol, 0, 0,
                      [&](Program &, uint8_t *, const Variable &variable) {
                        *bytes = variable.bytes;
                      });
}
