#include "synth/tables/linear_space.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace swizzle {
namespace {

using Word = LinearSpace::Word;

constexpr int kSet = 40;  // bits that are looked at: of a negative value, all from some bit on

std::uint64_t low_bits(std::int64_t v) { return static_cast<std::uint64_t>(v) & ((std::uint64_t{1} << kSet) - 1); }

// Values that may come up at other sizes have any bits.
std::vector<std::uint64_t> bits_set(const HoleSpace& space) {
  std::vector<std::uint64_t> set(space.arguments.empty() ? 0 : space.arguments[0].size(), 0);
  for (const Arguments& a : space.arguments)
    for (std::size_t j = 0; j < a.size(); ++j) set[j] |= low_bits(a[j]);
  for (const OpenArgument& open : space.open) {
    const std::size_t j = open.argument == 0 ? 0 : open.argument - space.first_argument + 1;
    const std::uint64_t most = open.bounds.least < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(open.bounds.most);
    set[j] |= low_bits(static_cast<std::int64_t>(std::bit_ceil(most / 2 + 1) * 2 - 1));
  }
  return set;
}

// Bit vectors over the points, none of which is a sum of others.
class Elimination {
 public:
  // Of which of those before, by number, the vector is the sum. Nothing, if it is none: it is kept then.
  std::optional<Word> add(std::vector<bool> vector) {
    Word sum = 0;
    for (const Pivot& pivot : pivots_)
      if (vector[pivot.lead]) {
        for (std::size_t p = 0; p < vector.size(); ++p) vector[p] = vector[p] != pivot.vector[p];
        sum ^= pivot.sum;
      }
    const auto lead = std::find(vector.begin(), vector.end(), true);
    if (lead == vector.end()) return sum;
    const auto at = static_cast<std::size_t>(lead - vector.begin());
    pivots_.push_back({at, std::move(vector), sum ^ Word{1} << pivots_.size()});
    return std::nullopt;
  }

 private:
  struct Pivot {
    std::size_t lead;  // where no later one is set
    std::vector<bool> vector;
    Word sum;
  };
  std::vector<Pivot> pivots_;
};

}  // namespace

LinearSpace::LinearSpace(const HoleSpace& space, std::size_t most_sums)
    : vectors_(space.points.size(), 1),
      set_(bits_set(space)) {
  const std::size_t points = space.points.size();
  Elimination elimination;
  elimination.add(std::vector<bool>(points, true));
  for (std::size_t j = 0; j < set_.size(); ++j)
    for (int bit = 0; bit < kMostOfArgument; ++bit) {
      if (((set_[j] >> bit) & 1) == 0) continue;
      std::vector<bool> column(points);
      for (std::size_t p = 0; p < points; ++p) column[p] = ((space.arguments[p][j] >> bit) & 1) != 0;
      if (read_.size() + 1 == kMostBits) {
        is_too_wide_ = true;
        return;
      }
      if (const auto sum = elimination.add(column)) {
        if (*sum != 0 && sums_.size() < most_sums) sums_.push_back({{j, bit}, *sum});
        continue;
      }
      read_.push_back({j, bit});
      for (std::size_t p = 0; p < points; ++p)
        if (column[p]) vectors_[p] |= Word{1} << read_.size();
    }
}

LinearSpace::Basis LinearSpace::basis(const std::vector<std::size_t>& order) const {
  Basis basis{{}, std::vector<Word>(vectors_.size(), 0), {}};
  struct Pivot {
    Word vector, sum;
  };
  std::vector<Pivot> pivots(rank(), Pivot{0, 0});  // by its lowest bit, which none of lower bits has
  const auto reduced = [&](Pivot p) {
    for (std::size_t b = 0; b < rank(); ++b)
      if (((p.vector >> b) & 1) != 0 && pivots[b].vector != 0) p = {p.vector ^ pivots[b].vector, p.sum ^ pivots[b].sum};
    return p;
  };
  for (const std::size_t point : order) {
    Pivot rest = reduced({vectors_[point], 0});
    if (rest.vector != 0) {
      const Word self = Word{1} << basis.points.size();
      rest.sum ^= self;
      pivots[static_cast<std::size_t>(std::countr_zero(rest.vector))] = rest;
      basis.points.push_back(point);
      basis.sums[point] = self;
    } else {
      basis.sums[point] = rest.sum;
    }
  }
  for (std::size_t b = 0; b < rank(); ++b) basis.units.push_back(reduced({Word{1} << b, 0}).sum);
  return basis;
}

}  // namespace swizzle
