#include "synth/program/exits.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "synth/program/data_flow.h"
#include "synth/program/tree_builder.h"

namespace swizzle {
namespace {

using Statements = std::vector<StmtId>;

class ExitsInArms {
 public:
  explicit ExitsInArms(Program& program) : program_(program), tree_(program), has_data_(with_data(program)) {}

  void run() {
    const std::size_t before = program_.stmts.size();
    for (std::size_t s = 0; s < before; ++s) {
      if (!is_loop(program_.stmts[s].kind)) continue;
      of_loop(StmtId(s), StmtKind::kContinue);
      if (ends_by_itself(StmtId(s))) of_loop(StmtId(s), StmtKind::kBreak);
    }
    for (std::size_t f = 0; f < program_.functions.size(); ++f) of_function(FunctionId(f));
  }

 private:
  // … or holes.
  bool is_data(ExprId id) const {
    const Expr& e = program_.expr(id);
    return (id.value < has_data_.size() && has_data_[id.value]) || e.kind == ExprKind::kHole ||
           (e.kind == ExprKind::kVariable && flags_.contains(e.variable)) ||
           std::ranges::any_of(e.operands, [&](ExprId operand) { return is_data(operand); });
  }

  // Whatever an iteration does: for (int k = 0; k < 4; ++k).
  bool ends_by_itself(StmtId id) const {
    const Stmt& s = program_.stmt(id);
    if (s.kind != StmtKind::kFor || !s.expr.valid() || is_data(s.expr) || !s.body[0].valid() || !s.body[1].valid())
      return false;
    const Stmt &first = program_.stmt(s.body[0]), &step = program_.stmt(s.body[1]);
    return first.kind == StmtKind::kDeclare && step.kind == StmtKind::kExpr && !is_data(step.expr) &&
           !assigns(s.body[2], first.variable);
  }
  bool assigns(ExprId id, VariableId v) const {
    const Expr& e = program_.expr(id);
    const bool changes = e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec || e.kind == ExprKind::kAddressOf;
    return (changes && program_.expr(e.operands[0]).kind == ExprKind::kVariable &&
            program_.expr(e.operands[0]).variable == v) ||
           std::ranges::any_of(e.operands, [&](ExprId operand) { return assigns(operand, v); });
  }
  bool assigns(StmtId id, VariableId v) const {
    if (!id.valid()) return false;
    const Stmt& s = program_.stmt(id);
    return (s.expr.valid() && assigns(s.expr, v)) ||
           std::ranges::any_of(s.body, [&](StmtId part) { return assigns(part, v); });
  }

  // Whether such an exit stands there that data decide, as they do what stands around.
  bool leaves(StmtId id, bool by_data) const {
    if (!id.valid()) return false;
    const Stmt& s = program_.stmt(id);
    if (s.kind == how_) return by_data;
    if (s.kind == StmtKind::kSwitch || (is_loop(s.kind) && (how_ != StmtKind::kReturn || !ends_by_itself(id))))
      return false;
    by_data |= s.kind == StmtKind::kIf && is_data(s.expr);
    return std::ranges::any_of(s.body, [&](StmtId part) { return leaves(part, by_data); });
  }

  // What stands behind is not come to.
  bool ends(const Statements& list) const {
    if (list.empty()) return false;
    const Stmt& last = program_.stmt(list.back());
    if (last.kind == StmtKind::kBlock) return ends(last.body);
    if (last.kind == StmtKind::kIf) return last.body.size() > 1 && ends({last.body[0]}) && ends({last.body[1]});
    return last.kind == StmtKind::kReturn || last.kind == StmtKind::kBreak || last.kind == StmtKind::kContinue;
  }

  // Behind the statements there is nothing more to do, but where `gone_` is asked.
  Statements rewritten(const Statements& list, bool by_data) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!leaves(list[i], by_data)) continue;
      Statements made(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i));
      Statements rest(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end());
      for (StmtId s : without_exit(list[i], std::move(rest), by_data)) made.push_back(s);
      return made;
    }
    return list;
  }

  Statements without_exit(StmtId id, Statements rest, bool by_data) {
    const Stmt s = program_.stmt(id);
    if (s.kind == how_) return leaving(s);
    if (s.kind == StmtKind::kBlock) {
      rest.insert(rest.begin(), s.body.begin(), s.body.end());
      return rewritten(rest, by_data);
    }
    if (s.kind == StmtKind::kIf) return of_arms(s, std::move(rest), by_data);
    need_flag();
    const StmtId body = block({unless_gone({s.body[2]})});
    program_.stmts[id.value].body[2] = body;
    Statements made{id};
    if (!rest.empty()) made.push_back(unless_gone(rest));
    return made;
  }

  Statements of_arms(const Stmt& s, Statements rest, bool by_data) {
    by_data |= is_data(s.expr);
    Statements then{s.body[0]}, other(s.body.begin() + 1, s.body.end());
    const bool then_ends = ends(then), other_ends = ends(other);
    if (then_ends != other_ends) {
      Statements& goes_on = then_ends ? other : then;
      goes_on.insert(goes_on.end(), rest.begin(), rest.end());
    }
    if (then_ends || other_ends) rest.clear();
    if (!rest.empty()) need_flag();
    Stmt made;
    made.kind = StmtKind::kIf;
    made.expr = s.expr;
    made.body = {block(rewritten(then, by_data)), block(rewritten(other, by_data))};
    Statements all{tree_.make(std::move(made))};
    if (!rest.empty()) all.push_back(unless_gone(rest));
    return all;
  }

  Statements leaving(const Stmt& s) {
    Statements made;
    if (s.expr.valid()) {
      if (!result_.valid()) result_ = variable("result", program_.expr(s.expr).type);
      made.push_back(expression(tree_.assigned(tree_.variable_use(result_, s.range), s.expr, s.range)));
    }
    if (gone_.valid())
      made.push_back(expression(tree_.assigned(tree_.variable_use(gone_, s.range), truth(true, s.range), s.range)));
    return made;
  }

  void need_flag() {
    if (!gone_.valid()) flags_.insert(gone_ = variable("gone", tree_.scalar_type(Scalar::kBool)));
  }
  ExprId truth(bool is, SourceRange range) { return tree_.integer(is, tree_.scalar_type(Scalar::kBool), range); }
  StmtId unless_gone(const Statements& list) {
    Stmt made;
    const SourceRange range = program_.stmt(list.front()).range;
    made.kind = StmtKind::kIf;
    made.expr = tree_.logical_not(tree_.variable_use(gone_, range), range);
    made.body = {block(rewritten(list, true))};
    return tree_.make(std::move(made));
  }
  StmtId block(Statements list) {
    Stmt made;
    made.body = std::move(list);
    return tree_.make(std::move(made));
  }
  StmtId expression(ExprId id) {
    Stmt made;
    made.kind = StmtKind::kExpr;
    made.expr = id;
    return tree_.make(std::move(made));
  }
  VariableId variable(const char* name, TypeId type) {
    Variable made;
    made.name = name;
    made.type = type;
    return tree_.make(std::move(made));
  }
  // With the place of what it stands before.
  StmtId declaration(VariableId v, ExprId first, SourceRange range) {
    Stmt made;
    made.kind = StmtKind::kDeclare;
    made.variable = v;
    made.expr = first;
    made.range = range;
    return tree_.make(std::move(made));
  }

  void begin(StmtKind how) {
    how_ = how;
    gone_ = result_ = VariableId();
  }

  void of_loop(StmtId id, StmtKind how) {
    begin(how);
    const std::size_t at = program_.stmt(id).kind == StmtKind::kFor ? 2 : 0;
    const StmtId body = program_.stmt(id).body[at];
    if (!leaves(body, false)) return;
    if (how == StmtKind::kBreak) need_flag();
    const StmtId made = how == StmtKind::kBreak ? unless_gone({body}) : block(rewritten({body}, false));
    program_.stmts[id.value].body[at] = made;
    if (!gone_.valid()) return;
    // A loop that ends early is one of a block that says so first; one of which iterations do, says so in each.
    const SourceRange range = program_.stmt(id).range;
    const StmtId flag = declaration(gone_, truth(false, range), range);
    if (how == StmtKind::kContinue) program_.stmts[id.value].body[at] = block({flag, made});
    else enclose(id, flag);
  }

  // The statement becomes a block of `first` and itself.
  void enclose(StmtId id, StmtId first) {
    const StmtId itself = tree_.make(Stmt(program_.stmt(id)));
    Stmt& s = program_.stmts[id.value];
    s.kind = StmtKind::kBlock;
    s.expr = ExprId();
    s.body = {first, itself};
  }

  void of_function(FunctionId id) {
    begin(StmtKind::kReturn);
    const StmtId body = program_.function(id).body;
    if (!body.valid() || program_.type(program_.function(id).return_type).form == Type::Form::kPointer ||
        !leaves(body, false))
      return;
    const Statements before = program_.stmt(body).body;
    const SourceRange range = program_.stmt(before.front()).range;
    Statements made = rewritten(before, false);
    if (gone_.valid()) made.insert(made.begin(), declaration(gone_, truth(false, range), range));
    if (result_.valid()) {
      made.insert(made.begin(), declaration(result_, first_result(ends(before), range), range));
      Stmt last;
      last.kind = StmtKind::kReturn;
      last.expr = tree_.variable_use(result_, range);
      made.push_back(tree_.make(std::move(last)));
    }
    program_.stmts[body.value].body = std::move(made);
  }

  // Where all paths return something, it is never read before.
  ExprId first_result(bool is_always_set, SourceRange range) {
    const TypeId type = program_.variable(result_).type;
    const bool is_number = program_.type(type).form == Type::Form::kScalar;
    return is_always_set && is_number ? tree_.converted(tree_.placeholder(range), type) : ExprId();
  }

  Program& program_;
  TreeBuilder tree_;
  const std::vector<bool> has_data_;  // by expression, of those that were there
  std::set<VariableId> flags_;        // that are made here
  StmtKind how_ = StmtKind::kReturn;
  VariableId gone_, result_;  // of what is rewritten: whether it has ended, and with which value
};

}  // namespace

void put_exits_into_arms(Program& program) { ExitsInArms(program).run(); }

}  // namespace swizzle
