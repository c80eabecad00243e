#include "synth/proof/product_axes.h"

#include <string>
#include <vector>

#include "synth/program/size_tree.h"
#include "synth/proof/program_edit.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostAxes = 3;

// Names and numbers.
bool find_factors(const SizeTree& tree, std::vector<SizeTree>& factors) {
  if (tree.op == '*') return find_factors(tree.operands[0], factors) && find_factors(tree.operands[1], factors);
  if (tree.op != '$' && (tree.op != '#' || tree.value < 1)) return false;
  factors.push_back(tree);
  return true;
}

class ProductAxes : private ProgramEdit {
 public:
  explicit ProductAxes(const Program& kernel) : ProgramEdit(kernel) {}

  std::optional<Program> run() {
    std::vector<SizeExpr>& grid = program_.directives.launch->grid;
    const std::size_t axes = grid.size();
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const auto tree = parse_size(grid[axis], program_.source);
      std::vector<SizeTree> factors;
      if (!tree.ok() || tree->op != '*' || !find_factors(*tree, factors)) continue;
      if (grid.size() + factors.size() - 1 > kMostAxes || !split(axis, factors)) return std::nullopt;
    }
    return grid.size() > axes ? std::optional(std::move(program_)) : std::nullopt;
  }

 private:
  // The last factor counts fastest, and keeps the axis.
  bool split(std::size_t axis, const std::vector<SizeTree>& factors);
  ExprId index_over(const Expr& like, const std::vector<std::size_t>& axes, const std::vector<SizeTree>& factors);
  ExprId product_of(const Expr& like, const std::vector<SizeTree>& factors);
  VariableId parameter(const std::string& name) const;
  ExprId value_of(const SizeTree& factor, const Expr& like);
};

VariableId ProductAxes::parameter(const std::string& name) const {
  for (const VariableId id : program_.function(program_.entry).parameters)
    if (program_.variable(id).name == name && is_never_changed(id)) return id;
  return {};
}

ExprId ProductAxes::value_of(const SizeTree& factor, const Expr& like) {
  return factor.op == '#' ? literal(factor.value, like.type, like.range)
                          : as(like.type, read_of(parameter(factor.name), like.range));
}

bool ProductAxes::split(std::size_t axis, const std::vector<SizeTree>& factors) {
  std::vector<SizeExpr>& grid = program_.directives.launch->grid;
  std::vector<std::size_t> axes;  // of each factor
  for (const SizeTree& factor : factors) {
    if (factor.op == '$' && !parameter(factor.name).valid()) return false;
    axes.push_back(axes.size() + 1 == factors.size() ? axis : grid.size());
    const SizeExpr count{text_of(factor), {}};  // nowhere in host code
    if (axes.back() == axis) grid[axis] = count;
    else grid.push_back(count);
  }
  const std::size_t nodes = program_.exprs.size();
  for (std::size_t i = 0; i < nodes; ++i) {
    const Expr e = program_.exprs[i];
    if (e.kind != ExprKind::kBuiltin) continue;
    if (e.builtin == kBlockIdx[axis]) program_.exprs[i] = expr(index_over(e, axes, factors));
    if (e.builtin == kGridDim[axis]) program_.exprs[i] = expr(product_of(e, factors));
    for (const std::size_t added : axes) {  // where there was one block
      if (added == axis) continue;
      if (e.builtin == kBlockIdx[added]) program_.exprs[i] = expr(literal(0, e.type, e.range));
      if (e.builtin == kGridDim[added]) program_.exprs[i] = expr(literal(1, e.type, e.range));
    }
  }
  return true;
}

// blockIdx.y * cols + blockIdx.x
ExprId ProductAxes::index_over(const Expr& like, const std::vector<std::size_t>& axes,
                               const std::vector<SizeTree>& factors) {
  ExprId index;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    Expr along = like;
    along.builtin = kBlockIdx[axes[i]];
    const ExprId digit = made(std::move(along));
    index = i == 0 ? digit : binary(Operator::kAdd, binary(Operator::kMul, index, value_of(factors[i], like)), digit);
  }
  return index;
}

ExprId ProductAxes::product_of(const Expr& like, const std::vector<SizeTree>& factors) {
  ExprId product = value_of(factors[0], like);
  for (std::size_t i = 1; i < factors.size(); ++i)
    product = binary(Operator::kMul, product, value_of(factors[i], like));
  return product;
}

}  // namespace

std::optional<Program> with_axes_of_products(const Program& kernel) { return ProductAxes(kernel).run(); }

}  // namespace swizzle
