// The loads and stores that throughput.cu measures: chains.h tells the form.
#pragma once

#include "chains.h"

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
  __device__ void step(int) {
    asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %2};" ::"r"(address), "r"(r[0]), "r"(r[1]));
  }
};
struct op_sts_128 : SharedStores {
  NAMED(sts_128, "STS.128", 1, 0)
  __device__ void begin(const Place& place) { begin_at(place.shared + kSlot, place.a); }
  __device__ void step(int) {
    asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(r[0]), "r"(r[1]), "r"(r[2]),
                 "r"(r[3]));
  }
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
#define CHASE(name, opcode, width, apart, beside, text)                             \
  struct op_##name : GlobalChains<width, apart> {                                   \
    NAMED(name, opcode, 1, beside)                                                  \
    __device__ void step(int i) {                                                   \
      asm volatile("{ .reg .u64 p; .reg .u32 t<4>; mov.b64 p, {%0, %1}; " text " }" \
                   : "+r"(r[i])                                                     \
                   : "r"(high)                                                      \
                   : "memory");                                                     \
    }                                                                               \
  };
CHASE(ldg_32_l1, "LDG.E", 4, 0, 1, "ld.global.u32 %0, [p];")
CHASE(ldg_64_l1, "LDG.E.64", 8, 0, 2, "ld.global.v2.u32 {t0, t1}, [p]; and.b32 %0, t0, t1;")
CHASE(ldg_128_l1, "LDG.E.128", 16, 0, 3,
      "ld.global.v4.u32 {t0, t1, t2, t3}, [p]; lop3.b32 t0, t0, t1, t2, 0x80; and.b32 %0, t0, t3;")
CHASE(ldg_32_l2, "LDG.E", 4, kSlot, 1, "ld.global.cg.u32 %0, [p];")
CHASE(ldg_64_l2, "LDG.E.64", 8, kSlot, 2, "ld.global.cg.v2.u32 {t0, t1}, [p]; and.b32 %0, t0, t1;")
CHASE(ldg_128_l2, "LDG.E.128", 16, kSlot, 3,
      "ld.global.cg.v4.u32 {t0, t1, t2, t3}, [p]; lop3.b32 t0, t0, t1, t2, 0x80; and.b32 %0, t0, t3;")

struct GlobalStores {
  uint64_t address;
  unsigned r[4];
  __device__ unsigned end() const { return 0; }
};
#define STORE(name, opcode, width, text)                                                                    \
  struct op_##name : GlobalStores {                                                                         \
    NAMED(name, opcode, 1, 0)                                                                               \
    __device__ void begin(const Place& place) {                                                             \
      address = place.global + kRegion - (16 - width) * threadIdx.x;                                        \
      for (int j = 0; j < 4; j++) r[j] = place.a + j;                                                       \
    }                                                                                                       \
    __device__ void step(int i) {                                                                           \
      asm volatile(text ::"l"(address + i * kSlot), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory"); \
    }                                                                                                       \
  };
STORE(stg_32, "STG.E", 4, "st.global.u32 [%0], %1;")
STORE(stg_64, "STG.E.64", 8, "st.global.v2.u32 [%0], {%1, %2};")
STORE(stg_128, "STG.E.128", 16, "st.global.v4.u32 [%0], {%1, %2, %3, %4};")
