#include "codegen/emit/guard_groups.h"

#include <algorithm>

#include <fmt/format.h>

#include "codegen/emit/emit_support.h"
#include "codegen/emit/hole_text.h"
#include "synth/base/text.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

using Op = IndexExpr::Op;

constexpr std::size_t kAccumulator = 0, kCondition = 1;  // operands of kAccumulate; the rest: kFirstElement

bool commutes(Operator op) {
  return op == Operator::kAdd || op == Operator::kXor || op == Operator::kAnd || op == Operator::kOr;
}

std::optional<Operator> operator_of(AccumulatorOp op) {
  switch (op) {
    case AccumulatorOp::kPlus: return Operator::kAdd;
    case AccumulatorOp::kXor: return Operator::kXor;
    case AccumulatorOp::kAnd: return Operator::kAnd;
    case AccumulatorOp::kOr: return Operator::kOr;
    default: return std::nullopt;
  }
}

// `<` against a natural number as `<=`: one comparison has one form.
IndexExpr normal_form(const IndexExpr& e) {
  if (e.op != Op::kLt) return e;
  const IndexExpr &a = e.operands[0], &b = e.operands[1];
  if (b.is_constant() && b.value > 0) return IndexExpr::compare(Op::kLe, a, IndexExpr::constant(b.value - 1));
  if (a.is_constant() && a.value >= 0) return IndexExpr::compare(Op::kLe, IndexExpr::constant(a.value + 1), b);
  return e;
}

IndexExpr opposite(const IndexExpr& e) {
  switch (e.op) {
    case Op::kLt: return IndexExpr::compare(Op::kLe, e.operands[1], e.operands[0]);
    case Op::kLe: return IndexExpr::compare(Op::kLt, e.operands[1], e.operands[0]);
    case Op::kEq: return IndexExpr::compare(Op::kNe, e.operands[0], e.operands[1]);
    default: return IndexExpr::compare(Op::kEq, e.operands[0], e.operands[1]);
  }
}

template <typename Set>
bool meet(const Set& a, const Set& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& v) { return b.contains(v); });
}

}  // namespace

GuardGroups::GuardGroups(const Program& sketch, const Completion& completion, TextOf text_of)
    : sketch_(sketch),
      completion_(completion),
      text_of_(std::move(text_of)) {
  for (const Expr& e : sketch.exprs)
    if (e.kind == ExprKind::kAddressOf ||
        (e.kind == ExprKind::kCast && sketch.type(e.type).form == Type::Form::kPointer))
      if (const VariableId v = root_of(sketch, e.operands[0]); v.valid()) aliased_.insert(v);
  for (const Stmt& s : sketch.stmts) begins_.insert(s.range.begin);
}

std::vector<SourceEdit> GuardGroups::edits() const {
  std::vector<SourceEdit> edits;
  for (const Stmt& block : sketch_.stmts) {
    if (block.kind != StmtKind::kBlock) continue;
    std::vector<Update> run;
    for (const StmtId id : block.body) {
      auto update = update_of(id);
      if (update) {
        run.push_back(std::move(*update));
        continue;
      }
      group(run, edits);
      run.clear();
    }
    group(run, edits);
  }
  return edits;
}

std::optional<GuardGroups::Update> GuardGroups::update_of(StmtId id) const {
  const Stmt& s = sketch_.stmt(id);
  if (s.kind != StmtKind::kExpr && s.kind != StmtKind::kIf) return std::nullopt;  // others may have no text
  Update update;
  update.range = {s.range.begin, statement_end(sketch_.source, s.range)};
  if (s.kind == StmtKind::kExpr && s.expr.valid()) {
    if (!add_update(s.expr, update)) return std::nullopt;
  } else if (s.kind == StmtKind::kIf && s.body.size() == 1) {
    if (!set_guard(s.expr, update)) return std::nullopt;
    const Stmt& body = sketch_.stmt(s.body[0]);
    const std::vector<StmtId> statements = body.kind == StmtKind::kBlock ? body.body : s.body;
    for (const StmtId inner : statements) {
      const Stmt& one = sketch_.stmt(inner);
      if (one.kind != StmtKind::kExpr || !one.expr.valid()) return std::nullopt;
      if (sketch_.expr(one.expr).kind != ExprKind::kAssign || !add_update(one.expr, update)) return std::nullopt;
    }
  } else {
    return std::nullopt;
  }
  return is_own_text(update) ? std::optional(std::move(update)) : std::nullopt;
}

// Not what a macro spells, and no text that several instances of a template share.
bool GuardGroups::is_own_text(const Update& update) const {
  if (begins_.count(update.range.begin) > 1) return false;
  if (!update.guard) return true;
  const SourceRange hole = sketch_.hole(*update.guard).range;
  const std::string_view text = sketch_.source.slice(update.range);
  return is_within(hole, update.range) && hole.begin > update.range.begin &&
         text.starts_with(update.is_accumulate ? "accumulate" : "if");
}

bool GuardGroups::add_update(ExprId id, Update& update) const {
  const Expr& e = sketch_.expr(id);
  if (e.kind == ExprKind::kAssign) return add_assignment(e, update);
  return e.kind == ExprKind::kIntrinsic && e.intrinsic == Intrinsic::kAccumulate && add_accumulate(e, update);
}

bool GuardGroups::add_assignment(const Expr& e, Update& update) const {
  update.bodies.push_back({e.range.begin, statement_end(sketch_.source, e.range)});
  return add_target(e.operands[0], e.compound ? std::optional(e.op) : std::nullopt, update) &&
         add_reads(e.operands[1], update.read);
}

bool GuardGroups::add_accumulate(const Expr& e, Update& update) const {
  const VariableId accumulator = sketch_.expr(e.operands[kAccumulator]).variable;
  const auto made = std::find_if(sketch_.stmts.begin(), sketch_.stmts.end(), [&](const Stmt& s) {
    return s.kind == StmtKind::kDeclare && s.variable == accumulator && s.expr.valid();
  });
  if (made == sketch_.stmts.end() || sketch_.expr(made->expr).kind != ExprKind::kIntrinsic) return false;
  const ExprId by = sketch_.expr(made->expr).operands[1];
  update.is_accumulate = true;
  update.bodies.push_back(e.range);
  for (std::size_t n = kFirstElement; n < e.operands.size(); ++n)
    if (!add_reads(e.operands[n], update.read)) return false;
  const Expr& condition = sketch_.expr(e.operands[kCondition]);
  const bool is_certain = condition.kind == ExprKind::kIntLiteral && condition.int_value != 0;
  return (is_certain || set_guard(e.operands[kCondition], update)) &&
         add_target(e.operands[kAccumulator], operator_of(static_cast<AccumulatorOp>(sketch_.expr(by).int_value)),
                    update);
}

// A hole; what it was found to be everywhere is no condition.
bool GuardGroups::set_guard(ExprId condition, Update& update) const {
  const Expr& e = sketch_.expr(condition);
  if (e.kind != ExprKind::kHole || !add_reads(condition, update.read)) return false;
  if (completion_.tables[e.hole.value].expression.is_comparison()) update.guard = e.hole, update.asked = condition;
  return true;
}

bool GuardGroups::add_target(ExprId place, std::optional<Operator> op, Update& update) const {
  const VariableId v = root_of(sketch_, place);
  if (!v.valid() || aliased_.contains(v)) return false;
  const Variable& variable = sketch_.variable(v);
  const Type& type = sketch_.type(variable.type);
  if (variable.is_shared || variable.is_reference || variable.is_global || type.form == Type::Form::kPointer)
    return false;
  const Expr* e = &sketch_.expr(place);
  for (; e->kind == ExprKind::kSubscript || e->kind == ExprKind::kMember; e = &sketch_.expr(e->operands[0]))
    if (e->kind == ExprKind::kSubscript && !add_reads(e->operands[1], update.read)) return false;
  if (op && (!commutes(*op) || is_real(sketch_.type(sketch_.expr(place).type).scalar))) op.reset();
  const bool is_first = update.written.empty();
  update.op = is_first || update.op == op ? op : std::nullopt;
  update.written.insert(v);
  return e->kind == ExprKind::kVariable;
}

// False: it does more than read.
bool GuardGroups::add_reads(ExprId id, std::set<VariableId>& read) const {
  const Expr& e = sketch_.expr(id);
  switch (e.kind) {
    case ExprKind::kVariable: read.insert(e.variable); break;
    case ExprKind::kIntLiteral:
    case ExprKind::kRealLiteral:
    case ExprKind::kBuiltin:
    case ExprKind::kUnary:
    case ExprKind::kBinary:
    case ExprKind::kConditional:
    case ExprKind::kSubscript:
    case ExprKind::kMember:
    case ExprKind::kCast:
    case ExprKind::kHole: break;
    default: return false;
  }
  return std::all_of(e.operands.begin(), e.operands.end(), [&](ExprId operand) { return add_reads(operand, read); });
}

bool GuardGroups::commute(const Update& a, const Update& b) {
  if (meet(a.written, b.read) || meet(b.written, a.read)) return false;
  return !meet(a.written, b.written) || (a.op && a.op == b.op);
}

void GuardGroups::group(const std::vector<Update>& run, std::vector<SourceEdit>& edits) const {
  std::vector<char> taken(run.size(), 0);
  for (std::size_t first = 0; first < run.size(); ++first) {
    if (!run[first].guard || taken[first] != 0) continue;
    const std::vector<Member> members = members_from(run, first, taken);
    if (members.size() < 2) continue;
    edits.push_back({run[first].range, text(members)});
    for (std::size_t n = 1; n < members.size(); ++n)
      edits.push_back({with_comments(members[n].update->range), std::string(1, kRemoved)});
  }
}

std::vector<GuardGroups::Member> GuardGroups::members_from(const std::vector<Update>& run, std::size_t first,
                                                           std::vector<char>& taken) const {
  std::vector<Member> members{{&run[first], Side::kThen}};
  std::vector<const Update*> passed;
  std::set<VariableId> asked;
  add_reads(run[first].asked, asked);
  for (std::size_t n = first; n < run.size() && !meet(asked, run[n].written); ++n) {
    if (n == first || taken[n] != 0) continue;
    const auto side = side_of(run[first], run[n]);
    if (side && std::all_of(passed.begin(), passed.end(), [&](const Update* p) { return commute(*p, run[n]); })) {
      taken[n] = 1;
      members.push_back({&run[n], *side});
    } else {
      passed.push_back(&run[n]);
    }
  }
  return members;
}

std::optional<GuardGroups::Side> GuardGroups::side_of(const Update& first, const Update& other) const {
  if (!other.guard) return std::nullopt;
  const auto expression = [&](const Update& u) -> const IndexExpr& {
    return completion_.tables[u.guard->value].expression;
  };
  const auto words = [&](const IndexExpr& e, const Update& u) {
    return normal_form(e).print(sketch_.hole(*u.guard).argument_texts);
  };
  std::set<VariableId> asked, also;
  add_reads(first.asked, asked), add_reads(other.asked, also);
  if (asked != also) return std::nullopt;
  const std::string wanted = words(expression(other), other);
  if (words(expression(first), first) == wanted) return Side::kThen;
  return words(opposite(expression(first)), first) == wanted ? std::optional(Side::kElse) : std::nullopt;
}

// With the lines of comments right above it, and what is said behind it.
SourceRange GuardGroups::with_comments(SourceRange statement) const {
  const std::string& source = sketch_.source.text();
  const std::size_t end_of_line = std::min(source.find('\n', statement.end), source.size());
  const std::string_view behind = trimmed(std::string_view(source).substr(statement.end, end_of_line - statement.end));
  if (behind.starts_with("//")) statement.end = static_cast<std::uint32_t>(end_of_line);
  const auto line_of = [&](std::size_t at) { return at == 0 ? 0 : source.rfind('\n', at - 1) + 1; };
  std::size_t line = line_of(statement.begin);
  if (!trimmed(std::string_view(source).substr(line, statement.begin - line)).empty()) return statement;
  while (line > 0) {
    const std::size_t above = line_of(line - 1);
    const std::string_view text = std::string_view(source).substr(above, line - 1 - above);
    if (!trimmed(text).starts_with("//")) break;
    line = above;
    statement.begin = static_cast<std::uint32_t>(above + text.find("//"));
  }
  return statement;
}

std::vector<std::string> GuardGroups::lines_of_side(const std::vector<Member>& members, Side side) const {
  std::vector<std::string> lines;
  for (const Member& m : members) {
    if (m.side != side) continue;
    const Update& u = *m.update;
    const SourceRange whole = &m == members.data() ? u.range : with_comments(u.range);
    for (const std::string& above : lines_of(std::string(sketch_.source.slice({whole.begin, u.range.begin}))))
      if (!trimmed(above).empty()) lines.emplace_back(trimmed(above));
    for (const SourceRange body : u.bodies) {
      std::string text = text_of_(body);
      if (u.is_accumulate)
        text = text.substr(fmt::format("if ({}) ", printed(sketch_, completion_, *u.guard)).size()) + ";";
      lines.push_back(std::move(text));
    }
    const std::string_view behind = trimmed(sketch_.source.slice({u.range.end, whole.end}));
    if (!behind.empty()) lines.back() += fmt::format("  {}", behind);
  }
  return lines;
}

std::string GuardGroups::text(const std::vector<Member>& members) const {
  const Update& first = *members[0].update;
  const std::vector<std::string> then = lines_of_side(members, Side::kThen),
                                 other = lines_of_side(members, Side::kElse);
  const std::string indent = indentation(sketch_.source, first.range.begin);
  const auto in_braces = [&](const std::vector<std::string>& lines) {
    std::string text = "{";
    for (const std::string& line : lines) text += fmt::format("\n{}  {}", indent, line);
    return text + fmt::format("\n{}}}", indent);
  };
  const std::string condition = printed(sketch_, completion_, *first.guard);
  if (then.size() == 1 && other.size() == 1)
    return fmt::format("if ({}) {}\n{}else {}", condition, then[0], indent, other[0]);
  return fmt::format("if ({}) {}", condition, in_braces(then)) + (other.empty() ? "" : " else " + in_braces(other));
}

}  // namespace swizzle
