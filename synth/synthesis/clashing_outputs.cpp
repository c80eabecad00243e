#include "synth/synthesis/clashing_outputs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "synth/base/text.h"
#include "synth/provenance/laws.h"
#include "synth/search/solve.h"
#include "synth/tables/shared_tables.h"

namespace swizzle {
namespace {

constexpr std::size_t kMostTold = 4;

// Searches the problem with some of its equations; it has all of them again when this ends.
class SomeOutputs {
 public:
  SomeOutputs(Problem& problem, const Deadline& deadline)
      : problem_(problem),
        all_(std::move(problem.equations)),
        deadline_(deadline) {}
  ~SomeOutputs() { problem_.equations = std::move(all_); }
  SomeOutputs(const SomeOutputs&) = delete;
  SomeOutputs& operator=(const SomeOutputs&) = delete;

  // A few that clash, by their positions, as found by leaving out halves, quarters, …, the last ones first; empty:
  // those that form tells apart do not, or time is short.
  std::vector<std::size_t> find() {
    std::vector<std::size_t> clashing;
    for (std::size_t e = 0; e < all_.size(); ++e)
      if (!is_lawless(all_[e])) clashing.push_back(e);
    if (!clash(clashing)) return {};
    for (std::size_t chunk = std::max<std::size_t>(1, clashing.size() / 2);; chunk /= 2) {
      leave_out(clashing, chunk);
      if (chunk == 1) return clashing;
    }
  }

 private:
  // What is infeasible by form alone may be possible after all.
  bool is_lawless(const Equation& e) const {
    return !lawless(problem_.provenance, std::array{e.actual, e.expected}).empty();
  }

  bool clash(const std::vector<std::size_t>& outputs) {
    if (deadline_.passed()) return false;
    problem_.equations.clear();
    for (std::size_t e : outputs) problem_.equations.push_back(all_[e]);
    SolveOptions options;
    options.first_only = true;
    options.shared = tables_;
    options.deadline = deadline_.share(0.2);
    return solve(problem_, options).outcome == Outcome::kInfeasible;
  }

  void leave_out(std::vector<std::size_t>& clashing, std::size_t chunk) {
    for (std::size_t end = clashing.size(); end > 0;) {
      const std::size_t begin = end - std::min(chunk, end);
      std::vector<std::size_t> fewer(clashing.begin(), clashing.begin() + static_cast<std::ptrdiff_t>(begin));
      fewer.insert(fewer.end(), clashing.begin() + static_cast<std::ptrdiff_t>(end), clashing.end());
      if (!fewer.empty() && clash(fewer)) clashing = std::move(fewer);
      end = begin;
    }
  }

  Problem& problem_;
  std::vector<Equation> all_;
  const Deadline deadline_;
  const std::shared_ptr<SharedTables> tables_ = std::make_shared<SharedTables>();  // the same holes, each time
};

}  // namespace

std::optional<std::string> clashing_outputs(Problem& problem, const Deadline& deadline) {
  const std::vector<std::size_t> clashing = SomeOutputs(problem, deadline).find();
  if (clashing.empty() || clashing.size() > kMostTold) return std::nullopt;
  std::vector<std::string> outputs, threads;
  for (std::size_t i : clashing) {
    const Equation& e = problem.equations[i];
    outputs.push_back(fmt::format("{}[{}]", problem.buffer_names[e.buffer.value], e.slot));
    threads.push_back(std::to_string(e.thread));
  }
  return fmt::format("no completion makes {}, written by thread{} {}, what the spec stores", listed(outputs, " and "),
                     threads.size() == 1 ? "" : "s", listed(threads, " and "));
}

}  // namespace swizzle
