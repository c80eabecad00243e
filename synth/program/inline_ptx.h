// Inline PTX: what a statement in it does, and how it is written.
//
//   asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1 + 16];" : "=r"(a) : "r"(p));
//                 MatrixStatement: one matrix; registers `a`, address `p`, 16 bytes on
//   asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(to), "l"(from));
//                 CopyStatement: kCopyAsync of `to`, `from`, 4, 4
//
// The operands are evaluated as expressions of the Program; how they are written is for the emulation's text. Source:
// PTX ISA, ldmatrix, stmatrix, cp.async.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synth/base/diagnostic.h"

namespace swizzle {

enum class Intrinsic : std::uint16_t;  // intrinsics.h

enum class MemoryOperation { kLoad, kStore, kAtomic, kLdmatrix, kStmatrix };
const char* name_of(MemoryOperation operation);  // "load", "store", "atomic", "ldmatrix", "stmatrix"

// What a kTouch, or an intrinsic on matrices, does. Inline PTX gives shared memory 32-bit addresses of its own window.
struct Touch {
  MemoryOperation operation = MemoryOperation::kLoad;
  bool in_shared_window = false;
  int matrices = 0;  // kLdmatrix, kStmatrix: 1, 2 or 4, whose rows lanes 0 … 8·matrices − 1 address
  bool is_transposed = false;
  // Of memcpy and its kin: what the pointer's type says, which compilers rely on in shared memory alone; 0: of others.
  int copied_alignment = 0;
};

// ldmatrix or stmatrix in inline PTX, as it is written: asm volatile("…{%0, %1}, [%2 + 16];" : "=r"(a), "=r"(b) :
// "r"(p)).
struct MatrixStatement {
  SourceRange range;  // without its semicolon
  Touch touch;
  std::vector<SourceRange> registers;  // a, b
  SourceRange address;                 // p
  std::int64_t offset_bytes = 0;       // 16
};

// A number, what the user wrote, or the sum of both: [%1 + 16] with %1 as `p`.
struct PtxOperand {
  SourceRange written;  // empty: the number alone
  std::int64_t number = 0;
};

// cp.async and its waits in inline PTX, as they are written:
//   asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"(a), "l"(p)).
struct CopyStatement {
  struct Instruction {
    Intrinsic intrinsic{};              // kCopyAsync, kCommitCopies, kWaitCopies
    std::vector<PtxOperand> operands;   // kCopyAsync: to, from, bytes, bytes that are read; kWaitCopies: groups
    std::optional<PtxOperand> happens;  // unless this is 0
    bool happens_not = false;           // unless that is not 0
  };
  SourceRange range;  // without its semicolon
  std::vector<Instruction> instructions;
};

}  // namespace swizzle
