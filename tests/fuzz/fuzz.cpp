// fuzz --count N [--seed S] [--first I] [--jobs J] [--stop-after T] [--keep FOLDER] ROOT: mutated sketches, specs and
// `check` inputs. Findings are a signal, exit code 3, a run beyond its limit, and exit code 1 without a location.
//
//   fuzz --count 1000 --seed 7 .
//   input 412: no location: sketches/reverse.cu mutated        …/412.cu and 412.cpp are kept
//   1000 inputs, 1 findings
#include <chrono>
#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "tests/fuzz/inputs.h"
#include "tests/fuzz/workers.h"

int main(int argc, char** argv) {
  using namespace swizzle::fuzz;
  Plan plan;
  std::uint64_t seed = 1;
  std::string root = ".";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--count" && has_value) plan.count = std::stoull(argv[++i]);
    else if (word == "--seed" && has_value) seed = std::stoull(argv[++i]);
    else if (word == "--first" && has_value) plan.first = std::stoull(argv[++i]);
    else if (word == "--jobs" && has_value) plan.jobs = std::stoi(argv[++i]);
    else if (word == "--stop-after" && has_value) plan.stop_after = std::stod(argv[++i]);
    else if (word == "--keep" && has_value) plan.keep = argv[++i];
    else root = word;
  }
  const Inputs inputs(root, seed);
  if (inputs.empty()) return fmt::print("no sketches in '{}'\n", root), 2;
  const auto began = std::chrono::steady_clock::now();
  const Tried tried = Workers(inputs, plan).run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  fmt::print("{} inputs, {} findings; {:.0f} a second\n", tried.inputs, tried.findings,
             static_cast<double>(tried.inputs) / seconds.count());
  return tried.findings == 0 && tried.inputs > 0 ? 0 : 1;
}
