//===- FunctionBuilder.cpp - a function of PTX as LLVM IR -----------------===//

#include "conversion/PTX/FunctionBuilder.h"

#include "conversion/PTX/Operation.h"
#include "conversion/PTX/UnsetRegisters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::ptx;

//===----------------------------------------------------------------------===//
// Before the first instruction
//===----------------------------------------------------------------------===//

/// Finds the rule of each instruction, and what registers are used for.
bool FunctionBuilder::matchInstructions() {
  for (const Statement &statement : source.body) {
    const auto *instruction = std::get_if<SourceInstruction>(&statement);
    if (!instruction)
      continue;
    std::optional<Match> match = findRule(*instruction);
    if (!match)
      return problems.addUnsupported(
          instruction->at,
          "instruction '" + instruction->opcode + "' is not supported" +
              (isKnownName(instruction->words.front()) ? " in this form" : ""));
    noteFloats(*instruction, *match);
    matches.push_back(std::move(*match));
  }
  return true;
}

/// What is loaded by bits is a number where its register is used as one.
void FunctionBuilder::noteFloats(const SourceInstruction &instruction,
                                 const Match &match) {
  for (auto [operand, rule] : zip(instruction.operands, operandRules(match))) {
    if (!rule.type || operand.kind != Operand::Kind::Name)
      continue;
    bool isFloat = rule.type->kind == RegisterType::Kind::Float &&
                   rule.type->lanes == 1 && rule.type->bits >= 32;
    if (isFloat || rule.type->kind != RegisterType::Kind::Bits)
      floatUses[operand.name] += isFloat ? 1 : -1;
  }
}

bool FunctionBuilder::declareLabels() {
  std::vector<Scope *> open = {scopes.emplace_back(new Scope).get()};
  for (const Statement &statement : source.body) {
    if (const auto *mark = std::get_if<ScopeMark>(&statement)) {
      if (mark->begins)
        open.push_back(scopes.emplace_back(new Scope).get());
      else
        open.pop_back();
      continue;
    }
    const auto *label = std::get_if<Label>(&statement);
    if (!label)
      continue;
    if (!label->isPlace()) {
      targets[label->name] = label;
      continue;
    }
    BasicBlock *block =
        BasicBlock::Create(target.getContext(), label->name, &target);
    if (!open.back()->labels.try_emplace(label->name, block).second)
      return problems.add(label->at,
                          "label '" + label->name + "' is there twice");
  }
  return true;
}

AllocaInst *FunctionBuilder::createLocal(llvm::Type *type, const Twine &name,
                                         uint64_t alignment) {
  BasicBlock &entry = target.getEntryBlock();
  Builder at(&entry, entry.getFirstInsertionPt());
  AllocaInst *local = at.CreateAlloca(type, nullptr, name);
  if (alignment)
    local->setAlignment(Align(alignment));
  return local;
}

AllocaInst *FunctionBuilder::createVariable(const Variable &variable,
                                            uint64_t alignment) {
  AllocaInst *local =
      createLocal(module.storageType(variable), variable.name, alignment);
  bool isLocal = variable.space == Space::Local;
  markOpen(*local, Twine(isLocal ? "local memory '" : "parameter '") +
                       variable.name + "'");
  return local;
}

/// Parameters are memory, of which a kernel may take the address.
bool FunctionBuilder::declareParameters() {
  Scope &scope = *openScopes.front();
  bool returnsValue = ModuleBuilder::returnsValue(source);
  size_t index = 0;
  for (const Variable &parameter : source.parameters) {
    Argument *argument = target.getArg(index++);
    if (parameter.space == Space::Register) {
      Register *found = declareRegister(scope, parameter.name, parameter.type);
      ir.CreateStore(fromBits(argument, parameter.type), found->slot);
    } else if (!parameter.isArray()) {
      AllocaInst *slot = createLocal(argument->getType(), parameter.name, 8);
      ir.CreateStore(argument, slot);
      scope.variables[parameter.name] = slot;
    } else if (source.isKernel) {
      scope.variables[parameter.name] = argument;
    } else {
      // The callee's own: what the caller has may change meanwhile.
      AllocaInst *copy =
          createLocal(module.storageType(parameter), parameter.name, 16);
      ir.CreateMemCpy(copy, Align(16), argument, Align(1), parameter.bytes());
      scope.variables[parameter.name] = copy;
    }
  }
  for (const Variable &result : source.results) {
    if (result.space == Space::Register)
      declareRegister(scope, result.name, result.type);
    else if (returnsValue)
      scope.variables[result.name] = createVariable(result, 8);
    else
      scope.variables[result.name] = target.getArg(index++);
  }
  return true;
}

bool FunctionBuilder::declare(const Variable &variable) {
  Scope &scope = *openScopes.back();
  if (variable.space != Space::Register &&
      !ModuleBuilder::checkSize(variable, problems))
    return false;
  switch (variable.space) {
  case Space::Register:
    if (variable.isArray())
      return problems.addUnsupported(variable.at, "vector register '" +
                                                      variable.name +
                                                      "' is not supported");
    if (variable.count)
      scope.ranges[variable.name] = {variable.type, *variable.count};
    else
      declareRegister(scope, variable.name, variable.type);
    return true;
  case Space::Local:
  case Space::Parameter:
    scope.variables[variable.name] =
        createVariable(variable, std::max<uint64_t>(variable.alignment, 16));
    return true;
  case Space::Shared:
    scope.variables[variable.name] = module.declareShared(variable);
    return true;
  default:
    return problems.addUnsupported(variable.at,
                                   "variable '" + variable.name +
                                       "' of a function is not supported in "
                                       "this state space");
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void FunctionBuilder::begin(BasicBlock *block) {
  if (!ir.GetInsertBlock()->getTerminator())
    ir.CreateBr(block);
  block->moveAfter(&target.back());
  ir.SetInsertPoint(block);
}

void FunctionBuilder::endBlock() {
  ir.SetInsertPoint(BasicBlock::Create(target.getContext(), "", &target));
}

void FunctionBuilder::enter(bool begins) {
  if (begins)
    openScopes.push_back(scopes[nextScope++].get());
  else
    openScopes.pop_back();
}

BasicBlock *FunctionBuilder::findLabel(const Operand &operand) {
  if (operand.kind == Operand::Kind::Name)
    for (Scope *scope : reverse(openScopes))
      if (BasicBlock *block = scope->labels.lookup(operand.name))
        return block;
  problems.add(operand.at, "expected a label of this function");
  return nullptr;
}

const Label *FunctionBuilder::findTargets(StringRef name) const {
  return targets.lookup(name);
}

void FunctionBuilder::returnRegisters() {
  auto read = [&](const Variable &result, llvm::Type *type) {
    auto found = openScopes.front()->registers.find(result.name);
    assert(found != openScopes.front()->registers.end() && "not declared");
    AllocaInst *slot = found->second.slot;
    return ir.CreateBitCast(
        asBits(ir.CreateLoad(slot->getAllocatedType(), slot)), type);
  };
  llvm::Type *type = target.getReturnType();
  if (!ModuleBuilder::returnsRegisters(source)) {
    ir.CreateRet(read(source.results[0], type));
    return;
  }
  Value *all = PoisonValue::get(type);
  for (auto [index, result] : enumerate(source.results))
    all = ir.CreateInsertValue(
        all, read(result, type->getStructElementType(index)), index);
  ir.CreateRet(all);
}

bool FunctionBuilder::returnFrom() {
  if (target.getReturnType()->isVoidTy()) {
    ir.CreateRetVoid();
  } else if (source.results[0].space == Space::Register) {
    returnRegisters();
  } else {
    Value *slot = openScopes.front()->variables[source.results[0].name];
    ir.CreateRet(ir.CreateLoad(target.getReturnType(), slot));
  }
  endBlock();
  return true;
}

ArrayRef<Operand> FunctionBuilder::warpgroupRegisters() {
  if (ofWarpgroups)
    return *ofWarpgroups;
  ofWarpgroups.emplace();
  StringSet<> seen;
  for (const Statement &statement : source.body) {
    auto *instruction = std::get_if<SourceInstruction>(&statement);
    if (!instruction || instruction->words[0] != "wgmma" ||
        !is_contained(instruction->words, "mma_async"))
      continue;
    for (const Operand &matrix : instruction->operands)
      if (matrix.kind == Operand::Kind::Vector)
        for (const Operand &part : matrix.parts)
          if (seen.insert(part.name).second)
            ofWarpgroups->push_back(part);
  }
  return *ofWarpgroups;
}

Value *FunctionBuilder::carry() {
  if (!carryFlag) {
    carryFlag = createLocal(ir.getInt1Ty(), "");
    slots.emplace_back(carryFlag, "CC.CF");
  }
  return carryFlag;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void FunctionBuilder::setLocation(Position at) {
  ir.SetCurrentDebugLocation(
      module.locate(module.subprogramOf(source), at, location));
}

/// Reads the sources and notes where destinations are.
bool FunctionBuilder::readOperands(Operation &operation,
                                   SmallVectorImpl<unsigned> &destinations) {
  const SourceInstruction &instruction = operation.instruction;
  auto expected = operandRules(operation.match);
  size_t least = count_if(
      expected, [](const OperandRule &rule) { return !rule.isOptional; });
  size_t count = instruction.operands.size();
  if (count < least || count > expected.size())
    return problems.add(instruction.at,
                        "'" + instruction.opcode + "' takes " + Twine(least) +
                            (least == expected.size()
                                 ? ""
                                 : " to " + std::to_string(expected.size())) +
                            " operands, found " + Twine(count));
  for (auto [index, operand] : enumerate(instruction.operands)) {
    const OperandRule &rule = expected[index];
    if (rule.isDestination) {
      destinations.push_back(index);
    } else if (rule.type) {
      Value *value = read(operand, *rule.type);
      if (!value)
        return false;
      operation.in.push_back(value);
    }
  }
  return true;
}

bool FunctionBuilder::buildOperation(const SourceInstruction &instruction,
                                     const Match &match) {
  Operation operation(*this, instruction, match);
  SmallVector<unsigned, 2> destinations;
  if (!readOperands(operation, destinations))
    return false;
  if (match.rule->effect)
    return match.rule->effect(operation);
  Value *value = match.rule->value(operation);
  if (!value)
    return false;
  for (unsigned index : destinations)
    if (!write(instruction.operands[index], value,
               *operandRules(match)[index].type))
      return false;
  return true;
}

/// An instruction with a guard is a branch around it. Branches branch by
/// themselves.
bool FunctionBuilder::buildGuarded(const SourceInstruction &instruction,
                                   const Match &match) {
  Operand guard;
  guard.name = instruction.guard;
  guard.at = instruction.at;
  guard.isNegated = instruction.isGuardNegated;
  Value *condition = read(guard, kPredicate);
  if (!condition)
    return false;
  LLVMContext &context = target.getContext();
  BasicBlock *next = BasicBlock::Create(context, "", &target);
  if (match.rule->name == "bra") {
    BasicBlock *block = findLabel(instruction.operands[0]);
    if (!block)
      return false;
    ir.CreateCondBr(condition, block, next);
    ir.SetInsertPoint(next);
    return true;
  }
  BasicBlock *taken = BasicBlock::Create(context, "", &target, next);
  ir.CreateCondBr(condition, taken, next);
  ir.SetInsertPoint(taken);
  if (!buildOperation(instruction, match))
    return false;
  begin(next);
  return true;
}

bool FunctionBuilder::build(const SourceInstruction &instruction,
                            const Match &match) {
  setLocation(instruction.at);
  // Its only operand is read for the guard.
  if (match.rule->name == "bra" && instruction.operands.size() != 1)
    return problems.add(instruction.at,
                        "'" + instruction.opcode + "' takes 1 operand");
  return instruction.guard.empty() ? buildOperation(instruction, match)
                                   : buildGuarded(instruction, match);
}

bool FunctionBuilder::build(const Statement &statement) {
  if (const auto *variable = std::get_if<Variable>(&statement))
    return declare(*variable);
  if (const auto *label = std::get_if<Label>(&statement)) {
    if (label->isPlace())
      begin(openScopes.back()->labels.lookup(label->name));
    return true;
  }
  if (const auto *found = std::get_if<Location>(&statement)) {
    location = *found;
    return true;
  }
  if (const auto *mark = std::get_if<ScopeMark>(&statement)) {
    enter(mark->begins);
    return true;
  }
  return build(std::get<SourceInstruction>(statement), matches[nextMatch++]);
}

/// Whether a store comes before each load, as in code that was in SSA form: a
/// second store would keep LLVM from the quick way to promote such a slot.
static bool isSetBeforeUse(const AllocaInst &slot, const DominatorTree &tree) {
  auto comesFirst = [&](const User *user) {
    auto *store = dyn_cast<StoreInst>(user);
    return store && all_of(slot.users(), [&](const User *other) {
             auto *load = dyn_cast<LoadInst>(other);
             return !load || tree.dominates(store, load);
           });
  };
  return any_of(slot.users(), comesFirst);
}

/// Whether several blocks have to be a cluster.
static bool hasClusters(const SourceFunction &function) {
  auto size = function.bounds.find("reqnctapercluster");
  return size != function.bounds.end() &&
         any_of(size->second, [](uint64_t blocks) { return blocks > 1; });
}

bool FunctionBuilder::build() {
  if (hasClusters(source))
    return problems.addUnsupported(
        source.at,
        "'.reqnctapercluster': clusters of several blocks are not supported");
  if (!matchInstructions())
    return false;
  ir.SetInsertPoint(BasicBlock::Create(target.getContext(), "", &target));
  target.setSubprogram(module.subprogramOf(source));
  setLocation(source.at);
  if (!declareLabels())
    return false;
  enter(/*begins=*/true);
  if (!declareParameters())
    return false;
  for (const Statement &statement : source.body)
    if (!build(statement))
      return false;
  if (!ir.GetInsertBlock()->getTerminator())
    returnFrom();
  // The block behind the last return has no instructions.
  for (BasicBlock &block : target)
    if (!block.getTerminator())
      new UnreachableInst(target.getContext(), &block);
  DominatorTree tree(target);
  for (auto [slot, name] : slots)
    if (!isSetBeforeUse(*slot, tree))
      markUnset(*slot, name);
  return true;
}
