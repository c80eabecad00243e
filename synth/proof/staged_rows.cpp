#include "synth/proof/staged_rows.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "synth/machine/residency.h"
#include "synth/program/places.h"
#include "synth/program/size_tree.h"
#include "synth/proof/assigned_variables.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/element_edit.h"

namespace swizzle {
namespace {

// Of n * sizeof(float), (n + 8) * 4: what each n adds; nothing: another function of it, or too little.
std::optional<std::int64_t> bytes_of_each(const SizeTree& bytes, const std::string& size) {
  const auto at = [&](std::int64_t n) { return value_of(bytes, {{size, n}}); };
  const auto none = at(0), one = at(1), two = at(2), many = at(1'000'003);
  if (!none || !one || !two || !many || *none < 0) return std::nullopt;
  const std::int64_t each = *one - *none;
  const bool is_linear = *two - *one == each && *many - *none == 1'000'003 * each;
  return is_linear ? std::optional(each) : std::nullopt;
}

bool divides(const SizeTree& tree) {
  return tree.op == '/' || tree.op == '%' || tree.op == '<' || tree.op == '>' ||
         std::ranges::any_of(tree.operands, divides);
}

class Staging : public ElementEdit {
 public:
  using ElementEdit::ElementEdit;

  std::optional<StagedRows> run() {
    const auto& launch = program_.directives.launch;
    const StmtId body = program_.function(program_.entry).body;
    if (!launch || launch->block.size() != 1 || !launch->shared_bytes || stmt(body).kind != StmtKind::kBlock)
      return std::nullopt;
    std::map<std::string, std::int64_t> most;
    const std::size_t variables = program_.variables.size();
    for (std::size_t v = 0; v < variables; ++v)
      if (program_.variables[v].is_shared && program_.variables[v].is_extern && !stage(VariableId(v), body, most))
        return std::nullopt;
    if (most.empty()) return std::nullopt;
    program_.directives.launch->shared_bytes.reset();
    return StagedRows{std::move(program_), std::move(most)};
  }

 private:
  // What the elements are: `value` of the counter.
  struct Row {
    CountedLoop head;
    ExprId value;
    std::set<VariableId> own;           // variables of the loop's body
    std::set<VariableId> changed = {};  // since then
    bool is_behind_barrier = false;
    bool is_read_by_others = false;  // since the last barrier
  };
  struct Store {
    StmtId statement;
    CountedLoop head;
  };

  bool stage(VariableId array, StmtId body, std::map<std::string, std::int64_t>& most) {
    const auto is_of_array = [&](const Expr& e) { return is_element(e, array); };
    if (uses_of(array) != count_in(body, is_of_array)) return false;
    row_.reset();
    some_have_left_ = false;
    for (const StmtId part : std::vector(stmt(body).body)) {
      some_have_left_ = some_have_left_ || (returns(part) && !ends_blocks(part));
      const auto store = names(part, array) ? store_of_all(part, array) : std::nullopt;
      const std::set<VariableId> changed = AssignedVariables::in(program_, part).variables;
      if (row_) row_->changed.insert(changed.begin(), changed.end());
      const bool is_known =
          store ? take_store(part, array, *store) : !names(part, array) || take_reads(part, array, {});
      if (!is_known) return false;
      if (row_ && !store && !some_have_left_ && waits_for_all(part))
        row_->is_behind_barrier = true, row_->is_read_by_others = false;
    }
    if (!row_ || !has_room(array, row_->head, most)) return false;
    for (Stmt& s : program_.stmts)
      if (s.kind == StmtKind::kDeclare && s.variable == array) s = Stmt();
    return true;
  }

  // if (blockIdx.x >= rows) return;
  bool ends_blocks(StmtId id) const {
    const Stmt& s = stmt(id);
    const auto is_return = [&](StmtId part) {
      const std::vector<StmtId> parts = parts_of(part);
      return parts.size() == 1 && stmt(parts[0]).kind == StmtKind::kReturn;
    };
    return s.kind == StmtKind::kIf && s.body.size() == 1 && is_return(s.body[0]) && is_uniform(s.expr, {});
  }

  ExprId known(ExprId id) const {
    id = value_of(id);
    while (widens(id)) id = value_of(expr(id).operands[0]);
    return id;
  }
  bool is_builtin(ExprId id, Builtin builtin) const {
    const Expr& e = expr(known(id));
    return e.kind == ExprKind::kBuiltin && e.builtin == builtin;
  }

  // for (int j = threadIdx.x; j < n; j += blockDim.x)
  bool takes_all(const CountedLoop& loop) const {
    const Expr& end = expr(known(loop.end));
    const bool is_size =
        end.kind == ExprKind::kVariable && is_parameter(end.variable) && is_never_changed(end.variable);
    const bool is_by_threads =
        loop.step.valid() &&
        (is_builtin(loop.step, Builtin::kBlockDimX) ||
         (number(loop.step) && std::to_string(*number(loop.step)) == program_.directives.launch->block[0].text));
    return is_size && is_by_threads && loop.beyond() == 0 && is_builtin(loop.first, Builtin::kThreadIdxX);
  }
  bool is_same_head(const CountedLoop& a, const CountedLoop& b) const {
    return takes_all(a) && takes_all(b) && expr(known(a.end)).variable == expr(known(b.end)).variable;
  }
  std::optional<CountedLoop> loop_of_all(StmtId id) const {
    if (stmt(id).kind != StmtKind::kFor || !goes_on(stmt(id).body[2])) return std::nullopt;
    const auto loop = counted_loop(program_, stmt(id));
    const bool counts = loop && takes_all(*loop) &&
                        !AssignedVariables::in(program_, stmt(id).body[2]).variables.contains(loop->variable);
    return counts ? loop : std::nullopt;
  }

  // The only store there, of a loop over all elements, which each round makes to its own one.
  std::optional<Store> store_of_all(StmtId part, VariableId array) const {
    const auto loop = loop_of_all(part);
    if (!loop || changes_in(part, array) != 1) return std::nullopt;
    for (const StmtId s : parts_of(stmt(part).body[2])) {
      if (stmt(s).kind != StmtKind::kExpr) continue;
      const Expr& e = expr(stmt(s).expr);
      if (e.kind == ExprKind::kAssign && !e.compound && is_element(expr(e.operands[0]), array) &&
          is_of(known(expr(e.operands[0]).operands[1]), loop->variable))
        return Store{s, *loop};
    }
    return std::nullopt;
  }
  bool waits_for_all(StmtId id) const {
    return stmt(id).kind == StmtKind::kExpr || stmt(id).kind == StmtKind::kDeclare
               ? any_in(stmt(id).expr, [&](const Expr& e) { return is_barrier(e) || calls_barrier(e); })
               : stmt(id).kind == StmtKind::kBlock &&
                     std::ranges::any_of(stmt(id).body, [&](StmtId s) { return waits_for_all(s); });
  }
  static bool is_barrier(const Expr& e) {
    return e.kind == ExprKind::kIntrinsic && e.operands.empty() && lane_behavior(e.intrinsic) == LaneBehavior::kBarrier;
  }
  bool calls_barrier(const Expr& e) const {
    if (e.kind != ExprKind::kCall) return false;
    const StmtId body = program_.function(e.callee).body;
    return body.valid() && std::ranges::any_of(parts_of(body), [&](StmtId s) {
             return stmt(s).kind == StmtKind::kExpr && is_barrier(expr(stmt(s).expr));
           });
  }

  // What stands before the store reads what there was; the store evaluates its value, and what follows reads that.
  bool take_store(StmtId loop, VariableId array, const Store& store) {
    const std::vector<CountedLoop> around{store.head};
    for (const StmtId part : std::vector(parts_of(stmt(loop).body[2]))) {
      if (part != store.statement) {
        if (!take_reads(part, array, around)) return false;
        continue;
      }
      const ExprId value = expr(stmt(part).expr).operands[1];
      if (some_have_left_ || (row_ && row_->is_read_by_others) || !take_reads(value, array, around)) return false;
      row_ = Row{store.head, value, declared_by(stmt(loop).body[2]), AssignedVariables::in(program_, loop).variables};
      program_.stmts[part.value].expr = value;
    }
    return true;
  }

  // False: what is there is not known, or is stored to.
  bool take_reads(StmtId id, VariableId array, std::vector<CountedLoop> around) {
    if (!id.valid()) return true;
    if (const auto loop = loop_of_all(id)) around.push_back(*loop);
    return take_reads(stmt(id).expr, array, around) &&
           std::ranges::all_of(std::vector(stmt(id).body),
                               [&](StmtId part) { return take_reads(part, array, around); });
  }
  bool take_reads(ExprId id, VariableId array, const std::vector<CountedLoop>& around) {
    std::vector<ExprId> places;
    const bool are_stored_to = any_in(id, [&](const Expr& e) {
      if (is_element(e, array)) places.push_back(ExprId(index_of(e)));
      const bool changes = e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec ||
                           e.kind == ExprKind::kAddressOf ||
                           (e.kind == ExprKind::kIntrinsic && !is_of_its_operands(e.intrinsic));
      return changes && !e.operands.empty() && names(e.operands[0], array);
    });
    return !are_stored_to && std::ranges::all_of(places, [&](ExprId place) { return take_read(place, around); });
  }

  bool take_read(ExprId place, const std::vector<CountedLoop>& around) {
    if (!row_) return false;
    const ExprId index = known(expr(place).operands[1]);
    const bool is_own = std::ranges::any_of(
        around, [&](const CountedLoop& loop) { return is_same_head(loop, row_->head) && is_of(index, loop.variable); });
    if (is_own ? !keeps_value(row_->value) : !row_->is_behind_barrier || !is_uniform(row_->value, row_->head.variable))
      return false;
    row_->is_read_by_others = row_->is_read_by_others || !is_own;
    replace(place, is_own);
    return true;
  }

  // The same in each thread, but for the counter.
  bool is_uniform(ExprId id, VariableId counter) const {
    if (!id.valid()) return false;
    const ExprId value = value_of(id);
    if (value != id) return is_uniform(value, counter);
    const Expr& e = expr(id);
    if (e.kind == ExprKind::kVariable)
      return e.variable == counter ||
             (is_parameter(e.variable) &&
              (is_pointer(e.variable) ? is_read_alone(e.variable) : is_never_changed_parameter(e.variable)));
    const bool is_of_threads =
        e.kind == ExprKind::kBuiltin && (e.builtin <= Builtin::kThreadIdxZ || e.builtin == Builtin::kLaneId);
    if (is_of_threads || !is_of_its_operands(e)) return false;
    return std::ranges::all_of(e.operands, [&](ExprId o) { return is_uniform(o, counter); });
  }
  bool is_never_changed_parameter(VariableId v) const { return moves_of(v) == 0 && !has_other_names(v); }

  // Of a thread's own elements: nothing that it is made of has changed.
  bool keeps_value(ExprId id) const {
    std::set<VariableId> changed = row_->changed;
    changed.erase(row_->head.variable);
    return stays(id, changed, row_->own);
  }

  // The array has an element for each number below the loop's end.
  bool has_room(VariableId array, const CountedLoop& head, std::map<std::string, std::int64_t>& most) const {
    const std::string& size = program_.variable(expr(known(head.end)).variable).name;
    const auto bytes = parse_size(*program_.directives.launch->shared_bytes, program_.source);
    const std::int64_t needed = innermost(program_, program_.variable(array).type).size_bytes;
    if (!bytes.ok() || divides(*bytes) || names_in(*bytes) != std::set{size}) return false;
    const auto each = bytes_of_each(*bytes, size);
    if (!each || *each < needed) return false;
    most.emplace(size, kMostSharedBytes / *each);
    return true;
  }

  // The row's value with the index for its counter.
  ExprId computed(ExprId value, VariableId counter, ExprId index, bool is_own) {
    if (is_of(value, counter)) return as(expr(value).type, copy_of(index));
    const bool is_inside = expr(value).kind == ExprKind::kVariable && row_->own.contains(expr(value).variable);
    const ExprId first = is_own && !is_inside ? value : value_of(value);
    if (first != value) return computed(first, counter, index, is_own);
    Expr e = expr(value);
    for (ExprId& o : e.operands) o = computed(o, counter, index, is_own);
    return made(std::move(e));
  }

  void replace(ExprId place, bool is_own) {
    const ExprId index = expr(place).operands[1];
    const TypeId type = expr(place).type;
    const SourceRange range = expr(place).range;
    const ExprId value = as(type, computed(row_->value, row_->head.variable, index, is_own));
    if (is_own) return void(program_.exprs[place.value] = Expr(expr(value)));
    TreeBuilder tree(program_);
    const TypeId truth = tree.scalar_type(Scalar::kBool), of_index = expr(index).type;
    const ExprId from = tree.binary(Operator::kLe, literal(0, of_index, range), copy_of(index), truth, range);
    const ExprId end = as(of_index, copy_of(row_->head.end));
    const ExprId below = tree.binary(Operator::kLt, copy_of(index), end, truth, range);
    Expr chosen = expr(value);
    chosen.kind = ExprKind::kConditional;
    chosen.operands = {tree.binary(Operator::kLogicalAnd, from, below, truth, range), value, undefined(type, range)};
    program_.exprs[place.value] = std::move(chosen);
  }

  // A variable that is never set.
  ExprId undefined(TypeId type, SourceRange range) {
    Variable never;
    never.name = "unwritten", never.type = type, never.range = range;
    const VariableId v = TreeBuilder(program_).make(std::move(never));
    const StmtId body = program_.function(program_.entry).body;
    const StmtId declared = declaration(v, {}, range);
    std::vector<StmtId>& parts = program_.stmts[body.value].body;
    parts.insert(parts.begin(), declared);
    return read_of(v, range);
  }

  std::optional<Row> row_;
  bool some_have_left_ = false;  // of the threads of a block
};

}  // namespace

std::optional<StagedRows> with_staged_rows(const Program& kernel) { return Staging(kernel).run(); }

}  // namespace swizzle
