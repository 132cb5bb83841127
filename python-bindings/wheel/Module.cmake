# The extension module: all of LLVM, MLIR and Clang that it uses is in it, and
# none of that is seen from outside, as PyTorch and Triton bring LLVMs of theirs
# into the same process.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
# CMake knows the stable ABI from 3.26 on only; it needs nothing but the headers.
if(NOT TARGET Python::SABIModule)
  add_library(Python::SABIModule INTERFACE IMPORTED)
  target_include_directories(Python::SABIModule INTERFACE ${Python_INCLUDE_DIRS})
endif()
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
  OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_ROOT
  COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind REQUIRED CONFIG)

file(GLOB sources CONFIGURE_DEPENDS ${source}/python-bindings/*.cpp)
file(GLOB libraries CONFIGURE_DEPENDS ${GPUOPT_BUILD}/lib/libGPUOpt*.a)
nanobind_add_module(_gpuopt NB_STATIC STABLE_ABI ${sources})
target_include_directories(_gpuopt SYSTEM PRIVATE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_include_directories(_gpuopt PRIVATE ${source} ${GPUOPT_BUILD})
target_link_libraries(_gpuopt PRIVATE ${libraries})
gpuopt_link_statically(_gpuopt)

# The instances of the C++ library's templates would be seen, too.
set(exports ${CMAKE_CURRENT_BINARY_DIR}/exports.map)
file(CONFIGURE OUTPUT ${exports} CONTENT "{ global: PyInit__gpuopt; local: *; };\n")
# Results in the cache are told apart by it.
target_link_options(_gpuopt PRIVATE LINKER:--version-script=${exports},--build-id)
set_target_properties(_gpuopt PROPERTIES LINK_DEPENDS ${exports})
install(TARGETS _gpuopt LIBRARY DESTINATION gpuopt)
