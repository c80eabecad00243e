#include "synth/problem/functions_as_elements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "synth/provenance/casts.h"
#include "synth/provenance/concrete.h"
#include "synth/provenance/data_places.h"
#include "synth/provenance/indicators.h"

namespace swizzle {
namespace {

// Finds the functions.
class FunctionSearch {
 public:
  explicit FunctionSearch(const Provenance& provenance) : provenance_(provenance) {}

  // Of these values, all of which are sums.
  void visit(Value v) { visit(v, true); }

  // By node, the first of the inputs that it is of.
  std::map<std::uint32_t, std::uint32_t> take() {
    std::map<std::uint32_t, std::uint32_t> found;
    for (const auto& [node, inputs] : functions_)
      if (std::ranges::none_of(inputs, [&](std::uint32_t i) { return others_.contains(i); }))
        found.emplace(node, inputs[0]);
    const std::unordered_set<std::uint32_t> two = with_two_values(found);
    std::erase_if(found, [&](const auto& function) { return !two.contains(function.first); });
    return found;
  }

 private:
  // is_sum: what stands there is added up alone; else nothing is made an element.
  void visit(Value v, bool is_sum) {
    if (!v.is_node() || !seen_[is_sum].insert(v.aux).second) return;
    const Node& n = provenance_.node(v);
    if (n.kind == Node::Kind::kInput) return void(others_.insert(v.aux));
    if (is_sum && may_be_element(n)) return take_function(v);
    if (n.kind == Node::Kind::kRing && n.ring == Ring::kSum) return visit_terms(n, is_sum);
    const bool is_open = n.kind == Node::Kind::kChoice || (n.kind == Node::Kind::kAppended && n.ring == Ring::kSum);
    bool is_condition = n.kind == Node::Kind::kOpaque && n.tag == kOpaqueSelect;
    const bool chooses = is_condition || is_open;
    n.for_each_part([&](Value part) {
      visit(part, is_sum && chooses && !is_condition);
      is_condition = false;
    });
  }

  void visit_terms(const Node& sum, bool is_sum) {
    for (const Term& term : sum.terms()) {
      const auto has_some = std::ranges::count_if(term.factors, [&](NodeId f) { return may_have_function(f); });
      for (NodeId f : term.factors) visit(Value::node(f), is_sum && has_some == 1);
    }
  }

  // Conditions are followed by themselves.
  bool may_have_function(NodeId factor) const { return !is_indicator(provenance_.node(Value::node(factor))); }

  static bool may_be_element(const Node& n) {
    const bool is_operation =
        n.kind == Node::Kind::kOpaque && n.tag < kOpaqueUnwritten && n.tag != kOpaqueSelect && !is_indicator(n);
    const bool is_other_ring = n.kind == Node::Kind::kRing && n.ring != Ring::kSum;
    return (is_operation || is_other_ring) && !n.has_choice && !n.maybe_undefined && n.scalar != Scalar::kBool;
  }

  void take_function(Value v) {
    std::vector<std::uint32_t> inputs;
    std::unordered_set<std::uint32_t> seen;
    const bool is_of_bits = !collect_inputs(v, seen, inputs);
    for (std::uint32_t input : inputs) {
      const Node& n = provenance_.node(NodeId(input));
      const bool is_any = !is_data_place(n.index()) && !provenance_.value_ranges().narrowest(n.tag);
      if (!function_of_.emplace(input, v.aux).second || !is_any) others_.insert(input);
    }
    if (!inputs.empty() && !is_of_bits) functions_.emplace(v.aux, std::move(inputs));
  }

  // False: some are looked at bit by bit.
  bool collect_inputs(Value v, std::unordered_set<std::uint32_t>& seen, std::vector<std::uint32_t>& inputs) const {
    if (!v.is_node() || !seen.insert(v.aux).second) return true;
    const Node& n = provenance_.node(v);
    if (n.kind == Node::Kind::kInput) inputs.push_back(v.aux);
    bool are_whole = n.kind != Node::Kind::kBit;
    n.for_each_part([&](Value part) { are_whole = collect_inputs(part, seen, inputs) && are_whole; });
    return are_whole;
  }

  // Those that tell a coefficient.
  std::unordered_set<std::uint32_t> with_two_values(const std::map<std::uint32_t, std::uint32_t>& functions) const {
    constexpr std::uint64_t kTrials = 24;
    constexpr double kApart = 1e-3;
    std::unordered_set<std::uint32_t> two;
    std::map<std::uint32_t, double> known;  // a value: of an integer, whether it is odd
    Concrete concrete(provenance_);
    for (std::uint64_t trial = 0; trial < kTrials && two.size() < functions.size(); ++trial) {
      concrete.start(trial);
      for (const auto& [function, input] : functions) {
        const Value v = Value::node(NodeId(function));
        const auto integer = concrete.integer(v);
        const auto value = integer ? std::optional(static_cast<double>(*integer & 1)) : concrete.real(v);
        if (value && std::abs(known.try_emplace(function, *value).first->second - *value) > kApart)
          two.insert(function);
      }
    }
    return two;
  }

  const Provenance& provenance_;
  std::array<std::unordered_set<std::uint32_t>, 2> seen_;          // elsewhere, as summands
  std::map<std::uint32_t, std::vector<std::uint32_t>> functions_;  // by node: its inputs
  std::unordered_map<std::uint32_t, std::uint32_t> function_of_;   // by input
  std::unordered_set<std::uint32_t> others_;                       // inputs that come in otherwise, too
};

// abs(x) of abs(x[3])
std::string without_indices(const std::string& text) {
  std::string out;
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : 0;
    if (depth == 0) out += c;
    depth -= c == ']' ? 1 : 0;
  }
  return out;
}

}  // namespace

std::optional<std::vector<Equation>> with_functions_as_elements(const std::vector<Equation>& equations,
                                                                Provenance& provenance,
                                                                std::vector<std::string>& buffer_names) {
  FunctionSearch search(provenance);
  for (const Equation& e : equations)
    for (const Value& side : {e.actual, e.expected}) search.visit(side);
  DecidedValues known;
  std::map<std::string, BufferId> buffers;
  for (const auto& [function, input] : search.take()) {
    const Value v = Value::node(NodeId(function));
    const std::string name = without_indices(provenance.describe(v, buffer_names));
    const auto [it, is_new] = buffers.try_emplace(name, BufferId(buffer_names.size()));
    if (is_new) buffer_names.push_back(name);
    known.emplace(function,
                  provenance.input(it->second, provenance.node(NodeId(input)).index(), provenance.node(v).scalar));
  }
  if (known.empty()) return std::nullopt;
  std::vector<Equation> out = equations;
  for (Equation& e : out)
    for (Value* side : {&e.actual, &e.expected}) *side = provenance.normalize(provenance.substitute(*side, known));
  return out;
}

FunctionsAsElements::FunctionsAsElements(Problem& problem)
    : problem_(problem),
      buffers_(problem.buffer_names.size()),
      equations_(with_functions_as_elements(problem.equations, problem.provenance, problem.buffer_names)) {
  if (equations_) std::swap(*equations_, problem.equations);
}

FunctionsAsElements::~FunctionsAsElements() {
  if (equations_) problem_.equations = *std::move(equations_);
  problem_.buffer_names.resize(buffers_);
}

}  // namespace swizzle
