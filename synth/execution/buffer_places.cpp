#include "synth/execution/buffer_places.h"

#include <algorithm>
#include <cstdlib>

#include "synth/provenance/data_places.h"

namespace swizzle {

void BufferPlaces::note(const Provenance& provenance, std::int64_t slot, std::int64_t cases, bool is_write) {
  is_read_ = is_read_ || !is_write;
  if (!is_data_place(slot)) {
    has_numbers_ = true;
    writes_numbers_ = writes_numbers_ || is_write;
    return;
  }
  is_written_ = is_written_ || is_write;
  most_ = std::max(most_, cases);
  note_data(provenance, slot);
}

void BufferPlaces::note_data(const Provenance& provenance, std::int64_t slot) {
  const DataPlace place = data_place(slot);
  least_ = data_ ? std::min(least_, place.offset) : place.offset;
  greatest_ = data_ ? std::max(greatest_, place.offset) : place.offset;
  data_ = true;
  last_ = slot;
  const std::vector<Term> terms = provenance.terms(Ring::kSum, Scalar::kI64, place.sum);
  const Value element = terms[0].factors.empty() ? Value{} : before_casts(provenance, Value::node(terms[0].factors[0]));
  const bool is_element = element.is_node() && provenance.node(element).kind == Node::Kind::kInput;
  if (terms.size() != 1 || terms[0].factors.size() != 1 || !is_element) {
    are_apart_ = false;
    return;
  }
  const std::uint32_t buffer = provenance.node(element).tag;
  const auto range = provenance.value_ranges().now(buffer);
  const std::int64_t factor = terms[0].coefficient.bits;
  if (!index_buffer_) index_buffer_ = buffer, factor_ = factor;
  are_apart_ = are_apart_ && range && range->is_distinct && buffer == *index_buffer_ && factor == factor_ &&
               greatest_ - least_ < std::abs(factor_);
}

}  // namespace swizzle
