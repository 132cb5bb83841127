//===- Prelude.cpp - the headers that stand in for the SDK ----------------===//

#include "conversion/ImportSource/Prelude.h"

#include "conversion/ImportSource/LaunchBrackets.h"
#include "conversion/ImportSource/SDKHeaders.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace gpuopt;

#pragma clang diagnostic ignored "-Wc23-extensions"

#include "conversion/ImportSource/PreludeHeaders.inc"

ArrayRef<EmbeddedFile> gpuopt::preludeHeaders() { return embeddedHeaders; }

IntrusiveRefCntPtr<vfs::FileSystem>
gpuopt::createPreludeFileSystem(ArrayRef<EmbeddedFile> precompiled,
                                std::optional<StringRef> sdkFreeInput) {
  auto memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  auto add = [&](const EmbeddedFile &file) {
    memory->addFileNoOwn((kPreludeDirectory + "/" + file.path).str(),
                         /*ModificationTime=*/0,
                         MemoryBufferRef(file.contents, file.path));
  };
  for_each(preludeHeaders(), add);
  for_each(precompiled, add);
  IntrusiveRefCntPtr<vfs::FileSystem> real =
      makeIntrusiveRefCnt<LaunchBracketsFileSystem>(vfs::getRealFileSystem());
  if (sdkFreeInput)
    real = makeIntrusiveRefCnt<SDKHidingFileSystem>(std::move(real),
                                                    *sdkFreeInput);
  auto overlay = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(real));
  overlay->pushOverlay(std::move(memory));
  return overlay;
}
