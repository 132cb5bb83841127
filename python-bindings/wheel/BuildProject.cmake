# Builds what of this project goes into the wheel. utils/setup.sh has to have
# installed what that needs. Not with pip's own Python packages, which are gone
# when this is over: the build would remember where they were.
set(alone ${CMAKE_COMMAND} -E env --unset=PYTHONPATH)
if(NOT EXISTS ${GPUOPT_BUILD}/build.ninja)
  execute_process(COMMAND ${alone} ${CMAKE_COMMAND} --preset release -B ${GPUOPT_BUILD}
    WORKING_DIRECTORY ${source} COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(
  COMMAND ${alone} ${CMAKE_COMMAND} --build ${GPUOPT_BUILD} --target gpuopt gpuopt_runtime
  COMMAND_ERROR_IS_FATAL ANY)
