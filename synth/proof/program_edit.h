// ProgramEdit: a copy of a program whose loops are written in another way, for the proof alone. Private to this room.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "synth/program/intrinsics.h"
#include "synth/program/tree_builder.h"

namespace swizzle {

class ProgramEdit {
 public:
  explicit ProgramEdit(const Program& program);

 protected:
  const Expr& expr(ExprId id) const { return program_.expr(id); }
  const Stmt& stmt(StmtId id) const { return program_.stmt(id); }
  std::size_t index_of(const Expr& e) const { return static_cast<std::size_t>(&e - program_.exprs.data()); }

  // Whether of(expression) is so somewhere.
  template <typename Of>
  bool any_in(ExprId id, Of&& of) const {
    return id.valid() &&
           (of(expr(id)) || std::ranges::any_of(expr(id).operands, [&](ExprId o) { return any_in(o, of); }));
  }
  template <typename Of>
  bool any_in(StmtId id, Of&& of) const {
    if (!id.valid()) return false;
    const Stmt& s = stmt(id);
    return any_in(s.expr, of) || std::ranges::any_of(s.body, [&](StmtId part) { return any_in(part, of); });
  }

  // Of how many expressions of(expression) is so.
  template <typename Id, typename Of>
  std::size_t count_in(Id id, Of&& of) const {
    std::size_t count = 0;
    any_in(id, [&](const Expr& e) { return count += of(e) ? 1 : 0, false; });
    return count;
  }

  bool is_of(ExprId id, VariableId v) const { return expr(id).kind == ExprKind::kVariable && expr(id).variable == v; }
  bool is_same(ExprId a, ExprId b) const;  // as it is written
  template <typename Id>
  bool names(Id id, VariableId v) const {
    return any_in(id, [&](const Expr& e) { return e.kind == ExprKind::kVariable && e.variable == v; });
  }
  bool is_pointer(VariableId v) const { return program_.type(program_.variable(v).type).form == Type::Form::kPointer; }
  bool is_parameter(VariableId v) const {  // of the entry
    const auto& parameters = program_.function(program_.entry).parameters;
    return std::ranges::find(parameters, v) != parameters.end();
  }
  bool is_own_integer(VariableId id) const;  // of the function, and no reference
  bool is_integer(ExprId id) const;
  bool widens(ExprId id) const;  // a cast of an integer to one of as many bytes, or more
  // Whether a `break` or `continue` of the loop with this body stands there: not of one within it.
  bool leaves_by(StmtKind how, StmtId body) const;
  // Whether the variable is named in the statement alone.
  bool is_named_only_in(StmtId id, VariableId v) const;
  void declared_in(StmtId id, std::set<VariableId>& all) const;
  // What the statement changes is its own, or memory that parameters point to; those stay as they are.
  bool hands_on_memory_alone(StmtId id) const;
  bool returns(StmtId id) const;
  // To the end of what the statement is a part of.
  bool goes_on(StmtId part) const {
    return !leaves_by(StmtKind::kBreak, part) && !leaves_by(StmtKind::kContinue, part) && !returns(part);
  }
  bool is_never_changed(VariableId v) const { return is_own_integer(v) && !assigned_.contains(v); }
  // What it is where it is a variable that nothing but its initializer says: itself, else.
  ExprId value_of(ExprId id) const;
  std::optional<std::int64_t> number(ExprId id) const;
  // Where nothing reads the variable any more, something else stands for its declaration.
  void replace_unread(VariableId v, Stmt by);

  // With each statement that there is handed to `edit`, which says whether it is another one then. Nothing: none is.
  template <typename Edit>
  std::optional<Program> with_each(Edit&& edit) {
    bool is_other = false;
    const std::size_t before = program_.stmts.size();
    for (std::size_t s = 0; s < before; ++s) is_other |= edit(StmtId(s));
    return is_other ? std::optional(std::move(program_)) : std::nullopt;
  }

  // Whether threads wait for each other there.
  template <typename Id>
  bool waits(Id id, int depth = 0) const {
    constexpr int kDeepest = 8;  // calls
    return any_in(id, [&](const Expr& e) {
      if (e.kind == ExprKind::kIntrinsic) return lane_behavior(e.intrinsic) == LaneBehavior::kBarrier;
      return e.kind == ExprKind::kCall && (depth == kDeepest || waits(program_.function(e.callee).body, depth + 1));
    });
  }

  StmtId made(Stmt s) { return TreeBuilder(program_).make(std::move(s)); }
  ExprId made(Expr e) { return TreeBuilder(program_).make(std::move(e)); }
  ExprId read_of(VariableId v, SourceRange range);
  ExprId binary(Operator op, ExprId a, ExprId b);  // of the type of `a`
  ExprId literal(std::int64_t value, TypeId type, SourceRange range);
  ExprId as(TypeId type, ExprId id);  // by a cast, where it has another type
  Stmt expression(ExprId id) const;
  ExprId copy_of(ExprId id);
  // The value; in a kernel the element is read as well, so that no other thread may store there.
  ExprId read_with(ExprId element, ExprId value);
  StmtId declaration(VariableId v, ExprId first, SourceRange range);
  VariableId copy_of(VariableId v);

  Program program_;

 private:
  std::set<VariableId> assigned_;
  std::map<VariableId, StmtId> declared_;  // with a first value
};

}  // namespace swizzle
