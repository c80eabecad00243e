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
  float r[6], out[6], four[4], grown[3] = {}, i = 0;
#pragma unroll
  for (int j = 0; j < 6; j++) r[j] = x[32 * j + lane];
  // A barrel shifter turns r: a step for each bit of the amount, the last where it is read.
  const int r_turn = lane % 3;
  float r_turned1[6];
#pragma unroll
  for (int m = 0; m < 6; m++) r_turned1[m] = r_turn & 1 ? r[m / 3 * 3 + (m + 2) % 3] : r[m];
  float r_turned2[6];
#pragma unroll
  for (int m = 0; m < 6; m++) r_turned2[m] = r_turn & 2 ? r_turned1[m / 3 * 3 + (m + 1) % 3] : r_turned1[m];
#pragma unroll
  for (int j = 0; j < 6; j++) out[j * 5 % 6] = (lane & 1 ? r_turned2[(j >> 1) + ((j + 1) & 1) * 3] : r_turned2[(j >> 1) + (j & 1) * 3]);  // known; two digits
  if (lane < n)
    for (int j = 0; j < 6; j++)
      y[192 + 32 * j + lane] = select_register(r, (j + lane) % 6);
  float four_turned[4];
#pragma unroll
  for (int j = 0; j < 4; j++) four_turned[j] = r[j];
  // A barrel shifter turns four back: a step for each bit of the amount.
  float four_turned1[4];
#pragma unroll
  for (int m = 0; m < 4; m++) four_turned1[m] = lane & 1 ? four_turned[(m + 1) & 3] : four_turned[m];
#pragma unroll
  for (int m = 0; m < 4; m++) four[m] = lane & 2 ? four_turned1[(m + 2) & 3] : four_turned1[m];
#pragma unroll 1
  for (int j = 0; j < 4; j++) i += select_register(four, (j + lane) & 3);
  for (int j = 0; j < 3; j++) { grown[j] += j; i += select_register(grown, (j + lane) % 3); }
  // A barrel shifter turns four: a step for each bit of the amount, the last where it is read.
  const int four_turn = lane % 4;
  float four_turned1_[4];
#pragma unroll
  for (int m = 0; m < 4; m++) four_turned1_[m] = four_turn & 1 ? four[(m + 1) & 3] : four[m];
  for (int k = 0; k < n; k += 32) i += (four_turn & 2 ? four_turned1_[2] : four_turned1_[0]) - (four_turn & 2 ? four_turned1_[2] : four_turned1_[0]);
  for (int j = 0; j < 6; j++) y[32 * j + lane] = out[j] + i;
}
