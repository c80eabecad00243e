// RunRequest: what is asked of a run: which kernel against which spec, with which parameters, at which sizes.
//
//   k(const float4* x, float* y, int n), posed at n=64, where the spec touches 256 slots of x and 64 of y
//     parameters: {"x", 4 of kF32, "float4", const}, {"y", 1 of kF32, "float"}, {"n", "int"}
//     sizes:      {n=64, grid and block, extents {64, 64}}
//
// run_request() fills in what kernel and sizes determine: name, parameters and what each size launches. Left to the
// caller: the paths and what concerns the spec.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "synth/base/diagnostic.h"
#include "synth/program/compile_flags.h"
#include "synth/program/directives.h"
#include "synth/program/types.h"

namespace swizzle {

struct Posed;
struct Program;

enum class Where { kCpu, kGpu };

// Where an input is no parameter: the symbol that holds it, `__constant__ float w[49];` of the kernel, an array of the
// spec's file. Empty: a parameter.
struct Symbols {
  std::string of_kernel, of_spec;
};

struct BufferSpec {
  std::string name;
  ItemLayout item;
  std::string type_spelling;  // the pointee without const: "float", "float4", "unsigned"
  bool is_const = false;
  Symbols symbols = {};
  Symbols pointers = {};  // of the parameter as each one's file has it, "const E*"; empty: as type_spelling says

  std::string pointer(std::string Symbols::* of) const {
    return (pointers.*of).empty() ? (is_const ? "const " : "") + type_spelling + "*" : pointers.*of;
  }
};

struct ScalarParameter {
  enum class Of { kBoth, kSpec, kKernel };

  std::string name;
  std::string type_spelling;  // integers take their value from RunSize::sizes, float and double a random one
  Symbols symbols = {};
  Of of = Of::kBoth;  // kSpec: of the kernel the launch alone has it; kKernel: computed for it (computed_sizes.h)
};

using RunParameter = std::variant<BufferSpec, ScalarParameter>;

// What elements of a buffer start as: `count` integers from `low` on. 0: any.
struct InputRange {
  std::int64_t low = 0;
  std::uint64_t count = 0;
  bool is_distinct = false;
};

struct RunSize {
  Sizes sizes;
  LaunchShape shape;
  std::vector<std::int64_t> extents;           // items per buffer, in parameter order
  std::optional<LaunchShape> spec_shape = {};  // if the spec is a kernel, which only Where::kCpu runs
  std::int64_t dynamic_shared_bytes = 0;       // of the launch on Where::kGpu
  std::vector<InputRange> ranges = {};         // by buffer; those behind the last have none
};

struct RunRequest {
  std::string kernel_path;  // the emitted file
  std::string sketch_path;  // its quoted includes are found there; empty: beside the kernel
  std::string kernel_name;
  std::vector<std::string> kernel_macros;  // that its text defines; the spec has none of them
  std::string spec_function;
  std::string spec_text;                       // plain C++, already desugared
  std::string spec_path;                       // for messages
  std::vector<std::string> shared_names = {};  // of functions that kernel and spec have, each its own
  CompileFlags flags = {};                     // of the spec; the kernel has its macros itself
  std::vector<RunParameter> parameters;        // in the kernel's order, which is the spec's too
  std::vector<RunSize> sizes;
  int warp_lanes = 32;         // of the machine that the kernel is for; Where::kGpu has 32
  std::string arch = "sm_90";  // Where::kGpu
  std::uint64_t seed = 1;
  int rounds = 2;  // random inputs per size
};

RunRequest run_request(const Program& kernel, const std::vector<Posed>& posed);

// Those of the spec, whose parameters are the kernel's.
void name_symbols(const Program& spec, RunRequest& request);
// Where both have a function of a name, and hand it a type of CUDA's, which of them is meant would be open.
void name_shared_functions(const Program& kernel, const Program& spec, RunRequest& request);

// What the request leaves out or asks in vain: sizes without a value, wrong numbers of extents, a kernel as the spec on
// a GPU.
Diagnostics check_request(const RunRequest& request, Where where);

bool has_kernel_as_spec(const RunRequest& request);

// float, double and their kin take random values, integers those of the size.
bool is_real_spelling(const std::string& type);

}  // namespace swizzle
