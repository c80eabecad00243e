// Choices up to the names of their points: private to synth/.
//
// `P ? x[3] : x[7]` and `Q ? x[3] : x[7]` have one form. A loop over k asks the same of the same elements in each
// iteration, and only the points are others; what is known of one is then known of all.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "synth/base/slot_table.h"
#include "synth/network/default_edges.h"
#include "synth/problem/problem.h"

namespace swizzle {

// A set of leaves, by CanonicalChoices::number_of.
class LeafSet {
 public:
  void insert(std::uint32_t leaf);
  bool contains(std::uint32_t leaf) const;
  bool meets(const LeafSet& other) const;
  void merge(const LeafSet& other);
  friend std::weak_ordering operator<=>(const LeafSet&, const LeafSet&) = default;

 private:
  boost::container::small_vector<std::uint64_t, 4> words_;
};

class CanonicalChoices {
 public:
  using FormId = std::uint32_t;
  static constexpr FormId kOther = 0;  // some leaf is no plain one

  // `ways` are those of `problem`; both must outlive the forms.
  CanonicalChoices(const Problem& problem, DefaultEdges& ways) : problem_(problem), ways_(ways) {}

  // Leaves (nodes without choices) are numbered as they come.
  std::uint32_t number_of(NodeId leaf) {
    if (numbers_.size() <= leaf.value) numbers_.resize(problem_.provenance.size(), NodeId::kInvalid);
    std::uint32_t& number = numbers_[leaf.value];
    if (number == NodeId::kInvalid) number = leaves_++;
    return number;
  }
  // Of a choice whose leaves are all inputs, opaque values without choices, constants, or undefined. kOther for any
  // other.
  FormId form_of(NodeId choice) {
    const FormId known = choice.value < places_.size() ? form(choice) : kUnknown;
    return known == kUnknown ? find_anew(choice) : known;
  }
  // The leaves below.
  const LeafSet& reach(FormId form) const { return forms_[form].reach; }
  // Whether other choices may have this form, too. One around which there are default edges is alone with its form.
  bool is_shared(FormId form) const { return forms_[form].shared; }
  // Whether some leaf is a constant that is not 0. A product with it is another monomial; with 0 it is nothing.
  bool has_constants(FormId form) const { return forms_[form].constants; }
  // Of a choice with a shared form: its points as they come. The same positions mean the same in all choices of a form.
  std::span<const PointId> points(NodeId choice) const {
    return {points_.data() + places_[choice.value].first_point, places_[choice.value].points};
  }

 private:
  static constexpr FormId kUnknown = ~0u;
  static constexpr std::size_t kMostPoints = 1024;  // of a shared form
  struct Form {
    LeafSet reach;
    bool shared = false, constants = false;
    std::size_t first = 0, words = 0;  // of its key, in keys_
  };
  struct Place {
    FormId form = kUnknown;
    std::uint32_t first_point = 0;  // in points_
    std::uint32_t points = 0;       // none: the form is not shared
  };

  FormId form(NodeId choice) const { return places_[choice.value].form; }
  bool is_choice(const Value& child) const { return problem_.provenance.node(child).kind == Node::Kind::kChoice; }
  bool is_plain(const Value& child);
  FormId find_anew(NodeId choice);
  FormId find(NodeId choice);
  // What the form is known by, behind keys_; its points, `most` at most, behind those in points_. False: the form is
  // not shared.
  bool spell(const Node& node, std::size_t most);
  bool spells(FormId form, std::span<const std::uint32_t> key) const;
  LeafSet reach_of(const Node& node);
  bool meets_constants(const Node& node);

  const Problem& problem_;
  DefaultEdges& ways_;
  std::vector<std::uint32_t> numbers_;  // by node
  std::uint32_t leaves_ = 0;
  std::vector<Place> places_;  // by node
  std::deque<Form> forms_{1};
  std::vector<PointId> points_;
  SlotTable known_;                  // shared forms by their keys
  std::vector<std::uint32_t> keys_;  // one behind the other
  struct Position {
    std::uint32_t spelling = 0, position = 0;
  };
  std::vector<Position> positions_;  // by point, valid where the spelling is this one
  std::uint32_t spellings_ = 0;
};

}  // namespace swizzle
