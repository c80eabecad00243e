// ElementEdit: what loops say of the elements that they store, for those who write them in another way. Private to this
// room.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "synth/proof/program_edit.h"

namespace swizzle {

class ElementEdit : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

 protected:
  std::set<VariableId> declared_by(StmtId id) const {
    std::set<VariableId> own;
    declared_in(id, own);
    return own;
  }
  std::vector<StmtId> parts_of(StmtId body) const {
    return stmt(body).kind == StmtKind::kBlock ? stmt(body).body : std::vector{body};
  }

  // An integer that stays what it is where `changed` are changed.
  bool keeps(VariableId v, const std::set<VariableId>& changed) const {
    return is_own_integer(v) && !changed.contains(v) && !has_other_names(v);
  }
  // Of numbers, of threads, and of such variables.
  bool is_fixed(ExprId id, const std::set<VariableId>& changed) const;
  // Whether a value depends on nothing of `changed`, nor on memory that anything stores to; `own`: variables that are
  // what they begin with.
  bool stays(ExprId value, const std::set<VariableId>& changed, const std::set<VariableId>& own) const;

  bool is_element(const Expr& e, VariableId buffer) const {
    return e.kind == ExprKind::kSubscript && is_of(e.operands[0], buffer) && !names(e.operands[1], buffer) &&
           program_.type(e.type).form == Type::Form::kScalar;
  }
  std::size_t changes_in(StmtId id, VariableId buffer) const {
    return count_in(id, [&](const Expr& e) {
      return (e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec) && names(e.operands[0], buffer);
    });
  }
  // In all functions: how often it is named, and given another value.
  std::size_t uses_of(VariableId v) const {
    return count_anywhere([&](const Expr& e) { return e.kind == ExprKind::kVariable && e.variable == v; });
  }
  std::size_t moves_of(VariableId v) const {
    return count_anywhere([&](const Expr& e) { return moves(e, v); });
  }
  bool moves(const Expr& e, VariableId v) const {
    return (e.kind == ExprKind::kAssign || e.kind == ExprKind::kIncDec) && is_of(e.operands[0], v);
  }
  // No other value of the variable gives the same index: it is one summand.
  bool tells_apart(ExprId index, VariableId v) const;
  bool is_within(ExprId id, VariableId v) const;  // also of what variables begin with

  // References and pointers may lead to it.
  bool has_other_names(VariableId v) const;
  // The parameter or the array that a pointer is a part of for as long as it is there. Nothing: it may be another one.
  std::optional<VariableId> root_of(VariableId pointer) const;
  std::optional<VariableId> parameter_of(VariableId pointer) const;
  // Nothing stores through it, nor through another pointer that may lead there.
  bool is_read_alone(VariableId pointer) const;
  template <typename Of>
  std::size_t count_anywhere(Of&& of) const {
    std::size_t count = 0;
    for (const Function& f : program_.functions) count += count_in(f.body, of);
    return count;
  }
  template <typename Of>
  bool any_anywhere(Of&& of) const {
    return std::ranges::any_of(program_.functions, [&](const Function& f) { return any_in(f.body, of); });
  }
};

// Of what it is given alone, in each lane.
bool is_of_its_operands(Intrinsic intrinsic);
bool is_of_its_operands(const Expr& e);  // also a number, and one that threads and blocks have

}  // namespace swizzle
