// HoleEncoder: the parameters of a hole's grammar as Booleans, its points' values and its cost as consequences.
//
//   ?sw_cond(lane, k), lane 2, k 3:   form `lane ⊙ I + k`, ⊙ is <, I = 0   →   (lane - k = -1 compares so: true)   → 1
//
// The grammars are those of tables.h, by their parameters: transformation swizzles by their shape, and for each
// rotation (factor, divisor, quotient) of each variable and a constant; conditions by (a, b, ±), ⊙ and I; partitions by
// nested conditions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "synth/oracle/formula.h"
#include "synth/tables/tables.h"
#include "synth/tables/xform_printer.h"

namespace swizzle {

// values[p][v]: the hole has value v at its point p. ops[t]: it costs at least t more integer operations than the
// steps before; the sum of the weights of those that hold is a bound that the true cost meets.
struct EncodedHole {
  std::vector<Literals> values;
  std::vector<WeightedLiteral> ops;
};

// Each point has one of its values; nothing else is said.
EncodedHole encoded_values(const HoleSpace& space, Formula& formula);

class HoleEncoder {
 public:
  HoleEncoder(const HoleSpace& space, Formula& formula) : space_(space), formula_(formula) {}

  // Nothing: too many settings; why() says of what.
  std::optional<EncodedHole> encode();
  const std::string& why() const { return why_; }

 private:
  struct Condition {
    Literals holds;    // by point
    Literal variable;  // it is neither `true` nor `false`
    Literal two_ops;   // it takes an addition besides the comparison
  };

  // A rotation: one setting for each variable, a constant, and their sum modulo `modulus` by (k…).
  struct Turns {
    std::int64_t modulus = 1;
    std::vector<Literals> chosen;
    Literals constant;
    std::map<std::vector<std::int64_t>, Literals> rotation;
  };

  bool encode_grammar(EncodedHole& hole);
  bool encode_xform(EncodedHole& hole);
  void choose_xform(const std::vector<XformShape>& shapes);
  void add_rotations(Turns& turns);
  template <typename Then>
  void each_turn(const XformShape& shape, bool is_extra, std::size_t j, XformParameters::Turn& turn, Literals& clause,
                 Then&& then);
  bool price_xform(const std::vector<XformShape>& shapes, EncodedHole& hole);
  std::optional<Condition> encode_condition();
  struct ConditionForm;
  struct ConditionChoice;
  void encode_outcomes(const ConditionChoice& chosen, std::map<std::int64_t, Literal>& outcome);
  void encode_where_it_holds(const std::vector<ConditionForm>& forms, const ConditionChoice& chosen,
                             const std::map<std::int64_t, Literal>& outcome, const Condition& condition);
  void encode_condition_ops(const std::vector<ConditionForm>& forms, const ConditionChoice& chosen,
                            const Condition& condition);
  bool encode_part(EncodedHole& hole);
  bool encode_cond(EncodedHole& hole);

  const HoleSpace& space_;
  Formula& formula_;
  std::string why_;
  Literals shape_;
  std::vector<XformParameters::Rotation> settings_;
  Turns turn_, extra_;
};

}  // namespace swizzle
