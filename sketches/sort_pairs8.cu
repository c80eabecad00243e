// Keys and what belongs to them, sorted in groups of 8 (Batcher 1968): whom to compare with in each step is open.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256

__global__ void sort_pairs8(const int* keys, const float* values, int* sorted, float* with, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int key = keys[i];
  float value = values[i];
#pragma unroll
  for (int size = 2; size <= 8; size *= 2)
#pragma unroll
    for (int d = size / 2; d > 0; d /= 2) {
      const int source = ?sw_xor(lane, 32, d);
      const int other = __shfl_sync(FULL_MASK, key, source);
      const float its_value = __shfl_sync(FULL_MASK, value, source);
      const bool keeps_less = ((lane & size) == 0) == ((lane & d) == 0);
      if (keeps_less ? other < key : key < other) {
        key = other;
        value = its_value;
      }
    }
  sorted[i] = key;
  with[i] = value;
}
