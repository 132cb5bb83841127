//===- BuildExpressions.cpp - values as expressions -----------------------===//
//
// Constants, ids, indices and conditions on indices. See KernelBuilder.h.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/KernelBuilder.h"

#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <charconv>

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

const Expr *KernelBuilder::fail(Location location, const llvm::Twine &message) {
  if (!hasFailed)
    emitError(location) << message;
  hasFailed = true;
  return kernel.constant(0);
}

/// Where the user reads `op`, else what uses it (Clang makes room for the
/// arguments of `printf` somewhere else), else its function.
static Location placeOf(Operation *op) {
  auto isKnown = [](Operation *one) {
    auto file = one->getLoc()->findInstanceOf<FileLineColLoc>();
    return file && file.getLine() != 0;
  };
  llvm::SetVector<Operation *> candidates;
  candidates.insert(op);
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (isKnown(candidates[i]))
      return candidates[i]->getLoc();
    candidates.insert_range(candidates[i]->getUsers());
  }
  return op->getParentOfType<gpu::GPUFuncOp>().getLoc();
}

const Expr *KernelBuilder::failWithoutForm(Operation *op) {
  // What `printf` reads its arguments from, for one.
  if (isa<LLVM::AllocaOp>(op))
    return fail(placeOf(op), "a local variable that is accessed by its address "
                             "has no source form");
  return fail(placeOf(op),
              "'" + op->getName().getStringRef() + "' has no source form");
}

CType KernelBuilder::typeOf(Type type) {
  if (isa<IndexType>(type))
    return kIndexType;
  if (type.isInteger(1))
    return kBoolType;
  if (auto integer = dyn_cast<IntegerType>(type))
    if (llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth()))
      return {CType::Signed, integer.getWidth(), 1};
  if (type.isBF16())
    return {CType::BFloat, 16, 1};
  if (type.isF16() || type.isF32() || type.isF64())
    return {CType::Float, type.getIntOrFloatBitWidth(), 1};
  if (auto vector = dyn_cast<VectorType>(type);
      vector && vector.getRank() == 1 && !vector.isScalable()) {
    CType moved = typeOf(vector.getElementType());
    moved.lanes = static_cast<unsigned>(vector.getNumElements());
    unsigned bits = moved.bits * moved.lanes;
    bool isMovable = bits <= 128 && llvm::isPowerOf2_32(moved.lanes);
    if (moved.kind != CType::Void && moved.kind != CType::Bool &&
        (moved.isNative() || isMovable))
      return moved;
  }
  return {};
}

const Expr *KernelBuilder::binary(StringRef text, const Expr *left,
                                  const Expr *right, CType type) {
  Expr expr{Expr::Binary, type};
  expr.text = text.str();
  expr.operands = {left, right};
  return kernel.make(std::move(expr));
}

const Expr *KernelBuilder::cast(const Expr *expr, CType type) {
  if (expr->type == type)
    return expr;
  if (type.kind == CType::Index)
    return kernel.asSum(expr);
  // A conversion there and back, and one to another width on the way, where
  // the value fits.
  if (expr->kind == Expr::Cast && type.isInteger() && expr->type.isInteger() &&
      expr->operands[0]->type.isInteger() && expr->type.bits >= type.bits)
    return cast(expr->operands[0], type);
  if (expr->kind == Expr::Literal && type.isInteger() &&
      expr->type.isInteger() && expr->text.front() != '-')
    return kernel.literal(expr->text, type);
  if (auto value = constantValue(expr); value && type.isInteger())
    return kernel.integer(*value, type);
  Expr converted{Expr::Cast, type};
  converted.operands = {expr};
  return kernel.make(std::move(converted));
}

const Expr *KernelBuilder::call(StringRef name,
                                ArrayRef<const Expr *> arguments, CType type) {
  Expr expr{Expr::Call, type};
  expr.text = name.str();
  expr.operands.append(arguments.begin(), arguments.end());
  return kernel.make(std::move(expr));
}

//===--- Values -----------------------------------------------------------===//

const Expr *KernelBuilder::build(Value value) {
  if (auto counter = counters.find(value); counter != counters.end())
    return counter->second;
  Operation *op = value.getDefiningOp();
  if (op && plan.isInline(op))
    return buildOpValue(op);
  // What is unsigned in the source stands as the signed number of its bits.
  const Expr *use = kernel.use(variableOf(value));
  if (use->type.kind == CType::Unsigned)
    return cast(use, typeOf(value.getType()));
  return isa<IndexType>(value.getType()) ? kernel.asSum(use) : use;
}

const Expr *KernelBuilder::index(Value value) {
  return kernel.asSum(build(value));
}

/// The most blocks that a launch has along a dimension, less one.
static int64_t mostBlocks(gpu::GPUFuncOp function, gpu::Dimension dimension) {
  auto dim = static_cast<unsigned>(dimension);
  int64_t most = dim == 0 ? std::numeric_limits<int32_t>::max() - 1 : 65534;
  // A launch has no more than 2^31 - 1 work items in a dimension.
  if (auto geometry = function->getAttrOfType<GeometryAttr>(kGeometryAttrName))
    most =
        std::numeric_limits<int32_t>::max() / geometry.getItemsPerBlock()[dim] -
        1;
  return most;
}

static int64_t mostThreads(gpu::GPUFuncOp function, gpu::Dimension dimension) {
  auto dim = static_cast<unsigned>(dimension);
  if (auto geometry = function->getAttrOfType<GeometryAttr>(kGeometryAttrName))
    return geometry.getBlock()[dim] - 1;
  return dim == 2 ? 63 : 1023;
}

const Expr *KernelBuilder::buildBuiltin(StringRef what,
                                        gpu::Dimension dimension,
                                        int64_t most) {
  bool isExtent = what.ends_with("Dim");
  if (most == 0)
    return kernel.constant(isExtent ? 1 : 0);
  std::string initializer =
      what.str() + "." + stringifyDimension(dimension).str();
  Variable *&variable = builtins[initializer];
  if (!variable) {
    std::string axis = stringifyDimension(dimension).str();
    std::string name = llvm::StringSwitch<std::string>(what)
                           .Case("threadIdx", "t" + axis)
                           .Case("blockIdx", "b" + axis)
                           .Case("blockDim", "block_" + axis)
                           .Case("gridDim", "grid_" + axis)
                           .Default("id" + axis);
    variable = kernel.createVariable(Variable::Builtin, name, kIntType);
    variable->initializer = initializer;
    variable->range = {isExtent ? 1 : 0, isExtent ? most + 1 : most};
  }
  return kernel.asSum(kernel.use(variable));
}

const Expr *KernelBuilder::readSubgroup(StringRef what, StringRef name,
                                        source::Range range) {
  Variable *&variable = builtins[what];
  if (!variable) {
    variable = kernel.createVariable(Variable::Builtin, name.str(), kIntType);
    variable->initializer = what.str();
    variable->range = range;
  }
  return kernel.asSum(kernel.use(variable));
}

const Expr *KernelBuilder::buildSubgroup(Operation *op) {
  constexpr int64_t mostLanes = 128;
  if (isa<gpu::SubgroupSizeOp>(op))
    return readSubgroup("subgroupSize", "subgroup_size", {1, mostLanes});
  // In blocks that are one row, the lane is a part of its number.
  bool isRow = mostThreads(function, gpu::Dimension::y) == 0 &&
               mostThreads(function, gpu::Dimension::z) == 0;
  return readSubgroup(isRow ? "laneId.x" : "laneId", "lane",
                      {0, mostLanes - 1});
}

/// The fewest digits that are read as `value`.
static std::string shortest(const llvm::APFloat &value) {
  char digits[32];
  bool isSingle = &value.getSemantics() == &llvm::APFloat::IEEEsingle();
  auto end =
      isSingle
          ? std::to_chars(digits, std::end(digits), value.convertToFloat())
          : std::to_chars(digits, std::end(digits), value.convertToDouble());
  std::string text(digits, end.ptr);
  return StringRef(text).find_first_of(".e") == StringRef::npos ? text + ".0"
                                                                : text;
}

/// A number; null where it has no source form.
const Expr *KernelBuilder::buildConstant(TypedAttr constant) {
  CType type = typeOf(constant.getType());
  if (auto integer = dyn_cast<IntegerAttr>(constant)) {
    if (type.kind == CType::Bool)
      return kernel.literal(integer.getValue().isZero() ? "false" : "true",
                            type);
    if (type.kind != CType::Void)
      return kernel.integer(integer.getValue().getSExtValue(), type);
  }
  if (auto number = dyn_cast<FloatAttr>(constant)) {
    llvm::APFloat value = number.getValue();
    llvm::SmallString<16> text;
    if (value.isNaN() || value.isInfinity()) {
      // Spelled by its bits: the printer knows how.
      text = "bits:";
      value.bitcastToAPInt().toString(text, 16, /*Signed=*/false);
      return kernel.literal(text.str().str(), type);
    }
    bool lost;
    if (type.bits == 16)
      value.convert(llvm::APFloat::IEEEsingle(),
                    llvm::APFloat::rmNearestTiesToEven, &lost);
    return kernel.literal(shortest(value), type);
  }
  auto lanes = dyn_cast<DenseElementsAttr>(constant);
  if (!lanes || type.kind == CType::Void)
    return nullptr;
  Expr vector{Expr::Vector, type};
  for (Attribute lane : lanes.getValues<Attribute>())
    vector.operands.push_back(buildConstant(cast<TypedAttr>(lane)));
  return llvm::is_contained(vector.operands, nullptr)
             ? nullptr
             : kernel.make(std::move(vector));
}

const Expr *KernelBuilder::buildGlobalId(gpu::GlobalIdOp id) {
  constexpr int64_t mostWorkItems = std::numeric_limits<int32_t>::max() - 1;
  const Expr *use = buildBuiltin("globalIdx", id.getDimension(), mostWorkItems);
  if (std::string name = nameFor(id.getResult()); !name.empty())
    use->operands[0]->variable->name = name;
  return use;
}

const Expr *KernelBuilder::buildSelect(arith::SelectOp select) {
  if (!select.getCondition().getType().isInteger(1))
    return fail(select.getLoc(), "a selection by lanes has no source form");
  Expr expr{Expr::Select, typeOf(select.getType())};
  expr.operands = {build(select.getCondition()), build(select.getTrueValue()),
                   build(select.getFalseValue())};
  return kernel.make(std::move(expr));
}

/// Any number will do.
const Expr *KernelBuilder::buildUndefined(Type undefined) {
  CType type = typeOf(undefined);
  if (type.lanes > 1) {
    Expr vector{Expr::Vector, type};
    vector.operands.assign(
        type.lanes,
        buildUndefined(cast<VectorType>(undefined).getElementType()));
    return kernel.make(std::move(vector));
  }
  if (type.kind == CType::Index || type.isInteger())
    return kernel.integer(0, type);
  return kernel.literal(type.kind == CType::Bool ? "false" : "0.0", type);
}

/// An operation whose dialect or type of result says how it is built.
const Expr *KernelBuilder::buildByType(Operation *op) {
  Type type = op->getNumResults() ? op->getResult(0).getType() : Type();
  if (isa<LLVM::InlineAsmOp>(op))
    return fail(placeOf(op), "inline assembly that is kept has no source form");
  if (isa<LLVM::ExtractElementOp, LLVM::InsertElementOp>(op))
    return buildElement(op);
  if (isa<affine::AffineLoadOp, memref::LoadOp>(op) ||
      isa_and_nonnull<VectorType>(type) ||
      op->getName().getDialectNamespace() == "vector")
    return buildVector(op);
  if (op->getName().getDialectNamespace() == "math")
    return buildMath(op);
  if (isa<CastOpInterface>(op))
    return buildCast(op);
  if (isa_and_nonnull<IndexType>(type))
    return buildIndexArithmetic(op);
  if (isa_and_nonnull<IntegerType>(type))
    return buildInteger(op);
  if (isa_and_nonnull<FloatType>(type))
    return buildFloat(op);
  return failWithoutForm(op);
}

const Expr *KernelBuilder::buildOpValue(Operation *op) {
  if (isUndefined(op))
    return buildUndefined(op->getResult(0).getType());
  return llvm::TypeSwitch<Operation *, const Expr *>(op)
      .Case([&](arith::ConstantOp constant) {
        const Expr *value = buildConstant(constant.getValue());
        return value ? value
                     : fail(op->getLoc(), "a constant of type " +
                                              spell(constant.getType()) +
                                              " has no source form");
      })
      .Case([&](gpu::ThreadIdOp id) {
        return buildBuiltin("threadIdx", id.getDimension(),
                            mostThreads(function, id.getDimension()));
      })
      .Case([&](gpu::BlockIdOp id) {
        return buildBuiltin("blockIdx", id.getDimension(),
                            mostBlocks(function, id.getDimension()));
      })
      .Case([&](gpu::BlockDimOp id) {
        return buildBuiltin("blockDim", id.getDimension(),
                            mostThreads(function, id.getDimension()));
      })
      .Case([&](gpu::GridDimOp id) {
        return buildBuiltin("gridDim", id.getDimension(),
                            mostBlocks(function, id.getDimension()));
      })
      .Case([&](gpu::GlobalIdOp id) { return buildGlobalId(id); })
      .Case<gpu::SubgroupSizeOp, gpu::LaneIdOp>(
          [&](Operation *id) { return buildSubgroup(id); })
      .Case([&](affine::AffineApplyOp apply) {
        return indices(apply.getAffineMap(), apply.getOperands())[0];
      })
      .Case<affine::AffineMinOp, affine::AffineMaxOp>([&](auto choice) {
        auto values = indices(choice.getMap(), choice.getOperands());
        const Expr *result = values[0];
        for (const Expr *value : llvm::drop_begin(values))
          result = choose(isa<affine::AffineMinOp>(op) ? Expr::Minimum
                                                       : Expr::Maximum,
                          result, value);
        return result;
      })
      .Case([&](memref::ExtractAlignedPointerAsIndexOp address) {
        View view = viewOf(address.getSource());
        if (!view.array || !view.strides.empty())
          return fail(op->getLoc(), "the address of a view has no source form");
        return kernel.asSum(
            call("address_of", {kernel.use(view.array)}, kIndexType));
      })
      .Case([&](LLVM::LoadOp load) {
        return cast(elementAt(op->getLoc(), load.getAddr(), load.getType()),
                    typeOf(load.getType()));
      })
      .Case([&](LLVM::BitReverseOp op) { return buildReversed(op); })
      .Case([&](arith::CmpIOp compare) { return buildCompare(compare); })
      .Case([&](arith::CmpFOp compare) { return buildCompare(compare); })
      .Case([&](arith::SelectOp select) { return buildSelect(select); })
      .Default([&](Operation *) { return buildByType(op); });
}

//===--- Indices ----------------------------------------------------------===//

const Expr *KernelBuilder::affine(AffineExpr expr, AffineMap map,
                                  ArrayRef<const Expr *> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return kernel.constant(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[map.getNumDims() + symbol.getPosition()];
  auto operation = cast<AffineBinaryOpExpr>(expr);
  const Expr *left = affine(operation.getLHS(), map, operands);
  const Expr *right = affine(operation.getRHS(), map, operands);
  if (operation.getKind() == AffineExprKind::Add)
    return kernel.add(left, right);
  if (operation.getKind() == AffineExprKind::Mul)
    return kernel.multiply(left, right);
  std::optional<int64_t> divisor = constantValue(right);
  if (!divisor || *divisor <= 0)
    return fail(function.getLoc(),
                "an index divided by what is no positive constant has no "
                "source form");
  if (operation.getKind() == AffineExprKind::Mod)
    return kernel.remainder(left, *divisor);
  if (operation.getKind() == AffineExprKind::CeilDiv)
    left = kernel.add(left, kernel.constant(*divisor - 1));
  return kernel.floorDivide(left, *divisor);
}

llvm::SmallVector<const Expr *> KernelBuilder::indices(ValueRange values) {
  llvm::SmallVector<const Expr *> result;
  for (Value value : values)
    result.push_back(index(value));
  return result;
}

llvm::SmallVector<const Expr *> KernelBuilder::indices(AffineMap map,
                                                       ValueRange operands) {
  llvm::SmallVector<const Expr *> built = indices(operands), result;
  for (AffineExpr expr : map.getResults())
    result.push_back(affine(expr, map, built));
  return result;
}

const Expr *KernelBuilder::choose(Expr::Kind kind, const Expr *left,
                                  const Expr *right) {
  source::Range difference = rangeOf(kernel.add(left, right, -1));
  if (difference.high <= 0)
    return kind == Expr::Minimum ? left : right;
  if (difference.low >= 0)
    return kind == Expr::Minimum ? right : left;
  Expr choice{kind, kIndexType};
  choice.operands = {left, right};
  return kernel.asSum(kernel.make(std::move(choice)));
}

static constexpr CType kWideType{CType::Signed, 64, 1};
static constexpr CType kWideUnsigned{CType::Unsigned, 64, 1};

/// Whether a number is known to be neither negative nor wrapped: the end of a
/// range also stands for all beyond, which has.
static bool isSmall(const Expr *expr) {
  return rangeOf(expr).isNonNegative() && rangeOf(expr).isFinite();
}

/// The signed number that `sum` is in 64 bits. Of one that may wrap, the terms
/// are not divided one by one.
const Expr *KernelBuilder::asDividend(const Expr *sum) {
  return staysWide(sum)
             ? sum
             : kernel.asSum(cast(cast(sum, kWideUnsigned), kWideType));
}

/// The number that the sign extension of `sum`'s low bits is made of, where a
/// shift left and a quotient by `divisor` do that; null elsewhere.
const Expr *KernelBuilder::findExtended(const Expr *sum, int64_t divisor) {
  auto isMultiple = [&](int64_t factor) { return factor % divisor == 0; };
  if (staysWide(sum) || !isMultiple(sum->constant) ||
      !llvm::all_of(sum->coefficients, isMultiple))
    return nullptr;
  const Expr *number = kernel.constant(sum->constant / divisor);
  for (auto [operand, factor] :
       llvm::zip_equal(sum->operands, sum->coefficients))
    number = kernel.add(number, operand, factor / divisor);
  return number;
}

const Expr *KernelBuilder::buildFloor(const Expr *dividend, int64_t divisor) {
  unsigned bits = 64 - llvm::Log2_64(divisor);
  bool isType =
      llvm::isPowerOf2_64(divisor) && (bits == 8 || bits == 16 || bits == 32);
  if (const Expr *number = isType ? findExtended(dividend, divisor) : nullptr)
    return kernel.asSum(cast(asDividend(number), {CType::Signed, bits, 1}));
  return kernel.floorDivide(asDividend(dividend), divisor);
}

const Expr *KernelBuilder::buildExact(Operation *op, const Expr *left,
                                      const Expr *right) {
  std::optional<int64_t> constant = constantValue(right);
  bool isPositive = constant && *constant > 0;
  bool isMask =
      constant && *constant >= 0 && llvm::isPowerOf2_64(*constant + 1);
  bool isShift = constant && *constant >= 0 && *constant < 62;
  if (isa<arith::AddIOp>(op))
    return kernel.add(left, right);
  if (isa<arith::SubIOp>(op))
    return kernel.add(left, right, -1);
  if (isa<arith::MulIOp>(op))
    return kernel.multiply(left, right);
  if (isa<arith::ShLIOp>(op) && isShift)
    return kernel.scale(left, int64_t(1) << *constant);
  if (isa<arith::ShRSIOp>(op) && isShift)
    return buildFloor(left, int64_t(1) << *constant);
  if (isa<arith::ShRUIOp>(op) && isSmall(left) && isShift)
    return kernel.floorDivide(left, int64_t(1) << *constant);
  if (isa<arith::AndIOp>(op) && isMask)
    return kernel.remainder(left, *constant + 1);
  if (isa<arith::FloorDivSIOp>(op) && isPositive)
    return buildFloor(left, *constant);
  if (isa<arith::DivSIOp, arith::DivUIOp>(op) && isPositive && isSmall(left))
    return kernel.floorDivide(left, *constant);
  if ((isa<arith::CeilDivSIOp>(op) ||
       (isa<arith::CeilDivUIOp>(op) && isSmall(left))) &&
      isPositive)
    return kernel.floorDivide(
        kernel.add(asDividend(left), kernel.constant(*constant - 1)),
        *constant);
  if (isa<arith::RemSIOp, arith::RemUIOp>(op) && isPositive && isSmall(left))
    return kernel.remainder(left, *constant);
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op)) {
    return choose(isa<arith::MinSIOp>(op) ? Expr::Minimum : Expr::Maximum, left,
                  right);
  }
  return nullptr;
}

const Expr *KernelBuilder::buildBitwise(Operation *op, const Expr *left,
                                        const Expr *right) {
  StringRef text = isa<arith::XOrIOp>(op)   ? "^"
                   : isa<arith::AndIOp>(op) ? "&"
                                            : "|";
  // Of bits below 2^31 comes no other number in 64 bits than in 32.
  Range both = rangeOf(left), other = rangeOf(right);
  bool isNarrow = both.isNonNegative() && other.isNonNegative() &&
                  both.fitsInt() && other.fitsInt();
  CType type = isNarrow ? kIntType : kWideType;
  bool isConstant = constantValue(right).has_value();
  // The order of the two is always the same.
  if (!isConstant && std::pair(right->size, StringRef(right->shape)) <
                         std::pair(left->size, StringRef(left->shape)))
    std::swap(left, right);
  Expr expr{Expr::Binary, type};
  expr.text = text.str();
  // A constant stays a sum, which may grow from copy to copy.
  expr.operands = {cast(left, type),
                   isConstant && isNarrow ? right : cast(right, type)};
  return kernel.asSum(kernel.make(std::move(expr)));
}

/// What C has, in 64 bits where 32 may not do.
const Expr *KernelBuilder::buildWide(Operation *op, const Expr *left,
                                     const Expr *right) {
  StringRef text = isa<arith::DivSIOp, arith::DivUIOp>(op)   ? "/"
                   : isa<arith::RemSIOp, arith::RemUIOp>(op) ? "%"
                   : isa<arith::ShRSIOp, arith::ShRUIOp>(op) ? ">>"
                   : isa<arith::ShLIOp>(op)                  ? "<<"
                                                             : "";
  if (text.empty())
    return failWithoutForm(op);
  bool isUnsigned =
      isa<arith::DivUIOp, arith::RemUIOp, arith::ShRUIOp, arith::ShLIOp>(op) &&
      !(isSmall(left) && rangeOf(right).isNonNegative());
  CType type = isUnsigned ? kWideUnsigned : kWideType;
  source::Range divisor = rangeOf(right);
  if ((text == "/" || text == "%") && !isUnsigned && divisor.low > 0 &&
      rangeOf(left).fitsInt() && divisor.fitsInt())
    type = kIntType;
  const Expr *result = binary(text, cast(left, type), cast(right, type), type);
  return kernel.asSum(type == kWideUnsigned ? cast(result, kWideType) : result);
}

const Expr *KernelBuilder::buildIndexArithmetic(Operation *op) {
  if (op->getNumOperands() != 2)
    return failWithoutForm(op);
  const Expr *left = index(op->getOperand(0));
  const Expr *right = index(op->getOperand(1));
  if (const Expr *exact = buildExact(op, left, right))
    return exact;
  if (isa<arith::XOrIOp, arith::AndIOp, arith::OrIOp>(op))
    return buildBitwise(op, left, right);
  return buildWide(op, left, right);
}
