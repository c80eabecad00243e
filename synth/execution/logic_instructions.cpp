#include "synth/execution/logic_instructions.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace swizzle {
namespace {

bool is_logic(Operator op) { return op == Operator::kAnd || op == Operator::kOr || op == Operator::kXor; }

bool is_logic(const Expr& e) {
  return (e.kind == ExprKind::kBinary || (e.kind == ExprKind::kAssign && e.compound)) && is_logic(e.op);
}

bool is_all_ones(const Program& program, ExprId id) {
  const Expr& e = program.expr(id);
  const int bits = e.kind == ExprKind::kIntLiteral ? bit_width(program.type(e.type).scalar) : 0;
  return bits >= 32 && static_cast<std::uint64_t>(e.int_value) << (64 - bits) == ~std::uint64_t{0} << (64 - bits);
}

// What is converted or inverted: of (int)a, ~a and 0xffffffffu ^ a.
std::optional<ExprId> inner(const Program& program, ExprId id) {
  const Expr& e = program.expr(id);
  if (e.kind == ExprKind::kCast || (e.kind == ExprKind::kUnary && e.op == Operator::kBitNot)) return e.operands[0];
  if (e.kind != ExprKind::kBinary || e.op != Operator::kXor) return std::nullopt;
  if (is_all_ones(program, e.operands[0])) return e.operands[1];
  return is_all_ones(program, e.operands[1]) ? std::optional(e.operands[0]) : std::nullopt;
}

// What it is without inversions and conversions.
ExprId bare(const Program& program, ExprId id) {
  while (const auto next = inner(program, id)) id = *next;
  return id;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// Local variables that stand for an expression: each is set where it is declared, and used once, by a statement of the
// same block.
class Temporaries {
 public:
  explicit Temporaries(const Program& program) : program_(program), uses_(program.variables.size(), 0) {
    changes_.assign(program.variables.size(), false);
    for (const Expr& e : program.exprs) {
      if (e.kind == ExprKind::kVariable) ++uses_[e.variable.value];
      const bool changes = e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || e.kind == ExprKind::kAddressOf;
      if (!changes || e.operands.empty()) continue;
      const Expr& place = program.expr(e.operands[0]);
      if (place.kind == ExprKind::kVariable) changes_[place.variable.value] = true;
    }
    for (const Stmt& block : program.stmts)
      if (block.kind == StmtKind::kBlock) look_into(block);
  }

  // What the variable stands for; nothing: it is one itself.
  std::optional<ExprId> value_of(VariableId id) const {
    const auto known = values_.find(id);
    return known == values_.end() ? std::nullopt : std::optional(known->second);
  }
  bool changes(VariableId id) const { return changes_[id.value]; }

 private:
  void look_into(const Stmt& block) {
    std::map<VariableId, ExprId> declared;
    for (const StmtId id : statements_of(block)) {
      const Stmt& s = program_.stmt(id);
      const bool is_straight = s.kind == StmtKind::kExpr || s.kind == StmtKind::kDeclare || s.kind == StmtKind::kReturn;
      if (is_straight && s.expr.valid())
        each_use(s.expr, [&](VariableId used) {
          if (const auto it = declared.find(used); it != declared.end()) values_.insert(*it);
        });
      if (s.kind != StmtKind::kDeclare || !s.expr.valid()) continue;
      const Variable& v = program_.variable(s.variable);
      const bool is_word = program_.type(v.type).form == Type::Form::kScalar && !v.is_reference && !v.is_shared;
      if (is_word && uses_[s.variable.value] == 1 && !changes_[s.variable.value]) declared.emplace(s.variable, s.expr);
    }
  }

  // With those of `int a = …, b = …;`, which are a block of their own.
  std::vector<StmtId> statements_of(const Stmt& block) const {
    std::vector<StmtId> statements;
    for (const StmtId id : block.body) {
      const Stmt& s = program_.stmt(id);
      const bool declares = s.kind == StmtKind::kBlock && std::ranges::all_of(s.body, [&](StmtId inner) {
                              return program_.stmt(inner).kind == StmtKind::kDeclare;
                            });
      if (declares) statements.insert(statements.end(), s.body.begin(), s.body.end());
      else statements.push_back(id);
    }
    return statements;
  }

  template <typename F>
  void each_use(ExprId id, const F& f) const {
    const Expr& e = program_.expr(id);
    if (e.kind == ExprKind::kVariable) f(e.variable);
    for (const ExprId operand : e.operands) each_use(operand, f);
  }

  const Program& program_;
  std::vector<int> uses_;
  std::vector<bool> changes_;
  std::map<VariableId, ExprId> values_;
};

// A variable is one input, however often it stands there; also a constant one, which stands there as its value.
using Input = std::tuple<bool, std::uint32_t, std::string_view>;

class LogicTrees {
 public:
  explicit LogicTrees(const Program& program)
      : program_(program),
        temporaries_(program),
        counts_(program.exprs.size(), 1) {}

  std::vector<int> counts() && {
    for (std::size_t n = 0; n < program_.exprs.size(); ++n) {
      const Expr& e = program_.exprs[n];
      if (!is_logic(e)) continue;
      std::set<Input> inputs;
      for (std::size_t i = 0; i < e.operands.size(); ++i)
        if (e.op != Operator::kXor || !is_all_ones(program_, e.operands[i]))
          collect(e.operands[i], e.kind == ExprKind::kAssign && i == 0, false, inputs);
      if (counts_[n] != 0) counts_[n] = std::max(1, static_cast<int>(inputs.size()) / 2);
    }
    return std::move(counts_);
  }

 private:
  // `is_earlier`: computed before the statement that the tree stands in, when variables may have had other values.
  void collect(ExprId id, bool is_assigned, bool is_earlier, std::set<Input>& inputs) {
    for (auto next = inner(program_, id); next; next = inner(program_, id)) {
      counts_[id.value] = 0;
      id = *next;
    }
    const Expr& e = program_.expr(id);
    if (e.kind == ExprKind::kBinary && is_logic(e)) {
      counts_[id.value] = 0;
      for (const ExprId operand : e.operands) collect(operand, false, is_earlier, inputs);
      return;
    }
    if (e.kind == ExprKind::kVariable && !is_assigned)
      if (const auto value = temporaries_.value_of(e.variable); value && is_tree(*value))
        return collect(*value, false, true, inputs);
    const std::string_view text = program_.source.slice(e.range);
    if (e.kind == ExprKind::kVariable && !(is_earlier && temporaries_.changes(e.variable)))
      inputs.emplace(true, e.variable.value, "");
    else if (e.kind == ExprKind::kIntLiteral && is_name(text)) inputs.emplace(true, 0, text);
    else inputs.emplace(false, id.value, "");
  }

  bool is_tree(ExprId id) const {
    bool inverts = false;
    ExprId at = id;
    for (auto next = inner(program_, at); next; next = inner(program_, at)) {
      inverts |= program_.expr(at).kind != ExprKind::kCast;
      at = *next;
    }
    const Expr& e = program_.expr(bare(program_, id));
    return inverts || (e.kind == ExprKind::kBinary && is_logic(e));
  }

  const Program& program_;
  const Temporaries temporaries_;
  std::vector<int> counts_;
};

}  // namespace

std::vector<int> logic_instructions(const Program& program) { return LogicTrees(program).counts(); }

}  // namespace swizzle
