#include "driver/certificate.h"

#include "tests/unit/pair_files.h"

namespace swizzle::certificate_test {
namespace {

using test::kReversal, test::kReversed;
using Claim = Report::Certified::Claim;

constexpr double kAmple = 100;  // seconds

class Certificates : public test::PairFiles {
 protected:
  // Poses and searches; `change` may forge what the search says.
  template <typename Change>
  Certificate certified(const std::string& sketch, const std::string& spec, Change&& change) {
    const auto pair = load_pair(files(sketch, spec));
    auto posed = pose_pair(*pair, {});
    Searched searched = search(std::get<PosedPair>(posed), {});
    change(searched.solution);
    return certify(std::get<PosedPair>(posed), searched, {}, {kAmple, true});
  }
};

const auto kAsItIs = [](Solution&) {};

TEST_F(Certificates, ConfirmTheLeastCost) {
  const Certificate certificate = certified(kReversal, kReversed, kAsItIs);
  EXPECT_FALSE(certificate.ending);
  EXPECT_EQ(certificate.said.claim, Claim::kCost) << certificate.said.reason;
  ASSERT_EQ(certificate.scripts.size(), 2u);
  EXPECT_EQ(certificate.scripts[0].name, "this_completion");
  EXPECT_EQ(certificate.scripts[1].name, "cheaper");
  for (const auto& script : certificate.scripts) EXPECT_NE(script.text.find("(check-sat)"), std::string::npos);
}

TEST_F(Certificates, SayNothingOfACostThatIsNotClaimed) {
  const Certificate certificate =
      certified(kReversal, kReversed, [](Solution& s) { s.optimality = Optimality::kNotAsked; });
  EXPECT_EQ(certificate.said.claim, Claim::kFeasibility);
  EXPECT_EQ(certificate.said.reason, "the least cost is not claimed");
  EXPECT_EQ(certificate.said.queries, 1u);
}

TEST_F(Certificates, ContradictACostThatIsNotTheLeast) {
  const Certificate certificate =
      certified(kReversal, kReversed, [](Solution& s) { s.completions[0].cost.total += 1; });
  ASSERT_TRUE(certificate.ending);
  EXPECT_EQ(certificate.ending->kind, Ending::Kind::kFailedVerification);
  EXPECT_EQ(certificate.ending->reason, "Z3 finds a cheaper completion than what was proved minimal");
  EXPECT_EQ(certificate.said.claim, Claim::kFeasibility);
}

TEST_F(Certificates, ContradictACompletionThatIsNone) {
  const Certificate certificate =
      certified(kReversal, kReversed, [](Solution& s) { s.completions[0].tables[0].values[0] ^= 1; });
  ASSERT_TRUE(certificate.ending);
  EXPECT_EQ(certificate.ending->reason, "Z3 holds that what was found is no completion of that cost");
  EXPECT_EQ(certificate.said.claim, Claim::kNothing);
}

const char* const kSumOfTwo =
    "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + x[0]; }\n";

TEST_F(Certificates, ConfirmThatThereIsNone) {
  const Certificate certificate = certified(kReversal, kSumOfTwo, kAsItIs);
  EXPECT_FALSE(certificate.ending);
  EXPECT_EQ(certificate.said.claim, Claim::kFeasibility) << certificate.said.reason;
}

TEST_F(Certificates, ContradictThatThereIsNone) {
  const Certificate certificate =
      certified(kReversal, kReversed, [](Solution& s) { s.outcome = Outcome::kInfeasible; });
  ASSERT_TRUE(certificate.ending);
  EXPECT_EQ(certificate.ending->reason, "Z3 finds a completion where none was held to exist");
}

TEST_F(Certificates, AreOfWhatIsClaimed) {
  const Certificate certificate = certified(kReversal, kReversed, [](Solution& s) { s.outcome = Outcome::kUnknown; });
  EXPECT_EQ(certificate.said.claim, Claim::kNothing);
  EXPECT_EQ(certificate.said.reason, "nothing is claimed");
  EXPECT_EQ(certificate.said.queries, 0u);
}

}  // namespace
}  // namespace swizzle::certificate_test
