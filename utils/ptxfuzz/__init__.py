"""Random PTX programs, each with what it means in C++, and what runs, judges and shrinks them.

helpers.cuh  what the PTX ISA says of single instructions, in C++
program      registers, statements and blocks, and a program's text in PTX and in C++
forms        instructions that a table describes
maker        what chooses registers, numbers and statements
values       statements for the forms, carries, comparisons, conversions, moves
memory       local arrays, tables, input of other threads, atomics
threads      barriers, shuffles, votes: what the threads of a block do together
control      branches, loops, tables of branches, scopes, calls of functions
generate     the program of a seed
check        many programs through `gpuopt-check-batch`
shrink       the smallest program that fails in the same way
coverage     which rules of Instructions.def the programs use
"""
