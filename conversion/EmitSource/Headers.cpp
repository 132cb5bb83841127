//===- Headers.cpp - what a file of source must include -------------------===//

#include "conversion/EmitSource/Headers.h"

using namespace gpuopt;
using namespace gpuopt::source;

std::string Headers::text(OutputLanguage language) const {
  std::string text;
  auto write = [&](Need need, const char *line) {
    if (needs.contains(need))
      text += line;
  };
  switch (language) {
  case OutputLanguage::CUDA:
    write(BFloat16, "#include <cuda_bf16.h>\n");
    write(Half, "#include <cuda_fp16.h>\n");
    write(Pipeline, "#include <cuda_pipeline.h>\n");
    write(CooperativeGroups, "#include <cooperative_groups.h>\n");
    text += "#include <cuda_runtime.h>\n";
    break;
  case OutputLanguage::HIP:
    write(BFloat16, "#include <hip/hip_bf16.h>\n");
    write(Half, "#include <hip/hip_fp16.h>\n");
    text += "#include <hip/hip_runtime.h>\n";
    write(CooperativeGroups, "#include <hip/hip_cooperative_groups.h>\n");
    break;
  case OutputLanguage::OpenCL:
    write(Double, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    write(Half, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    return text;
  }
  write(Algorithm, "#include <algorithm>\n");
  return text;
}
