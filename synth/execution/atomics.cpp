#include "synth/execution/atomics.h"

#include <optional>

#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

struct Meaning {
  WordUse use;
  std::optional<Operator> op;  // none: an extremum
  Ring ring = Ring::kMin;
};

Meaning meaning_of(Intrinsic atomic) {
  switch (atomic) {
    case Intrinsic::kAtomicSub: return {WordUse::kAdd, Operator::kSub};
    case Intrinsic::kAtomicMin: return {WordUse::kMin, {}, Ring::kMin};
    case Intrinsic::kAtomicMax: return {WordUse::kMax, {}, Ring::kMax};
    case Intrinsic::kAtomicAnd: return {WordUse::kAnd, Operator::kAnd};
    case Intrinsic::kAtomicOr: return {WordUse::kOr, Operator::kOr};
    case Intrinsic::kAtomicXor: return {WordUse::kXor, Operator::kXor};
    default: return {WordUse::kAdd, Operator::kAdd};
  }
}

}  // namespace

Lanes Atomics::eval_atomic(const Expr& e) {
  const Lanes places = operands_.eval(e.operands[0]);
  const Lanes given = run_.failed() ? run_.blank() : operands_.eval(e.operands[1]);
  if (run_.failed()) return run_.blank();
  const Meaning meaning = meaning_of(e.intrinsic);
  run_.for_active([&](int t) {
    if (run_.failed()) return;
    if (!objects_.lies_in(places[at(t)], Object::Space::kShared) &&
        !objects_.lies_in(places[at(t)], Object::Space::kGlobal))
      return run_.refuse(e.range, "an atomic on what a thread has for itself is not supported");
    if (objects_.slots_per_scalar(places[at(t)], e.type) != 1 ||
        objects_.scalars_per_slot(places[at(t)], e.type) != 1 || objects_.held_as(places[at(t)], e.type))
      return run_.refuse(e.range, "an atomic on words of another type is not followed");
    const auto update = [&](Value there, Value guard) {
      if (meaning.op)
        return arithmetic_.compound_under(guard, *meaning.op, e.type, e.type, there, given[at(t)], e.range);
      const Scalar s = run_.scalar_of(e.type);
      return provenance_.select(guard, arithmetic_.extremum(meaning.ring, s, there, given[at(t)]), there, s);
    };
    cells_.update_slot(t, places[at(t)], meaning.use, update, e.range);
  });
  if (run_.failed()) return run_.blank();
  wavefronts_.count_shared(places, e.type, SharedOperation::kLoad, e.range);
  if (objects_.meets(places, Object::Space::kGlobal)) issues_.count_guarded(&Counts::loads);
  return run_.blank();
}

}  // namespace swizzle
