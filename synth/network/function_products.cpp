#include "synth/network/function_products.h"

#include <algorithm>
#include <numeric>

namespace swizzle {
namespace {

constexpr std::size_t kMostPlaces = 3;
constexpr std::size_t kMostParts = 4096;    // of a function
constexpr std::size_t kMostWork = 1 << 22;  // parts of values that functions come to
constexpr BufferId kSymbols(0xffff);        // stand for what is fetched

bool is_sum_like(const Node& n) { return n.kind == Node::Kind::kRing || n.kind == Node::Kind::kAppended; }

}  // namespace

void FunctionProducts::note(Ring ring, Value actual) { visit(ring, actual); }

// Down to the factors of what is added up.
void FunctionProducts::visit(Ring ring, Value v) {
  if (!provenance_.has_choice(v) || !visited_.emplace(v.aux, ring).second) return;
  const Node& n = provenance_.node(v);
  if (n.kind == Node::Kind::kChoice && fetches_.is_plain(v.as_node())) {
    for (NodeId leaf : leaves_of(v.as_node())) brought_as_they_are_.insert(leaf.value);
  } else if (n.kind == Node::Kind::kOpaque || (is_sum_like(n) && n.ring != ring)) {
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
  std::vector<std::uint32_t> names;
  const NodeId of_symbols = place_all(function, fetches, names);
  const auto [known, fresh] = family_of_.try_emplace({of_symbols.value, ring}, families_.size());
  if (fresh) families_.push_back({ring, function, fetches, names, seen.size(), {}});
  std::vector<Nodes> leaves;
  for (NodeId fetch : fetches) leaves.push_back(leaves_of(fetch));
  families_[known->second].of.insert(std::move(leaves));
  uses_.emplace(function.value, Use{known->second, std::move(fetches)});
}

// False: something decides that is no fetch of nodes.
bool FunctionProducts::find_fetches(Value v, Nodes& fetches, std::set<std::uint32_t>& seen) {
  if (!provenance_.has_choice(v) || !seen.insert(v.aux).second) return true;
  const Node& n = provenance_.node(v);
  if (n.kind == Node::Kind::kChoice) {
    const auto is_constant = [](const Value& leaf) { return !leaf.is_node() && !leaf.is_undefined(); };
    if (!fetches_.is_plain(v.as_node()) || leaves_of(v.as_node()).empty() ||
        std::ranges::any_of(provenance_.leaves(v), is_constant))
      return false;
    fetches.push_back(v.as_node());
    return fetches.size() <= kMostPlaces;
  }
  if ((n.kind != Node::Kind::kOpaque && !is_sum_like(n)) || seen.size() > kMostParts) return false;
  bool all = true;
  n.for_each_part([&](Value part) { all = all && find_fetches(part, fetches, seen); });
  return all;
}

const FunctionProducts::Nodes& FunctionProducts::leaves_of(NodeId choice) {
  const auto [it, fresh] = leaves_.try_emplace(choice.value);
  if (!fresh) return it->second;
  for (const Value& leaf : provenance_.leaves(Value::node(choice)))
    if (leaf.is_node()) it->second.push_back(leaf.as_node());
  std::ranges::sort(it->second);
  return it->second;
}

NodeId FunctionProducts::symbol(std::size_t place, NodeId fetch) {
  const Scalar s = provenance_.node(leaves_of(fetch)[0]).scalar;
  const auto number = static_cast<std::int64_t>(s) * 16 + static_cast<std::int64_t>(place);
  return provenance_.input(kSymbols, number, s).as_node();
}

// The function of symbols, each for what one fetch brings: of all orders, the one that was made first. Fetches are put
// in that order; places have the same name if some other order makes the same.
NodeId FunctionProducts::place_all(NodeId function, Nodes& fetches, std::vector<std::uint32_t>& names) {
  std::vector<std::size_t> order(fetches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  NodeId least;
  Nodes placed;
  std::vector<std::size_t> first;  // of all orders that make the least
  do {
    Nodes symbols;
    for (std::size_t i = 0; i < order.size(); ++i) symbols.push_back(symbol(order[i], fetches[i]));
    const Value made = with(function, fetches, symbols);
    const NodeId node = made.is_node() ? made.as_node() : function;
    if (!least.valid() || node < least) {
      least = node;
      first = order;
      names.assign(order.size(), 0);
      std::iota(names.begin(), names.end(), 0u);
      placed.resize(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) placed[order[i]] = fetches[i];
    } else if (node == least) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        const std::uint32_t a = names[first[i]], b = names[order[i]];
        std::ranges::replace(names, std::max(a, b), std::min(a, b));
      }
    }
  } while (std::ranges::next_permutation(order).found);
  fetches = std::move(placed);
  return least;
}

// What the function comes to where its fetches bring these.
Value FunctionProducts::with(NodeId function, const Nodes& fetches, const Nodes& values) {
  DecidedValues known;
  for (std::size_t i = 0; i < fetches.size(); ++i) known.emplace(fetches[i].value, Value::node(values[i]));
  return provenance_.normalize(provenance_.resolve_known(Value::node(function), {}, known));
}

void FunctionProducts::complete() {
  for (std::size_t f = 0; f < families_.size(); ++f)
    for (const std::vector<Nodes>& leaves : families_[f].of)
      if (families_[f].fits) go_through(f, leaves);
  std::erase_if(products_, [&](const auto& product) { return !families_[product.second.family].fits; });
  std::erase_if(uses_, [&](const auto& use) { return !families_[use.second.family].fits; });
  for (auto& [function, use] : uses_)
    for (std::size_t place = 0; place < use.fetches.size(); ++place)
      use.fetches[place] =
          provenance_
              .map_leaves(Value::node(use.fetches[place]), [&](Value leaf) { return brought(use.family, place, leaf); })
              .as_node();
}

void FunctionProducts::go_through(std::size_t number, const std::vector<Nodes>& leaves) {
  std::size_t left = 1;
  for (const Nodes& some : leaves) left *= some.size();
  work_ += left * families_[number].parts;
  if (work_ > kMostWork) families_[number].fits = false;
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

// False: what comes of it may come of others, or is not one factor.
bool FunctionProducts::take(std::size_t number, const Nodes& fetched) {
  const Family& family = families_[number];
  const Value v = with(family.function, family.places, fetched);
  if (v.is_undefined()) return true;
  const bool is_factor = v.is_node() && (provenance_.node(v).kind == Node::Kind::kOpaque ||
                                         (is_sum_like(provenance_.node(v)) && provenance_.node(v).ring != family.ring));
  if (!is_factor || brought_as_they_are_.contains(v.aux)) return false;
  Product product{number, {}};
  for (std::size_t place = 0; place < fetched.size(); ++place)
    product.factors.push_back(brought(number, place, Value::node(fetched[place])).as_node());
  std::ranges::sort(product.factors);
  if (values_.try_emplace(product.factors, v.aux).first->second != v.aux) return false;
  const Product& known = products_.try_emplace(v.aux, product).first->second;
  if (known.family != number) families_[known.family].fits = false;
  return known.factors == product.factors;
}

Value FunctionProducts::brought(std::size_t number, std::size_t place, Value leaf) {
  if (!leaf.is_node()) return leaf;
  const std::size_t name = number * kMostPlaces + families_[number].names[place];
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

std::vector<NodeId> FunctionProducts::values_of(std::size_t family) const {
  std::vector<NodeId> values;
  for (const auto& [value, product] : products_)
    if (product.family == family) values.push_back(NodeId(value));
  return values;
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
