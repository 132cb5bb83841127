//===- LowerDeviceCalls.cpp - ids, device libraries, target intrinsics ----===//
//
// Everything that only a GPU has, apart from synchronisation, becomes host
// code: ids are loads from the contexts, device library functions are calls of
// the host's, arithmetic intrinsics are LLVM's generic ones.
//
//===----------------------------------------------------------------------===//

#include "runtime/CPU/HostSymbols.h"
#include "runtime/CPU/KernelBuilder.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

namespace {

/// Which of the launch's coordinates a call asks for.
enum class Coordinate {
  ThreadId,
  BlockId,
  BlockDim,
  GridDim,
  GlobalId,
  GlobalSize
};

/// Lowers one call.
class DeviceCall {
public:
  DeviceCall(KernelBuilder &kernel, CallInst &call)
      : kernel(kernel), call(call), ir(&call) {}

  /// Returns false where the call is none that this file knows.
  bool lower(StringRef name);

private:
  bool lowerCoordinate(StringRef name);
  bool lowerLane(StringRef name);
  bool lowerEffects(StringRef name);
  bool lowerTrap(StringRef name);
  bool lowerAsyncCopy(StringRef name);
  bool lowerAsyncGroup(StringRef name);
  bool lowerCopy(StringRef name);
  bool lowerSpace(StringRef name);
  bool lowerMath(StringRef name);
  void redirectResults(StringRef hostName);
  Value *coordinate(Coordinate what, unsigned dim);
  Value *laneMask(StringRef relation);
  bool finish(Value *result);

  KernelBuilder &kernel;
  CallInst &call;
  IRBuilder<> ir;
};

} // namespace

bool DeviceCall::finish(Value *result) {
  Type *type = call.getType();
  if (!type->isVoidTy()) {
    if (type->isIntegerTy() && result->getType() != type)
      result = ir.CreateZExtOrTrunc(result, type);
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
  return true;
}

//===----------------------------------------------------------------------===//
// Ids
//===----------------------------------------------------------------------===//

Value *DeviceCall::coordinate(Coordinate what, unsigned dim) {
  auto load = [&](Value *base, size_t offset) {
    return kernel.loadField(ir, base, offset + dim * sizeof(uint32_t),
                            ir.getInt32Ty());
  };
  switch (what) {
  case Coordinate::ThreadId:
    return load(kernel.thread, offsetof(ThreadContext, threadId));
  case Coordinate::BlockId:
    return load(kernel.block, offsetof(BlockContext, blockId));
  case Coordinate::BlockDim:
    return load(kernel.block, offsetof(BlockContext, blockDim));
  case Coordinate::GridDim:
    return load(kernel.block, offsetof(BlockContext, gridDim));
  case Coordinate::GlobalId: {
    Value *start = ir.CreateMul(coordinate(Coordinate::BlockId, dim),
                                coordinate(Coordinate::BlockDim, dim));
    return ir.CreateAdd(start, coordinate(Coordinate::ThreadId, dim));
  }
  case Coordinate::GlobalSize:
    return ir.CreateMul(coordinate(Coordinate::GridDim, dim),
                        coordinate(Coordinate::BlockDim, dim));
  }
  llvm_unreachable("covered switch");
}

bool DeviceCall::lowerCoordinate(StringRef name) {
  struct Entry {
    StringRef prefix;
    Coordinate what;
  };
  // The dimension is the last letter of the name …
  static const Entry byName[] = {
      {"__gpuopt_thread_id_", Coordinate::ThreadId},
      {"__gpuopt_block_id_", Coordinate::BlockId},
      {"__gpuopt_block_dim_", Coordinate::BlockDim},
      {"__gpuopt_grid_dim_", Coordinate::GridDim},
      {"llvm.nvvm.read.ptx.sreg.tid.", Coordinate::ThreadId},
      {"llvm.nvvm.read.ptx.sreg.ctaid.", Coordinate::BlockId},
      {"llvm.nvvm.read.ptx.sreg.ntid.", Coordinate::BlockDim},
      {"llvm.nvvm.read.ptx.sreg.nctaid.", Coordinate::GridDim},
      {"llvm.amdgcn.workitem.id.", Coordinate::ThreadId},
      {"llvm.amdgcn.workgroup.id.", Coordinate::BlockId},
  };
  for (const Entry &entry : byName) {
    StringRef rest = name;
    if (rest.consume_front(entry.prefix) && rest.size() == 1 &&
        rest[0] >= 'x' && rest[0] <= 'z')
      return finish(coordinate(entry.what, rest[0] - 'x'));
  }
  // … or the argument.
  static const Entry byArgument[] = {
      {"__ockl_get_local_id", Coordinate::ThreadId},
      {"__ockl_get_group_id", Coordinate::BlockId},
      {"__ockl_get_local_size", Coordinate::BlockDim},
      {"__ockl_get_num_groups", Coordinate::GridDim},
      {"__ockl_get_global_id", Coordinate::GlobalId},
      {"__ockl_get_global_size", Coordinate::GlobalSize},
  };
  for (const Entry &entry : byArgument)
    if (name == entry.prefix) {
      auto *dim = dyn_cast<ConstantInt>(call.getArgOperand(0));
      if (!dim || dim->getZExtValue() > 2)
        return false;
      return finish(coordinate(entry.what, dim->getZExtValue()));
    }
  return false;
}

/// The lanes whose id compares as `relation` to this one's.
Value *DeviceCall::laneMask(StringRef relation) {
  Value *lane = ir.CreateZExt(kernel.loadField(ir, kernel.thread,
                                               offsetof(ThreadContext, lane),
                                               ir.getInt32Ty()),
                              ir.getInt64Ty());
  Value *own = ir.CreateShl(ir.getInt64(1), lane);
  Value *below = ir.CreateSub(own, ir.getInt64(1));
  if (relation == "eq")
    return own;
  if (relation == "lt")
    return below;
  if (relation == "le")
    return ir.CreateOr(below, own);
  if (relation == "gt")
    return ir.CreateNot(ir.CreateOr(below, own));
  return ir.CreateNot(below);
}

bool DeviceCall::lowerLane(StringRef name) {
  if (name == "__gpuopt_lane_id" || name == "llvm.nvvm.read.ptx.sreg.laneid")
    return finish(kernel.loadField(
        ir, kernel.thread, offsetof(ThreadContext, lane), ir.getInt32Ty()));
  if (name == "__gpuopt_subgroup_size" ||
      name == "llvm.nvvm.read.ptx.sreg.warpsize" ||
      name == "llvm.amdgcn.wavefrontsize")
    return finish(ir.getInt32(kernel.options.subgroupSize));
  StringRef relation = name;
  if (relation.consume_front("llvm.nvvm.read.ptx.sreg.lanemask."))
    return finish(laneMask(relation));
  if (name == "llvm.amdgcn.mbcnt.lo" || name == "llvm.amdgcn.mbcnt.hi") {
    // Counts the set bits of the first argument in lanes below this one.
    Value *below = laneMask("lt");
    if (name.ends_with("hi"))
      below = ir.CreateLShr(below, 32);
    Value *bits = ir.CreateAnd(ir.CreateTrunc(below, ir.getInt32Ty()),
                               call.getArgOperand(0));
    Value *count = ir.CreateUnaryIntrinsic(Intrinsic::ctpop, bits);
    return finish(ir.CreateAdd(count, call.getArgOperand(1)));
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Memory order, hints, traps
//===----------------------------------------------------------------------===//

/// Hints, and waits for what is done at once here.
static bool isHint(StringRef name) {
  static const StringRef hints[] = {"llvm.nvvm.prefetch",
                                    "llvm.nvvm.griddepcontrol",
                                    "llvm.nvvm.nanosleep",
                                    "llvm.nvvm.discard",
                                    "llvm.nvvm.applypriority",
                                    "llvm.nvvm.setmaxnreg",
                                    "llvm.amdgcn.s.waitcnt",
                                    "llvm.amdgcn.s.wait.",
                                    "llvm.amdgcn.sched.",
                                    "llvm.amdgcn.iglp.opt",
                                    "llvm.amdgcn.s.setprio",
                                    "llvm.amdgcn.s.sleep",
                                    "llvm.amdgcn.s.barrier.signal",
                                    "llvm.amdgcn.s.sched",
                                    "llvm.assume",
                                    "llvm.experimental.noalias.scope.decl",
                                    "llvm.lifetime.",
                                    "llvm.invariant.",
                                    "llvm.prefetch",
                                    "llvm.amdgcn.s.nop"};
  return any_of(hints,
                [&](StringRef prefix) { return name.starts_with(prefix); });
}

bool DeviceCall::lowerEffects(StringRef name) {
  if (name == "__gpuopt_fence" || name.starts_with("llvm.nvvm.membar.") ||
      name.starts_with("llvm.nvvm.fence.")) {
    auto *scope = call.arg_empty()
                      ? nullptr
                      : dyn_cast<ConstantInt>(call.getArgOperand(0));
    bool ofBlock = name.ends_with(".cta") ||
                   (name == "__gpuopt_fence" && scope && scope->isZero());
    kernel.facts.hasDeviceFence |= !ofBlock;
    ir.CreateFence(AtomicOrdering::SequentiallyConsistent);
    return finish(nullptr);
  }
  if (name == "__gpuopt_clock" ||
      name.starts_with("llvm.nvvm.read.ptx.sreg.clock") ||
      name.starts_with("llvm.nvvm.read.ptx.sreg.globaltimer") ||
      name == "llvm.amdgcn.s.memtime" || name == "llvm.amdgcn.s.memrealtime") {
    kernel.facts.readsClock = true;
    return finish(ir.CreateIntrinsic(Intrinsic::readcyclecounter,
                                     ArrayRef<Type *>(), {}));
  }
  // Counters that nobody has set up.
  if (name.starts_with("llvm.nvvm.read.ptx.sreg.pm"))
    return finish(ir.getInt32(0));
  static const StringRef launchPointers[] = {"llvm.amdgcn.implicitarg.ptr",
                                             "llvm.amdgcn.dispatch.ptr"};
  for (StringRef pointer : launchPointers)
    if (name == pointer) {
      size_t offset = pointer == launchPointers[0]
                          ? offsetof(LaunchContext, implicitArguments)
                          : offsetof(LaunchContext, dispatchPacket);
      Value *base = kernel.loadField(ir, kernel.launch, offset, ir.getPtrTy());
      MemoryObject object;
      object.kind = MemoryObject::Kind::Trusted;
      kernel.facts.objects.push_back(object);
      kernel.bases[base] = {unsigned(kernel.facts.objects.size() - 1),
                            ir.getInt64(256)};
      return finish(base);
    }
  if (name == "__nvvm_reflect" || name == "llvm.nvvm.reflect")
    return finish(ir.getInt32(0));
  if (call.getType()->isVoidTy() && isHint(name))
    return finish(nullptr);
  return false;
}

bool DeviceCall::lowerTrap(StringRef name) {
  static const std::pair<StringRef, StringRef> traps[] = {
      {"__gpuopt_trap", "traps"},
      {"llvm.trap", "traps"},
      {"llvm.debugtrap", "traps"},
      {"llvm.ubsantrap", "traps"},
      {"__assertfail", "fails an assertion"},
      {"abort", "aborts"},
      {"llvm.nvvm.exit", ""},
      {"llvm.amdgcn.endpgm", ""}};
  for (auto [trap, text] : traps) {
    if (name != trap)
      continue;
    if (!text.empty()) {
      unsigned site = kernel.addSite(Site::Kind::Trap, call);
      kernel.facts.sites[site].text = text.str();
      SmallVector<Value *> arguments = {kernel.thread, ir.getInt32(site)};
      SmallVector<Type *> types = {ir.getPtrTy(), ir.getInt32Ty()};
      // Text, file, line and function.
      bool isAssertion = name == "__assertfail" && call.arg_size() >= 4;
      for (Value *argument : llvm::make_range(
               call.arg_begin(), call.arg_begin() + (isAssertion ? 4 : 0))) {
        arguments.push_back(argument);
        types.push_back(argument->getType());
      }
      ir.CreateCall(
          kernel.hostFunction(isAssertion ? "gpuopt.assert" : "gpuopt.trap",
                              ir.getVoidTy(), types),
          arguments);
    }
    // The thread ends here.
    BasicBlock *rest = call.getParent()->splitBasicBlock(call.getNextNode());
    Instruction *branch = call.getParent()->getTerminator();
    ReturnInst *end =
        ReturnInst::Create(kernel.context, nullptr, branch->getIterator());
    end->setDebugLoc(call.getDebugLoc());
    rest->removePredecessor(branch->getParent());
    branch->eraseFromParent();
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(PoisonValue::get(call.getType()));
    call.eraseFromParent();
    return true;
  }
  return false;
}

/// `llvm.nvvm.cp.async.KIND.shared.global.BYTES[.s](to, from[, bytes read])`,
/// and the groups and waits that go with it: reads at once, see AsyncCopies.h
/// for the write. What is not read is filled with zeros.
bool DeviceCall::lowerAsyncCopy(StringRef name) {
  if (!name.consume_front("llvm.nvvm.cp.async."))
    return false;
  if (name == "commit.group" || name == "wait.all" || name == "wait.group")
    return lowerAsyncGroup(name);
  bool partial = name.consume_back(".s");
  unsigned bytes;
  if (!name.starts_with("c") || !name.contains(".shared.global.") ||
      name.rsplit('.').second.getAsInteger(10, bytes) || bytes > 16)
    return false;
  Value *to = call.getArgOperand(0), *from = call.getArgOperand(1);
  Type *type = ir.getIntNTy(8 * bytes);
  Value *data;
  if (partial) {
    IRBuilder<> entry(kernel.bodyBegin);
    Value *local = entry.CreateAlloca(type);
    ir.CreateStore(Constant::getNullValue(type), local);
    ir.CreateMemCpy(local, Align(1), from, Align(1), call.getArgOperand(2));
    LoadInst *load = ir.CreateLoad(type, local);
    load->setMetadata(trustedMetadata, MDNode::get(kernel.context, {}));
    data = load;
  } else {
    data = ir.CreateAlignedLoad(type, from, Align(bytes));
  }
  Type *i64 = ir.getInt64Ty(), *pointer = ir.getPtrTy();
  Value *wide = ir.CreateZExt(data, ir.getInt128Ty());
  FunctionCallee copy =
      kernel.hostFunction("gpuopt.async.copy", ir.getVoidTy(),
                          {pointer, pointer, i64, i64, i64, ir.getInt32Ty()});
  ir.CreateCall(copy, {kernel.thread, to, ir.CreateTrunc(wide, i64),
                       ir.CreateTrunc(ir.CreateLShr(wide, 64), i64),
                       ir.getInt64(bytes), ir.getInt32(0)});
  return finish(nullptr);
}

/// `commit.group`, `wait.group(pending)`, and `wait.all`, which is both.
bool DeviceCall::lowerAsyncGroup(StringRef name) {
  if (name != "wait.group") {
    FunctionCallee commit = kernel.hostFunction(
        "gpuopt.async.commit", ir.getVoidTy(), {ir.getPtrTy()});
    ir.CreateCall(commit, {kernel.thread});
  }
  if (name != "commit.group") {
    FunctionCallee wait = kernel.hostFunction(
        "gpuopt.async.wait", ir.getVoidTy(), {ir.getPtrTy(), ir.getInt64Ty()});
    Value *pending = name == "wait.all" ? ir.getInt64(0)
                                        : ir.CreateZExt(call.getArgOperand(0),
                                                        ir.getInt64Ty());
    ir.CreateCall(wait, {kernel.thread, pending});
  }
  return finish(nullptr);
}

/// C's functions on memory become intrinsics, which are checked.
bool DeviceCall::lowerCopy(StringRef name) {
  if ((name != "memcpy" && name != "memmove" && name != "memset") ||
      call.arg_size() != 3)
    return false;
  Value *to = call.getArgOperand(0), *from = call.getArgOperand(1);
  Value *bytes = call.getArgOperand(2);
  if (name == "memcpy")
    ir.CreateMemCpy(to, Align(1), from, Align(1), bytes);
  else if (name == "memmove")
    ir.CreateMemMove(to, Align(1), from, Align(1), bytes);
  else
    ir.CreateMemSet(to, ir.CreateTrunc(from, ir.getInt8Ty()), bytes, Align(1));
  return finish(to);
}

/// What `sincosf`, `frexp` and the like write through pointers goes by way of
/// a local, so that the kernel's own memory is written by a checked store.
/// Other functions that take pointers, like `vprintf`, write nothing here.
void DeviceCall::redirectResults(StringRef hostName) {
  if (call.arg_empty() ||
      !call.getArgOperand(0)->getType()->isFloatingPointTy())
    return;
  bool isInteger =
      hostName.starts_with("frexp") || hostName.starts_with("remquo");
  Type *type = isInteger ? ir.getInt32Ty() : call.getArgOperand(0)->getType();
  for (Use &argument : call.args()) {
    if (!argument->getType()->isPointerTy())
      continue;
    IRBuilder<> entry(kernel.bodyBegin);
    Value *local = entry.CreateAlloca(type);
    Value *target = argument;
    argument.set(local);
    IRBuilder<> after(call.getNextNode());
    LoadInst *result = after.CreateLoad(type, local);
    result->setMetadata(trustedMetadata, MDNode::get(kernel.context, {}));
    after.CreateStore(result, target)->setDebugLoc(call.getDebugLoc());
  }
}

/// `isspacep`: all addresses are the host's.
bool DeviceCall::lowerSpace(StringRef name) {
  if (!name.consume_front("llvm.nvvm.isspacep."))
    return false;
  auto space = StringSwitch<std::optional<MemorySpace>>(name)
                   .Case("global", MemorySpace::Global)
                   .Cases({"shared", "shared.cluster"}, MemorySpace::Workgroup)
                   .Case("local", MemorySpace::Local)
                   .Default(std::nullopt);
  if (!space)
    return false;
  Type *pointer = PointerType::get(kernel.context, 0);
  FunctionCallee find =
      kernel.hostFunction("gpuopt.space", ir.getInt32Ty(), {pointer, pointer});
  Value *found = ir.CreateCall(find, {kernel.thread, call.getArgOperand(0)});
  return finish(ir.CreateICmpEQ(found, ir.getInt32(uint32_t(*space))));
}

bool DeviceCall::lowerMath(StringRef name) {
  if (Value *value = lowerTargetArithmetic(ir, call)) {
    call.replaceAllUsesWith(value);
    call.eraseFromParent();
    return true;
  }
  std::string hostName = hostMathName(name);
  if (!isHostSymbol(hostName))
    return false;
  FunctionCallee callee =
      kernel.module.getOrInsertFunction(hostName, call.getFunctionType());
  auto *function = dyn_cast<Function>(callee.getCallee());
  if (!function)
    return false;
  function->setDoesNotThrow();
  redirectResults(hostName);
  call.setCalledFunction(callee);
  call.setAttributes({});
  return true;
}

bool DeviceCall::lower(StringRef name) {
  return lowerCoordinate(name) || lowerLane(name) || lowerEffects(name) ||
         lowerTrap(name) || lowerAsyncCopy(name) || lowerCopy(name) ||
         lowerSpace(name) || lowerTexture(kernel, call) || lowerMath(name);
}

/// Whether a fence orders more than the threads of a block.
static bool reachesDevice(const FenceInst &fence) {
  SmallVector<StringRef> names;
  fence.getContext().getSyncScopeNames(names);
  StringRef scope = names[fence.getSyncScopeID()];
  for (StringRef prefix : {"workgroup", "wavefront", "block", "singlethread"})
    if (scope.starts_with(prefix))
      return false;
  return true;
}

/// True for what the host's back end can compile as it is.
static bool isGeneric(const Function &function) {
  StringRef name = function.getName();
  return name.starts_with("gpuopt.") ||
         (function.isIntrinsic() && !name.starts_with("llvm.nvvm.") &&
          !name.starts_with("llvm.amdgcn."));
}

Error gpuopt::runtime::lowerDeviceCalls(KernelBuilder &kernel) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(*kernel.function)) {
    if (auto *call = dyn_cast<CallInst>(&instruction))
      calls.push_back(call);
    // Sync scopes name GPU things.
    if (auto *fence = dyn_cast<FenceInst>(&instruction)) {
      kernel.facts.hasDeviceFence |= reachesDevice(*fence);
      fence->setSyncScopeID(SyncScope::System);
    } else if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(
                   instruction) &&
               instruction.isAtomic())
      setAtomicSyncScopeID(&instruction, SyncScope::System);
  }
  for (CallInst *call : calls) {
    Function *callee = call->getCalledFunction();
    std::string name = callee->getName().str();
    if (!DeviceCall(kernel, *call).lower(name) && !isGeneric(*callee))
      return createStringError("kernel '%s' calls '%s', which the CPU executor "
                               "does not know",
                               kernel.facts.name.c_str(), name.c_str());
  }
  return Error::success();
}
