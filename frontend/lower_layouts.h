// ?sw_layout: its declaration, and the arrays that it sizes. Its uses are holes: see lower_holes.h.
//
//   auto L = ?sw_layout(8, 33);              declare(): a TileLayout of 8 rows and 33 columns
//   __shared__ float tile[L.size()];         sizes(): an array of 264 floats, sized by L
//
// While clang looks on, L is an object of the type $layout<N>, the N-th of the file, and its size a number that says
// so.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "frontend/source_diagnostics.h"

namespace clang {
class ConstantArrayType;
class Expr;
class QualType;
class VarDecl;
}  // namespace clang

namespace swizzle {

// The N of $layout<N>; nothing: the type is another.
std::optional<int> layout_number(clang::QualType type);

class LayoutLowering {
 public:
  LayoutLowering(clang::ASTContext& ast, Program& program, SourceDiagnostics& source)
      : ast_(ast),
        program_(program),
        source_(source) {}

  // `declaration` is the whole statement; empty: it declares other variables, too.
  void declare(const clang::VarDecl* decl, SourceRange declaration);
  // The layout of an object of this type; nothing: it is declared later, or wrongly, or the type is another.
  std::optional<LayoutId> find(clang::QualType object) const;
  // That a function gets it as an argument.
  void pass(clang::QualType object);
  // Notes where `L.size()` is written in the type of an array.
  void note_sizes(const clang::VarDecl* decl);
  // Whether the array is sized by a layout: if so, `out` gets its count.
  bool sizes(const clang::ConstantArrayType* array, Type& out);

  // Where they are declared.
  const std::set<std::uint32_t>& places() const { return places_; }

 private:
  int side(const clang::Expr* argument);
  std::optional<NamedLayout> named(const clang::Expr* argument);

  clang::ASTContext& ast_;
  Program& program_;
  SourceDiagnostics& source_;
  std::map<int, LayoutId> layouts_;  // by the number of `$layout`
  std::set<std::uint32_t> places_;
};

}  // namespace swizzle
