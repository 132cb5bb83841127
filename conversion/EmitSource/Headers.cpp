//===- Headers.cpp - what a file of source must include -------------------===//

#include "conversion/EmitSource/Headers.h"

using namespace gpuopt;
using namespace gpuopt::source;

/// Which lane each kind of CUDA's shuffles reads among `width` lanes: its own
/// where there is none. OpenCL C's own kinds leave that open.
static constexpr const char *kShuffles = R"(
uint lane_at(uint lane, uint width) {
  return get_sub_group_local_id() / width * width + lane % width;
}
uint lane_above(uint by, uint width) {
  uint lane = get_sub_group_local_id();
  return lane % width >= by ? lane - by : lane;
}
uint lane_below(uint by, uint width) {
  uint lane = get_sub_group_local_id();
  return lane % width + by < width ? lane + by : lane;
}
uint lane_xor(uint by, uint width) {
  uint lane = get_sub_group_local_id();
  return (lane ^ by) / width <= lane / width ? lane ^ by : lane;
}
)";

/// For indices, whose values fit whatever `int` they are assigned to.
static constexpr const char *kMinimum =
    "static inline long long min(long long a, long long b) { "
    "return a < b ? a : b; }\n";
static constexpr const char *kMaximum =
    "static inline long long max(long long a, long long b) { "
    "return a > b ? a : b; }\n";

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
    write(Subgroups, "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n");
    write(Shuffles, kShuffles);
    return text;
  case OutputLanguage::C:
    write(Math, "#include <math.h>\n");
    text += "#include <stdbool.h>\n";
    write(Size, "#include <stddef.h>\n");
    write(Minimum, kMinimum);
    write(Maximum, kMaximum);
    return text;
  }
  write(Algorithm, "#include <algorithm>\n");
  return text;
}
