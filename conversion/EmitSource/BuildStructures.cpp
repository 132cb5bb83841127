//===- BuildStructures.cpp - structures that are passed by value ----------===//
//
// A kernel reads a structure that it is given from memory, at constant offsets:
// these reads are uses of its members, `p.scale` and `p.bias[1]`. What members
// point to is accessed by addresses. See KernelBuilder.h.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitSource/KernelBuilder.h"
#include "conversion/EmitSource/Structures.h"
#include "dialects/GPUOpt/AttributeNames.h"
#include "dialects/GPUOpt/GPUOptAttrs.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace gpuopt;
using namespace gpuopt::source;

//===--- Parameters -------------------------------------------------------===//

Variable *KernelBuilder::addSplitStructure(DictionaryAttr structure,
                                           StringRef name) {
  Variable *parameter =
      kernel.createVariable(Variable::Parameter, name.str(), CType{});
  parameter->structure = typeNameOf(structure).str();
  kernel.parameters.push_back(parameter);
  return parameter;
}

/// The member of `structure` that has its parameter `number`.
static DictionaryAttr memberAt(DictionaryAttr structure, unsigned number) {
  int64_t offset = cast<DenseI64ArrayAttr>(
      structure.get("offsets"))[number - firstOf(structure)];
  DictionaryAttr found;
  for (DictionaryAttr member : membersOf(structure))
    if (offsetOf(member) <= offset)
      found = member;
  return found;
}

void KernelBuilder::addMember(DictionaryAttr structure, unsigned number,
                              StringRef name, Variable *owner) {
  BlockArgument argument = function.getArgument(number);
  DictionaryAttr member = memberAt(structure, number);
  auto memref = dyn_cast<MemRefType>(argument.getType());
  bool isPointer = member.contains("pointer");
  CType type =
      typeOf(memref ? memref.getElementType() : Type(argument.getType()));
  if (argument.use_empty())
    return;
  if (isPointer && !memref) {
    failWithPointer(argument, name);
    return;
  }
  Variable *variable = kernel.createVariable(
      Variable::Parameter, name.drop_front(baseOf(name).size()).str(), type);
  variable->owner = owner;
  variable->isPointer = isPointer;
  variable->isConst = member.contains("const");
  if (type.isInteger() && member.contains("unsigned")) {
    variable->type.kind = CType::Unsigned;
    if (!isPointer && type.bits <= 32)
      variable->range = {0, (int64_t(1) << type.bits) - 1};
  }
  if (auto pointee =
          function.getArgAttrOfType<StringAttr>(number, kPointeeAttrName))
    variable->pointee = pointee.str();
  variables[argument] = variable;
}

//===--- Members ----------------------------------------------------------===//

/// The one element of `member` that `offset` is the place of, as subscripts;
/// nothing where it is that of none.
static std::optional<std::string> subscriptsAt(DictionaryAttr member,
                                               int64_t offset) {
  int64_t rest = offset - offsetOf(member);
  int64_t bytes = bytesOf(member);
  if (rest < 0 || rest % bytes != 0)
    return std::nullopt;
  rest /= bytes;
  std::string text;
  for (int64_t extent : llvm::reverse(extentsOf(member))) {
    text = "[" + std::to_string(rest % extent) + "]" + text;
    rest /= extent;
  }
  return rest == 0 ? std::optional(text) : std::nullopt;
}

/// Has what `load` reads at `offset` stand for `member`, if it reads that.
bool KernelBuilder::addMember(Operation *load, Variable *structure,
                              DictionaryAttr member, int64_t offset) {
  std::optional<std::string> subscripts = subscriptsAt(member, offset);
  Value result = load->getResult(0);
  bool isPointer = member.contains("pointer");
  Type element = cast<TypeAttr>(member.get("element")).getValue();
  if (!subscripts || (isPointer ? !isa<LLVM::LLVMPointerType>(result.getType())
                                : result.getType() != element))
    return false;
  Variable *variable = kernel.createVariable(
      Variable::Parameter, "." + nameOf(member).str() + *subscripts,
      typeOf(element));
  if (member.contains("unsigned"))
    variable->type.kind = CType::Unsigned;
  variable->owner = structure;
  variable->isPointer = isPointer;
  variable->isConst = member.contains("const");
  if (isPointer)
    pointers[result] = variable;
  else
    counters[result] = cast(kernel.use(variable), typeOf(element));
  return true;
}

/// The operations that read from `address` or an address at a constant distance
/// from it, and how far that is; false where it is used otherwise.
static bool
collectReads(Value address, int64_t offset,
             SmallVectorImpl<std::pair<Operation *, int64_t>> &all) {
  return llvm::all_of(address.getUsers(), [&](Operation *user) {
    if (auto load = dyn_cast<LLVM::LoadOp>(user)) {
      all.emplace_back(load, offset);
      return true;
    }
    auto step = dyn_cast<LLVM::GEPOp>(user);
    if (!step || !step.getDynamicIndices().empty() ||
        step.getRawConstantIndices().size() != 1 ||
        !step.getElemType().isInteger(8))
      return false;
    return collectReads(step.getResult(),
                        offset + step.getRawConstantIndices()[0], all);
  });
}

void KernelBuilder::addStructure(unsigned number, DictionaryAttr structure,
                                 const std::string &name) {
  Variable *parameter =
      kernel.createVariable(Variable::Parameter, name, CType{});
  parameter->structure = typeNameOf(structure).str();
  kernel.parameters.push_back(parameter);
  Value argument = function.getArgument(number);
  SmallVector<std::pair<Operation *, int64_t>> reads;
  if (!collectReads(argument, 0, reads)) {
    fail(function.getLoc(),
         "a structure with an element whose place is computed has no source "
         "form");
    return;
  }
  for (auto [load, offset] : reads) {
    bool isKnown = false;
    for (DictionaryAttr member : membersOf(structure))
      isKnown = isKnown || addMember(load, parameter, member, offset);
    if (!isKnown) {
      fail(load->getLoc(),
           "a read of what is no member of a structure has no source form");
      return;
    }
  }
}

bool KernelBuilder::isOfStructure(Operation *op) const {
  if (op->getNumResults() == 1 && (counters.contains(op->getResult(0)) ||
                                   pointers.contains(op->getResult(0))))
    return true;
  auto step = dyn_cast<LLVM::GEPOp>(op);
  return step && llvm::all_of(step->getUsers(), [](Operation *user) {
           return isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::GEPOp>(user);
         });
}

//===--- What members point to --------------------------------------------===//

const Expr *KernelBuilder::elementAt(Location location, Value address,
                                     Type type) {
  const Expr *position = kernel.constant(0);
  while (auto step = address.getDefiningOp<LLVM::GEPOp>()) {
    if (step.getElemType() != type || step.getIndices().size() != 1)
      return fail(location, "an address that is no element's has no source "
                            "form");
    auto part = step.getIndices()[0];
    position = kernel.add(
        position, isa<Value>(part)
                      ? index(cast<Value>(part))
                      : kernel.constant(cast<IntegerAttr>(part).getInt()));
    address = step.getBase();
  }
  Variable *array = pointers.lookup(address);
  CType element = typeOf(type);
  if (!array || array->type.bits != element.bits ||
      (array->type.kind == CType::Float) != (element.kind == CType::Float))
    return fail(location, "an access by an address has no source form");
  element.kind = array->type.kind;
  Expr access{Expr::Access, element};
  access.variable = array;
  access.numSubscripts = 1;
  access.operands = {position};
  return kernel.make(std::move(access));
}
