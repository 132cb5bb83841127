// Each function of a library for data, and each directive: what is where is seen by what kernels find.
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

#define N 100
static int global[N];
static int failures;

// Data for the whole run.
static int counts[N], steps[] = {1, 2, 3};
#pragma acc declare create(counts)
#pragma acc declare copyin(steps)

static void expect(int is, int line) {
  failures += !is;
  if (!is)
    printf("line %d\n", line);
}
#define EXPECT(condition) expect(condition, __LINE__)

static void add(int n, int *a, int more) {
#pragma acc parallel loop present(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] += more;
}

static void fill(int n, int *a, int value) {
  for (int i = 0; i < n; i++)
    a[i] = value;
}

// Data until the function is left, wherever that is.
static int twice(int n, int *a, int once) {
#pragma acc declare copy(a[0:n])
  add(n, a, 1);
  if (once)
    return 1;
  add(n, a, 1);
  return 2;
}

int main(void) {
  int n = N, *a = malloc(n * sizeof *a);

  // A region that the counts of two others keep on the device.
  fill(n, a, 1);
#pragma acc data copy(a[0:n])
  {
    fill(n, a, 50);
#pragma acc data copy(a[0:n])
    add(n, a, 1);
    EXPECT(a[7] == 50 && acc_is_present(a, n * sizeof *a));
  }
  EXPECT(a[7] == 2 && a[n - 1] == 2 && !acc_is_present(a, n * sizeof *a));

  // Its size may change in between.
#pragma acc data copy(a[0:n])
  {
    add(n, a, 1);
    n = 3;
  }
  n = N;
  EXPECT(a[0] == 3 && a[N - 1] == 3);

  // A section that the array's first element is not in.
#pragma acc data copy(a[1:n - 2])
#pragma acc parallel loop
  for (int i = 1; i < n - 1; i++)
    a[i] = 3;
  EXPECT(a[0] == 3 && a[1] == 3 && a[N - 2] == 3);

  // Unstructured data, parts of it, and conditions.
#pragma acc enter data copyin(a[0:n])
  add(n, a, 1);
#pragma acc update self(a[10:5]) if(n > 5)
#pragma acc update self(a[20:5]) if(n < 5)
  EXPECT(a[9] == 3 && a[10] == 4 && a[14] == 4 && a[15] == 3 && a[20] == 3);
  a[30] = 100;
#pragma acc update device(a[30:1])
  add(n, a, 1);
#pragma acc enter data copyin(a[0:n])
#pragma acc exit data copyout(a[0:n])
  EXPECT(a[30] == 100);
#pragma acc exit data copyout(a[0:n]) finalize
  EXPECT(a[30] == 101 && a[31] == 5);
#pragma acc update self(a[0:n]) if_present

  // Arrays that are not named are there for the launch, and what changes is copied back.
  fill(N, global, 1);
#pragma acc parallel loop
  for (int i = 0; i < N; i++)
    global[i] += i;
  EXPECT(global[5] == 6);

  // What is declared is there.
  EXPECT(acc_is_present(counts, sizeof counts) && acc_is_present(steps, sizeof steps));
  steps[1] = 100;
#pragma acc parallel loop
  for (int i = 0; i < N; i++)
    counts[i] = steps[i % 3];
  EXPECT(counts[1] == 0);
#pragma acc update self(counts)
  EXPECT(counts[1] == 2);
  fill(n, a, 0);
  EXPECT(twice(n, a, 1) == 1 && a[1] == 1 && !acc_is_present(a, 4));
  EXPECT(twice(n, a, 0) == 2 && a[1] == 3 && !acc_is_present(a, 4));

  // The host does what a condition does not let the device do, on its own data.
#pragma acc data copyin(global)
  {
#pragma acc parallel loop if(n < 50)
    for (int i = 0; i < N; i++)
      global[i] = 9;
    EXPECT(global[5] == 9);
#pragma acc parallel loop if(n > 50)
    for (int i = 0; i < N; i++)
      global[i] = 8;
    EXPECT(global[5] == 9);
  }
  EXPECT(global[5] == 9);

  // Zeros.
  fill(n, a, 5);
#pragma acc data copyout(zero: a[0:n])
  add(n, a, 1);
  EXPECT(a[0] == 1 && a[N - 1] == 1);

  // Two arguments for one memory.
  int *same = a;
#pragma acc parallel loop copy(a[0:n], same[0:n])
  for (int i = 0; i < n; i++)
    same[i] = a[i] + 1;
  EXPECT(a[7] == 2);

  // A scalar of the device is what its kernels see.
  int s = 1, t = 0;
#pragma acc data copyin(s) copyout(t)
  {
    s = 2;
#pragma acc serial
    t = s;
  }
  EXPECT(t == 1);

  // Addresses of the device.
  fill(n, a, 1);
#pragma acc data copy(a[0:n])
  {
    int *host = a;
#pragma acc host_data use_device(a)
    {
      EXPECT(a != host && a == acc_deviceptr(host) && acc_hostptr(a) == host);
#pragma acc parallel loop deviceptr(a)
      for (int i = 0; i < n; i++)
        a[i] = 4;
    }
  }
  EXPECT(a[50] == 4);
  int *device = acc_malloc(n * sizeof *a);
  acc_memcpy_to_device(device, a, n * sizeof *a);
#pragma acc parallel loop deviceptr(device)
  for (int i = 0; i < n; i++)
    device[i] *= 2;
  acc_memcpy_from_device(a, device, n * sizeof *a);
  EXPECT(a[50] == 8);
  acc_map_data(a, device, n * sizeof *a);
  add(n, a, 1);
  acc_update_self(a, sizeof *a);
  EXPECT(a[0] == 9 && a[1] == 8);
  acc_unmap_data(a);
  acc_free(device);

  // The library's functions count as directives do.
  acc_copyin(a, n * sizeof *a);
  acc_copyin(a, n * sizeof *a);
  add(n, a, 1);
  acc_copyout(a, n * sizeof *a);
  EXPECT(a[1] == 8);
  acc_copyout(a, n * sizeof *a);
  EXPECT(a[1] == 9 && acc_get_num_devices(acc_device_not_host) == 1);

  printf("%d failures\n", failures);
  return failures != 0;
}
