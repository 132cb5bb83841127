// Each form of a fetch, and each size of an element of a surface once, with all modes.
__global__ void all(cudaTextureObject_t t, cudaSurfaceObject_t s, float *o, int m) {
  o[0] = tex1Dfetch<float>(t, 1) + tex1D<uchar4>(t, 1).x + tex2D<short2>(t, 1, 2).y + tex3D<float>(t, 1, 2, 3) + tex1DLod<float>(t, 1, 2) + tex2DLod<float>(t, 1, 2, 3) + tex3DLod<float>(t, 1, 2, 3, 4) + tex1DLayered<float>(t, 1, 2) + tex2DLayered<int>(t, 1, 2, 3) + tex2DLayeredLod<float>(t, 1, 2, 3, 4);
  cudaSurfaceBoundaryMode mode = (cudaSurfaceBoundaryMode)m;
  unsigned char c = surf2Dread<unsigned char>(s, 1, 2, mode); short h = surf1Dread<short>(s, 2, mode); int i = surf3Dread<int>(s, 4, 1, 2, mode); float2 p = surf2DLayeredread<float2>(s, 8, 1, 2, mode); float4 q = surf1DLayeredread<float4>(s, 16, 1, mode);
  surf2Dwrite(c, s, 1, 2, mode); surf1Dwrite(h, s, 2, mode); surf3Dwrite(i, s, 4, 1, 2, mode); surf2DLayeredwrite(p, s, 8, 1, 2, mode); surf1DLayeredwrite(q, s, 16, 1, mode);
}
