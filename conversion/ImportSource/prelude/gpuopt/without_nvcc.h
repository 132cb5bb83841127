// Behind the prelude where a program is compiled as by Clang.
#undef __NVCC__
