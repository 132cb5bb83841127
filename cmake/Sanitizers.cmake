# GPUOPT_SANITIZE: a list of Clang sanitizers for every target of this project.
set(GPUOPT_SANITIZE "" CACHE STRING "sanitizers, for example address;undefined")
if(GPUOPT_SANITIZE)
  list(JOIN GPUOPT_SANITIZE "," GPUOPT_SANITIZE_FLAG)
  add_compile_options(-fsanitize=${GPUOPT_SANITIZE_FLAG} -fno-omit-frame-pointer
                      -fno-sanitize=vptr)
  add_link_options(-fsanitize=${GPUOPT_SANITIZE_FLAG})
endif()
