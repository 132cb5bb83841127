// RUN: gpuopt-opt %s --pass-pipeline='builtin.module(gpu.module(gpuopt-raise-memory))' \
// RUN:   --remarks-filter=gpuopt --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// What is done with an address that a number of elements cannot do keeps the
// pointer, and is said where it is done. Other arrays of the kernel are raised.
// CHECK-COUNT-8: !llvm.ptr

gpu.module @kernels {
  gpu.func @volatile(%a: !llvm.ptr {gpuopt.name = "a"}) kernel {
    // expected-remark@below {{array 'a' not raised: volatile or atomic load}}
    %v = llvm.load volatile %a : !llvm.ptr -> f32
    gpu.return
  }
  gpu.func @escapes(%a: !llvm.ptr {gpuopt.name = "a"}, %b: !llvm.ptr {gpuopt.name = "b"}) kernel {
    // expected-remark@below {{array 'a' not raised: its address is stored in memory}}
    // expected-remark@below {{array 'b' not raised: access of an element that is not a number}}
    llvm.store %a, %b : !llvm.ptr, !llvm.ptr
    gpu.return
  }
  gpu.func @merged(%a: !llvm.ptr {gpuopt.name = "a"}, %b: !llvm.ptr {gpuopt.name = "b"}, %is: i1) kernel {
    // expected-remark@below {{array 'a' not raised: its address flows together with others}}
    // expected-remark@below {{array 'b' not raised: its address flows together with others}}
    %p = llvm.select %is, %a, %b : i1, !llvm.ptr
    %v = llvm.load %p : !llvm.ptr -> f32
    gpu.return
  }
  gpu.func @ordered(%a: !llvm.ptr {gpuopt.name = "a"}, %x: i32) kernel {
    // expected-remark@below {{array 'a' not raised: atomic update that orders other accesses or is seen beyond the device}}
    %0 = llvm.atomicrmw add %a, %x syncscope("device") acq_rel : !llvm.ptr, i32
    gpu.return
  }
  gpu.func @system(%a: !llvm.ptr {gpuopt.name = "a"}, %x: i32) kernel {
    // expected-remark@below {{array 'a' not raised: atomic update that orders other accesses or is seen beyond the device}}
    %0 = llvm.atomicrmw add %a, %x monotonic : !llvm.ptr, i32
    gpu.return
  }
  gpu.func @number(%a: !llvm.ptr {gpuopt.name = "a"}, %b: !llvm.ptr {gpuopt.name = "b"}) kernel {
    // expected-remark@below {{array 'a' not raised: its address is used as a number}}
    %n = llvm.ptrtoint %a : !llvm.ptr to i64
    llvm.store %n, %b : i64, !llvm.ptr
    gpu.return
  }
  gpu.func @between(%a: !llvm.ptr {gpuopt.name = "a"}, %i: i64) kernel {
    // expected-remark@below {{array 'a' not raised: offset that is not known to be a multiple of the element}}
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %v = llvm.load %p : !llvm.ptr -> f32
    gpu.return
  }
  gpu.func @passed(%a: !llvm.ptr {gpuopt.name = "a"}) kernel {
    // expected-remark@below {{array 'a' not raised: its address is used by llvm.call}}
    llvm.call @other(%a) : (!llvm.ptr) -> ()
    gpu.return
  }
  llvm.func @other(!llvm.ptr)
  gpu.func @compared(%a: !llvm.ptr {gpuopt.name = "a"}, %b: !llvm.ptr {gpuopt.name = "b"}) kernel {
    // expected-remark@below {{array 'a' not raised: its address is compared with another}}
    // expected-remark@below {{array 'b' not raised: its address is compared with another}}
    %is = llvm.icmp "ult" %a, %b : !llvm.ptr
    gpu.return
  }
}
