/* What test/c/embed.test compiles and runs. */

#include "gpuopt-c/gpuopt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "__global__ void mv(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int h, int w) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i >= h) return;\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < w; ++k) sum += a[i * w + k] * b[k];\n"
    "  c[i] = sum;\n"
    "}\n";

enum { H = 37, W = 67 };

static GpuoptFile *compile(const char *source, const char *target) {
  GpuoptOptions *options = gpuoptOptionsCreate();
  gpuoptOptionsSetText(options, source, strlen(source));
  gpuoptOptionsSetTarget(options, target);
  char *diagnostics = NULL;
  GpuoptFile *file = gpuoptCompile("mv.cu", options, &diagnostics);
  if (*diagnostics)
    printf("%s", diagnostics);
  gpuoptFree(diagnostics);
  gpuoptOptionsDestroy(options);
  return file;
}

static void mustFail(bool succeeded, char **error) {
  printf("%s: %s\n", succeeded ? "no failure" : "failed", succeeded ? "" : *error);
  if (!succeeded)
    gpuoptFree(*error);
}

int main(void) {
  // CHECK: version 1
  printf("version %u\n", (unsigned)gpuoptVersion());

  // CHECK-NEXT: mv.cu:1:29: error: use of undeclared identifier 'x'
  // CHECK: no file
  if (!compile("__global__ void f(int *a) { x = 1; }", "sm_90"))
    puts("no file");

  GpuoptFile *file = compile(text, "sm_90");
  if (!file)
    return 1;
  // CHECK-NEXT: 1 kernel: mv (const float *__restrict a, pointer, 8 bytes; int w, 4 bytes)
  printf("%zu kernel: %s (%s %s, %s, %zu bytes; %s %s, %zu bytes)\n", gpuoptKernelCount(file), gpuoptKernelName(file, 0),
         gpuoptParameterType(file, 0, 0), gpuoptParameterName(file, 0, 0),
         gpuoptParameterIsPointer(file, 0, 0) ? "pointer" : "value", gpuoptParameterBytes(file, 0, 0),
         gpuoptParameterType(file, 0, 4), gpuoptParameterName(file, 0, 4), gpuoptParameterBytes(file, 0, 4));
  // CHECK-NEXT: nothing behind the last
  if (!gpuoptKernelName(file, 1) && !gpuoptParameterName(file, 0, 5) && !gpuoptParameterCount(file, 1))
    puts("nothing behind the last");

  float *a = malloc(sizeof(float) * H * W), *b = malloc(sizeof(float) * W), *c = malloc(sizeof(float) * H);
  int h = H, w = W;
  for (int i = 0; i < H * W; ++i)
    a[i] = (float)(i % 5);
  for (int k = 0; k < W; ++k)
    b[k] = (float)(k % 3);
  GpuoptArgument arguments[] = {
      {a, sizeof(float) * H * W}, {b, sizeof(float) * W}, {c, sizeof(float) * H}, {&h, sizeof(h)}, {&w, sizeof(w)}};
  GpuoptLaunch launch = {{2, 1, 1}, {32, 1, 1}, 0};
  char *error = NULL;
  for (int isOpen = 0; isOpen < 2; ++isOpen) {
    memset(c, 0xff, sizeof(float) * H);
    if (!gpuoptRun(file, 0, isOpen ? NULL : &launch, arguments, 5, &error))
      puts(error);
    int wrong = 0;
    for (int i = 0; i < H; ++i) {
      float sum = 0;
      for (int k = 0; k < W; ++k)
        sum += a[i * W + k] * b[k];
      wrong += c[i] != sum;
    }
    // CHECK-NEXT: 0 of 37 rows wrong
    // CHECK-NEXT: 0 of 37 rows wrong
    printf("%d of %d rows wrong\n", wrong, H);
  }

  // CHECK-NEXT: 1 launch of {{.*}}mv{{.*}}: 1 blocks, tuned, h = 37
  GpuoptDecision *decision = gpuoptDecide(file, 0, &launch, arguments, 5, &error);
  GpuoptLaunch decided = gpuoptDecisionLaunch(decision, 0);
  printf("%zu launch of %s: %u blocks, %s, h = %d\n", gpuoptDecisionCount(decision), gpuoptDecisionSymbol(decision, 0),
         (unsigned)decided.grid[0], gpuoptDecisionIsFallback(decision, 0) ? "original" : "tuned",
         *(int *)gpuoptDecisionArguments(decision, 0)[3]);
  // CHECK-NEXT: its arrays are the caller's
  if (*(float **)gpuoptDecisionArguments(decision, 0)[2] == c && !gpuoptDecisionIsCooperative(decision, 0))
    puts("its arrays are the caller's");
  gpuoptDecisionDestroy(decision);

  char *ptx = NULL;
  size_t size = 0;
  // CHECK-NEXT: PTX: 1
  if (gpuoptEmit(file, "ptx", &ptx, &size, &error))
    printf("PTX: %d\n", strstr(ptx, ".visible .entry") != NULL && strlen(ptx) == size);
  gpuoptFree(ptx);
  char *report = gpuoptReport(file);
  // CHECK-NEXT: report: 1
  printf("report: %d\n", strstr(report, "\"kernel\":\"mv\"") != NULL);
  gpuoptFree(report);

  // CHECK-NEXT: failed: expected ptx
  mustFail(gpuoptEmit(file, "exe", &ptx, &size, &error), &error);
  // CHECK-NEXT: failed: there is no kernel of this number
  mustFail(gpuoptRun(file, 1, &launch, arguments, 5, &error), &error);
  // CHECK-NEXT: failed: kernel 'mv' takes 5 arguments, 4 were given
  mustFail(gpuoptRun(file, 0, &launch, arguments, 4, &error), &error);
  // CHECK-NEXT: failed: argument 'h' (int) has 4 bytes, 8 were given
  arguments[3].bytes = 8;
  mustFail(gpuoptRun(file, 0, &launch, arguments, 5, &error), &error);
  arguments[3].bytes = 4;
  // CHECK-NEXT: failed: the grid is 0x1x1: there is nothing to launch
  launch.grid[0] = 0;
  mustFail(gpuoptRun(file, 0, &launch, arguments, 5, &error), &error);
  launch.grid[0] = 2;
  // CHECK-NEXT: failed: mv.cu:5:{{.*}}: out of bounds: thread
  arguments[1].bytes -= 4;
  mustFail(gpuoptRun(file, 0, &launch, arguments, 5, &error), &error);
  /* Nobody has to ask why. */
  if (!gpuoptRun(file, 0, &launch, arguments, 5, NULL))
    // CHECK: quiet
    puts("quiet");

  gpuoptFileDestroy(file);

  /* Each option does something. */
  static const char two[] = "#ifndef N\n#error N\n#endif\n"
                            "__global__ void f(float *a, const float *b, int n) {\n"
                            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "  if (i < n) a[i] += b[i];\n"
                            "}\n"
                            "__global__ void g(float *a) { a[0] = N; }\n";
  GpuoptOptions *options = gpuoptOptionsCreate();
  gpuoptOptionsSetText(options, two, strlen(two));
  gpuoptOptionsAddKernel(options, "f");
  gpuoptOptionsAddClangArgument(options, "-DN=5");
  gpuoptOptionsSetSize(options, "n", 4096);
  gpuoptOptionsSpecialize(options, "n", 512);
  gpuoptOptionsSetFlag(options, GPUOPT_ASSUME_NOALIAS, true);
  gpuoptOptionsSetFlag(options, GPUOPT_REASSOCIATE, true);
  gpuoptOptionsSetFlag(options, GPUOPT_STRICT, true);
  file = gpuoptCompile("two.cu", options, NULL);
  report = gpuoptReport(file);
  // CHECK-NEXT: 1 kernel, specialised: 1, mangled: 1
  printf("%zu kernel, specialised: %d, mangled: %d\n", gpuoptKernelCount(file), strstr(report, "512") != NULL,
         strcmp(gpuoptKernelSymbol(file, 0), "f") != 0);
  gpuoptFree(report);
  gpuoptFileDestroy(file);
  gpuoptOptionsSetFlag(options, GPUOPT_OPTIMIZE, false);
  file = gpuoptCompile("two.cu", options, NULL);
  report = gpuoptReport(file);
  // CHECK-NEXT: vectors without optimisation: 0
  printf("vectors without optimisation: %d\n", strstr(report, "Vectorize") != NULL);
  gpuoptFree(report);
  gpuoptFileDestroy(file);
  gpuoptOptionsDestroy(options);

  free(a);
  free(b);
  free(c);
  return 0;
}
