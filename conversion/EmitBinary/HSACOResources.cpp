//===- HSACOResources.cpp - what an AMDGPU code object says it uses -------===//
//
// The note record `NT_AMDGPU_METADATA` of a code object is a MessagePack map
// with a list of kernels under `amdhsa.kernels`.
//
//===----------------------------------------------------------------------===//

#include "conversion/EmitBinary/EmitBinary.h"

#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;

namespace gpuopt {

static uint64_t getNumber(msgpack::MapDocNode &map, StringRef key) {
  auto it = map.find(key);
  if (it == map.end())
    return 0;
  if (it->second.getKind() == msgpack::Type::UInt)
    return it->second.getUInt();
  if (it->second.getKind() == msgpack::Type::Int)
    return it->second.getInt();
  return 0;
}

static void readMetadata(StringRef blob,
                         std::vector<KernelResources> &resources) {
  msgpack::Document document;
  if (!document.readFromBlob(blob, false) || !document.getRoot().isMap())
    return;
  msgpack::MapDocNode &root = document.getRoot().getMap();
  auto kernels = root.find("amdhsa.kernels");
  if (kernels == root.end() || !kernels->second.isArray())
    return;
  for (msgpack::DocNode &node : kernels->second.getArray()) {
    if (!node.isMap())
      continue;
    msgpack::MapDocNode &kernel = node.getMap();
    KernelResources entry;
    auto name = kernel.find(".name");
    if (name != kernel.end() && name->second.isString())
      entry.symbol = name->second.getString().str();
    entry.registers = getNumber(kernel, ".vgpr_count");
    // One spilled register is 4 bytes for each work item.
    entry.spillBytes = 4 * getNumber(kernel, ".vgpr_spill_count");
    entry.sharedBytes = getNumber(kernel, ".group_segment_fixed_size");
    entry.measuredBy = "llvm";
    resources.push_back(entry);
  }
}

Expected<std::vector<KernelResources>> readHSACOResources(StringRef hsaco) {
  Expected<object::ELF64LEObjectFile> object =
      object::ELF64LEObjectFile::create(MemoryBufferRef(hsaco, "code object"));
  if (!object)
    return object.takeError();
  std::vector<KernelResources> resources;
  const object::ELF64LEFile &file = object->getELFFile();
  Expected<object::ELF64LEFile::Elf_Phdr_Range> headers =
      file.program_headers();
  if (!headers)
    return headers.takeError();
  for (const auto &header : *headers) {
    if (header.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    for (const auto &note : file.notes(header, error))
      if (note.getName() == "AMDGPU" &&
          note.getType() == ELF::NT_AMDGPU_METADATA)
        readMetadata(note.getDescAsStringRef(header.p_align), resources);
    if (error)
      return error;
  }
  return resources;
}

} // namespace gpuopt
