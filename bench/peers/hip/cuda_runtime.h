//===- cuda_runtime.h - stands for the header where kernels are HIP --------===//
// hip.h has what they need.
