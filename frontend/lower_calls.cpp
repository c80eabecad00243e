#include <map>

#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>

#include "frontend/lowering.h"

namespace swizzle {
namespace {

const std::map<std::string, Intrinsic>& intrinsics() {
  static const std::map<std::string, Intrinsic> table = {
      {"__shfl_sync", Intrinsic::kShfl}, {"__shfl_up_sync", Intrinsic::kShflUp}, {"__shfl_down_sync", Intrinsic::kShflDown},
      {"__shfl_xor_sync", Intrinsic::kShflXor}, {"__ballot_sync", Intrinsic::kBallot}, {"__any_sync", Intrinsic::kAny},
      {"__all_sync", Intrinsic::kAll}, {"__activemask", Intrinsic::kActiveMask}, {"__syncwarp", Intrinsic::kSyncWarp},
      {"__syncthreads", Intrinsic::kSyncThreads}, {"__ldg", Intrinsic::kLdg}, {"__popc", Intrinsic::kPopc},
      {"__popcll", Intrinsic::kPopc}, {"__ffs", Intrinsic::kFfs}, {"__ffsll", Intrinsic::kFfs}, {"__clz", Intrinsic::kClz},
      {"__clzll", Intrinsic::kClz}, {"__brev", Intrinsic::kBrev}, {"__brevll", Intrinsic::kBrev},
      {"__byte_perm", Intrinsic::kBytePerm}, {"__funnelshift_l", Intrinsic::kFunnelShiftL},
      {"__funnelshift_r", Intrinsic::kFunnelShiftR}, {"min", Intrinsic::kMin}, {"max", Intrinsic::kMax},
      {"fminf", Intrinsic::kMin}, {"fmaxf", Intrinsic::kMax}, {"fmin", Intrinsic::kMin}, {"fmax", Intrinsic::kMax},
      {"abs", Intrinsic::kAbs}, {"fabs", Intrinsic::kAbs}, {"fabsf", Intrinsic::kAbs}, {"fmaf", Intrinsic::kFma},
      {"fma", Intrinsic::kFma}, {"load", Intrinsic::kLoad}, {"store", Intrinsic::kStore}};
  return table;
}

// sqrt and sqrtf are one function of the reals. The number tells functions apart.
std::optional<int> math_code(std::string name) {
  static const std::vector<std::string> table = {"sqrt", "rsqrt", "exp", "exp2", "log", "log2", "sin", "cos", "tan", "tanh",
                                                 "floor", "ceil", "round", "trunc", "erf", "pow", "fmod", "atan2"};
  if (!name.empty() && name.back() == 'f' && name != "erf") name.pop_back();
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] == name) return static_cast<int>(i);
  return std::nullopt;
}

}  // namespace

ExprId Lowering::call(const clang::CallExpr* expr) {
  const clang::FunctionDecl* callee = expr->getDirectCallee();
  if (callee == nullptr) return unsupported(expr->getSourceRange(), "a call through a pointer");
  if (llvm::isa<clang::CXXMemberCallExpr>(expr)) {
    const auto* conversion = llvm::dyn_cast<clang::CXXConversionDecl>(callee);
    const auto* object = llvm::cast<clang::CXXMemberCallExpr>(expr)->getImplicitObjectArgument();
    if (conversion == nullptr || in_user_file(callee->getLocation())) return unsupported(expr->getSourceRange(), "a member function");
    const ExprId inner = expression(object);
    program_.exprs[inner.value].type = type(expr->getType());
    return inner;
  }
  const std::string name = callee->getNameAsString();
  const bool has_body = callee->hasBody();
  if (!in_user_file(callee->getLocation()) && !has_body) return prelude_call(expr, name);
  Expr out = base(ExprKind::kCall, expr);
  for (unsigned i = 0; i < expr->getNumArgs() && i < callee->getNumParams(); ++i) {
    ExprId argument = expression(expr->getArg(i));
    if (callee->getParamDecl(i)->getType()->isReferenceType()) {
      Expr address = base(ExprKind::kAddressOf, expr->getArg(i));
      address.operands = {argument};
      argument = make(std::move(address));
    }
    out.operands.push_back(argument);
  }
  out.callee = function(callee);
  return make(std::move(out));
}

ExprId Lowering::prelude_call(const clang::CallExpr* expr, const std::string& name) {
  if (name == "$sw_xform") return hole(expr, HoleKind::kXform);
  if (name == "$sw_part") return hole(expr, HoleKind::kPart);
  if (name == "$sw_cond") return hole(expr, HoleKind::kCond);
  if (name == "magic_get") return magic_get(expr);
  if (name == "create_accumulator" || name == "accumulate" || name == "eval") return accumulator_call(expr, name);
  if (name == "printf" || name == "__threadfence" || name == "__threadfence_block") return integer(0, scalar_type(Scalar::kI32), range_of(expr->getSourceRange()));
  Expr out = base(ExprKind::kIntrinsic, expr);
  if (const auto it = intrinsics().find(name); it != intrinsics().end()) {
    out.intrinsic = it->second;
  } else if (const auto code = math_code(name)) {
    out.intrinsic = Intrinsic::kMath;
    out.int_value = *code;
  } else {
    return unsupported(expr->getSourceRange(), fmt::format("a call of '{}'", name));
  }
  for (const clang::Expr* argument : expr->arguments()) out.operands.push_back(expression(argument));
  return make(std::move(out));
}

ExprId Lowering::make_hole(Hole hole, SourceRange range, bool is_bool) {
  Expr out;
  out.kind = ExprKind::kHole;
  out.range = range;
  out.type = scalar_type(is_bool ? Scalar::kBool : Scalar::kI32);
  out.hole = HoleId(program_.holes.size());
  program_.holes.push_back(std::move(hole));
  return make(std::move(out));
}

ExprId Lowering::hole(const clang::CallExpr* expr, HoleKind kind) {
  static constexpr const char* kForms[] = {"?sw_xform(i, n, k…)", "?sw_part(n, v…)", "?sw_cond(v…)"};
  Hole out;
  out.kind = kind;
  out.range = range_of(expr->getSourceRange());
  if (expr->getBeginLoc().isMacroID()) {
    error(out.range, "a hole cannot stand in a macro");
    return integer(0, scalar_type(Scalar::kI32), out.range);
  }
  if (expr->getNumArgs() < (kind == HoleKind::kCond ? 1u : 2u)) {
    error(out.range, fmt::format("{} takes more arguments than {}", kForms[static_cast<int>(kind)], expr->getNumArgs()));
    return integer(0, scalar_type(Scalar::kI32), out.range);
  }
  for (const clang::Expr* argument : expr->arguments()) {
    const SourceRange range = range_of(argument->getSourceRange());
    if (!argument->getType()->isIntegerType()) error(range, fmt::format("a hole's argument must be an integer, and this is '{}'", argument->getType().getAsString()));
    out.arguments.push_back(expression(argument));
    out.argument_texts.emplace_back(program_.source.slice(range));
  }
  const SourceRange range = out.range;
  return make_hole(std::move(out), range, kind == HoleKind::kCond);
}

std::int64_t Lowering::register_count(const clang::Expr* registers) {
  registers = registers->IgnoreParenImpCasts();
  if (const auto* array = context_.getAsConstantArrayType(registers->getType())) return static_cast<std::int64_t>(array->getSize().getZExtValue());
  const auto* ref = llvm::dyn_cast<clang::DeclRefExpr>(registers);
  const auto* decl = ref != nullptr ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
  const auto* init = decl != nullptr && decl->getInit() != nullptr ? llvm::dyn_cast<clang::CallExpr>(decl->getInit()->IgnoreImplicit()) : nullptr;
  if (init == nullptr || init->getNumArgs() != 4) return 0;
  clang::Expr::EvalResult slice, iterations;
  if (!init->getArg(2)->EvaluateAsInt(slice, context_) || !init->getArg(3)->EvaluateAsInt(iterations, context_)) return 0;
  return slice.Val.getInt().getExtValue() * iterations.Val.getInt().getExtValue();
}

// The variable that the user keeps the lane in, if there is one.
std::string Lowering::lane_text() {
  for (const clang::VarDecl* v : lane_candidates_) {
    if (v->getInit() == nullptr) continue;
    std::string text(program_.source.slice(range_of(v->getInit()->getSourceRange())));
    std::erase(text, ' ');
    for (const char* form : {"threadIdx.x&31", "threadIdx.x%32", "threadIdx.x%warpSize", "threadIdx.x&(warpSize-1)"})
      if (text == form) return v->getNameAsString();
  }
  return "(threadIdx.x & 31)";
}

ExprId Lowering::lane() {
  Expr out;
  out.kind = ExprKind::kBuiltin;
  out.builtin = Builtin::kLaneId;
  out.type = scalar_type(Scalar::kI32);
  out.range = context_range_;
  return make(std::move(out));
}

// magic_get(rc) is __shfl_sync(~0, rc[?sw_part(N, lane, k…)], ?sw_xform(lane, 32, k…)), k… the loops around.
ExprId Lowering::magic_get(const clang::CallExpr* expr) {
  const SourceRange range = range_of(expr->getSourceRange());
  const std::int64_t count = register_count(expr->getArg(0));
  if (count < 1) return unsupported(expr->getSourceRange(), "magic_get() of registers whose number is not known");
  const TypeId i32 = scalar_type(Scalar::kI32);
  Hole part, xform;
  part.kind = HoleKind::kPart;
  part.range = xform.range = range;
  part.arguments = {integer(count, i32, range), lane()};
  part.argument_texts = {std::to_string(count), lane_text()};
  xform.arguments = {lane(), integer(32, i32, range)};
  xform.argument_texts = {lane_text(), "32"};
  for (const clang::VarDecl* v : loop_variables_) {
    Expr use;
    use.kind = ExprKind::kVariable;
    use.type = type(v->getType());
    use.variable = variable(v, {});
    use.range = range;
    for (Hole* hole : {&part, &xform}) {
      hole->arguments.push_back(make(use));
      hole->argument_texts.push_back(v->getNameAsString());
    }
  }
  Expr chosen = base(ExprKind::kSubscript, expr);
  chosen.operands = {expression(expr->getArg(0)), make_hole(part, range, false)};
  Expr out = base(ExprKind::kIntrinsic, expr);
  out.intrinsic = Intrinsic::kShfl;
  out.operands = {integer(0xffffffff, scalar_type(Scalar::kU32), range), make(std::move(chosen)), make_hole(xform, range, false)};
  return make(std::move(out));
}

ExprId Lowering::accumulator_call(const clang::CallExpr* expr, const std::string& name) {
  Expr out = base(ExprKind::kIntrinsic, expr);
  if (name == "eval") {
    out.intrinsic = Intrinsic::kEvalAccumulator;
    out.operands = {expression(expr->getArg(0))};
    return make(std::move(out));
  }
  if (name == "accumulate") {
    out.intrinsic = Intrinsic::kAccumulate;
    const clang::Expr* tuple = expr->getArg(1);
    while (true) {
      if (const auto* e = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(tuple)) tuple = e->getSubExpr();
      else if (const auto* e = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(tuple)) tuple = e->getSubExpr();
      else if (const auto* e = llvm::dyn_cast<clang::ImplicitCastExpr>(tuple)) tuple = e->getSubExpr();
      else break;
    }
    const auto* list = llvm::dyn_cast<clang::InitListExpr>(tuple);
    if (list == nullptr || list->getNumInits() == 0) return unsupported(expr->getSourceRange(), "this form of accumulate()");
    out.operands = {expression(expr->getArg(0)), expression(expr->getArg(2))};
    for (const clang::Expr* element : list->inits()) out.operands.push_back(expression(element));
    return make(std::move(out));
  }
  out.intrinsic = Intrinsic::kCreateAccumulator;
  std::vector<std::int64_t> codes;
  for (unsigned i = 1; i < expr->getNumArgs(); ++i) {
    const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(expr->getArg(i)->getType()->getAsCXXRecordDecl());
    if (record == nullptr || record->getName() != "$operator") {
      error(range_of(expr->getArg(i)->getSourceRange()), "expected an operator: identity, plus, times, bit_xor, bit_and or bit_or");
      return integer(0, out.type, out.range);
    }
    codes.push_back(record->getTemplateArgs()[0].getAsIntegral().getExtValue());
  }
  if (codes.size() > 1 && codes[0] == 0) codes.erase(codes.begin());  // the final function does nothing
  if (codes.empty() || codes.size() > 2) return unsupported(expr->getSourceRange(), "create_accumulator() without one or two operators");
  codes.resize(2, 0);
  const TypeId i32 = scalar_type(Scalar::kI32);
  out.operands = {expression(expr->getArg(0)), integer(codes[0], i32, out.range), integer(codes[1], i32, out.range)};
  return make(std::move(out));
}

}  // namespace swizzle
