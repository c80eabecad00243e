// Inline PTX in a sketch: cp.async and its waits. Private to frontend/.
//
//   asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.cg.shared.global [%1], [%2], %3; }" :: …)
//       %0 && copy_async(%1, %2, %3)
//
// The statement as it is written is among Program::copy_statements, for the emitter.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/lowering_context.h"
#include "frontend/ptx.h"

namespace clang {
class GCCAsmStmt;
}

namespace swizzle {

class CopyLowering {
 public:
  explicit CopyLowering(const LoweringContext& in)
      : program_(in.program),
        tree_(in.tree),
        source_(in.source),
        nodes_(in.nodes) {}

  // `instructions` are those of `s`.
  StmtId statement(const clang::GCCAsmStmt* s, const std::vector<PtxInstruction>& instructions);

 private:
  // An operand of PTX: "%1", "[%1 + 16]", "16".
  struct Value {
    ExprId value;
    PtxOperand written;
  };
  struct Predicate {
    Value value;
    bool is_not = false;
  };
  using Predicates = std::map<std::string, Predicate>;  // by name

  // Nothing, or invalid: it is not understood.
  std::optional<Value> value(const clang::GCCAsmStmt* s, const std::string& operand);
  ExprId instruction(const clang::GCCAsmStmt* s, const PtxInstruction& p, CopyStatement::Instruction& written);
  ExprId predicated(const std::string& predicate, const Predicates& predicates, ExprId effect,
                    CopyStatement::Instruction& written);

  Program& program_;
  TreeBuilder& tree_;
  SourceDiagnostics& source_;
  NodeLowering& nodes_;
};

}  // namespace swizzle
