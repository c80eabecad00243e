#include "synth/program/thread_value.h"

#include <fmt/format.h>

namespace swizzle {
namespace {

constexpr int kWarpSize = 32;
constexpr int kDeepest = 200;  // of calls and variables inside of each other

class Evaluation {
 public:
  Evaluation(const Program& program, const std::map<VariableId, ExprId>& fixed, const ThreadPlace& place)
      : program_(program),
        fixed_(fixed),
        place_(place) {}

  std::optional<std::int64_t> value(ExprId id, int depth = 0) const {
    const Expr& e = program_.expr(id);
    const Type& type = program_.type(e.type);
    if (depth > kDeepest || type.form != Type::Form::kScalar || is_real(type.scalar)) return std::nullopt;
    switch (e.kind) {
      case ExprKind::kIntLiteral: return e.int_value;
      case ExprKind::kBuiltin: return builtin(e.builtin);
      case ExprKind::kVariable: {
        const auto first = fixed_.find(e.variable);
        return first == fixed_.end() ? std::nullopt : value(first->second, depth + 1);
      }
      case ExprKind::kCast: {
        const auto v = value(e.operands[0], depth + 1);
        return v ? std::optional(type.scalar == Scalar::kBool ? *v != 0 : wrap(type.scalar, *v)) : v;
      }
      case ExprKind::kBinary: return binary(e, type.scalar, depth);
      case ExprKind::kConditional: {
        const auto decides = value(e.operands[0], depth + 1);
        return decides ? value(e.operands[*decides != 0 ? 1 : 2], depth + 1) : std::nullopt;
      }
      case ExprKind::kCall: return call(e, depth);
      default: return std::nullopt;
    }
  }

 private:
  std::optional<std::int64_t> builtin(Builtin b) const {
    if (b <= Builtin::kThreadIdxZ) return place_.at[static_cast<std::size_t>(b)];
    if (b == Builtin::kWarpSize) return kWarpSize;
    if (!place_.block || b < Builtin::kBlockDimX || b > Builtin::kBlockDimZ) return std::nullopt;
    return (*place_.block)[static_cast<std::size_t>(b) - static_cast<std::size_t>(Builtin::kBlockDimX)];
  }

  // 0 times whatever is 0.
  std::optional<std::int64_t> binary(const Expr& e, Scalar s, int depth) const {
    const auto a = value(e.operands[0], depth + 1), b = value(e.operands[1], depth + 1);
    if (e.op == Operator::kMul && (a == 0 || b == 0)) return 0;
    if (!a || !b) return std::nullopt;
    const Scalar computed = is_comparison(e.op) ? program_.type(program_.expr(e.operands[0]).type).scalar : s;
    bool defined = true;
    const std::int64_t result = apply(e.op, computed, *a, *b, defined);
    return defined ? std::optional(result) : std::nullopt;
  }

  // Of what does nothing but return something, without a look at its parameters.
  std::optional<std::int64_t> call(const Expr& e, int depth) const {
    if (!e.callee.valid() || !program_.function(e.callee).body.valid()) return std::nullopt;
    const Stmt* s = &program_.stmt(program_.function(e.callee).body);
    while (s->kind == StmtKind::kBlock && s->body.size() == 1 && s->body[0].valid()) s = &program_.stmt(s->body[0]);
    return s->kind == StmtKind::kReturn && s->expr.valid() ? value(s->expr, depth + 1) : std::nullopt;
  }

  const Program& program_;
  const std::map<VariableId, ExprId>& fixed_;
  const ThreadPlace& place_;
};

}  // namespace

std::optional<std::int64_t> thread_value(const Program& program, const std::map<VariableId, ExprId>& fixed, ExprId e,
                                         const ThreadPlace& place) {
  return Evaluation(program, fixed, place).value(e);
}

bool is_lane(const Program& program, const std::map<VariableId, ExprId>& fixed, ExprId e,
             const std::optional<BlockShape>& block) {
  const BlockShape all = block.value_or(BlockShape{kLargestBlock, 1, 1});
  for (int thread = 0; thread < all[0] * all[1] * all[2]; ++thread) {
    const BlockShape at{thread % all[0], thread / all[0] % all[1], thread / all[0] / all[1]};
    if (thread_value(program, fixed, e, {at, block}) != thread % kWarpSize) return false;
  }
  return true;
}

std::string as_int(const Program& program, VariableId v) {
  const Type& type = program.type(program.variable(v).type);
  if (type.form != Type::Form::kScalar || is_real(type.scalar) || type.scalar == Scalar::kBool) return "";
  const bool is_int = type.scalar == Scalar::kI32 || size_bytes(type.scalar) < 4;
  return is_int ? program.variable(v).name : fmt::format("int({})", program.variable(v).name);
}

}  // namespace swizzle
