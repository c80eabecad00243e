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
// swizzle extent x(128)
__global__ void f(const float* x, float* y, int n) {
  const int lane = threadIdx.x;
  float rc[4], tile[2][2];
  for (int r = 0; r < 4; r++) rc[r] = tile[r / 2][r % 2] = x[32 * r + lane];
  float out = 0;
  // A barrel shifter turns rc: a step for each bit of the amount, the last where it is read.
  float rc_turned1[4];
#pragma unroll
  for (int i = 0; i < 4; i++) rc_turned1[i] = lane & 1 ? rc[(i + 1) & 3] : rc[i];
#pragma unroll
  for (int k = 0; k < 2; k++) {
    out += rc[2];          // a constant
    out += (lane < k ? rc[1] : k == 0 ? rc[3] : rc[0]);          // a select of constants
    out += (lane & 2 ? rc_turned1[k + 2] : rc_turned1[k]) * 2;      // an expression
    out += (lane <= 15 ? rc[k] : rc[k + 1]);         // an offset and a select
    const int index = lane != k ? 2 : 0;   // a variable
    out += select_register(rc, index);
    out += (lane < k ? tile[1][1] : tile[0][1]);
    out += (lane < k ? tile[1][k] : tile[0][k]);
  }
  y[lane] = out;
}
