// first line
//
// third line

// swizzle launch grid(1) block(32)
// swizzle instance n = 384
__global__ void f(const float* x, float* y, int n) {
  const int lane = threadIdx.x;
  float r[4][3];
#pragma unroll
  for (int i = 0; i < 12; i++) r[i / 3][i % 3] = x[32 * i + lane];
  // A barrel shifter turns r: a step for each bit of the amount, the last where it is read.
  float r_turned1[4][3];
#pragma unroll
  for (int k = 0; k < 4; k++)
#pragma unroll
    for (int m = 0; m < 3; m++) r_turned1[k][m] = lane & 1 ? r[(k + 1) & 3][m] : r[k][m];
#pragma unroll
  for (int j = 0; j < 4; j++)
#pragma unroll
    for (int e = 0; e < 3; e++) y[96 * j + 32 * e + lane] = (lane & 2 ? r_turned1[(j + 2) & 3][2 - e] : r_turned1[j][2 - e]);
  for (int j = 0; j < 2; j++) y[lane] += (((j + lane) & 3) == 0 ? (lane < j ? r[0][2] : r[0][0]) : ((j + lane) & 3) == 1 ? (lane < j ? r[1][2] : r[1][0]) : ((j + lane) & 3) == 2 ? (lane < j ? r[2][2] : r[2][0]) : lane < j ? r[3][2] : r[3][0]);
}
