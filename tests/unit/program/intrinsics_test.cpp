// Every line of emulation/intrinsic_table.inc, so that a new one is tested as it is written: it is declared, parsed,
// and means the same to the interpreter, to the access tracer and to the emulation.
#include "synth/program/intrinsics.h"

#include <functional>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emulation/warp_emulation.h"
#include "frontend/parse.h"
#include "frontend/parse_check.h"
#include "synth/access/access_trace.h"
#include "synth/execution/execute.h"

namespace swizzle {
namespace {

using Integers = std::vector<std::int64_t>;
constexpr unsigned kEveryLane = 0xffffffffu;

// A function that device code may call, and the types of its parameters.
struct Declared {
  std::string name;
  Intrinsic kind;
  std::string parameters;
};

const std::vector<Declared> kDeclared = {
#define SWIZZLE_SHUFFLE(kind, name, Operand, source) {#name, Intrinsic::kind, "(unsigned, float, " #Operand ", int)"},
#define SWIZZLE_VOTE(kind, result, name, outcome) {#name, Intrinsic::kind, "(unsigned, int)"},
#define SWIZZLE_REDUCTION(kind, type, name, combined) {#name, Intrinsic::kind, "(unsigned, " #type ")"},
#define SWIZZLE_WORD_FUNCTION(kind, result, name, parameters, value) {#name, Intrinsic::kind, #parameters},
#define SWIZZLE_OPAQUE_FUNCTION(kind, result, name, parameters, value) {#name, Intrinsic::kind, #parameters},
#define SWIZZLE_DECLARED(kind, result, name, parameters) {#name, Intrinsic::kind, #parameters},
#include "emulation/intrinsic_table.inc"
};

const std::vector<std::pair<std::string, Intrinsic>> kNamed = {
#define SWIZZLE_NAMED(kind, name) {#name, Intrinsic::kind},
#include "emulation/intrinsic_table.inc"
};

const std::vector<std::pair<std::string, Intrinsic>> kNamedInSpecs = {
#define SWIZZLE_NAMED_IN_SPECS(kind, name) {#name, Intrinsic::kind},
#include "emulation/intrinsic_table.inc"
};

// The types in "(unsigned x, long long = 7, const char*, ...)": unsigned, long long, const char*, ....
std::vector<std::string> types_in(const std::string& parameters) {
  std::vector<std::string> types;
  std::istringstream list(parameters.substr(1, parameters.size() - 2));
  for (std::string parameter; std::getline(list, parameter, ',');) {
    std::istringstream words(parameter);
    std::string type;
    for (std::string word; words >> word && word != "=";)
      if (std::set<std::string>{"const", "unsigned", "long", "int", "float", "double", "T*", "char*", "..."}.contains(
              word))
        type += (type.empty() ? "" : " ") + word;
    types.push_back(type);
  }
  return types;
}

// A call with these arguments, or with small ones.
std::string call_of(const std::string& name, const std::string& parameters, const Integers& given = {}) {
  std::string arguments;
  std::size_t index = 0;
  for (const std::string& type : types_in(parameters)) {
    if (type == "...") continue;
    const std::string value =
        type == "const T*" ? "x"
        : type == "const char*"
            ? "\"\""
            : fmt::format("({}){:#x}ull", type, given.empty() ? 1 : static_cast<std::uint64_t>(given[index++]));
    arguments += (arguments.empty() ? "" : ", ") + value;
  }
  return name + "(" + arguments + ")";
}

std::string kernel(const std::string& body) {
  return "__global__ void f(const int* x, long long* y) {\n  int t = threadIdx.x;\n" + body + "}\n";
}

// What threads leave in y[0], y[1], …; nothing where that is not known.
std::map<std::int64_t, std::int64_t> executed(const std::string& body, int threads) {
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
std::size_t accesses_traced(const std::string& body, int threads) {
  const auto kernels = parse_for_check(SourceText("a.cu", kernel(body)), "");
  EXPECT_TRUE(kernels.ok());
  if (!kernels.ok()) return 0;
  TraceOptions options;
  options.shape.block = {threads, 1, 1};
  options.step_limit = 10'000'000;
  return trace_accesses(kernels->kernels[0].program, options).sites.size();
}

// Each call must be of its kind in the program, unless nothing remains of it.
void expect_kinds(const Program& program, const std::vector<std::string>& calls,
                  const std::vector<Declared>& functions) {
  std::map<std::string, std::set<Intrinsic>> kinds;
  for (const Expr& e : program.exprs)
    if (e.kind == ExprKind::kIntrinsic) kinds[std::string(program.source.slice(e.range))].insert(e.intrinsic);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const bool remains = lane_behavior(functions[i].kind) != LaneBehavior::kNoEffect;
    EXPECT_EQ(kinds[calls[i]], remains ? std::set{functions[i].kind} : std::set<Intrinsic>{}) << calls[i];
  }
}

TEST(Intrinsics, EachFunctionIsDeclaredAndParsedAsItsKind) {
  std::vector<std::string> calls;
  std::string body;
  for (const Declared& f : kDeclared) {
    calls.push_back(call_of(f.name, f.parameters));
    body += "  " + calls.back() + ";\n";
  }
  ASSERT_GT(calls.size(), 80u);
  const Result<Program> sketch = parse_kernel(SourceText("a.cu", kernel(body)), "");
  ASSERT_TRUE(sketch.ok()) << render(sketch.errors()[0]);
  expect_kinds(*sketch, calls, kDeclared);
}

TEST(Intrinsics, EachNameHasOneKind) {
  std::map<std::string, std::set<Intrinsic>> kinds;
  for (const Declared& f : kDeclared) kinds[f.name].insert(f.kind);
  for (const auto& [name, kind] : kNamed) EXPECT_TRUE(kinds[name].insert(kind).second) << name;
  for (const auto& [name, of_name] : kinds) {
    EXPECT_EQ(of_name.size(), 1u) << name;
    EXPECT_EQ(intrinsic_named(name), *of_name.begin()) << name;
    EXPECT_EQ(spec_intrinsic_named(name), std::nullopt) << name;
  }
  EXPECT_EQ(intrinsic_named("__match_any_sync"), std::nullopt);
}

TEST(Intrinsics, SpecsHaveTheCompilersNames) {
  std::vector<Declared> functions;
  std::vector<std::string> calls;
  std::string body;
  for (const auto& [name, kind] : kNamedInSpecs) {
    EXPECT_EQ(spec_intrinsic_named(name), kind) << name;
    EXPECT_EQ(intrinsic_named(name), std::nullopt) << name;
    functions.push_back({name, kind, "(int)"});
    calls.push_back(name + "(x[0])");
    body += "  y[0] = " + calls.back() + ";\n";
  }
  const Result<Program> spec = parse_spec(SourceText("a.cpp", "void f(const int* x, int* y) {\n" + body + "}\n"), "f");
  ASSERT_TRUE(spec.ok()) << render(spec.errors()[0]);
  expect_kinds(*spec, calls, functions);
}

// A function of integers as the emulation has it.
struct WordFunction {
  std::string name;
  Intrinsic kind;
  std::string parameters;
  Scalar first;
  std::function<std::int64_t(const Integers&)> apply;
};

template <typename T>
constexpr Scalar kScalarOf = sizeof(T) == 8        ? (std::is_signed_v<T> ? Scalar::kI64 : Scalar::kU64)
                             : std::is_signed_v<T> ? Scalar::kI32
                                                   : Scalar::kU32;

template <typename R, typename... A>
WordFunction word_function(const std::string& name, Intrinsic kind, const std::string& parameters,
                           R (*function)(A...)) {
  const auto apply = [function]<std::size_t... kIndex>(const Integers& v, std::index_sequence<kIndex...>) {
    return static_cast<std::int64_t>(function(static_cast<A>(v[kIndex])...));
  };
  return {name, kind, parameters, kScalarOf<std::tuple_element_t<0, std::tuple<A...>>>,
          [apply](const Integers& v) { return apply(v, std::index_sequence_for<A...>()); }};
}

const std::vector<WordFunction> kWordFunctions = {
#define SWIZZLE_WORD_FUNCTION(kind, result, name, parameters, value) \
  word_function(#name, Intrinsic::kind, #parameters, static_cast<result(*) parameters>(&::name)),
#include "emulation/intrinsic_table.inc"
};

std::vector<Integers> samples(const WordFunction& f, std::size_t count) {
  std::mt19937_64 random(20190413);
  std::vector<Integers> all;
  for (std::size_t i = 0; i < count; ++i) {
    Integers v;
    for (std::size_t k = 0; k < types_in(f.parameters).size(); ++k)
      v.push_back(wrap(f.first, i == 0 ? 0 : i == 1 ? -1 : static_cast<std::int64_t>(random() >> (random() % 64))));
    all.push_back(v);
  }
  return all;
}

TEST(Intrinsics, WordFunctionsAreEvaluatedAsTheEmulationComputesThem) {
  for (const WordFunction& f : kWordFunctions)
    for (const Integers& v : samples(f, 1000))
      ASSERT_EQ(evaluate(f.kind, f.first, v), f.apply(v)) << f.name << " of " << v[0];
}

TEST(Intrinsics, WordFunctionsOfKnownIntegersAreExecutedAndTraced) {
  std::string stores, branches;
  Integers expected;
  for (const WordFunction& f : kWordFunctions)
    for (const Integers& v : samples(f, 8)) {
      const std::string call = call_of(f.name, f.parameters, v);
      stores += fmt::format("  y[{}] = (long long){};\n", expected.size(), call);
      expected.push_back(f.apply(v));
      branches += fmt::format("  if ((long long){} != (long long){:#x}ull) y[0] = 1;\n", call,
                              static_cast<std::uint64_t>(expected.back()));
    }
  auto values = executed(stores, 1);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(values.contains(static_cast<std::int64_t>(i)) && values[static_cast<std::int64_t>(i)] == expected[i])
        << "y[" << i << "]";
  EXPECT_EQ(accesses_traced(branches, 1), 0u);
  EXPECT_EQ(accesses_traced("  if (__popc(7) == 3) y[0] = 1;\n", 1), 1u);
}

// The intrinsics that the search only compares have no value there.
TEST(Intrinsics, OnlyWordFunctionsMinimumMaximumAndMagnitudeHaveValues) {
  for (const Declared& f : kDeclared) {
    const LaneBehavior behavior = lane_behavior(f.kind);
    const bool has_value =
        behavior == LaneBehavior::kOfWords || (behavior == LaneBehavior::kAlgebraic && f.kind != Intrinsic::kFma);
    const auto width =
        types_in(f.parameters).empty() || types_in(f.parameters)[0].find("long long") == std::string::npos
            ? Scalar::kU32
            : Scalar::kU64;
    EXPECT_EQ(evaluate(f.kind, width, {1, 2, 3}).has_value(), has_value) << f.name;
    EXPECT_EQ(evaluate(f.kind, Scalar::kF32, {1, 2, 3}), std::nullopt) << f.name;
  }
}

TEST(Intrinsics, DotProductsAreThoseOfTheType) {
  EXPECT_EQ(evaluate(Intrinsic::kDp4a, Scalar::kI32, {0x01ff0000, 0x02030000, 10}), 10 + 2 - 3);
  EXPECT_EQ(evaluate(Intrinsic::kDp4a, Scalar::kU32, {0x01ff0000, 0x02030000, 10}), 10 + 2 + 255 * 3);
  EXPECT_EQ(evaluate(Intrinsic::kDp2aLo, Scalar::kI32, {0x0002ffff, 0x01020304, 0}), -4 + 2 * 3);
  EXPECT_EQ(evaluate(Intrinsic::kDp2aHi, Scalar::kU32, {0x00020001, 0x01020304, 0}), 2 + 2);
}

TEST(Intrinsics, ExtremaAreThoseOfTheType) {
  EXPECT_EQ(evaluate(Intrinsic::kMin, Scalar::kI32, {-1, 2}), -1);
  EXPECT_EQ(evaluate(Intrinsic::kMin, Scalar::kU32, {0xffffffff, 2}), 2);
  EXPECT_EQ(evaluate(Intrinsic::kMax, Scalar::kI64, {-1, 2}), 2);
  EXPECT_EQ(evaluate(Intrinsic::kMax, Scalar::kU64, {-1, 2}), -1);  // the bits of the largest
  EXPECT_EQ(evaluate(Intrinsic::kAbs, Scalar::kI32, {-7}), 7);
  EXPECT_EQ(evaluate(Intrinsic::kAbs, Scalar::kI32, {INT32_MIN}), INT32_MIN);
}

struct Vote {
  std::string name;
  Intrinsic kind;
  std::int64_t (*call)(unsigned mask, int predicate);
};

const std::vector<Vote> kVotes = {
#define SWIZZLE_VOTE(kind, result, name, outcome) \
  {#name, Intrinsic::kind,                        \
   [](unsigned mask, int predicate) { return static_cast<std::int64_t>(::name(mask, predicate)); }},
#include "emulation/intrinsic_table.inc"
};

TEST(Intrinsics, VotesTellWhatTheEmulationHears) {
  std::mt19937 random(7);
  for (const Vote& vote : kVotes)
    for (int i = 0; i < 100; ++i) {
      const unsigned yes = i == 0 ? 0 : i == 1 ? kEveryLane : random(), mask = i < 4 ? kEveryLane : random() | 1u;
      std::vector<std::int64_t> heard(32, -1);
      swizzle_emulation::launch({1}, {32}, [&] {
        if (mask >> threadIdx.x & 1u) heard[threadIdx.x] = vote.call(mask, yes >> threadIdx.x & 1u);
      });
      for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1u) {
          ASSERT_EQ(heard[lane], outcome(vote.kind, yes & mask, mask))
              << vote.name << " of " << yes << " among " << mask;
        }
    }
}

TEST(Intrinsics, VotesOnIndicesAreExecutedAndTraced) {
  std::string stores, branches;
  Integers expected;
  for (const Vote& vote : kVotes)
    for (const unsigned yes : {0u, 1u, 0x80000001u, 0x0ffffffeu, kEveryLane}) {
      const std::string call = fmt::format("{}(0xffffffffu, {:#x}u >> t & 1)", vote.name, yes);
      stores += fmt::format("  if (t == 5) y[{}] = 0;\n  {{ long long heard = {}; if (t == 5) y[{}] = heard; }}\n",
                            expected.size(), call, expected.size());
      expected.push_back(outcome(vote.kind, yes, kEveryLane));
      branches += fmt::format("  if ((long long){} != {}) y[0] = 1;\n", call, expected.back());
    }
  auto values = executed(stores, 32);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(values.contains(static_cast<std::int64_t>(i)) && values[static_cast<std::int64_t>(i)] == expected[i])
        << "y[" << i << "]";
  EXPECT_EQ(accesses_traced(branches, 32), 0u);
}

struct Reduction {
  std::string name, type;
  Intrinsic kind;
  std::int64_t (*call)(unsigned mask, std::int64_t value);
  std::int64_t (*converted)(std::int64_t value);
};

const std::vector<Reduction> kReductions = {
#define SWIZZLE_REDUCTION(kind, type, name, combined)                                                           \
  {#name, #type, Intrinsic::kind,                                                                               \
   [](unsigned mask, std::int64_t v) { return static_cast<std::int64_t>(::name(mask, static_cast<type>(v))); }, \
   [](std::int64_t v) { return static_cast<std::int64_t>(static_cast<type>(v)); }},
#include "emulation/intrinsic_table.inc"
};

TEST(Intrinsics, ReductionsCombineTheLanesOfTheMask) {
  std::mt19937 random(11);
  ASSERT_EQ(kReductions.size(), 9u);
  for (const Reduction& r : kReductions)
    for (int i = 0; i < 50; ++i) {
      const unsigned mask = i < 2 ? kEveryLane : random() | 1u;
      std::vector<std::int64_t> values, got(32, -1);
      for (int lane = 0; lane < 32; ++lane) values.push_back(r.converted(i == 0 ? lane - 7 : random()));
      swizzle_emulation::launch({1}, {32}, [&] {
        if (mask >> threadIdx.x & 1u) got[threadIdx.x] = r.call(mask, values[threadIdx.x]);
      });
      std::int64_t expected = values[0];
      for (unsigned lane = 1; lane < 32; ++lane)
        if (mask >> lane & 1u) expected = r.converted(reduced(r.kind, expected, values[lane]));
      for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1u) {
          ASSERT_EQ(got[lane], expected) << r.name << " of " << r.type << ", " << mask;
        }
    }
}

TEST(Intrinsics, ReductionsOfIndicesAreExecutedAndTraced) {
  std::string stores, branches;
  for (std::size_t i = 0; i < kReductions.size(); ++i) {
    const std::string call =
        fmt::format("{}(t < 16 ? 0xffffu : 0xffff0000u, ({})(t * 5 - 60))", kReductions[i].name, kReductions[i].type);
    stores += fmt::format("  y[{} + t] = {};\n", 32 * i, call);
    std::int64_t halves[2] = {};
    for (int lane = 0; lane < 32; ++lane) {
      std::int64_t& half = halves[lane / 16];
      const std::int64_t v = kReductions[i].converted(lane * 5 - 60);
      half = lane % 16 == 0 ? v : kReductions[i].converted(reduced(kReductions[i].kind, half, v));
    }
    branches += fmt::format("  if ((long long){} != (t < 16 ? {}ll : {}ll)) y[0] = 1;\n", call, halves[0], halves[1]);
    auto values = executed(stores, 32);
    for (int lane = 0; lane < 32; ++lane)
      EXPECT_EQ(values.at(static_cast<std::int64_t>(32 * i) + lane), halves[lane / 16]) << kReductions[i].name;
  }
  EXPECT_EQ(accesses_traced(branches, 32), 0u);
}

struct Shuffle {
  std::string name;
  Intrinsic kind;
  int (*call)(int value, int operand, int width);
};

const std::vector<Shuffle> kShuffles = {
#define SWIZZLE_SHUFFLE(kind, name, Operand, source) \
  {#name, Intrinsic::kind,                           \
   [](int value, int operand, int width) { return ::name(kEveryLane, value, static_cast<Operand>(operand), width); }},
#include "emulation/intrinsic_table.inc"
};

TEST(Intrinsics, ShufflesReadTheLaneThatTheEmulationReads) {
  for (const Shuffle& shuffle : kShuffles)
    for (const int width : {1, 2, 4, 8, 16, 32})
      for (int operand = -3; operand < 40; ++operand) {
        std::vector<int> source(32, -1);
        swizzle_emulation::launch(
            {1}, {32}, [&] { source[threadIdx.x] = shuffle.call(static_cast<int>(threadIdx.x), operand, width); });
        for (int lane = 0; lane < 32; ++lane)
          ASSERT_EQ(source[static_cast<std::size_t>(lane)], source_lane(shuffle.kind, lane, operand, width))
              << shuffle.name << " of lane " << lane << ", " << operand << ", " << width;
      }
}

TEST(Intrinsics, ShufflesOfIndicesAreExecutedAndTraced) {
  std::string stores, branches;
  for (std::size_t i = 0; i < kShuffles.size(); ++i) {
    const std::string call = fmt::format("{}(0xffffffffu, t, 3, 8)", kShuffles[i].name);
    stores += fmt::format("  y[{} + t] = {};\n", 32 * i, call);
    std::string expected = "0";
    for (int lane = 0; lane < 32; ++lane)
      expected = fmt::format("t == {} ? {} : {}", lane, source_lane(kShuffles[i].kind, lane, 3, 8), expected);
    branches += fmt::format("  if ({} != ({})) y[0] = 1;\n", call, expected);
  }
  auto values = executed(stores, 32);
  for (std::size_t i = 0; i < kShuffles.size(); ++i)
    for (int lane = 0; lane < 32; ++lane)
      EXPECT_EQ(values.at(static_cast<std::int64_t>(32 * i) + lane), source_lane(kShuffles[i].kind, lane, 3, 8))
          << kShuffles[i].name << " at lane " << lane;
  EXPECT_EQ(accesses_traced(branches, 32), 0u);
}

// Where lanes wait for each other, all must come.
TEST(Intrinsics, CollectivesAreShufflesVotesReductionsAndBarriers) {
  for (const char* name :
       {"__shfl_xor_sync", "__any_sync", "__reduce_add_sync", "__activemask", "__syncwarp", "__syncthreads"})
    EXPECT_TRUE(is_collective(lane_behavior(*intrinsic_named(name)))) << name;
  for (const char* name : {"__ldg", "__popc", "min", "fmaf", "sqrtf", "printf", "load"})
    EXPECT_FALSE(is_collective(lane_behavior(*intrinsic_named(name)))) << name;
}

}  // namespace
}  // namespace swizzle
