// How load(), store() and accumulators are written out as plain CUDA: private to codegen/.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "synth/problem/pose.h"

namespace swizzle {

struct HelperContext {
  const Program& program;
  const std::vector<Posed>& posed;
  std::function<std::string(ExprId)> text_of;  // an expression's text with its holes filled in
  // How long a parameter's buffer is; an error points at what asks.
  std::function<Result<std::string>(std::size_t, SourceRange)> extent_of;
};

// `declaration` declares the registers: `auto rc = load(x, offset, slice, iterations);`
Result<std::string> load_text(const HelperContext& context, const Stmt& declaration);
Result<std::string> store_text(const HelperContext& context, ExprId store);
// `auto o = create_accumulator(0, identity, plus);` → `float o = 0;`
Result<std::string> accumulator_text(const HelperContext& context, const Stmt& declaration);
// `accumulate(o, {a, b}, c)` → `if (c) o ^= a & b`; empty if c is false
std::string accumulate_text(const HelperContext& context, ExprId accumulate);

inline constexpr std::size_t kFirstElement = 3;  // among the operands of kAccumulate

// The variable that `a`, `a[i]` or `a[i].b` is a part of; invalid: of none.
VariableId root_of(const Program& program, ExprId place);

// Stands where a statement was. without_removed() takes the lines out on which nothing else is, and blank lines that
// they leave side by side or in front of a brace.
inline constexpr char kRemoved = '\x01';
std::string without_removed(const std::string& text);

// `text` with the line ends of `source`, where all of those are \r\n.
std::string with_line_ends_of(const std::string& source, const std::string& text);

// Behind the `;` of a statement, which its range may lack.
std::uint32_t statement_end(const SourceText& source, SourceRange statement);
// Of the line that `offset` is in.
std::string indentation(const SourceText& source, std::uint32_t offset);
std::vector<std::string> lines_of(const std::string& text);

}  // namespace swizzle
