// Holds the precompiled headers; see GPUOptAddTargets.cmake.
