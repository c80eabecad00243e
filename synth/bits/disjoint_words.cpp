#include "synth/bits/disjoint_words.h"

#include <algorithm>
#include <unordered_map>

#include "synth/provenance/deferred_words.h"
#include "synth/provenance/words.h"

namespace swizzle {
namespace {

constexpr auto kXorCode = static_cast<std::uint32_t>(Operator::kXor),
               kOrCode = static_cast<std::uint32_t>(Operator::kOr);

class Rewriting {
 public:
  explicit Rewriting(Provenance& provenance) : provenance_(provenance) {}

  bool has_changed() const { return has_changed_; }

  Value of(Value v) {
    if (!v.is_node() || provenance_.node(v).kind != Node::Kind::kDeferred) return v;
    if (const auto it = known_.find(v.aux); it != known_.end()) return it->second;
    const Value result = of_word(v);
    known_.emplace(v.aux, result);
    return result;
  }

 private:
  Value of_word(Value word) {
    const std::uint32_t code = provenance_.node(word).tag;
    const Scalar s = provenance_.node(word).scalar;
    const Children children = provenance_.node(word).children();
    std::vector<Value> operands(children.begin(), children.end());
    for (Value& v : operands) v = of(v);
    if (code >= kDeferredChoice) return provenance_.choice(PointId(code - kDeferredChoice), operands);
    const bool is_mixed = code == kXorCode && std::ranges::all_of(operands, [&](const Value& v) {
                            return is_word(provenance_, v) && provenance_.node(v).has_data;
                          });
    has_changed_ = has_changed_ || is_mixed;
    return word_operation(provenance_, is_mixed ? kOrCode : code, s, operands);
  }

  Provenance& provenance_;
  std::unordered_map<std::uint32_t, Value> known_;  // by deferred word
  bool has_changed_ = false;
};

}  // namespace

std::optional<std::vector<Value>> as_disjoint(Provenance& provenance, const std::vector<Value>& outputs) {
  Rewriting rewriting(provenance);
  std::vector<Value> rewritten;
  rewritten.reserve(outputs.size());
  for (const Value& output : outputs) rewritten.push_back(rewriting.of(output));
  return rewriting.has_changed() ? std::optional(std::move(rewritten)) : std::nullopt;
}

}  // namespace swizzle
