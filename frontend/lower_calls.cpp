#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>

#include "frontend/lowering.h"
#include "frontend/walk.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

// What eval() gives.
bool is_any(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record != nullptr && record->getName() == "$any";
}

// Those have bodies for clang alone.
bool is_of_accumulators(const std::string& name) {
  return name == "create_accumulator" || name == "accumulate" || name == "eval";
}

}  // namespace

bool Lowering::is_known_function(const std::string& name) const {
  return intrinsic_named(name) || name.starts_with("__threadfence");
}

ExprId Lowering::call(const clang::CallExpr* expr) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  if (checks_)
    if (const ExprId only_checked = checked_call(expr); only_checked.valid()) return only_checked;
  if (callee == nullptr) return source_.unsupported(expr, "a call through a pointer");
  llvm::ArrayRef<const clang::Expr*> written(expr->getArgs(), expr->getNumArgs());
  Expr out = types_.node(ExprKind::kCall, expr);
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr)) {
    const clang::Expr* object = member->getImplicitObjectArgument();
    if (layout_number(object->getType()))
      return source_.unsupported(expr, "the size of a layout other than as the size of an array");
    const ExprId inner = expression(object);
    if (!checks_ && is_any(object->getType())) return evaluated(inner, out.type);
    if (!checks_ && !source_.in_user_file(callee->getLocation()) && !callee->hasBody())
      return source_.unsupported(expr, fmt::format("a call of '{}'", callee->getNameAsString()));
    out.operands = {object->getType()->isPointerType() ? inner : tree_.address_of(inner)};
  } else if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
             method != nullptr && method->isInstance()) {
    out.operands = {tree_.address_of(expression(written[0]))};
    written = written.drop_front();
  } else if (callee->getBuiltinID() != 0 && spec_intrinsic_named(callee->getNameAsString())) {
    return prelude_call(expr, callee->getNameAsString());
  } else if (!source_.in_user_file(callee->getLocation()) &&
             (!callee->hasBody() || hole_kind_seen_as(callee->getNameAsString()) != nullptr ||
              is_of_accumulators(callee->getNameAsString()))) {
    return prelude_call(expr, callee->getNameAsString());
  }
  for (ExprId argument : arguments_of(written, callee)) out.operands.push_back(argument);
  out.callee = function(callee);
  if (!callee->getReturnType()->isReferenceType()) return tree_.make(std::move(out));
  out.type = tree_.pointer_to(out.type);
  return tree_.dereference(tree_.make(std::move(out)));
}

std::vector<ExprId> Lowering::arguments_of(llvm::ArrayRef<const clang::Expr*> arguments,
                                           const clang::FunctionDecl* callee) {
  std::vector<ExprId> lowered;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (i >= callee->getNumParams()) {
      source_.unsupported(arguments[i], "a variadic argument");
      break;
    }
    if (layout_number(arguments[i]->getType()) && layout_number(callee->getParamDecl(i)->getType())) {
      layouts_.pass(arguments[i]->getType());
      continue;  // what it decides is known by its number
    }
    const ExprId argument = expression(arguments[i]);
    lowered.push_back(callee->getParamDecl(i)->getType()->isReferenceType() ? tree_.address_of(argument) : argument);
  }
  return lowered;
}

ExprId Lowering::prelude_call(const clang::CallExpr* expr, const std::string& name) {
  if (const HoleTraits* traits = hole_kind_seen_as(name)) return hole_call(expr, *traits);
  if (name == "magic_get") return magic_get(expr);
  if (name == "__cvta_generic_to_shared" || name == "__cvta_generic_to_global") {  // the pointer, as an integer
    Expr address = types_.node(ExprKind::kCast, expr);
    address.operands = {expression(expr->getArg(0))};
    return tree_.make(std::move(address));
  }
  if (!stands_well(expr, name)) return tree_.placeholder(source_.range_of(expr));
  if (name == "create_accumulator") return create_accumulator(expr);
  if (name == "accumulate") return accumulate(expr);
  if (name == "eval") return eval_accumulator(expr);
  const auto in_spec = program_.is_kernel ? std::nullopt : spec_intrinsic_named(name);
  const auto known = in_spec ? in_spec : intrinsic_named(name);
  if (known && lane_behavior(*known) == LaneBehavior::kNoEffect) return tree_.placeholder(source_.range_of(expr));
  if (known && lane_behavior(*known) == LaneBehavior::kWrite) return store_call(expr);
  Expr out = types_.node(ExprKind::kIntrinsic, expr);
  if (!known) return source_.unsupported(expr, fmt::format("a call of '{}'", name));
  out.intrinsic = *known;
  const std::string& moved = program_.type(out.type).spelling;
  if (!checks_ && lane_behavior(*known) == LaneBehavior::kShuffle &&
      program_.type(out.type).form != Type::Form::kScalar && moved != "__half2" && moved != "__nv_bfloat162")
    return source_.unsupported(expr, fmt::format("a shuffle of '{}'", moved));
  for (const clang::Expr* argument : expr->arguments()) out.operands.push_back(expression(argument));
  return tree_.make(std::move(out));
}

// `__stcs(p, v)` is `*p = v`.
ExprId Lowering::store_call(const clang::CallExpr* expr) {
  const ExprId place = tree_.dereference(expression(expr->getArg(0)));
  Expr out = types_.node(ExprKind::kAssign, expr);
  out.type = program_.expr(place).type;
  out.operands = {place, expression(expr->getArg(1))};
  return tree_.make(std::move(out));
}

ExprId Lowering::make_hole(Hole hole, SourceRange range) {
  Expr out;
  out.kind = ExprKind::kHole;
  out.range = range;
  out.type = tree_.scalar_type(hole.traits().is_truth()  ? Scalar::kBool
                               : hole.traits().is_word() ? Scalar::kU32
                                                         : Scalar::kI32);
  out.operands = hole.arguments;
  const auto [known, fresh] = holes_.try_emplace({range.begin, hole.kind, hole.layout}, program_.holes.size());
  out.hole = known->second;
  if (fresh) program_.holes.push_back(std::move(hole));
  else if (const Hole& known_hole = program_.hole(out.hole); known_hole.argument_texts != hole.argument_texts ||
                                                             known_hole.low != hole.low || known_hole.high != hole.high)
    source_.error(range, "this stands for different holes in different instances of a template");
  return tree_.make(std::move(out));
}

// A hole's argument as C++ text that reads as an int within any expression around it.
std::string Lowering::argument_text(const clang::Expr* argument, SourceRange range) const {
  std::string text(program_.source.slice(range));
  const clang::Expr* written = argument->IgnoreParenImpCasts();
  const std::uint64_t bits = context_.getTypeSize(written->getType());
  const bool is_unsigned_word = bits == 32 && written->getType()->isUnsignedIntegerType();
  if (bits > 32 || (is_unsigned_word && !llvm::isa<clang::IntegerLiteral>(written)))
    return fmt::format("int({})", text);
  // A macro may stand for more than a word.
  const bool is_macro = argument->getBeginLoc().isMacroID() && !llvm::isa<clang::IntegerLiteral>(written) &&
                        !llvm::isa<clang::ParenExpr>(argument->IgnoreImpCasts());
  return is_macro ? fmt::format("({})", text) : text;
}

// Adds the argument to the hole, or reports why it cannot be one.
bool Lowering::hole_argument(const clang::Expr* argument, Hole& out) {
  const SourceRange range = source_.range_of(argument);
  const auto refuse = [&](std::string why) {
    source_.error(range, std::move(why));
    return false;
  };
  const clang::QualType written = argument->IgnoreParenImpCasts()->getType();
  if (!written->isIntegralOrUnscopedEnumerationType())
    return refuse(fmt::format("a hole's argument must be an integer, and this is '{}'",
                              written.getAsString(context_.getPrintingPolicy())));
  if (argument->HasSideEffects(context_, false))
    return refuse(
        "a hole's argument must not change anything: the expression that replaces the hole may leave it out, or repeat it");
  out.arguments.push_back(expression(argument));
  out.argument_texts.push_back(argument_text(argument, range));
  if (out.argument_texts.back().find("?sw_") != std::string::npos)
    return refuse("a hole cannot stand in the arguments of a hole; give it a name first");
  return true;
}

ExprId Lowering::hole_call(const clang::CallExpr* expr, const HoleTraits& traits) {
  const SourceRange range = source_.range_of(expr);
  reached_.insert(range.begin);
  if (traits.has_bounds()) return bounded_hole(expr, traits);
  if (traits.has_tables() || traits.is_word()) return hole(expr, traits);
  if (traits.is_chosen()) return chosen_hole(expr, traits);
  source_.error(range,
                fmt::format("{} must initialize a variable: auto L = ?{}(32, 32);", traits.usage(), traits.name));
  return tree_.placeholder(range);
}

ExprId Lowering::hole(const clang::CallExpr* expr, const HoleTraits& traits) {
  Hole out;
  out.kind = traits.kind;
  out.range = source_.range_of(expr);
  const auto no_hole = [&] { return tree_.placeholder(out.range); };
  if (source_.in_macro_body(expr)) return no_hole();
  if (const std::size_t given = expr->getNumArgs(); given < traits.least_arguments || given > traits.most_arguments) {
    source_.error(out.range, fmt::format("{} takes {} arguments than {}", traits.usage(),
                                         given < traits.least_arguments ? "more" : "fewer", given));
    return no_hole();
  }
  for (const clang::Expr* argument : expr->arguments())
    if (!hole_argument(argument, out)) return no_hole();
  const SourceRange range = out.range;
  return make_hole(std::move(out), range);
}

// One of the expressions, which stand as they are written.
ExprId Lowering::chosen_hole(const clang::CallExpr* expr, const HoleTraits& traits) {
  Hole out;
  out.kind = traits.kind;
  out.range = source_.range_of(expr);
  const TypeId wanted = types_.node(ExprKind::kHole, expr).type;
  const auto no_hole = [&] { return tree_.integer(0, wanted, out.range); };
  if (source_.in_macro_body(expr)) return no_hole();
  if (expr->getNumArgs() < traits.least_arguments) {
    source_.error(out.range, fmt::format("{} takes more arguments than {}", traits.usage(), expr->getNumArgs()));
    return no_hole();
  }
  for (const clang::Expr* argument : expr->arguments()) {
    const SourceRange range = source_.range_of(argument);
    const std::string text(program_.source.slice(range));
    if (argument->HasSideEffects(context_, false) || program_.type(wanted).form != Type::Form::kScalar) {
      source_.error(range, "what a hole chooses from must be scalars, and must not change anything");
      return no_hole();
    }
    Expr cast = types_.node(ExprKind::kCast, argument);
    cast.type = wanted;
    cast.operands = {expression(argument->IgnoreParenImpCasts())};
    out.arguments.push_back(tree_.make(std::move(cast)));
    out.argument_texts.push_back(text);
  }
  out.high = static_cast<std::int64_t>(out.arguments.size());
  const SourceRange range = out.range;
  const ExprId made = make_hole(std::move(out), range);
  program_.exprs[made.value].type = wanted;
  return made;
}

// The lane in the user's words: the variable that holds it, if there is one.
std::string Lowering::lane_text() {
  const bool is_flat = program_.directives.launch && program_.directives.launch->block.size() == 1;
  if (!is_flat) return "int(((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) & 31)";
  for (const clang::VarDecl* v : scope_.lane_candidates) {
    if (v->getInit() == nullptr || !v->getType()->isSignedIntegerType() || is_modified(scope_.body, v)) continue;
    std::string text(program_.source.slice(source_.range_of(v->getInit())));
    std::erase(text, ' ');
    for (const char* form : {"threadIdx.x&31", "threadIdx.x%32", "threadIdx.x%warpSize", "threadIdx.x&(warpSize-1)"})
      if (text == form) return v->getNameAsString();
  }
  return "int(threadIdx.x & 31)";
}

// magic_get(rc) is __shfl_sync(~0, rc[?sw_part(N, lane, k…)], ?sw_xform(lane, 32, k…)), k… the loops around.
ExprId Lowering::magic_get(const clang::CallExpr* expr) {
  const SourceRange range = source_.range_of(expr);
  const ExprId count = register_count(expr->getArg(0), range);
  if (!count.valid()) return source_.unsupported(expr, "magic_get() of registers whose number is not known");
  const TypeId i32 = tree_.scalar_type(Scalar::kI32);
  Hole part, xform;
  part.kind = HoleKind::kPart;
  xform.kind = HoleKind::kXform;
  part.range = xform.range = range;
  part.arguments = {count, tree_.lane(source_.use())};
  const Expr& registers = program_.expr(count);
  part.argument_texts = {registers.kind == ExprKind::kIntLiteral ? std::to_string(registers.int_value) : "?",
                         lane_text()};
  xform.arguments = {tree_.lane(source_.use()), tree_.integer(32, i32, range)};
  xform.argument_texts = {lane_text(), "32"};
  for (const clang::VarDecl* v : scope_.loop_variables) {
    for (Hole* hole : {&part, &xform}) {
      hole->arguments.push_back(tree_.variable_use(variable(v, {}), range));
      hole->argument_texts.push_back(v->getNameAsString());
    }
  }
  Expr chosen = types_.node(ExprKind::kSubscript, expr);
  chosen.operands = {expression(expr->getArg(0)), make_hole(part, range)};
  Expr out = types_.node(ExprKind::kIntrinsic, expr);
  out.intrinsic = Intrinsic::kShfl;
  out.operands = {tree_.integer(0xffffffff, tree_.scalar_type(Scalar::kU32), range), tree_.make(std::move(chosen)),
                  make_hole(xform, range)};
  return tree_.make(std::move(out));
}

// What the emitter writes out as statements must be one.
bool Lowering::stands_well(const clang::CallExpr* expr, const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    source_.error(source_.range_of(expr), why);
    return false;
  };
  if ((name == "load" || name == "create_accumulator") && expr != initializer_)
    return refuse(fmt::format("{0}() must initialize a variable: auto v = {0}(…);", name));
  if ((name == "store" || name == "accumulate") && expr != statement_)
    return refuse(fmt::format("{}() must be a statement of its own", name));
  if (name != "accumulate") return true;
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(expr->getArg(0)->IgnoreParenImpCasts());
  const auto* v = ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
  const auto* made = v != nullptr && v->getInit() != nullptr
                         ? llvm::dyn_cast<clang::CallExpr>(v->getInit()->IgnoreImplicit())
                         : nullptr;
  if (made == nullptr || made->getDirectCallee() == nullptr ||
      made->getDirectCallee()->getNameAsString() != "create_accumulator")
    return refuse("accumulate() takes a variable that create_accumulator() initializes");
  return true;
}

ExprId Lowering::layout_use(const clang::CXXOperatorCallExpr* expr) {
  Hole out;
  out.kind = HoleKind::kLayout;
  out.range = source_.range_of(expr);
  const auto known = layouts_.find(expr->getArg(0)->getType());
  const auto no_hole = [&](const std::string& why) {
    if (!why.empty()) source_.error(out.range, why);
    return tree_.placeholder(out.range);
  };
  if (!known) return no_hole("this layout is used before the function that declares it passes it on");
  if (layout_index_ != expr) return no_hole("a layout's use is the whole index of a __shared__ array: tile[L(r, c)]");
  if (expr->getBeginLoc().isMacroID() || expr->getEndLoc().isMacroID())
    return no_hole("a layout's use cannot stand in a macro");
  out.layout = *known;
  for (unsigned i = 1; i < expr->getNumArgs(); ++i)
    if (!hole_argument(expr->getArg(i), out)) return no_hole("");
  const SourceRange range = out.range;
  return make_hole(std::move(out), range);
}

}  // namespace swizzle
