#include "frontend/launch_sizes.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>
#include <llvm/ADT/FoldingSet.h>

#include "frontend/host_walk.h"
#include "frontend/launch_syntax.h"
#include "frontend/walk.h"

namespace swizzle {
namespace {

constexpr int kDeepest = 50;

// By the function that it belongs to, or by any.
bool is_changed(const clang::VarDecl* v) {
  const auto* around = llvm::dyn_cast_or_null<clang::FunctionDecl>(v->getParentFunctionOrMethod());
  if (around == nullptr) return !v->getType().isConstQualified();
  return v->getType()->isReferenceType() || changed_in(around->getBody()).contains(v);
}

// The kernel's parameters, by what is handed to them: `k<<<(n / 4 + 255) / 256, 256>>>(y, x, n / 4)`.
class Names {
 public:
  Names() = default;
  Names(const clang::FunctionDecl* kernel, const clang::ASTContext& context) : context_(&context) {
    for (const auto* parameter : kernel->parameters()) parameters_.insert(parameter->getNameAsString());
  }

  void hand(const clang::Expr* argument, const std::string& parameter) {
    if (!may_change(argument)) handed_.emplace(form_of(argument), parameter);
  }
  std::optional<std::string> of(const clang::Expr* expr) const {
    const auto name = context_ != nullptr ? handed_.find(form_of(expr)) : handed_.end();
    return name != handed_.end() ? std::optional(name->second) : std::nullopt;
  }
  // What is a part of a number that is handed over: `k<<<rows, 256>>>(y, x, rows * 256)`.
  void divide(const clang::VarDecl* v, std::string quotient) {
    if (!is_changed(v)) quotients_.emplace(v, std::move(quotient));
  }
  // A size that is not handed over, which the spec may have: its own name, if the kernel has none like it.
  std::optional<std::string> of_launch_alone(const clang::VarDecl* v) const {
    if (const auto quotient = quotients_.find(v); quotient != quotients_.end()) return quotient->second;
    const std::string name = v->getNameAsString();
    const bool is_new =
        context_ != nullptr && !is_changed(v) && v->getType()->isIntegerType() && !parameters_.contains(name);
    return is_new ? std::optional(name) : std::nullopt;
  }

 private:
  llvm::FoldingSetNodeID form_of(const clang::Expr* expr) const {
    llvm::FoldingSetNodeID form;
    expr->IgnoreParenImpCasts()->Profile(form, *context_, true);
    return form;
  }

  // It may have been another number where the grid was computed.
  static bool may_change(const clang::Stmt* s) {
    if (s == nullptr) return false;
    const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(s);
    const auto* v = ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(s);
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(s);
    const bool is_of_memory = llvm::isa<clang::CallExpr, clang::CXXThisExpr, clang::ArraySubscriptExpr>(s) ||
                              (member != nullptr && member->isArrow()) ||
                              (unary != nullptr && unary->getOpcode() == clang::UO_Deref);
    return is_of_memory || (v != nullptr && is_changed(v)) || std::ranges::any_of(s->children(), may_change);
  }

  const clang::ASTContext* context_ = nullptr;
  std::set<std::string> parameters_;
  std::map<llvm::FoldingSetNodeID, std::string> handed_;
  std::map<const clang::VarDecl*, std::string> quotients_;
};

const clang::VarDecl* variable_in(const clang::Expr* expr) {
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenImpCasts());
  return ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
}

std::optional<std::int64_t> number_in(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// Nothing else than its initializer says what the variable is.
const clang::Expr* only_value(const clang::VarDecl* v) {
  return llvm::isa<clang::ParmVarDecl>(v) || is_changed(v) ? nullptr : v->getInit();
}

class LaunchText {
 public:
  LaunchText(clang::ASTContext& context, Names names) : context_(context), names_(std::move(names)) {}

  // An integer of host code, over the kernel's parameters.
  std::optional<std::string> integer(const clang::Expr* expr, int depth = 0) const {
    if (depth > kDeepest || expr->getType().isNull() || expr->containsErrors()) return std::nullopt;
    const clang::Expr* plain = expr->IgnoreParenImpCasts();
    if (is_narrowed(expr) && !constant(plain)) return std::nullopt;
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(plain))
      return integer(cast->getSubExpr(), depth + 1);
    if (const auto handed = names_.of(plain)) return handed;
    if (const clang::VarDecl* v = variable_in(plain)) {
      if (const auto known = constant(plain)) return std::to_string(*known);
      const clang::Expr* value = only_value(v);
      return value != nullptr ? integer(value, depth + 1) : names_.of_launch_alone(v);
    }
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(plain)) return operation(binary, depth);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(plain)) {  // block.x
      const auto shape = dimensions(member->getBase(), depth + 1);
      const std::string field = member->getMemberDecl()->getNameAsString();
      const std::size_t index = field.size() == 1 ? static_cast<std::size_t>(field[0] - 'x') : 3;
      if (shape && index < 3) return index < shape->size() ? (*shape)[index] : "1";
    }
    const auto known = constant(plain);
    return known ? std::optional(std::to_string(*known)) : std::nullopt;
  }

  // Of a dim3, or of an integer.
  std::optional<std::vector<std::string>> dimensions(const clang::Expr* expr, int depth = 0) const {
    if (depth > kDeepest || expr->getType().isNull() || expr->containsErrors()) return std::nullopt;
    const clang::Expr* plain = expr->IgnoreUnlessSpelledInSource();
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(plain); list != nullptr && list->getNumInits() == 1)
      return dimensions(list->getInit(0), depth + 1);
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(plain)) return constructed(made, depth);
    if (plain->getType()->isRecordType()) {
      const clang::VarDecl* v = variable_in(plain);
      const clang::Expr* value = v != nullptr ? only_value(v) : nullptr;
      return value != nullptr ? dimensions(value, depth + 1) : std::nullopt;
    }
    const auto one = integer(plain, depth + 1);
    return one ? std::optional(std::vector{*one}) : std::nullopt;
  }

 private:
  std::optional<std::string> operation(const clang::BinaryOperator* binary, int depth) const {
    const auto a = integer(binary->getLHS(), depth + 1), b = integer(binary->getRHS(), depth + 1);
    if (!a || !b) return std::nullopt;
    if (const auto left = number_in(*a), right = number_in(*b); left && right) {
      const auto known = computed(binary->getOpcode(), HostValue::of(*left), HostValue::of(*right)).integer;
      return known ? std::optional(std::to_string(*known)) : std::nullopt;
    }
    switch (binary->getOpcode()) {
      case clang::BO_Add:
      case clang::BO_Sub:
      case clang::BO_Mul:
      case clang::BO_Div:
      case clang::BO_Rem: return fmt::format("({} {} {})", *a, binary->getOpcodeStr().str(), *b);
      default: return std::nullopt;
    }
  }

  // To fewer bits than an int has, on the way to where it is used.
  bool is_narrowed(const clang::Expr* expr) const {
    while (true) {
      const clang::QualType type = expr->getType();
      if (type->isIntegerType() && context_.getTypeSize(type) < context_.getTypeSize(context_.IntTy)) return true;
      const clang::Expr* inner = expr->IgnoreParens();
      if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(inner)) inner = cast->getSubExpr();
      if (inner == expr) return false;
      expr = inner;
    }
  }

  // What Clang's evaluator makes of it.
  std::optional<std::int64_t> constant(const clang::Expr* expr) const {
    clang::Expr::EvalResult known;
    const bool is_integer = !expr->isValueDependent() && !expr->isTypeDependent() &&
                            expr->getType()->isIntegralOrEnumerationType() && expr->EvaluateAsInt(known, context_);
    return is_integer ? std::optional(known.Val.getInt().getExtValue()) : std::nullopt;
  }

  std::optional<std::vector<std::string>> constructed(const clang::CXXConstructExpr* made, int depth) const {
    if (made->getNumArgs() == 1 && made->getArg(0)->getType()->isRecordType())
      return dimensions(made->getArg(0), depth + 1);
    std::vector<std::string> all;
    for (unsigned i = 0; i < made->getNumArgs() && i < 3; ++i) {
      if (llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(i))) continue;
      const auto one = integer(made->getArg(i), depth + 1);
      if (!one) return std::nullopt;
      all.push_back(*one);
    }
    if (all.empty()) all.push_back("1");
    return all;
  }

  clang::ASTContext& context_;
  Names names_;
};

std::vector<SizeExpr> size_exprs(const std::vector<std::string>& texts, SourceRange range) {
  std::vector<SizeExpr> exprs;
  for (const std::string& text : texts) {
    const bool is_wrapped = text.starts_with("(") && text.find('(', 1) == std::string::npos && text.ends_with(")");
    exprs.push_back({is_wrapped ? text.substr(1, text.size() - 2) : text, range});
  }
  return exprs;
}

bool same_texts(const std::vector<SizeExpr>& a, const std::vector<SizeExpr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const SizeExpr& x, const SizeExpr& y) { return x.text == y.text; });
}

// Of `rows * 256`.
std::optional<std::pair<const clang::VarDecl*, std::int64_t>> multiple_of_variable(const clang::Expr* expr,
                                                                                   clang::ASTContext& context) {
  const auto* product = llvm::dyn_cast<clang::BinaryOperator>(expr->IgnoreParenImpCasts());
  if (product == nullptr || product->getOpcode() != clang::BO_Mul) return std::nullopt;
  for (const auto& [one, other] :
       {std::pair(product->getLHS(), product->getRHS()), {product->getRHS(), product->getLHS()}}) {
    const clang::VarDecl* v = variable_in(one);
    const auto known = LaunchText(context, {}).integer(other);
    const auto times = known ? number_in(*known) : std::nullopt;
    if (v != nullptr && times && *times > 0) return std::pair(v, *times);
  }
  return std::nullopt;
}

struct FoundLaunch {
  std::optional<Launch> shape;
  Sizes sizes;
  SourceRange range;
};

FoundLaunch found_launch(const LaunchSyntax& launch, const clang::FunctionDecl* kernel, clang::ASTContext& context,
                         const RewrittenSource& rewritten) {
  const auto& sources = context.getSourceManager();
  FoundLaunch found;
  found.range.begin = rewritten.original(sources.getFileOffset(sources.getExpansionLoc(launch.kernel->getBeginLoc())));
  found.range.end = found.range.begin + static_cast<std::uint32_t>(kernel->getNameAsString().size());
  Names names(kernel, context);
  for (unsigned i = 0; i < launch.arguments.size() && i < kernel->getNumParams(); ++i) {
    if (launch.arguments[i] == nullptr || !kernel->getParamDecl(i)->getType()->isIntegerType()) continue;
    const std::string name = kernel->getParamDecl(i)->getNameAsString();
    const auto known = LaunchText(context, {}).integer(launch.arguments[i]);
    const auto value = known ? number_in(*known) : std::nullopt;
    if (value) found.sizes[name] = *value;
    if (!value || variable_in(launch.arguments[i]) != nullptr) names.hand(launch.arguments[i], name);
    if (const auto multiple = multiple_of_variable(launch.arguments[i], context))
      names.divide(multiple->first, fmt::format("({} / {})", name, multiple->second));
  }
  const LaunchText text(context, std::move(names));
  if (launch.grid == nullptr || launch.block == nullptr) return found;
  const auto grid = text.dimensions(launch.grid), block = text.dimensions(launch.block);
  if (grid && block) found.shape = Launch{size_exprs(*grid, found.range), size_exprs(*block, found.range), found.range};
  return found;
}

Diagnostic open_shape(const SourceText& source, SourceRange range) {
  return make_error(source, range,
                    "nothing here tells the shape of this launch in what the kernel is given; say it: "
                    "'#pragma swizzle launch grid(…) block(…)'");
}

}  // namespace

Result<std::monostate> add_launches(const clang::FunctionDecl* kernel, const SourceText& source,
                                    const RewrittenSource& rewritten, Directives& directives) {
  clang::ASTContext& context = kernel->getASTContext();
  std::vector<FoundLaunch> launches;
  Walk statements;
  statements.instances = true;
  statements.statement = [&](clang::Stmt* s) {
    const auto launch = launch_syntax(s);
    if (!launch || launch->kernel == nullptr) return;
    const clang::FunctionDecl* called = launch->call != nullptr ? launch->call->getDirectCallee() : nullptr;
    const clang::FunctionDecl* launched = called != nullptr ? called : named_function(launch->kernel);
    if (launched != nullptr && launched->getCanonicalDecl() == kernel->getCanonicalDecl())
      launches.push_back(found_launch(*launch, launched, context, rewritten));
  };
  walk_user_file(context, statements);
  const bool needs_shape = !directives.launch.has_value(), needs_sizes = directives.instances.empty();
  for (FoundLaunch& found : launches) {
    if (needs_shape && !found.shape) return open_shape(source, found.range);
    if (needs_shape && !directives.launch) directives.launch = found.shape;
    const bool differs = needs_shape && !(same_texts(found.shape->grid, directives.launch->grid) &&
                                          same_texts(found.shape->block, directives.launch->block));
    if (differs)
      return Diagnostics{make_error(source, found.range,
                                    "this launch has another shape than the first one; say which is meant: "
                                    "'#pragma swizzle launch grid(…) block(…)'"),
                         make_note(source, directives.launch->range, "the first is here")};
    const bool is_known = !found.sizes.empty();
    const bool is_new = std::none_of(directives.instances.begin(), directives.instances.end(),
                                     [&](const SizeLine& line) { return line.sizes == found.sizes; });
    if (needs_sizes && is_known && is_new) directives.instances.push_back({found.sizes, found.range});
  }
  return std::monostate{};
}

}  // namespace swizzle
