//===- EffectPlaces.cpp - variables and elements of a section -------------===//

#include "conversion/Offload/EffectFinder.h"

#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace gpuopt;
using namespace gpuopt::offload;

static std::string textOf(const Expr &expression, const ASTContext &context) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  expression.printPretty(stream, nullptr,
                         PrintingPolicy(context.getLangOpts()));
  return text;
}

bool EffectFinder::isOwn(const VarDecl *variable) const {
  if (writes.declares(variable))
    return true;
  bool isKept =
      section && llvm::is_contained(section->firstPrivates, variable) &&
      !writes.assigns(variable) && !variable->getType()->isArrayType();
  if (section && section->hasOwn(variable))
    return !isKept;
  return llvm::any_of(loops, [&](size_t loop) {
    return effects.loops[loop].isParallel &&
           effects.loops[loop].variable == variable;
  });
}

bool EffectFinder::isFixed(const VarDecl *variable) const {
  bool mayBePointedTo =
      variable->hasGlobalStorage() || around.takesAddressOf(variable);
  return !writes.assigns(variable) &&
         !(mayBePointedTo && writes.mayStore(variable->getType()));
}

/// Whether each variable in `expression` keeps its value in the function, and
/// it has nothing but variables and arithmetic.
static bool isOfFixed(const Stmt &expression, const Writes &around) {
  if (const auto *reference = dyn_cast<DeclRefExpr>(&expression)) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    return isa<EnumConstantDecl>(reference->getDecl()) ||
           (variable && variable->hasLocalStorage() &&
            !around.assigns(variable));
  }
  return isa<BinaryOperator, CastExpr, IntegerLiteral, ParenExpr,
             UnaryExprOrTypeTraitExpr>(expression) &&
         llvm::all_of(expression.children(), [&](const Stmt *child) {
           return child && isOfFixed(*child, around);
         });
}

/// Whether rows of `type` are as long as the text says now, not only where it
/// was declared.
bool EffectFinder::hasFixedSizes(QualType type) const {
  while (type->isVariablyModifiedType()) {
    const auto *array = context.getAsVariableArrayType(type);
    if (array &&
        (!array->getSizeExpr() || !isOfFixed(*array->getSizeExpr(), around)))
      return false;
    const auto *rows = context.getAsArrayType(type);
    if (!rows && !type->isPointerType())
      return false;
    type = rows ? rows->getElementType() : type->getPointeeType();
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Names for values that are known before the section
//===----------------------------------------------------------------------===//

/// Whether the section can do without evaluating `operation`, although the text
/// does: it cannot trap.
static bool cannotTrap(const BinaryOperator &operation,
                       const ASTContext &context) {
  switch (operation.getOpcode()) {
  case BO_Div:
  case BO_Rem:
  case BO_Shl:
  case BO_Shr: {
    Expr::EvalResult result;
    return operation.getRHS()->EvaluateAsInt(result, context) &&
           result.Val.getInt().isStrictlyPositive();
  }
  default:
    return !operation.isAssignmentOp() && operation.getOpcode() != BO_Comma;
  }
}

/// Whether `expression` can be evaluated before the section, for the value that
/// it has in it.
bool EffectFinder::isNameable(const Expr &expression) const {
  const Expr *inner = expression.IgnoreParens();
  Expr::EvalResult result;
  if (!inner->getType()->isIntegerType())
    return false;
  if (inner->EvaluateAsInt(result, context))
    return true;
  if (const auto *reference = dyn_cast<DeclRefExpr>(inner)) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    return variable && !isOwn(variable) && isFixed(variable) &&
           !variable->getType()->isReferenceType();
  }
  if (const auto *cast = dyn_cast<CastExpr>(inner))
    return (cast->getCastKind() == CK_LValueToRValue ||
            cast->getCastKind() == CK_IntegralCast) &&
           isNameable(*cast->getSubExpr());
  if (const auto *unary = dyn_cast<UnaryOperator>(inner))
    return unary->isArithmeticOp() && isNameable(*unary->getSubExpr());
  if (const auto *binary = dyn_cast<BinaryOperator>(inner))
    return cannotTrap(*binary, context) && isNameable(*binary->getLHS()) &&
           isNameable(*binary->getRHS());
  if (const auto *choice = dyn_cast<ConditionalOperator>(inner))
    return isNameable(*choice->getCond()) &&
           isNameable(*choice->getTrueExpr()) &&
           isNameable(*choice->getFalseExpr());
  return isNameableElement(*inner);
}

/// The same for `s.n` and `sizes[0]`, where both are variables themselves, and
/// for what pointers lead to where the section begins with its value.
bool EffectFinder::isNameableElement(const Expr &expression) const {
  if (writes.mayStore(expression.getType()))
    return false;
  const Expr *place = expression.IgnoreParens();
  bool isPointer = false;
  while (true) {
    Expr::EvalResult result;
    if (const auto *member = dyn_cast<MemberExpr>(place)) {
      isPointer |= member->isArrow();
      place = member->getBase()->IgnoreParenImpCasts();
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(place)) {
      place = element->getBase()->IgnoreParenImpCasts();
      const auto *type = context.getAsConstantArrayType(place->getType());
      if (!element->getIdx()->EvaluateAsInt(result, context) ||
          result.Val.getInt().isNegative() ||
          (type && type->getSize().ule(result.Val.getInt().getZExtValue())))
        return false;
      isPointer |= !type;
    } else {
      break;
    }
  }
  const VarDecl *variable = namedVariable(const_cast<Expr *>(place));
  return variable && !isOwn(variable) && !writes.assigns(variable) &&
         (!isPointer || (isAtBegin && isFixed(variable)));
}

Value EffectFinder::nameOf(const Expr &expression) {
  if (!callers.empty() || !isNameable(expression))
    return {};
  const Expr *inner = expression.IgnoreParens();
  std::string text = "(" + textOf(*inner, context) + ")";
  // The text has no conversion that the program does not write.
  if (const auto *cast = dyn_cast<ImplicitCastExpr>(inner);
      cast && cast->getCastKind() == CK_IntegralCast) {
    QualType type = cast->getType().getCanonicalType().getUnqualifiedType();
    text = "((" + type.getAsString(PrintingPolicy(context.getLangOpts())) +
           ")" + text + ")";
  }
  return ofSymbol(text, expression.getType());
}

/// The value of that text, which has that type.
Value EffectFinder::ofSymbol(llvm::StringRef text, QualType type) {
  bool isSigned = type->isSignedIntegerType();
  return Value::ofNumber(Polynomial::ofSymbol(effects.symbols.ofText(
      text, isSigned && context.getTypeSize(type) == 64, !isSigned)));
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Whether `element` of an array in a structure is none of it for sure.
static bool isBehindMember(const ArraySubscriptExpr &element,
                           const Value &subscript, const ASTContext &context) {
  const Expr *base = element.getBase()->IgnoreParenImpCasts();
  const auto *array = context.getAsConstantArrayType(base->getType());
  std::optional<int64_t> number =
      subscript.isInteger() ? subscript.number.constant() : std::nullopt;
  return isa<MemberExpr>(base) && array && number &&
         (*number < 0 || array->getSize().ule(uint64_t(*number)));
}

Place EffectFinder::placeOf(const Expr *expression) {
  if (effects.problem)
    return {};
  expression = expression->IgnoreParens();
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression))
    return placeOfVariable(*reference);
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression)) {
    Value base = valueOf(element->getBase());
    Value subscript = valueOf(element->getIdx());
    if (isBehindMember(*element, subscript, context)) {
      fail(element->getExprLoc(),
           "leaves the member '" + textOf(*element->getBase(), context) + "'");
      return {};
    }
    return placeOfElement(sum(base, subscript, 1), *element->getBase());
  }
  if (const auto *unary = dyn_cast<UnaryOperator>(expression);
      unary && unary->getOpcode() == UO_Deref)
    return placeOfElement(valueOf(unary->getSubExpr()), *unary->getSubExpr());
  if (const auto *member = dyn_cast<MemberExpr>(expression)) {
    // It has more elements than its type says.
    if (member->isFlexibleArrayMemberLike(
            context,
            LangOptions::StrictFlexArraysLevelKind::OneZeroOrIncomplete)) {
      fail(member->getMemberLoc(),
           "'" + textOf(*member, context) + "' has no length of its own");
      return {};
    }
    Place place = member->isArrow() ? placeOfElement(valueOf(member->getBase()),
                                                     *member->getBase())
                                    : placeOf(member->getBase());
    place.isInElement = true;
    return place;
  }
  if (isa<CompoundLiteralExpr>(expression)) {
    (void)valueOf(cast<CompoundLiteralExpr>(expression)->getInitializer());
    return {Place::Kind::Own, nullptr, {}, false};
  }
  fail(expression->getExprLoc(), "a device cannot compute this expression");
  return {};
}

Place EffectFinder::placeOfVariable(const DeclRefExpr &reference) {
  const auto *variable = dyn_cast<VarDecl>(reference.getDecl());
  if (!variable)
    return {};
  QualType type = variable->getType();
  auto refuse = [&](const char *what) {
    fail(reference.getLocation(),
         "uses '" + variable->getNameAsString() + "', " + what);
    return Place();
  };
  if (type->isReferenceType())
    return refuse("a reference");
  // Its name alone may be another variable's where the section begins.
  const DeclContext *scope = variable->getDeclContext()->getRedeclContext();
  if (reference.hasQualifier() ||
      !(scope->isFunctionOrMethod() || scope->isTranslationUnit()))
    return refuse("which is in a namespace or a class");
  if (type.isVolatileQualified())
    return refuse("which is volatile");
  if (variable->getTLSKind() || variable->hasAttr<OMPThreadPrivateDeclAttr>())
    return refuse("of which each thread has its own");
  bool isWhole = type->isArrayType() || type->isRecordType();
  if (!hasFixedSizes(type))
    return refuse("whose size may have been another one");
  if (isOwn(variable))
    return {isWhole ? Place::Kind::Own : Place::Kind::Variable,
            variable,
            {},
            false};
  if (!callers.empty())
    return refuse("a global variable, in a function that it calls");
  return {isWhole ? Place::Kind::Element : Place::Kind::Variable,
          variable,
          {},
          false};
}

/// What `pointer`, the value of `expression`, points to.
Place EffectFinder::placeOfElement(const Value &pointer,
                                   const Expr &expression) {
  if (pointer.kind == Value::Kind::OwnPointer)
    return {Place::Kind::Own, nullptr, {}, false};
  if (pointer.kind == Value::Kind::Pointer)
    return {Place::Kind::Element, pointer.base, pointer.subscripts,
            pointer.isInElement};
  const Expr *inner = expression.IgnoreParenImpCasts();
  bool isNested = isa<MemberExpr, ArraySubscriptExpr>(inner);
  fail(inner->getExprLoc(),
       "cannot tell which memory '" + textOf(*inner, context) + "' points to",
       isNested);
  return {};
}

Value EffectFinder::addressOf(const Place &place, const Expr &expression,
                              bool isDecay) {
  Value value;
  if (place.kind == Place::Kind::Element) {
    value.kind = Value::Kind::Pointer;
    value.base = place.variable;
    value.subscripts = place.subscripts;
    value.isInElement =
        place.isInElement || place.variable->getType()->isRecordType();
    if (isDecay && !place.isInElement)
      value.subscripts.push_back(Polynomial(0));
    value.isRow = isDecay;
    return value;
  }
  if (place.kind == Place::Kind::Own ||
      (place.kind == Place::Kind::Variable && isOwn(place.variable))) {
    value.kind = Value::Kind::OwnPointer;
    return value;
  }
  if (place.kind == Place::Kind::Variable)
    fail(expression.getExprLoc(),
         "takes the address of '" + place.variable->getNameAsString() + "'");
  return value;
}

//===----------------------------------------------------------------------===//
// Reads and writes
//===----------------------------------------------------------------------===//

void EffectFinder::noteScalar(const VarDecl *variable, const Expr &expression,
                              bool isWrite, Scalars &scalars) {
  ScalarUse &use = scalars[variable];
  if (!use.first)
    use.first = &expression;
  (isWrite ? use.isWritten : use.isRead) = true;
  use.isReadFirst |= !isWrite && !assigned.contains(variable);
  if (isWrite)
    assigned.insert(variable);
  if (isWrite)
    use.isOnlyAtomic &= isAtomic;
}

/// Notes what an iteration does with a scalar of its own, if a clause gives it
/// that.
void EffectFinder::noteOwn(const VarDecl *variable, const Expr &expression,
                           bool isWrite) {
  if (section && llvm::is_contained(section->privates, variable))
    noteScalar(variable, expression, isWrite, effects.privates.back());
}

void EffectFinder::note(const Place &place, const Expr &expression,
                        bool isWrite) {
  if (expression.getType().isVolatileQualified())
    return fail(expression.getExprLoc(), "accesses memory that is volatile");
  if (place.kind == Place::Kind::Variable) {
    // Else it is the host that reads it, for a loop around the region.
    if (section)
      noteScalar(place.variable, expression, isWrite, effects.scalars.back());
    return;
  }
  if (place.kind != Place::Kind::Element)
    return;
  Access access;
  access.expression = &expression;
  access.base = place.variable;
  access.subscripts = place.subscripts;
  access.isWrite = isWrite;
  access.isAtomic = isAtomic;
  access.isInElement = place.isInElement;
  access.conditions = conditions;
  access.loops = loops;
  access.maker = effects.scalars.size() - 1;
  effects.accesses.push_back(std::move(access));
  count(0, 1);
}

/// Whether `expression`, a member or an element, is the same place in the whole
/// region, and no pointer on the way to it is stored there.
bool EffectFinder::isFixedPlace(const Expr &expression) const {
  const Expr *place = expression.IgnoreParenImpCasts();
  if (place->getBeginLoc().isMacroID() || place->getEndLoc().isMacroID() ||
      place->getType().isVolatileQualified() ||
      (place->getType()->isPointerType() && writes.mayStore(place->getType())))
    return false;
  if (const auto *member = dyn_cast<MemberExpr>(place)) {
    const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    return field && !field->getParent()->isUnion() &&
           isFixedPlace(*member->getBase());
  }
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(place))
    return isNameable(*element->getIdx()) && isFixedPlace(*element->getBase());
  const VarDecl *variable = namedVariable(const_cast<Expr *>(place));
  return variable && !variable->getType()->isReferenceType() &&
         !variable->getTLSKind() &&
         !variable->hasAttr<OMPThreadPrivateDeclAttr>() && !isOwn(variable) &&
         isFixed(variable) && !environment.contains(variable);
}

/// The pointer in memory that `expression` reads, if the host can read it in
/// front of the region.
std::optional<Value> EffectFinder::fixedPointer(const Expr &expression) {
  bool isThere = section && !section->isTarget && callers.empty() &&
                 !context.getLangOpts().CPlusPlus;
  if (!isThere ||
      !isa<MemberExpr, ArraySubscriptExpr>(expression.IgnoreParens()) ||
      !pointsToObjects(expression.getType()) ||
      expression.getType()->isVariablyModifiedType() ||
      expression.getType()->getPointeeType().isVolatileQualified() ||
      !isFixedPlace(expression))
    return std::nullopt;
  FixedPointer &pointer = addFixedPointer(
      effects.pointers, textOf(*expression.IgnoreParens(), context), expression,
      context);
  pointer.reads.push_back(&expression);
  Value value;
  value.kind = Value::Kind::Pointer;
  value.base = pointer.variable;
  value.subscripts.push_back(Polynomial(0));
  return value;
}

Value EffectFinder::load(const Place &place, const Expr &expression) {
  const VarDecl *variable = place.variable;
  if (place.kind == Place::Kind::Variable && isOwn(variable)) {
    noteOwn(variable, expression, /*isWrite=*/false);
    auto known = environment.find(variable);
    return known == environment.end() ? Value() : known->second;
  }
  note(place, expression, /*isWrite=*/false);
  if (place.kind == Place::Kind::Element &&
      expression.getType()->isPointerType()) {
    fail(expression.getExprLoc(),
         "'" + textOf(expression, context) + "' is a pointer in memory",
         /*isForAuthor=*/true);
    return {};
  }
  if (place.kind != Place::Kind::Variable)
    return {};
  // The variable of a loop around the region.
  if (auto known = environment.find(variable); known != environment.end())
    return known->second;
  if (writes.assigns(variable))
    return {};
  if (!isFixed(variable)) {
    fail(expression.getExprLoc(), "uses '" + variable->getName() +
                                      "', which what it writes through "
                                      "pointers may be");
    return {};
  }
  QualType type = variable->getType();
  Value value;
  if (pointsToObjects(type)) {
    value.kind = Value::Kind::Pointer;
    value.base = variable;
    value.subscripts.push_back(Polynomial(0));
  } else if (type->isIntegerType()) {
    value = ofSymbol(variable->getName(), type);
  }
  return value;
}

void EffectFinder::store(const Place &place, const Expr &expression,
                         Value value) {
  if (place.kind == Place::Kind::Unknown)
    return fail(expression.getExprLoc(), "cannot tell what this writes");
  if (place.kind == Place::Kind::Element &&
      expression.getType()->isPointerType())
    return fail(expression.getExprLoc(),
                "keeps a pointer, which is another one on the device");
  if (place.kind != Place::Kind::Variable || !isOwn(place.variable))
    return note(place, expression, /*isWrite=*/true);
  noteOwn(place.variable, expression, /*isWrite=*/true);
  if (writes.takesAddressOf(place.variable))
    return;
  environment[place.variable] = std::move(value);
}
