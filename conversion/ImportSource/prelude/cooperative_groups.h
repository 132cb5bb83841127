// Groups of threads: the block, tiles of a subgroup, the grid.
#pragma once

#define __GPUOPT_MEMBER__ inline __attribute__((device, always_inline))

namespace cooperative_groups {
// Shuffles a value of any size word by word.
template <class T, class Shuffle> __GPUOPT_MEMBER__ T __shuffle(const T &v, Shuffle shuffle) {
  if constexpr (__is_arithmetic(T) && sizeof(T) >= 4) {
    return shuffle(v);
  } else {
    constexpr int count = (sizeof(T) + 3) / 4;
    unsigned int words[count] = {};
    __builtin_memcpy(words, &v, sizeof(T));
#pragma unroll
    for (int i = 0; i < count; ++i)
      words[i] = shuffle(words[i]);
    T result = v;
    __builtin_memcpy(&result, words, sizeof(T));
    return result;
  }
}

struct thread_group {
  unsigned int __rank, __size;
  bool __block;
  // Its lanes, where it is no block.
  unsigned long long __mask;
  __GPUOPT_MEMBER__ unsigned int size() const { return __size; }
  __GPUOPT_MEMBER__ unsigned int num_threads() const { return __size; }
  __GPUOPT_MEMBER__ unsigned int thread_rank() const { return __rank; }
  __GPUOPT_MEMBER__ void sync() const {
    if (__block)
      __gpuopt_barrier();
    else
      __gpuopt_subgroup_barrier(__mask);
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
  __GPUOPT_MEMBER__ operator thread_group() const { return {thread_rank(), size(), true, 0}; }
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
  template <class T> __GPUOPT_MEMBER__ T shfl(T v, int lane) const {
    return __shuffle(v, [=, mask = __mask()](auto word) { return __shfl_sync(mask, word, lane, Size); });
  }
  template <class T> __GPUOPT_MEMBER__ T shfl_up(T v, unsigned int n) const {
    return __shuffle(v, [=, mask = __mask()](auto word) { return __shfl_up_sync(mask, word, n, Size); });
  }
  template <class T> __GPUOPT_MEMBER__ T shfl_down(T v, unsigned int n) const {
    return __shuffle(v, [=, mask = __mask()](auto word) { return __shfl_down_sync(mask, word, n, Size); });
  }
  template <class T> __GPUOPT_MEMBER__ T shfl_xor(T v, unsigned int n) const {
    return __shuffle(v, [=, mask = __mask()](auto word) { return __shfl_xor_sync(mask, word, (int)n, Size); });
  }
  __GPUOPT_MEMBER__ int any(int p) const { return __any_sync(__mask(), p); }
  __GPUOPT_MEMBER__ int all(int p) const { return __all_sync(__mask(), p); }
  __GPUOPT_MEMBER__ unsigned int ballot(int p) const {
    return (unsigned int)(__gpuopt_ballot(__mask(), p != 0) >> __shift());
  }
  __GPUOPT_MEMBER__ operator thread_group() const { return {thread_rank(), Size, false, __mask()}; }

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
// A tile of up to a subgroup, whose size is known when the kernel runs.
template <class Group> static inline __attribute__((device, always_inline)) thread_group tiled_partition(const Group &group, unsigned int size) {
  unsigned int first = (unsigned int)__gpuopt_lane_id() / size * size;
  return {((thread_group)group).thread_rank() % size, size, false, (size >= 64 ? ~0ull : (1ull << size) - 1) << first};
}

// The threads that are here together. A rank counts them, not lanes.
struct coalesced_group {
  __GPUOPT_MEMBER__ unsigned int size() const { return (unsigned int)__popcll(__mask); }
  __GPUOPT_MEMBER__ unsigned int num_threads() const { return size(); }
  __GPUOPT_MEMBER__ unsigned int thread_rank() const {
    return (unsigned int)__popcll(__mask & ((1ull << __gpuopt_lane_id()) - 1));
  }
  __GPUOPT_MEMBER__ void sync() const { __gpuopt_subgroup_barrier(__mask); }
  template <class T> __GPUOPT_MEMBER__ T shfl(T v, unsigned int rank) const {
    return __from(v, __lane(rank));
  }
  template <class T> __GPUOPT_MEMBER__ T shfl_up(T v, unsigned int n) const {
    unsigned int rank = thread_rank();
    return __from(v, __lane(rank < n ? rank : rank - n));
  }
  template <class T> __GPUOPT_MEMBER__ T shfl_down(T v, unsigned int n) const {
    unsigned int rank = thread_rank();
    return __from(v, __lane(rank + n < size() ? rank + n : rank));
  }
  __GPUOPT_MEMBER__ int any(int p) const { return __any_sync(__mask, p); }
  __GPUOPT_MEMBER__ int all(int p) const { return __all_sync(__mask, p); }
  __GPUOPT_MEMBER__ __gpuopt_mask_t ballot(int p) const {
    unsigned long long lanes = __gpuopt_ballot(__mask, p != 0);
    __gpuopt_mask_t ranks = 0;
    unsigned int rank = 0;
    for (unsigned long long left = __mask; left; left &= left - 1, ++rank)
      ranks |= (__gpuopt_mask_t)((lanes & left & -left) != 0) << rank;
    return ranks;
  }
  __GPUOPT_MEMBER__ operator thread_group() const { return {thread_rank(), size(), false, __mask}; }

  unsigned long long __mask;

private:
  // The lane of the thread with `rank`.
  __GPUOPT_MEMBER__ int __lane(unsigned int rank) const {
    unsigned long long left = __mask;
    for (; rank > 0; --rank)
      left &= left - 1;
    return __ffsll((long long)left) - 1;
  }
  template <class T> __GPUOPT_MEMBER__ T __from(T v, int lane) const {
    return __shuffle(v, [=, mask = __mask](auto word) { return __shfl_sync(mask, word, lane, warpSize); });
  }
};
__GPUOPT_DEVICE__ coalesced_group coalesced_threads() { return {__gpuopt_active_mask()}; }
// Of a tile, or of those: the threads that say the same.
template <class Group> static inline __attribute__((device, always_inline)) coalesced_group binary_partition(const Group &group, bool predicate) {
  unsigned long long lanes = ((thread_group)group).__mask, holds = __gpuopt_ballot(lanes, predicate);
  return {predicate ? holds : lanes & ~holds};
}
template <class Group, class Label> static inline __attribute__((device, always_inline)) coalesced_group labeled_partition(const Group &group, Label label) {
  return {(unsigned long long)__match_any_sync((__gpuopt_mask_t)((thread_group)group).__mask, label)};
}

struct grid_group {
  __GPUOPT_MEMBER__ void sync() const { __gpuopt_global_sync(); }
  __GPUOPT_MEMBER__ bool is_valid() const { return true; }
  __GPUOPT_MEMBER__ unsigned long long size() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * this_thread_block().size();
  }
  __GPUOPT_MEMBER__ unsigned long long num_threads() const { return size(); }
  __GPUOPT_MEMBER__ unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  __GPUOPT_MEMBER__ unsigned long long block_rank() const {
    return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  __GPUOPT_MEMBER__ dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __GPUOPT_MEMBER__ dim3 dim_blocks() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
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
template <class T> struct bit_and {
  __GPUOPT_MEMBER__ T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  __GPUOPT_MEMBER__ T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  __GPUOPT_MEMBER__ T operator()(T a, T b) const { return a ^ b; }
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
template <class T, class Combine>
static inline __attribute__((device, always_inline)) T reduce(const coalesced_group &group, T v, Combine combine) {
  T result = group.shfl(v, 0);
  for (unsigned int rank = 1; rank < group.size(); ++rank)
    result = combine(result, group.shfl(v, rank));
  return result;
}
template <unsigned int Size, class Parent, class T, class Combine>
static inline __attribute__((device, always_inline)) T inclusive_scan(const thread_block_tile<Size, Parent> &tile, T v, Combine combine) {
  for (unsigned int n = 1; n < Size; n *= 2) {
    T other = tile.shfl_up(v, n);
    if (tile.thread_rank() >= n)
      v = combine(other, v);
  }
  return v;
}
template <unsigned int Size, class Parent, class T>
static inline __attribute__((device, always_inline)) T inclusive_scan(const thread_block_tile<Size, Parent> &tile, T v) {
  return inclusive_scan(tile, v, plus<T>());
}
// What the first thread gets is defined for sums of integers only: 0.
template <unsigned int Size, class Parent, class T, class Combine>
static inline __attribute__((device, always_inline)) T exclusive_scan(const thread_block_tile<Size, Parent> &tile, T v, Combine combine) {
  T before = tile.shfl_up(inclusive_scan(tile, v, combine), 1);
  return tile.thread_rank() == 0 ? T() : before;
}
template <unsigned int Size, class Parent, class T>
static inline __attribute__((device, always_inline)) T exclusive_scan(const thread_block_tile<Size, Parent> &tile, T v) {
  return exclusive_scan(tile, v, plus<T>());
}
} // namespace cooperative_groups
#undef __GPUOPT_MEMBER__
