// Barrel shifters: registers that turn by an amount of the thread's, in ⌈log2⌉ steps around a loop instead of S - 1
// selects for each of S registers. For r[(2 * j + lane) % 3]:
//
//   const int r_turn = lane % 3;
//   float r_turned1[3];
//   #pragma unroll
//   for (int i = 0; i < 3; i++) r_turned1[i] = r_turn & 1 ? r[(i + 1) % 3] : r[i];
//   #pragma unroll
//   for (int j = 0; j < 3; j++) y[j] = r_turn & 2 ? r_turned1[(j * 2 + 2) % 3] : r_turned1[j * 2 % 3];
//
// Where the loop stores to the turned registers, all of them and nothing else, it fills an array that turns back behind
// it. The steps stand before the outermost loop in which neither the registers nor the amount change. Where there is
// none, or the index is no rotation, there is no barrel shifter.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/emit/rotation.h"
#include "codegen/emit/unrolling.h"
#include "synth/provenance/points.h"

namespace swizzle {

struct ChoiceContext {
  const Program& program;
  const Completion& completion;
  const std::map<ExprId, int>& hole_indexed;  // Trace::hole_indexed
  const PointTable& points;
  std::function<std::string(ExprId)> text_of;                           // with the holes inside filled in
  std::function<std::string(ExprId, HoleId, const std::string&)> with;  // with that text for one of its holes
};

// A local array of registers by name, so that a reference to it can be taken; load() becomes one.
bool is_register_array(const Program& program, ExprId place);

class BarrelShifters {
 public:
  BarrelShifters(const ChoiceContext& context, const Unrolling& unrolling)
      : context_(context),
        program_(context.program),
        unrolling_(unrolling) {}

  // The text for a subscript of `length` registers by a hole. `registers`: the text of the array, or of a row of one,
  // `r[s]`; `behind`: of subscripts of what is chosen, `[e]`. Rows and what is an array itself are turned only where
  // they are read.
  std::optional<std::string> text(ExprId site, int length, const std::string& registers,
                                  const std::string& behind = "");
  // Asks for `#pragma unroll` before the loops that decide `values`.
  void unroll(ExprId site, const std::vector<ExprId>& values);
  // The name, made longer until nothing else has it.
  std::string fresh(std::string name);
  // What texts so far need: lines by offset.
  std::map<std::uint32_t, std::string> insertions() const;

 private:
  struct Use;  // of a transformation as an index
  struct Step {
    // If the bit is set, each register takes the value of the one `shift` further in a digit.
    std::size_t digit = 0;
    std::int64_t shift = 0;
    std::string bit;
  };
  struct Turned {
    std::string array;  // after all steps but the last
    Step last;
  };

  std::optional<Use> as_use(ExprId site, int length, const std::string& registers) const;
  std::vector<std::int64_t> extents_of_each(const Use& use) const;
  void keep_turns_positive(Use& use) const;
  StmtId loop_to_leave(const Use& use) const;
  StmtId loop_to_fill(const Use& use) const;
  std::vector<Step> steps_of(const Use& use, std::string& lines);
  std::string step_line(const Use& use, const Step& step, const std::string& to, const std::string& from,
                        std::int64_t shift) const;
  std::vector<std::string> loop_names(std::size_t count) const;
  std::string known_index(const Use& use, std::size_t digit, std::int64_t shift) const;
  Turned turn(const Use& use, StmtId loop);
  std::optional<std::string> read(const Use& use);
  std::optional<std::string> written(const Use& use);
  std::string declaration(const Use& use, const std::string& name) const;

  const ChoiceContext& context_;
  const Program& program_;
  const Unrolling& unrolling_;
  std::map<StmtId, std::string> before_, behind_;  // lines around loops
  std::map<std::string, Turned> turned_;           // what such lines made, by what it takes to make it
  std::map<std::uint32_t, StmtId> to_unroll_;      // by where they begin: instances of a template share their text
  std::set<std::string> names_;
};

}  // namespace swizzle
