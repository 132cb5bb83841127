# REQUIRES: python-bindings, numpy
# RUN: env PYTHONPATH=%gpuopt_build/python:%S/Inputs %venv_python %s %examples/unified.cu
"""Threads compile and launch at once, and Ctrl-C ends a kernel that does not."""

import os
import signal
import sys
import threading
import time

import numpy as np
from expect import raises

import gpuopt

# It is ignored in what a shell runs in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
results = []


def work(number):
    error = raises(gpuopt.CompileError, "error:", lambda: gpuopt.compile(f"wrong{number}.cu", text="__global__ void f( {"))
    assert error.file == f"wrong{number}.cu" and error.diagnostics.count(": error:") == 1
    tp = gpuopt.compile(sys.argv[1], kernels=["tp"])["tp"]
    source = np.full((40, 33), number, np.float32)
    target = np.zeros((33, 40), np.float32)
    tp(**dict(zip((p.name for p in tp.parameters), (source, target, 33, 40))))
    results.append((target == number).all())


threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert results == [True] * 4, results

wait = gpuopt.compile("wait.cu", text="__global__ void f(volatile int *a) { while (a[0] == 0) ; }")["f"]
# That nobody stores what a kernel waits for is told at once; that one counts for ever is not.
count = gpuopt.compile("count.cu", text="__global__ void f(volatile int *a) { while (a[0] == 0 || a[0] != 0) a[1] = a[1] + 1; }")["f"]


def interrupted(call):
    def kick():
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=kick).start()
    try:
        call()
    except KeyboardInterrupt:
        return True
    return False


cell = np.zeros(1, np.int32)
assert interrupted(lambda: wait[1, 1](cell))
assert interrupted(lambda: count[1, 1].check(a=2))
cell[0] = 1
wait[1, 1](cell)

# One module in several threads: each call has it for itself.
TEXT = """__device__ int calls;
__global__ void add(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { a[i] += 1; if (i == 0) atomicAdd(&calls, 1); }
}
__global__ void wait(volatile int *a) { while (a[0] == 0) ; }"""
shared = gpuopt.compile("shared.cu", text=TEXT)


def use(number):
    cells = np.zeros(100 + number, np.int32)
    for _ in range(3):
        shared["add"](cells, len(cells))
        shared.variable("calls")
        shared["add"].launch_for(1, 128, n=len(cells))
        assert shared.emit("ptx") and shared["add"].check(n=67, a=67)
    results.append((cells == 3).all())


results.clear()
threads = [threading.Thread(target=use, args=(number,)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert results == [True] * 4 and shared.variable("calls").view(np.int32)[0] == 12

# Who waits for another thread's kernel can be interrupted, and that kernel goes on; so do those of other modules.
gate = np.zeros(1, np.int32)
ended = []


def hold():
    shared["wait"][1, 1](gate)
    ended.append(True)


holder = threading.Thread(target=hold)
holder.start()
time.sleep(0.3)
assert interrupted(lambda: shared["add"](np.zeros(5, np.int32), 5))
assert not ended
other = np.zeros(1, np.int32)
assert interrupted(lambda: wait[1, 1](other)) and not ended
gate[0] = 1
holder.join()
assert ended == [True]

# A handler of signals cannot wait for what it interrupts.
failures = []


def handle(*_):
    try:
        wait[1, 1](np.ones(1, np.int32))
    except RuntimeError as error:
        failures.append(str(error))
    other[0] = 1


other[0] = 0
signal.signal(signal.SIGALRM, handle)
signal.setitimer(signal.ITIMER_REAL, 0.5)
wait[1, 1](other)
assert "in use" in failures[0], failures
