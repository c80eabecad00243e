// Finite-field multiplication as the slides of Swizzle Inventor list it: degree 64, two registers a lane of each operand.
#pragma swizzle launch grid(n / 2) block(64)
#pragma swizzle instance n = 2
#pragma swizzle check n = 4
#pragma swizzle check n = 16

__global__ void ff64_slides(const int* a, const int* b, int* c, int n) {
  const unsigned mask = 0xffffffff;
  const int tid = threadIdx.x % warpSize;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  auto rA = load(a, warp * 64, 1, 2);
  auto rB = load(b, warp * 64, 1, 2);

  // Create ans0, ans1, ans2, ans3
  acc ans0 = create_accumulator(0, identity, ^, &);
  acc ans1 = create_accumulator(0, identity, ^, &);
  acc ans2 = create_accumulator(0, identity, ^, &);
  acc ans3 = create_accumulator(0, identity, ^, &);

  for(int k = 0; k < 32; k++) {
    int a0 = __shfl_sync(mask, rA[?sw_part(2,tid,k)],
                      ?sw_xform(tid,32,k));
    int a1 = __shfl_sync(mask, rA[?sw_part(2,tid,k)],
                      ?sw_xform(tid,32,k));
    int b0 = __shfl_sync(mask, rB[?sw_part(2,tid,k)],
                      ?sw_xform(tid,32,k));
    int b1 = __shfl_sync(mask, rB[?sw_part(2,tid,k)],
                      ?sw_xform(tid,32,k));

    // Update ans0
    accumulate(ans0, [a0,b0], ?sw_cond(tid,k));
    accumulate(ans0, [a0,b1], ?sw_cond(tid,k));
    accumulate(ans0, [a1,b0], ?sw_cond(tid,k));
    accumulate(ans0, [a1,b1], ?sw_cond(tid,k));

    // Update ans1
    accumulate(ans1, [a0,b0], ?sw_cond(tid,k));
    accumulate(ans1, [a0,b1], ?sw_cond(tid,k));
    accumulate(ans1, [a1,b0], ?sw_cond(tid,k));
    accumulate(ans1, [a1,b1], ?sw_cond(tid,k));

    // Update ans2
    accumulate(ans2, [a0,b0], ?sw_cond(tid,k));
    accumulate(ans2, [a0,b1], ?sw_cond(tid,k));
    accumulate(ans2, [a1,b0], ?sw_cond(tid,k));
    accumulate(ans2, [a1,b1], ?sw_cond(tid,k));

    // Update ans3
    accumulate(ans3, [a0,b0], ?sw_cond(tid,k));
    accumulate(ans3, [a0,b1], ?sw_cond(tid,k));
    accumulate(ans3, [a1,b0], ?sw_cond(tid,k));
    accumulate(ans3, [a1,b1], ?sw_cond(tid,k));
  }

  c[warp * 128 + tid] = eval(ans0);
  c[warp * 128 + 32 + tid] = eval(ans1);
  c[warp * 128 + 64 + tid] = eval(ans2);
  c[warp * 128 + 96 + tid] = eval(ans3);
}
