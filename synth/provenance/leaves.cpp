#include "synth/provenance/leaves.h"

#include <unordered_map>

namespace swizzle {
namespace {

class Application {
 public:
  Application(Provenance& p, Value a, Value b, const std::function<Value(Value, Value)>& f, std::size_t most_pairs)
      : p_(p),
        a_(a),
        b_(b),
        f_(f),
        most_pairs_(most_pairs) {}

  bool is_over() const { return pairs_ > most_pairs_; }

  Value walk(Value x, Value y) {
    const std::uint32_t point = std::min(top(x), top(y));
    if (point == PointId::kInvalid) return f_(x, y);
    if (++pairs_ > most_pairs_) return {};
    // Only pairs of nodes have a key that fits, and those of one with an operand that is a leaf itself.
    const bool has_key = (x.is_node() || x == a_) && (y.is_node() || y == b_);
    const std::uint64_t key = (std::uint64_t{x.aux} << 32) | y.aux;
    if (has_key)
      if (auto it = done_.find(key); it != done_.end()) return it->second;
    const std::size_t count = p_.node(top(x) == point ? x : y).children().size();
    std::vector<Value> alternatives;
    alternatives.reserve(count);
    Value former_x, former_y;
    for (std::size_t i = 0; i < count; ++i) {
      const Value xi = top(x) == point ? p_.node(x).children()[i] : x;
      const Value yi = top(y) == point ? p_.node(y).children()[i] : y;
      const bool repeats = i > 0 && xi == former_x && yi == former_y;
      alternatives.push_back(repeats ? alternatives.back() : walk(xi, yi));
      former_x = xi, former_y = yi;
    }
    const Value result = p_.choice(PointId(point), alternatives);
    if (has_key) done_.emplace(key, result);
    return result;
  }

 private:
  std::uint32_t top(Value v) const {
    return v.is_node() && p_.node(v).kind == Node::Kind::kChoice ? p_.node(v).tag : PointId::kInvalid;
  }

  Provenance& p_;
  const Value a_, b_;
  const std::function<Value(Value, Value)>& f_;
  const std::size_t most_pairs_;
  std::size_t pairs_ = 0;
  std::unordered_map<std::uint64_t, Value> done_;
};

}  // namespace

std::optional<Value> applied_to_leaves(Provenance& p, Value a, Value b, const std::function<Value(Value, Value)>& f,
                                       std::size_t most_pairs) {
  Application application(p, a, b, f, most_pairs);
  const Value result = application.walk(a, b);
  return application.is_over() ? std::nullopt : std::optional(result);
}

}  // namespace swizzle
