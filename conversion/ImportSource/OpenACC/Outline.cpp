//===- Outline.cpp - a kernel of a part of a function ---------------------===//

#include "conversion/ImportSource/OpenACC/Outline.h"

#include "conversion/ImportSource/OpenACC/Atomics.h"
#include "conversion/ImportSource/OpenACC/Captures.h"
#include "conversion/ImportSource/OpenACC/MapLoops.h"
#include "conversion/ImportSource/OpenACC/TeamRegions.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprOpenMP.h"

using namespace clang;
using namespace gpuopt;

namespace {
class Outliner {
public:
  Outliner(const KernelPart &part, bool asWorkItems, Sema &sema,
           std::vector<Refusal> *refusals)
      : part(part), asWorkItems(asWorkItems), sema(sema), refusals(refusals),
        context(sema.Context), location(part.statement->getBeginLoc()),
        captures(findCaptures(part)) {}

  OutlinedKernel outline(StringRef name);

private:
  bool check();
  bool checkCopies();
  bool checkTeamCalls();
  bool checkType(const Capture &capture);
  bool checkStructure(const Capture &capture);
  void create(StringRef name);
  void finish();
  void add(Capture &capture);
  void addScalar(Capture &capture);
  void addPrivate(Capture &capture);
  void addResult(Capture &capture);
  void addPointer(Capture &capture);
  void addArray(Capture &capture);
  void addStructure(Capture &capture);
  void addMember(const Capture &capture, const MemberPath &path,
                 VarDecl *structure);
  bool isResult(const Capture &capture) const;
  bool isSize(const VarDecl &variable) const;

  bool report(SourceLocation at, const Twine &message);
  ParmVarDecl *newParameter(const VarDecl &like, QualType type,
                            StringRef member = "");
  VarDecl *newLocal(const VarDecl &like, QualType type, Expr *init);
  void declare(VarDecl *variable, std::vector<Stmt *> &where);
  Expr *reference(VarDecl *variable);
  Expr *value(VarDecl *variable);
  Expr *convert(Expr *from, QualType type);
  Expr *dereference(Expr *pointer);
  void replaceUses(Capture &capture, VarDecl *by);

  std::optional<std::string> text(const Expr &expression);
  void addDeclaredExtents(const VarDecl &variable);
  void addSections();
  bool addDomain();

  const KernelPart &part;
  bool asWorkItems;
  Sema &sema;
  std::vector<Refusal> *refusals;
  ASTContext &context;
  SourceLocation location;
  Captures captures;
  OutlinedKernel result;
  std::vector<ParmVarDecl *> parameters;
  /// What comes before the part: first what sizes are computed from.
  std::vector<Stmt *> scalars, arrays;
  std::vector<Stmt *> behind;
};
} // namespace

bool Outliner::report(SourceLocation at, const Twine &message) {
  if (refusals) {
    refusals->push_back(
        {at, message.str(), part.construct.getBegin(), part.function});
    return false;
  }
  DiagnosticsEngine &diagnostics = sema.getDiagnostics();
  unsigned id = diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0");
  diagnostics.Report(at, id) << message.str();
  return false;
}

ParmVarDecl *Outliner::newParameter(const VarDecl &like, QualType type,
                                    StringRef member) {
  IdentifierInfo *name = like.getIdentifier();
  if (!member.empty())
    name = &context.Idents.get((like.getName() + member).str());
  auto *parameter = ParmVarDecl::Create(
      context, result.function, like.getLocation(), like.getLocation(), name,
      type, context.getTrivialTypeSourceInfo(type, like.getLocation()), SC_None,
      /*DefArg=*/nullptr);
  parameters.push_back(parameter);
  return parameter;
}

VarDecl *Outliner::newLocal(const VarDecl &like, QualType type, Expr *init) {
  auto *variable = VarDecl::Create(
      context, result.function, like.getLocation(), like.getLocation(),
      like.getIdentifier(), type,
      context.getTrivialTypeSourceInfo(type, like.getLocation()), SC_None);
  if (init)
    variable->setInit(init);
  return variable;
}

void Outliner::declare(VarDecl *variable, std::vector<Stmt *> &where) {
  where.push_back(new (context)
                      DeclStmt(DeclGroupRef(variable), location, location));
}

Expr *Outliner::reference(VarDecl *variable) {
  return sema.BuildDeclRefExpr(
      variable, variable->getType().getNonReferenceType(), VK_LValue, location);
}

Expr *Outliner::value(VarDecl *variable) {
  return sema.DefaultLvalueConversion(reference(variable)).get();
}

Expr *Outliner::convert(Expr *from, QualType type) {
  return sema
      .BuildCStyleCastExpr(location,
                           context.getTrivialTypeSourceInfo(type, location),
                           location, from)
      .get();
}

Expr *Outliner::dereference(Expr *pointer) {
  return sema.BuildUnaryOp(nullptr, location, UO_Deref, pointer).get();
}

void Outliner::replaceUses(Capture &capture, VarDecl *by) {
  for (DeclRefExpr *use : capture.uses)
    use->setDecl(by);
}

/// What one work item computes for the host.
bool Outliner::isResult(const Capture &capture) const {
  return !capture.isPrivate && part.loops.empty() && !part.isOfTeam &&
         (capture.isAssigned || capture.isReduced) &&
         !capture.variable->getType()->isPointerType() &&
         !capture.variable->getType()->isArrayType();
}

/// A number or structure that the part only reads, or has a copy of.
void Outliner::addScalar(Capture &capture) {
  VarDecl *variable = capture.variable;
  result.arguments.push_back({variable, HostArgument::Kind::Value});
  if (auto *parameter = dyn_cast<ParmVarDecl>(variable)) {
    parameter->setOwningFunction(result.function);
    parameters.push_back(parameter);
    return;
  }
  QualType type = variable->getType().getUnqualifiedType();
  ParmVarDecl *parameter = newParameter(*variable, type);
  if (variable->hasGlobalStorage())
    return replaceUses(capture, parameter);
  // Sizes in types mention the variable itself.
  variable->setInit(value(parameter));
  declare(variable, scalars);
}

void Outliner::addPrivate(Capture &capture) {
  VarDecl *variable = capture.variable;
  if (isa<ParmVarDecl>(variable) || variable->hasGlobalStorage()) {
    variable = newLocal(*variable, variable->getType(), nullptr);
    replaceUses(capture, variable);
  } else {
    variable->setInit(nullptr);
  }
  declare(variable, arrays);
}

/// A variable whose value is in memory before and behind the part.
void Outliner::addResult(Capture &capture) {
  result.arguments.push_back({capture.variable, HostArgument::Kind::Result});
  QualType type = capture.variable->getType().getUnqualifiedType();
  ParmVarDecl *parameter =
      newParameter(*capture.variable, context.getPointerType(type));
  VarDecl *copy =
      newLocal(*capture.variable, type, dereference(value(parameter)));
  copy->setInit(sema.DefaultLvalueConversion(copy->getInit()).get());
  declare(copy, scalars);
  replaceUses(capture, copy);
  if (isResult(capture))
    behind.push_back(sema.BuildBinOp(nullptr, location, BO_Assign,
                                     dereference(value(parameter)), value(copy))
                         .get());
}

/// Kernels have pointers to elements; the part sees the type of the source.
void Outliner::addPointer(Capture &capture) {
  result.arguments.push_back({capture.variable, HostArgument::Kind::Pointer});
  QualType type = capture.variable->getType();
  QualType element = context.getBaseElementType(type->getPointeeType());
  QualType flat = context.getPointerType(element);
  if (type.isRestrictQualified())
    flat = flat.withRestrict();
  VarDecl *replacement = newParameter(*capture.variable, flat);
  if (type->getPointeeType()->isArrayType()) {
    QualType plain = context.getPointerType(type->getPointeeType());
    replacement =
        newLocal(*capture.variable, plain, convert(value(replacement), plain));
    declare(replacement, arrays);
  }
  replaceUses(capture, replacement);
}

/// Declared arrays do not overlap.
void Outliner::addArray(Capture &capture) {
  result.arguments.push_back({capture.variable, HostArgument::Kind::Array});
  QualType type = capture.variable->getType();
  QualType flat = context.getPointerType(context.getBaseElementType(type));
  bool areAllArrays = llvm::none_of(captures.variables, [](const auto &other) {
    return other.first->getType()->isPointerType();
  });
  ParmVarDecl *parameter = newParameter(
      *capture.variable, areAllArrays ? flat.withRestrict() : flat);
  Expr *array =
      dereference(convert(value(parameter), context.getPointerType(type)));
  VarDecl *local =
      newLocal(*capture.variable, context.getLValueReferenceType(type), array);
  declare(local, arrays);
  replaceUses(capture, local);
}

/// The member of the kernel's `structure` that is at `path`, as a parameter.
void Outliner::addMember(const Capture &capture, const MemberPath &path,
                         VarDecl *structure) {
  QualType type = path.back()->getType();
  auto kind = type->isPointerType() ? HostArgument::Kind::Pointer
                                    : HostArgument::Kind::Value;
  result.arguments.push_back({capture.variable, kind, path});
  ParmVarDecl *parameter =
      newParameter(*capture.variable, type, memberText(path));
  Expr *place = reference(structure);
  for (FieldDecl *field : path)
    place =
        MemberExpr::CreateImplicit(context, place, /*IsArrow=*/false, field,
                                   field->getType(), VK_LValue, OK_Ordinary);
  arrays.push_back(
      sema.BuildBinOp(nullptr, location, BO_Assign, place, value(parameter))
          .get());
}

/// The kernel has a copy of what it reads of a structure.
void Outliner::addStructure(Capture &capture) {
  QualType type = capture.variable->getType().getNonReferenceType();
  VarDecl *copy =
      newLocal(*capture.variable, type.getUnqualifiedType(), nullptr);
  declare(copy, arrays);
  auto members = findReadMembers(part.statement, *capture.variable);
  for (const MemberPath &path : *members)
    addMember(capture, path, copy);
  replaceUses(capture, copy);
}

void Outliner::add(Capture &capture) {
  const VarDecl &variable = *capture.variable;
  if (capture.isPrivate)
    return addPrivate(capture);
  if (variable.getType().getNonReferenceType()->isRecordType())
    return addStructure(capture);
  addDeclaredExtents(variable);
  if (variable.getType()->isArrayType())
    return addArray(capture);
  if (variable.getType()->isPointerType())
    return addPointer(capture);
  if (isResult(capture))
    return addResult(capture);
  addScalar(capture);
}

bool Outliner::checkStructure(const Capture &capture) {
  const VarDecl &variable = *capture.variable;
  auto fail = [&](const Twine &why) {
    return report(capture.uses.front()->getLocation(),
                  "the structure '" + variable.getName() +
                      "' cannot be used in a compute construct: " + why);
  };
  if (capture.isAssigned || capture.isReduced)
    return fail("it is changed");
  std::optional<std::vector<MemberPath>> members =
      findReadMembers(part.statement, variable);
  if (!members)
    return fail("only numbers and pointers in it can be read");
  for (const MemberPath &path : *members) {
    QualType type = path.back()->getType();
    if (!type->isPointerType())
      continue;
    QualType element = context.getBaseElementType(type->getPointeeType());
    if (element->isAnyPointerType() || element->isVoidType() ||
        element->isFunctionType())
      return fail("its member '" + memberText(path).substr(1) +
                  "' is no array that a kernel can have");
  }
  return true;
}

bool Outliner::checkType(const Capture &capture) {
  const VarDecl &variable = *capture.variable;
  std::string name = "'" + variable.getNameAsString() + "'";
  SourceLocation use = capture.uses.empty()
                           ? variable.getLocation()
                           : capture.uses.front()->getLocation();
  QualType type = variable.getType();
  bool isStructure = type.getNonReferenceType()->isRecordType();
  if (type->isReferenceType() && !isStructure)
    return report(use, "the reference " + name +
                           " cannot be used in a compute construct");
  if (capture.isSize && variable.hasGlobalStorage())
    return report(use,
                  "the size " + name + " must be a variable of this function");
  bool isMapped = !part.loops.empty() || part.isOfTeam;
  if (capture.isAssigned && !capture.isPrivate && !type->isArrayType() &&
      (isMapped || type->isPointerType()))
    return report(use, name + " is declared outside of this loop and assigned "
                              "in it; it must be declared in the loop or named "
                              "by 'private'");
  if (isStructure && !capture.isPrivate && !checkStructure(capture))
    return false;
  QualType element = type;
  if (type->isPointerType() || type->isArrayType())
    element = context.getBaseElementType(
        type->isPointerType() ? type->getPointeeType() : type);
  if (!capture.isPrivate && element->isAnyPointerType() && element != type)
    return report(use, name + " is an array of pointers, which a kernel "
                              "cannot have");
  if (element->isSpecificBuiltinType(BuiltinType::LongDouble) ||
      element->isAnyComplexType() || element->isVoidType() ||
      element->isFunctionType())
    return report(use, "a kernel cannot have " + name + " of type '" +
                           type.getAsString() + "'");
  return true;
}

static const Expr *findGlobalUse(const Stmt *statement) {
  const auto *reference = dyn_cast_or_null<DeclRefExpr>(statement);
  if (reference) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    return variable && variable->hasGlobalStorage() ? reference : nullptr;
  }
  if (statement)
    for (const Stmt *child : statement->children())
      if (const Expr *found = findGlobalUse(child))
        return found;
  return nullptr;
}

/// Each iteration, or gang, would need an array of its own.
bool Outliner::checkCopies() {
  for (const OpenACCClause *clause : part.clauses) {
    const auto *list = dyn_cast<OpenACCClauseWithVarList>(clause);
    if (!list || !isa<OpenACCPrivateClause, OpenACCFirstPrivateClause>(clause))
      continue;
    for (Expr *operand : list->getVarList()) {
      VarDecl *variable = variableOfClause(operand);
      if (!captures.variables.contains(variable))
        continue;
      bool isOfPointer =
          !namedVariable(operand) && variable->getType()->isPointerType();
      bool isPrivateArray = isa<OpenACCPrivateClause>(clause) && !isOfPointer;
      if (isOfPointer ||
          (!isPrivateArray && variable->getType()->isArrayType()))
        return report(operand->getExprLoc(),
                      "copies of what '" + variable->getName() +
                          "' is for each iteration are not supported; declare "
                          "an array in the loop");
    }
  }
  return true;
}

/// Loops have no teams.
bool Outliner::checkTeamCalls() {
  const CallExpr *call = findTeamCall(part.statement);
  for (const FunctionDecl *function : reachableFunctions(captures.functions))
    call = call ? call : findTeamCall(function->getBody());
  return !call || report(call->getBeginLoc(),
                         "'" + call->getDirectCallee()->getName() +
                             "' has a meaning only where each thread of a team "
                             "runs the same code");
}

bool Outliner::check() {
  if (!checkCopies())
    return false;
  if (captures.unsupported)
    return report(captures.unsupported->getExprLoc(),
                  "this cannot be used in a compute construct");
  for (const auto &[variable, capture] : captures.variables)
    if (!checkType(capture))
      return false;
  if (!part.isOfTeam && !checkTeamCalls())
    return false;
  for (const FunctionDecl *function : reachableFunctions(captures.functions))
    if (const Expr *use = findGlobalUse(function->getBody()))
      return report(use->getExprLoc(), "a function that a kernel calls cannot "
                                       "use variables outside of it");
    else if (const Stmt *found = findUnsupported(function->getBody(), context,
                                                 /*isOfKernel=*/false))
      return report(found->getBeginLoc(), "this is not supported in a function "
                                          "that a kernel calls");
  return true;
}

/// Whether `variable` is a parameter that stays what it is.
bool Outliner::isSize(const VarDecl &variable) const {
  auto found = captures.variables.find(const_cast<VarDecl *>(&variable));
  return found != captures.variables.end() && found->second.isUnchanged();
}

std::optional<std::string> Outliner::text(const Expr &expression) {
  return extentText(expression, context,
                    [&](const VarDecl &variable) { return isSize(variable); });
}

/// The extents of `double a[n][16]`, as a variable or as a parameter.
void Outliner::addDeclaredExtents(const VarDecl &variable) {
  QualType type = variable.getType();
  if (const auto *parameter = dyn_cast<ParmVarDecl>(&variable))
    type = parameter->getOriginalType();
  std::vector<std::string> extents;
  while (const ArrayType *array = type->getAsArrayTypeUnsafe()) {
    std::optional<std::string> extent;
    if (const auto *constant = dyn_cast<ConstantArrayType>(array))
      extent = std::to_string(constant->getZExtSize());
    else if (const auto *sized = dyn_cast<VariableArrayType>(array);
             sized && sized->getSizeExpr())
      extent = text(*sized->getSizeExpr());
    if (!extent)
      return;
    extents.push_back(*extent);
    type = array->getElementType();
  }
  if (!extents.empty())
    result.pragma.arrays[variable.getNameAsString()] = std::move(extents);
}

/// Extents of sections that begin with the first element: `copyin(a[0:n])`.
void Outliner::addSections() {
  for (const OpenACCClause *clause : part.clauses) {
    const auto *list = dyn_cast<OpenACCClauseWithVarList>(clause);
    if (!list)
      continue;
    for (Expr *operand : list->getVarList()) {
      VarDecl *variable = variableOfClause(operand);
      auto *section =
          dyn_cast<ArraySectionExpr>(operand->IgnoreParenImpCasts());
      auto found = captures.variables.find(variable);
      if (!section || !section->getLength() ||
          found == captures.variables.end() || found->second.isPrivate ||
          !variable->getType()->isPointerType() ||
          variable->getType()->getPointeeType()->isArrayType() ||
          !namedVariable(section->getBase()))
        continue;
      std::optional<std::string> begin =
          section->getLowerBound() ? text(*section->getLowerBound()) : "0";
      std::optional<std::string> length = text(*section->getLength());
      if (begin == "0" && length)
        result.pragma.arrays[variable->getNameAsString()] = {*length};
    }
  }
}

/// The work items: the innermost loop's come first.
bool Outliner::addDomain() {
  if (part.loops.empty() && !part.isOfTeam)
    result.pragma.domain = {"1"};
  for (const CountedLoop &loop : llvm::reverse(part.loops)) {
    std::optional<std::string> extent =
        iterationsText(loop, context, [&](const VarDecl &variable) {
          return isSize(variable);
        });
    if (!extent)
      return report(
          loop.bound->getExprLoc(),
          "the number of iterations of this loop must be an expression of "
          "constants and integer variables that it does not change");
    result.pragma.domain.push_back(*extent);
  }
  return true;
}

void Outliner::create(StringRef name) {
  QualType nothing = context.getFunctionType(context.VoidTy, {}, {});
  result.function = FunctionDecl::Create(
      context, context.getTranslationUnitDecl(), location, location,
      DeclarationName(&context.Idents.get(name)), nothing,
      context.getTrivialTypeSourceInfo(nothing, location), SC_None);
}

/// Gives the function its parameters and its body.
void Outliner::finish() {
  std::vector<QualType> types;
  for (auto [index, parameter] : llvm::enumerate(parameters)) {
    types.push_back(parameter->getType());
    parameter->setScopeInfo(/*scopeDepth=*/0, index);
  }
  QualType type = context.getFunctionType(context.VoidTy, types, {});
  result.function->setType(type);
  result.function->setTypeSourceInfo(
      context.getTrivialTypeSourceInfo(type, location));
  result.function->setParams(parameters);
  Stmt *statement = part.statement;
  if (asWorkItems || part.isOfTeam)
    replaceAtomics(statement, result.function, sema);
  if (part.isOfTeam) {
    result.threads = threadsOfTeam(*statement, context);
    statement = lowerTeamRegion(*statement, result.function, sema);
  }
  if (asWorkItems && !part.loops.empty())
    statement = mapLoops(part.loops, sema);
  std::vector<Stmt *> body = scalars;
  llvm::append_range(body, arrays);
  body.push_back(statement);
  llvm::append_range(body, behind);
  Stmt *all = CompoundStmt::Create(context, body, FPOptionsOverride(), location,
                                   part.statement->getEndLoc());
  if (asWorkItems && part.loops.empty() && !part.isOfTeam)
    all = CompoundStmt::Create(context, {onlyFirstItem(all, sema)},
                               FPOptionsOverride(), location,
                               part.statement->getEndLoc());
  result.function->setBody(all);
}

OutlinedKernel Outliner::outline(StringRef name) {
  if (!check() || !addDomain())
    return {};
  create(name);
  // C++ lets only a function itself use its parameters.
  Sema::ContextRAII inKernel(sema, result.function);
  for (auto &[variable, capture] : captures.variables)
    add(capture);
  addSections();
  finish();
  return std::move(result);
}

OutlinedKernel gpuopt::outline(const KernelPart &part, StringRef name,
                               bool asWorkItems, Sema &sema,
                               std::vector<Refusal> *refusals) {
  return Outliner(part, asWorkItems, sema, refusals).outline(name);
}
