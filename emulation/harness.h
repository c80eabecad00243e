// The harness of a generated test program: runs a kernel and a native spec on the same random inputs and compares.
//
// codegen/run/test_program.cpp writes one source file per request that fills in a Program and calls check(); all that
// does not depend on the kernel is here, compiled once, so that a test program compiles in a fraction of a second.
//
//   buffer of 3 ints    [guard … | r0 r1 r2 | guard …]     both sides start from the same r0 r1 r2;
//                                                          the guards differ from each other and must survive
//
// Inputs: integers take all bits, or those of a range; reals take integers in [-8, 8], so that reassociated sums stay
// exact. A buffer that the spec writes and does not read starts as poison, and what the spec leaves alone the kernel
// must leave too. Reals agree within 1e-5 relative (1e-6 near zero), of 16 bits within 2^-8 (half) and 2^-6 (bfloat16),
// everything else exactly.
//
// check() prints one JSON line: {"where", "inputs", "mismatches", "first_mismatch"}. It returns the exit status.
// A crash or a time-out (SIGTERM) of the kernel exits with kKernelFailure, of the spec with kSpecFailure,
// with a message on stderr.
#pragma once

#include <stddef.h>

namespace swizzle_harness {

constexpr int kKernelFailure = 86;  // == swizzle_emulation::kEmulationFailure
constexpr int kSpecFailure = 87;

enum class Element {
  kBool,
  kI8,
  kU8,
  kI16,
  kU16,
  kI32,
  kU32,
  kI64,
  kU64,
  kF16,
  kBF16,
  kF32,
  kF64
};  // as swizzle::Scalar

struct Slot {  // of an item
  Element element;
  int offset_bytes;
};

struct Buffer {
  const char* name;
  const Slot* slots;  // of an item; float4: 4
  int slots_per_item;
  int item_bytes;
  bool is_const;
};

struct Argument {  // a scalar parameter's value
  long long integer;
  double real;
};

struct Range {  // of a buffer's elements: count integers from low on
  long long low;
  unsigned long long count;  // 0: any
  bool is_distinct;          // no two alike
};

struct Size {
  const char* text;  // "n=128"
  unsigned grid[3];
  unsigned block[3];
  const long long* extents_items;        // per buffer
  const long long* scalar_integers;      // per scalar parameter; unused for reals, which are random
  unsigned spec_grid[3], spec_block[3];  // of a spec that is a kernel
  unsigned dynamic_shared_bytes;         // of the launch on a GPU
  const Range* ranges;                   // per buffer
};

struct Memory {  // of the machine that the kernel runs on
  void* (*allocate)(size_t bytes);
  void (*release)(void* memory);
  void (*to_device)(void* device, const void* host, size_t bytes);
  void (*to_host)(void* host, const void* device, size_t bytes);
};

extern const Memory kHostMemory;

struct Program {
  const char* where;
  const Buffer* buffers;
  int buffer_count;
  const bool* scalar_is_real;
  int scalar_count;
  const Size* sizes;
  int size_count;
  unsigned long long seed;
  int rounds;
  void (*spec)(const Size& size, void* const* buffers, const Argument* scalars);
  void (*kernel)(const Size& size, int round, void* const* buffers, const Argument* scalars);
  Memory memory;
};

int check(const Program& program);

}  // namespace swizzle_harness
