//===- Blas.h - the same by cuBLAS or hipBLAS -------------------*- C++ -*-===//
//
// Their matrices are column major: a row-major matrix is the transposed one to
// them. The default mode of computation does not use TF32. hipBLAS has the
// parameters of cuBLAS and other numbers for transposed, upper and so on.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_RUNNER_BLAS_H
#define BENCH_RUNNER_BLAS_H

#include "Library.h"
#include "Plan.h"

namespace bench {

class Blas : public Library {
public:
  Blas(const Driver &driver, const std::string &path)
      : Library(path, driver.isHip
                          ? std::vector<std::string>{"libhipblas.so",
                                                     "libhipblas.so.3",
                                                     "libhipblas.so.2"}
                          : std::vector<std::string>{"libcublas.so",
                                                     "libcublas.so.13",
                                                     "libcublas.so.12"}),
        driver(driver) {
    prepare([&] {
      check(function<int(Handle *)>("Create")(&handle), "create");
      // Results of sums go to device memory.
      check(function<int(Handle, int)>("SetPointerMode")(handle, 1),
            "pointer mode");
      if (!driver.isHip)
        check(call<int(Handle, int)>("cublasSetMathMode")(handle, 0),
              "math mode");
    });
  }

  /// The call that does what `entry` asks for.
  PeerCall find(const std::string &name, const Case &entry);

private:
  using P = DevicePointer;

  int operation(bool isTransposed) const {
    return (driver.isHip ? 111 : 0) + isTransposed;
  }
  int right() const { return driver.isHip ? 142 : 1; }
  int left() const { return driver.isHip ? 141 : 0; }
  int upper() const { return driver.isHip ? 121 : 1; }
  int nonUnit() const { return driver.isHip ? 131 : 0; }

  /// cuBLAS has second versions of what it had from the beginning.
  template <typename Signature>
  Signature *function(const std::string &name) const {
    return call<Signature>(driver.isHip ? "hipblas" + name
                                        : "cublas" + name + "_v2");
  }
  template <typename Signature>
  Signature *extension(const std::string &name) const {
    return call<Signature>((driver.isHip ? "hipblas" : "cublas") + name);
  }
  /// alpha and beta, in device memory as the pointer mode wants it.
  P constant(float value) {
    P &place = constants[value];
    if (!place) {
      place = driver.allocated(sizeof(float));
      driver.check(driver.copyIn(place, &value, sizeof(float)), "copy in");
    }
    return place;
  }

  PeerCall gemm(const Case &entry);
  PeerCall gemmBatched(const Case &entry);
  PeerCall gemv(const Case &entry);
  PeerCall sum(const std::string &name, const Case &entry);
  PeerCall dot(const Case &entry);
  PeerCall dgmm(const Case &entry);
  PeerCall trsm(const Case &entry);
  PeerCall syrk(const Case &entry);
  PeerCall geam(const Case &entry);

  const Driver &driver;
  Handle handle = nullptr;
  std::map<float, P> constants;
};

/// C^T = op(B)^T op(A)^T; which of both is stored transposed and how long rows
/// are depends on the kernel.
inline PeerCall Blas::gemm(const Case &entry) {
  auto size = [&](const char *name) { return int(entry.scalars.at(name)); };
  const std::string &kernel = entry.kernel;
  bool isConst = kernel == "const_mm", isPlanes = kernel == "doitgen";
  int m = isPlanes ? size("nr") * size("nq") : size("m"),
      n = isConst    ? 128
          : isPlanes ? size("np")
                     : size("n"),
      k = isConst    ? 96
          : isPlanes ? size("np")
                     : size("k");
  bool aTransposed = kernel == "atb", bTransposed = kernel == "abt";
  int lda = aTransposed ? m : k, ldb = bTransposed ? k : n, ldc = n;
  if (kernel == "mm_ld")
    lda = size("lda"), ldb = size("ldb"), ldc = size("ldc");
  float alpha = 1, beta = 0;
  if (kernel == "mm_acc")
    alpha = float(entry.scalars.at("alpha")),
    beta = float(entry.scalars.at("beta"));
  P one = constant(alpha), zero = constant(beta);
  int opA = operation(aTransposed), opB = operation(bTransposed);
  auto *gemm = function<int(Handle, int, int, int, int, int, P, P, int, P, int,
                            P, P, int)>("Sgemm");
  return [=, this](const std::vector<P> &at) {
    check(gemm(handle, opB, opA, n, m, k, one, at[1], ldb, at[0], lda, zero,
               at[2], ldc),
          "sgemm");
  };
}

inline PeerCall Blas::gemmBatched(const Case &entry) {
  auto size = [&](const char *name) { return int(entry.scalars.at(name)); };
  int m = size("m"), n = size("n"), k = size("k"), batch = size("batch");
  bool hasStrides = entry.kernel == "bgemm_s";
  long long a = hasStrides ? size("sa") : 1ll * m * k,
            b = hasStrides ? size("sb") : 1ll * k * n,
            c = hasStrides ? size("sc") : 1ll * m * n;
  P one = constant(1), zero = constant(0);
  auto *gemm =
      extension<int(Handle, int, int, int, int, int, P, P, int, long long, P,
                    int, long long, P, P, int, long long, int)>(
          "SgemmStridedBatched");
  return [=, this](const std::vector<P> &at) {
    check(gemm(handle, operation(false), operation(false), n, m, k, one, at[1],
               n, b, at[0], k, a, zero, at[2], n, c, batch),
          "sgemmStridedBatched");
  };
}

/// The matrix is transposed to BLAS.
inline PeerCall Blas::gemv(const Case &entry) {
  int h = int(entry.scalars.at("h")), w = int(entry.scalars.at("w"));
  int way = operation(entry.kernel == "mv");
  P one = constant(1), zero = constant(0);
  auto *gemv =
      function<int(Handle, int, int, int, P, P, int, P, int, P, P, int)>(
          "Sgemv");
  return [=, this](const std::vector<P> &at) {
    check(gemv(handle, way, w, h, one, at[0], w, at[1], 1, zero, at[2], 1),
          "sgemv");
  };
}

inline PeerCall Blas::sum(const std::string &name, const Case &entry) {
  auto *sum = function<int(Handle, int, P, int, P)>(name);
  int n = int(entry.scalars.at("n"));
  size_t result = entry.arrays.size() - 1; // rd: a itself
  return [=, this](const std::vector<P> &at) {
    check(sum(handle, n, at[0], 1, at[result]), "asum");
  };
}

inline PeerCall Blas::dot(const Case &entry) {
  auto *dot = function<int(Handle, int, P, int, P, int, P)>("Sdot");
  int n = int(entry.scalars.at("n"));
  return [=, this](const std::vector<P> &at) {
    check(dot(handle, n, at[0], 1, at[1], 1, at[2]), "sdot");
  };
}

/// c = diag(a) b, with vectors as matrices of one column.
inline PeerCall Blas::dgmm(const Case &entry) {
  auto *dgmm =
      extension<int(Handle, int, int, int, P, int, P, int, P, int)>("Sdgmm");
  int n = int(entry.scalars.at("n"));
  return [=, this](const std::vector<P> &at) {
    check(dgmm(handle, left(), n, 1, at[1], n, at[0], 1, at[2], n), "sdgmm");
  };
}

/// X^T L^T = B^T; L^T is upper to BLAS.
inline PeerCall Blas::trsm(const Case &entry) {
  auto *trsm =
      function<int(Handle, int, int, int, int, int, int, P, P, int, P, int)>(
          "Strsm");
  int m = int(entry.scalars.at("m")), n = int(entry.scalars.at("n"));
  P one = constant(1);
  return [=, this](const std::vector<P> &at) {
    check(trsm(handle, right(), upper(), operation(false), nonUnit(), n, m, one,
               at[0], m, at[1], n),
          "strsm");
  };
}

/// The lower triangle by rows is the upper one to BLAS.
inline PeerCall Blas::syrk(const Case &entry) {
  auto *syrk =
      function<int(Handle, int, int, int, int, P, P, int, P, P, int)>("Ssyrk");
  int n = int(entry.scalars.at("n")), m = int(entry.scalars.at("m"));
  P alpha = constant(float(entry.scalars.at("alpha"))),
    beta = constant(float(entry.scalars.at("beta")));
  return [=, this](const std::vector<P> &at) {
    check(syrk(handle, upper(), operation(true), n, m, alpha, at[0], m, beta,
               at[1], n),
          "ssyrk");
  };
}

inline PeerCall Blas::geam(const Case &entry) {
  auto *geam =
      extension<int(Handle, int, int, int, int, P, P, int, P, P, int, P, int)>(
          "Sgeam");
  int h = int(entry.scalars.at("h")), w = int(entry.scalars.at("w"));
  P one = constant(1), zero = constant(0);
  return [=, this](const std::vector<P> &at) {
    check(geam(handle, operation(true), operation(false), h, w, one, at[0], w,
               zero, at[1], h, at[1], h),
          "geam");
  };
}

inline PeerCall Blas::find(const std::string &name, const Case &entry) {
  std::string what = name.substr(driver.isHip ? 7 : 6);
  if (what == "Sgemm")
    return gemm(entry);
  if (what == "SgemmStridedBatched")
    return gemmBatched(entry);
  if (what == "Sgemv")
    return gemv(entry);
  if (what == "Sasum" || what == "Scasum")
    return sum(what, entry);
  if (what == "Sdot")
    return dot(entry);
  if (what == "Sdgmm")
    return dgmm(entry);
  if (what == "Strsm")
    return trsm(entry);
  if (what == "Ssyrk")
    return syrk(entry);
  if (what == "Sgeam")
    return geam(entry);
  throw std::runtime_error("no peer '" + name + "'");
}

} // namespace bench

#endif // BENCH_RUNNER_BLAS_H
