//===- Arguments.cpp - arguments of a kernel from Python ------------------===//

#include "python-bindings/Arguments.h"

#include "tools/lib/launch/Number.h"
#include "tools/lib/launch/Scalars.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstring>
#include <optional>

namespace nb = nanobind;
using namespace gpuopt;
using namespace gpuopt::python;

/// "argument 'a' (const float *): ".
static std::string about(const KernelParameter &parameter) {
  return "argument '" + parameter.name + "' (" + parameter.typeName + "): ";
}

[[noreturn]] static void raiseType(const KernelParameter &parameter,
                                   const std::string &message) {
  throw nb::type_error((about(parameter) + message).c_str());
}

[[noreturn]] static void raiseValue(const KernelParameter &parameter,
                                    const std::string &message) {
  throw nb::value_error((about(parameter) + message).c_str());
}

static std::string typeNameOf(nb::handle value) {
  return nb::cast<std::string>(value.type().attr("__name__"));
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

namespace {
/// What the numbers of an array are.
struct NumberType {
  enum class Kind { Int, UInt, Bool, Float, BFloat, Complex, Other } kind;
  unsigned bytes;
  /// For messages.
  std::string name;
};
} // namespace

static NumberType::Kind kindOf(nb::dlpack::dtype_code code) {
  using Code = nb::dlpack::dtype_code;
  using Kind = NumberType::Kind;
  switch (code) {
  case Code::Int:
    return Kind::Int;
  case Code::UInt:
    return Kind::UInt;
  case Code::Float:
    return Kind::Float;
  case Code::Bfloat:
    return Kind::BFloat;
  case Code::Complex:
    return Kind::Complex;
  case Code::Bool:
    return Kind::Bool;
  }
  return Kind::Other;
}

/// A format of the buffer protocol, which is that of Python's `struct`.
static NumberType::Kind kindOf(llvm::StringRef format) {
  using Kind = NumberType::Kind;
  if (format.size() == 2 && format[0] == 'Z')
    return Kind::Complex;
  if (format.size() != 1)
    return Kind::Other;
  if (llvm::StringRef("bhilqn").contains(format[0]))
    return Kind::Int;
  if (llvm::StringRef("BHILQN").contains(format[0]))
    return Kind::UInt;
  if (llvm::StringRef("efd").contains(format[0]))
    return Kind::Float;
  return format[0] == '?' ? Kind::Bool : Kind::Other;
}

static std::string nameOf(NumberType::Kind kind, unsigned bytes,
                          llvm::StringRef otherwise) {
  static constexpr const char *names[] = {"int",   "uint",   "bool",
                                          "float", "bfloat", "complex"};
  if (kind == NumberType::Kind::Other)
    return "'" + otherwise.str() + "'";
  std::string name = names[static_cast<size_t>(kind)];
  return kind == NumberType::Kind::Bool ? name
                                        : name + std::to_string(8 * bytes);
}

static NumberType typeOf(const Py_buffer &buffer) {
  llvm::StringRef format = buffer.format ? buffer.format : "B";
  llvm::StringRef code = format.ltrim("@=<>!");
  bool isSwapped = format.starts_with(">") || format.starts_with("!");
  auto bytes = static_cast<unsigned>(buffer.itemsize);
  NumberType::Kind kind =
      isSwapped && bytes > 1 ? NumberType::Kind::Other : kindOf(code);
  return {kind, bytes, nameOf(kind, bytes, format)};
}

static NumberType typeOf(nb::dlpack::dtype type) {
  auto kind = type.lanes == 1
                  ? kindOf(static_cast<nb::dlpack::dtype_code>(type.code))
                  : NumberType::Kind::Other;
  unsigned bytes = type.bits * type.lanes / 8;
  return {kind, bytes, nameOf(kind, bytes, "vectors")};
}

/// Whether numbers of the type are scalars of `element`s, or two of them. Signs
/// do not matter. NumPy has no bfloat16: its bits as integers do.
static bool canBe(const NumberType &type, const ElementType &element) {
  using Kind = NumberType::Kind;
  bool isInteger = type.kind == Kind::Int || type.kind == Kind::UInt;
  bool fits = type.bytes == element.bytes;
  switch (element.kind) {
  case ElementKind::Opaque:
    return true;
  case ElementKind::SignedInt:
  case ElementKind::UnsignedInt:
    return isInteger && fits;
  case ElementKind::Bool:
    return (type.kind == Kind::Bool || isInteger) && fits;
  case ElementKind::BFloat:
    return (type.kind == Kind::BFloat || isInteger) && fits;
  case ElementKind::Float:
    if (type.kind == Kind::Complex && element.lanes == 2)
      return type.bytes == 2 * element.bytes;
    return type.kind == Kind::Float && fits;
  }
  return false;
}

/// Raises what is wrong with an array of so many bytes.
static void checkArray(const KernelParameter &parameter, const NumberType &type,
                       size_t bytes, bool isContiguous) {
  const ElementType &element = parameter.element;
  if (!canBe(type, element))
    raiseType(parameter, "the array is of " + type.name);
  if (!isContiguous)
    raiseValue(parameter, "the array is not contiguous in C's order");
  size_t elementBytes =
      size_t(std::max(1u, element.bytes)) * std::max(1u, element.lanes);
  if (bytes % elementBytes != 0)
    raiseValue(parameter, "the array has " + std::to_string(bytes) +
                              " bytes, which are no whole elements of " +
                              std::to_string(elementBytes));
}

/// An array with the buffer protocol, as NumPy's are.
void Arguments::addBuffer(const KernelParameter &parameter, nb::handle value) {
  Py_buffer &buffer = buffers.emplace_back().buffer;
  if (PyObject_GetBuffer(value.ptr(), &buffer, PyBUF_FULL_RO))
    throw nb::python_error();
  NumberType type = typeOf(buffer);
  // Structures are taken as they lie, but not with numbers turned around.
  if (buffer.format && type.kind == NumberType::Kind::Other &&
      llvm::StringRef(buffer.format).find_first_of(">!O") !=
          llvm::StringRef::npos)
    raiseType(parameter, "the array is of " + type.name);
  checkArray(parameter, type, buffer.len, PyBuffer_IsContiguous(&buffer, 'C'));
  if (!parameter.pointeeIsConst && buffer.readonly)
    raiseValue(parameter, "the array is read-only");
  arguments.push_back({KernelArgument::Kind::Buffer, buffer.buf,
                       static_cast<size_t>(buffer.len), parameter.name});
}

static bool isContiguous(const nb::ndarray<> &array) {
  int64_t expected = 1;
  for (size_t dim = array.ndim(); dim-- > 0;) {
    if (array.shape(dim) != 1 && array.stride(dim) != expected)
      return false;
    expected *= static_cast<int64_t>(array.shape(dim));
  }
  return true;
}

/// DLPack's numbers of the host's memory that a GPU may read, too.
static constexpr int kCUDAHost = 3, kROCMHost = 11;

/// An array that is handed over by DLPack; raises what its owner raises.
void Arguments::addDLPack(const KernelParameter &parameter, nb::handle value) {
  int device = nb::cast<int>(value.attr("__dlpack_device__")()[0]);
  if (device != nb::device::cpu::value && device != kCUDAHost &&
      device != kROCMHost)
    raiseValue(parameter, "the array is on a device; kernels run on the "
                          "host's memory here");
  nb::ndarray<> array;
  if (!nb::try_cast(value.attr("__dlpack__")(), array))
    raiseType(parameter, "its '__dlpack__' gives no tensor");
  checkArray(parameter, typeOf(array.dtype()), array.nbytes(),
             isContiguous(array));
  if (!array.data() && array.nbytes())
    raiseValue(parameter, "the array has no memory");
  arguments.push_back({KernelArgument::Kind::Buffer, array.data(),
                       array.nbytes(), parameter.name});
  arrays.push_back(std::move(array));
}

void Arguments::addArray(const KernelParameter &parameter, nb::handle value) {
  if (value.is_none())
    arguments.push_back(
        {KernelArgument::Kind::Buffer, nullptr, 0, parameter.name});
  else if (PyObject_CheckBuffer(value.ptr()))
    addBuffer(parameter, value);
  else if (nb::hasattr(value, "__dlpack__"))
    addDLPack(parameter, value);
  else
    raiseType(parameter, "expected an array (NumPy, DLPack or the buffer "
                         "protocol), found " +
                             typeNameOf(value));
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

namespace {
/// A number of the kernel's: a parameter, or a member of one.
struct Place {
  const KernelParameter &parameter;
  const ElementType &type;
  /// Of a member.
  std::string name = {};

  [[noreturn]] void raiseType(const std::string &message) const {
    ::raiseType(parameter, prefix() + message);
  }
  [[noreturn]] void raiseValue(nb::handle value) const {
    ::raiseValue(parameter, prefix() + nb::cast<std::string>(nb::str(value)) +
                                " does not fit");
  }

private:
  std::string prefix() const {
    return name.empty() ? "" : "member '" + name + "': ";
  }
};
} // namespace

/// A Python integer; nothing where 64 bits do not hold it.
static std::optional<Number> integerOf(const Place &place, nb::handle value) {
  nb::object integer = nb::steal(PyNumber_Index(value.ptr()));
  if (!integer.is_valid()) {
    PyErr_Clear();
    place.raiseType("expected an integer, found " + typeNameOf(value));
  }
  int overflow = 0;
  int64_t number = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  if (!overflow)
    return number;
  uint64_t large = PyLong_AsUnsignedLongLong(integer.ptr());
  if (!PyErr_Occurred())
    return large;
  PyErr_Clear();
  return std::nullopt;
}

/// What Python converts to a float, but no text.
static double doubleOf(const Place &place, nb::handle value) {
  nb::object number;
  if (PyIndex_Check(value.ptr()) || nb::hasattr(value, "__float__"))
    number = nb::steal(PyNumber_Float(value.ptr()));
  if (number.is_valid())
    return PyFloat_AsDouble(number.ptr());
  bool isTooLarge = PyErr_ExceptionMatches(PyExc_OverflowError);
  PyErr_Clear();
  if (isTooLarge)
    place.raiseValue(value);
  place.raiseType("expected a number, found " + typeNameOf(value));
}

/// Stores one number as the kernel takes it.
static void store(const Place &place, nb::handle value, uint8_t *bytes) {
  const ElementType &type = place.type;
  if (isFloat(type)) {
    double number = doubleOf(place, value);
    storeScalar(type, number, bytes);
    if (std::isfinite(number) && std::isinf(loadScalar(type, bytes)))
      place.raiseValue(value);
    return;
  }
  std::optional<Number> number = integerOf(place, value);
  if (!number || !fitsInteger(*number, type.kind == ElementKind::SignedInt,
                              integerBits(type)))
    place.raiseValue(value);
  int64_t integer = *toInteger(*number);
  std::memcpy(bytes, &integer, type.bytes);
}

/// Stores the numbers of a member that is an array, from any nesting of
/// sequences.
static void storeSequence(const Place &place, nb::handle values,
                          uint8_t *&bytes, uint8_t *end) {
  if (!PySequence_Check(values.ptr()) || nb::isinstance<nb::str>(values)) {
    if (bytes == end)
      place.raiseType("there are too many numbers");
    store(place, values, bytes);
    bytes += place.type.bytes;
    return;
  }
  for (nb::handle value : values)
    storeSequence(place, value, bytes, end);
}

static void storeMember(const KernelParameter &parameter,
                        const StructureMember &member, nb::handle value,
                        uint8_t *bytes) {
  Place place = {parameter, member.element, member.name};
  if (member.isPointer || member.element.kind == ElementKind::Opaque)
    place.raiseType("no number; give the structure's bytes");
  int64_t numbers = member.element.lanes;
  for (int64_t extent : member.extents)
    numbers *= extent;
  if (numbers == 1 && member.extents.empty())
    return store(place, value, bytes);
  uint8_t *end = bytes + numbers * member.element.bytes;
  if (!PySequence_Check(value.ptr()))
    place.raiseType("expected " + std::to_string(numbers) + " numbers, found " +
                    typeNameOf(value));
  storeSequence(place, value, bytes, end);
  if (bytes != end)
    place.raiseType("there are fewer than " + std::to_string(numbers) +
                    " numbers");
}

/// Stores the members of a structure, all of which `values` has to name; arrays
/// are left to others where they are `parametersOfTheirOwn`.
static void storeMembers(const KernelParameter &parameter, nb::dict values,
                         uint8_t *bytes, bool parametersOfTheirOwn = false) {
  for (const StructureMember &member : parameter.members) {
    nb::object key = nb::cast(member.name);
    if (!values.contains(key))
      raiseType(parameter, "member '" + member.name + "' is missing");
    if (member.isPointer && parametersOfTheirOwn)
      continue;
    storeMember(parameter, member, values[key], bytes + member.offset);
  }
  if (values.size() != parameter.members.size())
    raiseType(parameter, "there are members that the structure does not have");
}

/// Stores the bytes of an object as they are.
static void storeBytes(const KernelParameter &parameter, nb::handle value,
                       std::vector<uint8_t> &bytes) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(value.ptr(), &buffer, PyBUF_CONTIG_RO)) {
    PyErr_Clear();
    raiseType(parameter, parameter.members.empty()
                             ? "expected its bytes, found " + typeNameOf(value)
                             : "expected a dictionary of its members, or its "
                               "bytes, found " +
                                   typeNameOf(value));
  }
  bool fits = static_cast<size_t>(buffer.len) == bytes.size();
  if (fits)
    std::memcpy(bytes.data(), buffer.buf, bytes.size());
  PyBuffer_Release(&buffer);
  if (!fits)
    raiseValue(parameter,
               "expected " + std::to_string(bytes.size()) + " bytes");
}

void Arguments::addScalar(const KernelParameter &parameter, nb::handle value) {
  std::vector<uint8_t> &bytes = scalars.emplace_back(parameter.bytes);
  const ElementType &type = parameter.element;
  if (nb::isinstance<nb::dict>(value) && !parameter.members.empty())
    storeMembers(parameter, nb::cast<nb::dict>(value), bytes.data());
  else if (type.kind != ElementKind::Opaque && type.lanes == 1)
    store({parameter, type}, value, bytes.data());
  else
    storeBytes(parameter, value, bytes);
  arguments.push_back({KernelArgument::Kind::Scalar, bytes.data(), bytes.size(),
                       parameter.name});
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void Arguments::add(const KernelParameter &parameter, nb::handle value) {
  if (parameter.isPointer)
    addArray(parameter, value);
  else
    addScalar(parameter, value);
}

void Arguments::addStructure(const KernelParameter &whole,
                             llvm::ArrayRef<KernelParameter> parts,
                             nb::handle value) {
  std::vector<uint8_t> bytes(whole.bytes);
  nb::dict members;
  if (nb::isinstance<nb::dict>(value)) {
    members = nb::cast<nb::dict>(value);
    storeMembers(whole, members, bytes.data(), /*parametersOfTheirOwn=*/true);
  } else {
    storeBytes(whole, value, bytes);
  }
  for (const KernelParameter &part : parts) {
    if (!part.isPointer) {
      auto *begin = bytes.data() + part.offset;
      std::vector<uint8_t> &own =
          scalars.emplace_back(begin, begin + part.bytes);
      arguments.push_back(
          {KernelArgument::Kind::Scalar, own.data(), own.size(), part.name});
      continue;
    }
    if (!nb::isinstance<nb::dict>(value))
      raiseType(whole,
                "expected a dictionary of its members, of which some are "
                "arrays");
    addArray(part, members[nb::cast(part.name.substr(whole.name.size() + 1))]);
  }
}

Arguments::Arguments(const KernelInfo &kernel, nb::tuple values) {
  std::vector<SourceArgument> sources = kernel.sourceArguments();
  if (values.size() != sources.size())
    throw nb::type_error("wrong number of arguments");
  for (auto [index, source] : llvm::enumerate(sources))
    if (source.isSplit)
      addStructure(
          *source.parameter,
          llvm::ArrayRef(kernel.parameters).slice(source.first, source.count),
          values[index]);
    else
      add(*source.parameter, values[index]);
}
