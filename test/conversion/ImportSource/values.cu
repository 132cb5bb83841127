// What CUDA's functions give, as its documentation says, seen on constants: nothing of the functions is left.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

#include <cmath>
#include <cuda_runtime.h>
#define VALUE(NAME, TYPE, ...) extern "C" __global__ void NAME(TYPE *a) { *a = __VA_ARGS__; }

// Bits are counted from the lowest one, 1; zero has none.
// CHECK-LABEL: @first_bit(
// CHECK:     constant(4 : i32)
VALUE(first_bit, int, __ffs(24))
// CHECK-LABEL: @no_bit(
// CHECK:     constant(0 : i32)
VALUE(no_bit, int, __ffs(0))

// Zero is nothing but leading zeros.
// CHECK-LABEL: @zeros_of_zero(
// CHECK:     constant(32 : i32)
VALUE(zeros_of_zero, int, __clz(0))
// CHECK-LABEL: @zeros_of_long(
// CHECK:     constant(23 : i32)
VALUE(zeros_of_long, int, __clzll(1ll << 40))
// CHECK-LABEL: @reversed(
// CHECK:     constant(-2147483648 : i32)
VALUE(reversed, unsigned, __brev(1u))
// CHECK-LABEL: @ones_of_long(
// CHECK:     constant(64 : i32)
VALUE(ones_of_long, int, __popcll(-1ll))

// The low 24 bits count, with the sign of the 24th.
// CHECK-LABEL: @low_24_bits(
// CHECK:     constant(15 : i32)
VALUE(low_24_bits, int, __mul24(0x1000003, 5))
// CHECK-LABEL: @low_24_signed(
// CHECK:     constant(-5 : i32)
VALUE(low_24_signed, int, __mul24(0xffffff, 5))
// CHECK-LABEL: @low_24_wrapping(
// CHECK:     constant(1 : i32)
VALUE(low_24_wrapping, int, __mul24(0xffffff, 0xffffff))
// CHECK-LABEL: @low_24_beyond(
// CHECK:     constant(-16777215 : i32)
VALUE(low_24_beyond, int, __mul24(0x7fffff, 0x7fffff))
// CHECK-LABEL: @low_24_unsigned(
// CHECK:     constant(83886075 : i32)
VALUE(low_24_unsigned, unsigned, __umul24(0xffffff, 5))

// Upper halves of products: -3 * 2^30 is less than zero, (2^32 - 1)^2 is 2^64 - 2^33 + 1.
// CHECK-LABEL: @upper_half(
// CHECK:     constant(-1 : i32)
VALUE(upper_half, int, __mulhi(-3, 1 << 30))
// CHECK-LABEL: @upper_unsigned(
// CHECK:     constant(-2 : i32)
VALUE(upper_unsigned, unsigned, __umulhi(0xffffffffu, 0xffffffffu))
// CHECK-LABEL: @upper_64(
// CHECK:     constant(3 : i64)
VALUE(upper_64, unsigned long long, __umul64hi(1ull << 63, 6))

// A difference is taken either way, and averages are rounded down or up without leaving `int`.
// CHECK-LABEL: @difference(
// CHECK:     constant(112 : i32)
VALUE(difference, unsigned, __sad(-5, 7, 100))
// CHECK-LABEL: @average_down(
// CHECK:     constant(-4 : i32)
VALUE(average_down, int, __hadd(-3, -4))
// CHECK-LABEL: @average_up(
// CHECK:     constant(2147483646 : i32)
VALUE(average_up, int, __rhadd(2147483647, 2147483645))

// Of 64 bits, the high word first, that are shifted: the upper or the lower 32. The shift is taken modulo 32, or is 32 at most.
// CHECK-LABEL: @funnel_left(
// CHECK:     constant(24 : i32)
VALUE(funnel_left, unsigned, __funnelshift_l(0x80000000u, 1, 4))
// CHECK-LABEL: @funnel_right(
// CHECK:     constant(-1610612735 : i32)
VALUE(funnel_right, unsigned, __funnelshift_r(0x10, 0xa, 4))
// CHECK-LABEL: @funnel_around(
// CHECK:     constant(16 : i32)
VALUE(funnel_around, unsigned, __funnelshift_l(0, 1, 36))
// CHECK-LABEL: @funnel_clamped(
// CHECK:     constant(7 : i32)
VALUE(funnel_clamped, unsigned, __funnelshift_lc(7, 1, 40))

// Half of an odd number is nearest to two integers: the even one.
// CHECK-LABEL: @nearest(
// CHECK:     constant(2 : i32)
VALUE(nearest, int, __float2int_rn(2.5f))
// CHECK-LABEL: @to_zero(
// CHECK:     constant(-2 : i32)
VALUE(to_zero, int, __float2int_rz(-2.5f))
// CHECK-LABEL: @up(
// CHECK:     constant(3 : i32)
VALUE(up, int, __float2int_ru(2.1f))
// CHECK-LABEL: @down(
// CHECK:     constant(-3 : i32)
VALUE(down, int, __float2int_rd(-2.1f))
// CHECK-LABEL: @nearest_of_double(
// CHECK:     constant(-4 : i64)
VALUE(nearest_of_double, long long, __double2ll_rn(-3.5))

// The same bits as another type.
// CHECK-LABEL: @bits_of(
// CHECK:     constant(1065353216 : i32)
VALUE(bits_of, int, __float_as_int(1.0f))
// CHECK-LABEL: @from_bits(
// CHECK:     constant(3.14159274 : f32)
VALUE(from_bits, float, __int_as_float(0x40490fdb))
// CHECK-LABEL: @high_word(
// CHECK:     constant(1072693248 : i32)
VALUE(high_word, int, __double2hiint(1.0))
// CHECK-LABEL: @of_words(
// CHECK:     constant(2.000000e+00 : f64)
VALUE(of_words, double, __hiloint2double(0x40000000, 0))

// As in C, an unsigned number makes the other one unsigned.
// CHECK-LABEL: @smaller(
// CHECK:     constant(5 : i32)
VALUE(smaller, unsigned, min(-1, 5u))
// CHECK-LABEL: @larger(
// CHECK:     constant(-1 : i32)
VALUE(larger, unsigned, max(-1, 5u))
// CHECK-LABEL: @larger_long(
// CHECK:     constant(5 : i64)
VALUE(larger_long, long long, max(-1, 5ll))

// Functions of reals.
// CHECK-LABEL: @saturated(
// CHECK:     constant(1.000000e+00 : f32)
VALUE(saturated, float, __saturatef(1.5f))
// CHECK-LABEL: @not_a_number(
// CHECK:     constant(2.000000e+00 : f32)
VALUE(not_a_number, float, fminf(NAN, 2.0f))
// CHECK-LABEL: @away_from_zero(
// CHECK:     constant(-3.000000e+00 : f32)
VALUE(away_from_zero, float, roundf(-2.5f))
// CHECK-LABEL: @to_even(
// CHECK:     constant(-2.000000e+00 : f32)
VALUE(to_even, float, rintf(-2.5f))
// CHECK-LABEL: @sign_of(
// CHECK:     constant(-3.000000e+00 : f32)
VALUE(sign_of, float, copysignf(3.0f, -0.0f))
// CHECK-LABEL: @scaled(
// CHECK:     constant(1.200000e+01 : f64)
VALUE(scaled, double, ldexp(0.75, 4))
// CHECK-LABEL: @is_infinite(
// CHECK:     constant(1 : i8)
VALUE(is_infinite, bool, isinf(-INFINITY))
