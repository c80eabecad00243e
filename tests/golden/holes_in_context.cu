// first line
//
// third line

// swizzle launch grid(1) block(32)
// swizzle instance n = 32
__global__ void f(const int* x, int* y, int n) {
  const int lane = threadIdx.x;
  const int sum = ((31 - lane) & 31) + 32 * (((lane / 8) + (lane % 8)) & 3);
  const int even = (lane * 3 + (2 * n)) & 31, swapped = (((lane & 31) - 1) & 31);
  // ?sw_cond(lane) in a comment stays
  [[maybe_unused]] const int row = lane / 8, rest = n;
  const int column = lane % 8;
  int v = __shfl_sync(~0u, x[lane], sum % 32) + __shfl_sync(~0u, x[lane], even) + __shfl_sync(~0u, x[lane], swapped);
  v += 1;
  if ((column < 7) && lane > 3) v += rest;
  y[lane] = (lane + n == 40) ? v : -v;
}
