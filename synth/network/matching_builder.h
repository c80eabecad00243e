// From groups of candidates to matchings and the fetches of their tuples: private to synth/.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "synth/network/candidate_matchings.h"

namespace swizzle {

class MatchingBuilder {
 public:
  MatchingBuilder(Provenance& provenance, const CandidateMatchingBuilder& names, ElementBuilder& fetches,
                  ConstraintNetwork& network)
      : provenance_(provenance),
        names_(names),
        fetches_(fetches),
        network_(network) {}

  // Every leaf that a monomial of the group has may be of use to each of its fetches; to be said of all groups before
  // one is added, since groups share fetches.
  void note_useful(const std::vector<CandidateMatching>& candidates, const MatchingComponent& group);
  void add(const std::vector<CandidateMatching>& candidates, const MatchingComponent& group);

 private:
  // The monomials that the fixed factors of a tuple allow (in Matching::masks), and by symbol those that have it as an
  // open factor.
  struct Served {
    std::uint32_t any;
    std::unordered_map<std::uint32_t, Mask> by_symbol;
  };
  using MaskIds = std::map<std::pair<Value::Kind, std::int64_t>, std::uint32_t>;  // by coefficient

  void list_monomials(const std::vector<CandidateMatching>& candidates, const MatchingComponent& group,
                      Matching& matching);
  void add_member(const CandidateMatching& candidate, Matching& matching);
  std::uint32_t fetch_of(NodeId choice);
  const Served& served_by(const CandidateTuple& tuple, Matching& matching);
  Matching::Tuple tuple_of(const CandidateTuple& tuple, Matching& matching);
  std::uint32_t factor_of(NodeId choice, const Served& served, Matching& matching);

  Provenance& provenance_;
  const CandidateMatchingBuilder& names_;
  ElementBuilder& fetches_;
  ConstraintNetwork& network_;
  std::unordered_map<std::uint32_t, LeafSet> useful_;  // by choice node
  std::unordered_map<std::uint32_t, std::uint32_t> fetch_ids_;
  // Of the matching under way: positions in it.
  std::unordered_map<std::uint32_t, std::uint32_t> monomial_at_, tuple_at_;
  std::map<std::pair<std::vector<NodeId>, std::size_t>, Served> served_;  // by fixed factors and number of open ones
  std::map<std::pair<std::uint32_t, const Served*>, std::uint32_t> factor_at_;  // by fetch
  std::map<std::pair<const ElementScheme*, const Served*>, std::shared_ptr<const Mask>> serves_;
};

}  // namespace swizzle
