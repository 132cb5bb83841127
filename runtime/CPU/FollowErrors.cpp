//===- FollowErrors.cpp - rounding errors beside the numbers --------------===//
//
// Operations that are neither here nor in FollowFunctionErrors.cpp have a
// result that is taken for unknown where one of their operands has seen
// roundings.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/ErrorFollower.h"

#include "runtime/CPU/AccessInfo.h"
#include "runtime/CPU/FindReductions.h"
#include "runtime/MathFunctions.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cmath>

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

double ErrorFollower::unitOf(Type *type) {
  const fltSemantics &semantics = type->getScalarType()->getFltSemantics();
  return std::ldexp(1.0, -int(APFloat::semanticsPrecision(semantics)));
}

double ErrorFollower::smallestOf(Type *type) {
  const fltSemantics &semantics = type->getScalarType()->getFltSemantics();
  return std::ldexp(1.0, APFloat::semanticsMinExponent(semantics));
}

Value *ErrorFollower::widened(IRBuilderBase &ir, Value *value) {
  return ir.CreateFPCast(value, shadowType(value->getType()));
}

Shadow ErrorFollower::exact(IRBuilderBase &ir, Value *value) {
  return {ir.CreateUnaryIntrinsic(Intrinsic::fabs, widened(ir, value)),
          constant(value->getType(), 0)};
}

Shadow ErrorFollower::of(Value *value) {
  auto known = shadows.find(value);
  if (known != shadows.end())
    return known->second;
  IRBuilder<> ir(kernel.bodyBegin);
  if (auto *instruction = dyn_cast<Instruction>(value))
    ir.SetInsertPoint(*instruction->getInsertionPointAfterDef());
  return shadows[value] = exact(ir, value);
}

/// Whether there is no sum that `user` of a product could be fused to.
static bool endsProduct(const Instruction &user) {
  if (isa<FCmpInst, FPToSIInst, FPToUIInst>(user) ||
      is_contained({Instruction::FMul, Instruction::FDiv}, user.getOpcode()))
    return true;
  auto *call = dyn_cast<IntrinsicInst>(&user);
  return call &&
         is_contained({Intrinsic::trunc, Intrinsic::floor, Intrinsic::ceil,
                       Intrinsic::rint, Intrinsic::roundeven,
                       Intrinsic::nearbyint, Intrinsic::round, Intrinsic::sqrt,
                       Intrinsic::fptosi_sat, Intrinsic::fptoui_sat},
                      call->getIntrinsicID());
}

/// Whether a sum may be made of `product`; one that is stored may be loaded.
static bool mayBeSummed(const Instruction &product) {
  SmallSetVector<const Instruction *, 8> copies;
  copies.insert(&product);
  for (size_t i = 0; i < copies.size(); ++i)
    for (const llvm::User *each : copies[i]->users()) {
      auto *user = cast<Instruction>(each);
      if (isa<PHINode, SelectInst, InsertElementInst, ExtractElementInst,
              ShuffleVectorInst, FreezeInst>(user) ||
          user->getOpcode() == Instruction::FNeg)
        copies.insert(user);
      else if (!endsProduct(*user))
        return true;
    }
  return false;
}

/// Whether the operation may be another one in the tuned kernel.
bool ErrorFollower::isLoose(Instruction &at) const {
  auto *call = dyn_cast<CallInst>(&at);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (loose == LooseOperations::Fused)
    return at.getOpcode() != Instruction::FMul || mayBeSummed(at);
  return loose == LooseOperations::All || reductions.contains(&at) ||
         (loose == LooseOperations::Functions && callee &&
          isMathFunction(*callee));
}

Value *ErrorFollower::unitsOf(IRBuilderBase &ir, Instruction &at,
                              Value *roundings, double units) {
  Constant *none = Constant::getNullValue(shadowType(at.getType()));
  Value *some = constant(at.getType(), units * unitOf(at.getType()));
  if (isLoose(at))
    return some;
  return ir.CreateSelect(ir.CreateFCmpOEQ(roundings, none), none, some);
}

/// The roundings of the result of `at`, whose operands have `roundings`.
Value *ErrorFollower::rounded(IRBuilderBase &ir, Instruction &at,
                              Value *roundings, double units) {
  return ir.CreateFAdd(roundings, unitsOf(ir, at, roundings, units));
}

/// Half of a bound on how far the value may be off, for roundings below 1/2.
Value *ErrorFollower::distance(IRBuilderBase &ir, const Shadow &shadow) {
  return ir.CreateFMul(shadow.magnitude, shadow.roundings);
}

/// How far an evaluation may be from the exact value; unknown for roundings of
/// 1/2 and more.
Value *ErrorFollower::absoluteError(IRBuilderBase &ir, const Shadow &shadow) {
  Type *type = shadow.roundings->getType();
  Constant *one = ConstantFP::get(type, 1);
  Value *isBounded =
      ir.CreateFCmpOLT(shadow.roundings, ConstantFP::get(type, 0.5));
  Value *error =
      ir.CreateFDiv(distance(ir, shadow), ir.CreateFSub(one, shadow.roundings));
  return ir.CreateSelect(isBounded, error,
                         ConstantFP::get(type, unknownRoundings));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Shadow ErrorFollower::loaded(IRBuilderBase &ir, Value *address, Value *value) {
  Type *i64 = ir.getInt64Ty();
  Value *bytes = bytesOf(value->getType()->getScalarType());
  Value *wide = widened(ir, value);
  auto load = [&](StringRef part) -> Value * {
    FunctionCallee find = kernel.hostFunction(
        ("gpuopt.error." + part).str(), real, {pointer, pointer, i64, real});
    auto *vector = dyn_cast<FixedVectorType>(value->getType());
    if (!vector)
      return ir.CreateCall(find, {kernel.thread, address, bytes, wide});
    Value *all = constant(vector, 0);
    for (uint64_t lane = 0; lane < vector->getNumElements(); ++lane) {
      Value *at =
          ir.CreateConstGEP1_64(vector->getElementType(), address, lane);
      Value *element = ir.CreateExtractElement(wide, lane);
      all = ir.CreateInsertElement(
          all, ir.CreateCall(find, {kernel.thread, at, bytes, element}), lane);
    }
    return all;
  };
  return {load("magnitude"), load("roundings"), load("additions")};
}

void ErrorFollower::stored(IRBuilderBase &ir, Value *address, Value *value) {
  FunctionCallee note = kernel.hostFunction(
      "gpuopt.error.store", ir.getVoidTy(),
      {pointer, pointer, ir.getInt64Ty(), real, real, real, real});
  Shadow shadow = of(value);
  Value *additions = additionsOf(shadow);
  Value *bytes = bytesOf(value->getType()->getScalarType());
  Value *wide = widened(ir, value);
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  if (!vector) {
    ir.CreateCall(note, {kernel.thread, address, bytes, wide, shadow.magnitude,
                         shadow.roundings, additions});
    return;
  }
  for (uint64_t lane = 0; lane < vector->getNumElements(); ++lane)
    ir.CreateCall(
        note, {kernel.thread,
               ir.CreateConstGEP1_64(vector->getElementType(), address, lane),
               bytes, ir.CreateExtractElement(wide, lane),
               ir.CreateExtractElement(shadow.magnitude, lane),
               ir.CreateExtractElement(shadow.roundings, lane),
               ir.CreateExtractElement(additions, lane)});
}

/// What was there before depends on the order, and so cannot be followed.
Shadow ErrorFollower::added(IRBuilderBase &ir, AtomicRMWInst &atomic) {
  FunctionCallee add = kernel.hostFunction(
      "gpuopt.error.add", ir.getVoidTy(),
      {pointer, pointer, ir.getInt64Ty(), real, real, real, real});
  Shadow term = of(atomic.getValOperand());
  Value *unit = constant(real, unitOf(atomic.getType()));
  ir.CreateCall(add, {kernel.thread, atomic.getPointerOperand(),
                      bytesOf(atomic.getType()), widened(ir, &atomic),
                      term.magnitude, ir.CreateFAdd(term.roundings, unit),
                      ir.CreateFAdd(additionsOf(term), unit)});
  return {exact(ir, &atomic).magnitude, constant(real, unknownRoundings)};
}

/// Bytes are read as something else than numbers.
void ErrorFollower::look(IRBuilderBase &ir, Value *address, Value *bytes) {
  FunctionCallee find = kernel.hostFunction(
      "gpuopt.error.look", ir.getVoidTy(), {pointer, pointer, ir.getInt64Ty()});
  ir.CreateCall(find, {kernel.thread, address,
                       ir.CreateZExtOrTrunc(bytes, ir.getInt64Ty())});
}

/// Bytes are overwritten with something else than numbers, or with numbers that
/// are exact.
void ErrorFollower::forget(IRBuilderBase &ir, Value *address, Value *bytes) {
  FunctionCallee written =
      kernel.hostFunction("gpuopt.error.forget", ir.getVoidTy(),
                          {pointer, pointer, ir.getInt64Ty()});
  ir.CreateCall(written, {kernel.thread, address,
                          ir.CreateZExtOrTrunc(bytes, ir.getInt64Ty())});
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

void ErrorFollower::loseWhere(IRBuilderBase &ir, Value *condition) {
  if (condition->getType()->isVectorTy())
    condition = ir.CreateOrReduce(condition);
  FunctionCallee lose = kernel.hostFunction("gpuopt.error.lose", ir.getVoidTy(),
                                            {pointer, ir.getInt32Ty()});
  ir.CreateCall(lose,
                {kernel.thread, ir.CreateZExt(condition, ir.getInt32Ty())});
}

/// The roundings of all numbers that `at` takes, as one double.
Value *ErrorFollower::sumOfRoundings(IRBuilderBase &ir, Instruction &at) {
  Value *sum = constant(real, 0);
  for (Value *operand : at.operands()) {
    if (!isNumber(operand->getType()))
      continue;
    Value *roundings = of(operand).roundings;
    if (roundings->getType()->isVectorTy())
      roundings = ir.CreateFAddReduce(constant(real, 0), roundings);
    sum = ir.CreateFAdd(sum, roundings);
  }
  return sum;
}

void ErrorFollower::loseInexact(IRBuilderBase &ir, Instruction &at) {
  if (none_of(at.operands(),
              [](const Use &operand) { return isNumber(operand->getType()); }))
    return;
  loseWhere(ir, ir.CreateFCmpUNE(sumOfRoundings(ir, at), constant(real, 0)));
}

/// A comparison is the same in any order where the numbers are further apart
/// than they may be off.
void ErrorFollower::compare(IRBuilderBase &ir, FCmpInst &at) {
  Shadow left = of(at.getOperand(0)), right = of(at.getOperand(1));
  Type *type = at.getOperand(0)->getType();
  Value *roundings = ir.CreateFAdd(left.roundings, right.roundings);
  Value *apart = ir.CreateUnaryIntrinsic(
      Intrinsic::fabs, ir.CreateFSub(widened(ir, at.getOperand(0)),
                                     widened(ir, at.getOperand(1))));
  Value *off =
      ir.CreateFMul(ir.CreateFAdd(distance(ir, left), distance(ir, right)),
                    constant(type, 4.01));
  // A number is equal to itself, or no number.
  Value *isClose = at.getOperand(0) == at.getOperand(1)
                       ? ir.getFalse()
                       : ir.CreateFCmpULE(apart, off);
  if (type->isVectorTy() && !isClose->getType()->isVectorTy())
    isClose = ir.CreateVectorSplat(cast<VectorType>(type)->getElementCount(),
                                   isClose);
  Value *isUnbounded = ir.CreateFCmpUGE(roundings, constant(type, 0.5));
  loseWhere(ir, ir.CreateAnd(ir.CreateFCmpUNE(roundings, constant(type, 0)),
                             ir.CreateOr(isClose, isUnbounded)));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Where all operands are exact the result is off by how it is computed; else
/// nobody knows.
Shadow ErrorFollower::unknown(IRBuilderBase &ir, Instruction &at) {
  Shadow shadow = exact(ir, &at);
  Value *isInexact =
      ir.CreateFCmpUNE(sumOfRoundings(ir, at), constant(real, 0));
  auto *call = dyn_cast<CallInst>(&at);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  // The worst of CUDA's (appendix of the programming guide) but for Bessel
  // functions and the like.
  constexpr double unitsOfFunction = 8;
  double units =
      callee && isMathFunction(*callee) && isLoose(at) ? unitsOfFunction : 0;
  shadow.roundings =
      ir.CreateSelect(isInexact, constant(at.getType(), unknownRoundings),
                      constant(at.getType(), units * unitOf(at.getType())));
  return shadow;
}

/// How far an evaluation of `value` may be from the exact one, relatively to
/// the latter; unknown from a quarter on.
Value *ErrorFollower::relativeError(IRBuilderBase &ir, Value *value) {
  Type *type = value->getType();
  Shadow shadow = of(value);
  Value *size = ir.CreateUnaryIntrinsic(Intrinsic::fabs, widened(ir, value));
  Value *share = ir.CreateFDiv(absoluteError(ir, shadow), size);
  // Of the exact value it is share / (1 - share) at most.
  Value *relative =
      ir.CreateFDiv(share, ir.CreateFSub(constant(type, 1), share));
  return ir.CreateSelect(
      ir.CreateFCmpOLT(share, constant(type, 0.25)), relative,
      ir.CreateSelect(ir.CreateFCmpOEQ(shadow.roundings, constant(type, 0)),
                      constant(type, 0), constant(type, unknownRoundings)));
}

/// The terms' own roundings are those of the worst one, additions add up.
Shadow ErrorFollower::sum(IRBuilderBase &ir, Instruction &at,
                          const Shadow &left, const Shadow &right) {
  auto ofTerms = [&](const Shadow &shadow) {
    return ir.CreateFSub(shadow.roundings, additionsOf(shadow));
  };
  Value *terms = ir.CreateMaximum(ofTerms(left), ofTerms(right));
  Value *before = ir.CreateFAdd(additionsOf(left), additionsOf(right));
  Value *unit = unitsOf(ir, at, ir.CreateFAdd(terms, before), /*units=*/1);
  Value *additions = ir.CreateFAdd(before, unit);
  return {ir.CreateFAdd(left.magnitude, right.magnitude),
          ir.CreateFAdd(terms, additions), additions};
}

/// a / b is a * (1 / b), of which the second is off by as much as b is,
/// relatively. Twice rounded, since reciprocals may be.
Shadow ErrorFollower::quotient(IRBuilderBase &ir, Instruction &at) {
  Type *type = at.getType();
  Shadow above = of(at.getOperand(0));
  Value *divisor =
      ir.CreateUnaryIntrinsic(Intrinsic::fabs, widened(ir, at.getOperand(1)));
  // 1 / (1 - x) is up to 1 + x / (1 - x).
  Value *error = relativeError(ir, at.getOperand(1));
  Value *relative =
      ir.CreateFDiv(error, ir.CreateFSub(constant(type, 1), error));
  Value *roundings =
      rounded(ir, at, ir.CreateFAdd(above.roundings, relative), /*units=*/2);
  Value *magnitude = ir.CreateFAdd(ir.CreateFDiv(above.magnitude, divisor),
                                   constant(type, smallestOf(type)));
  return {magnitude, roundings};
}

Shadow ErrorFollower::follow(IRBuilderBase &ir, Instruction &at) {
  Type *type = at.getType();
  Value *smallest = constant(type, smallestOf(type));
  auto operand = [&](unsigned index) { return of(at.getOperand(index)); };
  switch (at.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
    return sum(ir, at, operand(0), operand(1));
  case Instruction::FMul:
    return {
        ir.CreateFAdd(ir.CreateFMul(operand(0).magnitude, operand(1).magnitude),
                      smallest),
        rounded(ir, at,
                ir.CreateFAdd(operand(0).roundings, operand(1).roundings))};
  case Instruction::FDiv:
    return quotient(ir, at);
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::Freeze:
    return operand(0);
  case Instruction::FPTrunc:
    return {ir.CreateFAdd(operand(0).magnitude, smallest),
            rounded(ir, at, operand(0).roundings)};
  case Instruction::Select:
    return partwise([&](auto part) {
      return ir.CreateSelect(at.getOperand(0), part(operand(1)),
                             part(operand(2)));
    });
  case Instruction::ExtractElement:
    return partwise([&](auto part) {
      return ir.CreateExtractElement(part(operand(0)), at.getOperand(1));
    });
  case Instruction::InsertElement:
    return partwise([&](auto part) {
      return ir.CreateInsertElement(part(operand(0)), part(operand(1)),
                                    at.getOperand(2));
    });
  case Instruction::ShuffleVector:
    return partwise([&](auto part) {
      return ir.CreateShuffleVector(
          part(operand(0)), part(operand(1)),
          cast<ShuffleVectorInst>(at).getShuffleMask());
    });
  case Instruction::Load:
    if (at.hasMetadata(trustedMetadata))
      return exact(ir, &at);
    return loaded(ir, cast<LoadInst>(at).getPointerOperand(), &at);
  case Instruction::Call:
    return followCall(ir, cast<CallInst>(at));
  default:
    loseInexact(ir, at);
    return exact(ir, &at);
  }
}

void ErrorFollower::visit(Instruction &at) {
  if (isa<PHINode>(at) || at.isTerminator())
    return;
  IRBuilder<> ir(at.getNextNode());
  auto *atomic = dyn_cast<AtomicRMWInst>(&at);
  if (atomic && !at.getType()->isVectorTy() &&
      is_contained({AtomicRMWInst::FAdd, AtomicRMWInst::FSub},
                   atomic->getOperation())) {
    shadows[&at] = added(ir, *atomic);
  } else if (atomic) {
    loseInexact(ir, at);
    visitMemory(ir, at);
  } else if (isNumber(at.getType())) {
    Shadow shadow = follow(ir, at);
    // Cancellation in what is exact says nothing about later roundings.
    Value *isExact =
        ir.CreateFCmpOEQ(shadow.roundings, constant(at.getType(), 0));
    shadow.magnitude =
        ir.CreateSelect(isExact, exact(ir, &at).magnitude, shadow.magnitude);
    shadows[&at] = shadow;
  } else if (auto *comparison = dyn_cast<FCmpInst>(&at)) {
    compare(ir, *comparison);
  } else if (isa<StoreInst, LoadInst, MemIntrinsic, AtomicCmpXchgInst>(at)) {
    visitMemory(ir, at);
  } else {
    loseInexact(ir, at);
    auto *call = dyn_cast<CallInst>(&at);
    if (call && isAsyncCopy(*call))
      forget(ir, call->getArgOperand(1), call->getArgOperand(4));
    if (call && isBulkCopy(*call)) {
      look(ir, call->getArgOperand(2), call->getArgOperand(3));
      forget(ir, call->getArgOperand(1), call->getArgOperand(3));
    }
  }
}

/// Memory that is read or written as something else than numbers, and stores of
/// numbers.
void ErrorFollower::visitMemory(IRBuilderBase &ir, Instruction &at) {
  auto replace = [&](Value *address, Type *type) {
    look(ir, address, bytesOf(type));
    forget(ir, address, bytesOf(type));
  };
  if (auto *store = dyn_cast<StoreInst>(&at)) {
    Value *value = store->getValueOperand();
    if (isNumber(value->getType()))
      stored(ir, store->getPointerOperand(), value);
    else
      forget(ir, store->getPointerOperand(), bytesOf(value->getType()));
  } else if (auto *load = dyn_cast<LoadInst>(&at)) {
    if (!at.hasMetadata(trustedMetadata))
      look(ir, load->getPointerOperand(), bytesOf(at.getType()));
  } else if (auto *memory = dyn_cast<MemIntrinsic>(&at)) {
    if (auto *copy = dyn_cast<MemTransferInst>(memory))
      look(ir, copy->getRawSource(), copy->getLength());
    forget(ir, memory->getRawDest(), memory->getLength());
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&at)) {
    replace(exchange->getPointerOperand(),
            exchange->getNewValOperand()->getType());
  } else if (auto *atomic = dyn_cast<AtomicRMWInst>(&at)) {
    replace(atomic->getPointerOperand(), at.getType());
  }
}

void ErrorFollower::run() {
  if (loose == LooseOperations::SumsInLoops)
    reductions = findReductions(*kernel.function);
  SmallVector<PHINode *> phis;
  SmallVector<Instruction *> body;
  ReversePostOrderTraversal<Function *> blocks(kernel.function);
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block) {
      auto *phi = dyn_cast<PHINode>(&instruction);
      if (phi && isNumber(phi->getType()))
        phis.push_back(phi);
      body.push_back(&instruction);
    }
  for (PHINode *phi : phis) {
    IRBuilder<> ir(phi);
    Type *type = shadowType(phi->getType());
    unsigned count = phi->getNumIncomingValues();
    shadows[phi] = {ir.CreatePHI(type, count), ir.CreatePHI(type, count),
                    ir.CreatePHI(type, count)};
  }
  for (Instruction *instruction : body)
    visit(*instruction);
  for (PHINode *phi : phis)
    for (auto [value, block] : zip(phi->incoming_values(), phi->blocks())) {
      Shadow incoming = of(value), own = shadows[phi];
      cast<PHINode>(own.magnitude)->addIncoming(incoming.magnitude, block);
      cast<PHINode>(own.roundings)->addIncoming(incoming.roundings, block);
      cast<PHINode>(own.additions)->addIncoming(additionsOf(incoming), block);
    }
}

void gpuopt::runtime::followErrors(KernelBuilder &kernel) {
  ErrorFollower(kernel).run();
}
