#pragma swizzle launch grid(1) block(32)
#pragma swizzle instance n = 32
__global__ void sort_with_wrong_distances(const int* keys, const float* values, int* sorted, float* with, int n) {
  const int lane = threadIdx.x;
  int key = keys[lane];
  float value = values[lane];
#pragma unroll
  for (int size = 2; size <= 8; size *= 2)
#pragma unroll
    for (int d = size; d > 0; d /= 2) {
      const int source = ?sw_xor(lane, 32, d);
      const int other = __shfl_sync(~0u, key, source);
      const float its_value = __shfl_sync(~0u, value, source);
      const bool keeps_less = ((lane & size) == 0) == ((lane & d) == 0);
      if (keeps_less ? other < key : key < other) {
        key = other;
        value = its_value;
      }
    }
  sorted[lane] = key;
  with[lane] = value;
}
