#include "synth/proof/element_results.h"

#include <algorithm>
#include <vector>

#include "synth/proof/assigned_variables.h"
#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

class ElementResults : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

  std::optional<Program> run() {
    const Function entry = program_.function(program_.entry);
    for (const VariableId v : entry.parameters)
      if (is_pointer(v) && is_used_by_elements(entry.body, v)) buffers_.push_back(v);
    replace_in(entry.body);
    return is_other_ ? std::optional(std::move(program_)) : std::nullopt;
  }

 private:
  // Of the body of the function or of a loop; of the outermost that may be, first.
  void replace_in(StmtId body) {
    if (!body.valid()) return;
    for (const VariableId buffer : buffers_) replace_in(body, buffer);
    replace_in_parts(body);
  }

  void replace_in_parts(StmtId id) {
    if (!id.valid()) return;
    const Stmt s = stmt(id);
    if (s.kind == StmtKind::kFor) return replace_in(s.body[2]);
    for (const StmtId part : s.body) s.kind == StmtKind::kIf ? replace_in(part) : replace_in_parts(part);
  }

  // Nothing else is handed on of it than an element, to a call.
  bool is_used_by_elements(StmtId id, VariableId buffer) const {
    if (!id.valid()) return true;
    const Stmt& s = stmt(id);
    if (s.expr.valid() && s.kind == StmtKind::kDeclare && names(s.expr, buffer))
      if (program_.variable(s.variable).is_reference || is_pointer(s.variable)) return false;
    return (!s.expr.valid() || is_used_by_elements(s.expr, buffer, false)) &&
           std::ranges::all_of(s.body, [&](StmtId part) { return is_used_by_elements(part, buffer); });
  }
  bool is_used_by_elements(ExprId id, VariableId buffer, bool is_handed_over) const {
    const Expr& e = expr(id);
    if (e.kind == ExprKind::kAddressOf && !is_handed_over && names(id, buffer)) return false;
    if (is_of(id, buffer)) return false;
    if (is_element(id, buffer)) return program_.type(e.type).form == Type::Form::kScalar;
    return std::ranges::all_of(e.operands,
                               [&](ExprId o) { return is_used_by_elements(o, buffer, e.kind == ExprKind::kCall); });
  }

  void replace_in(StmtId body, VariableId buffer) {
    const std::vector<ExprId> places = places_of(body, buffer);
    if (places.empty() || !(is_changed_often(body, buffer) || is_named_again(body, buffer)) ||
        (program_.directives.launch && !is_read(body, places)))
      return;
    const ExprId place = places.front();
    const bool is_one = std::ranges::all_of(places, [&](ExprId other) { return is_same(place, other); });
    const auto first = is_one ? first_use(body, buffer) : std::nullopt;
    if (!first) return;
    const std::vector<StmtId> parts = parts_of_use(body, buffer, first->at);
    const bool is_kernel = program_.directives.launch.has_value();
    if (std::ranges::all_of(
            parts, [&](StmtId part) { return stays(place, part) && goes_on(part) && !(is_kernel && waits(part)); }))
      replace(body, buffer, places, *first, parts.size());
  }

  // Where the buffer is named, and the element that is meant there; the buffer itself, where none is.
  std::vector<ExprId> places_of(StmtId id, VariableId buffer) const {
    std::vector<ExprId> places;
    if (!id.valid()) return places;
    if (stmt(id).expr.valid()) add_places(stmt(id).expr, buffer, places);
    for (const StmtId part : stmt(id).body) std::ranges::copy(places_of(part, buffer), std::back_inserter(places));
    return places;
  }
  void add_places(ExprId id, VariableId buffer, std::vector<ExprId>& places) const {
    if (is_of(id, buffer) || is_element(id, buffer)) return places.push_back(id);
    for (const ExprId operand : expr(id).operands) add_places(operand, buffer, places);
  }
  bool is_element(ExprId id, VariableId buffer) const {
    const Expr& e = expr(id);
    if (e.kind != ExprKind::kSubscript && e.kind != ExprKind::kMember) return false;
    if (e.kind == ExprKind::kSubscript && names(e.operands[1], buffer)) return false;
    return is_of(e.operands[0], buffer) || is_element(e.operands[0], buffer);
  }

  // Stores alone are followed where they are.
  bool is_read(StmtId body, const std::vector<ExprId>& places) const {
    const std::size_t stores = count_in(body, [&](const Expr& e) {
      return e.kind == ExprKind::kAssign && !e.compound && std::ranges::find(places, e.operands[0]) != places.end();
    });
    return stores < places.size();
  }

  // The same element throughout.
  bool stays(ExprId place, StmtId body) const {
    std::set<VariableId> changed = AssignedVariables::in(program_, body).variables;
    declared_in(body, changed);
    const auto may_change = [&](const Expr& e) {
      switch (e.kind) {
        case ExprKind::kVariable: return changed.contains(e.variable) && !is_pointer(e.variable);
        case ExprKind::kIntLiteral:
        case ExprKind::kUnary:
        case ExprKind::kBinary:
        case ExprKind::kCast: return false;
        case ExprKind::kSubscript:
        case ExprKind::kMember: return !is_part_of(e, place);
        default: return true;
      }
    };
    return !any_in(place, may_change);
  }
  bool is_part_of(const Expr& e, ExprId place) const {  // of the place itself, not of its index
    const Expr& whole = expr(place);
    if (&whole == &e) return true;
    return (whole.kind == ExprKind::kSubscript || whole.kind == ExprKind::kMember) && is_part_of(e, whole.operands[0]);
  }

  // In a loop of the body.
  bool is_changed_often(StmtId id, VariableId buffer) const {
    if (!id.valid()) return false;
    if (is_loop(stmt(id).kind)) return AssignedVariables::in(program_, id).variables.contains(buffer);
    return std::ranges::any_of(stmt(id).body, [&](StmtId part) { return is_changed_often(part, buffer); });
  }

  // Behind a statement of the body that changes it.
  bool is_named_again(StmtId id, VariableId buffer) const {
    if (stmt(id).kind != StmtKind::kBlock) return false;
    const std::vector<StmtId>& parts = stmt(id).body;
    const auto changes = [&](StmtId part) {
      return part.valid() && AssignedVariables::in(program_, part).variables.contains(buffer);
    };
    const auto first = std::ranges::find_if(parts, changes);
    return first != parts.end() &&
           std::any_of(first + 1, parts.end(), [&](StmtId part) { return names(part, buffer); });
  }

  // What names the buffer first, whatever is so: of the body, the statement there; `y[i] = 0` with its value.
  struct FirstUse {
    std::size_t at = 0;
    std::optional<ExprId> value;
  };
  std::optional<FirstUse> first_use(StmtId body, VariableId buffer) const {
    if (stmt(body).kind != StmtKind::kBlock)
      return is_always_used(body, buffer) ? std::optional(FirstUse{}) : std::nullopt;
    const std::vector<StmtId>& parts = stmt(body).body;
    const auto at = std::ranges::find_if(parts, [&](StmtId part) { return names(part, buffer); });
    if (at == parts.end()) return std::nullopt;
    const auto index = static_cast<std::size_t>(at - parts.begin());
    if (stmt(*at).kind == StmtKind::kExpr) {
      const Expr& e = expr(stmt(*at).expr);
      if (e.kind == ExprKind::kAssign && !e.compound && is_element(e.operands[0], buffer) &&
          !names(e.operands[1], buffer))
        return FirstUse{index, e.operands[1]};
    }
    return is_always_used(*at, buffer) ? std::optional(FirstUse{index, std::nullopt}) : std::nullopt;
  }
  // From there on up to the last that names the buffer.
  std::vector<StmtId> parts_of_use(StmtId body, VariableId buffer, std::size_t at) const {
    if (stmt(body).kind != StmtKind::kBlock) return {body};
    std::vector<StmtId> parts(stmt(body).body.begin() + static_cast<std::ptrdiff_t>(at), stmt(body).body.end());
    while (!names(parts.back(), buffer)) parts.pop_back();
    return parts;
  }
  bool is_always_used(StmtId id, VariableId buffer) const {
    if (!id.valid() || !names(id, buffer)) return false;
    const Stmt& s = stmt(id);
    if (s.kind == StmtKind::kExpr || s.kind == StmtKind::kDeclare)
      return !any_in(s.expr, [](const Expr& e) { return e.kind == ExprKind::kConditional || is_lazy(e); });
    if (s.kind != StmtKind::kBlock && s.kind != StmtKind::kFor) return false;
    for (const StmtId part : s.body) {
      if (is_always_used(part, buffer)) return true;
      if (part.valid() && !goes_on(part)) return false;
    }
    return false;
  }
  static bool is_lazy(const Expr& e) {
    return e.kind == ExprKind::kBinary && (e.op == Operator::kLogicalAnd || e.op == Operator::kLogicalOr);
  }

  void replace(StmtId body, VariableId buffer, const std::vector<ExprId>& places, const FirstUse& first,
               std::size_t parts) {
    is_other_ = true;
    const ExprId place = made(Expr(expr(places.front())));
    const SourceRange range = expr(place).range;
    Variable result;
    result.name = program_.variable(buffer).name;
    result.type = expr(place).type;
    result.range = range;
    const VariableId own = TreeBuilder(program_).make(std::move(result));
    const StmtId begin = declaration(own, first.value ? read_with(place, *first.value) : place, range);
    const StmtId end = made(expression(TreeBuilder(program_).assigned(place, read_of(own, range), range)));
    Stmt whole = stmt(body);
    if (whole.kind != StmtKind::kBlock) {
      whole = {};
      whole.range = stmt(body).range;
      whole.body = {made(Stmt(stmt(body)))};
    }
    const auto at = whole.body.begin() + static_cast<std::ptrdiff_t>(first.at);
    if (first.value) *at = begin;
    else whole.body.insert(at, begin);
    const std::size_t behind = first.at + parts + (first.value ? 0 : 1);
    whole.body.insert(whole.body.begin() + static_cast<std::ptrdiff_t>(behind), end);
    for (const ExprId other : places) program_.exprs[other.value] = Expr(expr(read_of(own, expr(other).range)));
    program_.stmts[body.value] = std::move(whole);
  }

  std::vector<VariableId> buffers_;
  bool is_other_ = false;
};

}  // namespace

std::optional<Program> with_element_results(const Program& program) { return ElementResults(program).run(); }

}  // namespace swizzle
