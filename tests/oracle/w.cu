#pragma swizzle launch grid(1) block(8)
#pragma swizzle extent x(8)
#pragma swizzle instance n = 4
#pragma swizzle instance n = 8
__global__ void f(const int*x,int*y,int n){const int t=threadIdx.x; int s=x[t]; if (?sw_cond(t,n)) s+=x[t]; y[t]=s;}