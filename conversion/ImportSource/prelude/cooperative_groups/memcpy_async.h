// Copies by a group: made at once, so that there is nothing to wait for but the
// other threads.
#pragma once
#include "cooperative_groups.h"

namespace cooperative_groups {
template <class Group, class T, class Bytes>
static inline __attribute__((device, always_inline)) void memcpy_async(const Group &group, T *to, const T *from, const Bytes &bytes) {
  size_t elements = (size_t)bytes / sizeof(T);
  for (size_t i = group.thread_rank(); i < elements; i += group.size())
    to[i] = from[i];
  for (size_t i = elements * sizeof(T) + group.thread_rank(); i < (size_t)bytes; i += group.size())
    ((char *)to)[i] = ((const char *)from)[i];
}
template <class Group> static inline __attribute__((device, always_inline)) void wait(const Group &group) { group.sync(); }
template <unsigned int Pending, class Group> static inline __attribute__((device, always_inline)) void wait_prior(const Group &group) { group.sync(); }
} // namespace cooperative_groups
