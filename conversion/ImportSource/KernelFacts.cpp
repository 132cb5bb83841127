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

/// A structure with more members than this is none that analyses look into.
static constexpr size_t kMostMembers = 64;

namespace {
/// Collects the members of a structure, those of structures in it among them:
/// `inner.scale`, `corners[1].x`.
class MemberCollector {
public:
  MemberCollector(const ASTContext &context, const PrintingPolicy &policy)
      : context(context), policy(policy) {}

  /// Fails where there is a member that no parameter can stand for, or there
  /// are too many.
  bool add(const RecordDecl &record, uint64_t offset,
           const std::string &prefix);

  std::vector<StructureMember> members;

private:
  bool addField(const FieldDecl &field, uint64_t offset,
                const std::string &name);
  bool addRecords(QualType type, const RecordDecl &record, uint64_t offset,
                  const std::string &name);

  uint64_t bytesOf(QualType type) const {
    return context.getTypeSizeInChars(type).getQuantity();
  }

  const ASTContext &context;
  const PrintingPolicy &policy;
};
} // namespace

bool MemberCollector::add(const RecordDecl &record, uint64_t offset,
                          const std::string &prefix) {
  const RecordDecl *definition = record.getDefinition();
  if (!definition || definition->isUnion() || definition->isInvalidDecl())
    return false;
  const ASTRecordLayout &layout = context.getASTRecordLayout(definition);
  if (const auto *type = dyn_cast<CXXRecordDecl>(definition)) {
    if (type->isDynamicClass())
      return false;
    for (const CXXBaseSpecifier &specifier : type->bases()) {
      const CXXRecordDecl *base = specifier.getType()->getAsCXXRecordDecl();
      if (!add(*base, offset + layout.getBaseClassOffset(base).getQuantity(),
               prefix))
        return false;
    }
  }
  for (const FieldDecl *field : definition->fields()) {
    uint64_t bits = layout.getFieldOffset(field->getFieldIndex());
    if (field->isBitField() || field->getName().empty() ||
        !addField(*field,
                  offset + context.toCharUnitsFromBits(bits).getQuantity(),
                  prefix + field->getName().str()))
      return false;
  }
  return members.size() <= kMostMembers;
}

bool MemberCollector::addField(const FieldDecl &field, uint64_t offset,
                               const std::string &name) {
  QualType type = field.getType();
  QualType innermost = context.getBaseElementType(type);
  if (const RecordDecl *record = innermost->getAsRecordDecl())
    return addRecords(type, *record, offset, name);
  StructureMember member;
  member.name = name;
  member.offset = offset;
  while (const ConstantArrayType *array =
             context.getAsConstantArrayType(type)) {
    member.extents.push_back(array->getSize().getSExtValue());
    type = array->getElementType();
  }
  member.typeName = type.getAsString(policy);
  member.isPointer = type->isPointerType();
  if (!member.isPointer) {
    member.element = {scalarKind(type, context), unsigned(bytesOf(type)), 1};
    members.push_back(std::move(member));
    return members.back().element.kind != ElementKind::Opaque;
  }
  if (!member.extents.empty())
    return false;
  QualType pointee = type->getPointeeType();
  member.pointeeIsConst = pointee.isConstQualified();
  member.element = describeElement(pointee, context);
  member.pointee = spellKnownType(pointee, context);
  if (member.pointee.empty())
    member.pointee = member.pointeeIsConst ? "const void" : "void";
  members.push_back(std::move(member));
  return !pointee->isFunctionType();
}

/// A structure in a structure, or an array of them.
bool MemberCollector::addRecords(QualType type, const RecordDecl &record,
                                 uint64_t offset, const std::string &name) {
  const ConstantArrayType *array = context.getAsConstantArrayType(type);
  if (!array)
    return add(record, offset, name + ".");
  QualType element = array->getElementType();
  uint64_t count = array->getZExtSize();
  for (uint64_t i = 0; i < count; ++i)
    if (i > kMostMembers ||
        !addRecords(element, record, offset + i * bytesOf(element),
                    name + "[" + std::to_string(i) + "]"))
      return false;
  return true;
}

/// A name that `record` may have where it is declared again: `View_float` for
/// `View<float>`.
static std::string nameOf(const RecordDecl &record,
                          const PrintingPolicy &policy) {
  if (const TypedefNameDecl *name = record.getTypedefNameForAnonDecl())
    return name->getNameAsString();
  std::string name;
  llvm::raw_string_ostream stream(name);
  record.getNameForDiagnostic(stream, policy, /*Qualified=*/false);
  std::string clean;
  for (char c : name)
    if (llvm::isAlnum(c) || c == '_')
      clean += c;
    else if (!clean.empty() && clean.back() != '_')
      clean += '_';
  return llvm::StringRef(clean).rtrim('_').str();
}

/// Describes the structure that `type` is, as far as it is a plain one.
static void describeStructure(QualType type, const ASTContext &context,
                              const PrintingPolicy &policy,
                              KernelParameter &parameter) {
  const RecordDecl *record = type->getAsRecordDecl();
  MemberCollector collector(context, policy);
  if (!record || !collector.add(*record, 0, ""))
    return;
  parameter.structure = nameOf(*record, policy);
  parameter.members = std::move(collector.members);
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
    result.alignment = context.getTypeAlignInChars(type).getQuantity();
    describeStructure(type, context, policy, result);
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
