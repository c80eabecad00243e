// Tables: what a hole may be, point by point, and the cheapest expression of each possibility.
//
// A hole's candidates are counted by distinct table, not by parameters. Given the values that are allowed at each of
// its points, a TableGrammar yields every table of the hole's grammar that stays within them:
//
//   ?sw_part(2, lane, k) on 4 lanes, k < 2, where only (3, 1) must be 1 and the others 0:
//     lane, k   (0,0) (1,0) (2,0) (3,0) (0,1) (1,1) (2,1) (3,1)
//     table       0     0     0     0     0     0     0     1        "lane + k < 4 ? 0 : 1"     cost 3
//
// Transformation swizzles (DESIGN section 1; Swizzle Inventor section 5.3) are sums of parts. With a group g dividing
// n, i' = i mod g, a fan c whose conflict period d divides g with (g / d) | c, and R(k) = Σ_j c_j·k_j + ⌊k_j / d_j⌋,
// where d_j divides the number of values of k_j (0 … largest):
//   plain     g·⌊i/g⌋ + (c·i' + ⌊i'/d⌋ + R(k) + c0) mod g
//   wrapped   g·⌊i/g⌋ + (c·i' + (⌊i'/d⌋ + R(k) + c0) mod (g/d)) mod g
// Both are base(i) + (shift(i) + R(k) + c0) mod M. For each (g, c, d) the allowed rotations are an intersection of
// rotated bit masks over i, then over k; R and c0 follow.
//
// `?sw_xform_extra` has these and, with an extra rotation P(k) = Σ_j p_j·⌊k_j / d_j⌋ and R(k) of the same form (d_j may
// be 1), for c prime to d and e prime to g/d
//   swapped   g·⌊i/g⌋ + (g/d)·((c·i' + P(k) + p0) mod d) + (e·⌊i'/d⌋ + R(k) + c0) mod (g/d)
// The digits of i' = d·⌊i'/d⌋ + i' mod d change places, and each is fanned and rotated by itself (c being prime to d,
// before the fan or after it is the same): a permutation, whose inverse is one of the same form. With d = 1 there is
// one digit.
//
// `?sw_xor` has, for n = 2^b · odd, the values that are i with its low b bits changed by bits of i above, of k… and of
// c:
//   i ^ (i >> d0 & m0) ^ ((k_j >> d_j & m_j) << u_j) ^ … ^ c, all terms below 2^b: for any k a permutation of [0, n)
//
// `?sw_linear` has all linear maps of bits: each bit of the value is a XOR of bits of i and k…, and 1, and the value is
// in [0, n) at all points. linear_forms.h says how they are printed.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "synth/base/deadline.h"
#include "synth/program/index_expr.h"
#include "synth/tables/binary_nogoods.h"
#include "synth/tables/domains.h"
#include "synth/tables/hole_space.h"
#include "synth/tables/transform_families.h"

namespace swizzle {

struct HoleTable {
  std::vector<std::int16_t> values;  // by position in HoleSpace::points
  IndexExpr expression;              // over the hole's argument positions, as in Hole::arguments
  int integer_ops = 0;
};

struct Enumeration {
  std::vector<HoleTable> tables;  // distinct, by non-decreasing integer_ops
  bool complete = true;           // false: `limit`, or the deadline, cut it short
};

inline constexpr int kAnyCost = std::numeric_limits<int>::max();

// A condition that no completion fails, asked about a part of a hole's table: the values at some positions.
class TableTest {
 public:
  virtual ~TableTest() = default;
  virtual bool passes(const std::vector<std::size_t>& positions, const std::vector<std::int16_t>& values) = 0;
  virtual bool is_over() const { return false; }  // nothing passes any more
};

// What a hole's grammar says about one set of points, prepared once and asked often.
class TableGrammar {
 public:
  virtual ~TableGrammar() = default;
  // Every table within `domains` that costs at most `max_ops` integer operations.
  virtual Enumeration within(const Domains& domains, int max_ops, std::size_t limit) const = 0;
  // The same; those with an excluded pair may be left out.
  virtual Enumeration within(const Domains& domains, const BinaryNogoods& /*excluded*/, int max_ops,
                             std::size_t limit) const {
    return within(domains, max_ops, limit);
  }
  // Every table within `domains` that passes the test, if the grammar can ask about parts of its tables; otherwise
  // nothing.
  virtual std::optional<Enumeration> passing(const Domains& /*domains*/, TableTest& /*test*/,
                                             std::size_t /*limit*/) const {
    return std::nullopt;
  }
  // How many parameter settings are told apart before their tables are compared: a bound on the tables.
  virtual double settings() const = 0;
  // Every table by its parts, where the grammar has such; if in doubt, some that are no tables as well.
  virtual std::shared_ptr<const TransformFamilies> families() const { return nullptr; }
  // Whether within() leaves out those with an excluded pair.
  virtual bool heeds_excluded_pairs() const { return false; }
  // Whether listing all tables, if they are few, costs more than a search saves by the list.
  virtual bool is_dear_to_list() const { return false; }
  // No table costs more integer operations.
  virtual int most_ops() const = 0;
  // Nothing: within() lists all. Else those of more operations may be missing, and with them it is never complete.
  virtual std::optional<int> exhausted_ops() const { return std::nullopt; }
  // log10 of the number of distinct tables, if every value is allowed. Nothing: too many to count, or to count in time.
  virtual std::optional<double> distinct_log10(const Deadline& deadline) const = 0;
};

struct SharedTables;

// Grammars of the same kind over the same arguments share what they have in common: with those of other problems as
// well, if `shared` is given, which need not outlive them. Past the deadline, an enumeration of transformations or of
// nested partitions is incomplete.
std::vector<std::unique_ptr<TableGrammar>> grammars_of(const std::vector<HoleSpace>& holes,
                                                       const Deadline& deadline = {});
std::vector<std::unique_ptr<TableGrammar>> grammars_of(const std::vector<HoleSpace>& holes, const Deadline& deadline,
                                                       SharedTables& shared);

// log10 of the number of parameter settings of the hole's grammar, as Swizzle Inventor counts them.
double raw_space_log10(const HoleSpace& space);

// log10 of the number of combinations of distinct tables of all holes: see TableGrammar::distinct_log10.
std::optional<double> distinct_space_log10(const std::vector<HoleSpace>& holes, const Deadline& deadline = {});

// Behind grammars_of, one source file each.
class ConditionCatalogue;
class SharedXform;
std::shared_ptr<const ConditionCatalogue> condition_catalogue(const HoleSpace& space);
std::shared_ptr<SharedXform> shared_xform(const HoleSpace& first);
std::unique_ptr<TableGrammar> xform_grammar(const HoleSpace& space, std::shared_ptr<SharedXform> shared,
                                            const Deadline& deadline);
std::unique_ptr<TableGrammar> xor_grammar(const HoleSpace& space);
std::unique_ptr<TableGrammar> linear_grammar(const HoleSpace& space, const Deadline& deadline);
std::unique_ptr<TableGrammar> part_grammar(const HoleSpace& space, std::shared_ptr<const ConditionCatalogue> conditions,
                                           const Deadline& deadline);
std::unique_ptr<TableGrammar> cond_grammar(const HoleSpace& space,
                                           std::shared_ptr<const ConditionCatalogue> conditions);
class ExpressionCatalogue;
std::shared_ptr<const ExpressionCatalogue> expression_catalogue(const HoleSpace& space);
std::unique_ptr<TableGrammar> expression_grammar(const HoleSpace& space,
                                                 std::shared_ptr<const ExpressionCatalogue> expressions,
                                                 const Deadline& deadline);
std::unique_ptr<TableGrammar> constants_grammar(const HoleSpace& space);
// Of a hole of that grammar, which has it whatever the values are.
HoleTable constant_table(const HoleSpace& space, std::vector<std::int16_t> values);

// Sorts by cost and keeps the cheapest of each table.
void keep_distinct(Enumeration& enumeration);

}  // namespace swizzle
