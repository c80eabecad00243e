#include "codegen/emit/alignment.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

constexpr int kWidestBytes = 16;  // of one access
constexpr std::string_view kShared = "__shared__";

class Alignments {
 public:
  explicit Alignments(const Program& program) : program_(program) {
    for (std::size_t n = 0; n < program.exprs.size(); ++n) add_needs(program.expr(ExprId(n)));
    for (bool grows = true; grows;) grows = pass_on();
  }

  int needed(VariableId v) const {
    const auto found = needed_.find(v);
    return found == needed_.end() ? 1 : found->second;
  }

 private:
  const Type& type_of(ExprId id) const { return program_.type(program_.expr(id).type); }

  bool need(ExprId address, int bytes) {
    bool grows = false;
    roots(address, [&](VariableId v) {
      int& known = needed_.emplace(v, 1).first->second;
      grows |= known < bytes;
      known = std::max(known, bytes);
    });
    return grows;
  }

  void add_needs(const Expr& e) {
    if (e.kind == ExprKind::kIntrinsic && e.touch.matrices > 0 && !e.operands.empty())
      need(e.operands[0], kWidestBytes);
    if (e.kind == ExprKind::kIntrinsic && e.intrinsic == Intrinsic::kCopyAsync) {
      const Expr* bytes = &program_.expr(e.operands[2]);
      while (bytes->kind == ExprKind::kCast) bytes = &program_.expr(bytes->operands[0]);
      const bool is_known = bytes->kind == ExprKind::kIntLiteral && bytes->int_value > 0;
      need(e.operands[0],
           is_known ? static_cast<int>(std::min<std::int64_t>(bytes->int_value, kWidestBytes)) : kWidestBytes);
    }
    const Type& to = program_.type(e.type);
    if (e.kind != ExprKind::kCast || to.form != Type::Form::kPointer || !to.element.valid()) return;
    const Type& from = type_of(e.operands[0]);
    if (!from.element.valid()) return;
    const Type* element = &program_.type(from.element);
    while (element->form == Type::Form::kArray) element = &program_.type(element->element);
    const int bytes = std::min(kWidestBytes, program_.type(to.element).alignment_bytes);
    if (bytes > element->alignment_bytes) need(e.operands[0], bytes);
  }

  // The variables that an address is made of, or points into.
  void roots(ExprId id, const std::function<void(VariableId)>& each) const {
    const Expr& e = program_.expr(id);
    const bool is_pointer = program_.type(e.type).form == Type::Form::kPointer;
    switch (e.kind) {
      case ExprKind::kVariable: return each(e.variable);
      case ExprKind::kSubscript:
      case ExprKind::kMember: return roots(e.operands[0], each);
      case ExprKind::kConditional: return roots(e.operands[1], each), roots(e.operands[2], each);
      default:
        for (const ExprId operand : e.operands)
          if (!is_pointer || e.kind != ExprKind::kBinary || program_.type(program_.expr(operand).type).element.valid())
            roots(operand, each);
    }
  }

  // What a variable needs, that needs which it was made from.
  bool pass_on() {
    bool grows = false;
    for (const Stmt& s : program_.stmts)
      if (s.kind == StmtKind::kDeclare && s.expr.valid()) grows |= pass_on(s.variable, s.expr);
    for (const Expr& e : program_.exprs) {
      if (e.kind == ExprKind::kAssign && program_.expr(e.operands[0]).kind == ExprKind::kVariable)
        grows |= pass_on(program_.expr(e.operands[0]).variable, e.operands[1]);
      if (e.kind != ExprKind::kCall) continue;
      const Function& callee = program_.function(e.callee);
      for (std::size_t i = 0; i < std::min(e.operands.size(), callee.parameters.size()); ++i)
        grows |= pass_on(callee.parameters[i], e.operands[i]);
    }
    return grows;
  }
  bool pass_on(VariableId to, ExprId from) { return needed(to) > 1 && need(from, needed(to)); }

  const Program& program_;
  std::map<VariableId, int> needed_;
};

// The alignment that a declaration says; nothing if it says none, 0 if it says one that is no number.
std::optional<int> said(std::string_view declaration) {
  for (const std::string_view word : {"__align__", "alignas", "aligned"}) {
    const std::size_t at = declaration.find(word);
    if (at == std::string_view::npos) continue;
    const std::size_t digits = declaration.find_first_not_of(" (", at + word.size());
    int bytes = 0;
    if (digits != std::string_view::npos)
      std::from_chars(declaration.data() + digits, declaration.data() + declaration.size(), bytes);
    return bytes;
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<SourceEdit>> alignment_edits(const Program& sketch) {
  const Alignments alignments(sketch);
  std::vector<SourceEdit> edits;
  for (std::size_t n = 0; n < sketch.variables.size(); ++n) {
    const Variable& v = sketch.variables[n];
    const int bytes = v.is_shared ? alignments.needed(VariableId(n)) : 1;
    if (bytes <= sketch.type(v.type).alignment_bytes) continue;
    const std::string_view text = sketch.source.text();
    const std::size_t before = text.find_last_of(";{}", v.range.begin);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view declaration = text.substr(begin, v.range.begin - begin);
    const auto own = said(declaration);
    const std::size_t shared = declaration.find(kShared);
    if (own && (*own == 0 || *own >= bytes)) continue;
    if (own || shared == std::string_view::npos)
      return make_error(
          sketch.source, v.range,
          fmt::format("'{}' is accessed by {} bytes at once; declare it with __align__({})", v.name, bytes, bytes));
    const auto at = static_cast<std::uint32_t>(begin + shared + kShared.size());
    const bool is_made =
        std::any_of(edits.begin(), edits.end(), [&](const SourceEdit& e) { return e.range.begin == at; });
    if (!is_made) edits.push_back({{at, at}, fmt::format(" __align__({})", bytes)});
  }
  return edits;
}

}  // namespace swizzle
