#include "synth/trials/sole_askers.h"

#include <unordered_map>
#include <utility>

namespace swizzle {
namespace {

class SoleAskers {
 public:
  SoleAskers(const Provenance& provenance, std::size_t points) : provenance_(provenance), of_point_(points, kNobody) {}

  // Below a node that two outputs share, all is shared.
  void visit(Value v, std::uint32_t output) {
    if (!provenance_.has_choice(v)) return;
    const auto [known, is_new] = of_node_.try_emplace(v.aux, output);
    if (!is_new && (known->second == output || known->second == kSeveralAsk)) return;
    if (!is_new) known->second = output = kSeveralAsk;
    const Node& n = provenance_.node(v);
    if (n.kind == Node::Kind::kChoice) {
      std::uint32_t& asker = of_point_[n.tag];
      asker = asker == kNobody || asker == output ? output : kSeveralAsk;
    }
    n.for_each_part([&](Value part) { visit(part, output); });
  }

  std::vector<std::uint32_t> take() {
    for (std::uint32_t& asker : of_point_)
      if (asker == kNobody) asker = kSeveralAsk;
    return std::move(of_point_);
  }

 private:
  static constexpr std::uint32_t kNobody = kSeveralAsk - 1;

  const Provenance& provenance_;
  std::vector<std::uint32_t> of_point_;
  std::unordered_map<std::uint32_t, std::uint32_t> of_node_;
};

}  // namespace

std::vector<std::uint32_t> sole_askers(const Provenance& provenance, std::size_t points,
                                       const std::vector<Value>& outputs) {
  SoleAskers askers(provenance, points);
  for (std::uint32_t output = 0; output < outputs.size(); ++output) askers.visit(outputs[output], output);
  return askers.take();
}

}  // namespace swizzle
