# REQUIRES: python-bindings, numpy
# RUN: env PYTHONPATH=%gpuopt_build/python:%S/Inputs %venv_python %s %examples/unified.cu
"""Threads compile and launch at once, and Ctrl-C ends a kernel that does not."""

import os
import signal
import sys
import threading
import time

import numpy as np

import gpuopt

# It is ignored in what a shell runs in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
results = []


def work(number):
    try:
        gpuopt.compile(f"wrong{number}.cu", text="__global__ void f( {")
    except gpuopt.CompileError as error:
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
assert interrupted(lambda: wait[1, 1].check(a=1))
cell[0] = 1
wait[1, 1](cell)
