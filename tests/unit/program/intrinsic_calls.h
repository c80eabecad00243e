// The functions of emulation/intrinsic_table.inc, calls of them, and what kernels that call them come to.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "frontend/parse_check.h"
#include "synth/access/access_trace.h"
#include "synth/execution/execute.h"
#include "synth/program/intrinsics.h"

namespace swizzle {

using Integers = std::vector<std::int64_t>;
inline constexpr unsigned kEveryLane = 0xffffffffu;

// A function that device code may call, and the types of its parameters.
struct Declared {
  std::string name;
  Intrinsic kind;
  std::string parameters;
};

inline const std::vector<Declared> kDeclared = {
#define SWIZZLE_SHUFFLE(kind, name, Operand, source) {#name, Intrinsic::kind, "(unsigned, float, " #Operand ", int)"},
#define SWIZZLE_VOTE(kind, result, name, outcome) {#name, Intrinsic::kind, "(unsigned, int)"},
#define SWIZZLE_REDUCTION(kind, type, name, combined) {#name, Intrinsic::kind, "(unsigned, " #type ")"},
#define SWIZZLE_WORD_FUNCTION(kind, result, name, parameters, value) {#name, Intrinsic::kind, #parameters},
#define SWIZZLE_OPAQUE_FUNCTION(kind, result, name, parameters, value) {#name, Intrinsic::kind, #parameters},
#define SWIZZLE_DECLARED(kind, result, name, parameters) {#name, Intrinsic::kind, #parameters},
#include "emulation/intrinsic_table.inc"
};

// The types in "(unsigned x, long long = 7, const char*, ...)": unsigned, long long, const char*, ....
inline std::vector<std::string> types_in(const std::string& parameters) {
  std::vector<std::string> types;
  std::istringstream list(parameters.substr(1, parameters.size() - 2));
  for (std::string parameter; std::getline(list, parameter, ',');) {
    std::istringstream words(parameter);
    std::string type;
    for (std::string word; words >> word && word != "=";)
      if (std::set<std::string>{"const", "unsigned", "long", "int", "float", "double", "T", "T*", "char*",
                                "decltype(T())", "..."}
              .contains(word))
        type += (type.empty() ? "" : " ") + word;
    types.push_back(type);
  }
  return types;
}

// A call with these arguments, or with small ones.
inline std::string call_of(const std::string& name, const std::string& parameters, const Integers& given = {}) {
  std::string arguments;
  std::size_t index = 0;
  for (const std::string& type : types_in(parameters)) {
    if (type == "...") continue;
    const std::string value =
        type == "const T*"                       ? "x"
        : type == "T*"                           ? "y"
        : type == "decltype(T())" || type == "T" ? "1"
        : type == "const char*"
            ? "\"\""
            : fmt::format("({}){:#x}ull", type, given.empty() ? 1 : static_cast<std::uint64_t>(given[index++]));
    arguments += (arguments.empty() ? "" : ", ") + value;
  }
  return name + "(" + arguments + ")";
}

inline std::string kernel(const std::string& body) {
  return "__global__ void f(const int* x, long long* y) {\n  int t = threadIdx.x;\n" + body + "}\n";
}

// What threads leave in y[0], y[1], …; nothing where that is not known.
inline std::map<std::int64_t, std::int64_t> executed(const std::string& body, int threads) {
  const Result<Program> program = parse_kernel(SourceText("a.cu", kernel(body)), "");
  EXPECT_TRUE(program.ok()) << render(program.errors()[0]);
  if (!program.ok()) return {};
  Provenance provenance;
  PointTable points;
  Execution execution;
  execution.shape = LaunchShape{{1, 1, 1}, {threads, 1, 1}};
  execution.extents = std::vector<std::int64_t>{64, 4096};
  execution.step_limit = 10'000'000;
  const Result<Trace> trace = execute(*program, execution, provenance, points);
  EXPECT_TRUE(trace.ok()) << render(trace.errors()[0]);
  std::map<std::int64_t, std::int64_t> values;
  if (!trace.ok()) return values;
  for (const auto& [slot, cell] : trace->cells[1])
    if (cell.value.is_int()) values[slot] = cell.value.bits;
  return values;
}

// How many accesses the access tracer sees: a store that nobody reaches is none, one that somebody perhaps reaches is.
inline std::size_t accesses_traced(const std::string& body, int threads) {
  const auto kernels = parse_for_check(SourceText("a.cu", kernel(body)), "");
  EXPECT_TRUE(kernels.ok());
  if (!kernels.ok()) return 0;
  TraceOptions options;
  options.shape.block = {threads, 1, 1};
  options.step_limit = 10'000'000;
  return trace_accesses(kernels->kernels[0].program, options).sites.size();
}

}  // namespace swizzle
