#include "synth/proof/real_bounds.h"

#include <cmath>
#include <cstdint>

#include "synth/program/intrinsics.h"
#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

constexpr std::int64_t kIntsOfFloat = 128;  // n * 128 overflows from 2^24 on

class RealBounds : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

  std::optional<Program> run() {
    return with_each([this](StmtId id) { return bound_by_integers(id); });
  }

 private:
  struct Quotient {
    ExprId dividend;  // an int that is never changed
    std::int64_t divisor = 1;
    bool is_of_floats = false;
  };

  Scalar scalar_of(ExprId id) const {
    const Type& type = program_.type(expr(id).type);
    return type.form == Type::Form::kScalar ? type.scalar : Scalar::kBool;
  }
  bool is_int(ExprId id) const { return scalar_of(id) == Scalar::kI32; }
  bool is_float_or_double(ExprId id) const { return scalar_of(id) == Scalar::kF32 || scalar_of(id) == Scalar::kF64; }

  // What stands below casts between floats and doubles, and ints if they may be among them.
  enum class Ints { kAmong, kNot };
  ExprId below_casts(ExprId id, bool& is_of_floats, Ints ints = Ints::kAmong) const {
    const bool is_among = ints == Ints::kAmong;
    for (id = value_of(id); (is_among && is_int(id)) || is_float_or_double(id); id = value_of(expr(id).operands[0])) {
      is_of_floats = is_of_floats || scalar_of(id) == Scalar::kF32;
      if (expr(id).kind != ExprKind::kCast || (!is_among && !is_float_or_double(expr(id).operands[0]))) break;
    }
    return id;
  }

  std::optional<std::int64_t> whole_number(ExprId id) const {
    bool is_of_floats = false;
    const Expr& e = expr(below_casts(id, is_of_floats));
    const double value = e.kind == ExprKind::kIntLiteral    ? static_cast<double>(e.int_value)
                         : e.kind == ExprKind::kRealLiteral ? e.real_value
                                                            : 0;
    const bool is_whole = value >= 1 && value <= INT16_MAX && value == std::floor(value);
    return is_whole ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
  }

  // ceil(n / 16.0f), maybe as an int, or a variable that is nothing else.
  std::optional<Quotient> rounded_up(ExprId id) const {
    Quotient of;
    const Expr& call = expr(below_casts(id, of.is_of_floats));
    if (call.kind != ExprKind::kIntrinsic || call.intrinsic != Intrinsic::kCeil) return std::nullopt;
    const ExprId quotient = below_casts(call.operands[0], of.is_of_floats, Ints::kNot);
    const Expr& division = expr(quotient);
    if (division.kind != ExprKind::kBinary || division.op != Operator::kDiv || !is_float_or_double(quotient))
      return std::nullopt;
    const auto divisor = whole_number(division.operands[1]);
    const Expr& dividend = expr(below_casts(division.operands[0], of.is_of_floats, Ints::kNot));
    if (!divisor || dividend.kind != ExprKind::kCast) return std::nullopt;
    of.dividend = value_of(dividend.operands[0]);
    of.divisor = *divisor;
    const Expr& n = expr(of.dividend);
    const bool is_size = n.kind == ExprKind::kVariable && is_int(of.dividend) && is_never_changed(n.variable);
    return is_size ? std::optional(of) : std::nullopt;
  }

  bool bound_by_integers(StmtId id) {
    if (stmt(id).kind != StmtKind::kFor || !stmt(id).expr.valid()) return false;
    Stmt loop = stmt(id);
    Expr test = expr(loop.expr);
    if (test.kind != ExprKind::kBinary || test.op != Operator::kLt) return false;
    auto found = rounded_up(test.operands[1]);
    if (!found) return false;
    const ExprId counter = below_casts(test.operands[0], found->is_of_floats);
    const Stmt first = loop.body[0].valid() ? stmt(loop.body[0]) : Stmt();
    const bool counts_from_0 = first.kind == StmtKind::kDeclare && first.expr.valid() &&
                               number(first.expr).value_or(-1) >= 0 && is_of(counter, first.variable) &&
                               is_int(counter);
    if (!counts_from_0) return false;
    const TypeId type = expr(counter).type;
    const auto sum = [&](std::int64_t more) {
      return binary(Operator::kAdd, found->dividend, literal(more, type, loop.range));
    };
    test.operands = {counter,
                     binary(Operator::kDiv, sum(found->divisor - 1), literal(found->divisor, type, loop.range))};
    Stmt whole;
    whole.range = loop.range;
    if (found->is_of_floats)
      whole.body.push_back(
          made(expression(binary(Operator::kMul, found->dividend, literal(kIntsOfFloat, type, loop.range)))));
    loop.expr = made(std::move(test));
    whole.body.push_back(made(std::move(loop)));
    program_.stmts[id.value] = std::move(whole);
    return true;
  }
};

}  // namespace

std::optional<Program> with_integer_bounds(const Program& program) { return RealBounds(program).run(); }

}  // namespace swizzle
