"""Random kernels without undefined behaviour or data races, and what runs, judges and shrinks them.

tree      expressions and statements of a kernel
ranges    values that expressions can have in a launch; what is undefined is refused
generate  the kernel of a seed
shrink    the smallest kernel that fails in the same way
campaign  seeds through worker processes, and which of them are done
batch     many kernels through `gpuopt-check-batch`
source    the same with the source that is printed for tuned kernels
"""
