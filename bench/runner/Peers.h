//===- Peers.h - the same by cuBLAS -----------------------------*- C++ -*-===//
//
// cuBLAS is opened at run time; where it is not there its functions are
// reported as absent. Its matrices are column major: a row-major matrix is the
// transposed one to it. The default mode of computation does not use TF32.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_RUNNER_PEERS_H
#define BENCH_RUNNER_PEERS_H

#include "Driver.h"
#include "Plan.h"

#include <functional>

namespace bench {

/// Runs a library's function on a set of arrays, in the case's order.
using PeerCall = std::function<void(const std::vector<DevicePointer> &)>;

class Peers {
public:
  /// Opens `path`, or where it is empty whichever version is installed.
  Peers(const Driver &driver, const std::string &path) : driver(driver) {
    std::vector<std::string> names = {path};
    if (path.empty())
      names = {"libcublas.so", "libcublas.so.13", "libcublas.so.12"};
    for (size_t i = 0; i < names.size() && !library; ++i)
      library = dlopen(names[i].c_str(), RTLD_NOW);
    if (!library) {
      absence = dlerror();
      return;
    }
    try {
      check(call<int(Handle *)>("cublasCreate_v2")(&handle), "cublasCreate");
      // Results of sums go to device memory.
      check(call<int(Handle, int)>("cublasSetPointerMode_v2")(handle, 1),
            "cublasSetPointerMode");
      check(call<int(Handle, int)>("cublasSetMathMode")(handle, 0),
            "cublasSetMathMode");
    } catch (const DriverError &error) {
      absence = error.what();
    }
  }

  /// Why cuBLAS cannot be used; empty where it can.
  const std::string &whyAbsent() const { return absence; }
  static bool needsLibrary(const std::string &name) { return name != "copy"; }

  /// The call that does what `entry` asks for.
  PeerCall find(const std::string &name, const Case &entry);

private:
  template <typename Signature>
  Signature *call(const char *name) {
    auto *function = reinterpret_cast<Signature *>(dlsym(library, name));
    if (!function)
      throw DriverError(std::string("cuBLAS has no ") + name);
    return function;
  }
  static void check(int status, const std::string &what) {
    if (status)
      throw DriverError(what + ": cuBLAS status " + std::to_string(status));
  }
  /// alpha and beta, in device memory as the pointer mode wants it.
  DevicePointer constant(float value) {
    DevicePointer &place = constants[value];
    if (!place) {
      driver.check(driver.allocate(&place, sizeof(float)), "cuMemAlloc");
      driver.check(driver.copyIn(place, &value, sizeof(float)), "cuMemcpyHtoD");
    }
    return place;
  }

  const Driver &driver;
  void *library = nullptr;
  Handle handle = nullptr;
  std::string absence;
  std::map<float, DevicePointer> constants;
};

inline PeerCall Peers::find(const std::string &name, const Case &entry) {
  using P = DevicePointer;
  enum {
    No = 0,
    Transposed = 1,
    Left = 0,
    Right = 1,
    Lower = 0,
    Upper = 1,
    NonUnit = 0
  };
  auto size = [&](const char *scalar) { return int(entry.scalars.at(scalar)); };
  auto array = [&](const char *which) { return entry.arrayNumber(which); };

  if (name == "copy") {
    size_t from = array("a"), to = array("c");
    size_t bytes = entry.arrays[to].elements * sizeof(float);
    return [this, from, to, bytes](const std::vector<P> &at) {
      driver.check(driver.copyOnDevice(at[to], at[from], bytes, nullptr),
                   "cuMemcpyDtoDAsync");
    };
  }
  P one = constant(1), zero = constant(0);
  if (name == "cublasSgemm") { // C^T = B^T A^T
    auto *gemm = call<int(Handle, int, int, int, int, int, P, P, int, P, int, P,
                          P, int)>("cublasSgemm_v2");
    int m = size("m"), n = size("n"), k = size("k");
    return [=, this](const std::vector<P> &at) {
      check(gemm(handle, No, No, n, m, k, one, at[1], n, at[0], k, zero, at[2],
                 n),
            "sgemm");
    };
  }
  if (name == "cublasSgemv") { // the matrix is transposed to cuBLAS
    auto *gemv = call<int(Handle, int, int, int, P, P, int, P, int, P, P, int)>(
        "cublasSgemv_v2");
    int h = size("h"), w = size("w"),
        way = entry.kernel == "mv" ? Transposed : No;
    return [=, this](const std::vector<P> &at) {
      check(gemv(handle, way, w, h, one, at[0], w, at[1], 1, zero, at[2], 1),
            "sgemv");
    };
  }
  if (name == "cublasSasum" || name == "cublasScasum") {
    auto *sum = call<int(Handle, int, P, int, P)>((name + "_v2").c_str());
    int n = size("n");
    size_t result = entry.arrays.size() - 1; // rd: a itself
    return [=, this](const std::vector<P> &at) {
      check(sum(handle, n, at[0], 1, at[result]), "asum");
    };
  }
  if (name == "cublasStrsm") { // X^T L^T = B^T; L^T is upper to cuBLAS
    auto *trsm =
        call<int(Handle, int, int, int, int, int, int, P, P, int, P, int)>(
            "cublasStrsm_v2");
    int m = size("m"), n = size("n");
    return [=, this](const std::vector<P> &at) {
      check(trsm(handle, Right, Upper, No, NonUnit, n, m, one, at[0], m, at[1],
                 n),
            "strsm");
    };
  }
  if (name == "cublasSgeam") {
    auto *geam =
        call<int(Handle, int, int, int, int, P, P, int, P, P, int, P, int)>(
            "cublasSgeam");
    int h = size("h"), w = size("w");
    return [=, this](const std::vector<P> &at) {
      check(geam(handle, Transposed, No, h, w, one, at[0], w, zero, at[1], h,
                 at[1], h),
            "geam");
    };
  }
  throw std::runtime_error("no peer '" + name + "'");
}

} // namespace bench

#endif // BENCH_RUNNER_PEERS_H
