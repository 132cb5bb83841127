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

include(GPUOptStatic)

# ccache knows what a precompiled header is made of only where it is told that
# times do not matter, and Clang writes none into it.
find_program(GPUOPT_CCACHE ccache)
if(GPUOPT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${GPUOPT_CCACHE})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()

# MLIR's headers dominate compile time, and Clang's where a library reads those:
# parse them once for the whole project.
function(gpuopt_add_precompiled name header)
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/PrecompiledHeaders.cpp)
  target_link_libraries(${name} PRIVATE gpuopt_flags)
  target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/${header})
endfunction()
gpuopt_add_precompiled(gpuopt_pch PrecompiledHeaders.h)
gpuopt_add_precompiled(gpuopt_clang_pch PrecompiledClangHeaders.h)

# gpuopt_precompile(PROGRAM): a program that reads them as well. They are built for
# a library, and Clang wants whoever reads them to be built as they are.
function(gpuopt_precompile name)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM gpuopt_pch)
endfunction()

# gpuopt_shared_only(OUT libraries…): the libraries as they are, but for those
# that gpuopt_link_statically links in another way.
function(gpuopt_shared_only out)
  set(libraries "")
  foreach(name ${ARGN})
    if(name MATCHES "^(LLVM|MLIR|clang-cpp|lldELF|lldCommon|SQLite::SQLite3)$")
      set(name $<$<NOT:$<BOOL:$<TARGET_PROPERTY:GPUOPT_STATIC_LLVM>>>:${name}>)
    endif()
    list(APPEND libraries ${name})
  endforeach()
  set(${out} ${libraries} PARENT_SCOPE)
endfunction()

# gpuopt_add_library(NAME [FOR_TESTS] [READS_CLANG] SOURCES f.cpp…
#                    [DEPENDS tablegen targets…] [LINK libraries…])
# FOR_TESTS: it is not installed. READS_CLANG: many of its files include headers
# of Clang.
function(gpuopt_add_library name)
  cmake_parse_arguments(ARG "FOR_TESTS;READS_CLANG" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:gpuopt_flags>)
  gpuopt_shared_only(libraries ${ARG_LINK})
  target_link_libraries(${name} PUBLIC ${libraries})
  if(ARG_READS_CLANG)
    target_precompile_headers(${name} REUSE_FROM gpuopt_clang_pch)
  else()
    target_precompile_headers(${name} REUSE_FROM gpuopt_pch)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(NOT ARG_FOR_TESTS)
    set_property(GLOBAL APPEND PROPERTY GPUOPT_LIBRARIES ${name})
  endif()
endfunction()

# gpuopt_add_embedding(NAME SOURCES f.cpp… LINK libraries…): sources that `#embed`
# files. ccache does not know of those and would give old objects.
function(gpuopt_add_embedding name)
  gpuopt_add_library(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER "")
endfunction()

# gpuopt_add_tool(NAME SOURCES f.cpp… LINK libraries…)
function(gpuopt_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE gpuopt_flags ${ARG_LINK})
  gpuopt_precompile(${name})
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
