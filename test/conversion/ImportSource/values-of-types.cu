// What functions of halves, bfloat16 and complex numbers give, seen on constants.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>
#define VALUE(NAME, TYPE, ...) extern "C" __global__ void NAME(TYPE *a) { *a = __VA_ARGS__; }

// A half has 11 bits, of which the first is not written: 1.5 is 0x3e00.
// CHECK-LABEL: @bits_of_half(
// CHECK:     constant(15872 : i16)
VALUE(bits_of_half, unsigned short, __half_as_ushort(__float2half(1.5f)))

// 2049 lies between two halves, and 2048 is the even one.
// CHECK-LABEL: @rounded(
// CHECK:     constant(2.048000e+03 : f32)
VALUE(rounded, float, __half2float(__int2half_rn(2049)))

// A double is rounded once: by way of a float this one would be 1.
// CHECK-LABEL: @rounded_once(
// CHECK:     constant(1.00097656 : f32)
VALUE(rounded_once, float, __half2float(__double2half(1.0 + 0x1p-11 + 0x1p-40)))
// CHECK-LABEL: @too_large(
// CHECK:     constant(31744 : i16)
VALUE(too_large, unsigned short, __half_as_ushort(__float2half(70000.0f)))
// CHECK-LABEL: @half_down(
// CHECK:     constant(-2 : i32)
VALUE(half_down, int, __half2int_rd(__float2half(-1.5f)))

// Pairs: the low half is the first.
// CHECK-LABEL: @lower_half(
// CHECK:     constant(3.000000e+00 : f32)
VALUE(lower_half, float, __low2float(make_half2(__float2half(3.0f), __float2half(4.0f))))
// CHECK-LABEL: @swapped(
// CHECK:     constant(4.000000e+00 : f32)
VALUE(swapped, float, __low2float(__lowhigh2highlow(__floats2half2_rn(3.0f, 4.0f))))

// Both have to be equal, or both unequal: neither is so here.
// CHECK-LABEL: @equal_halves(
// CHECK:     constant(0 : i8)
VALUE(equal_halves, bool, __hbeq2(__float2half2_rn(1.0f), __floats2half2_rn(1.0f, 2.0f)))
// CHECK-LABEL: @unequal_halves(
// CHECK:     constant(0 : i8)
VALUE(unequal_halves, bool, __hbne2(__float2half2_rn(1.0f), __floats2half2_rn(1.0f, 2.0f)))
// CHECK-LABEL: @which_are(
// CHECK:     constant(1.000000e+00 : f32)
VALUE(which_are, float, __high2float(__hne2(__float2half2_rn(1.0f), __floats2half2_rn(1.0f, 2.0f))))

// A product and a sum in one rounding: the product alone would be 1.
// CHECK-LABEL: @fused(
// CHECK:     constant(-9.53674316E-7 : f32)
VALUE(fused, float, __half2float(__hfma(__float2half(1.0009765625f), __float2half(0.9990234375f), __float2half(-1.0f))))

// A bfloat16 is the upper half of a float, rounded to the nearest.
// CHECK-LABEL: @bits_of_bfloat(
// CHECK:     constant(16457 : i16)
VALUE(bits_of_bfloat, unsigned short, __bfloat16_as_ushort(__float2bfloat16(3.14159274f)))
// CHECK-LABEL: @bfloat_sum(
// CHECK:     constant(2.560000e+02 : f32)
VALUE(bfloat_sum, float, __bfloat162float(__hadd(__float2bfloat16(256.0f), __float2bfloat16(1.0f))))

// Complex numbers are pairs: (1 + 2i) * (3 - i) = 5 + 5i.
// CHECK-LABEL: @imaginary(
// CHECK:     constant(5.000000e+00 : f32)
VALUE(imaginary, float, cuCimagf(cuCmulf(make_cuFloatComplex(1, 2), make_cuFloatComplex(3, -1))))
// CHECK-LABEL: @quotient(
// CHECK:     constant(1.000000e+00 : f32)
VALUE(quotient, float, cuCrealf(cuCdivf(make_cuFloatComplex(5, 5), make_cuFloatComplex(3, -1))))
// CHECK-LABEL: @conjugate(
// CHECK:     constant(-2.000000e+00 : f64)
VALUE(conjugate, double, cuCimag(cuConj(make_cuDoubleComplex(1, 2))))

// Constants by CUDA's names.
// CHECK-LABEL: @pi(
// CHECK:     constant(3.14159274 : f32)
VALUE(pi, float, CUDART_PI_F)
// CHECK-LABEL: @infinity(
// CHECK:     constant(0xFF800000 : f32)
VALUE(infinity, float, -CUDART_INF_F)
