#include "synth/proof/size_products.h"

#include <algorithm>
#include <optional>

#include "synth/proof/assigned_variables.h"

namespace swizzle {
namespace {

class SizeProducts {
 public:
  SizeProducts(const Program& program, const std::map<std::string, Polynomial>& sizes)
      : program_(program),
        assigned_(AssignedVariables::in(program, program.function(program.entry).body).variables) {
    for (const VariableId v : program.function(program.entry).parameters)
      if (const auto size = sizes.find(program.variable(v).name); size != sizes.end() && !assigned_.contains(v))
        sizes_.emplace(v, size->second);
  }

  std::set<Polynomial> run() const {
    std::set<Polynomial> all;
    for (const Expr& e : program_.exprs)
      if (e.kind == ExprKind::kBinary && e.op == Operator::kMul)
        if (const auto product = value(e); product && !product->is_constant() && !product->is_broken())
          all.insert(*product);
    return all;
  }

 private:
  std::optional<Polynomial> value(const Expr& e) const {
    if (program_.type(e.type).form != Type::Form::kScalar || is_real(program_.type(e.type).scalar)) return std::nullopt;
    if (e.kind == ExprKind::kIntLiteral && e.int_value > 0) return Polynomial(e.int_value);
    if (e.kind == ExprKind::kCast) return value(program_.expr(e.operands[0]));
    if (e.kind == ExprKind::kVariable) {
      const auto size = sizes_.find(e.variable);
      return size != sizes_.end() ? std::optional(size->second) : std::nullopt;
    }
    if (e.kind != ExprKind::kBinary || e.op != Operator::kMul) return std::nullopt;
    const auto a = value(program_.expr(e.operands[0])), b = value(program_.expr(e.operands[1]));
    return a && b ? std::optional(*a * *b) : std::nullopt;
  }

  const Program& program_;
  std::set<VariableId> assigned_;
  std::map<VariableId, Polynomial> sizes_;
};

}  // namespace

std::set<Polynomial> size_products(const Program& program, const std::map<std::string, Polynomial>& sizes) {
  return SizeProducts(program, sizes).run();
}

}  // namespace swizzle
