// The instructions of arithmetic, selects, votes and shuffles that throughput.cu measures: chains.h tells the form.
#pragma once

#include "chains.h"

#define INTEGER(name, opcode, text) INTEGER_BESIDE(name, opcode, 0, text)
#define INTEGER_BESIDE(name, opcode, beside, text)                                                               \
  struct op_##name : IntegerChains {                                                                             \
    NAMED(name, opcode, 1, beside)                                                                               \
    __device__ void step(int i) { asm volatile(text : "+r"(r[i]) : "r"(a), "r"(b), "r"(r[(i + 1) % kChains])); } \
  };
#define REAL(name, opcode, text)                                                      \
  struct op_##name : RealChains {                                                     \
    NAMED(name, opcode, 1, 0)                                                         \
    __device__ void step(int i) { asm volatile(text : "+f"(r[i]) : "f"(a), "f"(b)); } \
  };

INTEGER(shfl_idx, "SHFL.IDX", "shfl.sync.idx.b32 %0, %0, %3, 31, -1;")
INTEGER(shfl_up, "SHFL.UP", "shfl.sync.up.b32 %0, %0, %1, 0, -1;")
INTEGER(shfl_down, "SHFL.DOWN", "shfl.sync.down.b32 %0, %0, %1, 31, -1;")
INTEGER(shfl_bfly, "SHFL.BFLY", "shfl.sync.bfly.b32 %0, %0, %1, 31, -1;")
INTEGER(lop3, "LOP3", "lop3.b32 %0, %0, %1, %2, 0x6a;")
INTEGER(prmt, "PRMT", "prmt.b32 %0, %0, %1, %2;")
INTEGER(sel, "SEL", "{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.b32 %0, %3, %0, p; }")
INTEGER(iadd3, "IADD3", "{ .reg .u32 t; add.u32 t, %0, %1; add.u32 %0, t, %3; }")
INTEGER(imad, "IMAD", "mad.lo.u32 %0, %0, %1, %2;")
INTEGER(lea, "LEA", "{ .reg .u32 t; shl.b32 t, %0, 3; add.u32 %0, t, %1; }")
INTEGER(shf, "SHF", "shf.l.wrap.b32 %0, %0, %1, %2;")
INTEGER(imnmx, "VIMNMX", "min.s32 %0, %0, %3;")
INTEGER(popc, "POPC", "popc.b32 %0, %0;")
INTEGER(flo, "FLO", "bfind.u32 %0, %0;")
INTEGER(brev, "BREV", "brev.b32 %0, %0;")
INTEGER(i2f, "I2FP", "{ .reg .f32 t; cvt.rn.f32.u32 t, %0; mov.b32 %0, t; }")
INTEGER(hfma2, "HFMA2", "fma.rn.f16x2 %0, %0, %1, %2;")
INTEGER_BESIDE(redux, "REDUX", 1, "redux.sync.add.u32 %0, %0, -1;")
REAL(fadd, "FADD", "add.rn.f32 %0, %0, %1;")
REAL(fmul, "FMUL", "mul.rn.f32 %0, %0, %1;")
REAL(ffma, "FFMA", "fma.rn.f32 %0, %0, %1, %2;")
REAL(mufu, "MUFU", "ex2.approx.ftz.f32 %0, %0;")

// Conditions cannot leave inline assembly: 64 of them in four chains, and one select.
struct op_isetp : IntegerChains {
  NAMED(isetp, "ISETP", 64, 4)
  __device__ void step(int i) {
#define FOUR \
  "setp.lt.and.u32 p, %1, %0, p; setp.gt.and.u32 q, %2, %0, q; setp.ne.and.u32 s, %3, %0, s; setp.ge.and.u32 t, %0, %2, t;"
#define OTHERS \
  "setp.gt.and.u32 p, %2, %0, p; setp.lt.and.u32 q, %3, %0, q; setp.ge.and.u32 s, %0, %1, s; setp.ne.and.u32 t, %3, %0, t;"
    asm volatile(
        "{ .reg .pred p, q, s, t; setp.eq.u32 p, %1, %2; setp.eq.u32 q, %1, %2; setp.eq.u32 s, %1, %2; setp.eq.u32 t, %1, %2;" FOUR
            OTHERS FOUR OTHERS FOUR OTHERS FOUR OTHERS FOUR OTHERS FOUR OTHERS FOUR OTHERS FOUR OTHERS
        "or.pred p, p, q; or.pred s, s, t; or.pred p, p, s; selp.b32 %0, %3, %0, p; }"
        : "+r"(r[i])
        : "r"(a), "r"(b), "r"(r[(i + 1) % kChains]));
#undef FOUR
#undef OTHERS
  }
};

// Of a condition that only a comparison makes: both issue.
struct op_vote : IntegerChains {
  NAMED(vote, "VOTE", 1, 1)
  __device__ void step(int i) {
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, -1; }" : "+r"(r[i]) : "r"(a));
  }
};

struct op_dfma {
  NAMED(dfma, "DFMA", 1, 0)
  double r[kChains], a, b;
  __device__ void begin(const Place& place) {
    a = place.a, b = place.b;
    for (int i = 0; i < kChains; i++) r[i] = threadIdx.x + i;
  }
  __device__ void step(int i) { asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(r[i]) : "d"(a), "d"(b)); }
  __device__ unsigned end() const {
    double all = 0;
    for (int i = 0; i < kChains; i++) all += r[i];
    return static_cast<unsigned>(all);
  }
};
