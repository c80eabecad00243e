#include "codegen/emit/constant_arrays.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "codegen/emit/emit_support.h"
#include "codegen/emit/unrolling.h"
#include "synth/base/text.h"

namespace swizzle {
namespace {

using Op = IndexExpr::Op;

bool has_list(const IndexExpr& e) {
  return e.op == Op::kElement || std::ranges::any_of(e.operands, [](const IndexExpr& part) { return has_list(part); });
}

// e.operands[0] == 0 ? the first : … : the last
IndexExpr as_choice(const IndexExpr& e) {
  IndexExpr choice = e.operands.back();
  for (std::size_t i = e.operands.size() - 1; i-- > 1;)
    choice = IndexExpr::select(
        IndexExpr::compare(Op::kEq, e.operands[0], IndexExpr::constant(static_cast<std::int64_t>(i) - 1)),
        e.operands[i], std::move(choice));
  return choice;
}

class Naming {
 public:
  Naming(const Program& sketch, const Completion& completion)
      : named_{sketch, completion, {}},
        unrolling_(sketch, completion) {}

  NamedArrays run() && {
    for (std::size_t h = 0; h < named_.sketch.holes.size(); ++h)
      named_.completion.tables[h].expression = named(HoleId(h), named_.completion.tables[h].expression);
    return std::move(named_);
  }

 private:
  IndexExpr named(HoleId hole, IndexExpr e) {
    for (std::size_t i = 0; i < e.operands.size(); ++i) e.operands.own(i) = named(hole, e.operands[i]);
    if (e.op != Op::kElement) return e;
    const auto body = body_around(named_.sketch.hole(hole).range);
    if (!body || !is_known(hole, e.operands[0])) return as_choice(e);
    const std::string name = fresh(named_.sketch.hole(hole));
    declare(*body, name, named_.sketch.hole(hole), e);
    std::vector<std::string>& texts = named_.sketch.holes[hole.value].argument_texts;
    texts.push_back(name);
    e.value = static_cast<std::int64_t>(texts.size()) - 1;
    return e;
  }

  // A compiler that unrolls loops knows which element it is.
  bool is_known(HoleId hole, const IndexExpr& index) const {
    std::set<std::size_t> used;
    collect_arguments(index, used);
    const Program& sketch = named_.sketch;
    for (std::size_t n = 0; n < sketch.exprs.size(); ++n) {
      const Expr& e = sketch.exprs[n];
      if (e.kind != ExprKind::kHole || e.hole != hole) continue;
      if (!std::ranges::all_of(used, [&](std::size_t a) { return unrolling_.knows(ExprId(n), e.operands[a]); }))
        return false;
    }
    return true;
  }

  // The body of the function that the hole stands in.
  std::optional<StmtId> body_around(SourceRange range) const {
    for (const Function& f : named_.sketch.functions) {
      if (!f.body.valid()) continue;
      const SourceRange body = named_.sketch.stmt(f.body).range;
      if (is_within(range, body) && named_.sketch.source.slice(body).starts_with("{")) return f.body;
    }
    return std::nullopt;
  }

  void declare(StmtId body, const std::string& name, const Hole& hole, const IndexExpr& list) {
    std::string elements;
    for (std::size_t i = 1; i < list.operands.size(); ++i)
      elements += (i == 1 ? "" : ", ") + list.operands[i].print({});
    const char* const type = !hole.traits().is_word() ? "int" : hole.bits > 32 ? "unsigned long long" : "unsigned";
    const Stmt& block = named_.sketch.stmt(body);
    const std::uint32_t begin = block.range.begin + 1;
    const std::string indent =
        block.body.empty() ? "" : indentation(named_.sketch.source, named_.sketch.stmt(block.body[0]).range.begin);
    named_.declarations.push_back({{begin, begin},
                                   fmt::format("\n{}const {} {}[{}] = {{{}}};", indent.empty() ? "  " : indent, type,
                                               name, list.operands.size() - 1, elements)});
  }

  std::string fresh(const Hole& hole) {
    std::string name = hole.traits().is_mask() ? "masks" : hole.traits().is_word() ? "selectors" : "constants";
    while (contains_word(named_.sketch.source.text(), name) || !names_.insert(name).second) name += '_';
    return name;
  }

  NamedArrays named_;
  Unrolling unrolling_;
  std::set<std::string> names_;
};

}  // namespace

std::optional<NamedArrays> with_named_arrays(const Program& sketch, const Completion& completion) {
  if (std::ranges::none_of(completion.tables, [](const HoleTable& t) { return has_list(t.expression); }))
    return std::nullopt;
  return Naming(sketch, completion).run();
}

}  // namespace swizzle
