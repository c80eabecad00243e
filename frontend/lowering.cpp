#include "frontend/lowering.h"

#include <set>

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <fmt/format.h>

#include "frontend/lower_expressions.h"
#include "frontend/lower_functions.h"
#include "frontend/lower_statements.h"
#include "frontend/lower_uses.h"
#include "frontend/lower_variables.h"
#include "synth/program/exits.h"
#include "synth/program/places.h"

namespace swizzle {

// The parts, each with those that it needs, and how deep they call each other.
class Lowering::Parts final : public NodeLowering {
 public:
  Parts(clang::ASTContext& ast, const UserFiles& files, Program& program, Purpose purpose, const LostText* lost)
      : tree_(program),
        source_(ast, files, program, tree_, purpose),
        layouts_(ast, program, source_),
        types_(ast, program, tree_, source_, layouts_, *this, purpose),
        in_{ast, program, tree_, source_, types_, *this, scope_, lost, purpose == Purpose::kCheck},
        functions_(in_),
        variables_(in_, layouts_),
        holes_(in_, layouts_),
        accumulators_(in_),
        unknown_(in_),
        calls_(in_, layouts_, holes_, accumulators_, unknown_),
        expressions_(in_, calls_, unknown_),
        statements_(in_, layouts_) {}

  void run(const clang::FunctionDecl* entry);
  const SourceDiagnostics& source() const { return source_; }
  const FunctionLowering& functions() const { return functions_; }

  ExprId expression(const clang::Expr* expr) override;
  StmtId statement(const clang::Stmt* stmt) override;
  FunctionId function(const clang::FunctionDecl* decl) override { return functions_.lower(decl); }
  VariableId variable(const clang::VarDecl* decl, SourceRange declaration) override {
    return variables_.lower(decl, declaration);
  }

 private:
  void refuse_parameters(const clang::FunctionDecl* entry);
  void check_parameters();
  void report_depth(const clang::Stmt* stmt);

  static constexpr int kDeepest = 1000;
  TreeBuilder tree_;
  SourceDiagnostics source_;
  LayoutLowering layouts_;
  TypeLowering types_;
  FunctionScope scope_;
  const LoweringContext in_;
  FunctionLowering functions_;
  VariableLowering variables_;
  HoleLowering holes_;
  AccumulatorLowering accumulators_;
  UnknownLowering unknown_;
  CallLowering calls_;
  ExpressionLowering expressions_;
  StatementLowering statements_;
  int depth_ = 0;  // of the expression or statement around
  bool is_too_deep_ = false;
};

void Lowering::Parts::run(const clang::FunctionDecl* entry) {
  source_.set_use(source_.range_of(entry->getNameInfo().getSourceRange()));
  in_.program.entry = function(entry);
  variables_.append_symbols();
  if (in_.checks) return;
  accumulators_.set_types();
  refuse_parameters(entry);
  check_parameters();
  if (!source_.errors().empty()) return;
  std::set<std::uint32_t> lowered = holes_.places();
  lowered.insert(layouts_.places().begin(), layouts_.places().end());
  survey_uses(in_, lowered, entry->getNameAsString());
  put_exits_into_arms(in_.program);
}

// As nvcc does; and what no integer converts to is given no size.
void Lowering::Parts::refuse_parameters(const clang::FunctionDecl* entry) {
  for (const clang::ParmVarDecl* p : entry->parameters()) {
    if (in_.program.is_kernel && p->getType()->isReferenceType())
      source_.error(source_.range_of_name(p), "a kernel takes no references; take this by value, or a pointer to it");
    if (p->getType()->isEnumeralType())
      source_.error(source_.range_of_name(p),
                    "a parameter of an enumeration is not supported in a sketch; take an int");
  }
}

void Lowering::Parts::check_parameters() {
  const Program& program = in_.program;
  for (VariableId id : program.function(program.entry).parameters) {
    const Variable& v = program.variable(id);
    const Type& t = program.type(v.type);
    if (t.form == Type::Form::kPointer && item_layout(program, t.element).slots.empty())
      source_.error(
          v.range,
          fmt::format("a buffer of '{}' is not supported: its items must be scalars, or arrays and records of scalars",
                      program.type(t.element).spelling));
    if (t.form != Type::Form::kPointer && t.form != Type::Form::kScalar)
      source_.error(v.range, fmt::format("a parameter of type '{}' is not supported in a sketch", t.spelling));
  }
}

ExprId Lowering::Parts::expression(const clang::Expr* expr) {
  if (depth_ > kDeepest) {
    report_depth(expr);
    return tree_.placeholder(source_.range_of(expr));
  }
  const SourceDiagnostics::Use use(source_, source_.range_of(expr));
  ++depth_;
  ExprId id = expressions_.lower(expr);
  if (in_.checks) id = unknown_.with_operands(id, expr);
  --depth_;
  return id;
}

StmtId Lowering::Parts::statement(const clang::Stmt* stmt) {
  if (stmt == nullptr) return tree_.make(Stmt{});
  if (depth_ > kDeepest) {
    report_depth(stmt);
    return tree_.make(Stmt{});
  }
  ++depth_;
  const StmtId id = statements_.lower(stmt);
  --depth_;
  return id;
}

// Once.
void Lowering::Parts::report_depth(const clang::Stmt* stmt) {
  if (!is_too_deep_)
    source_.error(source_.range_of(stmt),
                  fmt::format("more than {} levels of nesting are not supported in a sketch", kDeepest));
  is_too_deep_ = true;
}

Lowering::Lowering(clang::ASTContext& ast, const UserFiles& files, Program& program, Purpose purpose,
                   const LostText* lost)
    : parts_(std::make_unique<Parts>(ast, files, program, purpose, lost)) {}

Lowering::~Lowering() = default;

void Lowering::run(const clang::FunctionDecl* entry) { parts_->run(entry); }

const Diagnostics& Lowering::diagnostics() const { return parts_->source().errors(); }

SourceRange Lowering::range_of(clang::SourceRange range) const { return parts_->source().range_of(range); }

const std::vector<SourceRange>& Lowering::bodies() const { return parts_->functions().bodies(); }

}  // namespace swizzle
