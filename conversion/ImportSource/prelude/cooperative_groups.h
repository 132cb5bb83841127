// Groups of threads: the block, tiles of a subgroup, the grid.
#pragma once

#define __GPUOPT_MEMBER__ inline __attribute__((device, always_inline))

namespace cooperative_groups {
struct thread_group {
  unsigned int __rank, __size;
  bool __block;
  __GPUOPT_MEMBER__ unsigned int size() const { return __size; }
  __GPUOPT_MEMBER__ unsigned int num_threads() const { return __size; }
  __GPUOPT_MEMBER__ unsigned int thread_rank() const { return __rank; }
  __GPUOPT_MEMBER__ void sync() const {
    if (__block)
      __gpuopt_barrier();
    else
      __gpuopt_subgroup_barrier(~0ull);
  }
};
struct thread_block {
  __GPUOPT_MEMBER__ void sync() const { __gpuopt_barrier(); }
  __GPUOPT_MEMBER__ unsigned int size() const { return blockDim.x * blockDim.y * blockDim.z; }
  __GPUOPT_MEMBER__ unsigned int num_threads() const { return size(); }
  __GPUOPT_MEMBER__ unsigned int thread_rank() const {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  __GPUOPT_MEMBER__ dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __GPUOPT_MEMBER__ dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __GPUOPT_MEMBER__ dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __GPUOPT_MEMBER__ operator thread_group() const { return {thread_rank(), size(), true}; }
};
__GPUOPT_DEVICE__ thread_block this_thread_block() { return {}; }

template <unsigned int Size, class Parent = void> struct thread_block_tile {
  thread_block_tile() = default;
  // Whatever a tile is a part of, thread_block_tile<Size> takes it.
  template <class Other> __GPUOPT_MEMBER__ thread_block_tile(const thread_block_tile<Size, Other> &) {
    static_assert(__is_same(Parent, void), "only a tile without a parent can be made of another");
  }
  __GPUOPT_MEMBER__ unsigned int size() const { return Size; }
  __GPUOPT_MEMBER__ unsigned int num_threads() const { return Size; }
  __GPUOPT_MEMBER__ unsigned int thread_rank() const { return this_thread_block().thread_rank() % Size; }
  __GPUOPT_MEMBER__ unsigned int meta_group_rank() const { return this_thread_block().thread_rank() / Size; }
  __GPUOPT_MEMBER__ unsigned int meta_group_size() const { return (this_thread_block().size() + Size - 1) / Size; }
  __GPUOPT_MEMBER__ void sync() const { __gpuopt_subgroup_barrier(__mask()); }
  template <class T> __GPUOPT_MEMBER__ T shfl(T v, int lane) const { return __shfl_sync(__mask(), v, lane, Size); }
  template <class T> __GPUOPT_MEMBER__ T shfl_up(T v, unsigned int n) const { return __shfl_up_sync(__mask(), v, n, Size); }
  template <class T> __GPUOPT_MEMBER__ T shfl_down(T v, unsigned int n) const { return __shfl_down_sync(__mask(), v, n, Size); }
  template <class T> __GPUOPT_MEMBER__ T shfl_xor(T v, unsigned int n) const { return __shfl_xor_sync(__mask(), v, (int)n, Size); }
  __GPUOPT_MEMBER__ int any(int p) const { return __any_sync(__mask(), p); }
  __GPUOPT_MEMBER__ int all(int p) const { return __all_sync(__mask(), p); }
  __GPUOPT_MEMBER__ unsigned int ballot(int p) const {
    return (unsigned int)(__gpuopt_ballot(__mask(), p != 0) >> __shift());
  }
  __GPUOPT_MEMBER__ operator thread_group() const { return {thread_rank(), Size, false}; }

private:
  __GPUOPT_MEMBER__ unsigned int __shift() const { return (unsigned int)__gpuopt_lane_id() / Size * Size; }
  __GPUOPT_MEMBER__ unsigned long long __mask() const {
    return (Size >= 64 ? ~0ull : (1ull << (Size % 64)) - 1) << __shift();
  }
};
template <unsigned int Size, class Group>
static inline __attribute__((device, always_inline)) thread_block_tile<Size, Group> tiled_partition(const Group &) {
  return {};
}

struct grid_group {
  __GPUOPT_MEMBER__ void sync() const { __gpuopt_global_sync(); }
  __GPUOPT_MEMBER__ bool is_valid() const { return true; }
  __GPUOPT_MEMBER__ unsigned long long size() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * this_thread_block().size();
  }
  __GPUOPT_MEMBER__ unsigned long long thread_rank() const {
    return (blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z)) *
               this_thread_block().size() +
           this_thread_block().thread_rank();
  }
};
__GPUOPT_DEVICE__ grid_group this_grid() { return {}; }
template <class Group> static inline __attribute__((device, always_inline)) void sync(const Group &group) { group.sync(); }

template <class T> struct plus {
  __GPUOPT_MEMBER__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  __GPUOPT_MEMBER__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  __GPUOPT_MEMBER__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <unsigned int Size, class Parent, class T, class Combine>
static inline __attribute__((device, always_inline)) T reduce(const thread_block_tile<Size, Parent> &tile, T v, Combine combine) {
  for (unsigned int n = Size / 2; n > 0; n /= 2)
    v = combine(v, tile.shfl_xor(v, n));
  return v;
}
} // namespace cooperative_groups
#undef __GPUOPT_MEMBER__
