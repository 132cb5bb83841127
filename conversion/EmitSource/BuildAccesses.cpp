//===- BuildAccesses.cpp - loads and stores as subscripts -----------------===//
//
// A view of an array is subscripts and strides: `a[row * k + i]`. See
// KernelBuilder.h.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/KernelBuilder.h"
#include "conversion/EmitSource/LegalNames.h"
#include "conversion/EmitSource/ModuleVariables.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

/// Whether `type` numbers its elements row by row without gaps.
static bool isContiguous(MemRefType type) {
  return type.getLayout().isIdentity();
}

//===--- Variables of the module ------------------------------------------===//

/// The variable as it is declared; null where it has no declaration.
Variable *KernelBuilder::declaredVariable(GetVariableOp get) {
  Variable *&known = ofModule[get.getVariable()];
  auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
      get, get.getVariableAttr());
  std::optional<DeclaredVariable> declared = describeVariable(global);
  if (known || !declared)
    return known;
  std::string name = variableNames(function, isOpenCL)[get.getVariable()];
  // A parameter of this name hides it; in OpenCL C that gets another one.
  if (!isOpenCL && llvm::is_contained(parameterNames(function), name))
    name = "::" + name;
  known = kernel.createVariable(Variable::Parameter, name, declared->element);
  known->shape = declared->shape;
  known->isOfModule = true;
  known->isInConstantMemory = declared->isInConstantMemory;
  if (known->shape.empty()) {
    known->isScalar = true;
    known->shape = {1};
  }
  return known;
}

/// Whether an element of a variable is what the kernel accesses.
static bool isElement(CType declared, CType accessed) {
  auto kindOf = [](CType type) {
    return type.kind == CType::Unsigned ? CType::Signed : type.kind;
  };
  return kindOf(declared) == kindOf(accessed) && declared.bits == accessed.bits;
}

KernelBuilder::View KernelBuilder::viewOfVariable(GetVariableOp get) {
  Variable *variable = declaredVariable(get);
  auto type = cast<MemRefType>(get.getArray().getType());
  CType element = typeOf(type.getElementType());
  if (!variable || element.kind == CType::Void)
    return {};
  if (isElement(variable->type, element) &&
      ArrayRef<int64_t>(variable->shape) == type.getShape()) {
    variables[get.getArray()] = variable;
    return {variable, {}, nullptr};
  }
  Variable *view = kernel.createVariable(Variable::Parameter, "", element);
  view->isPointer = true;
  view->isConst = variable->isInConstantMemory;
  view->isInConstantMemory = variable->isInConstantMemory;
  view->viewed = variable;
  variables[get.getArray()] = view;
  return {view, {}, nullptr};
}

KernelBuilder::View
KernelBuilder::viewAsDeclared(memref::ReinterpretCastOp cast) {
  auto get = cast.getSource().getDefiningOp<GetVariableOp>();
  Variable *variable = get ? declaredVariable(get) : nullptr;
  if (!variable || !cast.getOffsets().empty() || !cast.getStrides().empty() ||
      cast.getStaticOffsets()[0] != 0 ||
      !isElement(variable->type, typeOf(cast.getType().getElementType())))
    return {};
  SmallVector<int64_t> strides(variable->shape.size(), 1);
  for (size_t i = strides.size() - 1; i > 0; --i)
    strides[i - 1] = strides[i] * variable->shape[i];
  if (ArrayRef<int64_t>(strides) != cast.getStaticStrides())
    return {};
  return {variable, {}, nullptr};
}

//===--- Arrays -----------------------------------------------------------===//

KernelBuilder::View KernelBuilder::viewOf(Value memref) {
  if (auto known = variables.find(memref); known != variables.end()) {
    View view;
    view.array = known->second;
    return view;
  }
  Operation *op = memref.getDefiningOp();
  if (auto assume = dyn_cast_or_null<memref::AssumeAlignmentOp>(op))
    return viewOf(assume.getMemref());
  if (auto conversion = dyn_cast_or_null<memref::CastOp>(op))
    return viewOf(conversion.getSource());
  if (auto get = dyn_cast_or_null<GetVariableOp>(op))
    return viewOfVariable(get);
  if (auto reinterpret = dyn_cast_or_null<memref::ReinterpretCastOp>(op)) {
    if (View declared = viewAsDeclared(reinterpret); declared.array)
      return declared;
    View view = viewOf(reinterpret.getSource());
    if (!view.array || view.array->shape.size() > 1 || !view.strides.empty() ||
        view.offset)
      return {};
    auto fold = [&](OpFoldResult part) {
      if (auto value = dyn_cast<Value>(part))
        return index(value);
      return kernel.constant(cast<IntegerAttr>(cast<Attribute>(part)).getInt());
    };
    SmallVector<const Expr *> strides =
        llvm::map_to_vector(reinterpret.getMixedStrides(), fold);
    const Expr *start = fold(reinterpret.getMixedOffsets()[0]);
    if (constantValue(start) != 0)
      view.offset = start;
    if (strides.empty() || constantValue(strides.back()) != 1)
      return {};
    strides.pop_back();
    view.strides = std::move(strides);
    return view;
  }
  if (auto alloca = dyn_cast_or_null<memref::AllocaOp>(op);
      alloca && alloca.getType().hasStaticShape() &&
      isContiguous(alloca.getType())) {
    CType type = typeOf(alloca.getType().getElementType());
    Variable *array = kernel.createVariable(Variable::Private, "", type);
    llvm::append_range(array->shape, alloca.getType().getShape());
    variables[memref] = array;
    return {array, {}, nullptr};
  }
  return {};
}

/// The first operation that reads, writes or passes on what `pointer` points
/// to; null where there is none.
static Operation *firstUse(gpu::GPUFuncOp function, Value pointer) {
  llvm::DenseSet<Value> addresses = {pointer};
  Operation *found = nullptr;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (llvm::none_of(op->getOperands(), [&](Value operand) {
          return addresses.contains(operand);
        }))
      return WalkResult::advance();
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::SelectOp,
            arith::SelectOp>(op)) {
      addresses.insert(op->getResult(0));
      return WalkResult::advance();
    }
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

void KernelBuilder::failWithPointer(BlockArgument pointer, StringRef name) {
  Operation *use = firstUse(function, pointer);
  fail(use ? use->getLoc() : function.getLoc(),
       "array '" + name +
           "' is not raised: an access by its address has no source form");
}

const Expr *KernelBuilder::access(Location location, Value memref,
                                  ArrayRef<const Expr *> subscripts,
                                  CType type) {
  View view = viewOf(memref);
  if (!view.array || type.kind == CType::Void)
    return fail(location, "an access to " + spell(memref.getType()) +
                              " has no source form");
  SmallVector<const Expr *> at(subscripts);
  SmallVector<const Expr *> strides = view.strides;
  auto memrefType = cast<MemRefType>(memref.getType());
  bool hasShape = !view.array->shape.empty();
  if (!hasShape && view.strides.empty() && memrefType.getRank() > 1) {
    // A parameter with extents: row by row.
    if (!isContiguous(memrefType) ||
        llvm::any_of(memrefType.getShape().drop_front(), ShapedType::isDynamic))
      return fail(location,
                  "an access to " + spell(memrefType) + " has no source form");
    int64_t stride = 1;
    for (int64_t extent : llvm::reverse(memrefType.getShape().drop_front()))
      strides.insert(strides.begin(), kernel.constant(stride *= extent));
  }
  if (view.offset)
    at.back() = kernel.add(at.back(), view.offset);
  if (at.empty())
    at.push_back(kernel.constant(0));
  // An array that is declared with one extent, and used as one with more.
  if (hasShape && !strides.empty()) {
    const Expr *place = at.back();
    for (auto [subscript, stride] : llvm::zip(at, strides))
      place = kernel.add(kernel.multiply(subscript, stride), place);
    at = {place};
    strides.clear();
  }
  // A vector in an array of numbers is read as one of signed numbers, as all
  // vectors are: C++ has no conversion between uint4 and int4.
  if (view.array->type.kind == CType::Unsigned &&
      view.array->type.lanes == type.lanes)
    type.kind = CType::Unsigned;
  Expr expr{Expr::Access, type};
  expr.variable = view.array;
  expr.numSubscripts = at.size();
  expr.operands.append(at.begin(), at.end());
  expr.operands.append(strides.begin(), strides.end());
  return kernel.make(std::move(expr));
}
