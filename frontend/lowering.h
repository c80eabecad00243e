// clang's tree → Program: private to frontend/.
//
//   Lowering lowering(ast, files, program);
//   lowering.run(kernel);                      program.entry, or lowering.diagnostics()
//
// Functions are lowered when a call reaches them, types when an expression has them. What a sketch cannot use is
// reported at its range, once, and stands in the tree as a literal so that lowering goes on.
//
// Each kind of node has a class, in lower_….h, which asks for what is inside of its nodes through node_lowering.h:
//
//   statements ─┐    ┌─ functions, variables
//               ├────┤                               types ─ layouts
//   expressions ┘    └─ calls ─ holes, accumulators    │
//                                                      └─ tree_builder.h, source_diagnostics.h
#pragma once

#include <memory>
#include <vector>

#include "frontend/purpose.h"
#include "synth/base/diagnostic.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class SourceRange;
}  // namespace clang

namespace swizzle {

class LostText;
struct Program;
class UserFiles;

class Lowering {
 public:
  // `program` holds the source and its directives, and outlives this.
  // `lost`: what clang could not read, if that is no reason to stop; it outlives this.
  Lowering(clang::ASTContext& ast, const UserFiles& files, Program& program, Purpose purpose = Purpose::kComplete,
           const LostText* lost = nullptr);
  ~Lowering();

  // Lowers `entry` and all that it calls. Errors are in diagnostics().
  void run(const clang::FunctionDecl* entry);
  const Diagnostics& diagnostics() const;
  SourceRange range_of(clang::SourceRange range) const;
  // Where the functions stand that were lowered.
  const std::vector<SourceRange>& bodies() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace swizzle
