#include "codegen/run/emulated_text.h"

#include <cctype>
#include <optional>

#include <fmt/format.h>

#include "synth/base/source_edits.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

bool is_inside(SourceRange inner, SourceRange outer) { return is_within(inner, outer) && !(inner == outer); }

Diagnostic hidden_operand(const SourceText& source, SourceRange statement) {
  return make_error(
      source, statement,
      "an operand of this inline PTX stands in the body of a macro, so that it cannot be run under the emulation; make it an argument of the macro, or pass --run=none");
}

Result<std::string> call_of(const SourceText& source, const MatrixStatement& s) {
  std::string registers;
  bool is_written_here = is_inside(s.address, s.range);
  for (const SourceRange r : s.registers) {
    is_written_here = is_written_here && is_inside(r, s.range);
    registers += fmt::format(", {}", source.slice(r));
  }
  if (!is_written_here) return hidden_operand(source, s.range);
  return fmt::format("swizzle_emulation::{}<{}, {}>(({}) + {}{})", name_of(s.touch.operation), s.touch.matrices,
                     s.touch.is_transposed, source.slice(s.address), s.offset_bytes, registers);
}

std::string text_of(const SourceText& source, const PtxOperand& operand) {
  const bool is_written = operand.written.end > operand.written.begin;
  return is_written ? fmt::format("({})", source.slice(operand.written)) : std::to_string(operand.number);
}

// One expression: what several instructions do, one after the other.
Result<std::string> calls_of(const SourceText& source, const CopyStatement& s) {
  std::string text;
  for (const CopyStatement::Instruction& i : s.instructions) {
    std::vector<PtxOperand> operands = i.operands;
    if (i.happens) operands.push_back(*i.happens);
    for (const PtxOperand& o : operands)
      if (o.written.end > o.written.begin && !is_inside(o.written, s.range)) return hidden_operand(source, s.range);
    const auto operand = [&](std::size_t n) { return text_of(source, i.operands[n]); };
    std::string call = "swizzle_emulation::commit_copies()";
    if (i.intrinsic == Intrinsic::kWaitCopies) call = fmt::format("swizzle_emulation::wait_for_copies({})", operand(0));
    if (i.intrinsic == Intrinsic::kCopyAsync)
      call = fmt::format("swizzle_emulation::ptx_copy({} + {}, {}, {}, {}, {})", operand(0), i.operands[0].number,
                         operand(1), i.operands[1].number, operand(2), operand(3));
    if (i.happens)
      call = fmt::format("({}{} ? {} : void())", i.happens_not ? "!" : "", text_of(source, *i.happens), call);
    text += (text.empty() ? "" : ", ") + call;
  }
  return "(" + text + ")";
}

// `static` in declarations of shared arrays, which may say it: under the emulation __shared__ does. By the words, so
// that a macro's are found as well.
void drop_static_of_shared(const SourceText& source, std::vector<SourceEdit>& edits) {
  const std::string& text = source.text();
  std::optional<SourceRange> before;  // in this declaration, a `static` that no __shared__ has followed yet
  bool is_shared = false, is_directive = false;
  const auto is_of_word = [&](std::size_t i) {
    return std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_';
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool ends_directive = is_directive && c == '\n' && text[at - 1] != '\\';
    if (c == ';' || c == '{' || c == '}' || c == '#' || ends_directive) before.reset(), is_shared = false;
    if (c == '#' || ends_directive) is_directive = c == '#';
    if (!is_of_word(at)) continue;
    const std::size_t begin = at;
    while (at + 1 < text.size() && is_of_word(at + 1)) ++at;
    const std::string_view word = std::string_view(text).substr(begin, at + 1 - begin);
    if (word == "static") before = SourceRange{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at + 1)};
    is_shared = is_shared || word == "__shared__";
    if (!is_shared || !before) continue;
    edits.push_back({*before, ""});
    before.reset();
  }
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
  for (const CopyStatement& s : program.copy_statements) {
    auto calls = calls_of(source, s);
    if (!calls.ok()) return calls.errors();
    edits.push_back({s.range, std::move(*calls)});
  }
  for (const Variable& v : program.variables) {
    if (!v.is_shared || !v.is_extern) continue;
    const std::string& element = program.type(program.type(v.type).element).spelling;
    edits.push_back({v.declaration,
                     fmt::format("{0}* const {1} = reinterpret_cast<{0}*>(swizzle_emulation::dynamic_shared_memory());",
                                 element, v.name)});
  }
  drop_static_of_shared(source, edits);
  for (const SourceRange range : program.host_code) edits.push_back({range, ""});
  return edited(source, std::move(edits), LineBreaks::kKept);
}

std::string text_without_host_code(const Program& program) {
  std::vector<SourceEdit> edits;
  for (const SourceRange range : program.host_code) edits.push_back({range, ""});
  return preamble(program.flags) + edited(program.source, std::move(edits), LineBreaks::kKept);
}

}  // namespace swizzle
