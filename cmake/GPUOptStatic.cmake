# Linking LLVM, MLIR and Clang, and what is below them, as archives.

set(GPUOPT_STATIC_EXTENSIONS ${CMAKE_CURRENT_LIST_DIR}/StaticExtensions.cpp)

# Loading and relocating the shared libraries of LLVM, MLIR and Clang takes 30 ms,
# more than compiling a small kernel. The driver therefore links their archives at
# fixed addresses, where they are there and with LLD, which is quick at it. So does
# the runtime of programs that `gpuopt cc` builds, of which only CUDA's API is seen.
# What shares LLVM's objects with others (plugins, the library) shares LLVM.
find_program(GPUOPT_LLD ld.lld HINTS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH)
set(GPUOPT_STATIC_DEFAULT OFF)
if(GPUOPT_LLD AND NOT GPUOPT_SANITIZE AND TARGET LLVMCore AND TARGET MLIRIR
   AND TARGET clangCodeGen)
  set(GPUOPT_STATIC_DEFAULT ON)
endif()
option(GPUOPT_STATIC "link LLVM, MLIR and Clang statically into gpuopt, its runtime and the library for C" ${GPUOPT_STATIC_DEFAULT})

# The archives of LLVM, MLIR and Clang; the linker takes what it needs of them.
# Its extensions are in other packages (StaticExtensions.cpp).
function(gpuopt_find_archives out)
  set(archives "")
  foreach(name ${LLVM_AVAILABLE_LIBS} ${MLIR_EXPORTED_TARGETS} ${CLANG_EXPORTED_TARGETS}
               lldELF lldCommon)
    if(TARGET ${name})
      get_target_property(type ${name} TYPE)
      get_target_property(file ${name} LOCATION)
      if(type STREQUAL STATIC_LIBRARY AND EXISTS ${file})
        list(APPEND archives ${file})
      endif()
    endif()
  endforeach()
  set(${out} ${archives} PARENT_SCOPE)
endfunction()

# Writes UnusedTargets.def into the current build directory: the targets of LLVM
# that are neither a GPU nor this machine.
function(gpuopt_list_unused_targets)
  set(lines "")
  foreach(target ${LLVM_TARGETS_TO_BUILD})
    if(NOT target MATCHES "^(NVPTX|AMDGPU|${LLVM_NATIVE_ARCH})$")
      string(APPEND lines "GPUOPT_UNUSED_TARGET(${target})\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/UnusedTargets.def CONTENT "${lines}")
endfunction()

# The libraries below LLVM and ours: their archives, which Debian has beside the
# shared ones, so that no other version of them has to be on a machine.
function(gpuopt_find_system_archives out)
  set(found "")
  foreach(name z zstd sqlite3)
    find_library(GPUOPT_ARCHIVE_${name} NAMES lib${name}.a ${name})
    list(APPEND found ${GPUOPT_ARCHIVE_${name}})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# gpuopt_link_statically(TARGET): a tool, or a library that exports what its own
# version script says and nothing of LLVM's.
function(gpuopt_link_statically name)
  if(NOT GPUOPT_STATIC)
    return()
  endif()
  find_package(Threads REQUIRED)
  gpuopt_find_archives(archives)
  gpuopt_find_system_archives(system_archives)
  gpuopt_list_unused_targets()
  target_sources(${name} PRIVATE ${GPUOPT_STATIC_EXTENSIONS})
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
  set_target_properties(${name} PROPERTIES GPUOPT_STATIC_LLVM ON)
  target_link_libraries(${name} PRIVATE ${archives} ${system_archives}
                                        Threads::Threads ${CMAKE_DL_LIBS})
  get_target_property(type ${name} TYPE)
  if(type STREQUAL EXECUTABLE)
    target_link_options(${name} PRIVATE -no-pie)
  else()
    target_link_options(${name} PRIVATE LINKER:--exclude-libs,ALL,-Bsymbolic)
  endif()
  # icf=all makes one of functions that are alike: neither MLIR's identities of
  # types and passes nor anything else here are addresses of functions.
  target_link_options(${name} PRIVATE -fuse-ld=lld -static-libstdc++ -static-libgcc
                      LINKER:--gc-sections,--as-needed,--icf=all,$<IF:$<CONFIG:Release>,--strip-all,--strip-debug>)
endfunction()
