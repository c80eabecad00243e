// SizeEdit: a program one of whose sizes is told by others, for the proof alone. Private to this room.
#pragma once

#include <functional>
#include <string>

#include "synth/program/size_tree.h"
#include "synth/proof/program_edit.h"

namespace swizzle {

class SizeEdit : public ProgramEdit {
 public:
  using ProgramEdit::ProgramEdit;

  std::string name_of(std::size_t parameter) const { return program_.variable(parameters()[parameter]).name; }
  bool has_variable(const std::string& name) const {
    return std::ranges::find(program_.variables, name, &Variable::name) != program_.variables.end();
  }
  // A parameter that is an integer and stays what it is: nothing has its address either.
  bool is_size(std::size_t parameter) const { return is_never_changed(parameters()[parameter]); }

 protected:
  const std::vector<VariableId>& parameters() const { return program_.function(program_.entry).parameters; }

  // Each read of the variable by what `make` has for it; what that reads of it stays.
  void replace_reads(VariableId v, const std::function<ExprId(const Expr& read)>& make);
  // Each expression of the directives that names the size.
  void replace_in_directives(const std::string& size, const std::function<SizeTree(const SizeTree&)>& replaced);
};

}  // namespace swizzle
