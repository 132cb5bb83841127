//===- Arguments.cpp - arguments of a kernel from Python ------------------===//

#include "python-bindings/Arguments.h"

#include "tools/lib/launch/Number.h"
#include "tools/lib/launch/Scalars.h"

#include "llvm/ADT/STLExtras.h"

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

/// DLPack's code and bits as NumPy writes them: "float32".
static std::string nameOf(nb::dlpack::dtype type) {
  const char *kind = "opaque";
  switch (static_cast<nb::dlpack::dtype_code>(type.code)) {
  case nb::dlpack::dtype_code::Int:
    kind = "int";
    break;
  case nb::dlpack::dtype_code::UInt:
    kind = "uint";
    break;
  case nb::dlpack::dtype_code::Float:
    kind = "float";
    break;
  case nb::dlpack::dtype_code::Bfloat:
    kind = "bfloat";
    break;
  case nb::dlpack::dtype_code::Complex:
    kind = "complex";
    break;
  case nb::dlpack::dtype_code::Bool:
    return "bool";
  }
  return kind + std::to_string(type.bits);
}

/// The scalars that one element of an array is for a kernel; 0 where the array
/// is of another type. Signs do not matter. NumPy has no bfloat16: its bits as
/// integers do.
static unsigned scalarsOf(nb::dlpack::dtype type, const ElementType &element) {
  using Code = nb::dlpack::dtype_code;
  auto code = static_cast<Code>(type.code);
  bool hasInteger = code == Code::Int || code == Code::UInt;
  unsigned bits = 8 * element.bytes;
  switch (element.kind) {
  case ElementKind::Opaque:
    return 1;
  case ElementKind::SignedInt:
  case ElementKind::UnsignedInt:
    return hasInteger && type.bits == bits;
  case ElementKind::Bool:
    return (code == Code::Bool || hasInteger) && type.bits == 8;
  case ElementKind::BFloat:
    return (code == Code::Bfloat || hasInteger) && type.bits == bits;
  case ElementKind::Float:
    if (code == Code::Complex && element.lanes == 2)
      return type.bits == 2 * bits ? 2 : 0;
    return code == Code::Float && type.bits == bits;
  }
  return 0;
}

template <typename Array>
static bool isContiguous(const Array &array) {
  int64_t expected = 1;
  for (size_t dim = array.ndim(); dim-- > 0;) {
    if (array.shape(dim) != 1 && array.stride(dim) != expected)
      return false;
    expected *= static_cast<int64_t>(array.shape(dim));
  }
  return true;
}

/// What the buffer protocol alone has: arrays of structures.
bool Arguments::addBuffer(const KernelParameter &parameter, nb::handle value) {
  if (parameter.element.kind != ElementKind::Opaque ||
      !PyObject_CheckBuffer(value.ptr()))
    return false;
  Py_buffer &buffer = buffers.emplace_back();
  int flags = parameter.pointeeIsConst ? PyBUF_CONTIG_RO : PyBUF_CONTIG;
  if (PyObject_GetBuffer(value.ptr(), &buffer, flags)) {
    buffers.pop_back();
    PyErr_Clear();
    raiseValue(parameter, parameter.pointeeIsConst
                              ? "expected a contiguous array"
                              : "expected a contiguous array that may be "
                                "written");
  }
  arguments.push_back({KernelArgument::Kind::Buffer, buffer.buf,
                       static_cast<size_t>(buffer.len), parameter.name});
  return true;
}

/// Checks an array and returns it as the kernel gets it.
template <typename Array>
static KernelArgument toBuffer(const KernelParameter &parameter,
                               const Array &array) {
  if (array.device_type() != nb::device::cpu::value)
    raiseValue(parameter, "the array is on a device; kernels run on the "
                          "host's memory here");
  const ElementType &element = parameter.element;
  unsigned scalars = scalarsOf(array.dtype(), element);
  if (!scalars || array.dtype().lanes != 1)
    raiseType(parameter, "the array is of " + nameOf(array.dtype()));
  if (!isContiguous(array))
    raiseValue(parameter, "the array is not contiguous in C's order");
  if (element.lanes > 1 && array.size() * scalars % element.lanes != 0)
    raiseValue(parameter, "the array has " + std::to_string(array.size()) +
                              " numbers, which are no whole elements of " +
                              std::to_string(element.lanes));
  return {KernelArgument::Kind::Buffer, const_cast<void *>(array.data()),
          array.nbytes(), parameter.name};
}

void Arguments::addArray(const KernelParameter &parameter, nb::handle value) {
  if (WritableArray array;
      !parameter.pointeeIsConst && nb::try_cast(value, array)) {
    arguments.push_back(toBuffer(parameter, array));
    writableArrays.push_back(std::move(array));
    return;
  }
  if (Array array; nb::try_cast(value, array)) {
    arguments.push_back(toBuffer(parameter, array));
    if (!parameter.pointeeIsConst)
      raiseValue(parameter, "the array is read-only");
    arrays.push_back(std::move(array));
    return;
  }
  if (!addBuffer(parameter, value))
    raiseType(parameter, "expected an array (NumPy, DLPack or the buffer "
                         "protocol), found " +
                             typeNameOf(value));
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// A Python integer; nothing where 64 bits do not hold it.
static std::optional<Number> integerOf(nb::handle value) {
  nb::object integer = nb::steal(PyNumber_Index(value.ptr()));
  if (!integer.is_valid())
    throw nb::python_error();
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

static double doubleOf(const KernelParameter &parameter, nb::handle value) {
  nb::object number = nb::steal(PyNumber_Float(value.ptr()));
  if (number.is_valid())
    return PyFloat_AsDouble(number.ptr());
  PyErr_Clear();
  raiseType(parameter, "expected a number, found " + typeNameOf(value));
}

/// Stores one number as the kernel takes it.
static void store(const KernelParameter &parameter, const ElementType &type,
                  nb::handle value, uint8_t *bytes) {
  if (isFloat(type))
    return storeScalar(type, doubleOf(parameter, value), bytes);
  if (!PyIndex_Check(value.ptr()))
    raiseType(parameter, "expected an integer, found " + typeNameOf(value));
  std::optional<Number> number = integerOf(value);
  if (!number || !fitsInteger(*number, type.kind == ElementKind::SignedInt,
                              integerBits(type)))
    raiseValue(parameter,
               nb::cast<std::string>(nb::str(value)) + " does not fit");
  int64_t integer = *toInteger(*number);
  std::memcpy(bytes, &integer, type.bytes);
}

/// Stores the members of a structure, all of which `values` has to name.
static void storeMembers(const KernelParameter &parameter, nb::dict values,
                         uint8_t *bytes) {
  for (const StructureMember &member : parameter.members) {
    if (member.isPointer || !member.extents.empty() ||
        member.element.lanes != 1 || member.element.kind == ElementKind::Opaque)
      raiseType(parameter, "member '" + member.name +
                               "' is no number: give the structure's bytes");
    nb::object key = nb::cast(member.name);
    if (!values.contains(key))
      raiseType(parameter, "member '" + member.name + "' is missing");
    store(parameter, member.element, values[key], bytes + member.offset);
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
    store(parameter, type, value, bytes.data());
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

Arguments::Arguments(const KernelInfo &kernel, nb::tuple values) {
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters))
    add(parameter, values[index]);
}

Arguments::~Arguments() {
  for (Py_buffer &buffer : buffers)
    PyBuffer_Release(&buffer);
}
