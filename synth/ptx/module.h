// A PTX module, as read: its kernels as lists of instructions whose names are resolved.
//
//   .visible .entry k(.param .u64 k_param_0)               Function {name "k", parameters {variable 0}, is_kernel}
//   { .reg .b32 %r<3>; .shared .align 4 .b8 s[128];         variable 1: kShared, "s", 128 bytes
//     .loc 1 5 3
//     mov.u32 %r1, %tid.x;                                  kMov u32   register 1 · special kTidX
//     shl.b32 %r2, %r1, 2;                                  kShl b32   register 2 · register 1 · 2
//     @%p1 bra $L__BB0_2;                                   kBra       target: index of an instruction; guard %p1
//     st.shared.f32 [s+4], %f1; }                           kSt shared f32   memory(variable 1, + 4) · register …
//
// Registers are numbered by function, scopes of inline PTX included; variables, places by module. What an instruction
// does that has no opcode here is not known: it is kOther. Source: PTX ISA 9.0.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "synth/ptx/opcodes.h"

namespace swizzle::ptx {

enum class Space : std::uint8_t { kGeneric, kParam, kShared, kGlobal, kLocal, kConst };

// A parameter, an array, a scalar in memory.
struct Variable {
  std::string name;
  Space space = Space::kGlobal;
  int alignment_bytes = 1;
  Type element;
  std::int64_t size_bytes = 0;  // 0: as long as the launch says
  bool is_extern = false;
  std::vector<std::uint8_t> initial;  // from the first byte on; nothing: not known, or not so
};

struct Operand {
  enum class Kind : std::uint8_t {
    kNone,
    kRegister,
    kImmediate,
    kReal,
    kVariable,
    kSpecial,
    kVector,
    kMemory,
    kFunction
  };
  Kind kind = Kind::kNone;     // kNone: _
  int id = -1;                 // of a register, a variable, a Special; of kMemory, those of its base in parts[0]
  std::int64_t number = 0;     // kImmediate; added to kVariable and kMemory
  bool is_negated = false;     // !%p1
  std::string name{};          // kFunction
  std::vector<Operand> parts;  // kVector; kMemory: the base, and coordinates behind it

  bool is_register() const { return kind == Kind::kRegister; }
};

struct Instruction {
  Opcode opcode = Opcode::kOther;
  std::string name;  // "ld.shared.v4.f32"
  Modifiers modifiers;
  Type type;        // the last one in the name
  Type first_type;  // the first one: of cvt and set, what the result is
  int guard = -1;   // a predicate register; -1: none
  bool guard_is_negated = false;
  std::vector<Operand> operands;
  std::vector<int> targets;  // instructions, of branches
  int place = -1;            // in Module::places; -1: nothing tells
  int line = 0;              // of the PTX itself

  bool has(Modifier m) const { return modifiers[static_cast<std::size_t>(m)]; }
  bool is_guarded() const { return guard >= 0; }
};

// .loc: where an instruction comes from.
struct Place {
  int file = 0;  // in Module::files
  int line = 0, column = 0;
  std::string function;  // that was inlined here, mangled; empty: it stands in the kernel itself
  int inlined_at = -1;   // the place of its call
};

struct Function {
  std::string name;  // mangled
  bool is_kernel = false;
  std::vector<int> parameters;  // variables
  int most_threads = 0;         // .maxntid, .reqntid: of a block; 0: nothing tells
  std::vector<Instruction> instructions;
  std::vector<int> register_bits;  // by register; a predicate: 1
  int place = -1;                  // where it begins
  int line = 0;
};

struct Module {
  std::vector<Function> functions;  // with a body
  std::vector<Variable> variables;
  std::vector<Place> places;
  std::map<int, std::string> files;  // by the number that .loc uses
};

}  // namespace swizzle::ptx
