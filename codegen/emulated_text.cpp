#include "codegen/emulated_text.h"

#include <algorithm>

#include <fmt/format.h>

namespace swizzle {
namespace {

struct Replacement {
  SourceRange range;
  std::string text;
};

bool is_within(SourceRange inner, SourceRange outer) {
  return inner.begin >= outer.begin && inner.end <= outer.end && !(inner == outer);
}

Result<std::string> call_of(const SourceText& source, const MatrixStatement& s) {
  std::string registers;
  bool is_written_here = is_within(s.address, s.range);
  for (const SourceRange r : s.registers) {
    is_written_here = is_written_here && is_within(r, s.range);
    registers += fmt::format(", {}", source.slice(r));
  }
  if (!is_written_here)
    return make_error(
        source, s.range,
        "an operand of this inline PTX stands in the body of a macro, so that it cannot be run under the emulation; make it an argument of the macro, or pass --run=none");
  const char* name = s.touch.operation == MemoryOperation::kLdmatrix ? "ldmatrix" : "stmatrix";
  return fmt::format("swizzle_emulation::{}<{}, {}>(({}) + {}{})", name, s.touch.matrices, s.touch.is_transposed,
                     source.slice(s.address), s.offset_bytes, registers);
}

}  // namespace

Result<std::string> emulated_text(const Program& program) {
  const SourceText& source = program.source;
  std::vector<Replacement> replacements;
  for (const MatrixStatement& s : program.matrix_statements) {
    auto call = call_of(source, s);
    if (!call.ok()) return call.errors();
    replacements.push_back({s.range, std::move(*call)});
  }
  for (const Variable& v : program.variables) {
    if (!v.is_shared || !v.is_extern) continue;
    const std::string& element = program.type(program.type(v.type).element).spelling;
    replacements.push_back(
        {v.declaration,
         fmt::format("{0}* const {1} = reinterpret_cast<{0}*>(swizzle_emulation::dynamic_shared_memory());", element,
                     v.name)});
  }
  for (const SourceRange range : program.host_code) replacements.push_back({range, ""});
  std::sort(replacements.begin(), replacements.end(),
            [](const Replacement& a, const Replacement& b) { return a.range.begin < b.range.begin; });
  std::string text;
  std::uint32_t at = 0;
  for (const Replacement& r : replacements) {
    if (r.range.begin < at) continue;
    text += source.slice({at, r.range.begin});
    text += r.text;
    const std::string_view replaced = source.slice(r.range);
    text.append(static_cast<std::size_t>(std::count(replaced.begin(), replaced.end(), '\n')), '\n');
    at = r.range.end;
  }
  return text + std::string(source.slice({at, static_cast<std::uint32_t>(source.text().size())}));
}

}  // namespace swizzle
