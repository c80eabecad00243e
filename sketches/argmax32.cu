// Where the greatest of a warp's elements is, in every lane: of several that are alike, the first. Which lane to compare with is
// open, of the element and of its place by itself.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void argmax32(const float* x, int* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float most = x[i];
  int place = lane;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const float other = __shfl_sync(FULL_MASK, most, ?sw_xor(lane, 32, d));
    const int its_place = __shfl_sync(FULL_MASK, place, ?sw_xor(lane, 32, d));
    if (other > most || (other == most && its_place < place)) {
      most = other;
      place = its_place;
    }
  }
  y[i] = place;
}
