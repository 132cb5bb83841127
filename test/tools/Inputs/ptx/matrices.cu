// What the PTX ISA says of the instructions of matrices.ptx, in C++: which lane holds what, and what the sums are. A
// subgroup multiplies; `in` has the registers of lane 0, of lane 1, …, each lane's rows, columns and sums.
__device__ float halfOf(unsigned word, int part) {
  unsigned bits = word >> part * 16 & 0xffff, exponent = bits >> 10 & 31, fraction = bits & 1023;
  float value = exponent == 31  ? (fraction ? __int_as_float(0x7fffffff) : __int_as_float(0x7f800000))
                : exponent == 0 ? fraction / 16777216.0f
                                : __int_as_float((exponent + 112) << 23 | fraction << 13);
  return bits >> 15 ? -value : value;
}

// Registers of a lane: four of rows, two of columns, four of sums. Lane 4 g + c has row g.
extern "C" __global__ void halves(const unsigned *in, float *out) {
  int lane = threadIdx.x;
  for (int r = 0; r < 4; ++r) {
    int row = lane / 4 + r / 2 * 8, column = lane % 4 * 2 + r % 2;
    double sum = __int_as_float(in[lane * 10 + 6 + r]);
    for (int k = 0; k < 16; ++k) {
      const unsigned *rows = in + (row % 8 * 4 + k % 8 / 2) * 10;
      const unsigned *columns = in + (column * 4 + k % 8 / 2) * 10 + 4;
      sum += double(halfOf(rows[row / 8 + k / 8 * 2], k % 2)) * halfOf(columns[k / 8], k % 2);
    }
    out[lane * 4 + r] = sum;
  }
}

// The lower 13 bits of a factor do not count.
__device__ float tf32Of(unsigned word) { return __int_as_float(word & 0xffffe000); }

extern "C" __global__ void floats(const unsigned *in, float *out) {
  int lane = threadIdx.x;
  for (int r = 0; r < 4; ++r) {
    int row = lane / 4 + r / 2 * 8, column = lane % 4 * 2 + r % 2;
    double sum = __int_as_float(in[lane * 10 + 6 + r]);
    for (int k = 0; k < 8; ++k) {
      const unsigned *rows = in + (row % 8 * 4 + k % 4) * 10;
      const unsigned *columns = in + (column * 4 + k % 4) * 10 + 4;
      sum += double(tf32Of(rows[row / 8 + k / 4 * 2])) * tf32Of(columns[k / 4]);
    }
    out[lane * 4 + r] = sum;
  }
}

// Signed rows, unsigned columns; sums that are too large are the largest.
extern "C" __global__ void bytes(const unsigned *in, int *out) {
  int lane = threadIdx.x;
  for (int r = 0; r < 4; ++r) {
    int row = lane / 4 + r / 2 * 8, column = lane % 4 * 2 + r % 2;
    long long sum = int(in[lane * 10 + 6 + r]);
    for (int k = 0; k < 32; ++k) {
      unsigned rows = in[(row % 8 * 4 + k % 16 / 4) * 10 + row / 8 + k / 16 * 2];
      unsigned columns = in[(column * 4 + k % 16 / 4) * 10 + 4 + k / 16];
      sum += (signed char)(rows >> k % 4 * 8) * int(columns >> k % 4 * 8 & 255);
    }
    out[lane * 4 + r] = sum > 2147483647 ? 2147483647 : sum < -2147483648ll ? -2147483648ll : sum;
  }
}

// Two matrices of 8 rows of 8 halves: stored by rows, loaded transposed. Lane 4 g + c has elements 2 c and 2 c + 1 of row g.
extern "C" __global__ void transposed(const unsigned *in, unsigned *out) {
  int lane = threadIdx.x, g = lane / 4, c = lane % 4;
  for (int matrix = 0; matrix < 2; ++matrix) {
    unsigned result = 0;
    for (int part = 0; part < 2; ++part) {
      int row = 2 * c + part;
      result |= (in[(row * 4 + g / 2) * 2 + matrix] >> g % 2 * 16 & 0xffff) << part * 16;
    }
    out[lane * 2 + matrix] = result;
  }
}
