#include "driver/sources.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "driver/chosen_sizes.h"
#include "driver/lossy_conversions.h"
#include "frontend/directive_parser.h"
#include "frontend/narrow_storage.h"
#include "frontend/parse.h"
#include "synth/problem/bit_equations.h"
#include "synth/problem/computed_sizes.h"
#include "synth/problem/launched_sizes.h"
#include "synth/problem/pose.h"

namespace swizzle {

namespace {

struct Sources {
  SourceText sketch, spec;
  std::vector<TuneHole> tunes;
};

Result<Sources> read_sources(const PairRequest& request) {
  auto sketch = request.sketch_text ? Result<SourceText>(*request.sketch_text) : read_source(request.sketch_path);
  if (!sketch.ok()) return sketch.errors();
  auto tunes = tunes_in(*sketch);
  if (!tunes.ok()) return tunes.errors();
  auto spec = request.spec_text ? Result<SourceText>(*request.spec_text) : read_source(request.spec_path);
  if (!spec.ok()) return spec.errors();
  return Sources{std::move(*sketch), std::move(*spec), std::move(*tunes)};
}

Result<Pair> parse_pair(const PairRequest& request, const Sources& sources, const TuneChoice& choice) {
  auto sketch = parse_kernel(with_choice(sources.sketch, sources.tunes, choice), request.kernel, ".", request.flags);
  if (!sketch.ok()) return sketch.errors();
  if (const auto used = use_machine(request.machine, sketch->source, sketch->directives); !used.ok())
    return used.errors();
  auto spec = parse_spec(sources.spec, sketch->function(sketch->entry).name, request.flags, request.spec_function);
  if (!spec.ok()) return spec.errors();
  fit_to_spec(*sketch, *spec);
  keep_narrow_as(*spec, *sketch);
  if (const auto matched = match_signatures(*sketch, *spec); !matched.ok()) return matched.errors();
  const bool is_of_host_code = !sketch->host_code.empty();
  Sizes fixed = is_of_host_code ? fix_launched_sizes(*sketch, request.set) : Sizes();
  if (auto unknown = is_of_host_code ? unknown_launched_size(*sketch) : std::nullopt) return *std::move(unknown);
  return Pair{std::move(*sketch), std::move(*spec), 0, sources.tunes, choice, sources.sketch, std::move(fixed)};
}

}  // namespace

Result<Pair> load_pair(const PairRequest& request, Observer& observer) {
  PhaseTimer timer(Phase::kParse, observer);
  const auto sources = read_sources(request);
  if (!sources.ok()) return sources.errors();
  const auto choices = request.tuned.empty() ? choices_of(sources->sketch, sources->tunes)
                                             : Result<std::vector<TuneChoice>>(std::vector<TuneChoice>{request.tuned});
  if (!choices.ok()) return choices.errors();
  auto pair = parse_pair(request, *sources, choices->front());
  for (std::size_t i = 1; i < choices->size() && !pair.ok(); ++i)
    if (auto other = parse_pair(request, *sources, (*choices)[i]); other.ok()) pair = std::move(other);
  if (!pair.ok()) return pair.errors();
  for (const auto& [program, other] : {std::pair(&pair->sketch, &pair->spec), {&pair->spec, &pair->sketch}})
    for (const Diagnostic& warning : lossy_conversions(*program, other)) observer.tell(warning);
  const Program& sketch = pair->sketch;
  for (const Diagnostic& warning : sketch.directives.doubts) observer.tell(warning);
  for (const auto& [name, value] : pair->fixed)
    if (!request.set.contains(name))
      observer.tell(make_note(sketch.source, sketch.directives.launch->range,
                              fmt::format("'{0}' is taken to be {1}; --set {0}=… says otherwise", name, value)));
  pair->parse_seconds =
      timer.end(fmt::format("parsed {}: {}", sketch.function(sketch.entry).name, counted(sketch.holes.size(), "hole")));
  return pair;
}

namespace {

// The sizes that are given are sizes that the kernel is for.
std::optional<Diagnostics> broken_assumption(const Program& sketch, const std::vector<Sizes>& given) {
  for (const Assumption& assumption : sketch.directives.assumptions)
    for (const Sizes& sizes : given) {
      const auto is = holds(assumption, sizes, sketch.source);
      if (!is.ok()) return is.errors();
      if (!*is)
        return Diagnostics{
            make_error(sketch.source, {assumption.left.range.begin, assumption.right.range.end},
                       fmt::format("this does not hold at {}, which is one of the sizes given", sizes_text(sizes)))};
    }
  return std::nullopt;
}

}  // namespace

Result<PairSizes> sizes_of(const Pair& pair, const Sizes& given, OpenSizes open) {
  Sizes set = given;
  for (const auto& [name, value] : pair.fixed) set.erase(name);
  auto instances = instances_of(pair.sketch, set);
  if (!instances.ok()) return instances.errors();
  auto checks = checks_of(pair.sketch, set);
  if (!checks.ok()) return checks.errors();
  if (instances->empty()) instances->push_back(set);
  if (!set.empty())
    std::erase_if(*checks, [&](const Sizes& s) {
      return std::find(instances->begin(), instances->end(), s) != instances->end();
    });
  std::set<std::string> chosen;
  const ChosenElements elements =
      open == OpenSizes::kFewChosen ? ChosenElements::kFew : ChosenElements::kMoreThanThreads;
  if (open != OpenSizes::kMissing)
    for (auto* all : {&*instances, &*checks})
      for (Sizes& sizes : *all) {
        const Sizes told = std::exchange(sizes, with_chosen_sizes(pair.sketch, sizes, elements));
        for (const auto& [name, value] : sizes)
          if (!told.contains(name)) chosen.insert(name);
      }
  for (const auto* sizes : {&*instances, &*checks})
    if (auto broken = broken_assumption(pair.sketch, *sizes)) return *broken;
  return PairSizes{std::move(*instances), std::move(*checks), std::move(chosen)};
}

void fit_to_spec(Program& kernel, const Program& spec) {
  compute_sizes(kernel, spec);
  take_launched_sizes(kernel, spec);
  keep_narrow_as(kernel, spec);
}

std::optional<Pair> with_bits_followed(const Pair& pair) {
  auto sketch = with_bits_followed(pair.sketch);
  return sketch ? std::optional(Pair{std::move(*sketch), pair.spec, pair.parse_seconds}) : std::nullopt;
}

bool has_shared_memory(const Program& kernel) {
  return std::any_of(kernel.variables.begin(), kernel.variables.end(), [](const Variable& v) { return v.is_shared; });
}

std::vector<std::string> headers_of(const Pair& pair) {
  std::set<std::string> all;
  for (const Program* program : {&pair.sketch, &pair.spec})
    for (const std::string& header : program->headers)
      all.insert(std::filesystem::path(header).lexically_normal().string());
  return {all.begin(), all.end()};
}

std::string machine_name(const Pair& pair) { return memory_of(pair.sketch).name; }

}  // namespace swizzle
