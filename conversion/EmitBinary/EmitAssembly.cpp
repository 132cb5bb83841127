//===- EmitAssembly.cpp - code generation and linking ---------------------===//

#include "conversion/EmitBinary/BackendErrors.h"
#include "conversion/EmitBinary/EmitBinary.h"
#include "conversion/EmitBinary/FileOutput.h"
#include "conversion/EmitBinary/LargeBlocks.h"
#include "conversion/EmitBinary/LongChains.h"
#include "conversion/EmitBinary/PlacedError.h"
#include "conversion/EmitBinary/TargetMachines.h"

#include "dialects/GPUOpt/ManagedVariables.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Support/MemoryBuffer.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace gpuopt {

/// The first statement for which `predicate` holds.
static const CallBase *findAssembly(const Module &module,
                                    function_ref<bool(StringRef)> predicate) {
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function)) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      if (call && call->isInlineAsm() &&
          predicate(cast<InlineAsm>(call->getCalledOperand())->getAsmString()))
        return call;
    }
  return nullptr;
}

static bool usesWarpgroups(StringRef assembly) {
  return assembly.contains("wgmma.");
}

/// The parser of AMD's assembly, a twentieth of the driver, is not linked; of
/// PTX nobody would find out before ptxas, where there is one.
static Error checkInlineAssembly(const Module &module, TargetAttr target) {
  if (target.getVendor() == Vendor::AMD) {
    if (const CallBase *call =
            findAssembly(module, [](StringRef text) { return !text.empty(); }))
      return makeErrorAt(
          *call, "'" + call->getFunction()->getName() +
                     "' contains inline assembly, which is supported for "
                     "NVIDIA's targets only");
  } else if (!target.getArch().starts_with("sm_90")) {
    if (const CallBase *call = findAssembly(module, usesWarpgroups))
      return makeErrorAt(*call, "'" + call->getFunction()->getName() +
                                    "' has instructions of warpgroups (wgmma), "
                                    "which only sm_90 has");
  }
  return Error::success();
}

/// The first chip that has what an intrinsic of NVIDIA's stands for; 0 where
/// all have it. Of the first name that fits.
static unsigned firstChipWith(StringRef name) {
  static constexpr std::pair<StringLiteral, unsigned> chips[] = {
      {"mbarrier.try.wait", 90},
      {"mbarrier.expect.tx", 90},
      {"mbarrier.complete.tx", 90},
      {"mbarrier.arrive.expect.tx", 90},
      {"mbarrier.arrive.drop.expect.tx", 90},
      {"cp.async.bulk.", 90},
      {"fence.mbarrier_init", 90},
      {"mbarrier.arrive.scope", 90},
      {"mbarrier.arrive.drop.scope", 90},
      {"mbarrier.arrive.relaxed", 90},
      {"mbarrier.arrive.drop.relaxed", 90},
      {"mbarrier.test.wait.relaxed", 90},
      {"mbarrier.test.wait.parity.relaxed", 90},
      {"elect.sync", 90},
      {"mbarrier.", 80},
      {"cp.async.", 80},
      {"redux.sync.", 80}};
  if (name.consume_front("llvm.nvvm."))
    for (auto [prefix, chip] : chips)
      if (name.starts_with(prefix))
        return chip;
  return 0;
}

/// As PTX has it: `mbarrier.try_wait`.
static std::string instructionOf(StringRef intrinsic) {
  intrinsic.consume_front("llvm.nvvm.");
  for (StringRef end : {".scope.", ".shared", ".relaxed."})
    intrinsic = intrinsic.take_front(intrinsic.find(end));
  std::string name = intrinsic.str();
  for (StringRef words : {"try.wait", "test.wait", "arrive.drop", "expect.tx",
                          "complete.tx", "commit.group", "wait.group"})
    if (size_t at = name.find(words); at != std::string::npos)
      name[at + words.find('.')] = '_';
  return name;
}

/// The calls of an intrinsic in `module`, until `visit` returns an error.
static Error visitIntrinsics(
    const Module &module,
    function_ref<Error(const CallInst &call, StringRef intrinsic)> visit) {
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (!call || !call->getCalledFunction() ||
          !call->getCalledFunction()->isIntrinsic())
        continue;
      if (Error error = visit(*call, call->getCalledFunction()->getName()))
        return error;
    }
  return Error::success();
}

/// LLVM says no more than that it cannot select them.
static Error checkInstructions(const Module &module, TargetAttr target) {
  StringRef number = target.getArch();
  unsigned chip;
  if (!number.consume_front("sm_") || number.consumeInteger(10, chip))
    return Error::success();
  return visitIntrinsics(
      module, [&](const CallInst &call, StringRef name) -> Error {
        unsigned first = firstChipWith(name);
        if (first <= chip)
          return Error::success();
        return makeErrorAt(
            call, "'" + call.getFunction()->getName() +
                      "' has the instruction '" + instructionOf(name) +
                      "', which sm_" + Twine(first) +
                      " is the first to have, and not " + target.getArch());
      });
}

/// What the back end cannot do, with the place of it: LLVM names an intrinsic,
/// or no more than the function.
static Error placeSelectionError(Error error, const Module &module,
                                 TargetAttr target) {
  std::string text = ("LLVM cannot generate code for '" + target.getArch() +
                      "': " + toString(std::move(error)))
                         .str();
  StringRef rest = text;
  StringRef name = rest.split("intrinsic %").second;
  name = name.take_until([](char c) { return isSpace(c) || c == ','; });
  auto report = [&](const CallInst &call, StringRef intrinsic) -> Error {
    if (name.empty() || intrinsic != name)
      return Error::success();
    return makeErrorAt(call, "'" + call.getFunction()->getName() +
                                 "' has the instruction '" +
                                 instructionOf(intrinsic) + "', which " +
                                 target.getArch() + " does not have");
  };
  if (Error placed = visitIntrinsics(module, report))
    return placed;
  StringRef symbol = rest.split("In function: ").second.split('\n').first;
  const Function *function = module.getFunction(symbol.trim());
  return function ? makeErrorAt(*function, text) : createStringError(text);
}

namespace {
/// Keeps passes of code generation away from functions that are too large for
/// them, as long as it lives. LLVM asks it for all passes that may be left out.
class CodeGenerationGate : public OptPassGate {
public:
  CodeGenerationGate(const Module &module, Vendor vendor)
      : context(module.getContext()), usual(context.getOptPassGate()) {
    context.setOptPassGate(*this);
    for (const Function &function : module) {
      hasLargeFunction |=
          function.getInstructionCount() > mostInstructionsWithLSR(vendor);
      std::string unit = ("function (" + function.getName() + ")").str();
      if (hasLargeBlock(function))
        withLargeBlocks.insert(unit);
      if (function.size() > kMostBlocks || countSums(function) > kMostSums)
        withManyCandidates.insert(unit);
    }
  }

  ~CodeGenerationGate() override { context.setOptPassGate(usual); }

  bool isEnabled() const override { return true; }
  bool shouldRunPass(StringRef pass, StringRef unit) const override {
    if (usual.isEnabled() && !usual.shouldRunPass(pass, unit))
      return false;
    // Of a loop the unit does not tell the function.
    if (pass == "Loop Strength Reduction")
      return !hasLargeFunction;
    if (comparesAcrossBlocks(pass) && withManyCandidates.contains(unit))
      return false;
    return !comparesAllInstructions(pass) || !withLargeBlocks.contains(unit);
  }

private:
  /// Loop strength reduction keeps an address for each of the many accesses of
  /// unrolled code, where one address and constant offsets do: with it, a
  /// convolution of 8000 instructions takes 228 registers instead of 183, and
  /// half of the time of code generation. For NVIDIA's GPUs, whose accesses
  /// have room for such offsets, this begins with the register tiles of a
  /// product.
  static size_t mostInstructionsWithLSR(Vendor vendor) {
    return vendor == Vendor::NVIDIA ? 1024 : 4096;
  }

  LLVMContext &context;
  /// LLVM's own, for `-opt-bisect-limit`.
  OptPassGate &usual;
  bool hasLargeFunction = false;
  /// As LLVM describes them.
  StringSet<> withLargeBlocks, withManyCandidates;
};
} // namespace

/// The processor whose instructions `module` has. `wgmma` is none of sm_90's,
/// whose code later chips run, too, but of sm_90a's.
static StringRef processorOf(const Module &module, TargetAttr target) {
  StringRef processor = target.getArch();
  bool needsMore = processor == "sm_90" && findAssembly(module, usesWarpgroups);
  return needsMore ? "sm_90a" : processor;
}

/// Marks managed variables as NVIDIA's back end wants it.
static void annotateManagedVariables(Module &module) {
  LLVMContext &context = module.getContext();
  for (GlobalVariable &variable : module.globals()) {
    if (variable.getSection() != kManagedSection)
      continue;
    variable.setSection("");
    Metadata *annotation[] = {ConstantAsMetadata::get(&variable),
                              MDString::get(context, "managed"),
                              ConstantAsMetadata::get(ConstantInt::get(
                                  llvm::Type::getInt32Ty(context), 1))};
    module.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(MDNode::get(context, annotation));
  }
}

/// NVIDIA's back end drops what an update releases or acquires, other than that
/// of a compare-and-swap: fences around it do the same.
static void orderUpdates(Module &module) {
  SmallVector<AtomicRMWInst *> updates;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *update = dyn_cast<AtomicRMWInst>(&instruction);
          update && isStrongerThanMonotonic(update->getOrdering()))
        updates.push_back(update);
  for (AtomicRMWInst *update : updates) {
    AtomicOrdering ordering = update->getOrdering();
    SyncScope::ID scope = update->getSyncScopeID();
    IRBuilder<> ir(update);
    if (isReleaseOrStronger(ordering))
      ir.CreateFence(ordering == AtomicOrdering::SequentiallyConsistent
                         ? ordering
                         : AtomicOrdering::Release,
                     scope);
    ir.SetInsertPoint(update->getNextNode());
    if (isAcquireOrStronger(ordering))
      ir.CreateFence(AtomicOrdering::Acquire, scope);
    update->setOrdering(AtomicOrdering::Monotonic);
  }
}

/// Code generation at full level: `optimizeForTarget` decided what the IR is.
static Expected<std::string> generate(Module &module, TargetAttr target,
                                      CodeGenFileType kind) {
  if (Error error = checkInlineAssembly(module, target))
    return error;
  if (Error error = checkInstructions(module, target))
    return error;
  Expected<std::unique_ptr<TargetMachine>> machine =
      createTargetMachine(target, 3, processorOf(module, target));
  if (!machine)
    return machine.takeError();
  for (Function &function : module)
    cutLongChains(function);
  annotateManagedVariables(module);
  if (target.getVendor() == Vendor::NVIDIA)
    orderUpdates(module);
  SmallString<0> buffer;
  raw_svector_ostream stream(buffer);
  bool unsupported = false;
  CodeGenerationGate gate(module, target.getVendor());
  Error error = catchBackendErrors(module.getContext(), [&] {
    legacy::PassManager passes;
    unsupported =
        (*machine)->addPassesToEmitFile(passes, stream, nullptr, kind);
    if (!unsupported)
      passes.run(module);
  });
  if (error)
    return placeSelectionError(std::move(error), module, target);
  if (unsupported)
    return createStringError("LLVM cannot emit this kind of file for '" +
                             target.getArch() + "'");
  return buffer.str().str();
}

Expected<std::string> emitAssembly(Module &module, TargetAttr target) {
  return generate(module, target, CodeGenFileType::AssemblyFile);
}

/// LLD keeps its state in globals: one link at a time.
static Error linkObject(StringRef input, StringRef output) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::string in = input.str(), out = output.str(), messages;
  raw_string_ostream stream(messages);
  const char *args[] = {"ld.lld", "-shared",   "--no-undefined",
                        "-o",     out.c_str(), in.c_str()};
  lld::Result result =
      lld::lldMain(args, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return createStringError("linking the code object failed: " +
                             StringRef(messages).trim());
  return Error::success();
}

Expected<std::string> emitHSACO(Module &module, TargetAttr target) {
  if (target.getVendor() != Vendor::AMD)
    return createStringError("target '" + target.getTargetName() +
                             "' has no code objects: it is not AMD's");
  Expected<std::string> object =
      generate(module, target, CodeGenFileType::ObjectFile);
  if (!object)
    return object.takeError();

  auto objectFile = TemporaryFile::create("o");
  if (!objectFile)
    return objectFile.takeError();
  auto linkedFile = TemporaryFile::create("hsaco");
  if (!linkedFile)
    return linkedFile.takeError();
  StringRef objectPath = (*objectFile)->path();
  StringRef linkedPath = (*linkedFile)->path();
  if (std::error_code error = writeFile(objectPath, {*object}))
    return cannotWrite(objectPath, error);
  if (Error error = linkObject(objectPath, linkedPath))
    return error;
  ErrorOr<std::unique_ptr<MemoryBuffer>> linked =
      MemoryBuffer::getFile(linkedPath, false, false);
  if (!linked)
    return createStringError("cannot read '" + linkedPath +
                             "': " + linked.getError().message());
  return (*linked)->getBuffer().str();
}

} // namespace gpuopt
