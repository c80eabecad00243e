// A 9-point stencil in registers: each warp holds 64 elements, two a lane, and lanes fetch what they miss.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024

__global__ void stencil1d_9pt(const float* x, float* y, int n) {
  const int tid = threadIdx.x % warpSize;
  const int warpOffset = blockIdx.x * blockDim.x + threadIdx.x - tid;
  auto rc = load(x, warpOffset, /* slice */ 1, /* iterations */ 2);

  float out = 0;
  for (int k = 0; k < 9; k++) {
    // Choose which input data to send
    int idx = ?sw_part(2, tid, k);
    // Choose which thread to read from
    int recv_from = ?sw_xform(tid, warpSize, k);
    // Perform intra-warp shuffle
    float tmp = __shfl_sync(FULL_MASK, rc[idx], recv_from);
    out += tmp;
  }
  y[warpOffset + tid] = out;
}
