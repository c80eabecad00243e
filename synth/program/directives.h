// The `#pragma swizzle` lines of a sketch, and the small arithmetic in them.
//
//   #pragma swizzle launch grid(n / 64) block(64)
//   #pragma swizzle instance n = 128
//   #pragma swizzle check n = 4096
//   #pragma swizzle extent x(n + 32)
//   #pragma swizzle range idx(0, n) distinct
//   #pragma swizzle bits(x, y)
//   #pragma swizzle assume n % 64 == 0
//
// Expressions range over the kernel's integer parameters and the file's integer constants: + - * / % ( ), unary -,
// min(a, b), max(a, b), and integer literals. Values are 64-bit; `/` and `%` truncate as in C.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "synth/base/diagnostic.h"

namespace swizzle {

using Sizes = std::map<std::string, std::int64_t>;  // parameter name → value

std::string sizes_text(const Sizes& sizes);  // "h=4, n=64"; "the only size" without any
std::string at_sizes(const Sizes& sizes);    // " at h = 4, n = 64", behind what happens there; "" without any

struct SizeExpr {
  std::string text;   // as written
  SourceRange range;  // in the sketch
  Sizes constants{};  // of the file: what these names stand for, whatever the sizes
};

// The value of `expr` under `sizes`, or an error that points into `source`: an unknown name, a division by zero,
// or what does not parse.
Result<std::int64_t> evaluate(const SizeExpr& expr, const Sizes& sizes, const SourceText& source);

struct SizeLine {  // one `instance` or `check` line
  Sizes sizes;
  std::map<std::string, SourceRange> values;  // as they are written: n = 32
  SourceRange range;
};

struct Extent {
  std::string buffer;
  SizeExpr elements;
  SourceRange range, named;
  bool is_assumed = false;  // nobody says so: a kernel that is verified reads so far
};

// Elements of an integer buffer, before the launch, are in [low, high).
struct ElementRange {
  std::string buffer;
  SizeExpr low, high;
  bool is_distinct = false;  // and no two are alike
  SourceRange range;
};

// What the host code computes for a parameter of the kernel: k<<<…>>>(y, rows * cols).
struct HandedSize {
  std::string parameter;
  SizeExpr value;  // over other parameters, and names of the host code
};

struct Launch {
  std::vector<SizeExpr> grid;  // 1 to 3 expressions, x first
  std::vector<SizeExpr> block;
  SourceRange range;
  std::vector<HandedSize> handed = {};
  std::optional<SizeExpr> shared_bytes = {};  // of dynamic shared memory; nothing: not known
};

struct MachineName {
  std::string name;  // of a row of the table in wavefronts.h
  SourceRange range;
};

// An array whose words are followed bit by bit.
struct BitsName {
  std::string buffer;
  SourceRange range;  // of the name
  SourceRange line;
};

// What the kernel asks of its sizes: `left comparison right`.
struct Assumption {
  SizeExpr left, right;
  std::string comparison;  // "==", "!=", "<", "<=", ">", ">="
};

// Errors as those of evaluate().
Result<bool> holds(const Assumption& assumption, const Sizes& sizes, const SourceText& source);

struct Directives {
  std::optional<Launch> launch;
  std::vector<SizeLine> instances;
  std::vector<SizeLine> checks;
  std::vector<Extent> extents;
  std::vector<ElementRange> ranges;
  std::vector<Assumption> assumptions;
  std::optional<MachineName> machine;
  std::vector<BitsName> bits;
  std::set<std::string> chosen;  // sizes whose values nobody gave: any other is asked about as well
  Diagnostics doubts;            // warnings: what launches in the file have that is not looked at
};

struct LaunchShape {
  std::array<int, 3> grid{1, 1, 1};   // blocks
  std::array<int, 3> block{1, 1, 1};  // threads
  int threads_per_block() const { return block[0] * block[1] * block[2]; }
  std::int64_t blocks() const { return std::int64_t{grid[0]} * grid[1] * grid[2]; }
};

// What keeps a GPU from launching this, of every compute capability (CUDA C++ Programming Guide): "128 threads along z
// are more than the 64 that there can be"; empty: nothing.
std::string launch_obstacle(const LaunchShape& shape);

inline constexpr int kMostBlocksAlongOthers = 65535;  // along y and z

Result<LaunchShape> evaluate(const Launch& launch, const Sizes& sizes, const SourceText& source);

}  // namespace swizzle
