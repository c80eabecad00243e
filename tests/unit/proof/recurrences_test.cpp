// Rounds that make values anew of those that the round before left, and rounds that store what they have so far.
#include <random>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/proof/all_sizes_proof.h"
#include "tests/unit/proof/equal_at.h"

namespace swizzle::recurrences_test {
namespace {

// What a row's loop has: before it, in it, where `v` is x[r * m + j], and behind it.
struct Row {
  std::string before, in, behind;
};

std::string body_of(const Row& row) {
  return fmt::format("{} for (int j = 0; j < m; j++) {{ const int v = x[r * m + j]; {} }} {}", row.before, row.in,
                     row.behind);
}
Result<Program> kernel_of(const Row& row) {
  return parse_kernel(SourceText("k.cu", fmt::format("#pragma swizzle launch grid((n + 31) / 32) block(32)\n"
                                                     "__global__ void f(const int* x, int* y, int n, int m) {{\n"
                                                     "  const int r = blockIdx.x * 32 + threadIdx.x;\n"
                                                     "  if (r >= n) return;\n  {}\n}}\n",
                                                     body_of(row))),
                      "f");
}
Result<Program> spec_of(const Row& row) {
  return parse_spec(SourceText("s.cpp", fmt::format("void f(const int* x, int* y, int n, int m) {{\n"
                                                    "  for (int r = 0; r < n; r++) {{ {} }}\n}}\n",
                                                    body_of(row))),
                    "f");
}

AllSizesProof proof_of(const Row& kernel, const Row& spec) {
  const auto k = kernel_of(kernel), s = spec_of(spec);
  EXPECT_TRUE(k.ok() && s.ok()) << body_of(kernel) << body_of(spec);
  AllSizesProof proof = prove_all_sizes(*k, *s, {{{"n", 32}, {"m", 4}}, {{"n", 33}, {"m", 5}}}, Deadline(10));
  if (proof.is_proved)
    for (const std::int64_t m : {1, 2, 4})
      EXPECT_EQ(test::is_equal_at(*k, *s, {{"n", 3}, {"m", m}}), true) << body_of(kernel) << body_of(spec) << m;
  return proof;
}

const std::string kLast = "y[r] = a;", kEach = " y[r * m + j] = a;";

TEST(Recurrences, AreOneInAnyOrder) {
  const std::vector<std::pair<Row, Row>> pairs{
      {{"int a = 0;", "a = 3 * a + v;", kLast}, {"int a = 0;", "int b = a * 3; a = v + b;", kLast}},
      {{"int a = 5381;", "a = a * 33 ^ v;", kLast}, {"int a = 5381;", "a *= 33; a ^= v;", kLast}},
      {{"int a = 0, b = 7;", "b = b / 3 + v; a = a * b;", kLast},
       {"int b = 7, a = 0;", "b = b / 3 + v; a *= b;", kLast}},
      {{"int a = 0, b = 1, t;", "t = a; a = b; b = t * v;", kLast},
       {"int b = 1, a = 0;", "int t = a; a = b; b = v * t;", kLast}},
      {{"int b = -1000, a = 0;", "if (v > b) { b = v; a = j; }", kLast},
       {"int a = 0, b = -1000;", "if (v > b) { a = j; b = v; }", kLast}},
      {{"int s = 0, a = 0;", "s += v; a += s;", kLast}, {"int a = 0, s = 0;", "s += v; a += s;", kLast}},
      {{"int a = v0;", "a = a / 2 + v;", kLast}, {"int a = v0;", "a = a / 2 + v;", kLast}}};
  for (auto [kernel, spec] : pairs) {
    for (Row* row : {&kernel, &spec})
      if (const auto at = row->before.find("v0"); at != std::string::npos) row->before.replace(at, 2, "x[r * m]");
    const AllSizesProof proof = proof_of(kernel, spec);
    EXPECT_TRUE(proof.is_proved) << body_of(kernel) << ": " << proof.reason;
  }
}

TEST(Recurrences, AreStoredAsFarAsTheyAre) {
  for (const Row& row :
       {Row{"int a = 0;", "a += v;" + kEach, ""}, Row{"int a = 0;", kEach + " a += v;", ""},
        Row{"int a = 0;", "a = 5 * a + v;" + kEach, ""}, Row{"int a = 0;", "y[r * m + j] = v - a; a = v;", ""},
        Row{"int a = -9;", "a = max(a, v);" + kEach, ""},
        Row{"int a = 0, b = 1;", "a = a * b + v; b = a ^ b;" + kEach, ""}}) {
    Row spec = row;
    if (const auto at = spec.in.find("max(a, v)"); at != std::string::npos) spec.in.replace(at, 9, "a > v ? a : v");
    const AllSizesProof proof = proof_of(row, spec);
    EXPECT_TRUE(proof.is_proved) << body_of(row) << ": " << proof.reason;
  }
}

TEST(Recurrences, DifferByWhatTheyBeginWithAndDo) {
  const Row right{"int a = 0, b = 1;", "a = a * 3 + b; b = b / 2 + v;", kLast};
  for (const Row& wrong :
       {Row{"int a = 1, b = 0;", right.in, kLast}, Row{"int a = 0, b = 2;", right.in, kLast},
        Row{right.before, "b = b / 2 + v; a = a * 3 + b;", kLast},
        Row{right.before, "a = a * 3 + b; b = b / 2 + v + (j > 70);", kLast},
        Row{right.before, "if (j > 0) a = a * 3 + b; b = b / 2 + v;", kLast}, Row{right.before, right.in, "y[r] = b;"},
        Row{right.before, "a = a * 3 + b; b = b / 2 + x[j];", kLast}})
    EXPECT_FALSE(proof_of(wrong, right).is_proved) << body_of(wrong);
  const Row scan{"int a = 0;", "a = a * 3 + v;" + kEach, ""};
  for (const Row& wrong : {Row{"int a = 0;", kEach + " a = a * 3 + v;", ""}, Row{"int a = 1;", scan.in, ""},
                           Row{"int a = 0;", "a = a * 3 + v + j / 90;" + kEach, ""}})
    EXPECT_FALSE(proof_of(wrong, scan).is_proved) << body_of(wrong);
}

// What goes on from row to row is none of a row's own.
TEST(Recurrences, AreNotThoseOfOtherRows) {
  for (const Row& row : {Row{"int a = 0;", "a += v;" + kEach, ""}, Row{"int a = 0;", "a = 3 * a + v;" + kEach, ""},
                         Row{"int a = 0;", "a += v;", kLast}, Row{"int a = 0;", "a = a * 5 ^ v;", kLast}}) {
    const auto spec = parse_spec(
        SourceText("s.cpp", fmt::format("void f(const int* x, int* y, int n, int m) {{\n  {}\n  for (int r = 0; r < n; "
                                        "r++) {{ {} }}\n}}\n",
                                        row.before, body_of({"", row.in, row.behind}))),
        "f");
    const auto kernel = kernel_of(row);
    ASSERT_TRUE(spec.ok() && kernel.ok());
    EXPECT_FALSE(prove_all_sizes(*kernel, *spec, {{{"n", 32}, {"m", 4}}}, Deadline(10)).is_proved) << row.in;
    EXPECT_FALSE(prove_all_sizes(*kernel, *spec, {{{"n", 1}, {"m", 4}}, {{"n", 2}, {"m", 5}}}, Deadline(10)).is_proved);
  }
}

// Steps of a few variables, as they come.
class RandomRow {
 public:
  explicit RandomRow(unsigned seed) : random_(seed) {}

  Row row() {
    std::vector<std::string> first;
    for (const char* v : {"a", "b", "c"}) first.push_back(fmt::format("int {} = {};", v, pick({"0", "1", "2"})));
    std::string in;
    for (int k = 0; k < 3; ++k) in += fmt::format("{} = {}; ", pick({"a", "b", "c"}), term());
    const bool stores = random_() % 2 == 0;
    return {fmt::format("{}", fmt::join(first, " ")), in + (stores ? kEach : ""), stores ? "" : kLast};
  }
  // With one character of its steps another one.
  Row changed(Row row) {
    std::vector<std::pair<std::string*, std::size_t>> places;
    for (std::string* text : {&row.before, &row.in})
      for (std::size_t i = 0; i < text->size(); ++i)
        if (std::string_view(text == &row.in ? "123abc+-*^" : "012").find((*text)[i]) != std::string_view::npos)
          if (i + 1 < text->size() && std::string_view(" ;)").find((*text)[i + 1]) != std::string_view::npos)
            places.emplace_back(text, i);
    const auto& [text, at] = places[random_() % places.size()];
    char& old = (*text)[at];
    const std::string_view others = std::string_view("+-*^").find(old) != std::string_view::npos ? "+-*^"
                                    : std::isdigit(old) != 0                                     ? "0123"
                                                                                                 : "abc";
    old = others[random_() % others.size()];
    return row;
  }

 private:
  std::string pick(const std::vector<std::string>& of) { return of[random_() % of.size()]; }
  std::string atom() { return pick({"a", "b", "c", "v", "v", "j", "3"}); }
  std::string term() {
    if (random_() % 4 == 0) return fmt::format("({} > {} ? {} : {})", atom(), atom(), atom(), atom());
    return fmt::format("({} {} {}) {} {}", atom(), pick({"+", "-", "*", "^"}), atom(), pick({"+", "*", "^"}), atom());
  }

  std::mt19937 random_;
};

TEST(Recurrences, OfAnyStepsAreRightWhereTheyAreProved) {
  constexpr unsigned kRows = 60;
  unsigned proved = 0, others_proved = 0;
  for (unsigned seed = 0; seed < kRows; ++seed) {
    RandomRow random(seed);
    const Row row = random.row(), other = random.changed(row);
    proved += proof_of(row, row).is_proved;
    others_proved += proof_of(other, row).is_proved;  // which proof_of() holds to a few sizes
  }
  EXPECT_GT(proved, kRows / 2);
  EXPECT_LT(others_proved, proved);
}

}  // namespace
}  // namespace swizzle::recurrences_test
