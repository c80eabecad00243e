// Equations → ring equations → drafts → clusters, and goals for the rest.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "synth/fetch_builder.h"
#include "synth/goal_compiler.h"
#include "synth/network.h"

namespace swizzle {
namespace {

// One offer of a product of fetches to an output.
struct DraftOffer {
  Value coefficient;
  Path guard;
  std::vector<NodeId> open, fixed;  // sorted
};

struct Draft {
  RingEquation equation;
  std::map<Factors, Value> needs;  // with their coefficients
  std::set<Factors> served;        // of a set: what is there whatever the holes are, and may be brought again
  std::vector<DraftOffer> offers;
};

class NetworkCompiler {
 public:
  NetworkCompiler(Problem& problem, Network& network, const Deadline& deadline)
      : problem_(problem), network_(network), provenance_(problem.provenance), deadline_(deadline), builder_(problem) {}

  std::optional<Conflict> run(const std::vector<std::size_t>& equations) {
    network_.covered.resize(problem_.equations.size(), false);
    network_.exact.resize(problem_.equations.size(), false);
    for (std::size_t e : equations)
      if (auto conflict = take_in(e)) return conflict;
    if (auto conflict = complete_groups()) return conflict;
    if (auto conflict = form_clusters()) return conflict;
    for (std::size_t c = first_cluster_; c < network_.clusters.size(); ++c)
      for (const Cluster::Member& member : network_.clusters[c].goals)
        if (parts_of_[member.equation] == 1) network_.exact[member.equation] = true;
    GoalCompiler goals(problem_, network_.goals);
    for (const RingEquation& part : rest_)
      if (deadline_.passed()) return interrupted();
      else if (auto conflict = goals.add(part)) return conflict;
    return std::nullopt;
  }

 private:
  static Conflict interrupted() {
    Conflict conflict;
    conflict.interrupted = true;
    return conflict;
  }

  std::optional<Conflict> take_in(std::size_t e) {
    std::vector<RingEquation> parts;
    network_.covered[e] = true;
    if (auto conflict = split_equation(problem_, e, parts)) return conflict;
    parts_of_[e] = parts.size();
    for (const RingEquation& part : parts)
      if (deadline_.passed()) return interrupted();
      else if (auto made = draft(part)) drafts_.push_back(std::move(*made));
      else rest_.push_back(part);
    return std::nullopt;
  }

  // Where outputs have more tuples than they need, others that were not asked for may take the rest: they join, if they
  // share a tuple with them.
  std::optional<Conflict> complete_groups() {
    std::set<TupleKey> wanting;
    for (const std::vector<std::size_t>& of : grouped())
      if (const Group group = describe(of); group.same_ring && !group.repeated && group.tuples.size() > group.monomials.size())
        wanting.insert(group.tuples.begin(), group.tuples.end());
    if (wanting.empty()) return std::nullopt;
    for (std::size_t e = 0; e < problem_.equations.size(); ++e) {
      if (network_.covered[e]) continue;
      if (deadline_.passed()) return interrupted();
      const std::size_t drafts = drafts_.size(), rest = rest_.size();
      if (auto conflict = take_in(e)) return conflict;
      const bool joins = std::any_of(drafts_.begin() + static_cast<std::ptrdiff_t>(drafts), drafts_.end(), [&](const Draft& draft) {
        return std::any_of(draft.offers.begin(), draft.offers.end(), [&](const DraftOffer& offer) { return wanting.contains({offer.open, offer.fixed}); });
      });
      if (joins) continue;
      network_.covered[e] = false;
      drafts_.erase(drafts_.begin() + static_cast<std::ptrdiff_t>(drafts), drafts_.end());
      rest_.erase(rest_.begin() + static_cast<std::ptrdiff_t>(rest), rest_.end());
    }
    return std::nullopt;
  }

  static bool is_set(Ring ring) { return ring == Ring::kMin || ring == Ring::kMax || ring == Ring::kOr; }

  // a ⊕ b, a · b of coefficients
  Value combined(const RingEquation& part, Value a, Value b) { return provenance_.combine(part.ring, part.scalar, a, b); }
  Value multiplied(const RingEquation& part, Value a, Value b) {
    return is_set(part.ring) ? a : provenance_.multiply(part.ring, part.scalar, a, b);
  }
  Value negated(const RingEquation& part, Value a) {
    if (part.ring == Ring::kXor) return a;
    return multiplied(part, a, a.is_real() ? Value::real(-1) : Value::integer(-1));
  }

  // Nothing: this output is no sum of products of inputs.
  std::optional<Draft> draft(const RingEquation& part) {
    Draft draft{part, {}, {}, {}};
    for (const Term& term : provenance_.terms(part.ring, part.scalar, part.expected)) draft.needs.emplace(term.factors, term.coefficient);
    for (const Term& term : provenance_.terms(part.ring, part.scalar, part.actual)) {
      DraftOffer offer{term.coefficient, {}, {}, {}};
      if (!expand(part, term, offer)) return std::nullopt;
      if (!offer.open.empty() || !offer.guard.empty()) {
        draft.offers.push_back(std::move(offer));
        continue;
      }
      // What the kernel adds whatever the holes are is no more needed, or to be taken away again.
      const auto it = draft.needs.find(term.factors);
      if (is_set(part.ring)) {
        if (it == draft.needs.end() || !(it->second == term.coefficient)) return std::nullopt;
        draft.served.insert(term.factors);
        draft.needs.erase(it);
      } else if (it == draft.needs.end()) {
        draft.needs.emplace(term.factors, negated(part, term.coefficient));
      } else {
        it->second = combined(part, it->second, negated(part, term.coefficient));
        if (truth(it->second) == false) draft.needs.erase(it);
      }
    }
    if (draft.needs.contains(Factors{})) return std::nullopt;
    return draft;
  }

  // A factor that is 0 unless a point has one value is a guard; what it guards may be a product itself.
  bool expand(const RingEquation& part, const Term& term, DraftOffer& offer) {
    for (NodeId factor : term.factors) {
      Value v = Value::node(factor);
      while (v.is_node() && provenance_.node(v).kind == Node::Kind::kChoice) {
        const auto guarded = guarded_value(part.ring, provenance_.node(v));
        if (!guarded) break;
        offer.guard.emplace_back(PointId(provenance_.node(v).tag), *guarded);
        v = provenance_.node(v).children[static_cast<std::size_t>(*guarded)];
      }
      if (!v.is_node()) return false;
      const Node& node = provenance_.node(v);
      if (node.kind == Node::Kind::kRing || node.kind == Node::Kind::kAppended) {
        const std::vector<Term> inner = provenance_.terms(part.ring, part.scalar, v);
        const bool foreign = inner.size() == 1 && inner[0].factors == Factors{v.as_node()};  // a sum in another algebra
        if (foreign && !node.has_choice) offer.fixed.push_back(v.as_node());
        else if (foreign || inner.size() != 1 || !expand(part, inner[0], offer)) return false;
        else offer.coefficient = multiplied(part, offer.coefficient, inner[0].coefficient);
      } else if (!node.has_choice) {
        offer.fixed.push_back(v.as_node());
      } else if (node.kind == Node::Kind::kChoice && builder_.is_plain(v.as_node())) {
        offer.open.push_back(v.as_node());
      } else {
        return false;
      }
    }
    std::sort(offer.open.begin(), offer.open.end());
    std::sort(offer.fixed.begin(), offer.fixed.end());
    return true;
  }

  // All children but one are 0, which adds nothing; to a minimum or a maximum it does.
  static std::optional<int> guarded_value(Ring ring, const Node& choice) {
    if (ring == Ring::kMin || ring == Ring::kMax) return std::nullopt;
    std::optional<int> found;
    for (std::size_t i = 0; i < choice.children.size(); ++i) {
      const Value& child = choice.children[i];
      if (truth(child) == false) continue;
      if (found) return std::nullopt;
      found = static_cast<int>(i);
    }
    return choice.children.size() > 1 ? found : std::nullopt;
  }

  using TupleKey = std::pair<std::vector<NodeId>, std::vector<NodeId>>;

  struct Group {
    std::set<Factors> monomials;
    std::set<TupleKey> tuples;
    bool repeated = false, same_ring = true;
  };

  Group describe(const std::vector<std::size_t>& of) const {
    Group group;
    for (std::size_t d : of) {
      for (const auto& [m, coefficient] : drafts_[d].needs) group.monomials.insert(m);
      group.same_ring = group.same_ring && drafts_[d].equation.ring == drafts_[of[0]].equation.ring;
      std::set<TupleKey> mine;
      for (const DraftOffer& offer : drafts_[d].offers) group.repeated |= !mine.insert({offer.open, offer.fixed}).second;
      group.tuples.merge(mine);
    }
    return group;
  }

  // Drafts that share tuples.
  std::vector<std::vector<std::size_t>> grouped() const {
    std::vector<std::size_t> group(drafts_.size());
    std::iota(group.begin(), group.end(), std::size_t{0});
    const auto root = [&](std::size_t d) {
      while (group[d] != d) d = group[d] = group[group[d]];
      return d;
    };
    std::map<TupleKey, std::size_t> first_with;
    for (std::size_t d = 0; d < drafts_.size(); ++d)
      for (const DraftOffer& offer : drafts_[d].offers) {
        const auto [it, fresh] = first_with.try_emplace({offer.open, offer.fixed}, d);
        if (!fresh) group[root(d)] = root(it->second);
      }
    std::map<std::size_t, std::vector<std::size_t>> members;
    for (std::size_t d = 0; d < drafts_.size(); ++d) members[root(d)].push_back(d);
    std::vector<std::vector<std::size_t>> groups;
    for (auto& [unused, of] : members) groups.push_back(std::move(of));
    return groups;
  }

  std::optional<Conflict> form_clusters() {
    first_cluster_ = network_.clusters.size();
    std::vector<std::vector<std::size_t>> exact;
    for (const std::vector<std::size_t>& of : grouped()) {
      const auto [monomials, tuples, repeated, same_ring] = describe(of);
      if (same_ring && tuples.size() < monomials.size()) {
        Conflict conflict;
        conflict.equation = drafts_[of[0]].equation.equation;
        conflict.needed = monomials.size();
        conflict.offered = tuples.size();
        return conflict;
      }
      const bool free = std::any_of(of.begin(), of.end(), [&](std::size_t d) {
        const std::set<Factors>& served = drafts_[d].served;
        return std::any_of(served.begin(), served.end(), [&, &needed = monomials](const Factors& m) { return needed.contains(m); });
      });
      if (same_ring && !repeated && !free && tuples.size() == monomials.size()) exact.push_back(of);
      else
        for (std::size_t d : of) rest_.push_back(drafts_[d].equation);
    }
    for (const auto& of : exact) note_useful(of);
    for (const auto& of : exact) {
      if (deadline_.passed()) return interrupted();
      add_cluster(of);
    }
    return std::nullopt;
  }

  void note_useful(const std::vector<std::size_t>& of) {
    LeafSet symbols;
    for (std::size_t d : of)
      for (const auto& [m, coefficient] : drafts_[d].needs)
        for (NodeId f : m) symbols.insert(builder_.number_of(f));
    for (std::size_t d : of)
      for (const DraftOffer& offer : drafts_[d].offers)
        for (NodeId f : offer.open) useful_[f.value].merge(symbols);
  }

  std::uint32_t fetch_of(NodeId choice) {
    const auto [it, fresh] = fetch_ids_.try_emplace(choice.value, static_cast<std::uint32_t>(network_.fetches.size()));
    if (fresh) network_.fetches.push_back(builder_.build(choice, useful_.at(choice.value)));
    return it->second;
  }

  static void set(Mask& mask, std::size_t m) { mask[m / 64] |= std::uint64_t{1} << (m % 64); }

  void add_cluster(const std::vector<std::size_t>& of) {
    Cluster cluster;
    std::map<Factors, std::size_t> monomial_ids;
    const Ring ring = drafts_[of[0]].equation.ring;
    cluster.idempotent = ring == Ring::kXor;
    for (std::size_t d : of)
      for (const auto& [m, coefficient] : drafts_[d].needs)
        if (monomial_ids.try_emplace(m, cluster.monomials.size()).second) {
          cluster.monomials.push_back(m);
          const Scalar s = drafts_[d].equation.scalar;
          const Value unit = ring == Ring::kXor ? Value::integer(-1) : Value::integer(1);
          cluster.names.push_back(provenance_.from_terms(ring, s, {Term{is_real(s) && ring != Ring::kXor ? Value::real(1) : unit, m}}));
        }
    const std::size_t words = cluster.words = (cluster.monomials.size() + 63) / 64;
    served_.clear();
    std::map<TupleKey, std::uint32_t> tuple_ids;
    for (std::size_t g = 0; g < of.size(); ++g) {
      const Draft& draft = drafts_[of[g]];
      Cluster::Member member{draft.equation.equation, Mask(words, 0)};
      std::map<std::pair<Value::Kind, std::int64_t>, std::uint32_t> fits;  // by coefficient
      for (const auto& [m, coefficient] : draft.needs) {
        set(member.needs, monomial_ids.at(m));
        const std::uint32_t mask = mask_for(cluster, fits, is_set(ring) ? Value{} : coefficient);
        set(cluster.masks[mask], monomial_ids.at(m));
      }
      cluster.goals.push_back(std::move(member));
      for (const DraftOffer& offer : draft.offers) {
        const auto [it, fresh] = tuple_ids.try_emplace({offer.open, offer.fixed}, static_cast<std::uint32_t>(cluster.tuples.size()));
        if (fresh) cluster.tuples.push_back(tuple_of(offer, cluster));
        cluster.offers.push_back({it->second, static_cast<std::uint32_t>(g), mask_for(cluster, fits, is_set(ring) ? Value{} : offer.coefficient), offer.guard});
      }
    }
    network_.clusters.push_back(std::move(cluster));
  }

  static std::uint32_t mask_for(Cluster& cluster, std::map<std::pair<Value::Kind, std::int64_t>, std::uint32_t>& known, Value coefficient) {
    const auto [it, fresh] = known.try_emplace({coefficient.kind, coefficient.bits}, static_cast<std::uint32_t>(cluster.masks.size()));
    if (fresh) cluster.masks.emplace_back(cluster.words, 0);
    return it->second;
  }

  // What must come from the open factors, once the fixed ones are there; nothing: this tuple cannot be `monomial`.
  static std::optional<Factors> missing(const Factors& monomial, const DraftOffer& offer, bool idempotent) {
    if (idempotent) {  // x & x = x: an open factor may repeat another
      for (NodeId f : offer.fixed)
        if (std::find(monomial.begin(), monomial.end(), f) == monomial.end()) return std::nullopt;
      return monomial;
    }
    Factors rest = monomial;
    for (NodeId f : offer.fixed) {
      const auto it = std::find(rest.begin(), rest.end(), f);
      if (it == rest.end()) return std::nullopt;
      rest.erase(it);
    }
    if (rest.size() != offer.open.size()) return std::nullopt;
    return rest;
  }

  // By symbol: the monomials that have it as an open factor, and (under kAny) those that the fixed factors allow at all.
  using Served = std::unordered_map<std::uint32_t, Mask>;
  static constexpr std::uint32_t kAny = NodeId::kInvalid;

  const Served& served_by(const DraftOffer& offer, const Cluster& cluster) {
    auto [it, fresh] = served_.try_emplace({offer.fixed, offer.open.size()});
    if (!fresh) return it->second;
    Served& served = it->second;
    served[kAny].assign(cluster.words, 0);
    for (std::size_t m = 0; m < cluster.monomials.size(); ++m) {
      const auto rest = missing(cluster.monomials[m], offer, cluster.idempotent);
      if (!rest) continue;
      set(served[kAny], m);
      for (NodeId f : *rest) {
        Mask& mask = served[f.value];
        mask.resize(cluster.words, 0);
        set(mask, m);
      }
    }
    return served;
  }

  Cluster::Tuple tuple_of(const DraftOffer& offer, const Cluster& cluster) {
    const Served& served = served_by(offer, cluster);
    Cluster::Tuple tuple{{}, served.at(kAny), offer.fixed};
    for (NodeId choice : offer.open) {
      Cluster::Factor factor{fetch_of(choice), {}};
      const std::vector<NodeId>& leaves = network_.fetches[factor.fetch].leaves;
      factor.serves.assign(leaves.size() * cluster.words, 0);
      for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
        if (const auto it = served.find(leaves[leaf].value); it != served.end())
          std::copy(it->second.begin(), it->second.end(), factor.serves.begin() + static_cast<std::ptrdiff_t>(leaf * cluster.words));
      tuple.factors.push_back(std::move(factor));
    }
    return tuple;
  }

  Problem& problem_;
  Network& network_;
  Provenance& provenance_;
  const Deadline& deadline_;
  FetchBuilder builder_;
  std::map<std::size_t, std::size_t> parts_of_;  // by equation
  std::vector<Draft> drafts_;
  std::vector<RingEquation> rest_;  // for goals
  std::size_t first_cluster_ = 0;
  std::map<std::pair<std::vector<NodeId>, std::size_t>, Served> served_;  // by fixed factors and number of open ones
  std::unordered_map<std::uint32_t, LeafSet> useful_;             // by choice node
  std::unordered_map<std::uint32_t, std::uint32_t> fetch_ids_;
};

}  // namespace

std::optional<Conflict> add_equations(Problem& problem, const std::vector<std::size_t>& equations, Network& network, const Deadline& deadline) {
  return NetworkCompiler(problem, network, deadline).run(equations);
}

std::optional<Conflict> add_requirement(Problem& problem, std::size_t requirement, Network& network) {
  return GoalCompiler(problem, network.goals).requirement(requirement);
}

std::vector<std::size_t> covering_equations(const Problem& problem) {
  std::vector<std::size_t> chosen;
  std::vector<bool> node_seen(problem.provenance.size(), false), point_seen(problem.points.size(), false);
  std::vector<std::uint32_t> pending;
  for (std::size_t e = 0; e < problem.equations.size(); ++e) {
    bool fresh = false;
    const auto push = [&](Value v) {
      if (!v.is_node() || !problem.provenance.has_choice(v) || node_seen[v.aux]) return;
      node_seen[v.aux] = true;
      pending.push_back(v.aux);
    };
    push(problem.equations[e].actual);
    while (!pending.empty()) {
      const Node& node = problem.provenance.node(NodeId(pending.back()));
      pending.pop_back();
      if (node.kind == Node::Kind::kChoice && !point_seen[node.tag]) point_seen[node.tag] = fresh = true;
      for (const Value& child : node.children) push(child);
      for (const Term& term : node.terms)
        for (NodeId f : term.factors) push(Value::node(f));
    }
    if (fresh || !problem.provenance.has_choice(problem.equations[e].actual)) chosen.push_back(e);
  }
  return chosen;
}

std::string explain(const Conflict& conflict, const Problem& problem) {
  if (conflict.hole.valid()) {
    const HoleKind kind = problem.holes[conflict.hole.value].kind;
    if (problem.holes[conflict.hole.value].is_xor) return fmt::format("no XOR with bits of its arguments of hole {} gives what its points must have", conflict.hole.value + 1);
    return fmt::format("no {} of hole {} gives what its points must have",
                       kind == HoleKind::kXform ? "grouping, fanning and rotation" : kind == HoleKind::kPart ? "partition" : "condition", conflict.hole.value + 1);
  }
  if (conflict.equation == Goal::npos) return problem.requirements[conflict.requirement].message;
  const Equation& e = problem.equations[conflict.equation];
  const std::string output = fmt::format("{}[{}]", problem.buffer_names[e.buffer.value], e.slot);
  if (!e.stored) return fmt::format("{} is never stored", output);
  if (conflict.needed > conflict.offered)
    return fmt::format("{}, written by thread {}, and the outputs computed with it need {} different products, and the sketch offers {}", output,
                       e.thread, conflict.needed, conflict.offered);
  if (!conflict.missing.is_undefined())
    return fmt::format("{}, written by thread {}, needs {}, which no choice of the holes brings there", output, e.thread,
                       problem.provenance.describe(conflict.missing, problem.buffer_names));
  return fmt::format("{}, written by thread {}, cannot become {}", output, e.thread, problem.provenance.describe(e.expected, problem.buffer_names));
}

}  // namespace swizzle
