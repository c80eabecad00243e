// Inline PTX in a program that is checked: what it accesses. Private to frontend/.
//
//   asm("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2 + 64];" : "=r"(a), "=r"(b) : "r"(p));
//       touch(p + 64, 16 bytes, kLdmatrix of 2);  a = unknown;  b = unknown
//
// Registers of PTX are followed through what asm_integers.h knows; an address that PTX computes otherwise is reported.
// (PTX ISA, instruction statements.)
#pragma once

#include <cstdint>
#include <string>

#include "frontend/lowering_context.h"

namespace clang {
class GCCAsmStmt;
}

namespace swizzle {

struct PtxInstruction;

class AsmLowering {
 public:
  explicit AsmLowering(const LoweringContext& in)
      : program_(in.program),
        tree_(in.tree),
        source_(in.source),
        types_(in.types),
        nodes_(in.nodes) {}

  StmtId statement(const clang::GCCAsmStmt* s);

 private:
  struct Effects;
  void instruction(Effects& out, const PtxInstruction& p);
  void assign_outputs(const clang::GCCAsmStmt* s, const Effects& in, Stmt& block);
  void write(Effects& out, const PtxInstruction& p, ExprId computed);
  void add(Effects& out, const PtxInstruction& p, Stmt step);
  void end_thread(Effects& out, const PtxInstruction& p);
  void touch_at(Effects& out, const PtxInstruction& p, std::size_t operand, std::int64_t bytes, Touch touch);

  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  TypeLowering& types_;
  NodeLowering& nodes_;
};

}  // namespace swizzle
