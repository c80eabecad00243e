#include "synth/proof/size_edit.h"

namespace swizzle {

void SizeEdit::replace_reads(VariableId v, const std::function<ExprId(const Expr&)>& make) {
  const std::size_t nodes = program_.exprs.size();
  for (std::size_t i = 0; i < nodes; ++i) {
    const Expr e = program_.exprs[i];
    if (e.kind != ExprKind::kVariable || e.variable != v) continue;
    const ExprId by = make(e);
    program_.exprs[i] = Expr(expr(by));
  }
}

void SizeEdit::replace_in_directives(const std::string& size,
                                     const std::function<SizeTree(const SizeTree&)>& replaced) {
  const auto replace = [&](SizeExpr& of) {
    if (const auto tree = parse_size(of, program_.source); tree.ok() && names_in(*tree).contains(size))
      of.text = text_of(replaced(*tree));
  };
  Directives& directives = program_.directives;
  for (Assumption& a : directives.assumptions) replace(a.left), replace(a.right);
  for (Extent& e : directives.extents) replace(e.elements);
  for (ElementRange& r : directives.ranges) replace(r.low), replace(r.high);
  if (!directives.launch) return;
  for (auto* along : {&directives.launch->grid, &directives.launch->block})
    for (SizeExpr& e : *along) {
      // What the launch named is none of those that may stay as they are.
      if (const auto tree = parse_size(e, program_.source); tree.ok()) directives.chosen.merge(names_in(*tree));
      replace(e);
    }
  for (HandedSize& h : directives.launch->handed) replace(h.value);
  if (directives.launch->shared_bytes) replace(*directives.launch->shared_bytes);
}

}  // namespace swizzle
