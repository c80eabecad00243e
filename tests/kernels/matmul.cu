// Tiled matrix product as a template, instantiated by its launch.
#include <iostream>
#include <vector>

template <int BLOCK_SIZE>
__global__ void MatrixMulCUDA(float *C, float *A, float *B, int wA, int wB) {
  int bx = blockIdx.x, by = blockIdx.y;
  int tx = threadIdx.x, ty = threadIdx.y;
  int aBegin = wA * BLOCK_SIZE * by;
  int aEnd = aBegin + wA - 1;
  int aStep = BLOCK_SIZE;
  int bBegin = BLOCK_SIZE * bx;
  int bStep = BLOCK_SIZE * wB;
  float Csub = 0;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE; ++k) {
      Csub += As[ty][k] * Bs[k][tx];
    }
    __syncthreads();
  }
  int c = wB * BLOCK_SIZE * by + BLOCK_SIZE * bx;
  C[c + wB * ty + tx] = Csub;
}

// Bs read by columns: lanes of a warp are 32 words apart.
template <typename T, int TILE>
__global__ void matmul_transposed_b(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c, int n) {
  __shared__ T as[TILE][TILE];
  __shared__ T bs[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  T sum = 0;
  for (int t = 0; t < n / TILE; ++t) {
    as[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(blockIdx.x * TILE + threadIdx.y) * n + t * TILE + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += as[threadIdx.y][k] * bs[threadIdx.x][k];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

void run(std::vector<float> &h_C) {
  float *d_A, *d_B, *d_C;
  const int n = 128;
  dim3 threads(32, 32);
  dim3 grid(n / threads.x, n / threads.y);
  MatrixMulCUDA<32><<<dim3(n / 32, n / 32), threads>>>(d_C, d_A, d_B, n, n);
  matmul_transposed_b<float, 32><<<grid, threads, 0, nullptr>>>(d_A, d_B, d_C, n);
  std::cout << h_C.size() << std::endl;
}
