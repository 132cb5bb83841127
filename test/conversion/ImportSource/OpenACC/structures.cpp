// The numbers and pointers that a construct reads of a structure are parameters; C++ with directives that offload loops, and
// without kernels, needs no option.
//
// RUN: gpuopt compile %s --no-opt --emit cuda -o - | FileCheck %s
// RUN: gpuopt check %s | FileCheck %s --check-prefix=EXECUTED --implicit-check-not=FAILED

struct Point {
  float x, y;
};
struct Grid {
  int unused;
  float h;
  Point origin;
  const float *values;
  float at(int i) const { return origin.x + h * i; }
};
static float norm(const Point &p) { return p.x * p.x + p.y * p.y; }

// Of `g` nothing is passed that nothing reads, but all of it for a member function.
// CHECK: f_kernel(float *o, float scale_factor, int g_unused, float g_h,
// CHECK-NEXT: float g_origin_x, float g_origin_y,
// CHECK-NEXT: const float *g_values, int n)
// EXECUTED: f_kernel: at --size o=2051,{{.*}}g.values=2051,n=2051{{$}}
struct Scale {
  float factor;
  float others[4];
};
void f(float *o, Scale scale, const Grid &g, int n) {
#pragma acc parallel loop
  for (int k = 0; k < n; ++k)
    o[k] = g.at(k) * g.values[k] + norm(g.origin) * scale.factor;
}

// CHECK: g_kernel(int m, float *o, float p_x)
// EXECUTED: g_kernel: at --size m=2051
void g(int m, float *o) {
  Point p = {1, 2};
  p.x = m;
#pragma omp target teams distribute parallel for
  for (int k = 0; k < m; ++k)
    o[k] = p.x;
}
