#include "synth/program/hole_kinds.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "frontend/prelude.h"
#include "frontend/source_rewrite.h"
#include "synth/tables/tables.h"

namespace swizzle {

void PrintTo(const HoleTraits& traits, std::ostream* out) { *out << traits.name; }

namespace hole_kinds_test {
namespace {

constexpr int kIterations = 2;

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::filesystem::path source_folder() { return SWIZZLE_SOURCE_DIR; }

bool has_keys(const HoleTraits& traits) { return traits.most_arguments > traits.least_arguments; }

// A hole of this kind, asked by six threads with i or v, and in two iterations with k or w if it is to have keys;
// points are without n.
HoleSpace space_of(const HoleTraits& traits, bool keys) {
  HoleSpace s;
  s.id = HoleId(0);
  s.kind = traits.kind;
  s.domain = traits.is_truth() ? 2 : traits.index ? 6 : 3;
  s.first_argument = traits.first_key;
  std::vector<Arguments> arguments;
  for (std::int64_t k = 0; k < (keys ? kIterations : 1); ++k)
    for (std::int64_t t = 0; t < 6; ++t) {
      s.points.emplace_back(s.points.size());
      arguments.push_back(keys ? Arguments{t, k} : Arguments{t});
    }
  s.arguments = arguments;
  return s;
}

HoleSpace space_of(const HoleTraits& traits) { return space_of(traits, has_keys(traits)); }

std::vector<HoleTable> tables_of(const HoleSpace& s) {
  PointTable points;
  for (const auto& arguments : s.arguments) points.intern(s.id, arguments, s.domain);
  const std::vector<HoleSpace> holes{s};
  const auto grammars = grammars_of(holes);
  return grammars[0] ? grammars[0]->within(Domains(points), kAnyCost, 1'000'000).tables : std::vector<HoleTable>();
}

// The arguments of a point as the user writes them.
std::vector<std::int64_t> written(const HoleSpace& s, std::size_t p) {
  std::vector<std::int64_t> arguments = s.arguments[p];
  if (const auto n = s.traits().modulus)
    arguments.insert(arguments.begin() + static_cast<std::ptrdiff_t>(*n), s.domain);
  return arguments;
}

// A sketch that loads from where the hole says.
Result<Program> parsed(const std::string& hole) {
  return parse_kernel(
      SourceText(
          "a.cu",
          "#pragma swizzle launch grid(1) block(32)\n__global__ void f(const int* x, int* y) {\n  const int t = threadIdx.x;\n  const int v = " +
              hole + ";\n  y[t] = x[v];\n}\n"),
      "");
}

std::string call(const HoleTraits& traits, std::size_t arguments) {
  std::string text;
  for (std::size_t a = 0; a < arguments; ++a) text += a == 0 ? "1" : ", 32";
  return "?" + std::string(traits.name) + "(" + text + ")";
}

class EveryHoleKind : public testing::TestWithParam<HoleTraits> {};

TEST_P(EveryHoleKind, IsFoundByItsNameAlone) {
  const HoleTraits& traits = GetParam();
  EXPECT_TRUE(std::string_view(traits.name).starts_with("sw_"));
  EXPECT_EQ(std::count_if(hole_kinds().begin(), hole_kinds().end(),
                          [&](const HoleTraits& other) { return std::string_view(other.name) == traits.name; }),
            1);
  ASSERT_NE(find_hole_kind(traits.name), nullptr);
  EXPECT_EQ(find_hole_kind(traits.name)->kind, traits.kind);
  EXPECT_STREQ(traits_of(traits.kind).name, traits.name);
  EXPECT_EQ(find_hole_kind(std::string(traits.name) + "_"), nullptr);
}

TEST_P(EveryHoleKind, HasItsArgumentsInPlace) {
  const HoleTraits& traits = GetParam();
  EXPECT_LE(traits.least_arguments, traits.most_arguments);
  if (traits.modulus) {
    EXPECT_LT(*traits.modulus, traits.least_arguments);
  }
  if (traits.index) {
    EXPECT_LT(*traits.index, traits.least_arguments);
  }
  EXPECT_EQ(traits.first_key, (traits.index ? 1u : 0u) + (traits.modulus ? 1u : 0u));
  EXPECT_EQ(traits.has_tables(), traits.value == HoleValue::kIndex || traits.value == HoleValue::kRanged ||
                                     traits.value == HoleValue::kTruth);
  EXPECT_EQ(traits.modulus.has_value(), traits.value == HoleValue::kIndex);
  EXPECT_LE(traits.most_values, kMaxDomain);
}

TEST_P(EveryHoleKind, IsRewrittenAndDeclaredForClang) {
  const HoleTraits& traits = GetParam();
  const RewrittenSource rewritten = rewrite_source(call(traits, 1));
  EXPECT_TRUE(rewritten.unknown_holes.empty());
  EXPECT_TRUE(rewritten.text.starts_with("$" + std::string(traits.name))) << rewritten.text;
  EXPECT_NE(prelude_text().find("$" + std::string(traits.name) + "("), std::string::npos);
  ASSERT_NE(hole_kind_seen_as("$" + std::string(traits.name)), nullptr);
  EXPECT_EQ(hole_kind_seen_as("$" + std::string(traits.name))->kind, traits.kind);
  EXPECT_EQ(hole_kind_seen_as(traits.name), nullptr);
}

TEST_P(EveryHoleKind, IsDocumented) {
  for (const char* page : {"language.md", "report.md"})
    EXPECT_NE(read(source_folder() / "docs" / page).find(GetParam().name), std::string::npos)
        << page << " does not mention " << GetParam().name;
}

TEST_P(EveryHoleKind, HasAGrammarWhoseExpressionsComputeItsTables) {
  const HoleTraits& traits = GetParam();
  const HoleSpace s = space_of(traits);
  const std::vector<HoleTable> tables = tables_of(s);
  EXPECT_EQ(!tables.empty(), traits.has_tables());
  for (const HoleTable& t : tables)
    for (std::size_t p = 0; p < s.points.size(); ++p) {
      EXPECT_EQ(t.expression.evaluate(written(s, p)), t.values[p]) << t.expression.print({"a", "b", "c"});
      EXPECT_TRUE(t.values[p] >= 0 && t.values[p] < s.domain);
    }
  EXPECT_EQ(*traits.family != '\0' && *traits.family_of != '\0', traits.has_tables());
}

INSTANTIATE_TEST_SUITE_P(Of, EveryHoleKind, testing::ValuesIn(hole_kinds().begin(), hole_kinds().end()),
                         [](const auto& info) { return std::string(info.param.name); });

// Those of which something is true.
std::vector<HoleTraits> kinds_where(const std::function<bool(const HoleTraits&)>& is_so) {
  std::vector<HoleTraits> found;
  std::copy_if(hole_kinds().begin(), hole_kinds().end(), std::back_inserter(found), is_so);
  EXPECT_FALSE(found.empty());
  return found;
}

// The uses L(r, c) of a layout are its holes, not where it is declared.
TEST(HoleKinds, AreParsedWithAsManyArgumentsAsTheyTake) {
  for (const HoleTraits& traits : kinds_where([](const HoleTraits& t) { return !t.is_cell(); })) {
    const auto program = parsed(call(traits, traits.least_arguments));
    ASSERT_TRUE(program.ok()) << render(program.errors()[0]);
    ASSERT_EQ(program->holes.size(), 1u);
    EXPECT_EQ(program->holes[0].kind, traits.kind);
    if (traits.least_arguments > 0) {
      const auto fewer = parsed(call(traits, traits.least_arguments - 1));
      ASSERT_FALSE(fewer.ok()) << traits.name;
      EXPECT_TRUE(fewer.errors()[0].message.starts_with(traits.usage() + " takes ")) << fewer.errors()[0].message;
    }
    EXPECT_EQ(parsed(call(traits, traits.least_arguments + 1)).ok(), traits.most_arguments > traits.least_arguments)
        << traits.name;
  }
}

TEST(HoleKinds, WithAnIndexMayBecomeItForNothing) {
  for (const HoleTraits& traits : kinds_where([](const HoleTraits& t) { return t.index.has_value(); })) {
    const HoleSpace s = space_of(traits);
    const auto is_index = [&](const HoleTable& t) {
      bool same = t.integer_ops == 0;
      for (std::size_t p = 0; p < s.points.size(); ++p) same = same && t.values[p] == s.arguments[p][0];
      return same;
    };
    const std::vector<HoleTable> tables = tables_of(s);
    EXPECT_TRUE(std::any_of(tables.begin(), tables.end(), is_index)) << traits.name;
  }
}

TEST(HoleKinds, PermuteTheirIndexIfTheySaySo) {
  for (const HoleTraits& traits : kinds_where([](const HoleTraits& t) { return t.permutes_index; })) {
    const HoleSpace s = space_of(traits);
    for (const HoleTable& t : tables_of(s)) {
      std::set<std::vector<std::int64_t>> seen;  // value and k…
      for (std::size_t p = 0; p < s.points.size(); ++p) {
        std::vector<std::int64_t> key = s.arguments[p];
        key[0] = t.values[p];
        EXPECT_TRUE(seen.insert(key).second) << traits.name << ": " << t.expression.print({"i", "n", "k"});
      }
    }
  }
}

// Asked with what the narrower one is asked with.
TEST(HoleKinds, MayBecomeNothingThatTheWiderOneMayNot) {
  for (const HoleTraits& traits : kinds_where([](const HoleTraits& t) { return t.wider.has_value(); })) {
    std::set<std::vector<std::int16_t>> narrow, wide;
    for (const HoleTable& t : tables_of(space_of(traits))) narrow.insert(t.values);
    for (const HoleTable& t : tables_of(space_of(traits_of(*traits.wider), has_keys(traits)))) wide.insert(t.values);
    EXPECT_TRUE(std::includes(wide.begin(), wide.end(), narrow.begin(), narrow.end())) << traits.name;
    EXPECT_LT(narrow.size(), wide.size()) << traits.name;
  }
}

TEST(HoleKinds, AreListedWhereAnUnknownOneIsWritten) {
  const auto program = parsed("?sw_foo(1)");
  ASSERT_FALSE(program.ok());
  const std::string& message = program.errors()[0].message;
  EXPECT_TRUE(message.starts_with("unknown hole '?sw_foo'; there are ?sw_xform, ")) << message;
  for (const HoleTraits& traits : hole_kinds())
    EXPECT_NE(message.find("?" + std::string(traits.name)), std::string::npos) << message;
  EXPECT_EQ(message.find("and ?"), message.rfind('?') - 4) << message;
}

// What is true of a kind is asked of its traits.
TEST(HoleKinds, AreComparedNowhere) {
  std::size_t files = 0;
  for (const char* folder : {"synth", "frontend", "codegen", "tools"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder() / folder)) {
      if (!entry.is_regular_file()) continue;
      ++files;
      const std::string text = read(entry.path());
      for (const char* question : {"== HoleKind::", "!= HoleKind::", "case HoleKind::"})
        EXPECT_EQ(text.find(question), std::string::npos) << entry.path() << " asks " << question;
    }
  EXPECT_GT(files, 100u);
}

}  // namespace
}  // namespace hole_kinds_test
}  // namespace swizzle
