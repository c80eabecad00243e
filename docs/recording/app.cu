// Turns blocks of 32 x 32 elements: how far apart the rows of a tile lie is known when the program runs.
#include <cstdlib>

template <typename T>
__global__ void turn(T* out, const T* in, int width, int pitch) {
  extern __shared__ unsigned char bytes[];
  T* tile = reinterpret_cast<T*>(bytes);
  const int x = threadIdx.x, y = threadIdx.y, corner = (blockIdx.y * width + blockIdx.x) * 32;
  for (int j = 0; j < 32; j += 8) tile[(y + j) * pitch + x] = in[corner + (y + j) * width + x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8) out[corner + (y + j) * width + x] = tile[x * pitch + y + j];
}

template <typename T>
void turn_all(int blocks, int pitch) {
  const int width = 32 * blocks;
  T *in, *out;
  cudaMalloc(&in, width * width * sizeof(T));
  cudaMalloc(&out, width * width * sizeof(T));
  turn<<<dim3(blocks, blocks), dim3(32, 8), 32 * pitch * sizeof(T)>>>(out, in, width, pitch);
  cudaFree(in);
  cudaFree(out);
}

int main(int argc, char** argv) {
  const int pad = argc > 1 ? std::atoi(argv[1]) : 0;
  for (int i = 0; i < 3; ++i) turn_all<float>(4, 32 + pad);
  turn_all<float>(2, 33);
  turn_all<double>(4, 32);
  return cudaDeviceSynchronize() != cudaSuccess;
}
