//===- AlignmentTest.cpp - what addresses are multiples of ----------------===//

#include "passes/Transforms/Utils/Alignment.h"
#include "AccessBuilder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace gpuopt;

namespace {

TEST(Alignment, FollowsFactors) {
  AccessBuilder b;
  auto divisor = [&](const Polynomial &polynomial) {
    return provenDivisor(polynomial, b.table);
  };
  EXPECT_EQ(divisor(Polynomial(0)), kMostAlignment);
  EXPECT_EQ(divisor(Polynomial(24)), 8);
  EXPECT_EQ(divisor(b.tx * Polynomial(16)), 16);
  EXPECT_EQ(divisor(b.n * b.tx * Polynomial(16) + Polynomial(4)), 4);
  EXPECT_EQ(divisor(b.n * b.tx), 1);
  EXPECT_EQ(divisor(Polynomial(-32) * b.bx), 32);
  // With n a multiple of 8.
  unsigned n = *b.n.getVariable();
  EXPECT_EQ(provenDivisor(b.n * b.tx * 2 + 32, b.table, {{n, 8}}), 16);
  EXPECT_EQ(provenDivisor(b.n * b.n, b.table, {{n, 8}}), 64);
  EXPECT_EQ(provenDivisor(b.w, b.table, {{n, 8}}), 1);
}

TEST(Alignment, FollowsStepsOfLoops) {
  AccessBuilder b;
  unsigned fromZero =
      b.table.addLoop("k", {Polynomial(0)}, {b.n}, Polynomial(4));
  unsigned fromTwo =
      b.table.addLoop("l", {Polynomial(2)}, {b.n}, Polynomial(4));
  unsigned fromLarger =
      b.table.addLoop("m", {Polynomial(0), b.n}, {b.n}, Polynomial(4));
  auto divisor = [&](unsigned number) {
    return provenDivisor(Polynomial::variable(number), b.table);
  };
  EXPECT_EQ(divisor(fromZero), 4);
  EXPECT_EQ(divisor(fromTwo), 2);
  EXPECT_EQ(divisor(fromLarger), 1);
  EXPECT_EQ(divisor(b.iNumber), 1);
}

TEST(Alignment, FollowsQuotients) {
  AccessBuilder b;
  using Operator = Variable::Operator;
  Polynomial quarter = b.table.addDerived(Operator::FloorDiv, b.n, 4);
  EXPECT_EQ(provenDivisor(quarter * Polynomial(4), b.table), 4);
  EXPECT_EQ(provenDivisor(quarter, b.table), 1);
  Polynomial least =
      b.table.addDerived(Operator::Min, quarter * Polynomial(4), 16);
  EXPECT_EQ(provenDivisor(least, b.table), 4);
  EXPECT_EQ(
      provenDivisor(b.table.addDerived(Operator::FloorDiv, least, 2), b.table),
      2);
}

/// The alignments of the accesses of a kernel, in their order.
SmallVector<int64_t> alignmentsIn(StringRef text) {
  MLIRContext context;
  context.loadDialect<affine::AffineDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                      memref::MemRefDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  SmallVector<int64_t> alignments;
  module->walk([&](gpu::GPUFuncOp kernel) {
    AccessFunctions functions(kernel);
    for (const AccessFunction &access : functions.accesses())
      alignments.push_back(provenAlignment(access, functions.variables()));
  });
  return alignments;
}

TEST(Alignment, KnowsWhereArraysStart) {
  EXPECT_EQ(alignmentsIn(R"(
    gpu.module @m {
      gpu.func @k(%a: memref<?xf32>, %b: memref<?xf32> {llvm.align = 64})
          workgroup(%w: memref<8x64xf32, #gpu.address_space<workgroup>>)
          kernel {
        %t = gpu.thread_id x
        %0 = affine.load %a[symbol(%t) * 4] : memref<?xf32>
        %1 = affine.load %b[symbol(%t) * 4] : memref<?xf32>
        %2 = affine.load %b[0] : memref<?xf32>
        %3 = affine.load %w[2, symbol(%t) * 2]
          : memref<8x64xf32, #gpu.address_space<workgroup>>
        %4 = affine.load %w[2, symbol(%t) * 8]
          : memref<8x64xf32, #gpu.address_space<workgroup>>
        %5 = memref.load %a[%t] {alignment = 16} : memref<?xf32>
        gpu.return
      }
    })"),
            (SmallVector<int64_t>{4, 16, 64, 8, 16, 16}));
}

TEST(Alignment, TakesAssumptionsForViewsOfThem) {
  EXPECT_EQ(alignmentsIn(R"(
    gpu.module @m {
      gpu.func @k(%a: memref<?xf32>, %n: index) kernel {
        %t = gpu.thread_id y
        %aligned = memref.assume_alignment %a, 16 : memref<?xf32>
        %n4 = affine.apply affine_map<()[n] -> ((n floordiv 4) * 4)>()[%n]
        %v = memref.reinterpret_cast %aligned to offset: [0],
            sizes: [%n, %n4], strides: [%n4, 1]
          : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
        %w = memref.reinterpret_cast %aligned to offset: [0],
            sizes: [%n, %n], strides: [%n, 1]
          : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
        affine.for %i = 0 to 16 step 4 {
          %0 = affine.load %v[symbol(%t), %i]
            : memref<?x?xf32, strided<[?, 1]>>
          %1 = affine.load %w[symbol(%t), %i]
            : memref<?x?xf32, strided<[?, 1]>>
          %2 = affine.load %a[%i] : memref<?xf32>
        }
        gpu.return
      }
    })"),
            (SmallVector<int64_t>{16, 4, 4}));
}

} // namespace
