// first line
//
// third line

// swizzle launch grid(1) block(32)
// swizzle instance n = 32
// swizzle extent x(128)
__global__ void f(const float* x, float* y, int n) {
  const int lane = threadIdx.x;
  float rc[4], tile[2][2];
  for (int r = 0; r < 4; r++) rc[r] = tile[r / 2][r % 2] = x[32 * r + lane];
  float out = 0;
  for (int k = 0; k < 2; k++) {
    out += rc[2];          // a constant
    out += (lane < k ? rc[1] : k == 0 ? rc[3] : rc[0]);          // a select of constants
    out += (((k + lane) & 3) == 0 ? rc[0] : ((k + lane) & 3) == 1 ? rc[1] : ((k + lane) & 3) == 2 ? rc[2] : rc[3]) * 2;      // an expression
    out += (lane <= 15 ? rc[k] : rc[k + 1]);         // an offset and a select
    const int index = lane != k ? 2 : 0;   // a variable
    out += (index == 0 ? rc[0] : index == 1 ? rc[1] : index == 2 ? rc[2] : rc[3]);
    out += (lane < k ? tile[1][1] : tile[0][1]);
    out += (lane < k ? tile[1][k] : tile[0][k]);
  }
  y[lane] = out;
}
