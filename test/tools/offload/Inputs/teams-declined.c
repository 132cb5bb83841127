#include <omp.h>
#include <stdio.h>
double a[100], *volatile place;
int flag[100], n;
int other(void);

// CHECK: :[[#@LINE+2]]:1: remark: not offloaded: shared out by teams that come from elsewhere: 'shared' is one that other files can call
void shared(int i, int k) {
#pragma omp for
  for (i = 0; i < 100; i++)
    a[i] = k;
}
// CHECK: :[[#@LINE+2]]:1: remark: not offloaded: each thread has its own 'k', with values that may differ
static void different(int k) {
#pragma omp for
  for (int i = 0; i < 100; i++)
    a[i] = k;
}
// CHECK: :[[#@LINE+2]]:1: remark: not offloaded: shared out by teams that come from elsewhere: 'pointed' is called by its address
static void pointed(void) {
#pragma omp for
  for (int i = 0; i < 100; i++)
    a[i] = 1;
}
void (*pointer)(void) = pointed;
// CHECK: :[[#@LINE+2]]:1: remark: not offloaded: shared out by teams that come from elsewhere: 'inside' is called by a function that other files can call
static void inside(void) {
#pragma omp for
  for (int i = 0; i < 100; i++)
    a[i] = 2;
}
void outside(void) { inside(); }
static int recursive(int k) {
  int found;
#pragma omp critical
  found = flag[k];
  return found ? k : recursive(k);
}

void values(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num(), i, k = 0, t = 0, u, steps;
    double scratch[4], kept[4] = {0};
    different(me);
    shared(0, 1);
    // Each thread has another number.
    // CHECK: :[[#@LINE+1]]:1: remark: not offloaded: each thread has its own 'me', with values that may differ
#pragma omp for
    for (i = 0; i < 100; i++)
      a[i] = me;
    // Each thread counts its iterations.
    // CHECK: :[[#@LINE+3]]:14: remark: not offloaded: each thread has its own 'k', and changes what it was
#pragma omp for
    for (i = 0; i < 100; i++)
      a[i] = k++;
    // The last value of each thread is read.
    // CHECK: :[[#@LINE+1]]:1: remark: not offloaded: each thread has its own 't', which is used behind the loop
#pragma omp for
    for (i = 0; i < 100; i++)
      t = i;
    // CHECK: :[[#@LINE+1]]:1: remark: not offloaded: each thread has its own 'kept', which is used outside of the loop, too
#pragma omp for
    for (i = 0; i < 100; i++)
      a[i] = kept[i % 4];
    // Only one thread changes it.
    u = 1;
#pragma omp master
    u = 2;
    // CHECK: :[[#@LINE+1]]:1: remark: not offloaded: each thread has its own 'u', with values that may differ
#pragma omp for
    for (i = 0; i < 100; i++)
      a[i] = u;
    u = 3;
    if (me)
      u = 4;
    // CHECK: :[[#@LINE+1]]:1: remark: not offloaded: each thread has its own 'u', with values that may differ
#pragma omp for
    for (i = 0; i < 100; i++)
      a[i] = u;
    // Threads repeat it as often as each likes.
    for (u = 0, steps = me; steps > 0; steps--)
      u = 5;
    // CHECK: :[[#@LINE+1]]:1: remark: not offloaded: each thread has its own 'u', with values that may differ
#pragma omp for
    for (i = 0; i < 100; i++)
      a[i] = u;
    // CHECK: :[[#@LINE+1]]:1: remark: not offloaded: each thread has its own 'scratch', which is used outside of the loop, too
#pragma omp for schedule(static, 10)
    for (i = 0; i < 100; i++) {
      if (i % 10 == 0)
        scratch[0] = 1;
      a[i] = scratch[0]++;
    }
#pragma omp critical
    printf("%d\n", t);
  }
  double sum = 0;
  // CHECK: :[[#@LINE+3]]:1: remark: not offloaded: each thread has its own 'sum', of which the region makes one
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for
    for (int i = 0; i < 100; i++)
      sum += a[i];
    sum += 1;
  }
}

// Threads that wait for each other by other means than barriers.
void waits(void) {
  // CHECK: :[[#@LINE+6]]:1: remark: not offloaded: threads that share this loop may wait for each other by 'flush'
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 100; i++)
      a[i] = 1;
#pragma omp flush(n)
  }
  // CHECK: :[[#@LINE+6]]:5: remark: not offloaded: threads that share this loop may wait for each other by this memory
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 100; i++)
      a[i] = 1;
    place = a;
  }
  // CHECK: :[[#@LINE+6]]:5: remark: not offloaded: threads that share this loop may wait for each other in 'other'
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 100; i++)
      a[i] = 1;
    other();
  }
  // CHECK: :[[#@LINE+10]]:1: remark: not offloaded: threads that share this loop may wait for each other by what they find here, again and again
#pragma omp parallel
  {
    int found = 0;
#pragma omp for nowait
    for (int i = 0; i < 100; i++)
      a[i] = 1;
#pragma omp single nowait
    found = 1;
    while (!found) {
#pragma omp atomic read
      found = n;
    }
  }
  // CHECK: :35:1: remark: not offloaded: threads that share this loop may wait for each other by what they find here, again and again
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 100; i++)
      a[i] = 1;
    recursive(3);
  }
  // CHECK: :[[#@LINE+6]]:1: remark: not offloaded: threads that share this loop may wait for each other by 'task'
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 100; i++)
      a[i] = 1;
#pragma omp task
    a[0] = 2;
  }
}
