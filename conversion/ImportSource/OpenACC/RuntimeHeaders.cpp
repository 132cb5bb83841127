//===- RuntimeHeaders.cpp - openacc.h and omp.h ---------------------------===//

#include "conversion/ImportSource/OpenACC/RuntimeHeaders.h"

#include "conversion/ImportSource/HostHeaders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace gpuopt;

/// Of openacc.h, whose numbers are those of runtime/OpenACC.
static constexpr StringLiteral kOpenACCDirectory = "/gpuopt-openacc-headers";
/// Of omp.h, whose library is the host's.
static constexpr StringLiteral kOpenMPDirectory = "/gpuopt-openmp-headers";

/// OpenACC 3.3, section 3.2; runtime/OpenACC has what it declares.
static constexpr StringLiteral kOpenACC = R"(
#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef int acc_device_t;
typedef int acc_device_property_t;
typedef void *h_void, *d_void;
enum {
  acc_device_none, acc_device_default, acc_device_host, acc_device_not_host,
  acc_device_current, acc_device_nvidia, acc_device_radeon
};
enum {
  acc_property_none, acc_property_memory, acc_property_free_memory,
  acc_property_shared_memory_support, acc_property_name, acc_property_vendor,
  acc_property_driver
};
enum { acc_async_noval = -1, acc_async_sync = -2 };
int acc_get_num_devices(acc_device_t);
void acc_set_device_type(acc_device_t);
acc_device_t acc_get_device_type(void);
void acc_set_device_num(int, acc_device_t);
int acc_get_device_num(acc_device_t);
size_t acc_get_property(int, acc_device_t, acc_device_property_t);
const char *acc_get_property_string(int, acc_device_t, acc_device_property_t);
void acc_init(acc_device_t);
void acc_init_device(int, acc_device_t);
void acc_shutdown(acc_device_t);
void acc_shutdown_device(int, acc_device_t);
int acc_async_test(int);
int acc_async_test_all(void);
void acc_wait(int);
void acc_wait_async(int, int);
void acc_wait_all(void);
void acc_wait_all_async(int);
int acc_wait_any(int, int *);
void acc_async_wait(int);
void acc_async_wait_all(void);
int acc_get_default_async(void);
void acc_set_default_async(int);
int acc_on_device(acc_device_t);
void *acc_malloc(size_t);
void acc_free(void *);
void *acc_copyin(void *, size_t);
void acc_copyin_async(void *, size_t, int);
void *acc_create(void *, size_t);
void acc_create_async(void *, size_t, int);
void *acc_present_or_copyin(void *, size_t);
void *acc_pcopyin(void *, size_t);
void *acc_present_or_create(void *, size_t);
void *acc_pcreate(void *, size_t);
void acc_copyout(void *, size_t);
void acc_copyout_async(void *, size_t, int);
void acc_copyout_finalize(void *, size_t);
void acc_copyout_finalize_async(void *, size_t, int);
void acc_delete(void *, size_t);
void acc_delete_async(void *, size_t, int);
void acc_delete_finalize(void *, size_t);
void acc_delete_finalize_async(void *, size_t, int);
void acc_update_device(void *, size_t);
void acc_update_device_async(void *, size_t, int);
void acc_update_self(void *, size_t);
void acc_update_self_async(void *, size_t, int);
void acc_map_data(void *, void *, size_t);
void acc_unmap_data(void *);
void *acc_deviceptr(void *);
void *acc_hostptr(void *);
int acc_is_present(void *, size_t);
void acc_memcpy_to_device(void *, void *, size_t);
void acc_memcpy_to_device_async(void *, void *, size_t, int);
void acc_memcpy_from_device(void *, void *, size_t);
void acc_memcpy_from_device_async(void *, void *, size_t, int);
void acc_memcpy_device(void *, void *, size_t);
void acc_memcpy_device_async(void *, void *, size_t, int);
void acc_memcpy_d2d(void *, void *, size_t, int, int);
void acc_attach(void **);
void acc_detach(void **);
#ifdef __cplusplus
}
#endif
)";

/// OpenMP 5.2, chapter 18.
static constexpr StringLiteral kOpenMP = R"(
#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct { void *state; } omp_lock_t;
typedef struct { void *state; } omp_nest_lock_t;
typedef int omp_sched_t;
enum { omp_sched_static = 1, omp_sched_dynamic, omp_sched_guided, omp_sched_auto };
void omp_set_num_threads(int);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_dynamic(int);
void omp_set_nested(int);
void omp_set_schedule(omp_sched_t, int);
int omp_get_num_teams(void);
int omp_get_team_num(void);
int omp_get_num_devices(void);
int omp_get_default_device(void);
void omp_set_default_device(int);
int omp_get_initial_device(void);
int omp_is_initial_device(void);
void *omp_target_alloc(size_t, int);
void omp_target_free(void *, int);
int omp_target_is_present(const void *, int);
int omp_target_memcpy(void *, const void *, size_t, size_t, size_t, int, int);
double omp_get_wtime(void);
double omp_get_wtick(void);
void omp_init_lock(omp_lock_t *);
void omp_destroy_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
int omp_test_lock(omp_lock_t *);
#ifdef __cplusplus
}
#endif
)";

IntrusiveRefCntPtr<vfs::FileSystem>
gpuopt::createRuntimeHeaders(IntrusiveRefCntPtr<vfs::FileSystem> base) {
  auto memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  auto add = [&](StringRef directory, StringRef name, StringRef contents) {
    memory->addFileNoOwn((directory + "/" + name).str(),
                         /*ModificationTime=*/0,
                         MemoryBufferRef(contents, name));
  };
  add(kOpenACCDirectory, "openacc.h", kOpenACC);
  add(kOpenMPDirectory, "omp.h", kOpenMP);
  auto overlay = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(base));
  overlay->pushOverlay(std::move(memory));
  return overlay;
}

std::vector<std::string> gpuopt::runtimeHeaderArguments() {
  return {"-isystem", kOpenACCDirectory.str(), "-idirafter",
          kOpenMPDirectory.str()};
}

std::vector<std::string> gpuopt::hostProgramArguments() {
  std::vector<std::string> arguments = {
      "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
      "-Wno-error=int-conversion", "-Wno-error=incompatible-pointer-types"};
  append_range(arguments, hostHeaderArguments());
  append_range(arguments, runtimeHeaderArguments());
  return arguments;
}
