#include "frontend/lower_statements.h"

#include <algorithm>
#include <functional>
#include <ranges>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <fmt/format.h>

#include "frontend/ptx.h"
#include "synth/base/text.h"

namespace swizzle {

ExprId StatementLowering::returned(const clang::ReturnStmt* s) {
  ExprId value;
  if (s->getRetValue() != nullptr) value = nodes_.expression(s->getRetValue());
  if (value.valid() && scope_.returns_reference) value = tree_.address_of(value);
  return scope_.constructed.valid() ? tree_.variable_use(scope_.constructed, source_.range_of(s)) : value;
}

// What begins in a statement that is none of declarations ends with it.
StmtId StatementLowering::lower(const clang::Stmt* s) {
  const std::size_t begun = scope_.objects.size(), at_break = scope_.objects_at_break,
                    at_continue = scope_.objects_at_continue;
  const bool is_loop = llvm::isa<clang::ForStmt, clang::CXXForRangeStmt, clang::WhileStmt, clang::DoStmt>(s);
  if (is_loop) scope_.objects_at_continue = begun;
  if (is_loop || llvm::isa<clang::SwitchStmt>(s)) scope_.objects_at_break = begun;
  const StmtId made = of_kind(s);
  scope_.objects_at_break = at_break;
  scope_.objects_at_continue = at_continue;
  return llvm::isa<clang::DeclStmt>(s) ? made : endings_.behind(begun, made);
}

StmtId StatementLowering::expression(const clang::Expr* e, Stmt out) {
  scope_.statement = e->IgnoreImplicit();
  out.kind = StmtKind::kExpr;
  out.expr = nodes_.expression(e);
  const StmtId made = tree_.make(out);
  if (!endings_.ends_temporaries(e)) return made;
  Stmt both;
  both.body = {made, perhaps_left()};
  return tree_.make(std::move(both));
}

StmtId StatementLowering::of_kind(const clang::Stmt* s) {
  Stmt out;
  out.range = source_.range_of(s);
  const auto one = [&](StmtKind kind) {
    out.kind = kind;
    return tree_.make(out);
  };
  if (const auto* e = llvm::dyn_cast<clang::Expr>(s)) return expression(e, std::move(out));
  switch (s->getStmtClass()) {
    case clang::Stmt::NullStmtClass:
      return lost_ != nullptr ? whatever_it_does(lost_->in_place_of(llvm::cast<clang::NullStmt>(s)), s)
                              : tree_.make(out);
    case clang::Stmt::DeclStmtClass: return declaration(llvm::cast<clang::DeclStmt>(s));
    case clang::Stmt::AttributedStmtClass: return attributed(llvm::cast<clang::AttributedStmt>(s));
    case clang::Stmt::BreakStmtClass: return endings_.leaving(scope_.objects_at_break, one(StmtKind::kBreak));
    case clang::Stmt::ContinueStmtClass: return endings_.leaving(scope_.objects_at_continue, one(StmtKind::kContinue));
    case clang::Stmt::SwitchStmtClass: return switch_statement(llvm::cast<clang::SwitchStmt>(s));
    case clang::Stmt::CompoundStmtClass: return block(llvm::cast<clang::CompoundStmt>(s));
    case clang::Stmt::ReturnStmtClass:
      out.expr = returned(llvm::cast<clang::ReturnStmt>(s));
      out.kind = StmtKind::kReturn;
      return endings_.returning(std::move(out));
    case clang::Stmt::IfStmtClass: return if_statement(llvm::cast<clang::IfStmt>(s));
    case clang::Stmt::ForStmtClass: return for_statement(llvm::cast<clang::ForStmt>(s));
    case clang::Stmt::CXXForRangeStmtClass: return for_range(llvm::cast<clang::CXXForRangeStmt>(s));
    case clang::Stmt::WhileStmtClass: return while_statement(llvm::cast<clang::WhileStmt>(s));
    case clang::Stmt::DoStmtClass:
      out.expr = nodes_.expression(llvm::cast<clang::DoStmt>(s)->getCond());
      out.body.push_back(nodes_.statement(llvm::cast<clang::DoStmt>(s)->getBody()));
      return one(StmtKind::kDoWhile);
    case clang::Stmt::LabelStmtClass: return nodes_.statement(llvm::cast<clang::LabelStmt>(s)->getSubStmt());
    case clang::Stmt::GCCAsmStmtClass: return inline_ptx(llvm::cast<clang::GCCAsmStmt>(s));
    default:
      source_.unsupported(s, fmt::format("this statement ({})", s->getStmtClassName()));
      return checks_ ? perhaps_left() : tree_.make(out);
  }
}

// `if (unknown) return unknown;`, at no place that could be told: who comes to a goto is perhaps not seen again.
StmtId StatementLowering::perhaps_left() {
  Stmt leave, out;
  leave.kind = StmtKind::kReturn;
  leave.expr = tree_.unknown({});
  out.kind = StmtKind::kIf;
  out.expr = tree_.unknown({});
  out.body.push_back(tree_.make(leave));
  return tree_.make(out);
}

// Variables that it may change are unknown behind it, and perhaps it does not end. What is shared, it does nothing to
// that is told.
StmtId StatementLowering::whatever_it_does(const std::string& lost, const clang::Stmt* behind) {
  Stmt out, change;
  if (lost.empty() || scope_.function == nullptr) return tree_.make(std::move(out));
  const SourceRange range = source_.range_of(clang::SourceRange(behind->getBeginLoc()));
  Expr unknown = program_.expr(tree_.unknown(range));
  for (const clang::Decl* d : scope_.function->decls()) {
    const auto* v = llvm::dyn_cast<clang::VarDecl>(d);
    const bool may_be_changed =
        v != nullptr && !v->isInvalidDecl() && v->hasLocalStorage() &&
        !v->getType().getNonReferenceType().isConstQualified() && v->getDeclName().isIdentifier() &&
        may_change(lost, v->getName()) &&
        ast_.getSourceManager().isBeforeInTranslationUnit(v->getLocation(), behind->getEndLoc());
    const VariableId id = may_be_changed && !is_opaque(v->getType()) ? nodes_.variable(v, {}) : VariableId();
    if (id.valid() && !program_.variable(id).is_shared)
      unknown.operands.push_back(tree_.address_of(tree_.variable_use(id, range)));
  }
  change.kind = StmtKind::kExpr;
  change.expr = tree_.make(std::move(unknown));
  out.body.push_back(tree_.make(std::move(change)));
  const auto has = [&](const char* word) { return contains_word(lost, word); };
  if (has("return") || has("break") || has("continue")) out.body.push_back(perhaps_left());
  return tree_.make(std::move(out));
}

StmtId StatementLowering::inline_ptx(const clang::GCCAsmStmt* s) {
  if (checks_) return asm_.statement(s);
  const auto instructions = ptx_instructions(s->getAsmString()->getString().str());
  const bool copies = std::any_of(instructions.begin(), instructions.end(),
                                  [](const PtxInstruction& p) { return p.name.starts_with("cp.async."); });
  return copies ? copies_.statement(s, instructions) : matrices_.statement(s);
}

StmtId StatementLowering::block(const clang::CompoundStmt* s) {
  Stmt out;
  out.range = source_.range_of(s);
  const std::size_t outer = scope_.lane_candidates.size();
  const std::vector<std::string>* const lost = lost_ != nullptr ? &lost_->before_each_of(s) : nullptr;
  std::size_t at = 0;
  const auto add_lost = [&](const clang::Stmt* behind) {
    if (lost != nullptr && !(*lost)[at].empty()) out.body.push_back(whatever_it_does((*lost)[at], behind));
    ++at;
  };
  for (const clang::Stmt* inner : s->body()) {
    add_lost(inner);
    if (!llvm::isa<clang::NullStmt>(inner)) out.body.push_back(nodes_.statement(inner));
  }
  add_lost(s);
  scope_.lane_candidates.resize(outer);
  return tree_.make(out);
}

StmtId StatementLowering::while_statement(const clang::WhileStmt* s) {
  Stmt out;
  out.kind = StmtKind::kWhile;
  out.range = source_.range_of(s);
  if (s->getConditionVariable() != nullptr) source_.unsupported(s, "a variable in a loop's condition");
  out.expr = nodes_.expression(s->getCond());
  out.body.push_back(nodes_.statement(s->getBody()));
  return tree_.make(out);
}

// Behind a pragma, clang takes attributes that no statement can have, and says nothing.
StmtId StatementLowering::attributed(const clang::AttributedStmt* s) {
  const SourceRange whole = source_.range_of(s), statement = source_.range_of(s->getSubStmt());
  for (const std::string_view name : {"__shared__", "__constant__", "__global__"})
    if (const auto at = program_.source.slice({whole.begin, statement.begin}).find(name);
        at != std::string_view::npos) {
      const auto begin = whole.begin + static_cast<std::uint32_t>(at);
      source_.error({begin, begin + static_cast<std::uint32_t>(name.size())},
                    fmt::format("'{}' belongs to a declaration, and stands before a statement", name));
    }
  return nodes_.statement(s->getSubStmt());
}

StmtId StatementLowering::if_statement(const clang::IfStmt* s) {
  Stmt out, block;
  out.kind = StmtKind::kIf;
  out.range = block.range = source_.range_of(s);
  if (s->getInit() != nullptr) block.body.push_back(nodes_.statement(s->getInit()));
  if (const auto* v = s->getConditionVariableDeclStmt()) block.body.push_back(nodes_.statement(v));
  if (s->isConstexpr()) {
    clang::Expr::EvalResult known;
    const bool taken = s->getCond()->EvaluateAsInt(known, ast_) && known.Val.getInt() != 0;
    block.body.push_back(nodes_.statement(taken ? s->getThen() : s->getElse()));
    return tree_.make(block);
  }
  out.expr = nodes_.expression(s->getCond());
  out.body.push_back(nodes_.statement(s->getThen()));
  if (s->getElse() != nullptr) out.body.push_back(nodes_.statement(s->getElse()));
  if (block.body.empty()) return tree_.make(out);
  block.body.push_back(tree_.make(out));
  return tree_.make(block);
}

StmtId StatementLowering::for_statement(const clang::ForStmt* s) {
  Stmt out, step;
  out.kind = StmtKind::kFor;
  out.range = source_.range_of(s);
  if (s->getConditionVariable() != nullptr) source_.unsupported(s, "a variable in a loop's condition");
  out.body.push_back(nodes_.statement(s->getInit()));
  const clang::VarDecl* induction = nullptr;
  if (const auto* d = llvm::dyn_cast_or_null<clang::DeclStmt>(s->getInit()))
    if (d->isSingleDecl()) induction = llvm::dyn_cast<clang::VarDecl>(d->getSingleDecl());
  if (s->getCond() != nullptr) out.expr = nodes_.expression(s->getCond());
  if (s->getInc() != nullptr) {
    step.kind = StmtKind::kExpr;
    step.range = source_.range_of(s->getInc());
    step.expr = nodes_.expression(s->getInc());
  }
  out.body.push_back(tree_.make(step));
  if (induction != nullptr) scope_.loop_variables.push_back(induction);
  out.body.push_back(nodes_.statement(s->getBody()));
  if (induction != nullptr) scope_.loop_variables.pop_back();
  return tree_.make(out);
}

// As the standard writes it out: { auto&& range = …; auto begin = …, end = …; for (; begin != end; ++begin) { T v =
// *begin; … } }.
StmtId StatementLowering::for_range(const clang::CXXForRangeStmt* s) {
  Stmt block, loop, step, body;
  block.range = loop.range = step.range = body.range = source_.range_of(s);
  for (const clang::Stmt* before :
       std::initializer_list<const clang::Stmt*>{s->getInit(), s->getRangeStmt(), s->getBeginStmt(), s->getEndStmt()})
    if (before != nullptr) block.body.push_back(nodes_.statement(before));
  loop.kind = StmtKind::kFor;
  loop.expr = nodes_.expression(s->getCond());
  step.kind = StmtKind::kExpr;
  step.expr = nodes_.expression(s->getInc());
  body.body = {nodes_.statement(s->getLoopVarStmt()), nodes_.statement(s->getBody())};
  loop.body = {tree_.make(Stmt{}), tree_.make(step), tree_.make(body)};
  block.body.push_back(tree_.make(loop));
  return tree_.make(block);
}

StmtId StatementLowering::declaration(const clang::DeclStmt* s) {
  Stmt block;
  block.range = source_.range_of(s);
  for (const clang::Decl* d : s->decls()) {
    const auto* v = llvm::dyn_cast<clang::VarDecl>(d);
    if (v == nullptr || (checks_ && v->isInvalidDecl())) continue;  // types, using-declarations, static_assert
    if (layout_number(v->getType())) {
      layouts_.declare(v, s->isSingleDecl() ? block.range : SourceRange{});
      continue;
    }
    if (v->getType()->isIntegerType()) scope_.lane_candidates.push_back(v);
    Stmt out;
    out.kind = StmtKind::kDeclare;
    out.range = source_.range_of(v);
    out.variable = nodes_.variable(v, s->isSingleDecl() ? block.range : SourceRange{});
    if (program_.variable(out.variable).is_global) continue;
    if (v->getInit() != nullptr && !program_.variable(out.variable).is_shared) out.expr = initializer(v, out.range);
    endings_.begins(v, out.variable);
    // As it is written: clang is given `const`, where a hole stands (source_rewrite.h).
    const std::string_view before = program_.source.slice({out.range.begin, source_.range_of_name(v).begin});
    if (out.expr.valid() && contains_word(before, "constexpr")) mind_constant(v, out.expr);
    block.body.push_back(tree_.make(out));
    if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(v)) declare_parts(parts, block);
  }
  return block.body.size() == 1 ? block.body[0] : tree_.make(block);
}

// Of what has get<0>(), which is asked once.
void StatementLowering::declare_parts(const clang::DecompositionDecl* parts, Stmt& block) {
  for (const clang::BindingDecl* part : parts->bindings()) {
    const clang::VarDecl* held = part->getHoldingVar();
    if (held == nullptr) continue;
    Stmt out;
    out.kind = StmtKind::kDeclare;
    out.range = source_.range_of(held);
    out.variable = nodes_.variable(held, {});
    out.expr = initializer(held, out.range);
    block.body.push_back(tree_.make(out));
  }
}

// What a hole becomes is of its arguments, and no constant where these are none.
void StatementLowering::mind_constant(const clang::VarDecl* v, ExprId id) {
  const Expr& e = program_.expr(id);
  const std::function<bool(ExprId)> names_a_variable = [&](ExprId part) {
    const Expr& of = program_.expr(part);
    return (of.kind == ExprKind::kVariable && !program_.variable(of.variable).is_const) ||
           std::ranges::any_of(of.operands, names_a_variable);
  };
  const auto is_open = [&](ExprId operand) { return names_a_variable(operand) || !tree_.is_constant(operand); };
  if (e.kind == ExprKind::kHole && std::ranges::any_of(e.operands, is_open))
    return source_.error(
        e.range,
        fmt::format("'{}' is constexpr, and this hole goes by what is no constant: write const", v->getNameAsString()));
  for (const ExprId operand : e.operands) mind_constant(v, operand);
}

// Invalid: it has none.
ExprId StatementLowering::initializer(const clang::VarDecl* v, SourceRange range) {
  const clang::Expr* init = v->getInit();
  if (v->getType()->isReferenceType())
    return checks_ && !init->isGLValue() ? tree_.unknown(range) : tree_.address_of(nodes_.expression(init));
  const auto* c = llvm::dyn_cast<clang::CXXConstructExpr>(init);
  if (c != nullptr && c->getNumArgs() == 0 && c->getConstructor()->isTrivial() && !c->requiresZeroInitialization())
    return {};
  scope_.initializer = init->IgnoreImplicit();
  return nodes_.expression(init);
}

// if (m == 0) { a(); } else if (m == 1 || m == 2) { b(); } else { c(); }
StmtId StatementLowering::as_ifs(const clang::SwitchStmt* s, const std::vector<SwitchArm>& arms) {
  const TypeId truth = tree_.scalar_type(Scalar::kBool);
  std::vector<Stmt> choices;
  for (const SwitchArm& arm : arms) {
    Stmt body, &choice = choices.emplace_back();
    body.range = choice.range = source_.range_of(s);
    for (const std::int64_t value : arm.values) {
      const ExprId asked = nodes_.expression(s->getCond());
      const SourceRange at = program_.expr(asked).range;
      const ExprId is_so =
          tree_.binary(Operator::kEq, asked, tree_.integer(value, program_.expr(asked).type, at), truth, at);
      choice.expr = choice.expr.valid() ? tree_.binary(Operator::kLogicalOr, choice.expr, is_so, truth, at) : is_so;
    }
    for (const clang::Stmt* inner : arm.body) body.body.push_back(nodes_.statement(inner));
    choice.kind = arm.is_default ? StmtKind::kBlock : StmtKind::kIf;
    choice.body = {tree_.make(std::move(body))};
  }
  StmtId made;
  for (Stmt& choice : std::views::reverse(choices)) {
    if (made.valid()) choice.body.push_back(made);
    made = tree_.make(std::move(choice));
  }
  return made.valid() ? made : tree_.make(Stmt());
}

StmtId StatementLowering::switch_statement(const clang::SwitchStmt* s) {
  if (const auto arms = checks_ ? std::nullopt : arms_of(s, ast_)) return as_ifs(s, *arms);
  Stmt out, block;
  out.kind = StmtKind::kSwitch;
  out.range = block.range = source_.range_of(s);
  if (s->getInit() != nullptr || s->getConditionVariable() != nullptr)
    source_.unsupported(s, "a variable in a switch's condition");
  out.expr = nodes_.expression(s->getCond());
  if (const auto* body = llvm::dyn_cast<clang::CompoundStmt>(s->getBody()))
    for (const clang::Stmt* inner : body->body()) switch_labels(inner, block.body);
  else switch_labels(s->getBody(), block.body);
  out.body.push_back(tree_.make(block));
  return tree_.make(out);
}

// `case 1: case 2: f();` becomes two labels and a statement.
void StatementLowering::switch_labels(const clang::Stmt* s, std::vector<StmtId>& out) {
  const auto* label = llvm::dyn_cast<clang::SwitchCase>(s);
  if (label == nullptr) {
    out.push_back(nodes_.statement(s));
    return;
  }
  Stmt made;
  made.kind = StmtKind::kCase;
  made.range = source_.range_of(s);
  if (const auto* c = llvm::dyn_cast<clang::CaseStmt>(label)) {
    made.case_values.push_back(c->getLHS()->EvaluateKnownConstInt(ast_).getExtValue());
    if (c->getRHS() != nullptr) source_.unsupported(c, "a range of cases");
  }
  out.push_back(tree_.make(made));
  switch_labels(label->getSubStmt(), out);
}

}  // namespace swizzle
