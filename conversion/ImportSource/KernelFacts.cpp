//===- KernelFacts.cpp - KernelInfo from Clang's AST ----------------------===//

#include "conversion/ImportSource/KernelFacts.h"

#include "conversion/ImportSource/Diagnostics.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/Support/Regex.h"

using namespace clang;
using namespace gpuopt;

bool gpuopt::isKernelDefinition(const FunctionDecl &function) {
  if (!function.doesThisDeclarationHaveABody() || function.isInvalidDecl() ||
      function.isDependentContext())
    return false;
  return function.hasAttr<CUDAGlobalAttr>() ||
         function.hasAttr<DeviceKernelAttr>();
}

/// Kind of a scalar type; `Opaque` where it is none.
/// Numbers of more than 64 bits are opaque.
static ElementKind scalarKind(QualType type, const ASTContext &context) {
  if (context.getTypeSize(type) > 64)
    return ElementKind::Opaque;
  if (type->isBFloat16Type())
    return ElementKind::BFloat;
  if (type->isRealFloatingType())
    return ElementKind::Float;
  if (type->isBooleanType())
    return ElementKind::Bool;
  if (type->isUnsignedIntegerOrEnumerationType())
    return ElementKind::UnsignedInt;
  if (type->isIntegralOrEnumerationType())
    return ElementKind::SignedInt;
  return ElementKind::Opaque;
}

static ElementType describeElement(QualType type, const ASTContext &context);

/// A struct is `lanes` equal scalars, without padding, or opaque.
static ElementType describeRecord(const RecordDecl &record,
                                  const ASTContext &context) {
  ElementType whole;
  unsigned lanes = 0;
  auto addPart = [&](QualType type) {
    ElementType part = describeElement(type, context);
    bool fits =
        part.kind != ElementKind::Opaque &&
        (lanes == 0 || (part.kind == whole.kind && part.bytes == whole.bytes));
    lanes += part.lanes;
    if (lanes == part.lanes)
      whole = part;
    return fits;
  };
  if (const auto *definition = dyn_cast<CXXRecordDecl>(&record)) {
    if (!definition->hasDefinition() || definition->isDynamicClass())
      return {};
    for (const CXXBaseSpecifier &base : definition->bases())
      if (!base.getType()->getAsCXXRecordDecl()->isEmpty() &&
          !addPart(base.getType()))
        return {};
  }
  if (record.isUnion() || !record.getDefinition())
    return {};
  for (const FieldDecl *field : record.getDefinition()->fields())
    if (field->isBitField() || !addPart(field->getType()))
      return {};
  uint64_t bytes = context.getASTRecordLayout(record.getDefinition())
                       .getSize()
                       .getQuantity();
  if (lanes == 0 || bytes != uint64_t(whole.bytes) * lanes)
    return {};
  whole.lanes = lanes;
  return whole;
}

static ElementType describeElement(QualType type, const ASTContext &context) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isIncompleteType() || type->isFunctionType())
    return {};
  if (const auto *array = context.getAsConstantArrayType(type)) {
    ElementType element = describeElement(array->getElementType(), context);
    element.lanes *= array->getZExtSize();
    return element;
  }
  if (const auto *vector = type->getAs<VectorType>()) {
    ElementType element = describeElement(vector->getElementType(), context);
    element.lanes = vector->getNumElements();
    return element;
  }
  unsigned bytes = context.getTypeSizeInChars(type).getQuantity();
  if (const auto *record = type->getAsRecordDecl()) {
    ElementType element = describeRecord(*record, context);
    // What is opaque still has a size, by which arrays of it are allocated.
    if (element.kind == ElementKind::Opaque)
      element.bytes = bytes;
    return element;
  }
  return {scalarKind(type, context), bytes, 1};
}

/// One member, or nothing where it is none that a parameter's description has.
static std::optional<StructureMember> describeMember(const FieldDecl &field) {
  const ASTContext &context = field.getASTContext();
  StructureMember member;
  member.name = field.getName().str();
  QualType type = field.getType();
  while (const ConstantArrayType *array =
             context.getAsConstantArrayType(type)) {
    member.extents.push_back(array->getSize().getSExtValue());
    type = array->getElementType();
  }
  member.offset =
      context.toCharUnitsFromBits(context.getFieldOffset(&field)).getQuantity();
  member.isPointer = type->isPointerType();
  if (member.isPointer) {
    type = type->getPointeeType();
    member.pointeeIsConst = type.isConstQualified();
  }
  member.element = {scalarKind(type, context), 0, 1};
  bool isKnown = member.element.kind != ElementKind::Opaque &&
                 !field.isBitField() && !member.name.empty() &&
                 !(member.isPointer && !member.extents.empty());
  if (!isKnown)
    return std::nullopt;
  member.element.bytes = context.getTypeSizeInChars(type).getQuantity();
  return member;
}

/// Describes the structure that `type` is, as far as it is a plain one.
static void describeStructure(QualType type, KernelParameter &parameter) {
  const auto *record = dyn_cast_or_null<CXXRecordDecl>(type->getAsRecordDecl());
  if (!record || record->isUnion() || record->getNumBases() != 0 ||
      record->isDynamicClass() || record->field_empty())
    return;
  std::vector<StructureMember> members;
  for (const FieldDecl *field : record->fields()) {
    std::optional<StructureMember> member = describeMember(*field);
    if (!member)
      return;
    members.push_back(std::move(*member));
  }
  parameter.structure = record->getNameAsString();
  if (const TypedefNameDecl *name = record->getTypedefNameForAnonDecl())
    parameter.structure = name->getNameAsString();
  parameter.members = std::move(members);
}

/// A type that needs no declaration but those of C++ and of the vendor's
/// headers, without typedefs; empty for all others.
static std::string spellKnownType(QualType type, const ASTContext &context) {
  if (type.isVolatileQualified())
    return "";
  QualType plain = type.getCanonicalType().getUnqualifiedType();
  std::string name;
  if (plain->isHalfType() || plain->isFloat16Type()) {
    name = "__half"; // As the prelude has them.
  } else if (plain->isBFloat16Type()) {
    name = "__nv_bfloat16";
  } else if (plain->isSpecificBuiltinType(BuiltinType::UInt)) {
    name = "unsigned"; // As it is printed everywhere.
  } else if (plain->isBuiltinType() && plain->isArithmeticType()) {
    name = plain.getAsString(PrintingPolicy(context.getLangOpts()));
  } else if (const RecordDecl *record = plain->getAsRecordDecl();
             record && record->getDeclContext()->isTranslationUnit()) {
    static const llvm::Regex known(
        "^(u?(char|short|int|long|longlong|float|double)[1-4]|__half2?|"
        "__nv_bfloat162?)$");
    if (known.match(record->getName()))
      name = record->getNameAsString();
  }
  return !name.empty() && type.isConstQualified() ? "const " + name : name;
}

static KernelParameter describeParameter(const ParmVarDecl &parameter,
                                         unsigned index,
                                         const PrintingPolicy &policy) {
  const ASTContext &context = parameter.getASTContext();
  QualType type = parameter.getType();
  KernelParameter result;
  result.name = parameter.getName().str();
  if (result.name.empty())
    result.name = "arg" + std::to_string(index);
  result.typeName = parameter.getOriginalType().getAsString(policy);
  result.isRestrict = type.isRestrictQualified();
  result.bytes = context.getTypeSizeInChars(type).getQuantity();
  result.isPointer = type->isPointerType() || type->isReferenceType();
  if (!result.isPointer) {
    result.element = describeElement(type, context);
    describeStructure(type, result);
    return result;
  }
  QualType pointee = type->getPointeeType();
  result.pointeeIsConst = pointee.isConstQualified();
  result.element = describeElement(pointee, context);
  // Host code in C++ calls no kernel of OpenCL C by its name.
  if (type->isPointerType() && !context.getLangOpts().OpenCL)
    result.pointee = spellKnownType(pointee, context);
  return result;
}

KernelInfo gpuopt::describeKernel(const FunctionDecl &kernel) {
  PrintingPolicy policy(kernel.getASTContext().getLangOpts());
  policy.SuppressUnwrittenScope = true;
  KernelInfo info;
  info.name = kernel.getNameAsString();
  llvm::raw_string_ostream displayName(info.displayName);
  kernel.getNameForDiagnostic(displayName, policy, /*Qualified=*/true);
  info.position = toSourcePosition(kernel.getLocation(),
                                   kernel.getASTContext().getSourceManager());
  for (const ParmVarDecl *parameter : kernel.parameters())
    info.parameters.push_back(
        describeParameter(*parameter, info.parameters.size(), policy));
  return info;
}
