// ?sw_layout: its declaration, its uses L(r, c), and the arrays that it sizes.
#include <algorithm>

#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>

#include "frontend/lowering.h"

namespace swizzle {
namespace {

constexpr std::int64_t kSizedByLayout = std::int64_t{1}
                                        << 40;  // what L.size() is while clang looks on: see the prelude
constexpr std::int64_t kMostCells = 1 << 16;

void add_once(std::vector<SourceRange>& ranges, SourceRange range) {
  if (std::find(ranges.begin(), ranges.end(), range) == ranges.end()) ranges.push_back(range);
}

}  // namespace

// The number N of `$layout<N>`: the N-th ?sw_layout of the file.
std::optional<int> Lowering::layout_number(clang::QualType type) {
  const auto* record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
  if (record == nullptr || record->getName() != "$layout") return std::nullopt;
  return static_cast<int>(record->getTemplateArgs()[0].getAsIntegral().getExtValue());
}

// How many rows, or columns; nothing: an error was reported.
std::optional<int> Lowering::layout_side(const clang::Expr* argument) {
  const SourceRange range = source_.range_of(argument);
  clang::Expr::EvalResult known;
  if (!argument->EvaluateAsInt(known, context_)) {
    source_.error(range, "the shape of ?sw_layout(rows, columns) must be constant");
    return std::nullopt;
  }
  const std::int64_t side = known.Val.getInt().getExtValue();
  if (side >= 1 && side <= kMostCells) return static_cast<int>(side);
  source_.error(range,
                fmt::format("a layout has between 1 and {} rows and columns, and here are {}", kMostCells, side));
  return std::nullopt;
}

std::optional<LayoutId> Lowering::layout_of(const clang::VarDecl* decl, SourceRange declaration) {
  const auto* call =
      decl->getInit() == nullptr ? nullptr : llvm::dyn_cast<clang::CallExpr>(decl->getInit()->IgnoreImplicit());
  const SourceRange name = source_.range_of_name(decl);
  const auto refuse = [&](SourceRange range, std::string why) -> std::optional<LayoutId> {
    source_.error(range, std::move(why));
    return std::nullopt;
  };
  if (call == nullptr || call->getNumArgs() < 2)
    return refuse(name, "a layout is declared as auto L = ?sw_layout(rows, columns);");
  const SourceRange range = source_.range_of(call);
  reached_.insert(range.begin);
  if (source_.in_macro_body(call)) return std::nullopt;
  if (declaration.end == 0) return refuse(name, "declare this layout in a statement of its own");
  const auto rows = layout_side(call->getArg(0)), columns = rows ? layout_side(call->getArg(1)) : std::nullopt;
  if (!columns) return std::nullopt;
  std::optional<NamedLayout> given;
  if (call->getNumArgs() == 3 && !(given = named_layout(call->getArg(2)))) return std::nullopt;
  if (std::int64_t{*rows} * *columns > kMostCells)
    return refuse(
        range, fmt::format("a layout of {} x {} elements is too large: the limit is {}", *rows, *columns, kMostCells));
  const auto [known, fresh] = layouts_.try_emplace(*layout_number(decl->getType()), program_.layouts.size());
  if (fresh) {
    program_.layouts.push_back({decl->getNameAsString(), range, declaration, *rows, *columns, {}, std::move(given)});
  } else if (const TileLayout& before = program_.layout(known->second);
             before.rows != *rows || before.columns != *columns) {
    return refuse(range, "this stands for different layouts in different instances of a template");
  }
  return known->second;
}

// sw_cute(3, 3, 3) and its kin.
std::optional<NamedLayout> Lowering::named_layout(const clang::Expr* argument) {
  using Kind = NamedLayout::Kind;
  static const std::map<std::string, Kind> kNames = {
      {"sw_pitch", Kind::kPitch}, {"sw_cute", Kind::kCute}, {"sw_triton", Kind::kTriton}, {"sw_tma", Kind::kTma}};
  const SourceRange range = source_.range_of(argument);
  const auto* call = llvm::dyn_cast<clang::CallExpr>(argument->IgnoreImplicit());
  const auto* callee = call == nullptr ? nullptr : call->getDirectCallee();
  const auto known = callee == nullptr ? kNames.end() : kNames.find(callee->getNameAsString());
  if (known == kNames.end()) {
    source_.error(range, "a layout is named as sw_pitch(33), sw_cute(3, 3, 3), sw_triton(8, 1, 8) or sw_tma(128)");
    return std::nullopt;
  }
  NamedLayout named{known->second, {}, std::string(program_.source.slice(range)), range};
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    clang::Expr::EvalResult number;
    if (!call->getArg(i)->EvaluateAsInt(number, context_)) {
      source_.error(source_.range_of(call->getArg(i)), "the numbers of a layout must be constant");
      return std::nullopt;
    }
    named.numbers[i] = static_cast<int>(number.Val.getInt().getExtValue());
  }
  return named;
}

ExprId Lowering::layout_use(const clang::CXXOperatorCallExpr* expr) {
  Hole out;
  out.kind = HoleKind::kLayout;
  out.range = source_.range_of(expr);
  const auto known = layouts_.find(*layout_number(expr->getArg(0)->getType()));
  const auto no_hole = [&](const std::string& why) {
    if (!why.empty()) source_.error(out.range, why);
    return tree_.placeholder(out.range);
  };
  if (known == layouts_.end()) return no_hole("this layout is used before the function that declares it passes it on");
  if (layout_index_ != expr) return no_hole("a layout's use is the whole index of a __shared__ array: tile[L(r, c)]");
  if (expr->getBeginLoc().isMacroID() || expr->getEndLoc().isMacroID())
    return no_hole("a layout's use cannot stand in a macro");
  out.layout = known->second;
  for (unsigned i = 1; i < expr->getNumArgs(); ++i)
    if (!hole_argument(expr->getArg(i), out)) return no_hole("");
  const SourceRange range = out.range;
  return make_hole(std::move(out), range);
}

// Where `L.size()` is written in the type of an array.
void Lowering::layout_sizes(const clang::VarDecl* decl) {
  if (decl->getTypeSourceInfo() == nullptr) return;
  for (clang::TypeLoc at = decl->getTypeSourceInfo()->getTypeLoc(); !at.isNull();) {
    const auto array = at.getAsAdjusted<clang::ArrayTypeLoc>();
    if (!array) return;
    const auto* call = array.getSizeExpr() == nullptr
                           ? nullptr
                           : llvm::dyn_cast<clang::CXXMemberCallExpr>(array.getSizeExpr()->IgnoreParenImpCasts());
    const auto number = call == nullptr ? std::nullopt : layout_number(call->getImplicitObjectArgument()->getType());
    if (const auto known = number ? layouts_.find(*number) : layouts_.end(); known != layouts_.end())
      add_once(program_.layouts[known->second.value].sizes, source_.range_of(call));
    at = array.getElementLoc();
  }
}

bool Lowering::sized_by_layout(const clang::ConstantArrayType* array, Type& out) {
  const std::uint64_t size = array->getSize().getZExtValue();
  if (size < static_cast<std::uint64_t>(kSizedByLayout)) return false;
  const std::uint64_t number = size - static_cast<std::uint64_t>(kSizedByLayout);
  const auto known = number > kMostCells ? layouts_.end() : layouts_.find(static_cast<int>(number));
  out.count = 1;
  if (known == layouts_.end()) {
    source_.error(source_.use(), "an array may have L.size() elements; for several tiles write tile[2][L.size()]");
  } else {
    out.sized_by = known->second;
    out.count = std::int64_t{program_.layout(known->second).rows} * program_.layout(known->second).columns;
  }
  return true;
}

}  // namespace swizzle
