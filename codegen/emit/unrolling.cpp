#include "codegen/emit/unrolling.h"

#include <algorithm>

#include "codegen/emit/emit_support.h"
#include "synth/base/text.h"
#include "synth/program/operators.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostIterations = 1 << 14;

// Where the line begins up to which nothing but blank lines, comments and spaces stand before `begin`; else `begin`.
std::size_t behind_code(std::string_view source, std::size_t begin) {
  for (std::size_t at = begin;;) {
    const std::size_t line = at == 0 ? 0 : source.rfind('\n', at - 1) + 1;
    const std::string_view before = trimmed(source.substr(line, at - line));
    const bool ends_comment = before.ends_with("*/");
    const bool is_blank = before.empty() || before == "\\";
    if (!is_blank && !before.starts_with("//") && !ends_comment) return begin;
    if (ends_comment) {
      at = source.rfind("/*", at - 2);
      if (at == std::string_view::npos) return begin;
      continue;
    }
    begin = line;
    if (line == 0) return begin;
    at = line - 1;
  }
}

}  // namespace

void collect_arguments(const IndexExpr& e, std::set<std::size_t>& found) {
  if (e.op == IndexExpr::Op::kArgument) found.insert(static_cast<std::size_t>(e.value));
  for (const IndexExpr& operand : e.operands) collect_arguments(operand, found);
}

Unrolling::Unrolling(const Program& program, const Completion& completion)
    : program_(program),
      completion_(completion) {
  for (const Stmt& s : program.stmts) {
    if (s.kind == StmtKind::kDeclare && s.expr.valid()) initial_.emplace(s.variable, s.expr);
    if (s.expr.valid()) note_uses(s.expr, false, false);
  }
}

void Unrolling::note_uses(ExprId id, bool is_element, bool is_target) {
  const Expr& e = program_.expr(id);
  if (is_target) written_.insert(id);
  if (e.kind == ExprKind::kVariable) {
    const bool is_array = program_.type(program_.variable(e.variable).type).form != Type::Form::kScalar;
    if (is_array && !is_element) escaping_.insert(e.variable);
    return;
  }
  const bool changes = e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || e.kind == ExprKind::kAddressOf;
  if (changes)
    if (const VariableId v = root_of(program_, e.operands[0]); v.valid()) changes_[v].push_back(id);
  for (std::size_t i = 0; i < e.operands.size(); ++i) {
    const bool is_base = i == 0 && (e.kind == ExprKind::kSubscript || e.kind == ExprKind::kMember);
    note_uses(e.operands[i],
              (is_base && (e.kind == ExprKind::kSubscript || is_element)) || e.kind == ExprKind::kIntrinsic,
              i == 0 && (changes || (is_base && is_target)));
  }
}

namespace {

bool goes_on(std::string_view line) { return line.ends_with("\\\n") || line.ends_with("\\\r\n"); }

// `begin` starts a line. One that ends in a backslash goes on in the next.
std::size_t start_of_line_above(std::string_view source, std::size_t begin) {
  std::size_t from = begin < 2 ? 0 : source.rfind('\n', begin - 2) + 1;  // npos + 1 is 0
  while (from > 1 && goes_on(source.substr(0, from))) from = source.rfind('\n', from - 2) + 1;
  return from;
}

std::string joined(std::string_view lines) {
  std::string text(lines);
  std::erase_if(text, [](char c) { return c == '\\' || c == '\n' || c == '\r'; });
  return text;
}

}  // namespace

Unrolling::Pragma Unrolling::pragma_of(StmtId loop) const {
  const std::string_view source = program_.source.text();
  Pragma found{program_.stmt(loop).range.begin, false, false};
  for (std::size_t begin = found.begin;;) {
    begin = behind_code(source, begin);
    const std::size_t from = start_of_line_above(source, begin);
    const std::string line = joined(source.substr(from, begin - from));
    std::string_view text = trimmed(line);
    if (begin == 0 || source[begin - 1] != '\n' || !text.starts_with('#')) return found;
    text = trimmed(text.substr(1));
    if (!text.starts_with("pragma")) return found;
    text = trimmed(text.substr(6));
    if (text.starts_with("unroll")) {
      const std::string_view amount = trimmed(text.substr(6));
      (amount.empty() || amount.starts_with("//") || amount.starts_with("/*") ? found.unrolls : found.keeps_loop) =
          true;
    } else if (text.starts_with("nounroll")) {
      found.keeps_loop = true;
    } else {
      return found;
    }
    begin = source.find('#', from);
    found.begin = static_cast<std::uint32_t>(begin);
  }
}

bool Unrolling::contains(ExprId from, ExprId site) const {
  if (from == site) return true;
  const Expr& e = program_.expr(from);
  return std::any_of(e.operands.begin(), e.operands.end(), [&](ExprId operand) { return contains(operand, site); });
}

bool Unrolling::find(StmtId from, ExprId site, std::vector<StmtId>& path) const {
  if (!from.valid()) return false;
  const Stmt& s = program_.stmt(from);
  path.push_back(from);
  if (s.expr.valid() && contains(s.expr, site)) return true;
  for (StmtId inner : s.body)
    if (find(inner, site, path)) return true;
  path.pop_back();
  return false;
}

std::vector<StmtId> Unrolling::around(ExprId site) const {
  std::vector<StmtId> path;
  for (const Function& f : program_.functions)
    if (find(f.body, site, path)) break;
  return path;
}

bool Unrolling::is_set_once(VariableId id) const {
  return initial_.contains(id) && !changes_.contains(id) && !program_.variable(id).is_reference;
}

// The operands that have a say: of a hole, those that its expression reads.
std::vector<ExprId> Unrolling::read_by(const Expr& e) const {
  if (e.kind != ExprKind::kHole) return e.operands;
  std::set<std::size_t> arguments;
  collect_arguments(completion_.tables[e.hole.value].expression, arguments);
  std::vector<ExprId> read;
  for (std::size_t a : arguments) read.push_back(e.operands[a]);
  return read;
}

void Unrolling::collect_variables(ExprId id, std::set<VariableId>& found) const {
  const Expr& e = program_.expr(id);
  if (e.kind == ExprKind::kVariable && found.insert(e.variable).second && is_set_once(e.variable))
    collect_variables(initial_.at(e.variable), found);
  for (ExprId operand : read_by(e)) collect_variables(operand, found);
}

// The variable that the loop's initialization declares and only its step changes.
VariableId Unrolling::variable_of(StmtId loop) const {
  const Stmt& s = program_.stmt(loop);
  if (s.kind != StmtKind::kFor || !s.expr.valid() || !s.body[0].valid() || !s.body[1].valid()) return {};
  const Stmt &init = program_.stmt(s.body[0]), &step = program_.stmt(s.body[1]);
  if (init.kind != StmtKind::kDeclare || !init.expr.valid() || !step.expr.valid()) return {};
  const auto changes = changes_.find(init.variable);
  if (changes == changes_.end() || changes->second != std::vector{step.expr} || pragma_of(loop).keeps_loop) return {};
  const ExprKind kind = program_.expr(step.expr).kind;
  return kind == ExprKind::kIncDec || (kind == ExprKind::kAssign && program_.expr(step.expr).compound) ? init.variable
                                                                                                       : VariableId();
}

std::vector<StmtId> Unrolling::loops(ExprId site, const std::vector<ExprId>& values) const {
  std::set<VariableId> variables;
  for (ExprId value : values) collect_variables(value, variables);
  const std::vector<StmtId> path = around(site);
  std::vector<StmtId> found;
  for (auto loop = path.rbegin(); loop != path.rend(); ++loop) {
    const VariableId v = variable_of(*loop);
    if (!v.valid() || !variables.contains(v)) continue;
    found.insert(found.begin(), *loop);
    collect_variables(initial_.at(v), variables);  // its bounds may depend on loops further out
    collect_variables(program_.stmt(*loop).expr, variables);
  }
  return found;
}

bool Unrolling::iterate(const std::vector<StmtId>& loops, std::size_t at, Bindings& bindings,
                        std::vector<Bindings>& found) const {
  if (at == loops.size()) {
    found.push_back(bindings);
    return found.size() <= kMostIterations;
  }
  const Stmt& loop = program_.stmt(loops[at]);
  const VariableId v = variable_of(loops[at]);
  const Expr& step = program_.expr(program_.stmt(loop.body[1]).expr);
  const TypeId type = program_.variable(v).type;
  if (program_.type(type).form != Type::Form::kScalar) return false;
  auto at_value = value(initial_.at(v), bindings);
  for (std::size_t n = 0; at_value; ++n) {
    bindings[v] = *at_value;
    const auto goes_on = value(loop.expr, bindings);
    if (!goes_on || n > kMostIterations) return false;
    if (*goes_on == 0) {
      bindings.erase(v);
      return true;
    }
    if (!iterate(loops, at + 1, bindings, found)) return false;
    const auto amount =
        step.kind == ExprKind::kIncDec ? std::optional<std::int64_t>(1) : value(step.operands[1], bindings);
    bool defined = true;
    if (amount) at_value = apply(step.op, program_.type(type).scalar, *at_value, *amount, defined);
    if (!amount || !defined) return false;
  }
  return false;
}

std::vector<Unrolling::Bindings> Unrolling::iterations(ExprId site, const std::vector<ExprId>& values) const {
  std::vector<Bindings> found;
  Bindings bindings;
  if (!iterate(loops(site, values), 0, bindings, found)) return {};
  for (const Bindings& b : found)
    for (ExprId v : values)
      if (!value(v, b)) return {};
  return found;
}

std::optional<std::int64_t> Unrolling::value_of_hole(const Expr& e, const Bindings& bindings) const {
  for (ExprId read : read_by(e))
    if (!value(read, bindings)) return std::nullopt;
  std::vector<std::int64_t> arguments;
  for (ExprId operand : e.operands) arguments.push_back(value(operand, bindings).value_or(0));
  return completion_.tables[e.hole.value].expression.evaluate(arguments);
}

std::optional<std::int64_t> Unrolling::value(ExprId id, const Bindings& bindings) const {
  const Expr& e = program_.expr(id);
  const Type& type = program_.type(e.type);
  const auto operand = [&](std::size_t i) { return value(e.operands[i], bindings); };
  const bool is_integer = type.form == Type::Form::kScalar && !is_real(type.scalar);
  if (!is_integer) return std::nullopt;
  switch (e.kind) {
    case ExprKind::kIntLiteral: return e.int_value;
    case ExprKind::kVariable: {
      if (const auto bound = bindings.find(e.variable); bound != bindings.end()) return bound->second;
      return is_set_once(e.variable) ? value(initial_.at(e.variable), bindings) : std::nullopt;
    }
    case ExprKind::kCast: {
      const auto v = operand(0);
      if (!v) return v;
      return type.scalar == Scalar::kBool ? *v != 0 : wrap(type.scalar, *v);
    }
    case ExprKind::kConditional: {
      const auto condition = operand(0);
      return condition ? operand(*condition != 0 ? 1 : 2) : std::nullopt;
    }
    case ExprKind::kUnary:
    case ExprKind::kBinary: {
      const auto a = operand(0), b = e.kind == ExprKind::kBinary ? operand(1) : 0;
      const Type& computed = program_.type(is_comparison(e.op) ? program_.expr(e.operands[0]).type : e.type);
      if (!a || !b || computed.form != Type::Form::kScalar || is_real(computed.scalar)) return std::nullopt;
      bool defined = true;
      const std::int64_t result = apply(e.op, computed.scalar, *a, *b, defined);
      return defined ? std::optional(result) : std::nullopt;
    }
    case ExprKind::kHole: return value_of_hole(e, bindings);
    default: return std::nullopt;
  }
}

template <typename Visit>
void Unrolling::visit(StmtId from, Visit&& visit_expression) const {
  if (!from.valid()) return;
  const Stmt& s = program_.stmt(from);
  const auto expression = [&](const auto& self, ExprId id) -> void {
    visit_expression(id);
    for (ExprId operand : program_.expr(id).operands) self(self, operand);
  };
  if (s.expr.valid()) expression(expression, s.expr);
  for (StmtId inner : s.body) visit(inner, visit_expression);
}

std::uint32_t Unrolling::end(StmtId loop) const {
  const std::string& source = program_.source.text();
  std::size_t at = program_.stmt(loop).range.end;
  if (source[at - 1] != '}' && source[at - 1] != ';') at = source.find(';', at) + 1;
  const std::size_t line = std::min(source.find('\n', at), source.size());
  const std::string_view rest = trimmed(std::string_view(source).substr(at, line - at));
  return static_cast<std::uint32_t>(rest.empty() || rest.starts_with("//") ? line : at);
}

std::size_t Unrolling::uses(StmtId statement, VariableId variable) const {
  std::size_t count = 0;
  visit(statement, [&](ExprId id) {
    count += program_.expr(id).kind == ExprKind::kVariable && program_.expr(id).variable == variable;
  });
  return count;
}

bool Unrolling::declares(StmtId statement, VariableId variable) const {
  if (!statement.valid()) return false;
  const Stmt& s = program_.stmt(statement);
  if (s.kind == StmtKind::kDeclare && s.variable == variable) return true;
  return std::any_of(s.body.begin(), s.body.end(), [&](StmtId inner) { return declares(inner, variable); });
}

bool Unrolling::leaves(StmtId statement) const {
  if (!statement.valid()) return false;
  const Stmt& s = program_.stmt(statement);
  if (s.kind == StmtKind::kBreak || s.kind == StmtKind::kContinue || s.kind == StmtKind::kReturn) return true;
  return std::any_of(s.body.begin(), s.body.end(), [&](StmtId inner) { return leaves(inner); });
}

bool Unrolling::keeps(StmtId statement, VariableId variable) const {
  const auto changes = changes_.find(variable);
  if (changes == changes_.end()) return true;
  bool kept = true;
  visit(statement, [&](ExprId id) {
    kept = kept && std::find(changes->second.begin(), changes->second.end(), id) == changes->second.end();
  });
  return kept && std::none_of(changes->second.begin(), changes->second.end(),
                              [&](ExprId id) { return program_.expr(id).kind == ExprKind::kAddressOf; });
}

bool Unrolling::is_invariant(StmtId statement, ExprId value) const {
  const auto same = [&](const auto& self, ExprId id) -> bool {
    const Expr& e = program_.expr(id);
    switch (e.kind) {
      case ExprKind::kIntLiteral:
      case ExprKind::kBuiltin: return true;
      case ExprKind::kVariable: return !declares(statement, e.variable) && keeps(statement, e.variable);
      case ExprKind::kBinary:
        if ((e.op == Operator::kDiv || e.op == Operator::kRem) && this->value(e.operands[1], {}).value_or(0) == 0)
          return false;
        [[fallthrough]];
      case ExprKind::kUnary:
      case ExprKind::kCast:
        return std::all_of(e.operands.begin(), e.operands.end(), [&](ExprId operand) { return self(self, operand); });
      default: return false;
    }
  };
  return same(same, value);
}

}  // namespace swizzle
