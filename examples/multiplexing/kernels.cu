// Ten kernels with workgroup memory as Yang 2012 characterises them (table 5.1), in our own words: as many threads and
// bytes a block. docs/multiplexing.md says what becomes of them.

/// y = A * x, a thread per row: a warp transposes 32 x 32 elements at a time (4224 bytes).
__global__ void __launch_bounds__(32) mv(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int width) {
  __shared__ float tile[32][33];
  int t = threadIdx.x;
  int row = blockIdx.x * 32;
  float sum = 0;
  for (int k = 0; k < width; k += 32) {
    for (int i = 0; i < 32; ++i)
      tile[i][t] = a[(row + i) * width + k + t];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      sum += tile[t][i] * x[k + i];
    __syncthreads();
  }
  y[row + t] = sum;
}

/// A butterfly of four complex numbers.
__device__ void fft4(float *re, float *im) {
  float r0 = re[0] + re[2], i0 = im[0] + im[2], r1 = re[0] - re[2], i1 = im[0] - im[2];
  float r2 = re[1] + re[3], i2 = im[1] + im[3], r3 = re[1] - re[3], i3 = im[1] - im[3];
  re[0] = r0 + r2, im[0] = i0 + i2;
  re[1] = r1 + i3, im[1] = i1 - r3;
  re[2] = r0 - r2, im[2] = i0 - i2;
  re[3] = r1 - i3, im[3] = i1 + r3;
}

/// The data flow of a Fourier transform of 1024 numbers without its factors: four steps of butterflies, between which the
/// 64 threads exchange what they have (8192 bytes).
__global__ void __launch_bounds__(64) fft(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float s[2048];
  int t = threadIdx.x;
  int first = blockIdx.x * 2048;
  float re[4][4], im[4][4];
  for (int g = 0; g < 4; ++g)
    for (int i = 0; i < 4; ++i) {
      re[g][i] = in[first + t + 64 * g + 256 * i];
      im[g][i] = in[first + 1024 + t + 64 * g + 256 * i];
    }
  for (int g = 0; g < 4; ++g)
    fft4(re[g], im[g]);
  for (int g = 0; g < 4; ++g)
    for (int i = 0; i < 4; ++i) {
      s[4 * t + i + 256 * g] = re[g][i];
      s[1024 + 4 * t + i + 256 * g] = im[g][i];
    }
  __syncthreads();
  for (int g = 0; g < 4; ++g)
    for (int i = 0; i < 4; ++i) {
      re[g][i] = s[t + 64 * g + 256 * i];
      im[g][i] = s[1024 + t + 64 * g + 256 * i];
    }
  __syncthreads();
  for (int g = 0; g < 4; ++g)
    fft4(re[g], im[g]);
  for (int g = 0; g < 4; ++g)
    for (int i = 0; i < 4; ++i) {
      s[4 * t + i + 256 * g] = re[g][i];
      s[1024 + 4 * t + i + 256 * g] = im[g][i];
    }
  __syncthreads();
  for (int g = 0; g < 4; ++g)
    for (int i = 0; i < 4; ++i) {
      re[g][i] = s[t + 64 * g + 256 * i];
      im[g][i] = s[1024 + t + 64 * g + 256 * i];
    }
  for (int g = 0; g < 4; ++g)
    fft4(re[g], im[g]);
  for (int g = 0; g < 4; ++g)
    for (int i = 0; i < 4; ++i) {
      out[first + t + 64 * g + 256 * i] = re[g][i];
      out[first + 1024 + t + 64 * g + 256 * i] = im[g][i];
    }
}

/// Of each cell the points where a surface meets its edges, of which a table says which ones make triangles (marching
/// cubes; 9216 bytes for 32 threads).
__global__ void __launch_bounds__(32) mc(const float *__restrict__ field, const unsigned *__restrict__ triangles,
                   const unsigned *__restrict__ numbers, float *__restrict__ points) {
  __shared__ float x[24][32], y[24][32], z[24][32];
  int t = threadIdx.x;
  int cell = blockIdx.x * 32 + t;
  float here = field[cell];
  for (int i = 0; i < 24; ++i) {
    x[i][t] = here * (0.25f + i);
    y[i][t] = here * (0.5f - i);
    z[i][t] = here + i;
  }
  __syncthreads();
  unsigned number = numbers[cell] % 16;
  for (unsigned i = 0; i < number; ++i) {
    unsigned edge = triangles[number * 16 + i] % 24;
    points[(cell * 16 + i) * 3] = x[edge][t];
    points[(cell * 16 + i) * 3 + 1] = y[edge][t];
    points[(cell * 16 + i) * 3 + 2] = z[edge][t];
  }
}

/// A sum of each thread's own words of a message, in rounds, as a hash has it (StoreGPU; 16000 bytes for 128 threads).
__global__ void __launch_bounds__(128) sto(const unsigned *__restrict__ message, unsigned *__restrict__ hash) {
  __shared__ unsigned words[31 * 129];
  int t = threadIdx.x;
  int first = blockIdx.x * 31 * 128;
  for (int i = 0; i < 31; ++i)
    words[(i * 128 + t) / 31 + (i * 128 + t) % 31 * 129] = message[first + i * 128 + t];
  __syncthreads();
  unsigned state = 0x67452301u;
  for (int round = 0; round < 4; ++round)
    for (int i = 0; i < 31; ++i)
      state = (state << 5 | state >> 27) + (words[i * 129 + t] ^ round);
  hash[blockIdx.x * 128 + t] = state;
}

/// The products of pairs of vectors: 1024 partial sums, then a tree (4096 bytes for 64 threads).
__global__ void __launch_bounds__(64) sp(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int length) {
  __shared__ float sums[1024];
  int pair = blockIdx.x * length;
  for (int i = threadIdx.x; i < 1024; i += 64) {
    float sum = 0;
    for (int k = i; k < length; k += 1024)
      sum += a[pair + k] * b[pair + k];
    sums[i] = sum;
  }
  for (int width = 512; width > 0; width >>= 1) {
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += 64)
      sums[i] += sums[width + i];
  }
  if (threadIdx.x == 0)
    c[blockIdx.x] = sums[0];
}

/// A histogram of bytes for each block: each thread counts for itself (8192 bytes for 64 threads).
__global__ void __launch_bounds__(64) hg(const unsigned char *__restrict__ data, unsigned *__restrict__ histogram, int bytes) {
  __shared__ unsigned char counts[32][256];
  int t = threadIdx.x;
  for (int i = 0; i < 32; ++i)
    for (int k = 0; k < 4; ++k)
      counts[i][t + 64 * k] = 0;
  __syncthreads();
  if (t < 32)
    for (int i = 0; i < bytes; ++i)
      counts[t][data[(blockIdx.x * bytes + i) * 32 + t]]++;
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    unsigned sum = 0;
    for (int i = 0; i < 32; ++i)
      sum += counts[i][t + 64 * k];
    histogram[blockIdx.x * 256 + t + 64 * k] = sum;
  }
}

/// Rows of an image with a filter of 17 weights (8256 bytes for 128 threads).
__global__ void __launch_bounds__(128) cv(const float *__restrict__ image, const float *__restrict__ weights, float *__restrict__ result) {
  __shared__ float row[2064];
  int t = threadIdx.x;
  int first = blockIdx.x * 2048;
  for (int i = 0; i < 16; ++i)
    row[t + 128 * i] = image[first + t + 128 * i];
  if (t < 16)
    row[2048 + t] = image[first + 2048 + t];
  __syncthreads();
  for (int i = 0; i < 16; ++i) {
    float sum = 0;
    for (int k = 0; k < 17; ++k)
      sum += row[t + 128 * i + k] * weights[k];
    result[first + t + 128 * i] = sum;
  }
}

/// A product of matrices in tiles of 16 x 16 (2048 bytes for 256 threads).
__global__ void mm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    as[y][x] = a[row * n + k + x];
    bs[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += as[y][i] * bs[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/// A transpose in tiles of 32 x 32 (4224 bytes for 128 threads).
__global__ void tp(const float *__restrict__ a, float *__restrict__ b, int n) {
  __shared__ float tile[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  for (int i = 0; i < 32; i += 4)
    tile[y + i][x] = a[(blockIdx.y * 32 + y + i) * n + blockIdx.x * 32 + x];
  __syncthreads();
  for (int i = 0; i < 32; i += 4)
    b[(blockIdx.x * 32 + y + i) * n + blockIdx.y * 32 + x] = tile[x][y + i];
}

/// The sum of what a block's threads have added up (512 bytes for 128 threads).
__global__ void __launch_bounds__(128) rd(const float *__restrict__ in, float *__restrict__ out, int each) {
  __shared__ float sums[128];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < each; ++i)
    sum += in[(blockIdx.x * each + i) * 128 + t];
  sums[t] = sum;
  __syncthreads();
  for (int width = 64; width > 0; width >>= 1) {
    if (t < width)
      sums[t] += sums[t + width];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}
