// Which sizes a proof is tried for, one after the other: all of them, classes of them, multiples, those that are given.
#include "synth/proof/all_sizes_proof.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "synth/proof/block_digits.h"
#include "synth/proof/class_proof.h"
#include "synth/proof/compared_assignments.h"
#include "synth/proof/conditions_text.h"
#include "synth/proof/counted_loop.h"
#include "synth/proof/difference_sizes.h"
#include "synth/proof/element_results.h"
#include "synth/proof/flat_loops.h"
#include "synth/proof/guarded_loops.h"
#include "synth/proof/interchanged_loops.h"
#include "synth/proof/launch_cases.h"
#include "synth/proof/loop_counters.h"
#include "synth/proof/loop_heads.h"
#include "synth/proof/loop_tails.h"
#include "synth/proof/loops_from_zero.h"
#include "synth/proof/multiple_sizes.h"
#include "synth/proof/periodic_loops.h"
#include "synth/proof/plain_references.h"
#include "synth/proof/pointer_names.h"
#include "synth/proof/product_axes.h"
#include "synth/proof/real_bounds.h"
#include "synth/proof/recomputed_elements.h"
#include "synth/proof/reversed_loops.h"
#include "synth/proof/size_bound.h"
#include "synth/proof/staged_rows.h"
#include "synth/proof/stride_loops.h"
#include "synth/proof/symbolic_run.h"
#include "synth/proof/thread_digits.h"
#include "synth/proof/tile_loops.h"
#include "synth/proof/updates.h"

namespace swizzle {
namespace {

constexpr double kSecondsForTails = 0.2;                      // or without
constexpr double kShareForAnyQuotient = 0.3;                  // where sizes divide others, and not multiples alone
constexpr double kSecondsForMore = 1.4, kShareForMore = 0.3;  // for more values of parameters than the one they have

// As blocks share out a size, or in the first order of digits that serves: one that the kernel divides by, before
// others.
AllSizesProof prove_residues(const Program& kernel, const Program& spec, const AdmissibleSizes& admissible,
                             const std::vector<Sizes>& known, const Residues& residues, const Deadline& deadline,
                             const Program* undivided = nullptr) {
  const std::vector<SizeExpr>& grid = kernel.directives.launch->grid;
  const auto count = grid.empty() ? Result<SizeTree>(SizeTree()) : parse_size(grid[0], kernel.source);
  std::size_t orders = count.ok() ? orders_of_digits(*count) : 1;
  for (const SizeExpr& along : grid)
    if (const auto of_blocks = parse_size(along, kernel.source); of_blocks.ok())
      orders = std::max(orders, orders_of_block_digits(*of_blocks));
  const auto in_order = [&](std::size_t order, bool all_divide_digits) {
    return prove_class(kernel, spec, admissible, known, {residues, order, all_divide_digits}, deadline, undivided);
  };
  const bool is_of_one_size = count.ok() && names_in(*count).size() == 1;  // blocks share it out, mostly
  AllSizesProof proof;
  if (orders == 1 || is_of_one_size) proof = in_order(0, false);
  if (orders == 1 || proof.is_proved) return proof;
  for (std::size_t order = 0; order < orders && !deadline.passed(); ++order)
    if (AllSizesProof other = in_order(order, true); other.is_proved) return other;
  if (!is_of_one_size) proof = in_order(0, false);
  for (std::size_t order = 1; order < orders && !proof.is_proved && !deadline.passed(); ++order)
    if (AllSizesProof other = in_order(order, false); other.is_proved) proof = std::move(other);
  return proof;
}

// By what the spec calls the sizes.
std::map<std::string, std::int64_t> multiples_of(const Residues& residues, const Program& kernel, const Program& spec) {
  const auto &ours = kernel.function(kernel.entry).parameters, &theirs = spec.function(spec.entry).parameters;
  std::map<std::string, std::int64_t> out;
  for (std::size_t i = 0; i < ours.size() && i < theirs.size(); ++i)
    if (const auto found = residues.find(kernel.variable(ours[i]).name); found != residues.end())
      out[spec.variable(theirs[i]).name] = found->second.modulus;
  return out;
}

// By how much the counters of the spec's loops go on, and by what it divides, which they may be compared with.
std::set<std::int64_t> steps_of_loops(const Program& spec) {
  std::set<std::int64_t> steps;
  const auto add = [&](ExprId id) {
    if (id.valid() && spec.expr(id).kind == ExprKind::kIntLiteral && spec.expr(id).int_value > 1)
      steps.insert(spec.expr(id).int_value);
  };
  for (const Expr& e : spec.exprs)
    if (e.kind == ExprKind::kBinary && e.op == Operator::kDiv) add(e.operands[1]);
  for (const Stmt& s : spec.stmts)
    if (const auto loop = s.kind == StmtKind::kFor ? counted_loop(spec, s) : std::nullopt) add(loop->step);
  return steps;
}

// And what the sizes of a class leave.
std::vector<std::string> with_divisions(std::vector<std::string> conditions, const Residues& residues) {
  for (const auto& [name, residue] : residues)
    if (residue.modulus > 1) conditions.push_back(fmt::format("{} % {} == {}", name, residue.modulus, residue.rest));
  return conditions;
}

// Of the class, the sizes next to these.
bool admits_any(const AdmissibleSizes& admissible, Sizes sizes, const Residues& residues) {
  for (const auto& [name, residue] : residues) {
    std::int64_t& size = sizes[name];
    size += (residue.rest - size % residue.modulus + residue.modulus) % residue.modulus;
  }
  return admissible.admits(sizes);
}

// The sizes as they are; else by classes of what sizes that are divided leave.
AllSizesProof prove(const Program& kernel, const Program& spec, const AdmissibleSizes& admissible,
                    const std::vector<Sizes>& known, const Deadline& deadline) {
  AllSizesProof proof = prove_residues(kernel, spec, admissible, known, {}, deadline);
  if (!proof.is_proved && proof.reason.ends_with(kUndividedLength))
    for (const std::int64_t step : steps_of_loops(spec))
      if (AllSizesProof other = prove_class(kernel, spec, admissible, known, {{}, 0, false, step}, deadline);
          other.is_proved)
        return other;
  const std::vector<Residues> classes = proof.is_proved ? std::vector<Residues>() : residue_classes(kernel, spec);
  std::vector<std::vector<std::string>> conditions;
  bool are_tails_first = false;  // as it was in the class before
  for (const Residues& residues : classes) {
    const auto tails = with_loop_tails(spec, multiples_of(residues, kernel, spec));
    const auto as_it_is = [&](const Deadline& until) {
      return prove_residues(kernel, spec, admissible, known, residues, until);
    };
    const auto by_tails = [&] {
      return prove_residues(kernel, *tails, admissible, known, residues, deadline.within(kSecondsForTails), &spec);
    };
    AllSizesProof of_class =
        tails && are_tails_first ? by_tails() : as_it_is(tails ? deadline.within(kSecondsForTails) : deadline);
    if (tails && !of_class.is_proved && !are_tails_first) {
      of_class = by_tails();
      are_tails_first = of_class.is_proved;
    }
    if (tails && !of_class.is_proved) of_class = as_it_is(deadline);
    if (!of_class.is_proved) {  // the first class is that of multiples
      if (!conditions.empty() && admits_any(admissible, known.front(), classes.front()))
        proof.of_multiples = with_divisions(conditions.front(), classes.front());
      return proof;
    }
    conditions.push_back(std::move(of_class.conditions));
  }
  return classes.empty() ? proof : AllSizesProof{.is_proved = true, .conditions = in_all_classes(conditions)};
}

// Of sizes that are proved for one value and not for all: multiples of as small a power of two as is seen.
AllSizesProof prove_multiples(const Program& kernel, const Program& spec, const AdmissibleSizes& kept,
                              const AdmissibleSizes& varying, const std::vector<Sizes>& known,
                              const Deadline& deadline) {
  constexpr std::int64_t kMost = 256;
  Residues multiples;
  for (const auto& [name, value] : known.front())
    if (!kept.varies(name) && value > 0 && value % 2 == 0) multiples[name] = {std::min(value & -value, kMost), 0};
  AllSizesProof proof;
  const auto is_proved_for = [&](const Residues& residues) {
    AllSizesProof of = prove_class(kernel, spec, varying, known, {residues}, deadline);
    const bool is_proved = of.is_proved;
    if (is_proved) proof = std::move(of);
    return is_proved;
  };
  if (multiples.empty() || !is_proved_for(multiples)) return proof;
  for (auto& [name, residue] : multiples) {
    bool is_more = true;
    while (is_more && residue.modulus > 1) {
      residue.modulus /= 2;
      is_more = is_proved_for(multiples);
    }
    if (!is_more) residue.modulus *= 2;
  }
  proof.conditions = with_divisions(std::move(proof.conditions), multiples);
  return proof;
}

AllSizesProof prove_launch(const Program& kernel, const Program& spec, const std::vector<Sizes>& known,
                           const Deadline& deadline) {
  const auto kept = AdmissibleSizes::of(kernel, known);
  if (!kept.ok()) return {.reason = kept.errors().front().message};
  std::string why_not_more;
  if (kept->keeps_any()) {
    const auto varying = AdmissibleSizes::of(kernel, known, OneValue::kVaries);
    const Deadline half = kShareForMore * deadline.left() > Deadline::patient(kSecondsForMore)
                              ? deadline.share(kShareForMore)
                              : deadline.within(kSecondsForMore);
    AllSizesProof more = prove(kernel, spec, *varying, known, half);
    const auto handed = AdmissibleSizes::of(kernel, known, OneValue::kHandedStays);
    if (!more.is_proved && handed->keeps_any() && handed->conditions() != kept->conditions()) {
      more = prove(kernel, spec, *handed, known, deadline.within(kSecondsForMore));
      more.keeps_sizes = true;
    }
    if (!more.is_proved) {
      why_not_more = std::move(more.reason);
      more = prove_multiples(kernel, spec, *kept, *varying, known, half);
      more.keeps_sizes = true;
    }
    if (more.is_proved) return more;
  }
  const bool is_for_one =
      std::ranges::none_of(known.front(), [&](const auto& size) { return kept->varies(size.first); });
  // What a launch of another size would be is known: that nothing is, is no proof.
  if (is_for_one && !known.front().empty() && !is_fixed(kernel.directives.launch->grid, kernel.source))
    return {.reason = std::move(why_not_more), .keeps_sizes = true};
  AllSizesProof proof = is_for_one ? AllSizesProof{.is_proved = true, .conditions = kept->conditions()}
                                   : prove(kernel, spec, *kept, known, deadline);
  proof.keeps_sizes = kept->keeps_any();
  return proof;
}

// Each of the cases; the conditions are those of all.
AllSizesProof prove_cases(const LaunchCases& cases, const Program& spec, const std::vector<Sizes>& known,
                          const Deadline& deadline) {
  std::vector<std::vector<std::string>> conditions;
  bool keeps_sizes = false;
  for (const Program& kernel : cases.kernels) {
    AllSizesProof proof = prove_launch(kernel, spec, known, deadline);
    proof.of_multiples.clear();  // of this case alone
    if (!proof.is_proved) return proof;
    conditions.push_back(std::move(proof.conditions));
    keeps_sizes = keeps_sizes || proof.keeps_sizes;
  }
  std::vector<std::string> all = in_all_classes(conditions);
  for (const auto& [name, most] : cases.most) bound_by(most, name, all);
  return {.is_proved = true, .conditions = std::move(all), .keeps_sizes = keeps_sizes};
}

// A program whose loops count as the proof follows them.
class RewrittenLoops {
 public:
  explicit RewrittenLoops(const Program& program) : original_(program) {
    rewrite(with_plain_references);
    rewrite(with_compared_assignments);
    rewrite(with_calls_before_loops);
    rewrite(with_own_counters);
    rewrite(with_integer_bounds);
    rewrite(with_own_pointers);
    rewrite(with_named_elements);
    rewrite(with_interchanged_loops);
    rewrite(with_recomputed_elements);
    rewrite(with_loops_over_elements);
  }
  void rewrite(std::optional<Program> (*with)(const Program&)) {
    if (auto other = with(program())) rewritten_ = std::move(other);
  }
  const Program& program() const { return rewritten_ ? *rewritten_ : original_; }

 private:
  const Program& original_;
  std::optional<Program> rewritten_;
};

AllSizesProof prove_counted(const Program& kernel, const Program& spec, const std::vector<Sizes>& known,
                            const Deadline& deadline) {
  const LaunchCases unbounded = launch_cases(kernel, false);
  if (!unbounded.most.empty() || unbounded.are_wider)
    if (AllSizesProof proof = prove_cases(unbounded, spec, known, deadline.within(kSecondsForMore)); proof.is_proved)
      return proof;
  const LaunchCases cases = launch_cases(kernel, true);
  return cases.kernels.empty() ? prove_launch(kernel, spec, known, deadline)
                               : prove_cases(cases, spec, known, deadline);
}

// By axes of its own, of a grid that is a product along one; with the bounds that the launch itself has.
AllSizesProof prove_products(const Program& kernel, const Program& spec, const std::vector<Sizes>& known,
                             const Deadline& deadline) {
  const auto split = with_axes_of_products(kernel);
  if (!split) return {};
  AllSizesProof proof = prove_counted(*split, spec, known, deadline);
  std::vector<std::string> bounds;
  for (const SizeBound& bound : launch_bounds(kernel))
    bounds.push_back(bound.size.empty() ? bound.text : fmt::format("{} <= {}", bound.size, bound.most));
  if (proof.is_proved) proof.conditions = in_all_classes({std::move(proof.conditions), std::move(bounds)});
  return proof;
}

// The kernel, whose sizes of these names in the spec are at least 1.
Program for_positive(Program kernel, const NestedLoops& nested) {
  const auto &ours = kernel.function(kernel.entry).parameters,
             &theirs = nested.spec.function(nested.spec.entry).parameters;
  for (std::size_t i = 0; i < ours.size() && i < theirs.size(); ++i)
    if (nested.sizes.contains(nested.spec.variable(theirs[i]).name))
      kernel.directives.assumptions.push_back({{"1", {}}, {kernel.variable(ours[i]).name, {}}, "<="});
  return kernel;
}

}  // namespace

std::string AllSizesProof::holds_for() const { return fmt::format("{}", fmt::join(conditions, ", ")); }

static AllSizesProof prove_in_some_way(const Program& kernel, const Program& spec, const std::vector<Sizes>& known,
                                       const Deadline& deadline) {
  RewrittenLoops of_kernel(kernel);
  of_kernel.rewrite(with_element_results);
  RewrittenLoops of_spec(spec);
  if (std::ranges::any_of(kernel.exprs, is_atomic)) of_spec.rewrite(with_updates);
  of_spec.rewrite(with_element_results);
  of_spec.rewrite(with_guards_for_bounds);  // a kernel's threads leave their loops one by one
  AllSizesProof proof = prove_counted(of_kernel.program(), of_spec.program(), known, deadline);
  if (proof.is_proved) return proof;
  if (const auto from_zero = with_loops_from_zero(of_spec.program()))
    if (AllSizesProof other = prove_counted(of_kernel.program(), *from_zero, known, deadline); other.is_proved)
      return other;
  if (AllSizesProof other = prove_products(of_kernel.program(), of_spec.program(), known, deadline); other.is_proved)
    return other;
  for (const Program& reversed : with_reversed_loops(of_spec.program())) {
    if (deadline.passed()) break;
    AllSizesProof other = prove_counted(of_kernel.program(), reversed, known, deadline);
    if (other.is_proved) return other;
  }
  if (const auto staged = with_staged_rows(of_kernel.program()))
    if (AllSizesProof other = prove_counted(staged->kernel, of_spec.program(), known, deadline); other.is_proved) {
      for (const auto& [name, most] : staged->most) bound_by(most, name, other.conditions);
      return other;
    }
  if (const auto periodic = with_periodic_loops(of_kernel.program()))
    if (AllSizesProof other = prove_counted(*periodic, of_spec.program(), known, deadline); other.is_proved)
      return other;
  if (const auto turned = with_turns_as_blocks(of_kernel.program()))
    if (AllSizesProof other = prove_counted(turned->kernel, of_spec.program(), known, deadline); other.is_proved) {
      for (const auto& [name, most] : turned->most) bound_by(most, name, other.conditions);
      return other;
    }
  for (const NestedLoops& nested : with_nested_loops(of_spec.program())) {
    if (deadline.passed()) break;
    AllSizesProof other = prove_counted(for_positive(of_kernel.program(), nested), nested.spec, known, deadline);
    if (other.is_proved) return other;
  }
  return proof;
}

AllSizesProof prove_all_sizes(const Program& kernel, const Program& spec, const std::vector<Sizes>& known,
                              const Deadline& deadline) {
  if (const auto differences = with_difference_sizes(kernel, spec, known)) {
    AllSizesProof proof = prove_all_sizes(differences->kernel, differences->spec, differences->known, deadline);
    if (proof.is_proved)
      proof.conditions = in_all_classes({differences->conditions(proof.conditions), bounds_of_minuends(kernel)});
    proof.suspect.reset();
    proof.of_multiples.clear();
    return proof;
  }
  const auto multiples = with_multiple_sizes(kernel, spec, known);
  const Deadline until = multiples ? deadline.share(kShareForAnyQuotient) : deadline;
  AllSizesProof proof = prove_in_some_way(kernel, spec, known, until);
  if (!proof.is_proved && multiples)
    if (AllSizesProof other = prove_all_sizes(multiples->kernel, multiples->spec, multiples->known, deadline);
        other.is_proved) {
      other.conditions = multiples->conditions(other.conditions);
      return other;
    }
  for (auto* conditions : {&proof.conditions, &proof.of_multiples})
    *conditions = without_what_others_say(with_one_bound_each(*conditions));
  return proof;
}

}  // namespace swizzle
