// Every line of emulation/intrinsic_table.inc, so that a new one is tested as it is written: it is declared, parsed,
// and means the same to the interpreter, to the access tracer and to the emulation.
#include "synth/program/intrinsics.h"

#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emulation/warp_emulation.h"
#include "tests/unit/program/intrinsic_calls.h"

namespace swizzle::intrinsics_test {
namespace {

const std::vector<std::pair<std::string, Intrinsic>> kNamed = {
#define SWIZZLE_NAMED(kind, name) {#name, Intrinsic::kind},
#include "emulation/intrinsic_table.inc"
};

const std::vector<std::pair<std::string, Intrinsic>> kNamedInSpecs = {
#define SWIZZLE_NAMED_IN_SPECS(kind, name) {#name, Intrinsic::kind},
#include "emulation/intrinsic_table.inc"
};

// Each call must be of its kind in the program, unless nothing remains of it.
void expect_kinds(const Program& program, const std::vector<std::string>& calls,
                  const std::vector<Declared>& functions) {
  std::map<std::string, std::set<Intrinsic>> kinds;
  for (const Expr& e : program.exprs)
    if (e.kind == ExprKind::kIntrinsic) kinds[std::string(program.source.slice(e.range))].insert(e.intrinsic);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const LaneBehavior behavior = lane_behavior(functions[i].kind);
    const bool remains = behavior != LaneBehavior::kNoEffect && behavior != LaneBehavior::kWrite;
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
  EXPECT_EQ(intrinsic_named("__shfl"), std::nullopt);
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

// As an H100 has them.
TEST(Intrinsics, PartsOfWordsWrapSaturateAndCompare) {
  const auto of = [](Intrinsic kind, std::int64_t x, std::int64_t y) { return evaluate(kind, Scalar::kU32, {x, y}); };
  EXPECT_EQ(of(Intrinsic::kvadd4, 0x01ff7f80, 0x01010101), 0x02008081);
  EXPECT_EQ(of(Intrinsic::kvaddss4, 0x01ff7f80, 0x01010101), 0x02007f81);
  EXPECT_EQ(of(Intrinsic::kvaddus4, 0x01ff7f80, 0x01010101), 0x02ff8081);
  EXPECT_EQ(of(Intrinsic::kvmaxs2, 0xffff0003, 0x00010002), 0x00010003);
  EXPECT_EQ(of(Intrinsic::kvmaxu2, 0xffff0003, 0x00010002), 0xffff0003);
  EXPECT_EQ(of(Intrinsic::kvcmpgts4, 0xff010203, 0x00000203), 0x00ff0000);
  EXPECT_EQ(of(Intrinsic::kvseteq2, 0x00010002, 0x00010003), 0x00010000);
  EXPECT_EQ(of(Intrinsic::kvsadu4, 0xff000102, 0x00000201), 0xff + 1 + 1);
  EXPECT_EQ(of(Intrinsic::kvsads4, 0xff000102, 0x00000201), 1 + 1 + 1);
  EXPECT_EQ(of(Intrinsic::kvavgs2, 0xffff0001, 0xfffe0002), 0xfffe0002);
  EXPECT_EQ(evaluate(Intrinsic::kFns, Scalar::kU32, {0b101100, 0, 2}), 3);
  EXPECT_EQ(evaluate(Intrinsic::kFns, Scalar::kU32, {0b101100, 3, -2}), 2);
}

TEST(Intrinsics, WhatIsRefusedSaysWhy) {
  EXPECT_NE(why_refused("__shfl").find("write __shfl_sync"), std::string::npos);
  EXPECT_EQ(why_refused("__shfl_sync"), "");
}

TEST(Intrinsics, ExtremaAreThoseOfTheType) {
  EXPECT_EQ(evaluate(Intrinsic::kMin, Scalar::kI32, {-1, 2}), -1);
  EXPECT_EQ(evaluate(Intrinsic::kMin, Scalar::kU32, {0xffffffff, 2}), 2);
  EXPECT_EQ(evaluate(Intrinsic::kMax, Scalar::kI64, {-1, 2}), 2);
  EXPECT_EQ(evaluate(Intrinsic::kMax, Scalar::kU64, {-1, 2}), -1);  // the bits of the largest
  EXPECT_EQ(evaluate(Intrinsic::kAbs, Scalar::kI32, {-7}), 7);
  EXPECT_EQ(evaluate(Intrinsic::kAbs, Scalar::kI32, {INT32_MIN}), INT32_MIN);
}

}  // namespace
}  // namespace swizzle::intrinsics_test
