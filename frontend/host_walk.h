// Walks host code, statement by statement, for the launches in it: private to frontend/.
//
//   void run(float* x, int n) {          n: unknown
//     dim3 block(32, 4);
//     block.y = 8;                       block: (32, 8, 1)
//     if (n > 100) block.x = 16;         block: (unknown, 8, 1)
//     f<<<n / 32, block>>>(x, 7);        {f, grid unknown, block unknown, arguments: {n = 7}}
//   }
//
// Functions are walked where they are called, with what is known of their arguments. Where conditions are unknown both
// ways are. A loop is walked round by round, if it is known to end after a few; else what it changes is unknown in it
// and behind it. What someone has the address of, or may have changed, is unknown. Of text that is lost (LostText) that
// is all that it names; and where it may return, what is returned.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "frontend/host_changes.h"
#include "frontend/host_launch.h"
#include "frontend/launch_syntax.h"
#include "frontend/lost_text.h"

namespace swizzle {

class HostWalk {
 public:
  using Report = std::function<void(const HostLaunch&)>;
  // `shared`: variables of several functions that some of them change. `launching`: functions (canonical) that launch,
  // or call one that does.
  HostWalk(clang::ASTContext& context, const LostText& lost, const std::set<const clang::Decl*>& shared,
           const std::set<const clang::Decl*>& launching, Report report)
      : context_(context),
        lost_(lost),
        shared_(shared),
        launching_(launching),
        report_(std::move(report)) {}

  // Integers that come from elsewhere (arguments, results of functions that are not here, what these fill, what the
  // file holds) are taken to be `size`, and parts of variables to go by value; other unknown changes stay unknown.
  void assume(std::int64_t size) { assumed_ = size; }
  // With arguments that nothing is known of, but for these, the first ones.
  void walk(const clang::FunctionDecl* function, std::vector<HostValue> arguments = {});
  bool has_entered(const clang::FunctionDecl* function) const { return entered_.contains(function); }
  // Of a call, whether it was entered; of a function, whether it was by a pointer to it.
  bool has_followed(const void* called) const { return followed_.contains(called); }

 private:
  using Place = HostPlace;
  using CopiedBack = std::vector<std::pair<const clang::ParmVarDecl*, Place>>;

  // host_statements.cpp
  void exec(const clang::Stmt* s), exec_block(const clang::CompoundStmt* s);
  void exec_declaration(const clang::VarDecl* v);
  void exec_if(const clang::IfStmt* s), exec_switch(const clang::SwitchStmt* s);
  void exec_return(const clang::ReturnStmt* s), exec_try(const clang::CXXTryStmt* s);
  void leave(std::optional<HostVariables>& to) const;
  struct Loop;
  static std::optional<Loop> loop_of(const clang::Stmt* s);  // nothing: another statement
  void exec_loop(const Loop& loop);
  bool exec_rounds(const Loop& loop), may_launch(const clang::Stmt* s) const;
  void exec_unreached(const clang::Stmt* s, const clang::Expr* condition, const std::function<void()>& suppose_it);
  void meet(std::optional<HostVariables> other);  // of another way to here

  // host_lost.cpp
  void lose(const std::string& code), forget_named_in(const std::string& code), forget_lost_in(const clang::Stmt* s);
  bool may_be_hidden(const clang::Stmt* e) const;

  // host_narrowing.cpp
  void suppose(const clang::Expr* condition, bool holds);
  void know(const clang::VarDecl* v, std::int64_t value), forget_made_of(const clang::Expr* condition);

  // host_expressions.cpp
  HostValue evaluate(const clang::Expr* e), compute(const clang::Expr* e);
  HostValue constant(const clang::Expr* e) const, assign(const clang::Expr* target, const HostValue& value);
  HostValue read(const clang::Expr* e), cast(const clang::CastExpr* e);
  HostValue binary(const clang::BinaryOperator* e), unary(const clang::UnaryOperator* e);
  HostValue conditional(const clang::ConditionalOperator* e), lambda(const clang::LambdaExpr* e);
  HostValue parts_of(const clang::Stmt* e), global(const clang::Decl* d) const, global_list(const clang::Expr* e) const;
  std::optional<HostValue> any_element(const clang::Expr* e);
  HostValue assumed(const clang::Expr* e, HostValue value), assumed_of(clang::QualType type) const;
  bool comes_from_elsewhere(const clang::Expr* e);
  HostValue fitting(const HostValue& value, clang::QualType type) const;
  HostValue fitting(const HostValue& value, const clang::FieldDecl* field) const;
  std::optional<Place> place_of(const clang::Expr* e), pointee(const clang::Expr* pointer);
  void put(const Place& place, const HostValue& value);
  const HostValue* find(const Place& place) const;

  // host_objects.cpp
  HostValue construct(const clang::CXXConstructExpr* e), copied(HostValue value, clang::QualType type) const;
  HostValue list(const clang::InitListExpr* e), initialized(const clang::Expr* init);
  HostValue record_list(const clang::InitListExpr* e, const clang::RecordDecl* record);
  void exec_initializers(const clang::CXXConstructorDecl* constructor);
  std::optional<HostValue> exchange_this(const clang::Decl* record, std::optional<HostValue> value);
  HostValue enter_method(const clang::CXXMethodDecl* method, const clang::Expr* object,
                         std::vector<HostValue> arguments, const std::vector<const clang::Expr*>& written);

  // host_calls.cpp
  HostValue call(const clang::CallExpr* e), named_call(const clang::CallExpr* e);
  HostValue enter(const clang::FunctionDecl* f, std::vector<HostValue> arguments,
                  const std::vector<const clang::Expr*>& written);
  void runtime_launch(const clang::CallExpr* e, const std::string& name), tell_properties(const HostValue& pointer);
  void launch(const LaunchSyntax& syntax, clang::SourceRange range), report_launch(HostLaunch launch);
  std::vector<std::optional<std::int64_t>> template_numbers(const clang::Expr* kernel);
  HostValue operator_call(const clang::CXXOperatorCallExpr* e);
  HostValue enter_lambda(const clang::CXXMethodDecl* method, bool at_once, std::vector<HostValue> arguments,
                         const std::vector<const clang::Expr*>& written);
  void hand_over(const clang::CallExpr* e, const std::vector<HostValue>& arguments), copy_back(const CopiedBack& back);
  bool may_enter(const clang::FunctionDecl* f) const;
  void bind(const clang::ParmVarDecl* p, const HostValue& argument, const clang::Expr* written, CopiedBack& back);
  void forget(const clang::Decl* v), forget_addressed(), take_address(const clang::Decl* v), expect_end();
  void forget_changed_in(const clang::Stmt* s), forget_those_that_may_change(const clang::CallExpr* e);
  void escape(const std::set<const clang::Decl*>& variables), forget_own_copies(const clang::CXXRecordDecl* lambda);
  const HostBody& body(const clang::Stmt* s);
  const std::set<const clang::Decl*>& changed(const clang::Stmt* s) { return body(s).changed; }
  const clang::Decl* aliased(const clang::Decl* v) const;
  bool is_spent() { return ++steps_ > kMostSteps; }
  static constexpr int kMostSteps = 400'000, kDeepest = 12, kDeepestExpression = 500;
  clang::ASTContext& context_;
  const LostText& lost_;
  const std::set<const clang::Decl*>& shared_;
  const std::set<const clang::Decl*>& launching_;
  Report report_;
  std::set<std::string> hidden_;            // variables, by others whose declaration is lost, in the walk under way
  std::vector<HostLaunch> found_;           // likewise
  std::optional<HostVariables> variables_;  // nothing: nobody comes here
  std::map<const clang::Decl*, const clang::Decl*> aliases_;
  std::set<const clang::Decl*> addressed_;  // whose address was taken
  std::set<const clang::Decl*> escaped_;    // whose address is with someone who is not followed
  std::vector<const clang::FunctionDecl*> stack_;
  std::vector<const clang::CallExpr*> calls_;  // under way, entered or not
  std::set<const clang::FunctionDecl*> entered_;
  std::set<const void*> followed_;
  std::vector<const clang::LambdaExpr*> stored_lambdas_;
  std::vector<std::optional<HostVariables>> breaks_;  // of each loop or switch around
  std::optional<HostVariables> returns_;              // of the function under way
  std::optional<HostValue> returned_;
  bool is_reached_ = true, expects_end_ = false;
  std::optional<std::int64_t> assumed_;
  std::map<const clang::FunctionDecl*, HostChanges> changed_;  // assumed_: in functions of the stack
  std::map<const clang::Stmt*, HostBody> bodies_;
  int steps_ = 0, depth_ = 0;
};

}  // namespace swizzle
