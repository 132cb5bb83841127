//===- Dnn.h - convolutions by cuDNN ----------------------------*- C++ -*-===//
//
// One image of one channel, one filter; plain float32 (no TF32). cuDNN orders
// its algorithms by what it expects of them; the first one that it finds able
// is taken.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_RUNNER_DNN_H
#define BENCH_RUNNER_DNN_H

#include "Library.h"
#include "Plan.h"

#include <memory>

namespace bench {

class Dnn : public Library {
public:
  Dnn(const Driver &driver, const std::string &path)
      : Library(path, {"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so"}),
        driver(driver) {
    prepare([&] {
      check(call<int(Handle *)>("cudnnCreate")(&handle), "cudnnCreate");
    });
  }

  PeerCall find(const Case &entry) {
    auto problem = std::make_shared<Problem>();
    describe(*problem, shapeOf(entry));
    std::vector<Algorithm> found = candidates(*problem);
    auto usable = std::find_if(found.begin(), found.end(), [](auto &entry) {
      return !entry.status && entry.workspaceBytes <= maxWorkspace;
    });
    if (usable == found.end())
      throw LibraryError("cuDNN has no algorithm for this convolution");
    problem->algorithm = usable->algorithm;
    problem->workspaceBytes = usable->workspaceBytes;
    problem->workspace = driver.scratch(usable->workspaceBytes);
    auto *forward = call<int(Handle, const float *, Handle, DevicePointer,
                             Handle, DevicePointer, Handle, int, DevicePointer,
                             size_t, const float *, Handle, DevicePointer)>(
        "cudnnConvolutionForward");
    return [=, this](const std::vector<DevicePointer> &at) {
      const float one = 1, zero = 0;
      check(forward(handle, &one, problem->image, at[0], problem->filter, at[1],
                    problem->convolution, problem->algorithm,
                    *problem->workspace, problem->workspaceBytes, &zero,
                    problem->result, at[2]),
            "cudnnConvolutionForward");
    };
  }

private:
  static constexpr size_t maxWorkspace = size_t(8) << 30;

  struct Shape {
    int h, w, inputH, inputW, kernelH, kernelW;
    int pad = 0, stride = 1, dilation = 1;
  };
  struct Problem {
    Handle image = nullptr, filter = nullptr, result = nullptr,
           convolution = nullptr;
    int algorithm = 0;
    std::shared_ptr<DevicePointer> workspace;
    size_t workspaceBytes = 0;
  };
  /// cudnnConvolutionFwdAlgoPerf_t
  struct Algorithm {
    int algorithm, status;
    float milliseconds;
    size_t workspaceBytes;
    int determinism, mathType, reserved[3];
  };

  static Shape shapeOf(const Case &entry) {
    auto size = [&](const char *name) { return int(entry.scalars.at(name)); };
    int h = size("h"), w = size("w");
    if (entry.kernel == "conv") {
      int kh = size("kh"), kw = size("kw");
      return {h, w, h + kh - 1, w + kw - 1, kh, kw};
    }
    if (entry.kernel == "conv_zero") {
      int r = size("r");
      return {h, w, h, w, 2 * r + 1, 2 * r + 1, r};
    }
    if (entry.kernel == "dilated") {
      int d = size("d");
      return {h, w, h + 2 * d, w + 2 * d, 3, 3, 0, 1, d};
    }
    if (entry.kernel == "strided")
      return {h, w, 2 * h + 1, 2 * w + 1, 3, 3, 0, 2};
    throw std::runtime_error("no convolution '" + entry.kernel + "'");
  }

  void describe(Problem &problem, const Shape &shape) {
    enum { NCHW = 0, Float = 0, CrossCorrelation = 1, FMA = 3 };
    auto tensor = [&](Handle *place, int h, int w) {
      check(call<int(Handle *)>("cudnnCreateTensorDescriptor")(place),
            "tensor descriptor");
      check(call<int(Handle, int, int, int, int, int, int)>(
                "cudnnSetTensor4dDescriptor")(*place, NCHW, Float, 1, 1, h, w),
            "tensor descriptor");
    };
    tensor(&problem.image, shape.inputH, shape.inputW);
    tensor(&problem.result, shape.h, shape.w);
    check(call<int(Handle *)>("cudnnCreateFilterDescriptor")(&problem.filter),
          "filter descriptor");
    check(call<int(Handle, int, int, int, int, int, int)>(
              "cudnnSetFilter4dDescriptor")(problem.filter, Float, NCHW, 1, 1,
                                            shape.kernelH, shape.kernelW),
          "filter descriptor");
    check(call<int(Handle *)>("cudnnCreateConvolutionDescriptor")(
              &problem.convolution),
          "convolution descriptor");
    check(call<int(Handle, int, int, int, int, int, int, int, int)>(
              "cudnnSetConvolution2dDescriptor")(
              problem.convolution, shape.pad, shape.pad, shape.stride,
              shape.stride, shape.dilation, shape.dilation, CrossCorrelation,
              Float),
          "convolution descriptor");
    check(call<int(Handle, int)>("cudnnSetConvolutionMathType")(
              problem.convolution, FMA),
          "math type");
  }

  std::vector<Algorithm> candidates(const Problem &problem) {
    std::vector<Algorithm> found(8);
    int count = 0;
    check(call<int(Handle, Handle, Handle, Handle, Handle, int, int *,
                   Algorithm *)>("cudnnGetConvolutionForwardAlgorithm_v7")(
              handle, problem.image, problem.filter, problem.convolution,
              problem.result, int(found.size()), &count, found.data()),
          "algorithms");
    found.resize(count);
    return found;
  }

  const Driver &driver;
  Handle handle = nullptr;
};

} // namespace bench

#endif // BENCH_RUNNER_DNN_H
