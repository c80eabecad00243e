// A 3-point stencil over an array of structs: each lane holds two particles, and both fields are smoothed.
#define FULL_MASK 0xffffffffu

#pragma swizzle launch grid(n / 64) block(64)
#pragma swizzle instance n = 64
#pragma swizzle check n = 256
#pragma swizzle check n = 1024
#pragma swizzle extent x(n + 32)

struct Particle {
  float mass, charge;
};

__global__ void stencil_structs(const Particle* x, Particle* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  Particle rc[2];
  rc[0] = x[i];
  rc[1] = x[i + 32];

  Particle sum = {};
  for (int k = 0; k < 3; k++) {
    const int which = ?sw_part(2, lane, k);
    const int from = ?sw_xform(lane, 32, k);
    sum.mass += __shfl_sync(FULL_MASK, rc[which].mass, from);
    sum.charge += __shfl_sync(FULL_MASK, rc[which].charge, from);
  }
  y[i] = sum;
}
