#include "frontend/lower_layouts.h"

#include <algorithm>

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>

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
std::optional<int> layout_number(clang::QualType type) {
  const auto* record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type.getNonReferenceType()->getAsCXXRecordDecl());
  if (record == nullptr || record->getName() != "$layout") return std::nullopt;
  return static_cast<int>(record->getTemplateArgs()[0].getAsIntegral().getExtValue());
}

// How many rows, or columns; 1 where an error was reported, so that it stays the only one.
int LayoutLowering::side(const clang::Expr* argument) {
  const SourceRange range = source_.range_of(argument);
  clang::Expr::EvalResult known;
  if (!argument->EvaluateAsInt(known, ast_)) {
    source_.error(range, "the shape of ?sw_layout(rows, columns) must be constant");
    return 1;
  }
  const std::int64_t side = known.Val.getInt().getExtValue();
  if (side >= 1 && side <= kMostCells) return static_cast<int>(side);
  source_.error(range,
                fmt::format("a layout has between 1 and {} rows and columns, and here are {}", kMostCells, side));
  return 1;
}

void LayoutLowering::declare(const clang::VarDecl* decl, SourceRange declaration) {
  const auto* call =
      decl->getInit() == nullptr ? nullptr : llvm::dyn_cast<clang::CallExpr>(decl->getInit()->IgnoreImplicit());
  const SourceRange name = source_.range_of_name(decl);
  const auto refuse = [&](SourceRange range, std::string why) { source_.error(range, std::move(why)); };
  if (call == nullptr || call->getNumArgs() < 2)
    return refuse(name, "a layout is declared as auto L = ?sw_layout(rows, columns);");
  const SourceRange range = source_.range_of(call);
  places_.insert(range.begin);
  if (source_.in_macro_body(call)) return;
  if (declaration.end == 0) return refuse(name, "declare this layout in a statement of its own");
  const int rows = side(call->getArg(0)), columns = side(call->getArg(1));
  std::optional<NamedLayout> given;
  if (call->getNumArgs() == 3 && !(given = named(call->getArg(2)))) return;
  if (std::int64_t{rows} * columns > kMostCells)
    return refuse(range,
                  fmt::format("a layout of {} x {} elements is too large: the limit is {}", rows, columns, kMostCells));
  const auto [known, fresh] = layouts_.try_emplace(*layout_number(decl->getType()), program_.layouts.size());
  if (fresh) {
    program_.layouts.push_back({decl->getNameAsString(), range, declaration, rows, columns, {}, std::move(given)});
  } else if (const TileLayout& before = program_.layout(known->second);
             before.rows != rows || before.columns != columns) {
    refuse(range, "this stands for different layouts in different instances of a template");
  }
}

std::optional<LayoutId> LayoutLowering::find(clang::QualType object) const {
  const auto number = layout_number(object);
  const auto known = number ? layouts_.find(*number) : layouts_.end();
  return known == layouts_.end() ? std::nullopt : std::optional(known->second);
}

void LayoutLowering::pass(clang::QualType object) {
  if (const auto known = find(object)) program_.layouts[known->value].is_passed = true;
}

// sw_cute(3, 3, 3) and its kin.
std::optional<NamedLayout> LayoutLowering::named(const clang::Expr* argument) {
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
    if (!call->getArg(i)->EvaluateAsInt(number, ast_)) {
      source_.error(source_.range_of(call->getArg(i)), "the numbers of a layout must be constant");
      return std::nullopt;
    }
    named.numbers[i] = static_cast<int>(number.Val.getInt().getExtValue());
  }
  return named;
}

void LayoutLowering::note_sizes(const clang::VarDecl* decl) {
  if (decl->getTypeSourceInfo() == nullptr) return;
  for (clang::TypeLoc at = decl->getTypeSourceInfo()->getTypeLoc(); !at.isNull();) {
    const auto array = at.getAsAdjusted<clang::ArrayTypeLoc>();
    if (!array) return;
    const auto* call = array.getSizeExpr() == nullptr
                           ? nullptr
                           : llvm::dyn_cast<clang::CXXMemberCallExpr>(array.getSizeExpr()->IgnoreParenImpCasts());
    if (const auto known = call == nullptr ? std::nullopt : find(call->getImplicitObjectArgument()->getType()))
      add_once(program_.layouts[known->value].sizes, source_.range_of(call));
    at = array.getElementLoc();
  }
}

bool LayoutLowering::sizes(const clang::ConstantArrayType* array, Type& out) {
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
