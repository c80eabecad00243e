#pragma swizzle launch grid(1) block(32, 2ä)
__global__ void f(int* y) { y[0] = 1; }
