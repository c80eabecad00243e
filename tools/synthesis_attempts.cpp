// Attempts at a pair: what is found for its sizes, held against others that are posed as well if it is not right there.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "tools/self_description.h"
#include "tools/synthesis_steps.h"
#include "tools/terminal_observer.h"

namespace swizzle {
namespace {

// A kernel with all that it takes to finish it.
struct Attempt {
  std::optional<Pair> wider;  // what `found` refers to, if not to the pair
  std::optional<Found> found;
  std::optional<Made> made;
  std::optional<Report> report;  // as it was then, of an attempt that was put aside
};

// `when_searched`: from then on the time limit ends nothing.
Ending attempt_pair(const Pair& pair, const SynthesisRequest& request, const std::function<void()>& when_searched,
                    const SynthesisRun& run, Attempt& attempt) {
  auto result = search_and_widen(pair, attempt.wider, request, run);
  when_searched();
  if (const auto* ending = std::get_if<Ending>(&result)) return *ending;
  attempt.found.emplace(std::move(std::get<Found>(result)));
  tell_search(*attempt.found, run);
  auto made = make_kernel(*attempt.found, "", run);
  if (const auto* ending = std::get_if<Ending>(&made)) return *ending;
  attempt.made.emplace(std::move(std::get<Made>(made)));
  return prove_kernel(*attempt.found, *attempt.made, run).value_or(Ending{});
}

// The size at which what was found is known to differ from the spec, if one is.
std::optional<Sizes> differs_at(const Attempt& attempt, bool is_found) {
  if (!attempt.found) return std::nullopt;
  return is_found ? attempt.found->differs_at : attempt.found->refuted_at;
}

}  // namespace

// What fits the instances by chance is not the spec at another size: that size is posed, too, and what is then found
// fits both. Where nothing does, it was no chance; where that is not known, nothing is. (Counterexample-guided
// synthesis: A. Solar-Lezama et al., ASPLOS 2006.) So is a size beyond those that a kernel is proved for, though
// nothing says that it is one: where nothing is found for both, the kernel stays.
Ending complete_pair(const Pair& pair, SynthesisRequest request, const std::function<void()>& when_searched,
                     const SynthesisRun& run) {
  constexpr std::size_t kMostCounterexamples = 4;
  constexpr double kSearchesForMore = 2, kLeastSeconds = 1;  // where there is a kernel already
  const Report before = run.report;
  const InputsKey key = key_of(pair, run.options);
  const auto finish = [&](Attempt& of) { return finish_kernel(*of.found, *of.made, key, run); };
  std::optional<std::pair<Ending, Report>> refuted;
  std::unique_ptr<Attempt> narrow;  // what is proved for some sizes
  for (;;) {
    auto attempt = std::make_unique<Attempt>();
    Ending ending = attempt_pair(pair, request, when_searched, run, *attempt);
    const bool is_found = ending.kind == Ending::Kind::kFound,
               may_go_on = run.options.all == 0 && request.also.size() < kMostCounterexamples;
    const std::optional<Sizes> at = differs_at(*attempt, is_found);
    if (is_found && (!at || !may_go_on)) return finish(*attempt);
    if (narrow && !is_found && !(at && may_go_on)) break;
    if (refuted && ending.kind == Ending::Kind::kUnknown) {  // perhaps another one is right at both
      ending.reason = fmt::format("{}; of others, {}", refuted->first.reason, ending.reason);
      return ending;
    }
    const bool goes_on = at && may_go_on;
    const std::string& reason = is_found ? run.report.checked.all_sizes->reason : ending.reason;
    if (goes_on) run.observer.tell(remark(run.options, reason + "; this size is posed, too"));
    if (is_found && !narrow) {
      attempt->report = run.report;
      narrow = std::move(attempt);
    } else if (!is_found && !refuted) {
      refuted.emplace(std::move(ending), run.report);
    }
    if (!goes_on) break;
    if (is_found) request.search_seconds = kSearchesForMore * std::max(kLeastSeconds, run.watch.seconds());
    request.also.push_back(*at);
    run.report = before;
  }
  if (narrow) {
    run.report = std::move(*narrow->report);
    return finish(*narrow);
  }
  run.report = std::move(refuted->second);
  return std::move(refuted->first);
}

}  // namespace swizzle
