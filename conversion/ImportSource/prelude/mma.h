// Products of matrices by a subgroup (`nvcuda::wmma`): Clang's builtins, which
// are PTX's wmma instructions. Fragments have as many elements as in the SDK.

#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if __HIP__ || __AMDGPU__
#error mma.h is for NVIDIA's GPUs only
#endif

#define __GPUOPT_WMMA__ static __inline__ __attribute__((device, always_inline, unused))

namespace nvcuda {
namespace wmma {
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}
enum layout_t { mem_row_major, mem_col_major };

template <class T, int Size> struct __align__(8) __frag_base {
  enum { num_elements = Size, num_storage_elements = Size };
  typedef T element_type;
  typedef T storage_element_type;
  T x[Size];
};
template <class Use, int M, int N, int K, class T, class Layout = void> class fragment;

template <class Layout> struct __is_col;
template <> struct __is_col<row_major> {
  static constexpr int value = 0;
};
template <> struct __is_col<col_major> {
  static constexpr int value = 1;
};
template <class T> struct __same {
  typedef T type;
};

template <class T, int Size> __GPUOPT_WMMA__ void fill_fragment(__frag_base<T, Size> &f, const typename __same<T>::type &value) {
  for (int i = 0; i < Size; ++i)
    f.x[i] = value;
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__GPUOPT_WMMA__ float __float_to_tf32(float x) { return __builtin_bit_cast(float, __nvvm_f2tf32_rna(x)); }
#endif

// A factor: its elements in memory and in fragments, how many of them a lane
// has, and as what the builtin takes both.
#define __GPUOPT_FACTOR__(USE, M, N, K, T, MEMORY, SIZE, WORD, LOAD)                                                     \
  template <class Layout> class fragment<USE, M, N, K, T, Layout> : public __frag_base<MEMORY, SIZE> {};                 \
  template <class Layout> __GPUOPT_WMMA__ void load_matrix_sync(fragment<USE, M, N, K, T, Layout> &f, const MEMORY *p, unsigned ldm) { \
    LOAD((WORD *)f.x, (const WORD *)p, ldm, __is_col<Layout>::value);                                                    \
  }
#define __GPUOPT_SUM__(M, N, K, T, SIZE, WORD, LOAD, STORE)                                                              \
  template <> class fragment<accumulator, M, N, K, T> : public __frag_base<T, SIZE> {};                                  \
  __GPUOPT_WMMA__ void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p, unsigned ldm, layout_t layout) { \
    if (layout == mem_row_major)                                                                                         \
      LOAD((WORD *)f.x, (const WORD *)p, ldm, 0);                                                                        \
    else                                                                                                                 \
      LOAD((WORD *)f.x, (const WORD *)p, ldm, 1);                                                                        \
  }                                                                                                                      \
  __GPUOPT_WMMA__ void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f, unsigned ldm, layout_t layout) { \
    if (layout == mem_row_major)                                                                                         \
      STORE((WORD *)p, (const WORD *)f.x, ldm, 0);                                                                       \
    else                                                                                                                 \
      STORE((WORD *)p, (const WORD *)f.x, ldm, 1);                                                                       \
  }
#define __GPUOPT_PRODUCT__(M, N, K, T, NEW, NEW_WORD, OLD, OLD_WORD, WORD, MULTIPLY)                                     \
  template <class A, class B>                                                                                            \
  __GPUOPT_WMMA__ void mma_sync(fragment<accumulator, M, N, K, NEW> &d, const fragment<matrix_a, M, N, K, T, A> &a,      \
                                const fragment<matrix_b, M, N, K, T, B> &b, const fragment<accumulator, M, N, K, OLD> &c) { \
    MULTIPLY((NEW_WORD *)d.x, (const WORD *)a.x, (const WORD *)b.x, (const OLD_WORD *)c.x,                               \
             2 * __is_col<A>::value + __is_col<B>::value, 0);                                                            \
  }
// Sums of integers wrap around, or end at the largest and the smallest.
#define __GPUOPT_INTEGER_PRODUCT__(M, N, K, T, MULTIPLY)                                                                 \
  template <class A, class B>                                                                                            \
  __GPUOPT_WMMA__ void mma_sync(fragment<accumulator, M, N, K, int> &d, const fragment<matrix_a, M, N, K, T, A> &a,      \
                                const fragment<matrix_b, M, N, K, T, B> &b, const fragment<accumulator, M, N, K, int> &c, bool saturate = false) { \
    constexpr int layout = 2 * __is_col<A>::value + __is_col<B>::value;                                                  \
    if (saturate)                                                                                                        \
      MULTIPLY(d.x, (const int *)a.x, (const int *)b.x, c.x, layout, 1);                                                 \
    else                                                                                                                 \
      MULTIPLY(d.x, (const int *)a.x, (const int *)b.x, c.x, layout, 0);                                                 \
  }

#define __GPUOPT_SHAPE__(M, N, K, SHAPE, A, B)                                                                           \
  __GPUOPT_FACTOR__(matrix_a, M, N, K, __half, __half, 16, int, __hmma_##SHAPE##_ld_a)                                   \
  __GPUOPT_FACTOR__(matrix_b, M, N, K, __half, __half, 16, int, __hmma_##SHAPE##_ld_b)                                   \
  __GPUOPT_FACTOR__(matrix_a, M, N, K, __nv_bfloat16, __nv_bfloat16, A, int, __mma_bf16_##SHAPE##_ld_a)                  \
  __GPUOPT_FACTOR__(matrix_b, M, N, K, __nv_bfloat16, __nv_bfloat16, B, int, __mma_bf16_##SHAPE##_ld_b)                  \
  __GPUOPT_FACTOR__(matrix_a, M, N, K, signed char, signed char, A, int, __imma_##SHAPE##_ld_a_s8)                       \
  __GPUOPT_FACTOR__(matrix_b, M, N, K, signed char, signed char, B, int, __imma_##SHAPE##_ld_b_s8)                       \
  __GPUOPT_FACTOR__(matrix_a, M, N, K, unsigned char, unsigned char, A, int, __imma_##SHAPE##_ld_a_u8)                   \
  __GPUOPT_FACTOR__(matrix_b, M, N, K, unsigned char, unsigned char, B, int, __imma_##SHAPE##_ld_b_u8)                   \
  __GPUOPT_SUM__(M, N, K, __half, 8, int, __hmma_##SHAPE##_ld_c_f16, __hmma_##SHAPE##_st_c_f16)                          \
  __GPUOPT_SUM__(M, N, K, float, 8, float, __hmma_##SHAPE##_ld_c_f32, __hmma_##SHAPE##_st_c_f32)                         \
  __GPUOPT_SUM__(M, N, K, int, 8, int, __imma_##SHAPE##_ld_c, __imma_##SHAPE##_st_c_i32)                                 \
  __GPUOPT_PRODUCT__(M, N, K, __half, __half, int, __half, int, int, __hmma_##SHAPE##_mma_f16f16)                        \
  __GPUOPT_PRODUCT__(M, N, K, __half, __half, int, float, float, int, __hmma_##SHAPE##_mma_f16f32)                       \
  __GPUOPT_PRODUCT__(M, N, K, __half, float, float, __half, int, int, __hmma_##SHAPE##_mma_f32f16)                       \
  __GPUOPT_PRODUCT__(M, N, K, __half, float, float, float, float, int, __hmma_##SHAPE##_mma_f32f32)                      \
  __GPUOPT_PRODUCT__(M, N, K, __nv_bfloat16, float, float, float, float, int, __mma_bf16_##SHAPE##_mma_f32)              \
  __GPUOPT_INTEGER_PRODUCT__(M, N, K, signed char, __imma_##SHAPE##_mma_s8)                                              \
  __GPUOPT_INTEGER_PRODUCT__(M, N, K, unsigned char, __imma_##SHAPE##_mma_u8)
__GPUOPT_SHAPE__(16, 16, 16, m16n16k16, 8, 8)
__GPUOPT_SHAPE__(32, 8, 16, m32n8k16, 16, 4)
__GPUOPT_SHAPE__(8, 32, 16, m8n32k16, 4, 16)

__GPUOPT_FACTOR__(matrix_a, 16, 16, 8, precision::tf32, float, 4, int, __mma_tf32_m16n16k8_ld_a)
__GPUOPT_FACTOR__(matrix_b, 16, 16, 8, precision::tf32, float, 4, int, __mma_tf32_m16n16k8_ld_b)
__GPUOPT_SUM__(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
__GPUOPT_PRODUCT__(16, 16, 8, precision::tf32, float, float, float, float, int, __mma_tf32_m16n16k8_mma_f32)

__GPUOPT_FACTOR__(matrix_a, 8, 8, 4, double, double, 1, double, __dmma_m8n8k4_ld_a)
__GPUOPT_FACTOR__(matrix_b, 8, 8, 4, double, double, 1, double, __dmma_m8n8k4_ld_b)
__GPUOPT_SUM__(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
__GPUOPT_PRODUCT__(8, 8, 4, double, double, double, double, double, double, __dmma_m8n8k4_mma_f64)

#undef __GPUOPT_FACTOR__
#undef __GPUOPT_SUM__
#undef __GPUOPT_PRODUCT__
#undef __GPUOPT_INTEGER_PRODUCT__
#undef __GPUOPT_SHAPE__
} // namespace wmma
} // namespace nvcuda
#undef __GPUOPT_WMMA__
