// How numbers of C++ are computed: conversions, promotions, and types that are others in memory.
// RUN: gpuopt-translate --cuda-to-mlir %s --target=sm_90 | FileCheck %s
// RUN: gpuopt-translate --cuda-to-mlir %s --target=gfx942 | FileCheck %s

// What is promoted to `int` and cut off again is computed in its own width. A shift right depends on the sign.
// CHECK-LABEL: @_Z6narrowPcPhPs(
// CHECK:     llvm.add %{{.*}}, %{{.*}} : i8
// CHECK:     llvm.lshr %{{.*}}, %{{.*}} : i8
// CHECK:     llvm.mul %{{.*}}, %{{.*}} : i16
__global__ void narrow(char *a, unsigned char *b, short *c) {
  a[0] = a[1] + 1;
  b[0] = b[1] >> 1;
  c[0] = c[1] * c[2];
}

// A truth value is a byte in memory that is 0 or 1.
// CHECK-LABEL: @_Z5truthPbPKi(
// CHECK:     %[[SET:.*]] = llvm.icmp "ne"
// CHECK:     %[[BYTE:.*]] = llvm.zext %[[SET]] : i1 to i8
// CHECK:     llvm.store %[[BYTE]]
// CHECK:     %[[READ:.*]] = llvm.load %{{.*}} -> i8
// CHECK:     llvm.trunc %[[READ]] overflow<nuw> : i8 to i1
__global__ void truth(bool *a, const int *b) {
  a[0] = b[0];
  a[1] = !a[2] && b[1] > 2;
}

// CHECK-LABEL: @_Z10enumeratedP5ColorPi(
// CHECK-SAME: {gpuopt.name = "a", gpuopt.unsigned,
// CHECK:     %[[GREEN:.*]] = llvm.mlir.constant(7 : i8)
// CHECK:     llvm.icmp "eq" %{{.*}}, %[[GREEN]] : i8
enum Color : unsigned char { red, green = 7 };
__global__ void enumerated(Color *a, int *b) {
  a[0] = green;
  b[0] = a[1] == green;
}

// A union is the same bits as another type: no memory is left of it.
// CHECK-LABEL: @_Z13reinterpretedPKfPj(
// CHECK-NOT: llvm.alloca
// CHECK:     %[[BITS:.*]] = llvm.load %{{.*}} -> i32
// CHECK:     llvm.store %[[BITS]]
union Bits { float f; unsigned u; };
__global__ void reinterpreted(const float *a, unsigned *b) {
  Bits x;
  x.f = a[0];
  b[0] = x.u;
}

// Bits of a number: the low ones by a mask, the others by a shift.
// CHECK-LABEL: @_Z6fieldsPK5FlagsPj(
// CHECK:     llvm.and %{{.*}}, %{{.*}} : i32
// CHECK:     llvm.lshr %{{.*}}, %{{.*}} : i32
struct Flags { unsigned low : 4, high : 28; };
__global__ void fields(const Flags *a, unsigned *b) {
  b[0] = a[0].low;
  b[1] = a[0].high;
}

// An integer is divided as one, a sum with a `double` is one, and a comparison with an unsigned number has no sign.
// CHECK-LABEL: @_Z5mixedPfPKiPKdj(
// CHECK:     %[[HALF:.*]] = llvm.sdiv %[[B:.*]], %{{.*}} : i32
// CHECK:     %[[WIDE:.*]] = llvm.sitofp %[[HALF]] : i32 to f64
// CHECK:     %[[SUM:.*]] = llvm.fadd %{{.*}}, %[[WIDE]]
// CHECK:     llvm.fptrunc %[[SUM]] : f64 to f32
// CHECK:     llvm.uitofp %{{.*}} : i32 to f32
// CHECK:     llvm.icmp "ult" %[[B]], %{{.*}} : i32
__global__ void mixed(float *a, const int *b, const double *c, unsigned n) {
  a[0] = b[0] / 2 + c[0];
  a[1] = n - 1;
  a[2] = b[0] < n;
}

// A row by a pointer of its own is loaded first: nothing is known of where it lies.
// CHECK-LABEL: @_Z8pointersPPfi(
// CHECK:     %[[ROW:.*]] = llvm.load %{{.*}} -> !llvm.ptr
// CHECK:     llvm.getelementptr inbounds|nuw %[[ROW]][
__global__ void pointers(float **rows, int n) { rows[n][1] = 0; }
