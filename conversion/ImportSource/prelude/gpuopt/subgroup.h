// Barriers, fences, shuffles and votes.

#pragma once

// A macro, because Clang knows a builtin of that name on one of the targets.
#define __syncthreads() __gpuopt_barrier()
__GPUOPT_DEVICE__ int __syncthreads_count(int p) { return __gpuopt_barrier_count(p != 0); }
__GPUOPT_DEVICE__ int __syncthreads_or(int p) { return __gpuopt_barrier_count(p != 0) != 0; }
__GPUOPT_DEVICE__ int __syncthreads_and(int p) { return __gpuopt_barrier_count(p == 0) == 0; }
__GPUOPT_DEVICE__ void __barrier_sync(unsigned int) { __gpuopt_barrier(); }
__GPUOPT_DEVICE__ void __syncwarp(unsigned long long mask = ~0ull) { __gpuopt_subgroup_barrier(mask); }
__GPUOPT_DEVICE__ void __threadfence_block() { __gpuopt_fence(0); }
__GPUOPT_DEVICE__ void __threadfence() { __gpuopt_fence(1); }
__GPUOPT_DEVICE__ void __threadfence_system() { __gpuopt_fence(2); }
/// Grid-wide synchronisation of naive kernels.
__GPUOPT_DEVICE__ void gpuopt_global_sync() { __gpuopt_global_sync(); }

__GPUOPT_DEVICE__ void __trap() {
  __gpuopt_trap();
  __builtin_unreachable();
}
__GPUOPT_DEVICE__ void __brkpt() { __gpuopt_trap(); }
__GPUOPT_DEVICE__ long long clock64() { return (long long)__gpuopt_clock(); }
__GPUOPT_DEVICE__ int clock() { return (int)__gpuopt_clock(); }
__GPUOPT_DEVICE__ long long wall_clock64() { return (long long)__gpuopt_clock(); }
__GPUOPT_DEVICE__ unsigned int __laneid() { return __gpuopt_lane_id(); }
__GPUOPT_DEVICE__ unsigned int __lane_id() { return __gpuopt_lane_id(); }
__GPUOPT_DEVICE__ void __nanosleep(unsigned int) {}

// Votes. A mask is as wide as the subgroup: 32 bits on NVIDIA, 64 on AMD.
#if __HIP__
typedef unsigned long long __gpuopt_mask_t;
#else
typedef unsigned int __gpuopt_mask_t;
#endif
__GPUOPT_DEVICE__ __gpuopt_mask_t __activemask() { return (__gpuopt_mask_t)__gpuopt_active_mask(); }
__GPUOPT_DEVICE__ __gpuopt_mask_t __ballot_sync(unsigned long long mask, int p) { return (__gpuopt_mask_t)__gpuopt_ballot(mask, p != 0); }
__GPUOPT_DEVICE__ __gpuopt_mask_t __ballot(int p) { return (__gpuopt_mask_t)__gpuopt_ballot(__gpuopt_active_mask(), p != 0); }
__GPUOPT_DEVICE__ int __any_sync(unsigned long long mask, int p) { return __gpuopt_ballot(mask, p != 0) != 0; }
__GPUOPT_DEVICE__ int __all_sync(unsigned long long mask, int p) { return __gpuopt_ballot(mask, p == 0) == 0; }
__GPUOPT_DEVICE__ int __any(int p) { return __gpuopt_ballot(__gpuopt_active_mask(), p != 0) != 0; }
__GPUOPT_DEVICE__ int __all(int p) { return __gpuopt_ballot(__gpuopt_active_mask(), p == 0) == 0; }
__GPUOPT_DEVICE__ int any(int p) { return __any(p); }
__GPUOPT_DEVICE__ int all(int p) { return __all(p); }
__GPUOPT_DEVICE__ int __uni_sync(unsigned long long mask, int p) {
  return __all_sync(mask, p) || __all_sync(mask, !p);
}

// Which lanes have the same value: bit by bit.
template <class T> __GPUOPT_DEVICE__ __gpuopt_mask_t __match_any_sync(unsigned long long mask, T v) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a value of 32 or 64 bits");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &v, sizeof(T));
  __gpuopt_mask_t same = (__gpuopt_mask_t)mask;
  for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) {
    bool isSet = bits >> bit & 1;
    __gpuopt_mask_t set = __ballot_sync(mask, isSet);
    same &= isSet ? set : ~set;
  }
  return same;
}
template <class T> __GPUOPT_DEVICE__ __gpuopt_mask_t __match_all_sync(unsigned long long mask, T v, int *all) {
  *all = __match_any_sync(mask, v) == (__gpuopt_mask_t)mask;
  return *all ? (__gpuopt_mask_t)mask : 0;
}

// Shuffles: 32 bits at a time.
__GPUOPT_DEVICE__ int __shfl_sync(unsigned long long mask, int v, int lane, int width = warpSize) {
  return __gpuopt_shuffle_idx(mask, v, lane, width);
}
__GPUOPT_DEVICE__ unsigned int __shfl_sync(unsigned long long mask, unsigned int v, int lane, int width = warpSize) {
  int r = __gpuopt_shuffle_idx(mask, (int)v, lane, width);
  return (unsigned int)r;
}
__GPUOPT_DEVICE__ float __shfl_sync(unsigned long long mask, float v, int lane, int width = warpSize) {
  int r = __gpuopt_shuffle_idx(mask, __float_as_int(v), lane, width);
  return __int_as_float(r);
}
__GPUOPT_DEVICE__ long long __shfl_sync(unsigned long long mask, long long v, int lane, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_idx(mask, (int)bits, lane, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_idx(mask, (int)(bits >> 32), lane, width);
  return __builtin_bit_cast(long long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ unsigned long long __shfl_sync(unsigned long long mask, unsigned long long v, int lane, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_idx(mask, (int)bits, lane, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_idx(mask, (int)(bits >> 32), lane, width);
  return __builtin_bit_cast(unsigned long long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ long __shfl_sync(unsigned long long mask, long v, int lane, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_idx(mask, (int)bits, lane, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_idx(mask, (int)(bits >> 32), lane, width);
  return __builtin_bit_cast(long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ unsigned long __shfl_sync(unsigned long long mask, unsigned long v, int lane, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_idx(mask, (int)bits, lane, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_idx(mask, (int)(bits >> 32), lane, width);
  return __builtin_bit_cast(unsigned long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ double __shfl_sync(unsigned long long mask, double v, int lane, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_idx(mask, (int)bits, lane, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_idx(mask, (int)(bits >> 32), lane, width);
  return __builtin_bit_cast(double, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ int __shfl(int v, int lane, int width = warpSize) {
  return __shfl_sync(__gpuopt_active_mask(), v, lane, width);
}
__GPUOPT_DEVICE__ unsigned int __shfl(unsigned int v, int lane, int width = warpSize) {
  return __shfl_sync(__gpuopt_active_mask(), v, lane, width);
}
__GPUOPT_DEVICE__ float __shfl(float v, int lane, int width = warpSize) {
  return __shfl_sync(__gpuopt_active_mask(), v, lane, width);
}
__GPUOPT_DEVICE__ long long __shfl(long long v, int lane, int width = warpSize) {
  return __shfl_sync(__gpuopt_active_mask(), v, lane, width);
}
__GPUOPT_DEVICE__ unsigned long long __shfl(unsigned long long v, int lane, int width = warpSize) {
  return __shfl_sync(__gpuopt_active_mask(), v, lane, width);
}
__GPUOPT_DEVICE__ long __shfl(long v, int lane, int width = warpSize) {
  return __shfl_sync(__gpuopt_active_mask(), v, lane, width);
}
__GPUOPT_DEVICE__ unsigned long __shfl(unsigned long v, int lane, int width = warpSize) {
  return __shfl_sync(__gpuopt_active_mask(), v, lane, width);
}
__GPUOPT_DEVICE__ double __shfl(double v, int lane, int width = warpSize) {
  return __shfl_sync(__gpuopt_active_mask(), v, lane, width);
}
__GPUOPT_DEVICE__ int __shfl_up_sync(unsigned long long mask, int v, unsigned int delta, int width = warpSize) {
  return __gpuopt_shuffle_up(mask, v, delta, width);
}
__GPUOPT_DEVICE__ unsigned int __shfl_up_sync(unsigned long long mask, unsigned int v, unsigned int delta, int width = warpSize) {
  int r = __gpuopt_shuffle_up(mask, (int)v, delta, width);
  return (unsigned int)r;
}
__GPUOPT_DEVICE__ float __shfl_up_sync(unsigned long long mask, float v, unsigned int delta, int width = warpSize) {
  int r = __gpuopt_shuffle_up(mask, __float_as_int(v), delta, width);
  return __int_as_float(r);
}
__GPUOPT_DEVICE__ long long __shfl_up_sync(unsigned long long mask, long long v, unsigned int delta, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_up(mask, (int)bits, delta, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_up(mask, (int)(bits >> 32), delta, width);
  return __builtin_bit_cast(long long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ unsigned long long __shfl_up_sync(unsigned long long mask, unsigned long long v, unsigned int delta, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_up(mask, (int)bits, delta, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_up(mask, (int)(bits >> 32), delta, width);
  return __builtin_bit_cast(unsigned long long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ long __shfl_up_sync(unsigned long long mask, long v, unsigned int delta, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_up(mask, (int)bits, delta, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_up(mask, (int)(bits >> 32), delta, width);
  return __builtin_bit_cast(long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ unsigned long __shfl_up_sync(unsigned long long mask, unsigned long v, unsigned int delta, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_up(mask, (int)bits, delta, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_up(mask, (int)(bits >> 32), delta, width);
  return __builtin_bit_cast(unsigned long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ double __shfl_up_sync(unsigned long long mask, double v, unsigned int delta, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_up(mask, (int)bits, delta, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_up(mask, (int)(bits >> 32), delta, width);
  return __builtin_bit_cast(double, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ int __shfl_up(int v, unsigned int delta, int width = warpSize) {
  return __shfl_up_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ unsigned int __shfl_up(unsigned int v, unsigned int delta, int width = warpSize) {
  return __shfl_up_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ float __shfl_up(float v, unsigned int delta, int width = warpSize) {
  return __shfl_up_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ long long __shfl_up(long long v, unsigned int delta, int width = warpSize) {
  return __shfl_up_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ unsigned long long __shfl_up(unsigned long long v, unsigned int delta, int width = warpSize) {
  return __shfl_up_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ long __shfl_up(long v, unsigned int delta, int width = warpSize) {
  return __shfl_up_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ unsigned long __shfl_up(unsigned long v, unsigned int delta, int width = warpSize) {
  return __shfl_up_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ double __shfl_up(double v, unsigned int delta, int width = warpSize) {
  return __shfl_up_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ int __shfl_down_sync(unsigned long long mask, int v, unsigned int delta, int width = warpSize) {
  return __gpuopt_shuffle_down(mask, v, delta, width);
}
__GPUOPT_DEVICE__ unsigned int __shfl_down_sync(unsigned long long mask, unsigned int v, unsigned int delta, int width = warpSize) {
  int r = __gpuopt_shuffle_down(mask, (int)v, delta, width);
  return (unsigned int)r;
}
__GPUOPT_DEVICE__ float __shfl_down_sync(unsigned long long mask, float v, unsigned int delta, int width = warpSize) {
  int r = __gpuopt_shuffle_down(mask, __float_as_int(v), delta, width);
  return __int_as_float(r);
}
__GPUOPT_DEVICE__ long long __shfl_down_sync(unsigned long long mask, long long v, unsigned int delta, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_down(mask, (int)bits, delta, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_down(mask, (int)(bits >> 32), delta, width);
  return __builtin_bit_cast(long long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ unsigned long long __shfl_down_sync(unsigned long long mask, unsigned long long v, unsigned int delta, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_down(mask, (int)bits, delta, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_down(mask, (int)(bits >> 32), delta, width);
  return __builtin_bit_cast(unsigned long long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ long __shfl_down_sync(unsigned long long mask, long v, unsigned int delta, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_down(mask, (int)bits, delta, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_down(mask, (int)(bits >> 32), delta, width);
  return __builtin_bit_cast(long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ unsigned long __shfl_down_sync(unsigned long long mask, unsigned long v, unsigned int delta, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_down(mask, (int)bits, delta, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_down(mask, (int)(bits >> 32), delta, width);
  return __builtin_bit_cast(unsigned long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ double __shfl_down_sync(unsigned long long mask, double v, unsigned int delta, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_down(mask, (int)bits, delta, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_down(mask, (int)(bits >> 32), delta, width);
  return __builtin_bit_cast(double, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ int __shfl_down(int v, unsigned int delta, int width = warpSize) {
  return __shfl_down_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ unsigned int __shfl_down(unsigned int v, unsigned int delta, int width = warpSize) {
  return __shfl_down_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ float __shfl_down(float v, unsigned int delta, int width = warpSize) {
  return __shfl_down_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ long long __shfl_down(long long v, unsigned int delta, int width = warpSize) {
  return __shfl_down_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ unsigned long long __shfl_down(unsigned long long v, unsigned int delta, int width = warpSize) {
  return __shfl_down_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ long __shfl_down(long v, unsigned int delta, int width = warpSize) {
  return __shfl_down_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ unsigned long __shfl_down(unsigned long v, unsigned int delta, int width = warpSize) {
  return __shfl_down_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ double __shfl_down(double v, unsigned int delta, int width = warpSize) {
  return __shfl_down_sync(__gpuopt_active_mask(), v, delta, width);
}
__GPUOPT_DEVICE__ int __shfl_xor_sync(unsigned long long mask, int v, int lanemask, int width = warpSize) {
  return __gpuopt_shuffle_xor(mask, v, lanemask, width);
}
__GPUOPT_DEVICE__ unsigned int __shfl_xor_sync(unsigned long long mask, unsigned int v, int lanemask, int width = warpSize) {
  int r = __gpuopt_shuffle_xor(mask, (int)v, lanemask, width);
  return (unsigned int)r;
}
__GPUOPT_DEVICE__ float __shfl_xor_sync(unsigned long long mask, float v, int lanemask, int width = warpSize) {
  int r = __gpuopt_shuffle_xor(mask, __float_as_int(v), lanemask, width);
  return __int_as_float(r);
}
__GPUOPT_DEVICE__ long long __shfl_xor_sync(unsigned long long mask, long long v, int lanemask, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_xor(mask, (int)bits, lanemask, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_xor(mask, (int)(bits >> 32), lanemask, width);
  return __builtin_bit_cast(long long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ unsigned long long __shfl_xor_sync(unsigned long long mask, unsigned long long v, int lanemask, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_xor(mask, (int)bits, lanemask, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_xor(mask, (int)(bits >> 32), lanemask, width);
  return __builtin_bit_cast(unsigned long long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ long __shfl_xor_sync(unsigned long long mask, long v, int lanemask, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_xor(mask, (int)bits, lanemask, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_xor(mask, (int)(bits >> 32), lanemask, width);
  return __builtin_bit_cast(long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ unsigned long __shfl_xor_sync(unsigned long long mask, unsigned long v, int lanemask, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_xor(mask, (int)bits, lanemask, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_xor(mask, (int)(bits >> 32), lanemask, width);
  return __builtin_bit_cast(unsigned long, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ double __shfl_xor_sync(unsigned long long mask, double v, int lanemask, int width = warpSize) {
  unsigned long long bits = __builtin_bit_cast(unsigned long long, v);
  unsigned int low = (unsigned int)__gpuopt_shuffle_xor(mask, (int)bits, lanemask, width);
  unsigned int high = (unsigned int)__gpuopt_shuffle_xor(mask, (int)(bits >> 32), lanemask, width);
  return __builtin_bit_cast(double, ((unsigned long long)high << 32) | low);
}
__GPUOPT_DEVICE__ int __shfl_xor(int v, int lanemask, int width = warpSize) {
  return __shfl_xor_sync(__gpuopt_active_mask(), v, lanemask, width);
}
__GPUOPT_DEVICE__ unsigned int __shfl_xor(unsigned int v, int lanemask, int width = warpSize) {
  return __shfl_xor_sync(__gpuopt_active_mask(), v, lanemask, width);
}
__GPUOPT_DEVICE__ float __shfl_xor(float v, int lanemask, int width = warpSize) {
  return __shfl_xor_sync(__gpuopt_active_mask(), v, lanemask, width);
}
__GPUOPT_DEVICE__ long long __shfl_xor(long long v, int lanemask, int width = warpSize) {
  return __shfl_xor_sync(__gpuopt_active_mask(), v, lanemask, width);
}
__GPUOPT_DEVICE__ unsigned long long __shfl_xor(unsigned long long v, int lanemask, int width = warpSize) {
  return __shfl_xor_sync(__gpuopt_active_mask(), v, lanemask, width);
}
__GPUOPT_DEVICE__ long __shfl_xor(long v, int lanemask, int width = warpSize) {
  return __shfl_xor_sync(__gpuopt_active_mask(), v, lanemask, width);
}
__GPUOPT_DEVICE__ unsigned long __shfl_xor(unsigned long v, int lanemask, int width = warpSize) {
  return __shfl_xor_sync(__gpuopt_active_mask(), v, lanemask, width);
}
__GPUOPT_DEVICE__ double __shfl_xor(double v, int lanemask, int width = warpSize) {
  return __shfl_xor_sync(__gpuopt_active_mask(), v, lanemask, width);
}

// Reductions over a whole subgroup, by butterfly over the lanes of `mask`.
#define __GPUOPT_REDUCE__(NAME, TYPE, COMBINE)                                 \
  __GPUOPT_DEVICE__ TYPE __reduce_##NAME##_sync(unsigned long long mask, TYPE v) { \
    TYPE result = v;                                                           \
    bool first = true;                                                         \
    for (__gpuopt_mask_t rest = (__gpuopt_mask_t)mask; rest != 0;              \
         rest &= rest - 1) {                                                   \
      TYPE other = __shfl_sync(mask, v, __builtin_ctzll(rest));                \
      result = first ? other : COMBINE;                                        \
      first = false;                                                           \
    }                                                                          \
    return result;                                                             \
  }
__GPUOPT_REDUCE__(add, unsigned int, result + other)
__GPUOPT_REDUCE__(add, int, (int)((unsigned int)result + (unsigned int)other))
__GPUOPT_REDUCE__(min, unsigned int, min(result, other))
__GPUOPT_REDUCE__(min, int, min(result, other))
__GPUOPT_REDUCE__(max, unsigned int, max(result, other))
__GPUOPT_REDUCE__(max, int, max(result, other))
__GPUOPT_REDUCE__(and, unsigned int, result & other)
__GPUOPT_REDUCE__(or, unsigned int, result | other)
__GPUOPT_REDUCE__(xor, unsigned int, result ^ other)
#undef __GPUOPT_REDUCE__
