// The kernels of a unit, and instances that are added behind its main file for templates that nothing instantiates:
// private to frontend/. See stand_ins.h.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/check_unit.h"
#include "frontend/file_functions.h"
#include "frontend/stand_ins.h"

namespace swizzle {

struct Kernels {
  std::vector<const clang::FunctionDecl*> functions;
  std::vector<const clang::FunctionDecl*> templates;  // which nothing instantiates
};
Kernels kernels_in(const std::vector<FunctionOrTemplate>& functions);

// A line that makes the instance `name`, "f<32>".
std::string instance_line(const std::string& name);

class AddedInstances {
 public:
  using Wanted = std::function<bool(const clang::FunctionDecl*)>;  // of kernels

  explicit AddedInstances(CheckUnit& unit) : unit_(unit) {}

  // Behind `text`, the main file's, which the unit then has. Host code's first: those that clang makes nothing of are
  // taken back, and its pattern tells what it can. Whether there are any.
  bool add(std::string& text, const std::string& path, const Wanted& is_wanted);
  bool hold(const clang::FunctionDecl* f) const;

 private:
  std::vector<std::string> of_kernels(StandInTypes types, const Wanted& is_wanted) const;
  template <typename NamesFor>
  std::pair<StandInTypes, std::vector<std::string>> fitting(const std::string& text, const std::string& path,
                                                            NamesFor&& names_for);

  CheckUnit& unit_;
  std::set<std::string> told_;  // instances that the file makes
  bool has_any_ = false;
};

}  // namespace swizzle
