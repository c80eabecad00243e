// XformPrinter: the expression of one setting of a transformation swizzle's parameters (see tables.h).
//
//   group 4 of 4, fan 1, period 4, factor 3 of k, constant 2:   (i + 3·k + 2) mod 4   prints as   (i - k + 2) & 3
//
// group 72 of 72, fan 1, factor 71 of k, constant 8:              (i + 71·k + 8) mod 72 prints as   i - k + 8   where
// that is in [0, 72)
//
// What it returns is what is printed, and so what is costed: settings of one table may differ in cost.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "synth/program/argument_values.h"
#include "synth/program/index_expr.h"
#include "synth/tables/tables.h"
#include "synth/tables/xform_shapes.h"

namespace swizzle {

struct XformParameters {
  // factor·k + quotient·⌊k / divisor⌋; divisor 0: no quotient
  struct Rotation {
    int factor = 0, divisor = 0, quotient = 1;
  };
  // Σ rotations of k… + constant
  struct Turn {
    std::vector<Rotation> rotations;
    int constant = 0;
    bool is_constant() const {
      return std::ranges::all_of(rotations, [](const Rotation& r) { return r.factor == 0 && r.divisor == 0; });
    }
  };
  XformShape shape;
  Turn turn;   // modulo shape.run
  Turn extra;  // modulo shape.extra_modulus(); without rotations where that is 1
};

// That of c, c - m which is nearest to 0: with it as a coefficient, a sum varies least.
constexpr int nearest_residue(int c, int m) { return c > m / 2 ? c - m : c; }

class XformPrinter {
 public:
  explicit XformPrinter(const HoleSpace& space);
  // Without what the arguments' values make superfluous.
  IndexExpr print(const XformParameters& parameters) const;

 private:
  // Which coefficients are taken for what is subtracted: those of quotients that are m - 1; all that are; those above
  // m / 2; those of k…. `& (m - 1)` takes negatives in its stride; `%` does not, so that the sum may have to be lifted.
  enum class Signs { kFew, kOnes, kNearest, kKeys };
  // Coefficients of ⌊k_j / d⌋, by (j, d), and a constant, modulo `modulus`.
  struct Sum {
    int modulus = 1;
    Signs signs = Signs::kFew;
    std::map<std::pair<std::size_t, int>, int> terms = {};
    int constant = 0;
    void add(const XformParameters::Turn& turn);
    bool subtracts(int divisor, int coefficient) const;
    bool subtracts_index(int fan) const;
  };

  static bool has_one_form(const XformParameters& parameters);
  IndexExpr general(const XformParameters& parameters, Signs signs) const;
  IndexExpr quotient(std::size_t j, int divisor) const;
  IndexExpr rotated(const IndexExpr& i, int fan, const IndexExpr& rest, const Sum& sum) const;
  IndexExpr grouped(const XformParameters& parameters, const IndexExpr& inner, Signs signs) const;
  IndexExpr swapped(const XformParameters& parameters, Signs signs) const;
  std::optional<IndexExpr> as_digits(const XformParameters& parameters) const;
  std::optional<IndexExpr> as_product(const XformParameters& parameters) const;
  IndexExpr cheaper(IndexExpr a, IndexExpr b) const;
  bool is_reversal(const XformParameters& parameters) const;
  int flipped_bits(const XformParameters& parameters) const;
  std::int64_t least(const Sum& sum) const;
  std::int64_t lifted(IndexExpr sum, const std::vector<IndexExpr>& minus, std::int64_t c, int m) const;

  int domain_;
  std::size_t first_argument_;
  std::set<std::vector<std::int64_t>> keys_;  // distinct (k…)
  ArgumentValues values_;
  bool leaves_range_ = false;  // some i is not in [0, n)
};

}  // namespace swizzle
