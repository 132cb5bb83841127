// A stand-in for a header with a notice of NVIDIA Corporation.
#error this SDK's types are its own
