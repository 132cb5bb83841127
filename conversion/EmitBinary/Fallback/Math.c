// Device mathematics for machines without the vendor's library; see README.md.
// The same source is compiled for each GPU (see CMakeLists.txt), which give
// PREFIX-ed names, and for the host in the test of its accuracy.

#if defined(__NVPTX__)
#define F64(name) __nv_##name
#define F32(name) __nv_##name##f
#elif defined(__AMDGCN__)
#define F64(name) __ocml_##name##_f64
#define F32(name) __ocml_##name##_f32
#else
#define F64(name) gpuopt_##name
#define F32(name) gpuopt_##name##f
#endif

double F64(rsqrt)(double x) { return 1.0 / __builtin_sqrt(x); }
float F32(rsqrt)(float x) { return 1.0f / __builtin_sqrtf(x); }
