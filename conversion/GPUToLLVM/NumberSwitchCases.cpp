//===- NumberSwitchCases.cpp - switches over numbers of 64 bits -----------===//

#include "conversion/GPUToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gpuopt {
#define GEN_PASS_DEF_NUMBERSWITCHCASES
#include "conversion/GPUToLLVM/Passes.h.inc"

/// Whether numbers of 32 bits, of one sign or the other, are told apart.
static bool isNarrow(scf::IndexSwitchOp choice) {
  Operation *cast = choice.getArg().getDefiningOp();
  if (!isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(cast))
    return false;
  Type type = cast->getOperand(0).getType();
  return type.isInteger() && type.getIntOrFloatBitWidth() <= 32 &&
         llvm::all_of(choice.getCases(), [&](int64_t number) {
           return isa<arith::IndexCastOp>(cast) ? llvm::isInt<32>(number)
                                                : llvm::isUInt<32>(number);
         });
}

static void numberCases(scf::IndexSwitchOp choice) {
  OpBuilder builder(choice);
  Location loc = choice.getLoc();
  Value number =
      arith::ConstantIndexOp::create(builder, loc, choice.getCases().size());
  SmallVector<int64_t> numbers;
  for (auto [index, wanted] : llvm::enumerate(choice.getCases())) {
    Value constant = arith::ConstantIndexOp::create(builder, loc, wanted);
    Value isCase = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         choice.getArg(), constant);
    Value own = arith::ConstantIndexOp::create(builder, loc, index);
    number = arith::SelectOp::create(builder, loc, isCase, own, number);
    numbers.push_back(index);
  }
  choice.getArgMutable().assign(number);
  choice.setCases(numbers);
}

namespace {
struct NumberSwitchCases : impl::NumberSwitchCasesBase<NumberSwitchCases> {
  void runOnOperation() override {
    getOperation().walk([](scf::IndexSwitchOp choice) {
      if (!isNarrow(choice))
        numberCases(choice);
    });
  }
};
} // namespace
} // namespace gpuopt
