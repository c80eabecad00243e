// first line
//
// third line

// r[i], by selects, for an `i` that differs between threads: the registers stay registers.
template <typename T, int kCount>
__device__ __forceinline__ T select_register(const T (&r)[kCount], int i) {
  T left[kCount];
#pragma unroll
  for (int at = 0; at < kCount; at++) left[at] = r[at];
#pragma unroll
  for (int step = 1; step < kCount; step *= 2)
#pragma unroll
    for (int at = 0; at + step < kCount; at += 2 * step) left[at] = i & step ? left[at + step] : left[at];
  return left[0];
}

// swizzle launch grid(1) block(32)
// swizzle instance n = 32
__global__ void f(const float* x, float* y, int n) {
  const int lane = threadIdx.x;
  float r[2][4], pair[3][2];
#pragma unroll
  for (int i = 0; i < 8; i++) r[i / 4][i % 4] = x[32 * i + lane];
#pragma unroll
  for (int s = 0; s < 2; s++) {
    // A barrel shifter turns r[s]: a step for each bit of the amount, the last where it is read.
    float r_turned1[4];
#pragma unroll
    for (int k = 0; k < 4; k++) r_turned1[k] = lane & 1 ? r[s][(k + 1) & 3] : r[s][k];
#pragma unroll
    for (int j = 0; j < 4; j++) y[128 * s + 32 * j + lane] = (lane & 2 ? r_turned1[(j + 2) & 3] : r_turned1[j]);
    for (int j = 0; j < 2; j++) pair[s][j] = r[s][j];
    for (int j = 0; j < 2; j++) pair[2][j] = (((j + lane) & 1) == 0 ? pair[s][0] : pair[s][1]);
  }
  for (int s = 0; s < 2; s++)
    for (int j = 0; j < 4; j++) y[128 * s + 32 * j + lane] += pair[2][0] * (lane < 16 ? select_register(r[0], (j + lane) & 3) : select_register(r[1], (j + lane) & 3));
}
