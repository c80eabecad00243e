#include "synth/proof/size_sums.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "synth/base/text.h"

namespace swizzle {
namespace {

constexpr std::string_view kPlus = " + ", kTimes = " * ";

}  // namespace

std::vector<SizeSummand> summands_of(const SizeTree& tree) {
  if (tree.op == '$') return {{1, tree.name}};
  if (tree.op == '*')
    for (const auto [number, size] : {std::pair{0, 1}, {1, 0}})
      if (const SizeTree &n = tree.operands[static_cast<std::size_t>(number)],
          &of = tree.operands[static_cast<std::size_t>(size)];
          n.op == '#' && n.value > 0 && of.op == '$')
        return {{n.value, of.name}};
  if (tree.op != '+') return {};
  std::vector<SizeSummand> all = summands_of(tree.operands[0]);
  const std::vector<SizeSummand> more = summands_of(tree.operands[1]);
  if (all.empty() || more.empty()) return {};
  for (const SizeSummand& s : more) {
    if (std::ranges::find(all, s.name, &SizeSummand::name) != all.end()) return {};
    all.push_back(s);
  }
  return all;
}

std::string text_of_sum(std::vector<SizeSummand> all) {
  const auto plain = std::ranges::find(all, 1, &SizeSummand::times);
  if (all.size() < 2 || plain == all.end()) return "";
  std::rotate(all.begin(), plain, plain + 1);
  std::string text;
  for (const SizeSummand& s : all)
    text += (text.empty() ? "" : std::string(kPlus)) +
            (s.times > 1 ? std::to_string(s.times) + std::string(kTimes) : "") + s.name;
  return text;
}

std::vector<SizeSummand> summands_in(const std::string& sum) {
  std::vector<SizeSummand> all;
  for (const std::string& one : split(sum, kPlus)) {
    const std::size_t times = one.find(kTimes);
    if (times == std::string::npos) all.push_back({1, one});
    else all.push_back({std::stoll(one), one.substr(times + kTimes.size())});
  }
  return all;
}

std::int64_t sum_of(const std::vector<SizeSummand>& all, const Sizes& sizes) {
  std::int64_t sum = 0;
  for (const SizeSummand& s : all) sum += s.times * sizes.at(s.name);
  return sum;
}

}  // namespace swizzle
