//===- FallbackLibrary.cpp - our own device mathematics -------------------===//

#include "conversion/EmitBinary/FallbackLibrary.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

namespace gpuopt {

static const unsigned char nvptxBitcode[] = {
#embed GPUOPT_FALLBACK_NVPTX
};

static const unsigned char amdgpuBitcode[] = {
#embed GPUOPT_FALLBACK_AMDGPU
};

template <size_t size>
static llvm::MemoryBufferRef makeBuffer(const unsigned char (&bytes)[size]) {
  return {llvm::StringRef(reinterpret_cast<const char *>(bytes), size),
          "gpuopt's device mathematics"};
}

llvm::MemoryBufferRef getFallbackLibrary(TargetAttr target) {
  return target.getVendor() == Vendor::NVIDIA ? makeBuffer(nvptxBitcode)
                                              : makeBuffer(amdgpuBitcode);
}

} // namespace gpuopt
