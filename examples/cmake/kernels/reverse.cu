// Completed by swizzle-synth 0.1.0 from reverse.cu
// spec: reverse.cpp
//   sw_xform at 9:41 = 31 - lane
// cost of a warp: 13 (shuffles 1, accumulates 0, shared wavefronts 0, loads 1, integer operations 1), proved minimal
// equal to the spec for every input at n=64
// equal to the spec for every n that is a multiple of 32, up to 2147483616

#define LANES 32
// Each warp turns its elements round.
#include <sizes.h>

// swizzle launch grid(n / 32) block(32)
// swizzle instance n = 64

__global__ void reverse(const int* x, int* y, int n) {
  const int lane = threadIdx.x, i = blockIdx.x * LANES + lane;
  y[i] = __shfl_sync(0xffffffffu, x[i], 31 - lane);
}
// inputs of swizzle-synth: sketch 981dc16182dc93f20fb0522442e7e4d9e2a2bf4ac655c99dafb01821a14b5561, spec 4d5d4f2c8acf4af15f662aec11468f976cea26a899a6e4a55be07f63c684a488, all 81d592186aa9dfc87d3f770bd64b16b4450e906f087ba5627651b930cbed51ec
