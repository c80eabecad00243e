#include "driver/array_fixes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "synth/layouts/layout_search.h"
#include "synth/machine/residency.h"
#include "synth/problem/pose.h"

namespace swizzle {
namespace {

// "copy" of "copy<4>".
std::string template_name(const std::string& kernel) { return kernel.substr(0, kernel.find('<')); }

struct WavefrontSums {
  std::int64_t of_array = 0, ideal = 0;  // total, of the array
  std::int64_t excess = 0, others = 0;   // of the array, of all else
  std::size_t gaps = 0, remarks = 0;
};

WavefrontSums sums_of(const CheckReport& report, const std::string& kernel_name, const std::string& array) {
  WavefrontSums sums;
  sums.gaps = uncounted(report).size();
  for (const KernelCheck& kernel : report.kernels) {
    sums.remarks += kernel.trace.remarks.size();
    const bool is_its = template_name(kernel.name) == kernel_name;
    for (const AccessSite& site : kernel.trace.sites) {
      if (site.space != MemorySpace::kShared) continue;
      const bool is_here = is_its && site.array == array;
      if (is_here) {
        sums.of_array += site.total;
        sums.ideal += site.total_ideal;
        sums.excess += site.excess();
      } else {
        sums.others += site.excess();
      }
    }
  }
  return sums;
}

std::int64_t static_shared_bytes(const Program& program) {
  std::int64_t bytes = 0;
  for (const Variable& v : program.variables)
    if (v.is_shared && !v.is_extern) bytes += program.type(v.type).size_bytes;
  return bytes;
}

// An array with conflicts in the first kernel that shows them; the kernels that have it, with its extents in each.
struct Conflicting {
  const CheckedKernel* kernel = nullptr;
  SharedArray array;
  std::vector<std::string> kernels;
  std::vector<std::vector<std::int64_t>> instances;
};

class FixesOfArray {
 public:
  FixesOfArray(const CheckedFile& file, const CheckRequest& request, const Conflicting& of)
      : file_(file),
        request_(request),
        of_(of),
        kernel_name_(template_name(of.kernel->name)) {
    request_.only = of.kernels;  // a change concerns no others
  }

  std::vector<ArrayFix> found(FixKinds kinds) {
    const auto before = counted(source().text());
    if (!before || before->excess == 0 || passes_rows() || may_pass_rows()) return {};
    before_ = *before;
    std::optional<ArrayFix> pad = kinds == FixKinds::kAll ? best_pad() : std::nullopt, swizzle = best_swizzle();
    if (pad && swizzle && goes_before(*swizzle, *pad)) std::swap(pad, swizzle);
    std::vector<ArrayFix> fixes;
    for (std::optional<ArrayFix>* fix : {&pad, &swizzle}) {
      if (!*fix) continue;
      (*fix)->is_alternative = !fixes.empty();
      fixes.push_back(std::move(**fix));
    }
    return fixes;
  }

 private:
  bool has_array(const KernelCheck& kernel) const { return std::ranges::count(of_.kernels, kernel.name) > 0; }

  bool passes_rows() const {
    return std::ranges::any_of(file_.report.kernels, [&](const KernelCheck& kernel) {
      return has_array(kernel) && kernel.trace.passed_rows.contains(of_.array.name);
    });
  }

  // t[0][i + 32 * j] in a branch that was not taken.
  bool may_pass_rows() const {
    const auto is_reached = [&](const CheckedKernel& kernel, const Expr& e) {
      return std::ranges::any_of(file_.report.kernels, [&](const KernelCheck& check) {
        return check.name == kernel.name && std::ranges::any_of(check.trace.sites, [&](const AccessSite& site) {
                 return site.range.begin <= e.range.begin && e.range.end <= site.range.end;
               });
      });
    };
    return std::ranges::any_of(file_.kernels, [&](const CheckedKernel& kernel) {
      return std::ranges::count(of_.kernels, kernel.name) > 0 &&
             std::ranges::any_of(kernel.program.exprs, [&](const Expr& e) {
               return is_of_first_row(kernel.program, e) && !is_reached(kernel, e);
             });
    });
  }

  // `array[0][…]` with an index that is no number.
  bool is_of_first_row(const Program& program, const Expr& e) const {
    if (e.kind != ExprKind::kSubscript || program.expr(e.operands[1]).kind == ExprKind::kIntLiteral) return false;
    ExprId row = e.operands[0];
    while (program.expr(row).kind == ExprKind::kCast) row = program.expr(row).operands[0];
    const Expr& outer = program.expr(row);
    if (outer.kind != ExprKind::kSubscript) return false;
    const Expr &index = program.expr(outer.operands[1]), &array = program.expr(outer.operands[0]);
    return index.kind == ExprKind::kIntLiteral && index.int_value == 0 && array.kind == ExprKind::kVariable &&
           program.variable(array.variable).name == of_.array.name;
  }

  // The least that leaves fewest wavefronts.
  std::optional<ArrayFix> best_pad() const {
    const SharedArray& array = of_.array;
    if (array.pitch <= 1 || array.pitch % array.together != 0) return std::nullopt;
    const std::int64_t unit = std::lcm(widest_access_bytes(), array.element_bytes) / array.element_bytes;
    std::optional<ArrayFix> best;
    for (const std::int64_t more : {unit, 2 * unit, 4 * unit, 8 * unit}) {
      ArrayChange change = padded(source(), array, more);
      if (is_ideal(best) || static_bytes() + change.bytes_more > kMostStaticSharedBytes) break;
      keep_better(best, std::move(change));
    }
    if (best) best->needs_proof = array.is_flat();
    return best;
  }

  // Those that serve the worst request of each access best come first.
  std::optional<ArrayFix> best_swizzle() const {
    constexpr int kMostTried = 4;
    const auto problem = tile_problem();
    if (!problem) return std::nullopt;
    std::vector<RankedLayout> members = swizzles_of(largest_instance(), problem->memory);
    std::erase_if(members, [&](const RankedLayout& member) {
      return std::ranges::any_of(of_.instances, [&](const auto& extents) { return !serves(member.layout, extents); });
    });
    std::optional<ArrayFix> best;
    for (int tried = 0; tried < kMostTried && !is_ideal(best); ++tried) {
      const auto choice = search_layout(*problem, members);
      if (!choice) break;
      keep_better(best, swizzled(source(), of_.array, choice->layout));
      std::erase_if(members, [&](const RankedLayout& member) { return member.layout == choice->layout; });
    }
    // Rows of other lengths have other names for it.
    const auto is_other = [&](const auto& extents) { return extents != of_.array.extents; };
    if (best && std::ranges::any_of(of_.instances, is_other)) best->change.swizzle.clear();
    return best;
  }

  // As many rows, or elements of a flat array, as any instance has: bits beyond are masked.
  SharedArray largest_instance() const {
    SharedArray largest = of_.array;
    const std::size_t at = largest.is_flat() ? 0 : largest.extents.size() - 2;
    for (const auto& extents : of_.instances) largest.extents[at] = std::max(largest.extents[at], extents[at]);
    return largest;
  }

  // The worst request of each access, as cells. Nothing: one leaves the array, or splits what stays together.
  std::optional<TileProblem> tile_problem() const {
    const SharedArray& array = of_.array;
    TileProblem problem;
    problem.memory = memory_of(of_.kernel->program);
    problem.columns = static_cast<int>(array.extents.back());
    problem.rows = array.is_flat() ? 1 : static_cast<int>(array.extents[array.extents.size() - 2]);
    const std::int64_t tile = std::int64_t{problem.rows} * problem.columns;
    for (const AccessSite* site : sites()) {
      if (!site->worst_request) continue;
      TileAccess access;
      access.operation = shared_operation(site->operation);
      access.bits = site->bits;
      access.element_bytes = array.element_bytes;
      access.tile_stride = tile;
      access.weight = static_cast<double>(site->requests);
      for (const auto& bytes : site->worst_request->addresses) {
        access.lanes.emplace_back();
        if (!bytes) continue;
        const std::int64_t element = *bytes / array.element_bytes, in_tile = element % tile;
        if (*bytes < 0 || element >= array.elements()) return std::nullopt;
        access.lanes.back() =
            TileCell{static_cast<int>(in_tile / problem.columns), static_cast<int>(in_tile % problem.columns),
                     static_cast<int>(*bytes % array.element_bytes), static_cast<int>(element / tile)};
      }
      problem.accesses.push_back(std::move(access));
    }
    return problem;
  }

  std::vector<const AccessSite*> sites() const {
    std::vector<const AccessSite*> found;
    for (const KernelCheck& kernel : file_.report.kernels)
      for (const AccessSite& site : kernel.trace.sites)
        if (kernel.name == of_.kernel->name && site.space == MemorySpace::kShared && site.array == of_.array.name)
          found.push_back(&site);
    return found;
  }

  int widest_access_bytes() const {
    int widest = of_.array.together * of_.array.element_bytes;
    for (const KernelCheck& kernel : file_.report.kernels)
      for (const AccessSite& site : kernel.trace.sites)
        if (has_array(kernel) && site.space == MemorySpace::kShared &&
            (site.array == of_.array.name || site.array.empty()))
          widest = std::max(widest, site.bits / 8);
    return widest;
  }

  // Counts the changed file; `best` becomes it, if it leaves fewer conflicts and nothing else is worse.
  void keep_better(std::optional<ArrayFix>& best, ArrayChange change) const {
    const auto counts = counted(edited(source(), change.edits));
    if (!counts) return;
    const WavefrontSums& after = *counts;
    const std::int64_t least = best ? best->wavefronts_after - best->ideal : before_.excess;
    if (after.excess >= least || after.others > before_.others || after.gaps > before_.gaps ||
        after.remarks > before_.remarks || after.ideal != before_.ideal)
      return;
    best = ArrayFix{of_.kernel->name, of_.array.name, of_.array.declared, std::move(change),
                    before_.of_array, after.of_array, after.ideal};
  }

  std::optional<WavefrontSums> counted(std::string text) const {
    CheckRequest request = request_;
    request.text = std::move(text);
    const auto checked = check_kernels(request);
    if (!checked.ok()) return std::nullopt;
    return sums_of(checked->report, kernel_name_, of_.array.name);
  }

  static bool is_ideal(const std::optional<ArrayFix>& fix) { return fix && fix->wavefronts_after == fix->ideal; }

  bool goes_before(const ArrayFix& swizzle, const ArrayFix& pad) const {
    if (swizzle.wavefronts_after != pad.wavefronts_after) return swizzle.wavefronts_after < pad.wavefronts_after;
    int threads = 1;
    for (const KernelCheck& kernel : file_.report.kernels)
      if (kernel.name == of_.kernel->name) threads = std::max(threads, kernel.shape.threads_per_block());
    return resident_blocks(static_bytes() + pad.change.bytes_more, threads) < resident_blocks(static_bytes(), threads);
  }

  const SourceText& source() const { return of_.kernel->program.source; }
  std::int64_t static_bytes() const { return static_shared_bytes(of_.kernel->program); }

  const CheckedFile& file_;
  CheckRequest request_;
  const Conflicting& of_;
  std::string kernel_name_;
  WavefrontSums before_;
};

// What one instance of a template makes of an array, and another.
void join(std::optional<SharedArray>& array, const std::optional<SharedArray>& of_instance) {
  if (!array || !of_instance || (array->is_flat() && array->pitch != of_instance->pitch)) return array.reset();
  array->together = std::max(array->together, of_instance->together);
  array->can_repeat = array->can_repeat && of_instance->can_repeat;
}

// Of a template, each instance has to allow it.
std::vector<Conflicting> conflicting_arrays(const CheckedFile& file) {
  std::set<std::pair<std::string, std::string>> conflicts;  // kernel, array
  for (const KernelCheck& kernel : file.report.kernels)
    for (const AccessSite& site : kernel.trace.sites)
      if (site.space == MemorySpace::kShared && site.excess() > 0) conflicts.insert({kernel.name, site.array});
  struct AtPlace {
    std::optional<SharedArray> array;
    std::vector<std::string> kernels;
    std::vector<std::vector<std::int64_t>> instances;
    const CheckedKernel* first = nullptr;
  };
  std::map<std::uint32_t, AtPlace> places;
  for (const CheckedKernel& kernel : file.kernels)
    for (std::uint32_t v = 0; v < kernel.program.variables.size(); ++v) {
      const Variable& variable = kernel.program.variables[v];
      if (!variable.is_shared) continue;
      const auto found = shared_array(kernel.program, VariableId{v});
      const auto [at, is_new] = places.try_emplace(variable.range.begin, AtPlace{found, {}, {}, nullptr});
      if (!is_new) join(at->second.array, found);
      at->second.kernels.push_back(kernel.name);
      if (found) at->second.instances.push_back(found->extents);
      if (at->second.first != nullptr || !conflicts.contains({kernel.name, variable.name})) continue;
      at->second.first = &kernel;
      if (!at->second.array) continue;
      at->second.array->extents = found->extents;
      at->second.array->element_bytes = found->element_bytes;
    }
  std::vector<Conflicting> out;
  for (auto& [place, at] : places)
    if (at.first != nullptr && at.array)
      out.push_back({at.first, std::move(*at.array), std::move(at.kernels), std::move(at.instances)});
  return out;
}

}  // namespace

std::vector<ArrayFix> array_fixes(const CheckedFile& file, const CheckRequest& request, FixKinds kinds) {
  std::vector<ArrayFix> fixes;
  for (const Conflicting& of : conflicting_arrays(file))
    for (ArrayFix& fix : FixesOfArray(file, request, of).found(kinds)) fixes.push_back(std::move(fix));
  return fixes;
}

std::string fixed_text(const CheckedFile& file, const std::vector<ArrayFix>& fixes) {
  std::vector<SourceEdit> edits;
  for (const ArrayFix& fix : fixes) edits.insert(edits.end(), fix.change.edits.begin(), fix.change.edits.end());
  return edited(file.report.source, edits);
}

}  // namespace swizzle
