# Headers, libraries and the CMake package `find_package(gpuopt)`, which gives
# the targets gpuopt::GPUOptCompiler and gpuopt::GPUOptSearch and the headers
# <gpuopt/Compiler.h> and <gpuopt/Search.h>.

include(CMakePackageConfigHelpers)

# Headers stand beside their sources and include each other from the root, so
# the tree is installed as it is under include/gpuopt.
foreach(directory dialects passes conversion runtime tools/lib tools/search)
  install(DIRECTORY ${directory} ${PROJECT_BINARY_DIR}/${directory}
    DESTINATION include/gpuopt/${directory}/..
    FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.def" PATTERN "*.td"
    PATTERN "CMakeFiles" EXCLUDE)
endforeach()
file(WRITE ${PROJECT_BINARY_DIR}/Compiler.h
     "// The library behind gpuopt's tools.\n#include \"tools/lib/compile/Compiler.h\"\n")
file(WRITE ${PROJECT_BINARY_DIR}/Search.h
     "// The search over designs (gpuopt::GPUOptSearch).\n#include \"tools/search/Search.h\"\n")
install(FILES ${PROJECT_BINARY_DIR}/Compiler.h ${PROJECT_BINARY_DIR}/Search.h
        DESTINATION include/gpuopt)

get_property(libraries GLOBAL PROPERTY GPUOPT_LIBRARIES)
install(TARGETS ${libraries} EXPORT gpuoptTargets ARCHIVE DESTINATION lib
        INCLUDES DESTINATION include include/gpuopt)
install(EXPORT gpuoptTargets NAMESPACE gpuopt:: DESTINATION lib/cmake/gpuopt)
configure_package_config_file(cmake/gpuoptConfig.cmake.in
  ${PROJECT_BINARY_DIR}/gpuoptConfig.cmake INSTALL_DESTINATION lib/cmake/gpuopt)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gpuoptConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gpuoptConfig.cmake
              ${PROJECT_BINARY_DIR}/gpuoptConfigVersion.cmake
        DESTINATION lib/cmake/gpuopt)

# What utils/setup.sh has fetched of NVIDIA's toolkit, so that the build tree may
# go (cudaRoots in DeviceLibrary.cpp). It fetches links, and after configuring.
install(CODE "
  foreach(file bin/nvdisasm bin/cuobjdump cuda/bin/ptxas cuda/nvvm/libdevice/libdevice.10.bc)
    set(fetched \"${PROJECT_BINARY_DIR}/\${file}\")
    if(NOT EXISTS \"\${fetched}\")
      continue()
    endif()
    string(REGEX REPLACE \"^cuda/\" \"\" place \"\${file}\")
    cmake_path(GET place PARENT_PATH place)
    file(REAL_PATH \"\${fetched}\" fetched)
    file(INSTALL \"\${fetched}\" USE_SOURCE_PERMISSIONS
         DESTINATION \"\${CMAKE_INSTALL_PREFIX}/lib/gpuopt/cuda/\${place}\")
  endforeach()")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/gpuopt)
