// An 8×8 transposition on a GPU of 8 lanes and 8 banks: as it is, padded, and with an XOR of row and column.
#pragma swizzle launch grid(1) block(8)

__global__ void transpose(const unsigned *x, unsigned *y) {
  __shared__ unsigned tile[8][8];
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) tile[i][t] = x[i * 8 + t];
  for (int i = 0; i < 8; ++i) y[i * 8 + t] = tile[t][i];
}

__global__ void transpose_padded(const unsigned *x, unsigned *y) {
  __shared__ unsigned tile[8][9];
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) tile[i][t] = x[i * 8 + t];
  for (int i = 0; i < 8; ++i) y[i * 8 + t] = tile[t][i];
}

__global__ void transpose_xor(const unsigned *x, unsigned *y) {
  __shared__ unsigned tile[8][8];
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) tile[i][t ^ i] = x[i * 8 + t];
  for (int i = 0; i < 8; ++i) y[i * 8 + t] = tile[t][i ^ t];
}
