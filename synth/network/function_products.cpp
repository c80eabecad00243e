#include "synth/network/function_products.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace swizzle {
namespace {

constexpr std::size_t kMostPlaces = 3;
constexpr std::size_t kMostParts = 4096;                                  // of a function
constexpr std::size_t kMostWork = 1 << 22, kMostWorkOfOutputs = 1 << 20;  // parts of values that functions come to
constexpr BufferId kSymbols(0xffff);                                      // stand for what is fetched

}  // namespace

void FunctionProducts::note(const RingEquation& part) {
  if (is_whole_) {
    if (part.expected.is_node()) needed_.insert(part.expected.aux);
    if (provenance_.has_choice(part.actual)) note_function(part.ring, part.actual.as_node());
    return;
  }
  // What is there whatever the holes are may have to be taken away again.
  for (const Value side : {part.expected, part.actual})
    for (const Term& term : provenance_.terms(part.ring, part.scalar, side))
      for (NodeId factor : term.factors) needed_.insert(factor.value);
  visit(part.ring, part.actual);
}

// Down to the factors of what is added up.
void FunctionProducts::visit(Ring ring, Value v) {
  if (!provenance_.has_choice(v) || !visited_.emplace(v.aux, ring).second) return;
  const Node& n = provenance_.node(v);
  if (n.kind == Node::Kind::kChoice && fetches_.is_plain(v.as_node())) {
    fetched_.push_back(v);
  } else if (n.kind == Node::Kind::kOpaque || (n.combines() && n.ring != ring)) {
    note_function(ring, v.as_node());
  } else {
    std::vector<Value> parts;
    n.for_each_part([&](Value part) { parts.push_back(part); });
    for (Value part : parts) visit(ring, part);
  }
}

void FunctionProducts::note_function(Ring ring, NodeId function) {
  Nodes fetches;
  std::set<std::uint32_t> seen;
  if (!find_fetches(Value::node(function), fetches, seen) || fetches.empty()) return;
  const Placement& placement = place_all(function, fetches);
  const auto [known, fresh] = family_of_.try_emplace({placement.of_symbols.value, ring}, families_.size());
  if (fresh) families_.push_back({ring, function, fetches, placement.names, seen.size(), {}, {}});
  std::vector<Nodes> leaves;
  for (NodeId fetch : fetches) leaves.push_back(leaves_of(fetch).nodes);
  families_[known->second].of.insert(std::move(leaves));
  uses_.emplace(function.value, Use{known->second, std::move(fetches)});
}

// False: something decides that is no fetch of nodes.
bool FunctionProducts::find_fetches(Value v, Nodes& fetches, std::set<std::uint32_t>& seen) {
  if (!provenance_.has_choice(v) || !seen.insert(v.aux).second) return true;
  const Node& n = provenance_.node(v);
  if (n.kind == Node::Kind::kChoice) {
    if (!fetches_.is_plain(v.as_node())) return false;
    const Leaves& leaves = leaves_of(v.as_node());
    if (leaves.has_constants || leaves.nodes.empty()) return false;
    fetches.push_back(v.as_node());
    return fetches.size() <= kMostPlaces;
  }
  if ((n.kind != Node::Kind::kOpaque && !n.combines()) || seen.size() > kMostParts) return false;
  bool all = true;
  n.for_each_part([&](Value part) { all = all && find_fetches(part, fetches, seen); });
  return all;
}

const FunctionProducts::Leaves& FunctionProducts::leaves_of(NodeId choice) {
  const auto [it, fresh] = leaves_.try_emplace(choice.value);
  Leaves& leaves = it->second;
  if (!fresh) return leaves;
  std::unordered_set<std::uint32_t> seen;
  std::vector<Value> pending{Value::node(choice)};
  while (!pending.empty()) {
    const Value v = pending.back();
    pending.pop_back();
    if (!v.is_node()) leaves.has_constants = leaves.has_constants || !v.is_undefined();
    else if (!seen.insert(v.aux).second) continue;
    else if (provenance_.node(v).kind != Node::Kind::kChoice) leaves.nodes.push_back(v.as_node());
    else provenance_.node(v).for_each_part([&](Value part) { pending.push_back(part); });
  }
  std::ranges::sort(leaves.nodes);
  return leaves;
}

NodeId FunctionProducts::symbol(std::size_t place, NodeId fetch) {
  const Scalar s = provenance_.node(leaves_of(fetch).nodes[0]).scalar;
  const auto number = static_cast<std::int64_t>(s) * 16 + static_cast<std::int64_t>(place);
  return provenance_.input(kSymbols, number, s).as_node();
}

// The function of symbols, each for what the fetch of that place brings.
NodeId FunctionProducts::in_order(NodeId function, const Nodes& fetches, const Order& order) {
  Nodes symbols;
  for (std::size_t i = 0; i < order.size(); ++i) symbols.push_back(symbol(order[i], fetches[i]));
  const Value made = with(function, fetches, symbols);
  return made.is_node() ? made.as_node() : function;
}

// Of all orders, the one whose function was made first. Places have the same name if some other order makes the same.
FunctionProducts::Placement FunctionProducts::place(NodeId function, const Nodes& fetches) {
  Placement placement;
  Order order(fetches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    const NodeId node = in_order(function, fetches, order);
    std::vector<std::uint32_t>& names = placement.names;
    if (!placement.of_symbols.valid() || node < placement.of_symbols) {
      placement = {node, order, std::vector<std::uint32_t>(order.size())};
      std::iota(names.begin(), names.end(), 0u);
    } else if (node == placement.of_symbols) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        const std::uint32_t a = names[placement.order[i]], b = names[order[i]];
        std::ranges::replace(names, std::max(a, b), std::min(a, b));
      }
    }
  } while (std::ranges::next_permutation(order).found);
  return placement;
}

// Fetches are put in the order of the placement. What is alike in one order is alike in all.
const FunctionProducts::Placement& FunctionProducts::place_all(NodeId function, Nodes& fetches) {
  Order as_they_are(fetches.size());
  std::iota(as_they_are.begin(), as_they_are.end(), std::size_t{0});
  const auto [known, fresh] = placements_.try_emplace(in_order(function, fetches, as_they_are).value);
  if (fresh) known->second = place(function, fetches);
  Nodes placed(fetches.size());
  for (std::size_t i = 0; i < fetches.size(); ++i) placed[known->second.order[i]] = fetches[i];
  fetches = std::move(placed);
  return known->second;
}

// What the function comes to where its fetches bring these.
Value FunctionProducts::with(NodeId function, const Nodes& fetches, const Nodes& values) {
  DecidedValues known;
  for (std::size_t i = 0; i < fetches.size(); ++i) known.emplace(fetches[i].value, Value::node(values[i]));
  return provenance_.normalize(provenance_.resolve_known(Value::node(function), {}, known));
}

void FunctionProducts::complete() {
  if (!any()) return;
  note_what_is_fetched();
  for (std::size_t f = 0; f < families_.size(); ++f) {
    seen_.clear();
    for (const std::vector<Nodes>& leaves : families_[f].of)
      if (families_[f].fits) go_through(f, leaves);
    families_[f].values.assign(seen_.begin(), seen_.end());
  }
  std::erase_if(products_, [&](const auto& product) {
    return !needed_.contains(product.first) || !families_[product.second.family].fits;
  });
  std::erase_if(uses_, [&](const auto& use) { return !families_[use.second.family].fits; });
  for (auto& [function, use] : uses_)
    for (std::size_t place = 0; place < use.fetches.size(); ++place)
      use.fetches[place] =
          provenance_
              .map_leaves(Value::node(use.fetches[place]), [&](Value leaf) { return brought(use.family, place, leaf); })
              .as_node();
}

// What stands below choices that are factors themselves, each seen once.
void FunctionProducts::note_what_is_fetched() {
  while (!fetched_.empty()) {
    const Value v = fetched_.back();
    fetched_.pop_back();
    if (!v.is_node() || !brought_as_they_are_.insert(v.aux).second) continue;
    if (provenance_.node(v).kind == Node::Kind::kChoice)
      provenance_.node(v).for_each_part([&](Value part) { fetched_.push_back(part); });
  }
}

void FunctionProducts::go_through(std::size_t number, const std::vector<Nodes>& leaves) {
  std::size_t left = 1;
  for (const Nodes& some : leaves) left *= some.size();
  work_ += left * families_[number].parts;
  if (work_ > (is_whole_ ? kMostWorkOfOutputs : kMostWork)) families_[number].fits = false;
  for (std::size_t n = 0; n < left && families_[number].fits; ++n) {
    Nodes fetched;
    std::size_t rest = n;
    for (const Nodes& some : leaves) {
      fetched.push_back(some[rest % some.size()]);
      rest /= some.size();
    }
    families_[number].fits = take(number, fetched);
  }
}

// False: it is needed and may come of others, or is a sum.
bool FunctionProducts::take(std::size_t number, const Nodes& fetched) {
  Family& family = families_[number];
  const Value v = with(family.function, family.places, fetched);
  if (v.is_undefined()) return true;
  seen_.insert(v);
  if (!v.is_node()) return take_constant(family, v);
  if (!is_whole_ && (!is_one_term(family, v) || brought_as_they_are_.contains(v.aux))) return false;
  Product product{number, {}};
  for (std::size_t place = 0; place < fetched.size(); ++place)
    product.factors.push_back(brought(number, place, Value::node(fetched[place])).as_node());
  std::ranges::sort(product.factors);
  if (values_.try_emplace(product.factors, v.aux).first->second != v.aux) return false;
  const Product& known = products_.try_emplace(v.aux, product).first->second;
  if (known.factors == product.factors || !needed_.contains(v.aux)) return true;
  families_[known.family].fits = false;
  return false;
}

// 0 adds nothing, but to a set; of what is left then, another constant brings nothing that a monomial has.
bool FunctionProducts::take_constant(Family& family, Value v) const {
  if (truth(v) != false) family.may_be_constant = true;
  return is_whole_ || !is_set(family.ring);
}

bool FunctionProducts::is_one_term(const Family& family, Value v) const {
  const Node& n = provenance_.node(v);
  return n.kind == Node::Kind::kOpaque || (n.combines() && n.ring != family.ring);
}

Value FunctionProducts::brought(std::size_t number, std::size_t place, Value leaf) {
  if (!leaf.is_node()) return leaf;
  constexpr std::size_t kOutputs = 100'000;
  const std::size_t name = (is_whole_ ? kOutputs : 0) + number * kMostPlaces + families_[number].names[place];
  return provenance_.opaque(kOpaquePlace + static_cast<std::uint32_t>(name), provenance_.node(leaf).scalar, {leaf});
}

std::span<const NodeId> FunctionProducts::fetches_of(NodeId function) const {
  const auto use = uses_.find(function.value);
  return use == uses_.end() ? std::span<const NodeId>() : use->second.fetches;
}

std::optional<std::size_t> FunctionProducts::family_of(NodeId function) const {
  const auto use = uses_.find(function.value);
  return use == uses_.end() ? std::nullopt : std::optional(use->second.family);
}

bool FunctionProducts::may_be_constant(NodeId function) const {
  const auto family = family_of(function);
  return family && families_[*family].may_be_constant;
}

Factors FunctionProducts::as_product(const Factors& monomial) const {
  const auto has_places = [&](NodeId factor) {
    const auto product = products_.find(factor.value);
    return product != products_.end() && product->second.factors.size() > 1;
  };
  if (std::ranges::count_if(monomial, has_places) > 1) return monomial;
  Factors factors;
  for (NodeId factor : monomial) {
    const auto product = products_.find(factor.value);
    if (product == products_.end()) factors.push_back(factor);
    else factors.insert(factors.end(), product->second.factors.begin(), product->second.factors.end());
  }
  std::ranges::sort(factors);
  return factors;
}

}  // namespace swizzle
