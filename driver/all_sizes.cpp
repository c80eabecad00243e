#include "driver/all_sizes.h"

#include <algorithm>

#include <fmt/format.h>

#include "synth/proof/further_sizes.h"

namespace swizzle {
namespace {

// What came of one size.
struct Tried {
  bool agrees = false;
  std::optional<Refutation> refuted = {};
  Diagnostics faults = {};  // of the kernel there
  std::string unclear = {};
};

// The spec decides what a size is: where it cannot be executed, there is nothing to refute.
Tried compared_at(const Sizes& sizes, const Program& kernel, const Program& spec, const Deadline& deadline) {
  auto expected = expect(kernel, spec, sizes, deadline);
  if (!expected.ok()) return {.unclear = "the spec has no such size"};
  const auto refuted = refute(kernel, std::move(*expected));
  if (!refuted.ok()) {
    const Diagnostic& first = refuted.errors().front();
    if (!first.breaks_rule) return {.unclear = first.message};
    return {.refuted = Refutation{first.message}, .faults = refuted.errors()};
  }
  if (refuted->text.empty()) return {.agrees = true};
  if (refuted->doubt) return {.unclear = "values that are compared as opaque functions"};
  return {.refuted = *refuted};
}

Report::Counterexample counterexample_of(const Sizes& sizes, const Refutation& refuted, const Program& kernel) {
  Report::Counterexample example{{sizes.begin(), sizes.end()}, {}, {}, refuted.output};
  const auto shape = evaluate(*kernel.directives.launch, sizes, kernel.source);
  if (!refuted.thread || !shape.ok()) return example;
  example.block = *refuted.thread / shape->threads_per_block();
  example.thread = *refuted.thread % shape->threads_per_block();
  return example;
}

AllSizes refuted_at(const Sizes& sizes, Tried tried, const Program& kernel) {
  AllSizes all;
  all.said.outcome = Report::AllSizes::Outcome::kRefuted;
  all.said.reason = fmt::format("at {}, which is none of the sizes given, {}", sizes_text(sizes), tried.refuted->text);
  all.said.counterexample = counterexample_of(sizes, *tried.refuted, kernel);
  Diagnostic note = make_error("a kernel that is not for this size says so: '#pragma swizzle assume …'");
  note.severity = Severity::kNote;
  tried.faults.push_back(std::move(note));
  all.ending = failed_verification(all.said.reason, std::move(tried.faults));
  return all;
}

// Half of what the given sizes took, and a little for small ones; `all` asks for much more.
std::int64_t threads_to_try(const Program& kernel, const std::vector<Sizes>& known, Proof proof) {
  std::int64_t threads = 0;
  for (const Sizes& sizes : known) threads += threads_at(kernel, sizes);
  return proof == Proof::kAll ? 16 * threads + 16384 : threads / 2 + 768;
}

AllSizes swept(const Program& kernel, const Program& spec, const std::vector<Sizes>& known, Proof proof) {
  AllSizes all;
  const auto admissible = AdmissibleSizes::of(kernel, known);
  if (!admissible.ok()) {
    all.said.reason = admissible.errors().front().message;
    return all;
  }
  const Deadline deadline = proof == Proof::kAuto ? Deadline(2) : Deadline();
  std::string unclear;
  for (const Sizes& sizes : further_sizes(*admissible, kernel, known, threads_to_try(kernel, known, proof))) {
    if (deadline.passed()) break;
    Tried tried = compared_at(sizes, kernel, spec, deadline);
    if (tried.refuted) return refuted_at(sizes, std::move(tried), kernel);
    if (tried.agrees) all.said.tried.push_back(sizes_text(sizes));
    else if (unclear.empty()) unclear = fmt::format("; at {}: {}", sizes_text(sizes), tried.unclear);
  }
  all.said.reason = "sizes are tried one by one" + unclear;
  return all;
}

}  // namespace

AllSizes judge_all_sizes(const RereadKernel& reread, const Program& spec, Proof proof, Observer& observer) {
  PhaseTimer timer(Phase::kProve, observer);
  std::vector<Sizes> known;
  for (const Posed& posed : reread.posed) known.push_back(posed.sizes);
  AllSizes all = swept(*reread.kernel, spec, known, proof);
  const std::string what =
      fmt::format("tried {}: {}", counted(all.said.tried.size(), "further size"), Report::name_of(all.said.outcome));
  all.said.seconds = timer.end(what);
  return all;
}

}  // namespace swizzle
