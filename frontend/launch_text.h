// An integer of host code, over what a launch hands to the kernel, as a directive writes it: private to frontend/.
//
//   int blocks(int n, int t) { return n / t + (n % t != 0); }
//   const int count = 1 << 12;
//   copy<<<blocks(count, 64), dim3(64)>>>(x, y, count);        of `copy(const float* x, float* y, int n)`:
//                                                              (n + 63) / 64  and  64
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/FoldingSet.h>

namespace swizzle {

// The variable that an expression names; null: it is another expression.
const clang::VarDecl* variable_in(const clang::Expr* expr);

// What digits say; nothing if `text` is anything else.
std::optional<std::int64_t> number_in(const std::string& text);

// The kernel's parameters, by what is handed to them: `k<<<(n / 4 + 255) / 256, 256>>>(y, x, n / 4)`.
class LaunchNames {
 public:
  LaunchNames() = default;
  LaunchNames(const clang::FunctionDecl* kernel, clang::SourceLocation launch);

  void hand(const clang::Expr* argument, const std::string& parameter);
  std::optional<std::string> of(const clang::Expr* expr) const;
  // What is a part of a number that is handed over: `k<<<rows, 256>>>(y, x, rows * 256)`.
  void divide(const clang::VarDecl* v, std::string quotient);
  // A size that is not handed over, which the spec may have: its own name, if the kernel has none like it.
  std::optional<std::string> of_launch_alone(const clang::VarDecl* v) const;
  clang::SourceLocation launch() const { return launch_; }

 private:
  llvm::FoldingSetNodeID form_of(const clang::Expr* expr) const;
  bool may_change(const clang::Stmt* s) const;

  const clang::ASTContext* context_ = nullptr;
  clang::SourceLocation launch_;
  std::set<std::string> parameters_;
  std::map<llvm::FoldingSetNodeID, std::string> handed_;
  std::map<const clang::VarDecl*, std::string> quotients_;
};

class LaunchText {
 public:
  LaunchText(clang::ASTContext& context, LaunchNames names) : context_(context), names_(std::move(names)) {}

  // Nothing: it says more than directives do, or what the kernel is not given.
  std::optional<std::string> integer(const clang::Expr* expr) { return integer(expr, 0); }
  // Of a dim3, or of an integer.
  std::optional<std::vector<std::string>> dimensions(const clang::Expr* expr) { return dimensions(expr, 0); }
  // What went through a float on its way, which holds integers up to kMostInFloat as they are.
  const std::set<std::string>& through_float() const { return through_float_; }
  static constexpr std::int64_t kMostInFloat = (1 << 24) - 1;

 private:
  using Text = std::optional<std::string>;
  using Bound = std::map<const clang::VarDecl*, std::string>;  // parameters
  // A number with digits behind the point, `(float)n / 64`: dividend / divisor.
  struct Quotient {
    std::string dividend;
    std::int64_t divisor = 1;
  };
  // `n % 64 != 0`, or that there is no rest.
  struct Rest {
    std::string dividend, divisor;
    bool is_left = true;
  };

  Text integer(const clang::Expr* expr, int depth), of_parts(const clang::Expr* plain, int depth);
  Text of_variable(const clang::VarDecl* v, clang::SourceLocation use, int depth);
  Text clamped(const clang::VarDecl* v, const clang::Expr* condition, const clang::Expr* value, int depth);
  Text operation(const clang::BinaryOperator* binary, int depth);
  Text conditional(const clang::ConditionalOperator* choice, int depth);
  Text called(const clang::CallExpr* call, int depth);
  std::optional<std::vector<std::string>> dimensions(const clang::Expr* expr, int depth);
  std::optional<std::vector<std::string>> constructed(const clang::CXXConstructExpr* made, int depth);
  std::optional<Quotient> real(const clang::Expr* expr, int depth);
  std::optional<Quotient> real_operation(const clang::BinaryOperator* binary, int depth);
  std::optional<Rest> rest(const clang::Expr* expr, int depth);
  static Text with_rest(const std::string& quotient, const Rest& rest);

  // What `of` makes of what the function returns, its parameters being what is handed over; nothing: it does more than
  // declare variables and return.
  template <typename Of>
  auto returned(const clang::CallExpr* call, int depth, Of of) -> decltype(of(call));

  bool is_narrowed(const clang::Expr* expr) const;
  std::optional<std::int64_t> constant(const clang::Expr* expr) const, constant_real(const clang::Expr* expr) const;

  clang::ASTContext& context_;
  LaunchNames names_;
  std::optional<Bound> bound_;  // of the function that is called
  std::set<std::string> through_float_;
};

}  // namespace swizzle
