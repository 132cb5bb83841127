//===- CPUDnn.cpp - the functions of cuDNN that the runner calls ----------===//
//
// A plain convolution behind cuDNN's descriptors, for dry runs (CPUBlas.cpp).
//
//===----------------------------------------------------------------------===//

#include <cstddef>
#include <cstdint>

namespace {

enum Status { Success = 0, BadParameter = 3, NotSupported = 9 };

/// Any descriptor: of a tensor or filter its height and width, of a convolution
/// its border, stride and dilation.
struct Descriptor {
  int height = 0, width = 0;
  int pad = 0, stride = 1, dilation = 1;
};

int make(void **place) {
  *place = new Descriptor();
  return Success;
}
Descriptor &at(void *descriptor) {
  return *static_cast<Descriptor *>(descriptor);
}
int describe(void *descriptor, int n, int c, int h, int w) {
  at(descriptor) = {h, w};
  return n == 1 && c == 1 ? Success : NotSupported;
}

/// cudnnConvolutionFwdAlgoPerf_t
struct Algorithm {
  int algorithm, status;
  float time;
  size_t memory;
  int determinism, mathType, reserved[3];
};

} // namespace

extern "C" {

int cudnnCreate(void **handle) { return make(handle); }
int cudnnCreateTensorDescriptor(void **place) { return make(place); }
int cudnnCreateFilterDescriptor(void **place) { return make(place); }
int cudnnCreateConvolutionDescriptor(void **place) { return make(place); }

int cudnnSetTensor4dDescriptor(void *tensor, int format, int type, int n, int c,
                               int h, int w) {
  return format || type ? NotSupported : describe(tensor, n, c, h, w);
}
int cudnnSetFilter4dDescriptor(void *filter, int type, int format, int k, int c,
                               int h, int w) {
  return format || type ? NotSupported : describe(filter, k, c, h, w);
}
int cudnnSetConvolution2dDescriptor(void *convolution, int padH, int padW,
                                    int strideH, int strideW, int dilationH,
                                    int dilationW, int mode, int type) {
  if (padH != padW || strideH != strideW || dilationH != dilationW)
    return NotSupported;
  at(convolution) = {0, 0, padH, strideH, dilationH};
  return mode == 1 && type == 0 ? Success : NotSupported;
}
int cudnnSetConvolutionMathType(void *, int type) {
  return type == 3 ? Success : BadParameter; // no TF32
}

/// Two, of which the first cannot be had.
int cudnnGetConvolutionForwardAlgorithm_v7(void *, void *, void *, void *,
                                           void *, int wanted, int *returned,
                                           Algorithm *found) {
  if (wanted < 2)
    return BadParameter;
  *returned = 2;
  found[0] = {4, NotSupported, -1, 0, 0, 0, {}};
  found[1] = {1, Success, -1, 64, 0, 0, {}};
  return Success;
}

int cudnnConvolutionForward(void *, const float *alpha, void *image,
                            const float *x, void *filter, const float *w,
                            void *convolution, int algorithm, void *workspace,
                            size_t bytes, const float *beta, void *result,
                            float *y) {
  const Descriptor &in = at(image), &weights = at(filter), &out = at(result),
                   &how = at(convolution);
  auto extent = [&](int input, int kernel) {
    return (input + 2 * how.pad - how.dilation * (kernel - 1) - 1) /
               how.stride +
           1;
  };
  if (*alpha != 1 || *beta != 0 || algorithm != 1 || bytes < 64 || !workspace ||
      out.height != extent(in.height, weights.height) ||
      out.width != extent(in.width, weights.width))
    return BadParameter;
  for (int row = 0; row < out.height; ++row)
    for (int column = 0; column < out.width; ++column) {
      float sum = 0;
      for (int i = 0; i < weights.height; ++i)
        for (int j = 0; j < weights.width; ++j) {
          int r = row * how.stride - how.pad + i * how.dilation,
              c = column * how.stride - how.pad + j * how.dilation;
          if (r >= 0 && r < in.height && c >= 0 && c < in.width)
            sum += x[int64_t(r) * in.width + c] * w[i * weights.width + j];
        }
      y[int64_t(row) * out.width + column] = sum;
    }
  return Success;
}

} // extern "C"
