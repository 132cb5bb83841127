//===- BlockWrites.cpp - reads of what nobody has written -----------------===//

#include "runtime/CPU/BlockRun.h"

using namespace llvm;
using namespace gpuopt;
using namespace gpuopt::runtime;

void BlockRun::checkWritten(ThreadContext &thread, uint64_t offset,
                            uint64_t bytes, uint32_t siteIndex) {
  const Site &site = facts.sites[siteIndex];
  auto begin = isWritten.begin() + offset;
  auto end = begin + std::min(bytes, workgroupBytes - offset);
  if (site.kind != Site::Kind::Write && std::find(begin, end, 0) != end)
    launch.faults.add(ExecutionFault::Kind::Uninitialised, thread, siteIndex,
                      FaultLog::noSite, [&] {
                        const std::string &array = launch.objectName(site);
                        return nameThread(thread).print() + " reads " +
                               std::to_string(bytes) + " bytes of " +
                               (array.empty() ? "workgroup memory" : array) +
                               " that no thread of its block has written";
                      });
  if (site.kind != Site::Kind::Read)
    std::fill(begin, end, 1);
}

void BlockRun::reportUnset(ThreadContext &thread, uint32_t site) {
  launch.faults.add(
      ExecutionFault::Kind::UnsetRegister, thread, site, FaultLog::noSite, [&] {
        return nameThread(thread).print() + " " + facts.sites[site].text;
      });
}

/// No number, and no subscript of an array; something else where the launch is
/// to have other bytes in its workgroup memory.
uint64_t BlockRun::unsetWord() const {
  constexpr uint64_t noNumber = 0x7ffd'7ffd'7ffd'7ffd;
  uint8_t fill = launch.options.workgroupFill;
  return fill == CPUExecutorOptions().workgroupFill
             ? noNumber
             : fill * 0x0101'0101'0101'0101;
}

/// `a[5]`, or `byte 20 of the allocation of 400 bytes at 0x…`.
static std::string nameElement(const std::string &array, int64_t offset,
                               const Site &site, const MemoryRange &range,
                               const uint8_t *address) {
  int64_t element = site.elementBytes;
  if (array.empty() || offset % element != 0)
    return "byte " + std::to_string(address - range.begin) + " of " +
           range.name;
  return array + "[" + std::to_string(offset / element) + "], in " + range.name;
}

/// The same for memory of a program. Copies of many bytes may take along what
/// lies between the members of structures.
void BlockRun::checkReachable(ThreadContext &thread, const uint8_t *address,
                              uint64_t bytes, uint32_t siteIndex) {
  const MemoryRange *range = launch.findRange(address, bytes);
  if (!range || !range->isWritten)
    return;
  const Site &site = facts.sites[siteIndex];
  MutableArrayRef<uint8_t> flags(range->isWritten + (address - range->begin),
                                 bytes);
  auto isUnwritten = [](uint8_t &flag) {
    return !__atomic_load_n(&flag, __ATOMIC_RELAXED);
  };
  bool isBad =
      site.kind != Site::Kind::Write &&
      (site.bytes ? any_of(flags, isUnwritten) : all_of(flags, isUnwritten));
  if (isBad)
    launch.faults.add(
        ExecutionFault::Kind::Uninitialised, thread, siteIndex,
        FaultLog::noSite, [&] {
          const MemoryObject &object = facts.objects[site.object];
          bool isParameter = object.kind == MemoryObject::Kind::Parameter;
          const uint8_t *base =
              isParameter ? launch.context.bounds[object.parameter].begin
                          : range->begin;
          return nameThread(thread).print() + " reads " +
                 std::to_string(bytes) + " bytes at " +
                 nameElement(isParameter ? launch.objectName(site) : "",
                             address - base, site, *range, address) +
                 ", which nobody has written";
        });
  if (site.kind != Site::Kind::Read)
    for (uint8_t &flag : flags)
      __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
}
