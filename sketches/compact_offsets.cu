// Stream compaction: where each positive element of a warp goes in a list without the others, which is how many stand before it.
// Which lanes are counted is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid((n + 255) / 256) block(256)
#pragma swizzle instance n = 256
#pragma swizzle check n = 1000
#pragma swizzle check n = 31
#pragma swizzle extent x(n)

__global__ void compact_offsets(const float* x, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned positive = __ballot_sync(FULL_MASK, i < n && x[i] > 0.0f);
  const int before = __popc(positive & ((1u << ?sw_xform(lane, 32)) - 1));
  if (i < n) y[i] = before;
}
