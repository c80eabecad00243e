#include "driver/lossy_conversions.h"

#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "driver/needed_bits.h"

namespace swizzle {
namespace {

using Conversion = std::pair<Scalar, Scalar>;  // from, to

class Conversions {
 public:
  explicit Conversions(const Program& program) : program_(program), needed_(program) { find_kept(); }

  Diagnostics run(const std::set<Conversion>& meant) && {
    for (const Expr& e : program_.exprs) {
      const auto lost = loss(e);
      if (lost && (!meant.contains(lost->conversion) || is_cut(*lost)) && (e.kind == ExprKind::kAssign || e.implicit))
        warn(e, *lost);
    }
    Diagnostics warnings;
    for (auto& [begin, warning] : by_place_) warnings.push_back(std::move(warning));
    return warnings;
  }

  // Written or not; also of sums of narrow integers in a variable that is as narrow.
  std::set<Conversion> all() const {
    std::set<Conversion> found;
    for (const Expr& e : program_.exprs) {
      if (const auto lost = loss(e)) found.insert(lost->conversion);
      const bool sums = e.kind == ExprKind::kAssign && e.compound && grows(e.op);
      if (sums && is_scalar(e.type) && is_scalar(e.computation))
        found.insert({program_.type(e.computation).scalar, program_.type(e.type).scalar});
    }
    return found;
  }

 private:
  struct Loss {
    Conversion conversion;
    const char* what;
    TypeId from, to;
  };

  // Values that become true or false where they are kept, not where they decide something.
  void find_kept() {
    for (const Expr& e : program_.exprs) {
      if (e.kind == ExprKind::kAssign) kept_.insert(e.operands[1].value);
      if (e.kind == ExprKind::kCall)
        for (const ExprId o : e.operands) kept_.insert(o.value);
    }
    for (const Stmt& s : program_.stmts)
      if ((s.kind == StmtKind::kDeclare || s.kind == StmtKind::kReturn) && s.expr.valid()) kept_.insert(s.expr.value);
  }

  // What that loses is hardly ever meant, by whomever.
  static bool is_cut(const Loss& l) { return is_real(l.conversion.first) && !is_real(l.conversion.second); }

  bool is_scalar(TypeId id) const { return id.valid() && program_.type(id).form == Type::Form::kScalar; }

  std::optional<Loss> loss(const Expr& e) const {
    if (e.kind == ExprKind::kAssign && e.compound) return loss_of(e.computation, e.type, e.operands[1], e);
    if (e.kind != ExprKind::kCast || e.operands.size() != 1) return std::nullopt;
    return loss_of(program_.expr(e.operands[0]).type, e.type, e.operands[0], e);
  }

  std::optional<Loss> loss_of(TypeId from, TypeId to, ExprId value, const Expr& e) const {
    if (!is_scalar(from) || !is_scalar(to)) return std::nullopt;
    const Scalar before = program_.type(from).scalar, after = program_.type(to).scalar;
    const char* const what = lost(before, after, value, e);
    return what == nullptr ? std::nullopt : std::optional(Loss{{before, after}, what, from, to});
  }

  const char* lost(Scalar before, Scalar after, ExprId value, const Expr& e) const {
    const Need need = needed_.of(value);
    if (before == Scalar::kBool) return nullptr;
    if (after == Scalar::kBool) {
      const bool is_kept =
          e.kind == ExprKind::kAssign || kept_.contains(static_cast<std::uint32_t>(&e - program_.exprs.data()));
      return is_kept && (need.integer > 1 || need.real > 0) ? "all but whether it is 0 is lost" : nullptr;
    }
    if (is_real(before) && !is_real(after)) return is_whole(value) ? nullptr : "what is behind the point is lost";
    if (is_real(before)) return need.real > bit_width(after) ? "digits are lost" : nullptr;
    return !is_real(after) && need.integer > bit_width(after) ? "the upper bits are lost" : nullptr;
  }

  // A constant without a fraction.
  bool is_whole(ExprId id) const {
    const Expr& e = program_.expr(id);
    if (e.kind == ExprKind::kUnary) return is_whole(e.operands[0]);
    return e.kind == ExprKind::kIntLiteral ||
           (e.kind == ExprKind::kRealLiteral && std::trunc(e.real_value) == e.real_value);
  }

  void warn(const Expr& e, const Loss& lost) {
    if (e.range.begin >= e.range.end) return;
    const std::string how =
        e.kind == ExprKind::kCast
            ? fmt::format("'{}' becomes '{}' here", name(lost.from), name(lost.to))
            : fmt::format("'{}=' is computed in '{}' and kept in '{}'", spelling(e.op), name(lost.from), name(lost.to));
    by_place_.try_emplace(e.range.begin,
                          make_diagnostic(Severity::kWarning, program_.source, e.range,
                                          fmt::format("{}: {}; write a cast if that is meant", lost.what, how)));
  }

  const std::string& name(TypeId id) const { return program_.type(id).spelling; }

  const Program& program_;
  NeededBits needed_;
  std::set<std::uint32_t> kept_;
  std::map<std::uint32_t, Diagnostic> by_place_;  // a template has several instances
};

}  // namespace

Diagnostics lossy_conversions(const Program& program, const Program* other) {
  return Conversions(program).run(other == nullptr ? std::set<Conversion>{} : Conversions(*other).all());
}

}  // namespace swizzle
