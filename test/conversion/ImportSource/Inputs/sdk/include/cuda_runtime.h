// A stand-in for a header of NVIDIA's SDK.
#error this SDK's types are its own
