# Everything in the wheel but the module. The tools and their files come to lie in
# the environment as `make install` puts them below its prefix. No links: a wheel
# has none.
set(prefix ${SKBUILD_DATA_DIR})
set(toolkit ${prefix}/lib/gpuopt/toolkit)

install(DIRECTORY ${source}/python-bindings/gpuopt/ DESTINATION gpuopt
  FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed"
  PATTERN "__pycache__" EXCLUDE)

install(PROGRAMS ${GPUOPT_BUILD}/bin/gpuopt DESTINATION ${SKBUILD_SCRIPTS_DIR})
install(FILES ${GPUOPT_BUILD}/lib/libgpuopt_runtime.so DESTINATION ${prefix}/lib)

# gpuopt_install_compiler(NAME FOLDER PATH): a script that is `gpuopt cc`; PATH
# leads from it to gpuopt.
function(gpuopt_install_compiler name folder path)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${name})
  file(WRITE ${script} "#!/bin/sh\n"
    "exec \"$(dirname \"$(readlink -f \"$0\")\")/${path}\" cc \"$@\"\n")
  install(PROGRAMS ${script} DESTINATION ${folder})
endfunction()
gpuopt_install_compiler(gpuopt-cc ${SKBUILD_SCRIPTS_DIR} gpuopt)

# What stands for an SDK's directory (tools/gpuopt/CMakeLists.txt). Nothing by
# nvcc's name where PATH leads: who installs a package has not asked to have the
# compiler of other builds replaced.
gpuopt_install_compiler(nvcc ${toolkit}/bin ../../../../bin/gpuopt)
install(DIRECTORY ${source}/conversion/ImportSource/prelude/ DESTINATION ${toolkit}/include)
foreach(name cuda.so cudart.so cudart_static.a cudadevrt.a)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/lib${name})
  # Linkers look beside the script.
  file(WRITE ${script} "INPUT(../../../libgpuopt_runtime.so)\n")
  install(FILES ${script} DESTINATION ${toolkit}/lib64)
endforeach()
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/README
     "Builds look for this directory; device mathematics is in gpuopt itself.\n")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/README DESTINATION ${toolkit}/nvvm/libdevice)

# Clang's own headers, without other processors' (conversion/ImportSource/
# HostHeaders.cpp looks for them).
set(clang lib/clang/${LLVM_VERSION_MAJOR}/include)
set(processors "altivec|andes|arm|cheri|hexagon|hlsl|htm|hvx|lasx|lsx|msa|ppc|riscv|s390|sifive|vec|wasm|zos")
install(DIRECTORY ${LLVM_LIBRARY_DIR}/../${clang}/ DESTINATION ${prefix}/lib/gpuopt/llvm/${clang}
  REGEX "/include/(${processors})[^/]*$" EXCLUDE)
