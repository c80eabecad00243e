// Inline PTX in a sketch: ldmatrix and stmatrix. Private to frontend/.
//
//   asm("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2 + 64];" : "=r"(a), "=r"(b) : "r"(p));
//       ldmatrix(p + 64, a, b)
//
// The statement as it is written is among Program::matrix_statements, for the emitter.
#pragma once

#include "frontend/lowering_context.h"

namespace clang {
class GCCAsmStmt;
}

namespace swizzle {

struct PtxInstruction;

class MatrixLowering {
 public:
  explicit MatrixLowering(const LoweringContext& in)
      : ast_(in.ast),
        program_(in.program),
        tree_(in.tree),
        source_(in.source),
        nodes_(in.nodes) {}

  StmtId statement(const clang::GCCAsmStmt* s);

 private:
  // The address and the registers, as the instruction names them; false: they are not understood.
  bool add_operands(const clang::GCCAsmStmt* s, const PtxInstruction& p, Expr& out, MatrixStatement& written);

  clang::ASTContext& ast_;
  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  NodeLowering& nodes_;
};

}  // namespace swizzle
