// What OpenCL C's functions give, as its specification says, seen on constants.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#define VALUE(NAME, TYPE, ...) __kernel void NAME(__global TYPE *a) { *a = __VA_ARGS__; }

// The type of the result is that of the arguments, or without a sign where that is needed.
// CHECK-LABEL: @absolute(
// CHECK:     constant(7 : i32)
VALUE(absolute, uint, abs(-7))
// CHECK-LABEL: @upper_half(
// CHECK:     constant(-1 : i32)
VALUE(upper_half, int, mul_hi(-3, 1 << 30))
// CHECK-LABEL: @zeros(
// CHECK:     constant(32 : i32)
VALUE(zeros, uint, clz(0u))
// CHECK-LABEL: @around(
// CHECK:     constant(24 : i32)
VALUE(around, uint, rotate(0x80000001u, 4u))
// CHECK-LABEL: @average(
// CHECK:     constant(2147483646 : i32)
VALUE(average, int, hadd(2147483647, 2147483645))

// Sums that stay in their type.
// CHECK-LABEL: @full(
// CHECK:     constant(2147483647 : i32)
VALUE(full, int, add_sat(2147483647, 5))
// CHECK-LABEL: @least(
// CHECK:     constant(-128 : i8)
VALUE(least, char, sub_sat((char)-100, (char)100))
// CHECK-LABEL: @ones(
// CHECK:     constant(8 : i32)
VALUE(ones, int, popcount(255))
// CHECK-LABEL: @within(
// CHECK:     constant(9 : i32)
VALUE(within, int, clamp(12, 0, 9))

// The third argument chooses the second one.
// CHECK-LABEL: @chosen(
// CHECK:     constant(2 : i32)
VALUE(chosen, int, select(1, 2, 1))
// CHECK-LABEL: @not_chosen(
// CHECK:     constant(1.000000e+00 : f32)
VALUE(not_chosen, float, select(1.0f, 2.0f, 0))

// Between two numbers, and steps from one to the other.
// CHECK-LABEL: @between(
// CHECK:     constant(2.500000e+00 : f32)
VALUE(between, float, mix(2.0f, 4.0f, 0.25f))
// CHECK-LABEL: @step_up(
// CHECK:     constant(1.000000e+00 : f32)
VALUE(step_up, float, step(1.0f, 1.0f))
// CHECK-LABEL: @smooth(
// CHECK:     constant(5.000000e-01 : f32)
VALUE(smooth, float, smoothstep(0.0f, 2.0f, 1.0f))
// CHECK-LABEL: @sign_of(
// CHECK:     constant(-1.000000e+00 : f32)
VALUE(sign_of, float, sign(-0.25f))

// The difference is not negative; that of a number and itself is zero, also where it is infinite, and NaN remains.
// CHECK-LABEL: @difference(
// CHECK:     constant(1.000000e+00 : f32)
VALUE(difference, float, fdim(3.0f, 2.0f))
// CHECK-LABEL: @no_difference(
// CHECK:     constant(0.000000e+00 : f32)
VALUE(no_difference, float, fdim(INFINITY, INFINITY))
// CHECK-LABEL: @difference_of_nan(
// CHECK:     constant(0x7F{{[CF]}}{{.*}} : f32)
VALUE(difference_of_nan, float, fdim(NAN, 1.0f))

// The magnitude of the least number is none that `int` has, and products of 24 bits leave it, too.
// CHECK-LABEL: @magnitude(
// CHECK:     constant(-2147483648 : i32)
VALUE(magnitude, uint, abs((int)0x80000000))
// CHECK-LABEL: @product_of_24_bits(
// CHECK:     constant(-16777216 : i32)
VALUE(product_of_24_bits, int, mul24(0x7fffff, 0x2000000 >> 1))
// CHECK-LABEL: @product_and_sum(
// CHECK:     constant(5 : i32)
VALUE(product_and_sum, int, mad24((int2)(1, 2), (int2)(3, 2), (int2)(0, 1)).y)

// Lanes are named by letters or numbers, in any order.
// CHECK-LABEL: @lane(
// CHECK:     constant(3.000000e+00 : f32)
VALUE(lane, float, ((float4)(1.0f, 2.0f, 3.0f, 4.0f)).wzyx.s1)
// CHECK-LABEL: @product(
// CHECK:     constant(3.200000e+01 : f32)
VALUE(product, float, dot((float3)(1.0f, 2.0f, 3.0f), (float3)(4.0f, 5.0f, 6.0f)))
// CHECK-LABEL: @cross_product(
// CHECK:     constant(1.000000e+00 : f32)
VALUE(cross_product, float, cross((float3)(1.0f, 0.0f, 0.0f), (float3)(0.0f, 1.0f, 0.0f)).z)
// CHECK-LABEL: @long_way(
// CHECK:     constant(5.000000e+00 : f32)
VALUE(long_way, float, length((float2)(3.0f, 4.0f)))

// Conversions, and the same bits as another type.
// CHECK-LABEL: @converted(
// CHECK:     constant(-2 : i32)
VALUE(converted, int, convert_int(-2.75f))
// CHECK-LABEL: @same_bits(
// CHECK:     constant(1065353216 : i32)
VALUE(same_bits, int, as_int(1.0f))

// A kernel starts where its range does, and has a size of 1 along dimensions that there are not.
// CHECK-LABEL: @offset(
// CHECK:     constant(0 : i64)
VALUE(offset, ulong, get_global_offset(0))
// CHECK-LABEL: @fourth(
// CHECK:     constant(1 : i64)
VALUE(fourth, ulong, get_local_size(3))
