// What the host's side of a program with OpenACC calls, as it is rewritten
// (OpenACC/HostRewriter.h): C, and C++.

#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// A device has copies of the host's memory, each with a count of the regions
// and directives that want it there (OpenACC 3.3, section 2.6.7).
enum gpuopt_acc_action {
  // Entering: what is not there yet is allocated, and for copyin copied.
  gpuopt_acc_copyin,
  gpuopt_acc_create,
  gpuopt_acc_create_zero,
  // Must be there.
  gpuopt_acc_present,
  // Leaving: the last one ends the copy, and copyout copies it back before.
  gpuopt_acc_copyout,
  gpuopt_acc_delete,
  // The same whatever the count is.
  gpuopt_acc_copyout_finally,
  gpuopt_acc_delete_finally,
  // Copying what must be there, or may.
  gpuopt_acc_update_host,
  gpuopt_acc_update_host_if_present,
  gpuopt_acc_update_device,
  gpuopt_acc_update_device_if_present
};

// What an operand of a clause of a region is, as long as that lasts.
struct gpuopt_acc_range {
  const volatile void *host;
  long long bytes;
  int isCounted;
};

// Of a[1:n] the place and the size of the section, and `a`, by which kernels
// have it. Without a region, `range` is null: data stays until `exit_data`.
void gpuopt_acc_enter(enum gpuopt_acc_action action, struct gpuopt_acc_range *range, const volatile void *host,
                      long long bytes, const volatile void *array);
void gpuopt_acc_leave(enum gpuopt_acc_action action, struct gpuopt_acc_range *range);
void gpuopt_acc_exit_data(enum gpuopt_acc_action action, const volatile void *host, long long bytes);
// Data of a block, by `declare`, and what becomes of it where that is left.
struct gpuopt_acc_scope {
  struct gpuopt_acc_range *ranges;
  const enum gpuopt_acc_action *onExit;
  int count;
};
void gpuopt_acc_leave_scope(struct gpuopt_acc_scope *scope);
void gpuopt_acc_update(enum gpuopt_acc_action action, const volatile void *host, long long bytes);
// Where the device has it; an address of the device's own stays.
void *gpuopt_acc_device_address(const volatile void *host);

// What a kernel gets for a parameter.
enum gpuopt_acc_kind {
  // The value at `place`, or what the device has of it where a clause says so.
  gpuopt_acc_value,
  gpuopt_acc_present_value,
  // A pointer to the device's copy of `place`. What is not there is there for
  // the launch if `bytes` says how much it is, and copied back but for inputs.
  gpuopt_acc_memory,
  gpuopt_acc_input
};
struct gpuopt_acc_argument {
  enum gpuopt_acc_kind kind;
  const char *name;
  void *place;
  long long bytes;
};

// The device code of an object file, which has one of these.
struct gpuopt_acc_file {
  void **code;
};

// Launches the kernel `symbol` with `items[0]` work items along x, and so on in
// up to three dimensions. `key` is one for each launch in the program's text.
void gpuopt_acc_launch(struct gpuopt_acc_file *file, const void *key, const char *symbol, const long long *items,
                       int dimensions, const struct gpuopt_acc_argument *arguments, int count);

static struct gpuopt_acc_file gpuopt_acc_this_file __attribute__((__unused__));

// Device code is registered as for CUDA.
struct gpuopt_acc_section {
  int magic, version;
  const char *section;
  void *unused;
};
void **__cudaRegisterFatBinary(const struct gpuopt_acc_section *section);

#ifdef __cplusplus
}
#endif
