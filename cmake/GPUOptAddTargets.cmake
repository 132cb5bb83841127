# How this project's libraries, tools and TableGen files are built. One CMake
# function for each kind of target, so that a CMakeLists.txt only names files.

# Compile flags shared by every target. Debian's LLVM is built with RTTI and
# without exceptions or assertions; we match the first and the second.
add_library(gpuopt_flags INTERFACE)
target_compile_options(gpuopt_flags INTERFACE
  -Wall -Wextra -Wshadow -Wno-unused-parameter -Werror -fno-exceptions)
target_include_directories(gpuopt_flags SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS} ${LLD_INCLUDE_DIRS})
target_include_directories(gpuopt_flags INTERFACE
  ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
target_compile_definitions(gpuopt_flags INTERFACE ${LLVM_DEFINITIONS_LIST})

find_program(GPUOPT_CCACHE ccache)
if(GPUOPT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${GPUOPT_CCACHE})
endif()

# MLIR's headers dominate compile time: parse them once for the whole project.
add_library(gpuopt_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/PrecompiledHeaders.cpp)
target_link_libraries(gpuopt_pch PRIVATE gpuopt_flags)
target_precompile_headers(gpuopt_pch PRIVATE
  ${PROJECT_SOURCE_DIR}/cmake/PrecompiledHeaders.h)

# gpuopt_add_library(NAME SOURCES f.cpp… [DEPENDS tablegen targets…]
#                    [LINK libraries…])
function(gpuopt_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:gpuopt_flags>)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM gpuopt_pch)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY GPUOPT_LIBRARIES ${name})
endfunction()

# gpuopt_add_tool(NAME SOURCES f.cpp… LINK libraries…)
function(gpuopt_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE gpuopt_flags ${ARG_LINK})
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()

# gpuopt_tablegen(TARGET FILE.td OUT -gen-… OUT -gen-… …): several outputs from
# one .td file, grouped under one target that libraries can depend on.
function(gpuopt_tablegen target td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(outputs ${ARGN})
  while(outputs)
    list(POP_FRONT outputs out flags)
    separate_arguments(flags)
    mlir_tablegen(${out} ${flags} -I ${PROJECT_SOURCE_DIR})
  endwhile()
  add_public_tablegen_target(${target})
endfunction()
