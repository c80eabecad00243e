#include "frontend/launch_sizes.h"

#include <algorithm>
#include <map>
#include <set>

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

#include "frontend/host_changes.h"
#include "frontend/launch_syntax.h"
#include "frontend/launch_text.h"
#include "frontend/launch_variables.h"
#include "frontend/walk.h"

namespace swizzle {
namespace {

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

// What all launches hand over in the same way.
void keep_alike(std::vector<HandedSize>& kept, const std::vector<HandedSize>& of_other) {
  std::erase_if(kept, [&](const HandedSize& size) {
    return std::ranges::none_of(of_other, [&](const HandedSize& other) {
      return other.parameter == size.parameter && other.value.text == size.value.text;
    });
  });
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
  std::vector<Assumption> assumptions;  // of the shape
  Sizes sizes;
  SourceRange range;
  bool moves_on = false;  // one of several, each for a part of the data
};

// What is computed for each parameter from what the others get.
std::vector<HandedSize> handed_sizes(const LaunchSyntax& launch, const clang::FunctionDecl* kernel,
                                     clang::ASTContext& context, SourceRange range) {
  std::vector<HandedSize> all;
  const auto parameter_of = [&](unsigned i) -> std::optional<std::string> {
    const bool is_integer = i < kernel->getNumParams() && kernel->getParamDecl(i)->getType()->isIntegerType();
    return is_integer && launch.arguments[i] != nullptr ? std::optional(kernel->getParamDecl(i)->getNameAsString())
                                                        : std::nullopt;
  };
  for (unsigned i = 0; i < launch.arguments.size(); ++i) {
    const auto parameter = parameter_of(i);
    if (!parameter) continue;
    LaunchNames others(kernel, launch.kernel->getBeginLoc());
    for (unsigned j = 0; j < launch.arguments.size(); ++j)
      if (const auto other = parameter_of(j); other && j != i) others.hand(launch.arguments[j], *other);
    LaunchText text(context, std::move(others));
    const auto value = text.integer(launch.arguments[i]);
    const bool is_number = value && number_in(*value).has_value();
    if (value && (is_number || value->find_first_of("+-*/%") != std::string::npos) && text.through_float().empty())
      all.push_back({*parameter, size_exprs({*value}, range).front()});
  }
  return all;
}

FoundLaunch found_launch(const LaunchSyntax& launch, const clang::FunctionDecl* kernel, clang::ASTContext& context,
                         const RewrittenSource& rewritten) {
  const auto& sources = context.getSourceManager();
  FoundLaunch found;
  found.range.begin = rewritten.original(sources.getFileOffset(sources.getExpansionLoc(launch.kernel->getBeginLoc())));
  found.range.end = found.range.begin + static_cast<std::uint32_t>(kernel->getNameAsString().size());
  LaunchNames names(kernel, launch.kernel->getBeginLoc());
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
  LaunchText text(context, std::move(names));
  if (launch.grid == nullptr || launch.block == nullptr) return found;
  const auto grid = text.dimensions(launch.grid), block = text.dimensions(launch.block);
  if (grid && block)
    found.shape = Launch{size_exprs(*grid, found.range), size_exprs(*block, found.range), found.range,
                         handed_sizes(launch, kernel, context, found.range)};
  const auto shared = launch.shared != nullptr ? text.integer(launch.shared) : std::optional<std::string>("0");
  if (found.shape && shared) found.shape->shared_bytes = size_exprs({*shared}, found.range).front();
  for (const std::string& size : text.through_float())
    found.assumptions.push_back({{size, found.range}, {std::to_string(LaunchText::kMostInFloat), found.range}, "<="});
  return found;
}

// What a pointer is at a launch, where nothing else was given to it: x of `float* z = x`.
const clang::VarDecl* origin_of(const clang::VarDecl* v, clang::SourceLocation launch) {
  constexpr int kMost = 8;
  for (int i = 0; i < kMost && v != nullptr && v->getType()->isPointerType(); ++i) {
    const clang::Expr* value = only_value_of(v, launch);
    const clang::VarDecl* from = value != nullptr ? variable_in(value) : nullptr;
    if (from == nullptr) break;
    v = from;
  }
  return v;
}

// Pointers that are the same.
void add_doubts(const LaunchSyntax& launch, const clang::FunctionDecl* kernel, const SourceText& source,
                SourceRange range, Diagnostics& doubts) {
  std::map<const clang::VarDecl*, std::string> handed;
  for (unsigned i = 0; i < launch.arguments.size() && i < kernel->getNumParams(); ++i) {
    const clang::ParmVarDecl* p = kernel->getParamDecl(i);
    const clang::VarDecl* v = launch.arguments[i] != nullptr
                                  ? origin_of(variable_in(launch.arguments[i]), launch.kernel->getBeginLoc())
                                  : nullptr;
    if (v == nullptr || !p->getType()->isPointerType()) continue;
    const auto [first, is_new] = handed.try_emplace(v, p->getNameAsString());
    if (!is_new)
      doubts.push_back(
          make_diagnostic(Severity::kWarning, source, range,
                          fmt::format("this launch hands '{}' over as '{}' and as '{}'; what is verified is "
                                      "the kernel with a buffer of its own for each",
                                      v->getNameAsString(), first->second, p->getNameAsString())));
  }
}

bool is_loop(const clang::Stmt* s) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
}

// Pointers that a loop around the launch moves on: what the spec says of all is what its rounds do together.
bool moves_on(const LaunchSyntax& launch, const clang::FunctionDecl* kernel,
              const std::set<const clang::Decl*>& changed) {
  for (unsigned i = 0; i < launch.arguments.size() && i < kernel->getNumParams(); ++i) {
    const clang::Expr* argument = launch.arguments[i];
    if (argument == nullptr || !kernel->getParamDecl(i)->getType()->isPointerType()) continue;
    const std::set<const clang::Decl*> named = named_in(argument);
    if (variable_in(argument) == nullptr &&
        std::ranges::any_of(named, [&](const clang::Decl* d) { return changed.contains(d); }))
      return true;
  }
  return false;
}

Diagnostic open_shape(const SourceText& source, SourceRange range) {
  return make_error(source, range,
                    "nothing here tells the shape of this launch in what the kernel is given; say it: "
                    "'#pragma swizzle launch grid(…) block(…)'");
}

// In the order of the file; what they have that is not looked at goes to `doubts`.
std::vector<FoundLaunch> launches_of(const clang::FunctionDecl* kernel, const SourceText& source,
                                     const RewrittenSource& rewritten, Diagnostics& doubts) {
  clang::ASTContext& context = kernel->getASTContext();
  std::vector<FoundLaunch> launches;
  std::map<const clang::Stmt*, std::set<const clang::Decl*>> changed_around;  // by launch
  Walk statements;
  statements.instances = true;
  statements.statement = [&](clang::Stmt* s) {
    if (is_loop(s)) {
      Walk inner;
      inner.statement = [&](clang::Stmt* part) {
        if (launch_syntax(part)) changed_around[part].merge(changed_in(s));
      };
      walk(s, inner);
    }
    const auto launch = launch_syntax(s);
    if (!launch || launch->kernel == nullptr) return;
    const clang::FunctionDecl* called = launch->call != nullptr ? launch->call->getDirectCallee() : nullptr;
    const clang::FunctionDecl* launched = called != nullptr ? called : named_function(launch->kernel);
    if (launched == nullptr || launched->getCanonicalDecl() != kernel->getCanonicalDecl()) return;
    launches.push_back(found_launch(*launch, launched, context, rewritten));
    launches.back().moves_on = moves_on(*launch, launched, changed_around[s]);
    add_doubts(*launch, launched, source, launches.back().range, doubts);
  };
  walk_user_file(context, statements);
  return launches;
}

}  // namespace

Result<std::monostate> add_launches(const clang::FunctionDecl* kernel, const SourceText& source,
                                    const RewrittenSource& rewritten, Directives& directives) {
  const bool needs_shape = !directives.launch.has_value(), needs_sizes = directives.instances.empty();
  for (FoundLaunch& found : launches_of(kernel, source, rewritten, directives.doubts)) {
    if (needs_shape && found.moves_on)
      return make_error(
          source, found.range,
          "this launch is one of those that a loop makes, each for a part of the data; say what one does: "
          "'#pragma swizzle launch grid(…) block(…)'");
    if (needs_shape && !found.shape) return open_shape(source, found.range);
    if (needs_shape && !directives.launch) {
      directives.launch = found.shape;
      directives.assumptions.insert(directives.assumptions.end(), found.assumptions.begin(), found.assumptions.end());
    }
    const bool differs = needs_shape && !(same_texts(found.shape->grid, directives.launch->grid) &&
                                          same_texts(found.shape->block, directives.launch->block));
    if (differs)
      return Diagnostics{make_error(source, found.range,
                                    "this launch has another shape than the first one; say which is meant: "
                                    "'#pragma swizzle launch grid(…) block(…)'"),
                         make_note(source, directives.launch->range, "the first is here")};
    if (needs_shape) keep_alike(directives.launch->handed, found.shape->handed);
    if (needs_shape && directives.launch->shared_bytes &&
        (!found.shape->shared_bytes || found.shape->shared_bytes->text != directives.launch->shared_bytes->text))
      directives.launch->shared_bytes.reset();
    const bool is_known = !found.sizes.empty();
    const bool is_new = std::none_of(directives.instances.begin(), directives.instances.end(),
                                     [&](const SizeLine& line) { return line.sizes == found.sizes; });
    if (needs_sizes && is_known && is_new) directives.instances.push_back({found.sizes, {}, found.range});
  }
  return std::monostate{};
}

}  // namespace swizzle
