#include "driver/sources.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "driver/lossy_conversions.h"
#include "frontend/directive_parser.h"
#include "frontend/parse.h"
#include "synth/problem/pose.h"

namespace swizzle {

Result<Pair> load_pair(const PairRequest& request, Observer& observer) {
  PhaseTimer timer(Phase::kParse, observer);
  auto sketch_text = read_source(request.sketch_path);
  if (!sketch_text.ok()) return sketch_text.errors();
  auto spec_text = read_source(request.spec_path);
  if (!spec_text.ok()) return spec_text.errors();
  auto sketch = parse_kernel(std::move(*sketch_text), request.kernel, ".", request.flags);
  if (!sketch.ok()) return sketch.errors();
  if (const auto used = use_machine(request.machine, sketch->source, sketch->directives); !used.ok())
    return used.errors();
  if (request.is_drawn && !has_shared_memory(*sketch))
    return make_error("there is no shared memory to draw in this sketch");
  const std::string name = sketch->function(sketch->entry).name;
  auto spec = parse_spec(std::move(*spec_text), name, request.flags);
  if (!spec.ok()) return spec.errors();
  if (const auto matched = match_signatures(*sketch, *spec); !matched.ok()) return matched.errors();
  for (const Program* program : {&*sketch, &*spec})
    for (const Diagnostic& warning : lossy_conversions(*program)) observer.tell(warning);
  const double seconds = timer.end(fmt::format("parsed {}: {}", name, counted(sketch->holes.size(), "hole")));
  return Pair{std::move(*sketch), std::move(*spec), seconds};
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

Result<PairSizes> sizes_of(const Pair& pair, const Sizes& set) {
  auto instances = instances_of(pair.sketch, set);
  if (!instances.ok()) return instances.errors();
  auto checks = checks_of(pair.sketch, set);
  if (!checks.ok()) return checks.errors();
  if (instances->empty()) instances->push_back(set);
  if (!set.empty())
    std::erase_if(*checks, [&](const Sizes& s) {
      return std::find(instances->begin(), instances->end(), s) != instances->end();
    });
  for (const auto* given : {&*instances, &*checks})
    if (auto broken = broken_assumption(pair.sketch, *given)) return *broken;
  return PairSizes{std::move(*instances), std::move(*checks)};
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
