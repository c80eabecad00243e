// What a compiler knows of an index once the loops around it are unrolled.
//
//   for (int j = 0; j < 4; j++) y[j] = r[(3 * j + 1) & 3];     (3 * j + 1) & 3 is known: 1, 0, 3, 2
//   for (int j = 0; j < n; j++) …                              j is not known: n is a parameter
//
// A variable is known if it has one value in every iteration: a loop's whose bounds are known and that nothing but the
// loop's step changes, or one that is set where it is declared and never again. A loop with a `#pragma unroll 2` or
// `#pragma nounroll` stays a loop.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "synth/search/solve.h"

namespace swizzle {

// The arguments that an expression reads.
void collect_arguments(const IndexExpr& e, std::set<std::size_t>& found);

class Unrolling {
 public:
  using Bindings = std::map<VariableId, std::int64_t>;  // of the loops' variables

  Unrolling(const Program& program, const Completion& completion);

  // The statements around an expression, outermost first; its own last.
  std::vector<StmtId> around(ExprId site) const;
  // The loops around `site` whose variables decide `values`, outermost first.
  std::vector<StmtId> loops(ExprId site, const std::vector<ExprId>& values) const;
  // The iterations of those loops; none if one of `values` is not known in all of them, or there are too many.
  std::vector<Bindings> iterations(ExprId site, const std::vector<ExprId>& values) const;
  bool knows(ExprId site, ExprId value) const { return !iterations(site, {value}).empty(); }
  std::optional<std::int64_t> value(ExprId id, const Bindings& bindings) const;

  // Whether `#pragma unroll` stands before the loop, blank lines and comments between or not, and where the loop with
  // its pragmas begins and its line ends.
  bool is_marked(StmtId loop) const { return pragma_of(loop).unrolls; }
  std::uint32_t begin(StmtId loop) const { return pragma_of(loop).begin; }
  std::uint32_t end(StmtId loop) const;

  // Whether nothing in the statement changes a variable or, by its elements, an array; and `values` are the same before
  // it.
  bool keeps(StmtId statement, VariableId variable) const;
  bool is_invariant(StmtId statement, ExprId value) const;
  // How often a statement names a variable, whether it declares it, and whether it has a way out but its end.
  std::size_t uses(StmtId statement, VariableId variable) const;
  bool declares(StmtId statement, VariableId variable) const;
  bool leaves(StmtId statement) const;
  // Whether all uses of an array are subscripts or arguments of intrinsics.
  bool is_plain_array(VariableId array) const { return !escaping_.contains(array); }
  bool is_written(ExprId place) const { return written_.contains(place); }  // assigned to, or its address taken

 private:
  struct Pragma {
    std::uint32_t begin = 0;
    bool unrolls = false, keeps_loop = false;
  };
  void note_uses(ExprId id, bool is_element, bool is_target);
  Pragma pragma_of(StmtId loop) const;
  bool find(StmtId from, ExprId site, std::vector<StmtId>& path) const;
  bool contains(ExprId from, ExprId site) const;
  std::optional<std::int64_t> value_of_hole(const Expr& e, const Bindings& bindings) const;
  std::vector<ExprId> read_by(const Expr& e) const;
  void collect_variables(ExprId id, std::set<VariableId>& found) const;
  bool is_set_once(VariableId id) const;
  VariableId variable_of(StmtId loop) const;
  bool iterate(const std::vector<StmtId>& loops, std::size_t at, Bindings& bindings,
               std::vector<Bindings>& found) const;
  template <typename Visit>
  void visit(StmtId from, Visit&& visit_expression) const;

  const Program& program_;
  const Completion& completion_;
  std::map<VariableId, ExprId> initial_;               // what a declaration sets
  std::map<VariableId, std::vector<ExprId>> changes_;  // assignments, steps, addresses taken
  std::set<VariableId> escaping_;
  std::set<ExprId> written_;
};

}  // namespace swizzle
