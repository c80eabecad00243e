// A 3-point stencil whose loading is open: where the warp starts to fetch, and how many registers it takes.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void stencil1d_load(const float* x, float* y, int n) {
  const int tid = threadIdx.x % warpSize;
  const int warpOffset = blockIdx.x * blockDim.x + threadIdx.x - tid;
  const int registers = ?sw_const(1, 5);
  auto rc = load(x, warpOffset + ?sw_const(-8, 8), 1, registers);

  float out = 0;
  for (int k = 0; k < 3; k++) {
    int idx = ?sw_part(registers, tid, k);
    int recv_from = ?sw_xform(tid, warpSize, k);
    out += __shfl_sync(FULL_MASK, rc[idx], recv_from);
  }
  y[warpOffset + tid] = out;
}
