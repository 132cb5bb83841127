// Asynchronous copies from global to workgroup memory, in groups.

#pragma once

static inline __attribute__((device, always_inline)) void
__pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from,
                        unsigned long size, unsigned long zeros = 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  typedef __attribute__((address_space(3))) void shared;
  typedef const __attribute__((address_space(1))) void global;
  if (zeros == 0 && size == 16)
    return __nvvm_cp_async_cg_shared_global_16((shared *)to, (global *)from);
  if (zeros == 0 && size == 8)
    return __nvvm_cp_async_ca_shared_global_8((shared *)to, (global *)from);
  if (zeros == 0 && size == 4)
    return __nvvm_cp_async_ca_shared_global_4((shared *)to, (global *)from);
#endif
  __builtin_memcpy(to, from, size - zeros);
  __builtin_memset((char *)to + (size - zeros), 0, zeros);
}

static inline __attribute__((device, always_inline)) void __pipeline_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  __nvvm_cp_async_commit_group();
#endif
}

// The number must be a constant: waiting for all is waiting for enough.
static inline __attribute__((device, always_inline)) void
__pipeline_wait_prior(unsigned long prior) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  switch (prior) {
  case 1: return __nvvm_cp_async_wait_group(1);
  case 2: return __nvvm_cp_async_wait_group(2);
  case 3: return __nvvm_cp_async_wait_group(3);
  case 4: return __nvvm_cp_async_wait_group(4);
  default: return __nvvm_cp_async_wait_group(0);
  }
#endif
}
