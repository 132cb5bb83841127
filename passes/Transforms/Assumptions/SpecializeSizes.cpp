//===- SpecializeSizes.cpp - put known sizes in the place of parameters ---===//
//
// A kernel that is compiled for sizes that are known has constants where it had
// parameters: guards, trip counts and alignment are then decided by folding.
// The kernel for all sizes stays beside it, and the attribute
// `gpuopt.specialized` tells the launcher when to take which.
//
//===----------------------------------------------------------------------===//

#include "passes/Transforms/Passes.h"
#include "passes/Transforms/Utils/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"

namespace gpuopt {
#define GEN_PASS_DEF_SPECIALIZESIZES
#include "passes/Transforms/Passes.h.inc"
} // namespace gpuopt

using namespace mlir;
using namespace gpuopt;

/// Values by parameter name, in the order of the option.
using KnownSizes = llvm::MapVector<StringRef, int64_t>;

/// Reads NAME=VALUE,… ; failure has been reported at `op`.
static FailureOr<KnownSizes> parseKnownSizes(Operation *op,
                                             ArrayRef<std::string> options) {
  KnownSizes sizes;
  for (StringRef option : options) {
    auto [name, text] = option.split('=');
    int64_t value;
    if (name.trim().empty() || text.trim().getAsInteger(0, value))
      return op->emitError("expected NAME=INTEGER in 'sizes', found '")
             << option << "'";
    sizes[name.trim()] = value;
  }
  return sizes;
}

/// The value as an attribute of `type`; null where it is no value of it. Both
/// readings of a type without a sign are its values.
static TypedAttr sizeAttribute(Type type, int64_t value) {
  if (type.isIndex())
    return IntegerAttr::get(type, value);
  unsigned width = type.getIntOrFloatBitWidth();
  bool fits = width >= 64 || llvm::isIntN(width, value) ||
              (value >= 0 && llvm::isUIntN(width, value));
  if (!fits)
    return {};
  return IntegerAttr::get(type, APInt(64, value).trunc(std::min(width, 64u)));
}

namespace {
/// A parameter and what it becomes.
struct KnownParameter {
  BlockArgument argument;
  StringRef name;
  TypedAttr value;
};

struct SpecializeSizes
    : public gpuopt::impl::SpecializeSizesBase<SpecializeSizes> {
  using SpecializeSizesBase::SpecializeSizesBase;

  void runOnOperation() override {
    FailureOr<KnownSizes> known = parseKnownSizes(getOperation(), sizes);
    if (failed(known))
      return signalPassFailure();
    if (known->empty())
      return;
    for (gpu::GPUFuncOp kernel : collectKernels(getOperation()))
      if (std::optional<Refusal> refusal = specialize(kernel, *known))
        sayMissed(RemarkCode::SizesNotSpecialized, kernel, *refusal);
  }

  std::optional<Refusal> specialize(gpu::GPUFuncOp kernel,
                                    const KnownSizes &known);
};
} // namespace

/// The parameters of `kernel` whose values are known, or what is wrong with one
/// of the values.
static std::optional<Refusal>
findKnownParameters(gpu::GPUFuncOp kernel, const KnownSizes &known,
                    SmallVectorImpl<KnownParameter> &parameters) {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    auto name = kernel.getArgAttrOfType<StringAttr>(i, kNameAttrName);
    const auto *size = name ? known.find(name.getValue()) : known.end();
    BlockArgument argument = kernel.getArgument(i);
    Type type = argument.getType();
    if (size == known.end() || !type.isSignlessIntOrIndex())
      continue;
    TypedAttr value = sizeAttribute(type, size->second);
    if (!value)
      return Refusal{kernel.getLoc(),
                     name.str() + " = " + std::to_string(size->second) +
                         " does not fit the parameter's " +
                         std::to_string(type.getIntOrFloatBitWidth()) +
                         " bits"};
    parameters.push_back({argument, name.getValue(), value});
  }
  if (parameters.empty())
    return Refusal{kernel.getLoc(), "no integer parameter has a known size"};
  return std::nullopt;
}

/// Folds what has become constant, and writes extents below zero as zero: a
/// view that no access of the kernel reaches may have them, but not as
/// constants.
static void foldSizes(gpu::GPUFuncOp kernel) {
  MLIRContext *context = kernel.getContext();
  RewritePatternSet patterns(context);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (isa<arith::ArithDialect, affine::AffineDialect>(op.getDialect()))
      op.getCanonicalizationPatterns(patterns, context);
  (void)applyPatternsGreedily(kernel, std::move(patterns));

  kernel.walk([&](memref::ReinterpretCastOp view) {
    for (OpOperand &size : view.getSizesMutable()) {
      std::optional<int64_t> extent = getConstantIntValue(size.get());
      if (!extent || *extent >= 0)
        continue;
      OpBuilder builder(view);
      size.set(arith::ConstantIndexOp::create(builder, view.getLoc(), 0));
    }
  });
}

std::optional<Refusal> SpecializeSizes::specialize(gpu::GPUFuncOp kernel,
                                                   const KnownSizes &known) {
  if (kernel->hasAttr(kSpecializedAttrName))
    return Refusal{kernel.getLoc(), "the kernel is specialised already"};
  SmallVector<KnownParameter> parameters;
  if (std::optional<Refusal> refusal =
          findKnownParameters(kernel, known, parameters))
    return refusal;

  keepOriginal(kernel);
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  NamedAttrList record;
  std::string text;
  for (KnownParameter &parameter : parameters) {
    int64_t size = known.lookup(parameter.name);
    record.set(parameter.name, builder.getI64IntegerAttr(size));
    text += (text.empty() ? "" : ", ") + parameter.name.str() + " = " +
            std::to_string(size);
    if (parameter.argument.use_empty())
      continue;
    Value constant =
        arith::ConstantOp::create(builder, kernel.getLoc(), parameter.value);
    parameter.argument.replaceAllUsesWith(constant);
  }
  foldSizes(kernel);
  kernel->setAttr(kSpecializedAttrName, record.getDictionary(&getContext()));
  ++specialized;
  sayPassed(RemarkCode::SizesSpecialized, kernel, kernel.getLoc(),
            {{"sizes", text}});
  return std::nullopt;
}
