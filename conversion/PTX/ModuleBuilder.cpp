//===- ModuleBuilder.cpp - a module of PTX as LLVM IR ---------------------===//

#include "conversion/PTX/ModuleBuilder.h"

#include "conversion/PTX/FunctionBuilder.h"
#include "conversion/PTX/UnsetRegisters.h"
#include "dialects/GPUOpt/ManagedVariables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

ModuleBuilder::ModuleBuilder(const SourceModule &source, StringRef path,
                             llvm::Module &target)
    : target(target), context(target.getContext()), source(source), path(path),
      debugInfo(target) {
  Triple triple("nvptx64-nvidia-cuda");
  target.setTargetTriple(triple);
  target.setDataLayout(triple.computeDataLayout());
  target.addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                       DEBUG_METADATA_VERSION);
  // Lines, and nothing for debuggers: ptxas refuses that where several units
  // are joined.
  unit = debugInfo.createCompileUnit(dwarf::DW_LANG_C_plus_plus, fileOf(path),
                                     "gpuopt", /*isOptimized=*/true, "", 0, "",
                                     DICompileUnit::DebugDirectivesOnly);
  for (const SourceFunction &function : source.functions) {
    const SourceFunction *&known = functions[function.name];
    if (!known || function.isDefined)
      known = &function;
  }
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

DIFile *ModuleBuilder::fileOf(StringRef name) {
  return debugInfo.createFile(name, "");
}

DISubprogram *ModuleBuilder::subprogramOf(const SourceFunction &function) {
  if (llvm::Function *made = target.getFunction(function.name))
    if (DISubprogram *subprogram = made->getSubprogram())
      return subprogram;
  DIFile *file = fileOf(path);
  return debugInfo.createFunction(
      file, function.name, function.name, file, function.at.line,
      debugInfo.createSubroutineType(debugInfo.getOrCreateTypeArray({})),
      function.at.line, DINode::FlagZero, DISubprogram::SPFlagDefinition);
}

/// The line of the source that the PTX names, else that of the PTX.
DILocation *ModuleBuilder::locate(DISubprogram *scope, Position at,
                                  const std::optional<Location> &location) {
  auto file = location && location->line ? source.files.find(location->file)
                                         : source.files.end();
  if (file == source.files.end())
    return DILocation::get(context, at.line, at.column, scope);
  DILocalScope *inFile =
      debugInfo.createLexicalBlockFile(scope, fileOf(file->second));
  return DILocation::get(context, location->line, location->column, inFile);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Numbers of address spaces in NVPTX.
static unsigned addressSpaceOf(Space space) {
  switch (space) {
  case Space::Global:
    return 1;
  case Space::Shared:
    return 3;
  case Space::Constant:
    return 4;
  default:
    return 0;
  }
}

llvm::Type *ModuleBuilder::storageType(const Variable &variable) {
  unsigned bits = variable.type.bits;
  llvm::Type *scalar = llvm::Type::getIntNTy(context, bits);
  if (variable.type.isFloat() && variable.type.lanes == 1 && bits >= 32)
    scalar = bits == 32 ? llvm::Type::getFloatTy(context)
                        : llvm::Type::getDoubleTy(context);
  auto extents = llvm::to_vector_of<uint64_t>(variable.extents);
  // Back ends load 16 bytes of 12 that are aligned to 16: what is behind them
  // is nobody else's.
  if (variable.space == Space::Shared && extents.size() == 1 && bits == 8)
    extents.front() =
        alignTo(extents.front(), std::max<uint64_t>(variable.alignment, 1));
  for (uint64_t extent : reverse(extents))
    scalar = ArrayType::get(scalar, extent);
  return scalar;
}

/// One element: a number, or the address of a variable.
Constant *ModuleBuilder::constantOf(const Operand &value,
                                    const Variable &variable,
                                    Problems &problems) {
  unsigned bits = variable.type.bits;
  if (value.kind == Operand::Kind::Integer)
    return ConstantInt::get(context, APInt(64, value.number).sextOrTrunc(bits));
  if (value.kind == Operand::Kind::Float &&
      bits == (value.isSingle ? 32u : 64u))
    return ConstantInt::get(context, APInt(bits, value.bits));
  Constant *address = value.kind == Operand::Kind::Name && bits == 64
                          ? variables.lookup(value.name)
                          : nullptr;
  if (!address && bits == 64)
    if (const SourceFunction *function = findFunction(value.name))
      return ConstantInt::get(context, APInt(bits, addressOf(*function)));
  if (!address) {
    problems.addUnsupported(value.at,
                            "this value of a variable is not supported");
    return nullptr;
  }
  // LLVM writes a sum of an address and a number as 0.
  llvm::Type *i64 = llvm::Type::getInt64Ty(context);
  Constant *place =
      ConstantExpr::getGetElementPtr(llvm::Type::getInt8Ty(context), address,
                                     ConstantInt::get(i64, value.number));
  return ConstantExpr::getPtrToInt(place, i64);
}

/// The largest variable that is made room for here, and how many elements may
/// have values: each is a constant of its own.
static constexpr uint64_t largestVariable = uint64_t(1) << 30;
/// More than any chip has for a block, or a thread.
static constexpr uint64_t largestOfBlock = uint64_t(1) << 20;
static constexpr uint64_t mostValues = uint64_t(1) << 22;

bool ModuleBuilder::checkSize(const Variable &variable, Problems &problems) {
  bool isOfBlock =
      variable.space == Space::Shared || variable.space == Space::Local;
  if (variable.bytes() <= (isOfBlock ? largestOfBlock : largestVariable))
    return true;
  return problems.add(variable.at,
                      "variable '" + variable.name + "' is too large");
}

/// A variable of integers for one with values: its elements' bits.
static llvm::Type *typeOfValues(const Variable &variable,
                                LLVMContext &context) {
  return ArrayType::get(llvm::Type::getIntNTy(context, variable.type.bits),
                        variable.elements());
}

bool ModuleBuilder::initialise(const Variable &variable, GlobalVariable &global,
                               Problems &problems) {
  if (variable.values.size() > variable.elements())
    return problems.add(variable.at, "'" + variable.name +
                                         "' has more values than elements");
  if (variable.elements() > mostValues)
    return problems.add(variable.at, "variable '" + variable.name +
                                         "' with values is too large");
  auto *type = dyn_cast<ArrayType>(global.getValueType());
  llvm::Type *element = type ? type->getElementType() : global.getValueType();
  SmallVector<Constant *> elements;
  for (const Operand &value : variable.values) {
    Constant *constant = constantOf(value, variable, problems);
    if (!constant)
      return false;
    if (constant->getType() != element)
      constant = ConstantExpr::getBitCast(constant, element);
    elements.push_back(constant);
  }
  if (!type) {
    global.setInitializer(elements.front());
    return true;
  }
  elements.resize(variable.elements(), Constant::getNullValue(element));
  global.setInitializer(ConstantArray::get(type, elements));
  return true;
}

/// Of workgroup memory. A function may have its name, and lowering gives names
/// that text which was lowered before has already.
std::string ModuleBuilder::symbolOfShared(StringRef name) const {
  bool isTaken = findFunction(name) || name.starts_with("__wg_");
  return (name + (isTaken ? ".shared" : "")).str();
}

bool ModuleBuilder::declareVariable(const Variable &variable,
                                    Problems &problems) {
  unsigned space = addressSpaceOf(variable.space);
  if (!space)
    return problems.add(variable.at,
                        "variable '" + variable.name +
                            "' of a module is in no space that is supported");
  llvm::Type *type = variable.isArray() && !variable.values.empty()
                         ? typeOfValues(variable, context)
                         : storageType(variable);
  bool isShared = variable.space == Space::Shared;
  // As the front end has them: workgroup memory holds nothing at first, and
  // that of a launch's size is a declaration.
  bool isDynamic = isShared && (variable.isExternal || !variable.bytes());
  if (!checkSize(variable, problems))
    return false;
  Constant *initial = isShared ? (Constant *)UndefValue::get(type)
                               : Constant::getNullValue(type);
  bool isDeclaration = variable.isExternal || isDynamic;
  auto *global = new GlobalVariable(
      target, type, /*isConstant=*/variable.space == Space::Constant,
      isShared && !isDynamic ? GlobalValue::InternalLinkage
                             : GlobalValue::ExternalLinkage,
      isDeclaration ? nullptr : initial,
      isShared ? symbolOfShared(variable.name) : variable.name.str(), nullptr,
      GlobalValue::NotThreadLocal, space);
  uint64_t natural = std::max(1u, variable.type.bits / 8);
  global->setAlignment(Align(std::max(variable.alignment, natural)));
  global->setExternallyInitialized(!isShared && variable.isVisible);
  if (variable.isManaged)
    global->setSection(kManagedSection);
  variables[variable.name] =
      ConstantExpr::getAddrSpaceCast(global, PointerType::get(context, 0));
  return variable.values.empty() || isShared ||
         initialise(variable, *global, problems);
}

bool ModuleBuilder::checkNames(Problems &problems) const {
  StringSet<> defined;
  for (const SourceFunction &function : source.functions)
    if (function.isDefined && !defined.insert(function.name).second)
      return problems.add(function.at,
                          "function '" + function.name + "' is there twice");
  for (const Variable &variable : source.variables)
    if (findFunction(variable.name))
      return problems.add(variable.at, "'" + variable.name +
                                           "' is a function and a variable");
  return true;
}

bool ModuleBuilder::declareVariables(Problems &problems) {
  if (!checkNames(problems))
    return false;
  StringSet<> defined;
  for (const Variable &variable : source.variables)
    if (!variable.isExternal || variable.space == Space::Shared)
      defined.insert(variable.name);
  StringSet<> seen;
  for (const Variable &variable : source.variables) {
    // What is declared before it is defined.
    if (variable.isExternal && variable.space != Space::Shared &&
        defined.contains(variable.name))
      continue;
    if (!seen.insert(variable.name).second)
      return problems.add(variable.at,
                          "variable '" + variable.name + "' is there twice");
    if (!declareVariable(variable, problems))
      return false;
  }
  return true;
}

Constant *ModuleBuilder::declareShared(const Variable &variable) {
  llvm::Type *type = storageType(variable);
  auto *global = new GlobalVariable(
      target, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
      UndefValue::get(type), symbolOfShared(variable.name), nullptr,
      GlobalValue::NotThreadLocal, addressSpaceOf(Space::Shared));
  global->setAlignment(
      Align(std::max<uint64_t>(variable.alignment, variable.type.bits / 8)));
  return ConstantExpr::getAddrSpaceCast(global, PointerType::get(context, 0));
}

Constant *ModuleBuilder::reservedShared() {
  static constexpr uint64_t bytes = 1024;
  if (reserved)
    return reserved;
  auto *type = ArrayType::get(llvm::Type::getInt8Ty(context), bytes);
  auto *global = new GlobalVariable(
      target, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
      UndefValue::get(type), "gpuopt_reserved_shared", nullptr,
      GlobalValue::NotThreadLocal, addressSpaceOf(Space::Shared));
  global->setAlignment(Align(16));
  global->addAttribute(presetMemory);
  return reserved = ConstantExpr::getAddrSpaceCast(
             global, PointerType::get(context, 0));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

uint64_t ModuleBuilder::addressOf(const SourceFunction &function) const {
  auto first = find_if(source.functions, [&](const SourceFunction &other) {
    return other.name == function.name;
  });
  // None is null, and all are aligned.
  constexpr uint64_t distance = 16;
  return distance * (1 + std::distance(source.functions.begin(), first));
}

ArrayRef<const SourceFunction *> ModuleBuilder::addressedFunctions() {
  if (addressed)
    return *addressed;
  SetVector<const SourceFunction *, std::vector<const SourceFunction *>> found;
  auto add = [&](const Operand &operand) {
    if (operand.kind != Operand::Kind::Name)
      return;
    const SourceFunction *function = findFunction(operand.name);
    if (function && function->isDefined && !function->isKernel)
      found.insert(function);
  };
  for (const Variable &variable : source.variables)
    for_each(variable.values, add);
  for (const SourceFunction &function : source.functions)
    for (const Statement &statement : function.body)
      if (const auto *instruction = std::get_if<SourceInstruction>(&statement);
          instruction && instruction->words.front() != "call")
        for_each(instruction->operands, add);
  return addressed.emplace(found.takeVector());
}

/// In the form that the front end gives them.
void ModuleBuilder::setBounds(const SourceFunction &function,
                              llvm::Function &kernel) {
  for (auto [directive, attribute] : {std::pair("reqntid", "nvvm.reqntid"),
                                      {"maxntid", "nvvm.maxntid"},
                                      {"minnctapersm", "nvvm.minctasm"},
                                      {"maxnreg", "nvvm.maxnreg"}}) {
    auto bounds = function.bounds.find(directive);
    if (bounds == function.bounds.end() || bounds->second.empty())
      continue;
    std::string text;
    raw_string_ostream stream(text);
    interleave(bounds->second, stream, ",");
    kernel.addFnAttr(attribute, text);
  }
}

llvm::Function *ModuleBuilder::declare(const SourceFunction &function) {
  if (llvm::Function *made = target.getFunction(function.name))
    return made;
  SmallVector<llvm::Type *> types;
  llvm::Type *pointer = PointerType::get(context, 0);
  for (const Variable &parameter : function.parameters)
    types.push_back(parameter.isArray() ? pointer : storageType(parameter));
  llvm::Type *result = llvm::Type::getVoidTy(context);
  if (returnsValue(function))
    result = storageType(function.results[0]);
  else if (returnsRegisters(function))
    result = StructType::get(
        context, map_to_vector(function.results, [&](const Variable &variable) {
          return storageType(variable);
        }));
  else
    types.append(function.results.size(), pointer);
  llvm::Function *made = llvm::Function::Create(
      FunctionType::get(result, types, false), GlobalValue::ExternalLinkage,
      function.name, target);
  made->addFnAttr(Attribute::Convergent);
  made->addFnAttr(Attribute::NoUnwind);
  // An address as any other: what is accessed there is an access.
  made->addFnAttr(Attribute::NullPointerIsValid);
  if (function.isKernel) {
    made->setCallingConv(CallingConv::PTX_Kernel);
    setBounds(function, *made);
  }
  for (auto [index, parameter] : enumerate(function.parameters)) {
    made->getArg(index)->setName(parameter.name);
    if (function.isKernel)
      made->addParamAttr(index, Attribute::NoUndef);
    if (!parameter.isArray() || !function.isKernel)
      continue;
    AttrBuilder attributes(context);
    attributes.addByValAttr(storageType(parameter));
    attributes.addAlignmentAttr(
        Align(std::max<uint64_t>(parameter.alignment, 1)));
    made->addParamAttrs(index, attributes);
  }
  return made;
}

ModuleBuilder::Definition &
ModuleBuilder::definitionOf(const SourceFunction &function) {
  std::unique_ptr<Definition> &known = definitions[function.name];
  if (known)
    return *known;
  known = std::make_unique<Definition>();
  current = known.get();
  llvm::Function *made = declare(function);
  FunctionBuilder builder(*this, function, *made);
  if (!builder.build()) {
    current->problem = builder.problems.get();
    made->deleteBody();
  }
  return *current;
}

/// Everything is inlined into kernels: functions that call others twice each
/// would fill any memory.
static constexpr uint64_t tooManyStatements = uint64_t(1) << 20;

uint64_t ModuleBuilder::inlinedSize(const SourceFunction &function) {
  Definition &definition = *definitions[function.name];
  if (definition.inlinedSize)
    return definition.inlinedSize;
  // For itself, where it is recursive, which is refused elsewhere.
  definition.inlinedSize = 1;
  uint64_t size = function.body.size() + 1;
  for (const SourceFunction *callee : definition.callees)
    size = std::min(size + inlinedSize(*callee), tooManyStatements);
  return definition.inlinedSize = size;
}

std::optional<Problem> ModuleBuilder::define(const SourceFunction &function) {
  SetVector<const SourceFunction *> reached;
  reached.insert(&function);
  for (size_t i = 0; i < reached.size(); ++i) {
    Definition &definition = definitionOf(*reached[i]);
    if (definition.problem)
      return definition.problem;
    reached.insert_range(definition.callees);
  }
  if (inlinedSize(function) < tooManyStatements)
    return std::nullopt;
  return Problem{function.at, "'" + function.name.str() +
                                  "' is too large, with all that it calls"};
}
