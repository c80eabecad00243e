#include "codegen/emit/decided_conditions.h"

#include <optional>
#include <set>
#include <string>

#include "codegen/emit/emit_support.h"

namespace swizzle {
namespace {

class DecidedConditions {
 public:
  DecidedConditions(const Program& program, const Completion& completion) : program_(program), completion_(completion) {
    for (const Stmt& block : program.stmts)
      if (block.kind == StmtKind::kBlock) in_blocks_.insert(block.body.begin(), block.body.end());
  }

  std::vector<SourceEdit> edits() && {
    for (std::size_t s = 0; s < program_.stmts.size(); ++s)
      if (program_.stmts[s].kind == StmtKind::kIf) statement(StmtId(s));
    for (const Expr& e : program_.exprs) {
      if (e.kind == ExprKind::kConditional) conditional(e);
      if (e.kind == ExprKind::kBinary && (e.op == Operator::kLogicalAnd || e.op == Operator::kLogicalOr)) logical(e);
    }
    return std::move(edits_);
  }

 private:
  std::optional<bool> outcome(ExprId condition) const {
    const Expr* e = &program_.expr(condition);
    while (e->kind == ExprKind::kCast) e = &program_.expr(e->operands[0]);
    if (e->kind != ExprKind::kHole) return std::nullopt;
    const IndexExpr& found = completion_.tables[e->hole.value].expression;
    return found.is_constant() ? std::optional(found.value != 0) : std::nullopt;
  }

  void statement(StmtId id) {
    const Stmt& s = program_.stmt(id);
    const auto is = outcome(s.expr);
    if (!is || !program_.source.slice(s.range).starts_with("if")) return;
    const std::uint32_t end = statement_end(program_.source, s.range);
    if (!*is && s.body.size() == 1) {
      if (in_blocks_.contains(id)) edits_.push_back({{s.range.begin, end}, std::string(1, kRemoved)});
      return;
    }
    keep({s.range.begin, end}, program_.stmt(s.body[*is ? 0 : 1]).range);
  }

  void conditional(const Expr& e) {
    const auto is = outcome(e.operands[0]);
    if (!is) return;
    const SourceRange kept = program_.expr(e.operands[*is ? 1 : 2]).range;
    if (e.range.begin <= kept.begin && kept.end <= e.range.end) {
      edits_.push_back({{e.range.begin, kept.begin}, ""});
      edits_.push_back({{kept.end, e.range.end}, ""});
    }
  }

  // true && X, X && true, false || X: the rest alone, with the parentheses that it has.
  void logical(const Expr& e) {
    const bool is_neutral = e.op == Operator::kLogicalAnd;
    const std::string_view sign = is_neutral ? "&&" : "||";
    const std::string& text = program_.source.text();
    const SourceRange first = program_.expr(e.operands[0]).range, second = program_.expr(e.operands[1]).range;
    if (outcome(e.operands[0]) == is_neutral && first.begin == e.range.begin) {
      const std::size_t at = text.find_first_not_of(" \t\n", first.end);
      if (text.compare(at, sign.size(), sign) != 0) return;
      const std::size_t behind = text.find_first_not_of(" \t\n", at + sign.size());
      edits_.push_back({{first.begin, static_cast<std::uint32_t>(behind)}, ""});
    } else if (outcome(e.operands[1]) == is_neutral && second.end == e.range.end) {
      const std::size_t at = text.find_last_not_of(" \t\n", second.begin - 1);
      if (at < sign.size() || text.compare(at + 1 - sign.size(), sign.size(), sign) != 0) return;
      const std::size_t before = text.find_last_not_of(" \t\n", at - sign.size());
      edits_.push_back({{static_cast<std::uint32_t>(before + 1), second.end}, ""});
    }
  }

  void keep(SourceRange whole, SourceRange statement) {
    if (statement.begin <= whole.begin || statement.end > whole.end) return;
    edits_.push_back({{whole.begin, statement.begin}, ""});
    const std::uint32_t end = statement_end(program_.source, statement);
    if (end < whole.end) edits_.push_back({{end, whole.end}, ""});
  }

  const Program& program_;
  const Completion& completion_;
  std::set<StmtId> in_blocks_;
  std::vector<SourceEdit> edits_;
};

}  // namespace

std::vector<SourceEdit> without_decided_conditions(const Program& program, const Completion& completion) {
  return DecidedConditions(program, completion).edits();
}

}  // namespace swizzle
