#include "codegen/emit/alignment.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

constexpr int kWidestBytes = 16;  // of one access
constexpr std::string_view kShared = "__shared__";

// What an address leads to must be aligned to: of what a variable, or what a function returns, holds.
class Alignments {
 public:
  explicit Alignments(const Program& program)
      : program_(program),
        needed_(program.variables.size() + program.functions.size(), 1),
        returned_(program.functions.size()) {
    for (std::size_t f = 0; f < program.functions.size(); ++f) find_returned(program.functions[f].body, returned_[f]);
    for (std::size_t n = 0; n < program.exprs.size(); ++n) add_needs(program.expr(ExprId(n)));
    for (bool grows = true; grows;) grows = pass_on();
  }

  int needed(VariableId v) const { return needed_[v.value]; }

 private:
  using Holder = std::size_t;  // a variable, or behind them a function
  Holder holder(FunctionId f) const { return program_.variables.size() + f.value; }

  const Type& type_of(ExprId id) const { return program_.type(program_.expr(id).type); }

  void find_returned(StmtId id, std::vector<ExprId>& found) const {
    if (!id.valid()) return;
    const Stmt& s = program_.stmt(id);
    if (s.kind == StmtKind::kReturn && s.expr.valid()) found.push_back(s.expr);
    for (const StmtId inner : s.body) find_returned(inner, found);
  }

  bool raise(Holder holder, int bytes) {
    const bool grows = needed_[holder] < bytes;
    needed_[holder] = std::max(needed_[holder], bytes);
    return grows;
  }

  bool need(ExprId address, int bytes) {
    bool grows = false;
    roots(address, [&](Holder h) { grows |= raise(h, bytes); });
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

  // What an address is made of, or points into.
  void roots(ExprId id, const std::function<void(Holder)>& each) const {
    const Expr& e = program_.expr(id);
    const bool is_pointer = program_.type(e.type).form == Type::Form::kPointer;
    switch (e.kind) {
      case ExprKind::kVariable: return each(e.variable.value);
      case ExprKind::kSubscript:
      case ExprKind::kMember: return roots(e.operands[0], each);
      case ExprKind::kConditional: return roots(e.operands[1], each), roots(e.operands[2], each);
      case ExprKind::kCall: return each(holder(e.callee));
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
    for (std::size_t f = 0; f < returned_.size(); ++f) {
      const bool is_shared = is_way_to_addresses(program_.type(program_.functions[f].return_type));
      for (const ExprId value : returned_[f]) grows |= pass_on(holder(FunctionId(f)), value, is_shared);
    }
    for (const Expr& e : program_.exprs) {
      if (e.kind == ExprKind::kAssign) grows |= assign(e);
      if (e.kind != ExprKind::kCall) continue;
      const Function& callee = program_.function(e.callee);
      for (std::size_t i = 0; i < std::min(e.operands.size(), callee.parameters.size()); ++i)
        grows |= pass_on(callee.parameters[i], e.operands[i]);
    }
    return grows;
  }

  // Of a record or an array, what is stored in a part of it. Numbers are no addresses, save in members: those that
  // __cvta_generic_to_shared() gives.
  bool assign(const Expr& e) {
    const Expr& place = program_.expr(e.operands[0]);
    if (place.kind == ExprKind::kVariable) return pass_on(place.variable, e.operands[1]);
    if (!holds_addresses(program_.type(place.type)) && place.kind != ExprKind::kMember) return false;
    bool grows = false;
    roots(e.operands[0], [&](Holder h) { grows |= pass_on(h, e.operands[1], false); });
    return grows;
  }

  bool pass_on(VariableId to, ExprId from) {
    const Variable& v = program_.variable(to);
    const bool is_alias = v.is_reference && holds_addresses(program_.type(v.type));
    return pass_on(to.value, from, is_alias || v.name == "this" || is_way_to_addresses(program_.type(v.type)));
  }

  // With `both`, what is stored through `to` is what is found where `from` leads to.
  bool pass_on(Holder to, ExprId from, bool both) {
    bool grows = needed_[to] > 1 && need(from, needed_[to]);
    if (both) roots(from, [&](Holder h) { grows |= raise(to, needed_[h]); });
    return grows;
  }

  bool holds_addresses(const Type& type) const {
    if (type.form == Type::Form::kArray) return holds_addresses(program_.type(type.element));
    return type.form == Type::Form::kPointer || (type.form == Type::Form::kRecord && type.places.empty());
  }

  // A pointer to pointers, or a record that may have one.
  bool is_way_to_addresses(const Type& type) const {
    if (type.form == Type::Form::kArray) return is_way_to_addresses(program_.type(type.element));
    if (type.form == Type::Form::kPointer) return type.element.valid() && holds_addresses(program_.type(type.element));
    return holds_addresses(type);
  }

  const Program& program_;
  std::vector<int> needed_;                    // by holder
  std::vector<std::vector<ExprId>> returned_;  // by function
};

bool says_alignment(std::string_view declaration) {
  return std::ranges::any_of(std::array{"__align__", "alignas", "aligned"},
                             [&](std::string_view word) { return declaration.find(word) != std::string_view::npos; });
}

// Behind the last `__shared__` of the code in front of a name; nothing: it has none.
std::optional<std::size_t> behind_shared(std::string_view declaration) {
  std::optional<std::size_t> found;
  for (std::size_t line = 0; line < declaration.size();) {
    const std::size_t end = std::min(declaration.find('\n', line), declaration.size());
    std::string_view code = declaration.substr(line, end - line);
    code = code.substr(0, code.find("//"));
    const std::size_t first = code.find_first_not_of(" \t"), at = code.rfind(kShared);
    if (at != std::string_view::npos && code[first] != '#') found = line + at + kShared.size();
    line = end + 1;
  }
  return found;
}

// Of one declaration, which instances of a template share.
void add(std::vector<SourceEdit>& edits, std::map<std::uint32_t, int>& made, std::uint32_t at, int bytes) {
  int& known = made[at];
  if (known >= bytes) return;
  std::erase_if(edits, [&](const SourceEdit& e) { return e.range.begin == at; });
  edits.push_back({{at, at}, fmt::format(" __align__({})", bytes)});
  known = bytes;
}

}  // namespace

Result<std::vector<SourceEdit>> alignment_edits(const Program& sketch) {
  const Alignments alignments(sketch);
  std::vector<SourceEdit> edits;
  std::map<std::uint32_t, int> made;
  for (std::size_t n = 0; n < sketch.variables.size(); ++n) {
    const Variable& v = sketch.variables[n];
    const int bytes = v.is_shared ? alignments.needed(VariableId(n)) : 1;
    if (bytes <= sketch.type(v.type).alignment_bytes) continue;
    const std::string_view text = sketch.source.text();
    const std::size_t before = text.find_last_of(";{}", v.range.begin);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view declaration = text.substr(begin, v.range.begin - begin);
    const auto shared = behind_shared(declaration);
    if (says_alignment(declaration) || !shared)
      return make_error(
          sketch.source, v.range,
          fmt::format("'{}' is accessed by {} bytes at once; declare it with __align__({})", v.name, bytes, bytes));
    add(edits, made, static_cast<std::uint32_t>(begin + *shared), bytes);
  }
  return edits;
}

}  // namespace swizzle
