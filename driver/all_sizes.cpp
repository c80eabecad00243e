#include "driver/all_sizes.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driver/usual_extents.h"
#include "synth/proof/all_sizes_proof.h"
#include "synth/proof/further_sizes.h"

namespace swizzle {
namespace {

constexpr double kAutoSeconds = 2.5, kAutoSecondsOfProof = 2;
constexpr double kShareOfProof = 0.7;  // of all the time, where it is to take that
// What is proved or refuted soon is: a proof that takes longer begins again behind the sizes that were tried.
constexpr double kSecondsOfFirstProof = 0.25, kSecondsOfFirstSizes = 0.15;
constexpr std::int64_t kMostThreadsOfSuspect = 1 << 18;

// What stands between the first `from` and the next `to`; empty: they are not there.
std::string between(const std::string& text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from);
  const std::size_t end = begin == std::string::npos ? begin : text.find(to, begin + from.size());
  return end == std::string::npos ? "" : text.substr(begin + from.size(), end - begin - from.size());
}

// What came of one size.
struct Tried {
  bool agrees = false;
  std::optional<Refutation> refuted = {};
  Diagnostics faults = {};  // of the kernel there
  std::string lacks = {};   // lanes that do not come: perhaps it is not for that size
};

Tried executed_at(const Sizes& sizes, const Program& kernel, const Program& spec, const Deadline& deadline) {
  auto expected = expect(kernel, spec, sizes, deadline, Groups::kAlike, Stores::kMaybeNone);
  if (!expected.ok()) return {};
  const auto refuted = refute(kernel, std::move(*expected), deadline);
  if (!refuted.ok()) {
    const Diagnostic& first = refuted.errors().front();
    if (first.lacks_lanes) return {.lacks = first.message};
    if (!first.breaks_rule) return {};
    return {.refuted = Refutation{first.message}, .faults = refuted.errors()};
  }
  if (refuted->text.empty()) return {.agrees = true};
  if (refuted->doubt) return {};
  return {.refuted = *refuted};
}

// Kernel and spec, at sizes that were not given.
struct Compared {
  const Program& kernel;
  const Program& spec;
  const Program usual;  // the kernel, with buffers as long as usual
  const std::vector<Sizes> known;

  // The spec decides what a size is: where it cannot be executed, there is nothing to refute.
  Tried at(const Sizes& sizes, const Deadline& deadline) const {
    Tried tried = executed_at(sizes, kernel, spec, deadline);
    if (tried.faults.empty() || usual.directives.extents.size() == kernel.directives.extents.size()) return tried;
    const Tried again = executed_at(sizes, usual, spec, deadline);
    return again.agrees ? again : tried;
  }
};

AllSizes refuted_at(const Sizes& sizes, Tried tried, const Program& kernel) {
  AllSizes all;
  all.said.outcome = Report::AllSizes::Outcome::kRefuted;
  all.said.reason = fmt::format("at {}, which is none of the sizes given, {}", sizes_text(sizes), tried.refuted->text);
  all.said.counterexample = counterexample_of(sizes, *tried.refuted, kernel);
  tried.faults.push_back(note_of_assumptions());
  all.ending = failed_verification(all.said.reason, std::move(tried.faults));
  return all;
}

// Half of what the given sizes took, and a few blocks; `all` asks for much more.
std::int64_t threads_to_try(const Program& kernel, const std::vector<Sizes>& known, Proof proof) {
  constexpr std::int64_t kFewBlocks = 64, kFew = 4;
  std::int64_t threads = 0, block = 0, largest = 0;
  for (const Sizes& sizes : known) {
    const auto shape = evaluate(*kernel.directives.launch, sizes, kernel.source);
    if (!shape.ok()) continue;
    threads += shape->blocks() * shape->threads_per_block();
    largest = std::max<std::int64_t>(largest, shape->blocks() * shape->threads_per_block());
    block = std::max<std::int64_t>(block, shape->threads_per_block());
  }
  // A few of the largest at least: where the launch is the same for all sizes, none is smaller.
  return proof == Proof::kAll ? 16 * threads + 16384 : std::max(kFew * largest, threads / 2 + 768 + kFewBlocks * block);
}

bool are_none_above(const Sizes& sizes, const std::vector<Sizes>& known) {
  return std::ranges::any_of(known, [&](const Sizes& given) {
    return std::ranges::all_of(sizes, [&](const auto& size) {
      const auto one = given.find(size.first);
      return one != given.end() && size.second <= one->second;
    });
  });
}

bool is_soon_tried(const Sizes& sizes) {
  constexpr std::int64_t kMost = 1 << 12;
  return std::ranges::all_of(sizes, [](const auto& size) { return size.second <= kMost; });
}

// Sizes that have one value as they are given may have others, which the launch does not tell: one at which the kernel
// stores other values than the spec has, or less where there is less to store. What else differs, a launch may mean
// that is for one size.
void look_beyond(const Compared& pair, const Deadline& deadline, AllSizes& all) {
  const auto& [kernel, spec, usual, known] = pair;
  const auto kept = AdmissibleSizes::of(kernel, known), varying = AdmissibleSizes::of(kernel, known, OneValue::kVaries);
  if (!kept.ok() || !varying.ok()) return;
  const bool is_for_one = is_fixed(kernel.directives.launch->grid, kernel.source);
  std::vector<Sizes> others = further_sizes(*varying, kernel, known, threads_to_try(kernel, known, Proof::kAll));
  std::ranges::copy_if(sizes_above_numbers(*varying, kernel, known.front()), std::back_inserter(others), is_soon_tried);
  for (const Sizes& sizes : others) {
    if (deadline.passed()) return;
    if (kept->admits(sizes)) continue;
    Tried tried = pair.at(sizes, deadline);
    if (!tried.lacks.empty()) tried.refuted = Refutation{tried.lacks};
    if (!tried.refuted) continue;
    const bool stores_less = !tried.refuted->thread && tried.faults.empty() && tried.lacks.empty();
    if ((is_for_one || stores_less) && !are_none_above(sizes, known)) continue;
    all.said.reason = fmt::format("at {}, {}", sizes_text(sizes), tried.refuted->text);
    all.said.counterexample = counterexample_of(sizes, *tried.refuted, kernel);
    return;
  }
}

// With inputs that have their usual lengths where the spec reads less of them, as at n = 1: the proof says so.
std::optional<AllSizesProof> proved_with_usual_inputs(const Compared& pair, const Deadline& until) {
  Program kernel = pair.kernel;
  std::vector<std::string> taken;
  const auto is_input = [&](const std::string& name) {
    return std::ranges::any_of(kernel.function(kernel.entry).parameters, [&](VariableId v) {
      return kernel.variable(v).name == name && kernel.type(kernel.variable(v).type).pointee_is_const;
    });
  };
  const std::vector<Extent>& usual = pair.usual.directives.extents;  // the kernel's own come first
  for (std::size_t i = pair.kernel.directives.extents.size(); i < usual.size(); ++i) {
    if (!is_input(usual[i].buffer)) continue;
    kernel.directives.extents.push_back(usual[i]);
    taken.push_back(fmt::format("{} has {} elements", usual[i].buffer, usual[i].elements.text));
  }
  if (taken.empty()) return std::nullopt;
  AllSizesProof proof = prove_all_sizes(kernel, pair.spec, pair.known, until);
  proof.conditions.insert(proof.conditions.end(), taken.begin(), taken.end());
  return proof.is_proved ? std::optional(std::move(proof)) : std::nullopt;
}

AllSizes proved(const Compared& pair, const Deadline& until, bool& keeps_sizes) {
  AllSizesProof proof = prove_all_sizes(pair.kernel, pair.spec, pair.known, until);
  if (!proof.is_proved && !until.passed())
    if (auto longer = proved_with_usual_inputs(pair, until)) proof = *std::move(longer);
  AllSizes all;
  if (proof.is_proved) all.said.outcome = Report::AllSizes::Outcome::kProved;
  all.said.holds_for = proof.holds_for();
  all.said.reason = proof.reason;
  all.suspect = proof.suspect;
  all.of_multiples = fmt::format("{}", fmt::join(proof.of_multiples, ", "));
  keeps_sizes = proof.keeps_sizes;
  return all;
}

// Sizes that are not known, the one that the proof ended at first; those that take little time before others.
std::vector<Sizes> sizes_to_try(const AdmissibleSizes& admissible, const Program& kernel,
                                const std::vector<Sizes>& known, Proof proof, const std::optional<Sizes>& suspect) {
  std::vector<Sizes> sizes = further_sizes(admissible, kernel, known, threads_to_try(kernel, known, Proof::kAuto));
  if (proof == Proof::kAll)
    for (Sizes& one : further_sizes(admissible, kernel, known, threads_to_try(kernel, known, proof)))
      if (std::ranges::find(sizes, one) == sizes.end()) sizes.push_back(std::move(one));
  const auto put = [&](const Sizes& one, bool first) {
    if (!admissible.admits(one) || threads_at(kernel, one) > kMostThreadsOfSuspect) return;
    std::erase(sizes, one);
    if (std::ranges::find(known, one) == known.end()) sizes.insert(first ? sizes.begin() : sizes.end(), one);
  };
  const auto put_first = [&](const Sizes& one) { put(one, true); };
  for (const Sizes& one : sizes_above_numbers(admissible, kernel, known.front())) put(one, is_soon_tried(one));
  for (const Sizes& one : sizes_at_caps(admissible, kernel, known.front())) put_first(one);
  if (suspect) put_first(*suspect);
  return sizes;
}

void tried(const Compared& pair, Proof proof, const Deadline& deadline, AllSizes& all) {
  const auto& [kernel, spec, usual, known] = pair;
  const auto admissible = AdmissibleSizes::of(kernel, known);
  if (!admissible.ok()) return;
  all.said.divides = fmt::format("{}", fmt::join(admissible->divisions(), ", "));
  bool is_told = false;
  for (const Sizes& sizes : sizes_to_try(*admissible, kernel, known, proof, all.suspect)) {
    if (deadline.passed()) return;
    if (std::ranges::find(all.said.tried, sizes_text(sizes)) != all.said.tried.end()) continue;
    Tried tried = pair.at(sizes, deadline);
    if (tried.refuted) {
      all = refuted_at(sizes, std::move(tried), kernel);
      return;
    }
    if (tried.agrees) all.said.tried.push_back(sizes_text(sizes));
    if (!tried.lacks.empty() && !std::exchange(is_told, true))
      all.said.reason = fmt::format("at {}, {}", sizes_text(sizes), tried.lacks);
  }
}

// What is proved of some sizes, where no other one that was tried refutes the kernel.
void take_multiples(AllSizes& all) {
  if (all.said.outcome != Report::AllSizes::Outcome::kNotProved || all.of_multiples.empty()) return;
  all.said.outcome = Report::AllSizes::Outcome::kProved;
  all.said.holds_for = all.of_multiples;
  all.said.reason.clear();
}

}  // namespace

Diagnostic note_of_assumptions() {
  Diagnostic note = make_error("a kernel that is not for this size says so: '#pragma swizzle assume …'");
  note.severity = Severity::kNote;
  return note;
}

Report::Counterexample counterexample_of(const Sizes& sizes, const Refutation& refuted, const Program& kernel) {
  Report::Counterexample example{{sizes.begin(), sizes.end()}, {}, {}, refuted.output};
  const auto shape = evaluate(*kernel.directives.launch, sizes, kernel.source);
  if (!refuted.thread || !shape.ok()) return example;
  example.block = *refuted.thread / shape->threads_per_block();
  example.thread = *refuted.thread % shape->threads_per_block();
  return example;
}

AllSizes judge_all_sizes(const RereadKernel& reread, const Program& spec, Proof proof, const Deadline& limit,
                         Observer& observer) {
  PhaseTimer timer(Phase::kProve, observer);
  std::vector<Sizes> known;
  for (const Posed& posed : reread.posed) known.push_back(posed.sizes);
  const Compared pair{*reread.kernel, spec, with_usual_extents(*reread.kernel, reread.posed), std::move(known)};
  const Deadline deadline = proof == Proof::kAuto ? limit.within(kAutoSeconds) : limit;
  const Deadline of_proof =
      proof == Proof::kAuto ? deadline.within(kAutoSecondsOfProof) : deadline.share(kShareOfProof);
  bool keeps_sizes = false;
  const Deadline soon = of_proof.within(kSecondsOfFirstProof);
  AllSizes all = proved(pair, soon, keeps_sizes);
  if (all.said.outcome == Report::AllSizes::Outcome::kNotProved && soon.passed() && !of_proof.passed()) {
    tried(pair, Proof::kAuto, deadline.within(kSecondsOfFirstSizes), all);
    if (all.said.outcome == Report::AllSizes::Outcome::kNotProved) {
      const std::vector<std::string> agreed = all.said.tried;
      all = proved(pair, of_proof, keeps_sizes);
      if (all.said.outcome == Report::AllSizes::Outcome::kNotProved) all.said.tried = agreed;
    }
  }
  if (all.said.outcome == Report::AllSizes::Outcome::kNotProved) tried(pair, proof, deadline, all);
  take_multiples(all);
  if (keeps_sizes && all.said.outcome != Report::AllSizes::Outcome::kRefuted) look_beyond(pair, deadline, all);
  std::string what = Report::name_of(all.said.outcome);
  if (all.said.outcome == Report::AllSizes::Outcome::kProved) what = "proved for every size: " + all.said.holds_for;
  if (!all.said.tried.empty()) what = fmt::format("tried {}: {}", counted(all.said.tried.size(), "further size"), what);
  all.said.seconds = timer.end(what);
  return all;
}

std::string for_which_sizes(const std::string& holds_for) {
  const std::string most = holds_for.substr(holds_for.rfind(' ') + 1);
  const auto is_name = [](const std::string& text) { return text.find_first_of(" +-*/%(),") == std::string::npos; };
  if (most.find_first_not_of("0123456789") == std::string::npos) {
    const std::string multiple = between(holds_for, "", " % "), of = between(holds_for, " % ", " == ");
    if (holds_for == fmt::format("{0} % {1} == 0, {1} <= {0} <= {2}", multiple, of, most))
      return fmt::format("every {} that is a multiple of {}, up to {}", multiple, of, most);
    for (const char* least : {"0", "1"}) {
      const std::string any = between(holds_for, fmt::format("{} <= ", least), " <= ");
      if (is_name(any) && holds_for == fmt::format("{} <= {} <= {}", least, any, most))
        return fmt::format("every {} from {} to {}", any, least, most);
    }
  }
  return holds_for.empty() ? "every launch" : "every size with " + holds_for;
}

std::string other_sizes_text(const Report::AllSizes& all) {
  if (all.outcome == Report::AllSizes::Outcome::kProved) {
    const std::string proved = "proved for " + for_which_sizes(all.holds_for);
    if (!all.counterexample) return proved;
    const auto& at = all.counterexample->sizes;
    return fmt::format("{}, and wrong at {}", proved, sizes_text(Sizes(at.begin(), at.end())));
  }
  const std::string tried = all.tried.empty() ? "" : fmt::format(", of which {} agree", all.tried.size());
  const std::string with = all.divides.empty() ? "" : fmt::format(" with {}, as its launch divides", all.divides);
  return fmt::format("not proved for other sizes{}{}{}", with, tried,
                     all.reason.empty() ? "" : fmt::format(" ({})", all.reason));
}

std::string beyond_text(const Report::AllSizes& all) {
  if (all.outcome != Report::AllSizes::Outcome::kProved || !all.counterexample) return "";
  return all.reason + ", and nothing says that the kernel is not for this size";
}

std::string with_proof(std::string kernel, const AllSizes& all) {
  constexpr std::string_view kPosed = "\n// equal to the spec for every input at ";
  if (all.said.outcome != Report::AllSizes::Outcome::kProved) return kernel;
  const std::size_t posed = kernel.find(kPosed);
  if (posed == std::string::npos) return kernel;
  const std::size_t end = kernel.find('\n', posed + 1) + 1;
  const std::string_view line_end = kernel[end - 2] == '\r' ? "\r\n" : "\n";
  return kernel.insert(end,
                       fmt::format("// equal to the spec for {}{}", for_which_sizes(all.said.holds_for), line_end));
}

}  // namespace swizzle
