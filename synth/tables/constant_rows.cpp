#include "synth/tables/constant_rows.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

namespace swizzle {
namespace {

constexpr int kLeastShift = 31;  // that an int has not

class ConstantChoice {
 public:
  explicit ConstantChoice(ConstantForm form) : form_(form) {}

  IndexExpr of(const ConstantRows& rows) const {
    const std::int64_t first = rows.begin()->second;
    if (std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return row.second == first; }))
      return constant(first);
    const std::size_t j = deciding_argument(rows);
    if (const auto formula = formula_of(rows, j)) return *formula;
    if (auto list = list_of(rows, j)) return *std::move(list);
    std::map<std::int64_t, ConstantRows> parts;
    for (const auto& [arguments, value] : rows) parts[arguments[j]].emplace(arguments, value);
    auto part = parts.rbegin();
    IndexExpr result = of(part->second);
    for (++part; part != parts.rend(); ++part)
      result = IndexExpr::select(
          IndexExpr::compare(IndexExpr::Op::kEq, IndexExpr::argument(j), IndexExpr::constant(part->first)),
          of(part->second), std::move(result));
    return result;
  }

 private:
  IndexExpr constant(std::int64_t v) const {
    return form_.kind == ConstantForm::Kind::kInteger ? IndexExpr::constant(v) : IndexExpr::word(v, form_.bits);
  }

  static bool decides(const ConstantRows& rows, std::size_t j) {
    std::map<std::int64_t, std::int64_t> known;
    return std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
      return known.try_emplace(row.first[j], row.second).first->second == row.second;
    });
  }

  // One that decides alone, or else the first that is not the same everywhere.
  static std::size_t deciding_argument(const ConstantRows& rows) {
    const std::size_t count = rows.begin()->first.size();
    for (std::size_t j = 0; j < count; ++j)
      if (decides(rows, j)) return j;
    std::size_t j = 0;
    while (std::all_of(rows.begin(), rows.end(), [&](const auto& r) { return r.first[j] == rows.begin()->first[j]; }))
      ++j;
    return j;
  }

  // Of an argument that decides alone.
  std::optional<IndexExpr> formula_of(const ConstantRows& rows, std::size_t j) const {
    if (!decides(rows, j)) return std::nullopt;
    if (form_.kind == ConstantForm::Kind::kMask) return runs(rows, j);
    if (form_.kind != ConstantForm::Kind::kInteger) return std::nullopt;
    const auto line = affine(rows, j);
    return line ? line : doubling(rows, j);
  }

  // By an argument that decides alone and counts from 0 or near it; two are told apart by a condition.
  std::optional<IndexExpr> list_of(const ConstantRows& rows, std::size_t j) const {
    constexpr std::int64_t kLongest = 64;
    constexpr std::size_t kFew = 2;
    if (!decides(rows, j)) return std::nullopt;
    std::map<std::int64_t, std::int64_t> values;
    for (const auto& [arguments, value] : rows) values.emplace(arguments[j], value);
    const std::int64_t first = values.begin()->first, last = values.rbegin()->first;
    const bool is_dense = 2 * values.size() > static_cast<std::size_t>(last);
    if (values.size() <= kFew || first < 0 || last >= kLongest || !is_dense) return std::nullopt;
    std::vector<IndexExpr> elements(static_cast<std::size_t>(last) + 1, constant(0));
    for (const auto& [at, value] : values) elements[static_cast<std::size_t>(at)] = constant(value);
    return IndexExpr::element(IndexExpr::argument(j), std::move(elements));
  }

  // Words of runs of ones, if their lengths have a formula, and there are too many to list them shorter.
  std::optional<IndexExpr> runs(const ConstantRows& rows, std::size_t j) const {
    constexpr std::size_t kFew = 2;
    if (rows.size() <= kFew) return std::nullopt;
    ConstantRows lengths;
    for (const auto& [arguments, word] : rows) {
      const std::int64_t length = std::countr_one(static_cast<std::uint64_t>(word));
      const IndexExpr run = IndexExpr::runs(IndexExpr::constant(length), form_.bits);
      if (length == 0 || length >= form_.bits || form_.bits % (2 * length) != 0 || run.evaluate({}) != word)
        return std::nullopt;
      lengths.emplace(arguments, length);
    }
    auto length = affine(lengths, j);
    if (!length) length = doubling(lengths, j);
    if (!length) return std::nullopt;
    return IndexExpr::runs(*std::move(length), form_.bits);
  }

  // c << argument or c >> argument, of positive integers.
  static std::optional<IndexExpr> doubling(const ConstantRows& rows, std::size_t j) {
    const auto& [first, value] = *rows.begin();
    const std::int64_t at = first[j];
    if (at < 0 || at >= kLeastShift || value <= 0 || rows.rbegin()->first[j] >= kLeastShift) return std::nullopt;
    const IndexExpr argument = IndexExpr::argument(j);
    std::vector<IndexExpr> candidates = {
        IndexExpr::shift(IndexExpr::Op::kShl, IndexExpr::constant(value >> at), argument)};
    if (value << at <= INT32_MAX)
      candidates.push_back(IndexExpr::shift(IndexExpr::Op::kShr, IndexExpr::constant(value << at), argument));
    for (const IndexExpr& candidate : candidates)
      if (std::ranges::all_of(rows, [&](const auto& row) { return candidate.evaluate(row.first) == row.second; }))
        return candidate;
    return std::nullopt;
  }

  // p · argument + q, of integers.
  static std::optional<IndexExpr> affine(const ConstantRows& rows, std::size_t j) {
    const auto& [first, value] = *rows.begin();
    const auto other = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.first[j] != first[j]; });
    const std::int64_t run = other->first[j] - first[j], rise = other->second - value;
    if (rise % run != 0) return std::nullopt;
    const std::int64_t p = rise / run, q = value - p * first[j];
    for (const auto& [arguments, v] : rows)
      if (p * arguments[j] + q != v) return std::nullopt;
    return p < 0 ? IndexExpr::sub(IndexExpr::constant(q), IndexExpr::mul(IndexExpr::argument(j), -p))
                 : IndexExpr::add(IndexExpr::mul(IndexExpr::argument(j), p), IndexExpr::constant(q));
  }

  const ConstantForm form_;
};

}  // namespace

IndexExpr expression_of(const ConstantRows& rows, ConstantForm form) { return ConstantChoice(form).of(rows); }

}  // namespace swizzle
