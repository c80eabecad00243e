#include "driver/assumed_sizes.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driver/check_launch.h"

namespace swizzle {
namespace {

constexpr std::int64_t kOtherSizes[] = {1056, 2048, 1023};  // an odd number of warps, a power of two, an odd number
constexpr std::int64_t kFewer[] = {64, 16};
constexpr std::int64_t kUnlike[] = {1024, 128, 16};  // quotients of two are not 1

// Each of those that are assumed is `size`.
Sizes with_assumed(std::int64_t size, const KernelCheck& check) {
  Sizes sizes(check.sizes.begin(), check.sizes.end());
  for (const std::string& name : check.assumed) sizes[name] = size;
  return sizes;
}

// They are unlike each other, the first of them largest or smallest.
Sizes with_unlike(bool falling, const KernelCheck& check) {
  Sizes sizes(check.sizes.begin(), check.sizes.end());
  for (std::size_t i = 0; i < check.assumed.size(); ++i)
    sizes[check.assumed[i]] = kUnlike[(falling ? i : check.assumed.size() - 1 - i) % std::size(kUnlike)];
  return sizes;
}

// "n = 1024, a block of 256 threads"
std::string what_is_assumed(bool assumes_block, const KernelCheck& check) {
  std::vector<std::string> all;
  for (const auto& [name, value] : check.sizes)
    if (std::ranges::count(check.assumed, name) > 0) all.push_back(fmt::format("{} = {}", name, value));
  if (assumes_block) all.push_back(fmt::format("a block of {}", counted(check.shape.threads_per_block(), "thread")));
  return fmt::format("{}", fmt::join(all, ", "));
}

bool is_of_places(const Violation& violation) {
  return violation.rule == "out-of-bounds" || violation.rule == "misaligned";
}

bool is_same_place(const AccessSite& a, const AccessSite& b) {
  return a.range.begin == b.range.begin && a.range.end == b.range.end && a.call_site.begin == b.call_site.begin &&
         a.operation == b.operation && a.bits == b.bits;
}

// Null: no request goes there.
const AccessSite* same_site(const AccessTrace& trace, const AccessSite& site) {
  const auto found = std::ranges::find_if(trace.sites, [&](const AccessSite& s) { return is_same_place(s, site); });
  return found == trace.sites.end() || found->requests == 0 ? nullptr : &*found;
}

class Doubts {
 public:
  Doubts(const SourceText& source, KernelCheck& check) : source_(source), check_(check) {}

  // With `name`, which has another size there than is assumed; empty: all have.
  void compare(const AccessTrace& other, const std::string& name, std::int64_t size) {
    if (!other.is_complete) return;
    for (const AccessSite& site : other.sites) {
      const AccessSite* assumed = same_site(check_.trace, site);
      const bool is_free = assumed == nullptr || (assumed->excess() == 0 && assumed->not_counted == 0);
      if (site.space == MemorySpace::kShared && site.excess() > 0 && is_free && told_.insert(site.range.begin).second)
        tell(site, assumed != nullptr ? assumed->worst : 0, name, size);
    }
  }

 private:
  void tell(const AccessSite& site, int assumed, const std::string& name, std::int64_t size) {
    const bool is_pointer = !name.empty() && std::ranges::find(check_.assumed, name) == check_.assumed.end();
    const std::string now = wavefronts(site.worst), size_name = name.empty() ? check_.assumed[0] : name;
    const std::string said =
        is_pointer
            ? fmt::format("this takes {} if {} is null, which nothing tells; say it: --set {}=0, or 1", now, name, name)
            : fmt::format("this rests on what is assumed of {}: it takes {} at {}, and {} at {}; say it: --set {}=…",
                          name.empty() ? fmt::format("{}", fmt::join(check_.assumed, ", ")) : name, wavefronts(assumed),
                          size_of(size_name), now, size, size_name);
    Diagnostic d = make_diagnostic(Severity::kWarning, source_, site.range, said);
    check_.trace.remarks.push_back(d);
    check_.trace.uncounted.push_back(std::move(d));
  }
  static std::string wavefronts(int n) { return n == 1 ? "1 wavefront" : fmt::format("{} wavefronts", n); }
  std::int64_t size_of(const std::string& name) const {
    return std::ranges::find(check_.sizes, name, &std::pair<std::string, std::int64_t>::first)->second;
  }

  const SourceText& source_;
  KernelCheck& check_;
  std::set<std::uint32_t> told_;
};

}  // namespace

void assume_fewer(const TraceAtSizes& trace_at, KernelCheck& check) {
  const auto accesses_any = [](const AccessTrace& trace) {
    return std::ranges::any_of(trace.sites, [](const AccessSite& site) { return site.requests > 0; });
  };
  for (const std::int64_t size : kFewer) {
    if (check.assumed.size() < 3 || !check.trace.is_complete || accesses_any(check.trace)) return;
    const Sizes sizes = with_assumed(size, check);
    AccessTrace trace = trace_at(sizes);
    if (!accesses_any(trace)) continue;
    check.trace = std::move(trace);
    for (auto& [name, value] : check.sizes) value = sizes.at(name);
  }
}

void doubt_violations(const TraceAtSizes& trace_at,
                      const std::function<AccessTrace(const std::array<int, 3>&)>& in_block, KernelCheck& check) {
  const bool assumes_block = in_block != nullptr;
  const auto may_be_none = [&](const Violation& violation) { return assumes_block || is_of_places(violation); };
  if ((check.assumed.empty() && !assumes_block) || std::ranges::none_of(check.trace.violations, may_be_none)) return;
  std::vector<std::vector<Violation>> in_others, others;  // of blocks; and of sizes, which say more of places alone
  if (assumes_block)
    for (const std::array<int, 3>& block :
         {std::array{check.lanes, 1, 1}, std::array{16, 16, 1}, std::array{128, 1, 1}, std::array{256, 1, 1}})
      in_others.push_back(in_block(block).violations);
  for (const std::int64_t size : {kFewer[0], kFewer[1], std::int64_t{1}})
    if (!check.assumed.empty()) others.push_back(trace_at(with_assumed(size, check)).violations);
  for (const bool falling : {true, false})
    if (check.assumed.size() > 1) others.push_back(trace_at(with_unlike(falling, check)).violations);
  const auto is_same = [](const Violation& a, const Violation& b) {
    return a.rule == b.rule && a.said.where.line == b.said.where.line && a.said.where.column == b.said.where.column;
  };
  const std::string said =
      fmt::format(", with {}, as is assumed: {} says otherwise", what_is_assumed(assumes_block, check),
                  assumes_block ? "--launch" : fmt::format("--set {}=…", check.assumed[0]));
  std::erase_if(check.trace.violations, [&](const Violation& violation) {
    const auto is_there = [&](const std::vector<Violation>& there) {
      return std::ranges::any_of(there, [&](const Violation& v) { return is_same(v, violation); });
    };
    const bool is_always =
        std::ranges::all_of(in_others, is_there) && (!is_of_places(violation) || std::ranges::all_of(others, is_there));
    if (is_always) return false;
    for (Diagnostic& remark : check.trace.remarks)
      if (remark.message == violation.said.message && remark.where.line == violation.said.where.line)
        remark.message += said;
    return true;
  });
}

namespace {

// Numbers that what is made of parameters is compared with, or divided by.
class DecidingNumbers {
 public:
  explicit DecidingNumbers(const Program& program) : program_(program) {
    for (const Function& f : program.functions) parameters_.insert(f.parameters.begin(), f.parameters.end());
  }

  std::vector<std::int64_t> run() {
    for (const Expr& e : program_.exprs)
      if (e.kind == ExprKind::kBinary && e.operands.size() == 2) look_at(e);
    for (const Stmt& s : program_.stmts)
      if (s.kind == StmtKind::kSwitch && names_parameter(s.expr)) has_switch_ = true;
    for (const Stmt& s : program_.stmts)
      if (has_switch_) std::ranges::for_each(s.case_values, [&](std::int64_t n) { add(n); });
    return {numbers_.begin(), numbers_.end()};
  }

 private:
  void add(std::int64_t n) {
    constexpr std::int64_t kMost = 1 << 20;
    if (n >= 0 && n <= kMost) numbers_.insert(n);
  }

  bool names_parameter(ExprId id) const {
    const Expr& e = program_.expr(id);
    return (e.kind == ExprKind::kVariable && parameters_.contains(e.variable)) ||
           std::ranges::any_of(e.operands, [&](ExprId operand) { return names_parameter(operand); });
  }

  void look_at(const Expr& e) {
    const bool is_order =
        e.op == Operator::kLt || e.op == Operator::kLe || e.op == Operator::kGt || e.op == Operator::kGe;
    if (!is_order && e.op != Operator::kEq && e.op != Operator::kNe && e.op != Operator::kDiv) return;
    for (std::size_t i = 0; i < 2; ++i) {
      const Expr* literal = &program_.expr(e.operands[i]);
      while (literal->kind == ExprKind::kCast) literal = &program_.expr(literal->operands[0]);
      if (literal->kind != ExprKind::kIntLiteral || !names_parameter(e.operands[1 - i])) continue;
      add(literal->int_value);
      if (is_order) add(literal->int_value + 1), add(literal->int_value - 1);
    }
  }

  const Program& program_;
  std::set<VariableId> parameters_;
  std::set<std::int64_t> numbers_;
  bool has_switch_ = false;
};

}  // namespace

OtherArguments other_arguments(const Program& program) {
  return {DecidingNumbers(program).run(), pointers_of(program)};
}

void doubt_assumed_sizes(const SourceText& source, const TraceAtSizes& trace_at, const OtherArguments& others,
                         KernelCheck& check) {
  constexpr std::int64_t kSteps = 50'000;  // at least, for each of them alone
  constexpr int kMostTraces = 24;
  if (!check.trace.is_complete) return;
  Doubts doubts(source, check);
  for (const std::int64_t size : kOtherSizes)
    if (!check.assumed.empty()) doubts.compare(trace_at(with_assumed(size, check)), "", size);
  const Sizes known(check.sizes.begin(), check.sizes.end());
  std::int64_t steps = std::max(kSteps, 2 * check.trace.steps);
  int traces = 0;
  const auto compare_alone = [&](const std::string& name, std::int64_t size) {
    Sizes sizes = known;
    if (const auto is = known.find(name);
        steps <= 0 || traces == kMostTraces || (is != known.end() && is->second == size))
      return;
    sizes[name] = size;
    const AccessTrace trace = trace_at(sizes);
    steps -= trace.steps;
    ++traces;
    doubts.compare(trace, name, size);
  };
  for (const std::int64_t number : others.numbers)
    for (const std::string& name : check.assumed) compare_alone(name, number);
  for (std::size_t i = 0; i < check.assumed.size() && check.assumed.size() > 1; ++i)
    compare_alone(check.assumed[i], kOtherSizes[0]);
  for (const std::string& pointer : others.pointers)
    if (!known.contains(pointer)) compare_alone(pointer, 0);
}

}  // namespace swizzle
