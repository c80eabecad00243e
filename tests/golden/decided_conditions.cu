// first line
//
// third line

// swizzle launch grid(1) block(32)
// swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) {
  const int lane = threadIdx.x;
  const int r[4] = {x[lane], 1, 2, 3};
  int v = 0;
  for (int k = 0; k < 2; k++) {

    { v += 2; }

      // never

    v += 4;
    v += 6;
    if (k > 0) if (false) v += 7;
    v += (lane < k ? r[0] : r[3]);
  }
  y[lane] = v;
}
