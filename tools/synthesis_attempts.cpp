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

// The attempts at a pair, each at one size more.
class Attempts {
 public:
  Attempts(const Pair& pair, SynthesisRequest request, const std::function<void()>& when_searched,
           const SynthesisRun& run)
      : pair_(pair),
        request_(std::move(request)),
        when_searched_(when_searched),
        run_(run),
        before_(run.report),
        key_(key_of(pair, run.options)) {}

  Ending completed() {
    for (;;) {
      auto attempt = std::make_unique<Attempt>();
      Ending ending = attempt_pair(pair_, request_, when_searched_, run_, *attempt);
      const bool is_found = ending.kind == Ending::Kind::kFound;
      const std::optional<Sizes> at = differs_at(*attempt, is_found);
      const bool goes_on = at && may_go_on();
      if (!goes_on && is_found) return finished(*attempt);
      if (!goes_on && narrow_) return best_of_all();
      if (refuted_ && ending.kind == Ending::Kind::kUnknown) {  // perhaps another one is right at both
        ending.reason = fmt::format("{}; of others, {}", refuted_->first.reason, ending.reason);
        return ending;
      }
      if (goes_on) tell_of_another(is_found ? run_.report.checked.all_sizes->reason : ending.reason);
      keep(std::move(attempt), std::move(ending));
      if (!goes_on) return best_of_all();
      pose_also(*at, is_found);
    }
  }

 private:
  bool may_go_on() const {
    constexpr std::size_t kMostCounterexamples = 4;
    return run_.options.all == 0 && request_.also.size() < kMostCounterexamples;
  }

  void tell_of_another(const std::string& reason) const {
    run_.observer.tell(remark(run_.options, reason + "; this size is posed, too"));
  }

  // The first that is found, and the first that is not.
  void keep(std::unique_ptr<Attempt> attempt, Ending ending) {
    const bool is_found = ending.kind == Ending::Kind::kFound;
    if (is_found && !narrow_) {
      attempt->report = run_.report;
      narrow_ = std::move(attempt);
    } else if (!is_found && !refuted_) {
      refuted_.emplace(std::move(ending), run_.report);
    }
  }

  void pose_also(const Sizes& sizes, bool has_kernel) {
    constexpr double kSearchesForMore = 2, kLeastSeconds = 1;
    if (has_kernel) request_.search_seconds = kSearchesForMore * std::max(kLeastSeconds, run_.watch.seconds());
    request_.also.push_back(sizes);
    run_.report = before_;
  }

  Ending finished(Attempt& attempt) const { return finish_kernel(*attempt.found, *attempt.made, key_, run_); }

  // Of what was kept.
  Ending best_of_all() {
    run_.report = narrow_ ? std::move(*narrow_->report) : std::move(refuted_->second);
    return narrow_ ? finished(*narrow_) : std::move(refuted_->first);
  }

  const Pair& pair_;
  SynthesisRequest request_;
  const std::function<void()>& when_searched_;
  const SynthesisRun& run_;
  const Report before_;
  const InputsKey key_;  // of the inputs as they were read
  std::optional<std::pair<Ending, Report>> refuted_;
  std::unique_ptr<Attempt> narrow_;  // what is proved for some sizes
};

}  // namespace

// What fits the instances by chance is not the spec at another size: that size is posed, too, and what is then found
// fits both. Where nothing does, it was no chance; where that is not known, nothing is. (Counterexample-guided
// synthesis: A. Solar-Lezama et al., ASPLOS 2006.) So is a size beyond those that a kernel is proved for, though
// nothing says that it is one: where nothing is found for both, the kernel stays.
Ending complete_pair(const Pair& pair, SynthesisRequest request, const std::function<void()>& when_searched,
                     const SynthesisRun& run) {
  return Attempts(pair, std::move(request), when_searched, run).completed();
}

}  // namespace swizzle
