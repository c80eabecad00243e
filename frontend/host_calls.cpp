// Calls in host code: functions of the user's, of the runtime, and launches.
#include <algorithm>

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/Hashing.h>

#include "frontend/host_walk.h"
#include "frontend/prelude.h"

namespace swizzle {
namespace {

std::string name_called(const clang::CallExpr* e) {
  if (const clang::FunctionDecl* f = e->getDirectCallee())
    return f->getDeclName().isIdentifier() ? f->getName().str() : "";
  const auto* open = llvm::dyn_cast<clang::OverloadExpr>(e->getCallee()->IgnoreParenImpCasts());
  return open != nullptr ? open->getName().getAsString() : "";
}

bool is_reference_to_change(clang::QualType type) {
  return type->isReferenceType() && !type->getPointeeType().isConstQualified();
}

}  // namespace

bool HostWalk::may_enter(const clang::FunctionDecl* f) const {
  const clang::FunctionDecl* definition = f;
  if (f == nullptr || f->getBody(definition) == nullptr || stack_.size() >= kDeepest) return false;
  const auto& sources = context_.getSourceManager();
  if (sources.getFilename(sources.getExpansionLoc(definition->getLocation())).starts_with(kPreludeFolder)) return false;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(f);
  const bool is_lambda = method != nullptr && method->getParent()->isLambda();
  if (method != nullptr && method->isVirtual()) return false;  // who knows which one is meant
  const bool is_of_interest =
      is_lambda || !f->getReturnType()->isVoidType() || launching_.contains(definition->getCanonicalDecl()) ||
      (method != nullptr && !method->isStatic()) ||
      std::any_of(definition->param_begin(), definition->param_end(), [](const clang::ParmVarDecl* p) {
        return is_reference_to_change(p->getType()) || p->getType()->isPointerType();
      });
  return is_of_interest && std::find(stack_.begin(), stack_.end(), definition->getCanonicalDecl()) == stack_.end();
}

bool HostWalk::may_launch(const clang::Stmt* s) const {
  if (s == nullptr) return false;
  if (launch_syntax(s)) return true;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(s)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    const bool is_lambda = method != nullptr && method->getParent()->isLambda();
    if (callee == nullptr || is_lambda || launching_.contains(callee->getCanonicalDecl())) return true;
  }
  return std::any_of(s->child_begin(), s->child_end(), [&](const clang::Stmt* part) { return may_launch(part); });
}

HostValue HostWalk::enter(const clang::FunctionDecl* f, std::vector<HostValue> arguments,
                          const std::vector<const clang::Expr*>& written) {
  const clang::FunctionDecl* definition = f;
  const clang::Stmt* body = f->getBody(definition);
  arguments.resize(std::max<std::size_t>(arguments.size(), definition->getNumParams()));
  CopiedBack back;
  for (unsigned i = 0; i < definition->getNumParams(); ++i)
    bind(definition->getParamDecl(i), arguments[i], i < written.size() ? written[i] : nullptr, back);
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition);
  entered_.insert(definition->getCanonicalDecl());
  if (constructor == nullptr && !calls_.empty()) {
    followed_.insert(calls_.back());
    if (calls_.back()->getDirectCallee() == nullptr) followed_.insert(definition->getCanonicalDecl());
  }
  stack_.push_back(definition->getCanonicalDecl());
  const auto returns = std::exchange(returns_, std::nullopt);
  const auto returned = std::exchange(returned_, std::nullopt);
  const auto breaks = std::exchange(breaks_, {});
  if (constructor != nullptr) exec_initializers(constructor);
  exec(body);
  meet(returns_);
  const HostValue result = returned_.value_or(HostValue{});
  returns_ = returns;
  returned_ = returned;
  breaks_ = breaks;
  stack_.pop_back();
  copy_back(back);
  return result;
}

// To a parameter. A reference to a variable is that variable, one to a part of it a copy that is put back.
void HostWalk::bind(const clang::ParmVarDecl* p, const HostValue& argument, const clang::Expr* written,
                    CopiedBack& back) {
  aliases_.erase(p);
  forget(p);
  const auto place = is_reference_to_change(p->getType()) && written != nullptr ? place_of(written) : std::nullopt;
  if (place && place->path.empty()) {
    aliases_[p] = place->variable;
    return;
  }
  if (place) back.emplace_back(p, *place);
  if (variables_) (*variables_)[p] = fitting(argument, p->getType().getNonReferenceType());
}

// Two parts of one variable may be the same part.
void HostWalk::copy_back(const CopiedBack& back) {
  for (const auto& [p, place] : back) {
    const auto is_of_it = [&, whole = place.variable](const auto& other) { return other.second.variable == whole; };
    const HostValue* value = find({p, {}});
    if (std::count_if(back.begin(), back.end(), is_of_it) > 1) escaped_.insert(place.variable);
    else put(place, value != nullptr ? *value : HostValue{});
  }
}

HostValue HostWalk::call(const clang::CallExpr* e) {
  calls_.push_back(e);
  const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
  HostValue result = operation != nullptr ? operator_call(operation) : named_call(e);
  calls_.pop_back();
  return result;
}

HostValue HostWalk::named_call(const clang::CallExpr* e) {
  const std::string name = name_called(e);
  if (name.starts_with("cudaLaunch") || name == "cudaGraphAddKernelNode") {
    runtime_launch(e, name);
    return {};
  }
  std::vector<HostValue> arguments;
  std::vector<const clang::Expr*> written(e->arg_begin(), e->arg_end());
  for (const clang::Expr* a : written) arguments.push_back(evaluate(a));
  if (name == "cudaGetDeviceProperties" && !arguments.empty()) {
    tell_properties(arguments[0]);
    return {};
  }
  const clang::FunctionDecl* callee = e->getDirectCallee();
  if (callee == nullptr && name.empty()) {
    callee = evaluate(e->getCallee()).function;
    if (const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
        method && method->isLambdaStaticInvoker())
      callee = method->getParent()->getLambdaCallOperator();
  } else if (const auto known = library_call(name, arguments.data(), arguments.size()); known && !may_enter(callee)) {
    return *known;
  }
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(e)) {
    const clang::Expr* object = member->getImplicitObjectArgument();
    if (may_enter(callee))
      return enter_method(llvm::cast<clang::CXXMethodDecl>(callee), object, std::move(arguments), written);
    if (!llvm::isa<clang::DeclRefExpr, clang::CXXThisExpr>(object->IgnoreParenImpCasts())) evaluate(object);
    hand_over(e, {});
  }
  if (may_enter(callee)) return enter(callee, std::move(arguments), written);
  hand_over(e, arguments);
  return {};
}

// Of the machine that is counted for.
void HostWalk::tell_properties(const HostValue& pointer) {
  if (pointer.address == nullptr || !variables_) return;
  HostValue properties;
  for (const auto& [name, value] : {std::pair("major", 9),
                                    {"minor", 0},
                                    {"warpSize", 32},
                                    {"maxThreadsPerBlock", 1024},
                                    {"maxThreadsPerMultiProcessor", 2048},
                                    {"sharedMemPerBlock", 48 << 10}})
    properties.members[name] = HostValue::of(value);
  (*variables_)[pointer.address] = properties;
}

// To a function that is not followed.
void HostWalk::hand_over(const clang::CallExpr* e, const std::vector<HostValue>& arguments) {
  for (const HostValue& value : arguments)
    if (value.address != nullptr) escaped_.insert(value.address);
  for (const clang::Expr* a : e->arguments()) {
    if (const clang::CXXRecordDecl* lambda = lambda_class(a->getType())) escape(changed_by(lambda));
    if (!a->getType().isNull() && (a->getType()->isPointerType() || a->getType()->isRecordType())) forget_addressed();
  }
  forget_those_that_may_change(e);
}

HostValue HostWalk::operator_call(const clang::CXXOperatorCallExpr* e) {
  const clang::FunctionDecl* callee = e->getDirectCallee();
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  if (e->getOperator() == clang::OO_Equal && method != nullptr && !method->isUserProvided()) {
    const HostValue value = evaluate(e->getArg(1));
    assign(e->getArg(0), value);
    return value;
  }
  std::vector<const clang::Expr*> written(e->arg_begin(), e->arg_end());
  const clang::Expr* object =
      method != nullptr && !written.empty() ? written[0]->IgnoreImplicit()->IgnoreParens() : nullptr;
  if (object != nullptr) written.erase(written.begin());
  std::vector<HostValue> arguments;
  for (const clang::Expr* a : written) arguments.push_back(evaluate(a));
  if (may_enter(callee)) {
    if (object != nullptr && !llvm::isa<clang::DeclRefExpr, clang::LambdaExpr>(object)) evaluate(object);
    if (method != nullptr && method->getParent()->isLambda())
      return enter_lambda(method, llvm::isa<clang::LambdaExpr>(object), std::move(arguments), written);
    return method != nullptr ? enter_method(method, object, std::move(arguments), written)
                             : enter(callee, std::move(arguments), written);
  }
  if (object != nullptr) evaluate(object);
  hand_over(e, arguments);
  return {};
}

// What a lambda copies by a constructor that somebody wrote.
void HostWalk::forget_own_copies(const clang::CXXRecordDecl* lambda) {
  for (const clang::LambdaCapture& capture : lambda->captures())
    if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByCopy)
      if (has_own_copies(capture.getCapturedVar()->getType())) forget(capture.getCapturedVar());
}

// With what it was made of, which may have changed since unless it is called at once; what is copied into it is its
// own.
HostValue HostWalk::enter_lambda(const clang::CXXMethodDecl* method, bool at_once, std::vector<HostValue> arguments,
                                 const std::vector<const clang::Expr*>& written) {
  const auto may_have_changed = [&](const clang::Decl* v) {
    return changed(method->getBody()).contains(v) ||
           (!at_once && std::any_of(stack_.begin(), stack_.end(), [&](const clang::FunctionDecl* f) {
             const clang::FunctionDecl* definition = f;
             return changed(f->getBody(definition)).contains(v);
           }));
  };
  std::map<const clang::Decl*, std::optional<HostValue>> outside;
  for (const clang::LambdaCapture& capture : method->getParent()->captures()) {
    const auto* v = capture.capturesVariable() ? llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()) : nullptr;
    if (v == nullptr || !variables_) continue;
    if (v->isInitCapture()) {
      exec_declaration(v);
      const std::set<const clang::Decl*> of = named_in(v->getInit());
      const bool is_kept = !at_once && changed(method->getBody()).contains(v);  // from call to call
      if (!v->getType()->isReferenceType() && (is_kept || std::any_of(of.begin(), of.end(), may_have_changed)))
        forget(v);
    } else if (capture.getCaptureKind() == clang::LCK_ByCopy) {
      const auto known = variables_->find(v);
      outside[v] = known != variables_->end() ? std::optional(known->second) : std::nullopt;
      if (may_have_changed(v)) forget(v);
    }
  }
  forget_own_copies(method->getParent());
  const HostValue result = enter(method, std::move(arguments), written);
  for (const auto& [v, value] : outside) {
    forget(v);
    if (variables_ && value) (*variables_)[v] = *value;
  }
  return result;
}

// Of a template that clang has made no instance of.
std::vector<std::optional<std::int64_t>> HostWalk::template_numbers(const clang::Expr* kernel) {
  std::vector<std::optional<std::int64_t>> out;
  if (const auto* open = llvm::dyn_cast<clang::OverloadExpr>(kernel->IgnoreParenImpCasts()))
    for (const clang::TemplateArgumentLoc& a : open->template_arguments())
      out.push_back(a.getArgument().getKind() == clang::TemplateArgument::Expression
                        ? evaluate(a.getArgument().getAsExpr()).integer
                        : std::nullopt);
  return out;
}

void HostWalk::launch(const LaunchSyntax& syntax, clang::SourceRange range) {
  HostLaunch found;
  found.kernel = syntax.call != nullptr ? syntax.call->getDirectCallee() : nullptr;
  if (found.kernel == nullptr && syntax.call != nullptr)
    found.kernel = named_function(syntax.call->getCallee(), &syntax.arguments);
  if (found.kernel == nullptr && syntax.kernel != nullptr)
    found.kernel = named_function(syntax.kernel, &syntax.arguments);
  if (found.kernel == nullptr && syntax.kernel != nullptr) found.kernel = evaluate(syntax.kernel).function;
  if (syntax.kernel != nullptr) found.numbers = template_numbers(syntax.kernel);
  found.grid = evaluate(syntax.grid);
  found.block = evaluate(syntax.block);
  found.shared_bytes = syntax.shared != nullptr ? evaluate(syntax.shared) : HostValue::of(0);
  if (syntax.block != nullptr)
    found.block_text =
        clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(syntax.block->getSourceRange()),
                                    context_.getSourceManager(), context_.getLangOpts())
            .str();
  // What is null where it is handed over; elsewhere a null pointer decides nothing, as others may give another one.
  const auto add = [&](const clang::Expr* a) {
    const auto* by_default = llvm::dyn_cast_or_null<clang::CXXDefaultArgExpr>(a);
    const clang::Expr* given = by_default != nullptr ? by_default->getExpr() : a;
    const bool is_null = given != nullptr && llvm::isa<clang::CXXNullPtrLiteralExpr>(given->IgnoreParenCasts());
    found.arguments.push_back(is_null ? HostValue::of(0) : evaluate(a));
  };
  if (syntax.call != nullptr) std::ranges::for_each(syntax.call->arguments(), add);
  else std::ranges::for_each(syntax.arguments, add);
  found.range = syntax.kernel != nullptr ? syntax.kernel->getSourceRange() : range;
  report_launch(std::move(found));
}

// cudaLaunchKernel(f, grid, block, pointers, …), cudaLaunchKernelEx(&configuration, f, arguments…)
void HostWalk::runtime_launch(const clang::CallExpr* e, const std::string& name) {
  std::vector<HostValue> values;
  for (const clang::Expr* a : e->arguments()) values.push_back(evaluate(a));
  const auto value_at = [&](const clang::Decl* v) {
    const HostValue* known = v != nullptr ? find({v, {}}) : nullptr;
    return known != nullptr ? *known : HostValue{};
  };
  const auto kernel_at = [&](unsigned i) {
    const clang::FunctionDecl* named = named_function(e->getArg(i));
    return named != nullptr ? named : values[i].function;
  };
  HostLaunch found;
  found.range = e->getSourceRange();
  if (name == "cudaLaunchKernelEx" && values.size() >= 2) {
    const HostValue configuration = value_at(values[0].address);
    const auto part = [&](const char* member) {
      const auto known = configuration.members.find(member);
      return known != configuration.members.end() ? known->second : HostValue{};
    };
    found.kernel = kernel_at(1);
    found.grid = part("gridDim");
    found.block = part("blockDim");
    found.shared_bytes = part("dynamicSmemBytes");
    found.arguments.assign(values.begin() + 2, values.end());
  } else if ((name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel") && values.size() >= 4) {
    found.kernel = kernel_at(0);
    found.grid = values[1];
    found.block = values[2];
    if (values.size() > 4) found.shared_bytes = values[4];
    for (std::size_t i = 0; values[3].members.contains(std::to_string(i)); ++i)
      found.arguments.push_back(value_at(values[3].members[std::to_string(i)].address));
  }
  report_launch(std::move(found));
}

void HostWalk::report_launch(HostLaunch found) {
  found.is_reached = is_reached_;
  found.path = llvm::hash_combine(llvm::hash_combine_range(stack_.begin(), stack_.end()),
                                  llvm::hash_combine_range(calls_.begin(), calls_.end()));
  if (variables_) found_.push_back(std::move(found));
}

}  // namespace swizzle
