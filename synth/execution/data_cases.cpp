#include "synth/execution/data_cases.h"

#include <numeric>

#include "synth/provenance/casts.h"
#include "synth/provenance/provenance.h"

namespace swizzle {
namespace {

// All values of the sum are as far apart as this, or several times as far.
std::int64_t step_of(const Provenance& provenance, const DataPlace& place) {
  std::int64_t step = 0;
  for (const Term& term : provenance.terms(Ring::kSum, Scalar::kI64, place.sum))
    step = std::gcd(step, term.coefficient.bits);
  return std::max<std::int64_t>(1, step);
}

}  // namespace

std::int64_t count_cases(const Provenance& provenance, const DataPlace& place, ValueRange sum) {
  return (sum.high - sum.low) / step_of(provenance, place) + 1;
}

// A single value is compared as it was before it became an index, as programs do.
std::vector<DataCase> cases_of(Provenance& provenance, const DataPlace& place, ValueRange sum) {
  const std::int64_t step = step_of(provenance, place);
  const std::vector<Term> terms = provenance.terms(Ring::kSum, Scalar::kI64, place.sum);
  Value compared = place.sum;
  Scalar type = Scalar::kI64;
  std::int64_t times = 1;
  if (terms.size() == 1 && terms[0].factors.size() == 1) {
    const Value before = before_casts(provenance, Value::node(terms[0].factors[0]));
    const Scalar own = provenance.node(before).scalar;
    type = bit_width(own) < 32 ? Scalar::kI32 : own;
    compared = provenance.convert(before, own, type);
    times = terms[0].coefficient.bits;
  }
  std::vector<DataCase> cases;
  for (std::int64_t v = sum.low; v <= sum.high; v += step)
    cases.push_back(
        {v + place.offset, provenance.binary(Operator::kEq, type, compared, Value::integer(wrap(type, v / times)))});
  return cases;
}

}  // namespace swizzle
