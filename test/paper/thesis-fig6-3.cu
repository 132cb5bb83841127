// Yang's thesis, figures 6.2, 6.3, 6.5 and 6.7: the CPU pre-execution program of a kernel without loops, a vector sum.
//
//   6.2  1. memory operations and their address computations in a CPU function; the thread id is a parameter; stores
//           become loads
//        2. a loop over the blocks, in steps of those that run at a time; in it one over their threads, in steps of
//           unroll factor * batch size * skip factor
//   6.3  the vector sum and its program          6.5  the update of the skip factor          6.7  a fixed one, 160
//
// Not as in the figures: what is fetched is prefetched, or loaded with --fetch load, instead of summed up (what
// keeps compilers from leaving that out is a count of visits); threads beyond the
// last one are left alone; the next batch begins where the last one has ended, whatever the factor has become by then (the
// figures step by the new one); the factor is never reduced to 0 or less; and figure 6.7 leaves out the first
// skip_factor * unroll_factor threads, which is taken for a slip.
//
// RUN: gpuopt assist %s --no-opt --target nvidia-gtx285 --block 256 --concurrent-blocks 12 -o %t.c
// RUN: FileCheck %s --check-prefixes=CHECK,ADAPTIVE --input-file %t.c
// RUN: gpuopt assist %s --no-opt --target nvidia-gtx285 --block 256 --concurrent-blocks 12 --skip-factor 160 -o %t.fixed.c
// RUN: FileCheck %s --check-prefixes=CHECK,FIXED --input-file %t.fixed.c
// RUN: gpuopt assist %s --no-opt --target nvidia-gtx285 --skip-factor 160 --fetch load -o %t.load.c
// RUN: FileCheck %s --check-prefix=LOAD --input-file %t.load.c
// RUN: cc -std=c11 -Wall -Wextra -Werror -O2 -c %t.c -o %t.o && cc -std=c11 -Wall -Wextra -Werror -O2 -c %t.fixed.c -o %t.o
// RUN: clang -std=c11 -Wall -Wextra -Werror -c %t.c -o %t.o && clang -std=c11 -Wall -Wextra -Werror -c %t.load.c -o %t.o
//
// No compiler takes the fetches for nothing: three for each of eight threads, or for all of them in one place.
// RUN: cc -std=c11 -O2 -S %t.c -o - | grep -cE "^\s+prefetch" | FileCheck %s --check-prefix=KEPT
// RUN: clang -std=c11 -O2 -S %t.c -o - | grep -cE "^\s+prefetch" | FileCheck %s --check-prefix=KEPT
// KEPT: {{^(3|24)$}}

__global__ void VecAdd(const float *A, const float *B, float *C, int N) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  C[i] = A[i] + B[i];
}

// ADAPTIVE:      // What a CPU does for kernel VecAdd of thesis-fig6-3.cu that shares a cache
// ADAPTIVE:      // For nvidia-gtx285: 30 multiprocessors, each with 4 block(s) of 256 x 1 x 1
// CHECK:         block_x = 256,
// CHECK:         concurrent_blocks = 12,
// CHECK:         unroll_factor = 8
// ADAPTIVE-NEXT: // How often, before the skip factor adapts.
// ADAPTIVE-NEXT: batch_size = 16,
// One thread for each line of 64 bytes, changed by two lines' worth.
// ADAPTIVE-NEXT: first_skip_factor = 16,
// ADAPTIVE-NEXT: skip_step = 32,
// ADAPTIVE:      threshold = 10
// FIXED-NOT:     batch_size
// FIXED:         #define SKIP_FACTOR 160
// CHECK:         #define FETCH(address) __builtin_prefetch(address)
// LOAD:          #define FETCH(address) (void)*(const volatile char *)(address)

// Figure 6.5.
// ADAPTIVE:      static void adapt(struct walk *walk) {
// ADAPTIVE-NEXT:   const long long hits = (long long)walk->shared_cache_hits();
// ADAPTIVE-NEXT:   if (hits - walk->hits_before > threshold) {
// ADAPTIVE-NEXT:     walk->skip_factor += skip_step;
// ADAPTIVE-NEXT:   } else if (walk->skip_factor > skip_step &&
// ADAPTIVE-NEXT:              walk->reduced_to != walk->skip_factor - skip_step) {
// ADAPTIVE-NEXT:     walk->skip_factor -= skip_step;
// ADAPTIVE-NEXT:     walk->reduced_to = walk->skip_factor;
// ADAPTIVE-NEXT:   }
// ADAPTIVE-NEXT:   walk->hits_before = hits;

// Figures 6.3 and 6.7: memory_fetch_for_thread.
// CHECK:         static void fetch_1(struct walk *walk, long long which, const float *A,
// CHECK-NEXT:                        const float *B, const float *C) {
// CHECK-NEXT:      if (which >= walk->threads)
// CHECK-NEXT:        return;
// CHECK-NEXT:      ++walk->visits;
// CHECK-NEXT:      const struct thread thread = thread_at(walk, (unsigned)which);
// CHECK-NEXT:      const int idx = thread.blockIdx.x * thread.blockDim.x + thread.threadIdx.x;
// CHECK-NEXT:      FETCH(&A[idx]);
// CHECK-NEXT:      FETCH(&B[idx]);
// CHECK-NEXT:      FETCH(&C[idx]);
// CHECK-NEXT:    }

// The loop over threads.
// ADAPTIVE:      static void walk_1(struct walk *walk
// ADAPTIVE:        for (long long from = 0; from < walk->threads; from = next) {
// ADAPTIVE-NEXT:     const long long skip = walk->skip_factor;
// ADAPTIVE-NEXT:     next = from + skip * unroll_factor * batch_size;
// ADAPTIVE-NEXT:     for (int part = 0; part < batch_size; ++part) {
// ADAPTIVE-NEXT:       const long long which = from + skip * unroll_factor * part;
// ADAPTIVE-NEXT:       fetch_1(walk, which + skip * 0, A, B, C);
// ADAPTIVE-NEXT:       fetch_1(walk, which + skip * 1, A, B, C);
// ADAPTIVE:            fetch_1(walk, which + skip * 7, A, B, C);
// ADAPTIVE-NEXT:     }
// ADAPTIVE-NEXT:     adapt(walk);
// FIXED:         static void walk_1(struct walk *walk
// FIXED:           for (long long which = 0; which < walk->threads;
// FIXED-NEXT:           which += skip * unroll_factor) {
// FIXED-NEXT:        fetch_1(walk, which + skip * 0, A, B, C);
// FIXED:             fetch_1(walk, which + skip * 7, A, B, C);
// FIXED-NEXT:      }

// The loop over blocks.
// ADAPTIVE:      long long prefetch_VecAdd(struct extent grid,
// ADAPTIVE-NEXT:                           unsigned long long (*shared_cache_hits)(void),
// FIXED:         long long prefetch_VecAdd(struct extent grid, const float *A, const float *B,
// CHECK:           const long long blocks = (long long)grid.x * grid.y * grid.z;
// CHECK-NEXT:      for (long long first = 0; first < blocks; first += concurrent_blocks) {
// CHECK-NEXT:        const long long rest = blocks - first;
// CHECK-NEXT:        enter(&walk, first, rest < concurrent_blocks ? rest : concurrent_blocks);
// CHECK-NEXT:        walk_1(&walk, A, B, C);
// CHECK-NEXT:      }
// CHECK-NEXT:      return walk.visits;
// CHECK-NEXT:    }
