#include "synth/proof/class_proof.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "synth/machine/wavefronts.h"
#include "synth/proof/expected_stores.h"
#include "synth/proof/gathered.h"
#include "synth/proof/in_place.h"
#include "synth/proof/region_assumptions.h"
#include "synth/proof/size_bound.h"
#include "synth/proof/thread_digits.h"
#include "synth/proof/updates.h"
#include "synth/provenance/data_cases.h"
#include "synth/provenance/definedness.h"
#include "synth/provenance/fractions.h"
#include "synth/provenance/orders.h"

namespace swizzle {
namespace {

constexpr int kMostRegions = 4096;

class Prover {
 public:
  Prover(const Program& kernel, const Program& spec, const Program* undivided, const Deadline& deadline)
      : kernel_(kernel),
        spec_(spec),
        undivided_(undivided),
        deadline_(deadline) {}

  AllSizesProof run(const AdmissibleSizes& admissible, const std::vector<Sizes>& known, const SizeClass& of) {
    if (spec_.is_kernel) return give_up("the spec is a kernel");
    auto whole = whole_region(kernel_, admissible, known, {}, of);
    if (const auto steps = whole.ok() ? steps_in(*whole) : std::nullopt)
      whole = whole_region(kernel_, admissible, known, *steps, of);
    if (!whole.ok()) return give_up(whole.errors().front().message);
    if (const auto& machine = kernel_.directives.machine) whole->lanes = shared_memory_of(machine->name)->lanes;
    *whole = narrowed_by_assumptions(kernel_, std::move(*whole));
    if (undivided_ != nullptr)
      if (std::string why = why_stores_meet(kernel_, *undivided_, *whole, spec_sizes(*whole), deadline_); !why.empty())
        return give_up(std::move(why));
    prove(*whole, admissible, true);
    if (!proof_.is_proved && iterations_.has_other_shares && !deadline_.passed()) {
      AllSizesProof first = std::exchange(proof_, {});
      prove(*whole, admissible, false);
      if (!proof_.is_proved) proof_ = std::move(first);
    }
    return proof_;
  }

 private:
  // takes_last: of the dimensions that may share out a loop of the spec.
  void prove(SizeRegion whole, const AdmissibleSizes& admissible, bool takes_last) {
    iterations_ = iterations_of(kernel_, spec_, whole, spec_sizes(whole), deadline_,
                                {.takes_last = takes_last, .are_apart = undivided_ != nullptr});
    if (!iterations_.reason.empty()) return void(give_up(iterations_.reason));
    more_.assign(whole.carried.size(), std::nullopt);
    bounded_last_.reset();
    slice(whole);
    std::vector<SizeRegion> open{whole};
    if (auto beyond = beyond_digits(whole)) open.push_back(*std::move(beyond));
    while (!open.empty()) {
      proof_.reason.clear();
      if (++proof_.regions > kMostRegions || deadline_.passed())
        return void(give_up("there was no time to look at all cases"));
      if (!look_at_last(open)) return;
    }
    proof_.is_proved = true;
    proof_.conditions = conditions(admissible, whole);
  }

  // Takes the last of the regions that are open, and opens what it is split into. False: here the proof ends.
  bool look_at_last(std::vector<SizeRegion>& open) {
    SizeRegion region = std::move(open.back());
    open.pop_back();
    bool is_assumed_away = false;
    auto split = split_by_assumptions(kernel_, region, is_assumed_away);
    if (!split && is_assumed_away) return true;
    const bool is_assumed = split.has_value();
    if (!is_assumed) split = look_at(region);
    if (split && (is_assumed || region.slices.empty())) {
      for (SizeRegion& part : region.parts(*split)) open.push_back(std::move(part));
    } else if (split || !proof_.reason.empty()) {
      SizeRegion again = region;
      if (!takes_more_care(again)) {
        suspect(region);
        return false;
      }
      open.push_back(std::move(again));
    }
    return true;
  }

  AllSizesProof& give_up(std::string reason) {
    if (proof_.reason.empty()) proof_.reason = std::move(reason);
    return proof_;
  }
  static std::set<std::string> launched(const SizeRegion& region) {
    std::set<std::string> sizes;
    for (std::size_t d = 0; d < region.dimensions.size(); ++d)
      if (d != kTurns && region.dimensions[d]) sizes.insert(region.dimensions[d]->size);
    return sizes;
  }

  // Of the kernel's loops over sizes that the launch does not know.
  std::optional<LoopSteps> steps_in(SizeRegion whole) const {
    const auto known = launched(whole);
    const auto is_free = [&](const auto& size) { return !size.second.is_constant() && !known.contains(size.first); };
    if (std::ranges::none_of(whole.sizes, is_free)) return std::nullopt;
    Elements elements(followed_by_bits(kernel_), ranges_of(kernel_, whole));
    const auto sizes = whole.sizes;
    return run_symbolically(kernel_, whole, elements, sizes, nullptr, nullptr, deadline_).trace.steps;
  }

  // Where nothing is shared, a warp with a share of the block's iterations may stand for all.
  void slice(SizeRegion& whole) const {
    const auto& [x, y, z] = whole.threads;
    const bool are_rows = x == 32 && y > 1, are_in_line = x > 32 && x % 32 == 0 && y == 1;
    if (z != 1 || (!are_rows && !are_in_line) || whole.lanes != 32 || whole.numbered) return;
    if (std::ranges::any_of(kernel_.variables, [](const Variable& v) { return v.is_shared; })) return;
    for (const std::size_t dimension : are_rows ? std::array{0, 1} : std::array{1, 0}) {
      std::vector<std::int64_t> shares;
      for (const LoopNest& nest : iterations_.nests)
        for (const SharedLoop& shared : nest.shared)
          if (shared.dimension == dimension) shares.push_back(shared.share);
      const auto is_even = [&](std::int64_t share) { return share % whole.warps() == 0; };
      if (!shares.empty() && std::ranges::all_of(shares, is_even)) whole.slices.push_back(dimension);
    }
    if (!whole.slices.empty()) whole.warp = Polynomial::atom(whole.fresh(whole.warps() - 1));
  }

  // A way that follows more, after one that failed.
  static bool takes_more_care(SizeRegion& region) {
    if (region.slices.empty() && !region.guards_all) return false;
    if (region.slices.empty()) region.guards_all = false;
    else region.slices.pop_back();
    return true;
  }

  // The kernel's sizes under the names that the spec has for them.
  std::map<std::string, Polynomial> spec_sizes(const SizeRegion& region) const {
    std::map<std::string, Polynomial> sizes;
    const auto &ours = kernel_.function(kernel_.entry).parameters, &theirs = spec_.function(spec_.entry).parameters;
    for (std::size_t i = 0; i < ours.size() && i < theirs.size(); ++i)
      if (const auto it = region.sizes.find(kernel_.variable(ours[i]).name); it != region.sizes.end())
        sizes[spec_.variable(theirs[i]).name] = it->second;
    return sizes;
  }

  // How to split the region, if something is open there; why it is not proved, in proof_.reason.
  std::optional<Split> look_at(const SizeRegion& region) {
    SizeCase here{region,
                  spec_sizes(region),
                  Elements(followed_by_bits(kernel_), ranges_of(kernel_, region)),
                  std::vector<Stored>(iterations_.ends.size()),
                  {},
                  Extents(iterations_.ends.size())};
    here.guards().end_at(deadline_);
    for (const Polynomial& p : region.assumed) here.guards().assume(p);
    if (region.numbered)
      for (const Polynomial& p : region.numbered->in_their_blocks()) here.guards().assume(p);
    const auto split = look_at(here);
    // Maybe only what a guard decides is not followed: then with less of it.
    if (split || proof_.reason.empty() || region.guards_all || !region.slices.empty()) return split;
    for (const Polynomial& condition : here.guards().conditions())
      if (const auto halves = here.region.halves_for(condition)) return halves;
    return std::nullopt;
  }

  std::optional<Split> look_at(SizeCase& here) {
    ExpectedStores spec(spec_, iterations_, deadline_, here);
    if (const auto split = spec.add()) return split;
    if (!spec.reason().empty()) return give_up(spec.reason()), std::nullopt;
    if (!bound(spec.large(), here)) return std::nullopt;
    // A buffer is as long as a directive says, or as what the spec touches.
    for (std::size_t i = 0; i < here.extents.size(); ++i) {
      std::set<Polynomial> ends;
      for (const BufferEnd& end : iterations_.ends[i])
        if (end.holds(here.region)) ends.insert(here.region.carried[end.end]);
      for (const auto& [slot, where] : here.extents[i].touched)
        if (where == kEverywhere) {
          ends.insert(end_of_item(spec_, i, slot));
          if (!here.elements.has_quotients())  // of which others are unknown
            ends.insert(end_of_item(spec_, i, here.region.in_last_blocks(slot)));
        }
      here.extents[i].ends = longest(ends, here.region);
    }
    const SymbolicOutcome kernel =
        run_symbolically(kernel_, here.region, here.elements, here.region.sizes, nullptr, &here.extents, deadline_);
    if (kernel.split) return kernel.split;
    if (!kernel.reason.empty()) return give_up("of the kernel: " + kernel.reason), std::nullopt;
    if (iterations_.store_to_any(kernel.trace.gathered))
      return give_up("data decide what is read where others store"), std::nullopt;
    compare(kernel.trace, here);
    if (proof_.reason.empty()) bound(kernel.trace.large, here);
    return std::nullopt;
  }

  // A store that the first block along an axis makes alone, by its condition: with 0 for the block.
  StoredSymbol of_first_blocks(StoredSymbol store, SizeCase& here) const {
    if (std::ranges::none_of(iterations_.nests, &LoopNest::is_of_first_blocks) || here.elements.has_quotients())
      return store;
    for (const Polynomial& block : here.region.block) {
      const bool is_atom = block.terms().size() == 1 && block.terms()[0].coefficient == 1 &&
                           block.terms()[0].monomial > 0 && block.terms()[0].monomial <= 255;
      const Atom atom = is_atom ? static_cast<Atom>(block.terms()[0].monomial) : Atom{};
      if (!is_atom || !store.slot.has(atom)) continue;
      if (!here.guards().implies(store.stays, here.guards().at_least_0(Polynomial(0) - block), here.region)) continue;
      store.slot = store.slot.with(atom, Polynomial());
      store.value = here.elements.with(store.value, atom, Polynomial());
    }
    return store;
  }

  std::string name_of(std::size_t buffer) const {
    return kernel_.variable(kernel_.function(kernel_.entry).parameters[buffer]).name;
  }

  // False: it is none of the spec's, and here the proof ends.
  bool is_of_spec(const StoredSymbol& store, SizeCase& here) {
    Guards& guards = here.guards();
    Stored& expected = here.expected[store.buffer];
    const auto it = expected.find(store.slot);
    if (it == expected.end() || !guards.implies(store.stays, it->second.where, here.region)) {
      give_up(
          fmt::format("thread {} stores to an element of '{}' that no iteration of the spec which its block shares has",
                      store.thread, name_of(store.buffer)));
      return false;
    }
    const auto agree = [&](Value a, Value b) { return is_same(a, b, store.buffer, here.elements.provenance()); };
    if (!are_one(here.elements.provenance(), store.value, it->second.value) &&
        !guards.everywhere(store.stays, store.value, it->second.value, here.region, agree)) {
      give_up(fmt::format("thread {} stores a value to '{}' that is not seen to be the spec's", store.thread,
                          name_of(store.buffer)));
      return false;
    }
    it->second.made = guards.either(it->second.made, store.stays);
    return true;
  }

  // Each store of a thread is one of the spec's, and each of those is made.
  void compare(const SymbolicTrace& kernel, SizeCase& here) {
    Guards& guards = here.guards();
    auto& [region, sizes, elements, expected, updates, extents] = here;
    const auto is_made_once = [&](const LoopNest& nest) {
      return !nest.has_updates || nest.takes_all_blocks(region, kernel.turns_over) || nest.is_of_first_blocks;
    };
    if (!std::ranges::all_of(iterations_.nests, is_made_once) ||
        !are_same_updates(kernel.updates, updates, elements, region))
      return void(give_up("what comes to elements is not seen to be what the spec adds to them"));
    for (const StoredSymbol& store : kernel.stores) {
      if (store.stays == kNowhere) continue;
      const bool is_there = expected[store.buffer].contains(store.slot);
      if (is_there ? !is_of_spec(store, here) : !is_of_spec(of_first_blocks(store, here), here)) return;
    }
    const auto is_own = [&](const ReadInPlace& read) {
      const auto it = expected[read.buffer].find(read.slot);
      return it != expected[read.buffer].end() && guards.implies(read.where, it->second.where, region);
    };
    const auto is_repeated = [&](const ReadInPlace& read) {
      return std::ranges::any_of(iterations_.nests, [&](const LoopNest& nest) {
        return nest.buffers.contains(read.buffer) && !nest.takes_all_blocks(region, kernel.turns_over);
      });
    };
    if (!reads_before_stores(kernel, is_own) || std::ranges::any_of(kernel.in_place, is_repeated))
      return void(give_up("a buffer is read where others may have stored"));
    for (std::size_t buffer = 0; buffer < expected.size(); ++buffer)
      for (const auto& [slot, element] : expected[buffer])
        if (!guards.implies(element.where, element.made, region)) {
          give_up(fmt::format("the block stores not all elements of '{}' that the spec does", name_of(buffer)));
          return;
        }
  }

  // A constant of a sum of integers has no sign: 4294967295 is -1. What the order of elements decides may have several
  // forms.
  bool is_same(Value a, Value b, std::size_t buffer, Provenance& provenance) const {
    if (a.is_undefined() || b.is_undefined()) return false;
    a = provenance.normalize(a), b = provenance.normalize(b);
    const Type& pointer = kernel_.type(kernel_.variable(kernel_.function(kernel_.entry).parameters[buffer]).type);
    const Scalar scalar = kernel_.type(pointer.element).scalar;
    const bool integers = a.is_int() && b.is_int() && !is_real(scalar);
    if (integers || a == b) return a == b || wrap(scalar, a.bits) == wrap(scalar, b.bits);
    const auto is_defined = [&](Value v) { return v.is_node() && !provenance.node(v).maybe_undefined; };
    CasesLeft left;
    return is_defined(a) && is_defined(b) &&
           (orders_.are_alike(provenance, a, b) || Fractions(provenance).are_alike(a, b) ||
            are_alike_by_cases(provenance, a, b, left));
  }

  // By how much integers exceed sizes and buffers, where they are computed.
  bool bound(const std::vector<LargeInteger>& integers, SizeCase& here) {
    const SizeRegion& region = here.region;
    Guards& guards = here.guards();
    for (const auto& [large, where] : integers) {
      const std::vector<Polynomial>& facts = guards.facts(where, region);
      if (is_bounded(large, facts, region, guards)) continue;
      std::optional<std::pair<std::int64_t, std::size_t>> least;
      const auto try_bound = [&](std::size_t i) {
        if (const auto below = guards.least(region.carried[i] - large, facts, region, 0))
          if (const auto more = std::max<std::int64_t>(-*below, 0); !least || more < least->first) least = {more, i};
      };
      for (std::size_t i : iterations_.bounds) try_bound(i);
      for (std::size_t i : iterations_.wide_bounds)
        if (!least || least->first > INT32_MAX / 2) try_bound(i);
      if (!least || least->first > INT32_MAX / 2) {
        give_up("nothing bounds an integer that grows with the sizes");
        return false;
      }
      auto& more = more_[least->second];
      more = std::max(more.value_or(0), least->first);
    }
    return true;
  }

  // By what bounds others.
  bool is_bounded(const Polynomial& large, const std::vector<Polynomial>& facts, const SizeRegion& region,
                  Guards& guards) {
    const auto bounds_it = [&](std::size_t i) {
      if (!more_[i]) return false;
      const auto least = guards.least(region.carried[i] - large, facts, region, -*more_[i]);
      if (!least || *least < -*more_[i]) return false;
      bounded_last_ = i;
      return true;
    };
    return (bounded_last_ && bounds_it(*bounded_last_)) || std::ranges::any_of(iterations_.bounds, bounds_it) ||
           std::ranges::any_of(iterations_.wide_bounds, bounds_it);
  }

  void suspect(const SizeRegion& region) {
    Sizes sizes;
    for (const auto& [name, size] : region.sizes) sizes[name] = size.constant();  // all atoms being 0
    proof_.suspect = std::move(sizes);
  }

  std::vector<std::string> conditions(const AdmissibleSizes& admissible, const SizeRegion& whole) const {
    std::vector<std::string> parts = admissible.conditions();
    for (const auto& [name, size] : whole.sizes)
      if (!size.is_constant() && !launched(whole).contains(name)) parts.push_back("1 <= " + name);
    const bool has_digits = std::ranges::any_of(whole.digits, [](const auto& places) { return !places.empty(); });
    if (whole.numbered || has_digits) {  // that there is a thread, or a block, each digit says
      for (const SizeExpr& along : kernel_.directives.launch->grid)
        if (const auto count = parse_size(along, kernel_.source); count.ok())
          for (const std::string& product : {text_of_product(*count), text_of(*count)})
            std::erase(parts, "1 <= " + product);
      for (std::size_t d = kDigits; d < kPositions; ++d)
        if (const auto& digit = whole.dimensions[d]) {
          std::erase(parts, "1 <= " + digit->size);
          parts.push_back(fmt::format("{} <= {}", digit->unit + digit->offset, digit->size));
        }
    }
    std::map<std::string, std::int64_t> most;
    if (const auto& d = whole.dimensions[kDigits]; d && whole.threads_are_blocks)
      most[d->size] = d->unit * kMostThreadsOfBlock + d->offset + (d->is_ragged ? d->unit - 1 : 0);
    const auto add = [&](const SizeBound& bound) {
      if (bound.size.empty()) return parts.push_back(bound.text.empty() ? "no index passes 2147483647" : bound.text);
      std::int64_t& least = most.try_emplace(bound.size, bound.most).first->second;
      least = std::min(least, bound.most);
    };
    for (const SizeBound& bound : launch_bounds(kernel_)) add(bound);
    for (std::size_t i = 0; i < more_.size(); ++i)
      if (more_[i]) add(size_bound(whole, whole.carried[i], *more_[i]));
    for (const auto& [size, at_most] : most) {  // 64 <= n becomes 64 <= n <= 2147483584
      const auto least = std::find_if(parts.begin(), parts.end(), [&](const std::string& p) {
        return p.ends_with(" <= " + size) && p.find(' ') + size.size() + 4 == p.size();
      });
      if (least != parts.end()) *least += fmt::format(" <= {}", at_most);
      else parts.push_back(fmt::format("{} <= {}", size, at_most));
    }
    return in_all_classes({parts});
  }

  const Program& kernel_;
  const Program& spec_;
  const Program* undivided_;
  const Deadline& deadline_;
  Iterations iterations_;
  std::vector<std::optional<std::int64_t>> more_;  // by position in SizeRegion::carried
  std::optional<std::size_t> bounded_last_;        // likewise: of neighbours it is the same one
  mutable Orders orders_;
  AllSizesProof proof_;
};

}  // namespace

AllSizesProof prove_class(const Program& kernel, const Program& spec, const AdmissibleSizes& admissible,
                          const std::vector<Sizes>& known, const SizeClass& of, const Deadline& deadline,
                          const Program* undivided) {
  return Prover(kernel, spec, undivided, deadline).run(admissible, known, of);
}

}  // namespace swizzle
