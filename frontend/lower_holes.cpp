#include "frontend/lower_holes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <fmt/format.h>

#include "frontend/walk.h"
#include "synth/program/constant_assignments.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

// Nothing: it differs from size to size, or there is no such block.
std::optional<BlockShape> block_of(const Launch& launch, const SourceText& source) {
  BlockShape block = {1, 1, 1};
  std::int64_t threads = 1;
  for (std::size_t i = 0; i < launch.block.size(); ++i) {
    const auto extent = evaluate(launch.block[i], {}, source);
    if (!extent.ok() || *extent < 1 || *extent > kLargestBlock) return std::nullopt;
    block[i] = static_cast<int>(*extent);
    threads *= *extent;
  }
  return threads <= kLargestBlock ? std::optional(block) : std::nullopt;
}

}  // namespace

ExprId HoleLowering::call(const clang::CallExpr* expr, const HoleTraits& traits) {
  const SourceRange range = source_.range_of(expr);
  places_.insert(range.begin);
  if (traits.has_bounds()) return bounded(expr, traits);
  if (traits.has_tables() || traits.is_word()) return with_table(expr, traits);
  if (traits.is_chosen()) return chosen(expr, traits);
  source_.error(range,
                fmt::format("{} must initialize a variable: auto L = ?{}(32, 32);", traits.usage(), traits.name));
  return tree_.placeholder(range);
}

ExprId HoleLowering::with_table(const clang::CallExpr* expr, const HoleTraits& traits) {
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
    if (!add_argument(argument, out)) return no_hole();
  return make(std::move(out));
}

// The type, if one of `type` cannot be all that it is; else nothing.
std::string HoleLowering::wider_than(const clang::Expr* alternative, clang::QualType type) const {
  const clang::QualType own = alternative->IgnoreParenImpCasts()->getType().getCanonicalType().getUnqualifiedType();
  if (!own->isArithmeticType() || !type->isArithmeticType()) return "";
  const bool is_narrowed =
      ast_.getTypeSize(own) > ast_.getTypeSize(type) && own->isRealFloatingType() == type->isRealFloatingType();
  const bool loses_all = own->isRealFloatingType() && !type->isRealFloatingType();
  return is_narrowed || loses_all ? own.getAsString() : "";
}

// One of the expressions, which stand as they are written.
ExprId HoleLowering::chosen(const clang::CallExpr* expr, const HoleTraits& traits) {
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
    if (argument->HasSideEffects(ast_, false) || program_.type(wanted).form != Type::Form::kScalar) {
      source_.error(range, "what a hole chooses from must be scalars, and must not change anything");
      return no_hole();
    }
    if (const std::string wider = wider_than(argument, expr->getType()); !wider.empty()) {
      source_.error(range, fmt::format("what a hole chooses from has one type: this '{}' does not fit into '{}', which "
                                       "what stands first makes it; write a cast",
                                       wider, expr->getType().getCanonicalType().getUnqualifiedType().getAsString()));
      return no_hole();
    }
    Expr cast = types_.node(ExprKind::kCast, argument);
    cast.type = wanted;
    cast.operands = {nodes_.expression(argument->IgnoreParenImpCasts())};
    out.arguments.push_back(tree_.make(std::move(cast)));
    out.argument_texts.push_back(text);
  }
  out.high = static_cast<std::int64_t>(out.arguments.size());
  const ExprId made = make(std::move(out));
  program_.exprs[made.value].type = wanted;
  return made;
}

ExprId HoleLowering::bounded(const clang::CallExpr* expr, const HoleTraits& traits) {
  Hole out;
  out.kind = traits.kind;
  out.range = source_.range_of(expr);
  const auto no_hole = [&] { return tree_.placeholder(out.range); };
  if (source_.in_macro_body(expr)) return no_hole();
  if (expr->getNumArgs() < 2) {
    source_.error(out.range,
                  fmt::format("{} takes two arguments or more, and here are {}", traits.usage(), expr->getNumArgs()));
    return no_hole();
  }
  if (!add_bounds(expr, out)) return no_hole();
  for (unsigned i = 2; i < expr->getNumArgs(); ++i)
    if (!add_argument(expr->getArg(i), out)) return no_hole();
  if (traits.of_arguments && !out.arguments.empty() && program_.directives.bits.empty())
    out.kind = *traits.of_arguments;
  return make(std::move(out));
}

// The two constants [low, high) that a hole begins with, or reports why they are none.
bool HoleLowering::add_bounds(const clang::CallExpr* expr, Hole& out) {
  const auto refuse = [&](SourceRange range, std::string why) {
    source_.error(range, std::move(why));
    return false;
  };
  const HoleTraits& traits = out.traits();
  for (unsigned i = 0; i < 2; ++i) {
    clang::Expr::EvalResult known;
    const clang::Expr* bound = expr->getArg(i);
    const SourceRange range = source_.range_of(bound);
    if (!bound->getType()->isIntegralOrUnscopedEnumerationType() || !bound->EvaluateAsInt(known, ast_))
      return refuse(range, fmt::format("the bounds of {} must be integer constants", traits.usage()));
    const std::int64_t value = known.Val.getInt().getExtValue();
    if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max())
      return refuse(range, fmt::format("a bound of {} must be an int, and is {}", traits.usage(), value));
    (i == 0 ? out.low : out.high) = value;
  }
  if (out.low < out.high) return true;
  return refuse(out.range,
                fmt::format("?{}({}, {}) has no value: it is one of lo, …, hi - 1", traits.name, out.low, out.high));
}

ExprId HoleLowering::layout_use(const clang::CXXOperatorCallExpr* expr) {
  Hole out;
  out.kind = HoleKind::kLayout;
  out.range = source_.range_of(expr);
  const auto known = layouts_.find(expr->getArg(0)->getType());
  const auto no_hole = [&](const std::string& why) {
    if (!why.empty()) source_.error(out.range, why);
    return tree_.placeholder(out.range);
  };
  if (!known) return no_hole("this layout is used before the function that declares it passes it on");
  if (scope_.index != expr) return no_hole("a layout's use is the whole index of a __shared__ array: tile[L(r, c)]");
  if (expr->getBeginLoc().isMacroID() || expr->getEndLoc().isMacroID())
    return no_hole("a layout's use cannot stand in a macro");
  out.layout = *known;
  for (unsigned i = 1; i < expr->getNumArgs(); ++i)
    if (!add_argument(expr->getArg(i), out)) return no_hole("");
  return make(std::move(out));
}

// Adds the argument to the hole, or reports why it cannot be one.
bool HoleLowering::add_argument(const clang::Expr* argument, Hole& out) {
  const SourceRange range = source_.range_of(argument);
  const auto refuse = [&](std::string why) {
    source_.error(range, std::move(why));
    return false;
  };
  const clang::QualType written = argument->IgnoreParenImpCasts()->getType();
  if (!written->isIntegralOrUnscopedEnumerationType())
    return refuse(fmt::format("a hole's argument must be an integer, and this is '{}'",
                              written.getAsString(ast_.getPrintingPolicy())));
  if (argument->HasSideEffects(ast_, false))
    return refuse(
        "a hole's argument must not change anything: the expression that replaces the hole may leave it out, or repeat it");
  out.arguments.push_back(nodes_.expression(argument));
  out.argument_texts.push_back(argument_text(argument, range));
  if (out.argument_texts.back().find("?sw_") != std::string::npos)
    return refuse("a hole cannot stand in the arguments of a hole; give it a name first");
  return true;
}

// A hole's argument as C++ text that reads as an int within any expression around it.
std::string HoleLowering::argument_text(const clang::Expr* argument, SourceRange range) const {
  std::string text(program_.source.slice(range));
  const clang::Expr* written = argument->IgnoreParenImpCasts();
  const std::uint64_t bits = ast_.getTypeSize(written->getType());
  const bool is_unsigned_word = bits == 32 && written->getType()->isUnsignedIntegerType();
  if (bits > 32 || (is_unsigned_word && !llvm::isa<clang::IntegerLiteral>(written)))
    return fmt::format("int({})", text);
  // A macro may stand for more than a word; what is handed to one stands here as it is.
  const clang::SourceLocation begin = argument->getBeginLoc();
  const bool is_macro = begin.isMacroID() && !ast_.getSourceManager().isMacroArgExpansion(begin) &&
                        !llvm::isa<clang::IntegerLiteral>(written) &&
                        !llvm::isa<clang::ParenExpr>(argument->IgnoreImpCasts());
  return is_macro ? fmt::format("({})", text) : text;
}

ExprId HoleLowering::make(Hole hole) {
  const SourceRange range = hole.range;
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

// magic_get(rc) is __shfl_sync(~0, rc[?sw_part(N, lane, k…)], ?sw_xform(lane, 32, k…)), k… the loops around.
ExprId HoleLowering::magic_get(const clang::CallExpr* expr) {
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
      hole->arguments.push_back(tree_.variable_use(nodes_.variable(v, {}), range));
      hole->argument_texts.push_back(v->getNameAsString());
    }
  }
  Expr chosen = types_.node(ExprKind::kSubscript, expr);
  chosen.operands = {nodes_.expression(expr->getArg(0)), make(std::move(part))};
  Expr out = types_.node(ExprKind::kIntrinsic, expr);
  out.intrinsic = Intrinsic::kShfl;
  out.operands = {tree_.integer(0xffffffff, tree_.scalar_type(Scalar::kU32), range), tree_.make(std::move(chosen)),
                  make(std::move(xform))};
  return tree_.make(std::move(out));
}

// The lane in the user's words: a variable in scope that holds it in every thread, if there is one.
std::string HoleLowering::lane_text() const {
  const auto& launch = program_.directives.launch;
  const bool is_flat = launch && launch->block.size() == 1;
  const std::optional<BlockShape> block = launch ? block_of(*launch, program_.source) : std::nullopt;
  if (const std::string name = is_flat || block ? lane_variable(block) : ""; !name.empty()) return name;
  return is_flat ? "int(threadIdx.x & 31)"
                 : "int(((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) & 31)";
}

std::string HoleLowering::lane_variable(const std::optional<BlockShape>& block) const {
  std::map<VariableId, ExprId> fixed;
  for (const clang::VarDecl* v : scope_.lane_candidates)
    if (const ExprId initial = initial_value(v); initial.valid() && !is_modified(scope_.body, v))
      fixed.emplace(nodes_.variable(v, {}), initial);
  for (const clang::VarDecl* v : scope_.lane_candidates) {
    const auto known = fixed.find(nodes_.variable(v, {}));
    const bool is_hidden =
        std::any_of(scope_.lane_candidates.begin(), scope_.lane_candidates.end(),
                    [&](const auto* w) { return w != v && w->getNameAsString() == v->getNameAsString(); });
    if (known == fixed.end() || is_hidden || !is_lane(program_, fixed, known->second, block)) continue;
    if (const std::string name = as_int(program_, known->first); !name.empty()) return name;
  }
  return "";
}

// Invalid: it has none.
ExprId HoleLowering::initial_value(const clang::VarDecl* v) const {
  if (v->getInit() == nullptr || v->getType()->isReferenceType()) return {};
  const VariableId id = nodes_.variable(v, {});
  for (const Stmt& s : program_.stmts)
    if (s.kind == StmtKind::kDeclare && s.variable == id) return s.expr;
  return {};
}

// The number of registers that an array or load() has; invalid if it is not known.
ExprId HoleLowering::register_count(const clang::Expr* registers, SourceRange range) {
  const TypeId i32 = tree_.scalar_type(Scalar::kI32);
  registers = registers->IgnoreParenImpCasts();
  if (const auto* array = ast_.getAsConstantArrayType(registers->getType()))
    return tree_.integer(static_cast<std::int64_t>(array->getSize().getZExtValue()), i32, range);
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(registers);
  const auto* decl = ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
  const auto* init = decl != nullptr && decl->getInit() != nullptr
                         ? llvm::dyn_cast<clang::CallExpr>(decl->getInit()->IgnoreImplicit())
                         : nullptr;
  if (init == nullptr || init->getNumArgs() != 4) return {};
  const ExprId slice = nodes_.expression(init->getArg(2)), slices = nodes_.expression(init->getArg(3));
  const ExprId made = tree_.binary(Operator::kMul, slice, slices, i32, range);
  if (const auto known = constant_value(program_, made)) return tree_.integer(*known, i32, range);
  return tree_.is_constant(made) ? made : ExprId{};
}

}  // namespace swizzle
