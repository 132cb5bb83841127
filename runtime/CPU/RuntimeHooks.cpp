//===- RuntimeHooks.cpp - what compiled kernels call back -----------------===//

#include "runtime/CPU/RuntimeHooks.h"
#include "runtime/CPU/BlockRun.h"
#include "runtime/CPU/UnsetMatrices.h"
#include "runtime/ErrorShadow.h"
#include "runtime/Textures.h"

#include <algorithm>
#include <cstring>

using namespace gpuopt;
using namespace gpuopt::runtime;

static BlockRun &blockOf(ThreadContext *thread) { return *thread->block->run; }

static void *allocateFrame(ThreadContext *thread, uint64_t bytes) {
  return blockOf(thread).allocateFrame(*thread, bytes);
}

static void *faultAccess(ThreadContext *thread, const uint8_t *address,
                         const uint8_t *base, uint64_t bytes, uint32_t site) {
  return blockOf(thread).faultAccess(*thread, address, base, bytes, site);
}

static void *findAddress(ThreadContext *thread, uint8_t *address,
                         uint64_t bytes, uint32_t site, BufferBounds *last) {
  return blockOf(thread).findAddress(*thread, address, bytes, site, *last);
}

/// How many of `bytes` may be copied from or to `address`: all or none.
static uint64_t checkRange(ThreadContext *thread, const uint8_t *address,
                           uint64_t bytes, const uint8_t *base, uint64_t limit,
                           uint32_t site) {
  if (!bytes)
    return 0;
  BlockRun &block = blockOf(thread);
  uint64_t offset = address - base;
  bool inside = base ? bytes <= limit && offset <= limit - bytes
                     : block.isAccessible(address, bytes);
  if (!inside &&
      block.faultAccess(*thread, address, base, bytes, site) != address)
    return 0;
  block.noteAccess(*thread, address, bytes, site);
  return bytes;
}

static void noteAccess(ThreadContext *thread, const uint8_t *address,
                       uint64_t bytes, uint32_t site) {
  blockOf(thread).noteAccess(*thread, address, bytes, site);
}

static void *checkAccess(ThreadContext *thread, uint8_t *address, uint8_t *base,
                         uint64_t bytes, uint32_t site) {
  return blockOf(thread).checkAccess(*thread, address, {base, bytes}, site);
}

static void noteBranch(ThreadContext *thread, uint32_t isTaken, uint32_t site) {
  blockOf(thread).noteBranch(*thread, isTaken, site);
}

static void issueAsyncCopy(ThreadContext *thread, uint8_t *to, uint64_t low,
                           uint64_t high, uint64_t bytes, uint32_t site) {
  AsyncCopy copy;
  copy.to = to;
  copy.bytes = bytes;
  copy.site = site;
  std::memcpy(copy.data.data(), &low, sizeof low);
  std::memcpy(copy.data.data() + sizeof low, &high, sizeof high);
  blockOf(thread).issueAsyncCopy(*thread, copy);
}

static void commitAsyncCopies(ThreadContext *thread) {
  blockOf(thread).asyncCopies[thread->linearId].commit();
}

static void waitForAsyncCopies(ThreadContext *thread, uint64_t pending) {
  blockOf(thread).waitForAsyncCopies(*thread, pending);
}

static void reportTrap(ThreadContext *thread, uint32_t site) {
  blockOf(thread).reportTrap(*thread, site);
}

static void reportUnset(ThreadContext *thread, uint32_t site) {
  blockOf(thread).reportUnset(*thread, site);
}

static uint64_t unsetWord(ThreadContext *thread) {
  return blockOf(thread).unsetWord();
}

/// What local memory has that nothing has set is copied; without a place that
/// it comes from, all is, or, where that is zero, nothing.
static void copyUnset(uint8_t *to, const uint8_t *from, uint64_t bytes,
                      uint64_t room, uint32_t all) {
  bytes = std::min(bytes, room);
  if (to && from)
    std::memmove(to, from, bytes);
  else if (to)
    std::memset(to, int(all), bytes);
}

static void prepareUnset(const uint64_t *shadow, uint64_t *factors,
                         uint64_t unit, uint32_t isOfColumns) {
  prepareUnsetProduct(MatrixUnit::decode(unit), shadow, isOfColumns != 0,
                      factors);
}

static void finishUnset(uint64_t *shadow, const uint64_t *factors,
                        uint64_t unit, uint32_t) {
  finishUnsetProduct(MatrixUnit::decode(unit), factors, shadow);
}

static void reportAssertion(ThreadContext *thread, uint32_t site,
                            const char *text, const char *file, uint32_t line,
                            const char *function) {
  blockOf(thread).reportAssertion(*thread, site, {text, file, line, function});
}

static void setMemoryBarrier(ThreadContext *thread, uint8_t *address,
                             uint32_t threads, uint32_t site) {
  blockOf(thread).setMemoryBarrier(*thread, address, threads, site);
}

static void dropMemoryBarrier(ThreadContext *thread, uint8_t *address,
                              uint32_t site) {
  blockOf(thread).dropMemoryBarrier(*thread, address, site);
}

static uint64_t arriveInMemory(ThreadContext *thread, uint8_t *address,
                               uint32_t threads, uint32_t flags,
                               uint32_t site) {
  return blockOf(thread).arriveInMemory(*thread, address, threads, flags, site);
}

static void countBytes(ThreadContext *thread, uint8_t *address, int64_t bytes,
                       uint32_t site) {
  blockOf(thread).countBytes(*thread, address, bytes, site);
}

static void loadInBulk(ThreadContext *thread, uint8_t *to, const uint8_t *from,
                       uint64_t bytes, const uint8_t *barrier, uint32_t site) {
  blockOf(thread).loadInBulk(*thread, to, from, bytes, barrier, site);
}

static void storeInBulk(ThreadContext *thread, uint8_t *to, const uint8_t *from,
                        uint64_t bytes, uint32_t site) {
  blockOf(thread).storeInBulk(*thread, to, from, bytes, site);
}

static void commitBulk(ThreadContext *thread) {
  blockOf(thread).commitBulk(*thread);
}

static void waitForBulk(ThreadContext *thread, uint64_t pending) {
  blockOf(thread).waitForBulk(*thread, pending);
}

static void arriveAtBarrier(ThreadContext *thread, uint64_t barrier) {
  blockOf(thread).arriveAtBarrier(*thread, barrier);
}

static void noteOrder(ThreadContext *thread, const uint8_t *address,
                      uint32_t flags) {
  blockOf(thread).noteOrder(*thread, address, flags);
}

static uint32_t giveSteps(ThreadContext *thread, uint32_t site) {
  return blockOf(thread).giveSteps(*thread, site);
}

static uint32_t spaceOf(ThreadContext *thread, const uint8_t *address) {
  return uint32_t(blockOf(thread).spaceOf(address));
}

//===----------------------------------------------------------------------===//
// Textures
//===----------------------------------------------------------------------===//

/// The object that a handle stands for; null, and said at one of the places
/// from `site` on (LowerTextures.cpp), where there is none that can be used.
static const TextureObject *findObject(ThreadContext *thread, uint64_t handle,
                                       uint64_t mark, uint32_t site) {
  BlockRun &block = blockOf(thread);
  auto *address = reinterpret_cast<const uint8_t *>(handle);
  auto *object = reinterpret_cast<const TextureObject *>(address);
  if (handle % alignof(TextureObject) ||
      !block.isAccessible(address, sizeof *object) || object->mark != mark) {
    block.reportTrap(*thread, site);
    return nullptr;
  }
  if (block.isAccessible(object->data, object->bytes))
    return object;
  block.reportTrap(*thread, site + 1);
  return nullptr;
}

/// What an instruction takes and gives.
struct TexturePlace {
  TextureWords place;
  TextureWords data;
};

static void fetchFromTexture(ThreadContext *thread, uint64_t handle,
                             uint32_t code, TexturePlace *words,
                             uint32_t site) {
  const TextureObject *object =
      findObject(thread, handle, TextureObject::textureMark, site);
  words->data =
      object ? fetchTexture(*object, TextureFetch::decode(code), words->place)
             : TextureWords{0, 0, 0, 0};
}

static void query(ThreadContext *thread, uint64_t handle, uint64_t mark,
                  uint32_t code, TexturePlace *words, uint32_t site) {
  const TextureObject *object = findObject(thread, handle, mark, site);
  words->data[0] = object ? queryTexture(*object, TextureQuery(code)) : 0;
}

static void askTexture(ThreadContext *thread, uint64_t handle, uint32_t code,
                       TexturePlace *words, uint32_t site) {
  query(thread, handle, TextureObject::textureMark, code, words, site);
}

static void askSurface(ThreadContext *thread, uint64_t handle, uint32_t code,
                       TexturePlace *words, uint32_t site) {
  query(thread, handle, TextureObject::surfaceMark, code, words, site);
}

/// Where the element is; null where there is nothing to do.
static uint8_t *findInSurface(ThreadContext *thread, uint64_t handle,
                              uint32_t code, const TexturePlace &words,
                              uint32_t site) {
  const TextureObject *object =
      findObject(thread, handle, TextureObject::surfaceMark, site);
  if (!object)
    return nullptr;
  SurfaceAccess access = SurfaceAccess::decode(code);
  uint8_t *place = placeInSurface(*object, access, words.place);
  if (!place && access.mode == SurfaceAccess::Mode::Trap)
    blockOf(thread).reportTrap(*thread, site + 2);
  return place;
}

static void loadFromSurface(ThreadContext *thread, uint64_t handle,
                            uint32_t code, TexturePlace *words, uint32_t site) {
  const uint8_t *place = findInSurface(thread, handle, code, *words, site);
  words->data = {0, 0, 0, 0};
  if (place)
    std::memcpy(&words->data, place, SurfaceAccess::decode(code).bytes);
}

static void storeToSurface(ThreadContext *thread, uint64_t handle,
                           uint32_t code, TexturePlace *words, uint32_t site) {
  if (uint8_t *place = findInSurface(thread, handle, code, *words, site))
    std::memcpy(place, &words->data, SurfaceAccess::decode(code).bytes);
}

//===----------------------------------------------------------------------===//
// Rounding errors
//===----------------------------------------------------------------------===//

static ErrorShadow &errorsOf(ThreadContext *thread) {
  return *blockOf(thread).launch.options.errors;
}

static double findMagnitude(ThreadContext *thread, const void *address,
                            uint64_t bytes, double value) {
  return errorsOf(thread).find(address, bytes, value).magnitude;
}

static double findRoundings(ThreadContext *thread, const void *address,
                            uint64_t bytes, double value) {
  return errorsOf(thread).find(address, bytes, value).roundings;
}

static double findAdditions(ThreadContext *thread, const void *address,
                            uint64_t bytes, double value) {
  return errorsOf(thread).find(address, bytes, value).additions;
}

static void noteError(ThreadContext *thread, const void *address,
                      uint64_t bytes, double value, double magnitude,
                      double roundings, double additions) {
  errorsOf(thread).note(address, bytes, value,
                        {magnitude, roundings, additions});
}

static void addError(ThreadContext *thread, const void *address, uint64_t bytes,
                     double old, double magnitude, double roundings,
                     double additions) {
  errorsOf(thread).add(address, bytes, old, {magnitude, roundings, additions});
}

static void forgetNumbers(ThreadContext *thread, const void *address,
                          uint64_t bytes) {
  errorsOf(thread).forget(address, bytes);
}

/// Numbers are read as something else, which nobody follows.
static void lookAtNumbers(ThreadContext *thread, const void *address,
                          uint64_t bytes) {
  ErrorShadow &errors = errorsOf(thread);
  if (!errors.isLost() && errors.hasRoundings(address, bytes))
    errors.lose();
}

static void loseErrors(ThreadContext *thread, uint32_t isLost) {
  if (isLost)
    errorsOf(thread).lose();
}

std::vector<std::pair<llvm::StringRef, void *>>
gpuopt::runtime::runtimeHooks() {
  auto address = [](auto *function) {
    return reinterpret_cast<void *>(function);
  };
  return {{"gpuopt.frame", address(allocateFrame)},
          {"gpuopt.fault", address(faultAccess)},
          {"gpuopt.find", address(findAddress)},
          {"gpuopt.range", address(checkRange)},
          {"gpuopt.access", address(noteAccess)},
          {"gpuopt.checked.access", address(checkAccess)},
          {"gpuopt.branch", address(noteBranch)},
          {"gpuopt.async.copy", address(issueAsyncCopy)},
          {"gpuopt.async.commit", address(commitAsyncCopies)},
          {"gpuopt.async.wait", address(waitForAsyncCopies)},
          {"gpuopt.error.magnitude", address(findMagnitude)},
          {"gpuopt.error.roundings", address(findRoundings)},
          {"gpuopt.error.additions", address(findAdditions)},
          {"gpuopt.error.store", address(noteError)},
          {"gpuopt.error.add", address(addError)},
          {"gpuopt.error.forget", address(forgetNumbers)},
          {"gpuopt.error.look", address(lookAtNumbers)},
          {"gpuopt.error.lose", address(loseErrors)},
          {"gpuopt.trap", address(reportTrap)},
          {"gpuopt.assert", address(reportAssertion)},
          {"gpuopt.unset", address(unsetWord)},
          {"gpuopt.unset.use", address(reportUnset)},
          {"gpuopt.unset.copy", address(copyUnset)},
          {"gpuopt.unset.factors", address(prepareUnset)},
          {"gpuopt.unset.sums", address(finishUnset)},
          {"gpuopt.mbarrier.init", address(setMemoryBarrier)},
          {"gpuopt.mbarrier.inval", address(dropMemoryBarrier)},
          {"gpuopt.mbarrier.arrive", address(arriveInMemory)},
          {"gpuopt.mbarrier.count", address(countBytes)},
          {"gpuopt.bulk.load", address(loadInBulk)},
          {"gpuopt.bulk.store", address(storeInBulk)},
          {"gpuopt.bulk.commit", address(commitBulk)},
          {"gpuopt.bulk.wait", address(waitForBulk)},
          {"gpuopt.barrier.arrive", address(arriveAtBarrier)},
          {"gpuopt.order", address(noteOrder)},
          {"gpuopt.space", address(spaceOf)},
          {"gpuopt.surface.load", address(loadFromSurface)},
          {"gpuopt.surface.store", address(storeToSurface)},
          {"gpuopt.texture.fetch", address(fetchFromTexture)},
          {"gpuopt.texture.query", address(askTexture)},
          {"gpuopt.surface.query", address(askSurface)},
          {"gpuopt.steps", address(giveSteps)}};
}
