//===- KernelFacts.h - what is known of a compiled kernel -------*- C++ -*-===//
//
// Made while a kernel is prepared for the host; read when it is launched and
// when something goes wrong in it.
//
//===----------------------------------------------------------------------===//

#ifndef RUNTIME_CPU_KERNELFACTS_H
#define RUNTIME_CPU_KERNELFACTS_H

#include "runtime/BlockBounds.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gpuopt::runtime {

/// One parameter of the kernel, as its ABI has it.
struct ParameterFact {
  std::string name;
  bool isPointer = false;
  /// Place in the argument block.
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

/// Something that memory accesses of a kernel address.
struct MemoryObject {
  enum class Kind {
    Parameter,        ///< the buffer of a pointer parameter
    Global,           ///< a variable of the module
    Workgroup,        ///< an array in static workgroup memory
    DynamicWorkgroup, ///< workgroup memory sized by the launch
    Private,          ///< a local variable
    Trusted,          ///< memory of the runtime; not checked
    Unknown           ///< found out at run time
  };
  Kind kind = Kind::Unknown;
  std::string name;
  /// Which parameter, for Kind::Parameter.
  unsigned parameter = 0;
  /// Size where it is fixed.
  uint64_t bytes = 0;
};

/// A place in the kernel that faults and counts refer to.
struct Site {
  enum class Kind {
    Read,
    Write,
    Atomic,
    Wait,
    Exit,
    Loop,
    Divide,
    Trap,
    Branch
  };
  Kind kind = Kind::Read;
  /// `file:line:col`, or empty.
  std::string location;
  /// The same with the places that the code was inlined at: two waits with the
  /// same one are the same barrier of the source.
  std::string inlinedLocation;
  /// Index into KernelFacts::objects, for accesses.
  unsigned object = 0;
  /// Bytes of one access (0 where it varies), and of its scalars.
  uint64_t bytes = 0;
  uint64_t elementBytes = 1;
  uint64_t alignment = 1;
  /// Position in program order, loop bodies before what follows the loop.
  unsigned order = 0;
  /// What a trap is, for the message.
  std::string text;
};

struct KernelFacts {
  std::string name;
  BlockBounds blocks;
  std::vector<ParameterFact> parameters;
  uint64_t argumentBytes = 0;
  std::vector<MemoryObject> objects;
  std::vector<Site> sites;
  /// Bytes of static workgroup memory; dynamic memory starts there.
  uint64_t workgroupBytes = 0;
  /// Of these, what others than the kernel set: places and sizes.
  std::vector<std::pair<uint64_t, uint64_t>> presetWorkgroup;
  /// Threads suspend: the function is a coroutine.
  bool suspends = false;
  bool usesGridBarrier = false;
  /// Threads look in loops for what others store, or for the end of a phase.
  bool looksAtOthers = false;
  bool readsClock = false;
  /// The host hears of all accesses but those of local memory.
  bool notesAccesses = false;
  /// Fences order accesses of different blocks in ways that the race check
  /// does not follow.
  bool hasDeviceFence = false;
  /// Threads of a block may be ordered by more than its barriers: what each
  /// knows of others is followed (ThreadOrder.h).
  bool ordersThreads = false;
  /// Smallest access in bytes: the unit in which races are tracked.
  uint64_t smallestAccess = 4;

  /// Whether an access surely reads a variable of the module, or beside it.
  bool readsVariable(const Site &site) const {
    return site.kind == Site::Kind::Read &&
           objects[site.object].kind == MemoryObject::Kind::Global;
  }
};

} // namespace gpuopt::runtime

#endif // RUNTIME_CPU_KERNELFACTS_H
