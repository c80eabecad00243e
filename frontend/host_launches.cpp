#include "frontend/host_launches.h"

#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/lowering.h"
#include "frontend/walk.h"

namespace swizzle {
namespace {

constexpr int kDeepest = 50;

const clang::VarDecl* variable_of(const clang::Expr* expr) {
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  return ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
}

// The dimensions of a dim3, or of an integer.
std::optional<std::array<int, 3>> dimensions(const clang::Expr* expr, clang::ASTContext& context, int depth = 0) {
  if (depth > kDeepest || expr->getType().isNull() || expr->isTypeDependent() || expr->isValueDependent())
    return std::nullopt;
  const clang::Expr* plain = expr->IgnoreUnlessSpelledInSource();
  if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(plain)) {
    if (construct->getNumArgs() == 1 && construct->getArg(0)->getType()->isRecordType())
      return dimensions(construct->getArg(0), context, depth + 1);
    std::array<int, 3> out{1, 1, 1};
    for (unsigned i = 0; i < construct->getNumArgs() && i < 3; ++i) {
      if (llvm::isa<clang::CXXDefaultArgExpr>(construct->getArg(i))) continue;
      const auto n = host_integer(construct->getArg(i), context, depth + 1);
      if (!n || *n < 1 || *n > INT32_MAX) return std::nullopt;
      out[i] = static_cast<int>(*n);
    }
    return out;
  }
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(plain); list != nullptr && list->getNumInits() == 1)
    return dimensions(list->getInit(0), context, depth + 1);
  if (plain->getType()->isRecordType()) {
    const clang::VarDecl* v = variable_of(plain);
    return v != nullptr && v->getInit() != nullptr ? dimensions(v->getInit(), context, depth + 1) : std::nullopt;
  }
  const auto n = host_integer(plain, context, depth + 1);
  if (!n || *n < 1 || *n > INT32_MAX) return std::nullopt;
  return std::array<int, 3>{static_cast<int>(*n), 1, 1};
}

using Launches = std::map<const clang::Decl*, LaunchInFile>;

void add_launch(const clang::Stmt* s, clang::ASTContext& context, Launches& found) {
  const auto parts = launch_call(s);
  if (!parts) return;
  const clang::CallExpr *shape = parts->shape, *call = parts->kernel;
  LaunchInFile launch;
  launch.grid = dimensions(shape->getArg(0), context);
  launch.block = dimensions(shape->getArg(1), context);
  const clang::FunctionDecl* kernel = call->getDirectCallee();
  for (unsigned i = 0; i < call->getNumArgs() && i < kernel->getNumParams(); ++i)
    if (kernel->getParamDecl(i)->getType()->isIntegerType())
      if (const auto n = host_integer(call->getArg(i), context))
        launch.arguments[kernel->getParamDecl(i)->getNameAsString()] = *n;
  const auto& sources = context.getSourceManager();
  launch.range = {sources.getFileOffset(sources.getExpansionLoc(call->getBeginLoc())),
                  sources.getFileOffset(sources.getExpansionLoc(call->getEndLoc())) + 1};
  found.emplace(kernel->getCanonicalDecl(), launch);
}

// Nothing: 64 bits do not hold it, or the operator is another one.
std::optional<std::int64_t> computed(clang::BinaryOperatorKind op, std::int64_t a, std::int64_t b) {
  std::int64_t value = 0;
  switch (op) {
    case clang::BO_Add: return __builtin_add_overflow(a, b, &value) ? std::nullopt : std::optional(value);
    case clang::BO_Sub: return __builtin_sub_overflow(a, b, &value) ? std::nullopt : std::optional(value);
    case clang::BO_Mul: return __builtin_mul_overflow(a, b, &value) ? std::nullopt : std::optional(value);
    case clang::BO_Div: return b > 0 ? std::optional(a / b) : std::nullopt;
    case clang::BO_Rem: return b > 0 ? std::optional(a % b) : std::nullopt;
    case clang::BO_Shl: return b >= 0 && b < 31 && a >= 0 && a < (1ll << 31) ? std::optional(a << b) : std::nullopt;
    case clang::BO_Shr: return b >= 0 && b < 63 ? std::optional(a >> b) : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<std::int64_t> host_integer(const clang::Expr* expr, clang::ASTContext& context, int depth) {
  if (depth > kDeepest || expr->getType().isNull() || expr->isValueDependent() || expr->isTypeDependent() ||
      expr->containsErrors())
    return std::nullopt;
  clang::Expr::EvalResult known;
  if (expr->getType()->isIntegralOrEnumerationType() && expr->EvaluateAsInt(known, context))
    return known.Val.getInt().getExtValue();
  const clang::Expr* plain = expr->IgnoreParenImpCasts();
  if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(plain))
    return host_integer(cast->getSubExpr(), context, depth + 1);
  if (const clang::VarDecl* v = variable_of(plain)) {
    const auto* around = llvm::dyn_cast_or_null<clang::FunctionDecl>(v->getParentFunctionOrMethod());
    const bool is_plain = v->getType()->isIntegralOrEnumerationType() && v->getInit() != nullptr &&
                          !llvm::isa<clang::ParmVarDecl>(v) &&
                          (around == nullptr || !is_modified(around->getBody(), v));
    return is_plain ? host_integer(v->getInit(), context, depth + 1) : std::nullopt;
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(plain)) {  // block.x
    const std::string field = member->getMemberDecl()->getNameAsString();
    const auto shape =
        member->getBase()->getType()->isRecordType() ? dimensions(member->getBase(), context, depth + 1) : std::nullopt;
    return shape && field.size() == 1 && field[0] >= 'x' && field[0] <= 'z'
               ? std::optional<std::int64_t>((*shape)[static_cast<std::size_t>(field[0] - 'x')])
               : std::nullopt;
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(plain);
  if (binary == nullptr) return std::nullopt;
  const auto a = host_integer(binary->getLHS(), context, depth + 1),
             b = host_integer(binary->getRHS(), context, depth + 1);
  return a && b ? computed(binary->getOpcode(), *a, *b) : std::nullopt;
}

std::optional<LaunchCall> launch_call(const clang::Stmt* s) {
  const auto* comma = llvm::dyn_cast<clang::BinaryOperator>(s);
  if (comma == nullptr || comma->getOpcode() != clang::BO_Comma) return std::nullopt;
  const auto* shape = llvm::dyn_cast<clang::CallExpr>(comma->getRHS()->IgnoreUnlessSpelledInSource());
  const auto* call = llvm::dyn_cast<clang::CallExpr>(comma->getLHS()->IgnoreUnlessSpelledInSource());
  if (shape == nullptr || call == nullptr || call->getDirectCallee() == nullptr || shape->getDirectCallee() == nullptr)
    return std::nullopt;
  if (shape->getDirectCallee()->getNameAsString() != "$launch" || shape->getNumArgs() < 2) return std::nullopt;
  return LaunchCall{call, shape};
}

std::map<const clang::Decl*, LaunchInFile> launches_in(clang::ASTContext& context) {
  Launches found;
  Walk statements;
  statements.instances = true;
  statements.statement = [&](clang::Stmt* s) { add_launch(s, context, found); };
  walk_user_file(context, statements);
  return found;
}

}  // namespace swizzle
