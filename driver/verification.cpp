#include "driver/verification.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "synth/problem/bit_equations.h"
#include "synth/problem/element_ranges.h"
#include "synth/problem/opaque_words.h"

namespace swizzle {
namespace {

std::string thread_text(const Report::Counterexample& example) {
  if (!example.thread) return "";
  const std::string block = example.block ? fmt::format(" of block {}", *example.block) : "";
  return fmt::format(", stored by thread {}{}", *example.thread, block);
}

Ending unexecuted(const Diagnostics& errors, const Sizes& sizes) {
  if (errors.front().is_too_long)
    return too_long(fmt::format("executing it at {} takes too long", sizes_text(sizes)), errors);
  if (!errors.front().breaks_rule) return bad_input(errors);
  return failed_verification(fmt::format("at {}, {}", sizes_text(sizes), errors.front().message), errors);
}

// Where operations on words are told apart by their bits alone, which `followed` does; nothing: no more is known then.
std::optional<Refutation> refuted_by_bits(const Program& followed, const Program& spec, const Sizes& sizes,
                                          const Deadline& deadline) {
  auto expected = expect(followed, spec, sizes, deadline);
  if (!expected.ok()) return std::nullopt;
  auto refuted = refute(followed, std::move(*expected), deadline);
  return refuted.ok() && !refuted->doubt ? std::optional(std::move(*refuted)) : std::nullopt;
}

// What comes of one size; nothing: equal there.
std::optional<Ending> compared_with_spec(const Pair& pair, const Sizes& sizes, const Deadline& deadline,
                                         ExecutedKernel& out) {
  auto expected = expect(pair.sketch, pair.spec, sizes, deadline);
  if (!expected.ok()) {
    if (deadline.passed()) return unknown(UnknownReason::kTimeOfPosing);
    return expected.errors().front().is_too_long ? unexecuted(expected.errors(), sizes) : bad_input(expected.errors());
  }
  out.kernel.posed.push_back(expected->posed);
  auto refuted = refute(pair.sketch, std::move(*expected), deadline, &out.kernel.posed.back().dynamic_shared_bytes);
  if (!refuted.ok()) {
    if (deadline.passed()) return unknown(UnknownReason::kTimeOfPosing);
    return unexecuted(refuted.errors(), sizes);
  }
  if (const auto followed = refuted->doubt ? with_bits_followed(pair.sketch) : std::nullopt)
    if (auto by_bits = refuted_by_bits(*followed, pair.spec, sizes, deadline)) {
      refuted = *std::move(by_bits);
      out.kernel.kernel = *followed;
    }
  if (refuted->text.empty()) return std::nullopt;
  if (refuted->doubt)
    return Ending{Ending::Kind::kUnknown,
                  fmt::format("at {}, {}, and nothing tells whether they differ: {}", sizes_text(sizes), refuted->text,
                              told(*refuted->doubt, pair.sketch, pair.spec)),
                  {}};
  out.counterexample = counterexample_of(sizes, *refuted, pair.sketch);
  return failed_verification(
      fmt::format("at {}, {}{}", sizes_text(sizes), refuted->text, thread_text(*out.counterexample)));
}

}  // namespace

ExecutedKernel execute_at_sizes(const Pair& pair, const PairSizes& sizes, const Deadline& deadline,
                                Observer& observer) {
  ExecutedKernel out;
  if (!pair.sketch.holes.empty()) {
    out.kernel.ending =
        bad_input({make_error(pair.sketch.source, pair.sketch.holes[0].range,
                              "a kernel that is verified has no holes; without 'verify' it is completed")});
    return out;
  }
  PhaseTimer timer(Phase::kReread, observer);
  for (const auto* given : {&sizes.instances, &sizes.checks})
    for (const Sizes& at : *given) {
      out.kernel.ending = compared_with_spec(pair, at, deadline, out);
      if (out.kernel.ending) return out;
      out.kernel.at.push_back(sizes_text(at));
    }
  if (!out.kernel.kernel) out.kernel.kernel = pair.sketch;
  out.kernel.seconds = timer.end(fmt::format("executed at {}", counted(out.kernel.at.size(), "size")));
  return out;
}

bool take_longer_buffer(Pair& pair, const ExecutedKernel& executed) {
  if (!executed.kernel.ending || executed.kernel.ending->diagnostics.empty()) return false;
  const auto& longer = executed.kernel.ending->diagnostics.front().longer;
  if (!longer) return false;
  Extent extent{longer->buffer, {longer->elements, {}}, {}, {}, true};
  pair.sketch.directives.extents.push_back(std::move(extent));
  return true;
}

EmittedKernel as_it_is(const Pair& pair, const RereadKernel& kernel) {
  return {preamble(pair.sketch.flags) + pair.sketch.source.text(), kernel.posed, 0};
}

std::string equal_text(const std::string& kernel_path, const RereadKernel& kernel, const AllSizes* all,
                       const KernelRun& run, double seconds) {
  std::vector<std::string> parts = {
      fmt::format("{}: equal to the spec for every input at {}", kernel_path, fmt::join(kernel.at, "; "))};
  if (all != nullptr) parts.push_back(other_sizes_text(all->said));
  for (const std::string& range : range_texts(*kernel.kernel)) parts.push_back(range);
  for (const Extent& extent : kernel.kernel->directives.extents)
    if (extent.is_assumed)
      parts.push_back(fmt::format("taking {} to have {} elements", extent.buffer, extent.elements.text));
  if (!run.summary.empty()) parts.push_back(run.summary);
  return fmt::format("{}; {:.3f} s\n", fmt::join(parts, "; "), seconds);
}

}  // namespace swizzle
