// Types of clang as types of the Program: private to frontend/.
//
//   struct Pixel { unsigned char r, g; float x; };    a record of 8 bytes and 3 slots: r at byte 0, g at 1, x at 4
//
// A type that a sketch cannot use is reported where it is used.
#pragma once

#include <optional>
#include <unordered_map>

#include "frontend/lower_layouts.h"
#include "frontend/node_lowering.h"
#include "frontend/source_diagnostics.h"
#include "synth/program/tree_builder.h"

namespace clang {
class ArrayType;
class FieldDecl;
class QualType;
class RecordDecl;
class TemplateArgument;
class VariableArrayType;
}  // namespace clang

namespace swizzle {

// Of which nothing is known in a program that is checked: it depends on a template's parameters, or is a function.
bool is_opaque(clang::QualType type);
// Registers of load(), or an accumulator.
bool is_prelude_object(clang::QualType type);
// What registers of load() hold; null: the type is another.
const clang::TemplateArgument* registers_element(clang::QualType type);

class TypeLowering {
 public:
  TypeLowering(clang::ASTContext& ast, Program& program, TreeBuilder& tree, SourceDiagnostics& source,
               LayoutLowering& layouts, NodeLowering& nodes, Purpose purpose)
      : ast_(ast),
        program_(program),
        tree_(tree),
        source_(source),
        layouts_(layouts),
        nodes_(nodes),
        checks_(purpose == Purpose::kCheck) {}

  TypeId of(clang::QualType type);
  // In a check, of a reference: a pointer.
  TypeId of_field(const clang::FieldDecl* field);
  // An expression with the type and the range of `expr`, not yet in the tree.
  Expr node(ExprKind kind, const clang::Expr* expr);
  // Which slot of its record it begins at.
  int field_slot(const clang::FieldDecl* field);
  int offset_bytes(const clang::FieldDecl* field) const;

 private:
  TypeId make(clang::QualType type);
  TypeId record(const clang::RecordDecl* record, clang::QualType type, Type out);
  void array_layout(const clang::ArrayType* array, Type& out);
  ExprId array_extent(const clang::VariableArrayType* array);
  void record_layout(const clang::RecordDecl* record, Type& out);
  void union_layout(const clang::RecordDecl* record, Type& out);
  void set_size(const clang::RecordDecl* record, Type& out) const;
  std::optional<Scalar> scalar_of(clang::QualType type);

  clang::ASTContext& ast_;
  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  LayoutLowering& layouts_;
  NodeLowering& nodes_;
  const bool checks_;
  std::unordered_map<const void*, TypeId> types_;
};

}  // namespace swizzle
