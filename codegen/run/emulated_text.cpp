#include "codegen/run/emulated_text.h"

#include <fmt/format.h>

#include "synth/base/source_edits.h"

namespace swizzle {
namespace {

bool is_inside(SourceRange inner, SourceRange outer) { return is_within(inner, outer) && !(inner == outer); }

Result<std::string> call_of(const SourceText& source, const MatrixStatement& s) {
  std::string registers;
  bool is_written_here = is_inside(s.address, s.range);
  for (const SourceRange r : s.registers) {
    is_written_here = is_written_here && is_inside(r, s.range);
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
  std::vector<SourceEdit> edits;
  for (const MatrixStatement& s : program.matrix_statements) {
    auto call = call_of(source, s);
    if (!call.ok()) return call.errors();
    edits.push_back({s.range, std::move(*call)});
  }
  for (const Variable& v : program.variables) {
    if (!v.is_shared || !v.is_extern) continue;
    const std::string& element = program.type(program.type(v.type).element).spelling;
    edits.push_back({v.declaration,
                     fmt::format("{0}* const {1} = reinterpret_cast<{0}*>(swizzle_emulation::dynamic_shared_memory());",
                                 element, v.name)});
  }
  for (const SourceRange range : program.host_code) edits.push_back({range, ""});
  return edited(source, std::move(edits), LineBreaks::kKept);
}

}  // namespace swizzle
