//===- DeviceImages.cpp - device code inside an object file ---------------===//

#include "runtime/DeviceImages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Alignment.h"

#include <cstring>

using namespace gpuopt;
using llvm::object::OffloadBinary;

static constexpr llvm::StringLiteral kRoleNames[] = {
    "tuned", "original", "assembly", "binary", "rules"};

llvm::StringRef gpuopt::roleName(ImageRole role) {
  return kRoleNames[static_cast<unsigned>(role)];
}

static llvm::object::ImageKind kindOf(ImageRole role) {
  switch (role) {
  case ImageRole::Tuned:
  case ImageRole::Original:
    return llvm::object::IMG_Bitcode;
  case ImageRole::Assembly:
    return llvm::object::IMG_PTX;
  case ImageRole::Binary:
    return llvm::object::IMG_Cubin;
  case ImageRole::Rules:
    return llvm::object::IMG_None;
  }
}

std::string gpuopt::writeImages(llvm::ArrayRef<DeviceImage> images) {
  std::string section;
  for (const DeviceImage &image : images) {
    OffloadBinary::OffloadingImage offloading;
    offloading.TheImageKind = kindOf(image.role);
    offloading.TheOffloadKind = llvm::object::OFK_Cuda;
    offloading.StringData["triple"] = "nvptx64-nvidia-cuda";
    offloading.StringData["arch"] = image.arch;
    offloading.StringData["role"] = roleName(image.role);
    offloading.Image =
        llvm::MemoryBuffer::getMemBuffer(image.bytes, "",
                                         /*RequiresNullTerminator=*/false);
    section += OffloadBinary::write(offloading);
    section.resize(
        llvm::alignTo(section.size(), OffloadBinary::getAlignment()));
  }
  section.append(OffloadBinary::getAlignment(), '\0');
  return section;
}

static std::optional<ImageRole> roleOf(llvm::StringRef name) {
  for (unsigned role = 0; role < std::size(kRoleNames); ++role)
    if (kRoleNames[role] == name)
      return static_cast<ImageRole>(role);
  return std::nullopt;
}

llvm::Expected<std::vector<DeviceImageRef>>
gpuopt::readImages(const char *begin, const char *end) {
  auto fail = [](const char *what) {
    return llvm::createStringError("damaged device code: %s", what);
  };
  constexpr size_t alignment = 8;
  auto hasRoom = [&](size_t bytes) {
    return !end || size_t(end - begin) >= bytes;
  };
  std::vector<DeviceImageRef> images;
  while (!end || begin < end) {
    if (!hasRoom(alignment))
      return fail("it is cut off");
    uint64_t start;
    std::memcpy(&start, begin, sizeof start);
    if (start == 0 && !end)
      break;
    if (start == 0) {
      begin += alignment;
      continue;
    }
    OffloadBinary::Header header;
    if (!hasRoom(sizeof header))
      return fail("a header is cut off");
    std::memcpy(&header, begin, sizeof header);
    if (std::memcmp(header.Magic, OffloadBinary::Header().Magic,
                    sizeof header.Magic) != 0)
      return fail("no image begins where one should");
    if (header.Size < sizeof header || !hasRoom(header.Size))
      return fail("an image is cut off");
    auto binary = OffloadBinary::create(llvm::MemoryBufferRef(
        llvm::StringRef(begin, header.Size), "device code"));
    if (!binary)
      return binary.takeError();
    std::optional<ImageRole> role = roleOf((*binary)->getString("role"));
    if (!role)
      return fail("an image is for nothing that is known");
    images.push_back({*role, (*binary)->getArch(), (*binary)->getImage()});
    begin += llvm::alignTo(header.Size, alignment);
  }
  return images;
}

/// How many bytes of a section other compilers' fat binary takes that begins
/// there; 0 where none does.
static size_t foreignBytes(llvm::StringRef section) {
  struct Header {
    uint32_t magic;
    uint16_t version;
    uint16_t headerBytes;
    uint64_t contentBytes;
  } header;
  if (section.size() < sizeof header)
    return 0;
  std::memcpy(&header, section.data(), sizeof header);
  constexpr uint32_t magic = 0xba55ed50;
  uint64_t bytes = header.headerBytes + header.contentBytes;
  return header.magic == magic && bytes <= section.size()
             ? std::min<uint64_t>(llvm::alignTo(bytes, 8), section.size())
             : 0;
}

/// The parts of a section that are not other compilers', which a linker may
/// have put anywhere.
static std::vector<llvm::StringRef> ownParts(llvm::StringRef section) {
  std::vector<llvm::StringRef> parts;
  size_t begin = 0, at = 0;
  auto end = [&](size_t next) {
    if (at > begin)
      parts.push_back(section.slice(begin, at));
    begin = at = next;
  };
  while (at < section.size()) {
    if (size_t foreign = foreignBytes(section.drop_front(at)))
      end(at + foreign);
    else
      at = std::min(at + 8, section.size());
  }
  end(at);
  return parts;
}

llvm::Expected<DeviceImages>
gpuopt::readImages(const llvm::object::ObjectFile &file) {
  DeviceImages found;
  for (const llvm::object::SectionRef &section : file.sections()) {
    auto name = section.getName();
    if (!name)
      return name.takeError();
    if (*name != kDeviceSection)
      continue;
    auto contents = section.getContents();
    if (!contents)
      return contents.takeError();
    for (llvm::StringRef part : ownParts(*contents)) {
      // Sections need not lie at a multiple of eight in a file.
      std::vector<uint64_t> &aligned =
          found.sections.emplace_back(part.size() / sizeof(uint64_t) + 1);
      char *begin = reinterpret_cast<char *>(aligned.data());
      llvm::copy(part, begin);
      auto images = readImages(begin, begin + part.size());
      if (!images)
        return images.takeError();
      llvm::append_range(found.images, *images);
    }
  }
  return found;
}
