// Parse, pose and search of every sketch in a folder, each phase on its own: parse/stencil1d, pose/stencil1d, …
//
//   swizzle_bench                                   the sketches of this repository
//   swizzle_bench --root=DIR                        DIR/sketches/*.cu with DIR/specs/*.cpp
//   swizzle_bench --benchmark_filter=search/        as Google Benchmark has it
//
// A repetition is one run of the phase, and the median of 21 is reported. The search gets a fresh copy of the posed
// problem each time, because it adds to it; copying is not timed.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>

#include <benchmark/benchmark.h>

#include "driver/synthesis.h"

namespace swizzle::bench {
namespace {

constexpr int kRepetitions = 21;

struct Paths {
  std::string name, sketch, spec;
};

std::vector<Paths> paths_under(const std::filesystem::path& root) {
  std::vector<Paths> found;
  for (const auto& entry : std::filesystem::directory_iterator(root / "sketches")) {
    if (entry.path().extension() != ".cu") continue;
    const std::string name = entry.path().stem().string();
    found.push_back({name, entry.path().string(), (root / "specs" / (name + ".cpp")).string()});
  }
  std::sort(found.begin(), found.end(), [](const Paths& a, const Paths& b) { return a.name < b.name; });
  return found;
}

template <typename T>
bool failed(benchmark::State& state, const Result<T>& result) {
  if (!result.ok()) state.SkipWithError(render(result.errors().front()).c_str());
  return !result.ok();
}

bool failed(benchmark::State& state, const OrEnding<PosedPair>& posed) {
  const auto* ending = std::get_if<Ending>(&posed);
  if (ending != nullptr) state.SkipWithError(text_of(*ending, "posing").c_str());
  return ending != nullptr;
}

SynthesisRequest for_sm_90() {
  SynthesisRequest request;
  request.machine = *target_machine("sm_90");
  return request;
}

template <typename Work>
void timed(benchmark::State& state, Work phase) {
  const auto start = std::chrono::steady_clock::now();
  phase();
  state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

void parse(benchmark::State& state, const Paths& paths) {
  for (auto _ : state) {
    Result<Pair> pair = make_error("");
    timed(state, [&] { pair = load_pair({paths.sketch, paths.spec}); });
    if (failed(state, pair)) return;
  }
}

// What is posed to be searched: without the sizes that are checked afterwards.
Result<Pair> load_instances(const Paths& paths) {
  Result<Pair> pair = load_pair({paths.sketch, paths.spec});
  if (pair.ok()) pair->sketch.directives.checks.clear();
  return pair;
}

void pose(benchmark::State& state, const Paths& paths) {
  const Result<Pair> pair = load_instances(paths);
  if (failed(state, pair)) return;
  for (auto _ : state) {
    std::optional<OrEnding<PosedPair>> posed;
    timed(state, [&] { posed.emplace(pose_pair(*pair, for_sm_90())); });
    if (failed(state, *posed)) return;
    const auto& first = std::get<PosedPair>(*posed).assignments.first;
    if (!first) return state.SkipWithError("nothing can be posed");
    state.counters["equations"] = static_cast<double>(first->problem.equations.size());
    state.counters["points"] = static_cast<double>(first->problem.points.size());
  }
}

void search(benchmark::State& state, const Paths& paths) {
  const Result<Pair> pair = load_instances(paths);
  if (failed(state, pair)) return;
  const OrEnding<PosedPair> posed = pose_pair(*pair, for_sm_90());
  if (failed(state, posed)) return;
  for (auto _ : state) {
    PosedPair fresh = std::get<PosedPair>(posed);
    Solution solution;
    timed(state, [&] { solution = swizzle::search(fresh, for_sm_90()).solution; });
    state.counters["nodes"] = static_cast<double>(solution.nodes);
    if (solution.outcome == Outcome::kUnknown) return state.SkipWithError(solution.reason.c_str());
  }
}

void register_phase(const std::string& phase, void (*run)(benchmark::State&, const Paths&), const Paths& paths) {
  benchmark::RegisterBenchmark((phase + "/" + paths.name).c_str(), run, paths)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1)
      ->Repetitions(kRepetitions)
      ->ReportAggregatesOnly();
}

}  // namespace
}  // namespace swizzle::bench

int main(int argc, char** argv) {
  using namespace swizzle::bench;
  constexpr std::string_view kRoot = "--root=";
  std::string root = SWIZZLE_SOURCE_DIR;
  char** const last = std::remove_if(argv + 1, argv + argc, [&](std::string_view argument) {
    if (!argument.starts_with(kRoot)) return false;
    root = argument.substr(kRoot.size());
    return true;
  });
  argc = static_cast<int>(last - argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  if (!std::filesystem::is_directory(root + "/sketches")) {
    std::fprintf(stderr, "%s/sketches: no such folder\n", root.c_str());
    return 1;
  }
  for (const Paths& paths : paths_under(root)) {
    register_phase("parse", parse, paths);
    register_phase("pose", pose, paths);
    register_phase("search", search, paths);
  }
  benchmark::RunSpecifiedBenchmarks();
}
