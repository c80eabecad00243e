// The instructions that throughput.cu measures, one struct each.
//
//   struct op_lop3: kOpcode is what cuobjdump calls it, kEach how many of them one step issues, step(i) continues chain i
//   of eight, whose results nothing else waits for.
//
// A chain's operand is its last result wherever the instruction has both, so that no compiler can leave one out; addresses
// are chased: each word of memory holds its own address, of global memory the low half. kBeside: what else a step issues
// where that cannot be helped.
#pragma once

#include <stdint.h>

constexpr int kChains = 8;
constexpr int kThreads = 1024;            // a block, one on each multiprocessor
constexpr int kSlot = kThreads * 16;      // bytes: 16 for every thread
constexpr int kRegion = kSlot * kChains;  // of a block in global memory, twice: what is chased, what is stored to

struct Place {
  uint64_t global;     // this thread's 16 bytes in the block's first slot
  unsigned shared;     // … in shared memory
  unsigned row;        // this lane's row of a matrix for ldmatrix
  unsigned a, b;       // what no compiler knows
};

struct op_none {
  static constexpr const char* kName = "none";
  static constexpr const char* kOpcode = "";
  static constexpr int kEach = 0;
  static constexpr int kBeside = 0;
  __device__ void begin(const Place&) {}
  __device__ void step(int) {}
  __device__ unsigned end() const { return 0; }
};

struct IntegerChains {
  unsigned r[kChains], a, b;
  __device__ void begin(const Place& place) {
    a = place.a, b = place.b;
    for (int i = 0; i < kChains; i++) r[i] = threadIdx.x + i + a;
  }
  __device__ unsigned end() const {
    unsigned all = 0;
    for (int i = 0; i < kChains; i++) all ^= r[i];
    return all;
  }
};

struct RealChains {
  float r[kChains], a, b;
  __device__ void begin(const Place& place) {
    a = place.a, b = place.b;
    for (int i = 0; i < kChains; i++) r[i] = threadIdx.x + i;
  }
  __device__ unsigned end() const {
    float all = 0;
    for (int i = 0; i < kChains; i++) all += r[i];
    return __float_as_uint(all);
  }
};

#define NAMED(name, opcode, each, beside)        \
  static constexpr const char* kName = #name;    \
  static constexpr const char* kOpcode = opcode; \
  static constexpr int kEach = each;             \
  static constexpr int kBeside = beside;

#define INTEGER(name, opcode, text) INTEGER_BESIDE(name, opcode, 0, text)
#define INTEGER_BESIDE(name, opcode, beside, text)                                                                   \
  struct op_##name : IntegerChains {                                                                  \
    NAMED(name, opcode, 1, beside)                                                                            \
    __device__ void step(int i) { asm volatile(text : "+r"(r[i]) : "r"(a), "r"(b), "r"(r[(i + 1) % kChains])); } \
  };
#define REAL(name, opcode, text)                                                          \
  struct op_##name : RealChains {                                                         \
    NAMED(name, opcode, 1, 0)                                                                \
    __device__ void step(int i) { asm volatile(text : "+f"(r[i]) : "f"(a), "f"(b)); }     \
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
#define FOUR "setp.lt.and.u32 p, %1, %0, p; setp.gt.and.u32 q, %2, %0, q; setp.ne.and.u32 s, %3, %0, s; setp.ge.and.u32 t, %0, %2, t;"
#define OTHERS "setp.gt.and.u32 p, %2, %0, p; setp.lt.and.u32 q, %3, %0, q; setp.ge.and.u32 s, %0, %1, s; setp.ne.and.u32 t, %3, %0, t;"
    asm volatile("{ .reg .pred p, q, s, t; setp.eq.u32 p, %1, %2; setp.eq.u32 q, %1, %2; setp.eq.u32 s, %1, %2; setp.eq.u32 t, %1, %2;"
                 FOUR OTHERS FOUR OTHERS FOUR OTHERS FOUR OTHERS FOUR OTHERS FOUR OTHERS FOUR OTHERS FOUR OTHERS
                 "or.pred p, p, q; or.pred s, s, t; or.pred p, p, s; selp.b32 %0, %3, %0, p; }"
                 : "+r"(r[i]) : "r"(a), "r"(b), "r"(r[(i + 1) % kChains]));
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

struct SharedChains {
  unsigned r[kChains];
  __device__ void begin(const Place& place) {
    for (int i = 0; i < kChains; i++) r[i] = place.shared;
  }
  __device__ unsigned end() const {
    unsigned all = 0;
    for (int i = 0; i < kChains; i++) all ^= r[i];
    return all;
  }
};

struct op_lds_32 : SharedChains {
  NAMED(lds_32, "LDS", 1, 0)
  __device__ void begin(const Place& place) {
    for (int i = 0; i < kChains; i++) r[i] = place.shared - 12 * threadIdx.x;  // words side by side
  }
  __device__ void step(int i) { asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(r[i])); }
};
struct op_lds_64 : SharedChains {
  NAMED(lds_64, "LDS.64", 1, 0)
  __device__ void begin(const Place& place) {
    for (int i = 0; i < kChains; i++) r[i] = place.shared - 8 * threadIdx.x;
  }
  __device__ void step(int i) {
    asm volatile("{ .reg .u32 t; ld.volatile.shared.v2.u32 {%0, t}, [%0]; }" : "+r"(r[i]));
  }
};
struct op_lds_128 : SharedChains {
  NAMED(lds_128, "LDS.128", 1, 0)
  __device__ void step(int i) {
    asm volatile("{ .reg .u32 t<3>; ld.volatile.shared.v4.u32 {%0, t0, t1, t2}, [%0]; }" : "+r"(r[i]));
  }
};

struct MatrixChains : SharedChains {
  __device__ void begin(const Place& place) {
    for (int i = 0; i < kChains; i++) r[i] = place.row;
  }
};
struct op_ldsm_1 : MatrixChains {
  NAMED(ldsm_1, "LDSM.16.M88", 1, 0)
  __device__ void step(int i) { asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%0];" : "+r"(r[i])); }
};
struct op_ldsm_2 : MatrixChains {
  NAMED(ldsm_2, "LDSM.16.M88.2", 1, 0)
  __device__ void step(int i) {
    asm volatile("{ .reg .u32 t; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, t}, [%0]; }" : "+r"(r[i]));
  }
};
struct op_ldsm_4 : MatrixChains {
  NAMED(ldsm_4, "LDSM.16.M88.4", 1, 0)
  __device__ void step(int i) {
    asm volatile("{ .reg .u32 t<3>; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, t0, t1, t2}, [%0]; }" : "+r"(r[i]));
  }
};

struct SharedStores {
  unsigned address, r[4];
  __device__ void begin_at(unsigned at, unsigned value) {
    address = at;
    for (int j = 0; j < 4; j++) r[j] = value + j;
  }
  __device__ unsigned end() const { return 0; }
};
struct op_sts_32 : SharedStores {
  NAMED(sts_32, "STS", 1, 0)
  __device__ void begin(const Place& place) { begin_at(place.shared - 12 * threadIdx.x + kSlot, place.a); }
  __device__ void step(int) { asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(address), "r"(r[0])); }
};
struct op_sts_64 : SharedStores {
  NAMED(sts_64, "STS.64", 1, 0)
  __device__ void begin(const Place& place) { begin_at(place.shared - 8 * threadIdx.x + kSlot, place.a); }
  __device__ void step(int) { asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %2};" ::"r"(address), "r"(r[0]), "r"(r[1])); }
};
struct op_sts_128 : SharedStores {
  NAMED(sts_128, "STS.128", 1, 0)
  __device__ void begin(const Place& place) { begin_at(place.shared + kSlot, place.a); }
  __device__ void step(int) { asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])); }
};

// Addresses whose low halves are chased; kApart: bytes from one chain to the next.
template <int kWidth, int kApart>
struct GlobalChains : IntegerChains {
  unsigned high;
  __device__ void begin(const Place& place) {
    const uint64_t mine = place.global - (16 - kWidth) * threadIdx.x;
    high = mine >> 32;
    for (int i = 0; i < kChains; i++) r[i] = static_cast<unsigned>(mine) + i * kApart;
  }
};
// All words that are loaded are needed, or ptxas loads fewer.
#define CHASE(name, opcode, width, apart, beside, text)                                                            \
  struct op_##name : GlobalChains<width, apart> {                                                                  \
    NAMED(name, opcode, 1, beside)                                                                                 \
    __device__ void step(int i) {                                                                                  \
      asm volatile("{ .reg .u64 p; .reg .u32 t<4>; mov.b64 p, {%0, %1}; " text " }" : "+r"(r[i]) : "r"(high) : "memory"); \
    }                                                                                                              \
  };
CHASE(ldg_32_l1, "LDG.E", 4, 0, 1, "ld.global.u32 %0, [p];")
CHASE(ldg_64_l1, "LDG.E.64", 8, 0, 2, "ld.global.v2.u32 {t0, t1}, [p]; and.b32 %0, t0, t1;")
CHASE(ldg_128_l1, "LDG.E.128", 16, 0, 3, "ld.global.v4.u32 {t0, t1, t2, t3}, [p]; lop3.b32 t0, t0, t1, t2, 0x80; and.b32 %0, t0, t3;")
CHASE(ldg_32_l2, "LDG.E", 4, kSlot, 1, "ld.global.cg.u32 %0, [p];")
CHASE(ldg_64_l2, "LDG.E.64", 8, kSlot, 2, "ld.global.cg.v2.u32 {t0, t1}, [p]; and.b32 %0, t0, t1;")
CHASE(ldg_128_l2, "LDG.E.128", 16, kSlot, 3, "ld.global.cg.v4.u32 {t0, t1, t2, t3}, [p]; lop3.b32 t0, t0, t1, t2, 0x80; and.b32 %0, t0, t3;")

struct GlobalStores {
  uint64_t address;
  unsigned r[4];
  __device__ unsigned end() const { return 0; }
};
#define STORE(name, opcode, width, text)                                                       \
  struct op_##name : GlobalStores {                                                            \
    NAMED(name, opcode, 1, 0)                                                                     \
    __device__ void begin(const Place& place) {                                                \
      address = place.global + kRegion - (16 - width) * threadIdx.x;                           \
      for (int j = 0; j < 4; j++) r[j] = place.a + j;                                          \
    }                                                                                          \
    __device__ void step(int i) { asm volatile(text ::"l"(address + i * kSlot), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory"); } \
  };
STORE(stg_32, "STG.E", 4, "st.global.u32 [%0], %1;")
STORE(stg_64, "STG.E.64", 8, "st.global.v2.u32 [%0], {%1, %2};")
STORE(stg_128, "STG.E.128", 16, "st.global.v4.u32 [%0], {%1, %2, %3, %4};")
