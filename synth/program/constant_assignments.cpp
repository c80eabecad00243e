#include "synth/program/constant_assignments.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace swizzle {
namespace {

constexpr std::int64_t kMostElements = 1 << 16;

std::vector<HoleId> constants_of(const Program& sketch) {
  std::vector<HoleId> holes;
  for (std::size_t h = 0; h < sketch.holes.size(); ++h)
    if (sketch.holes[h].traits().is_assigned()) holes.emplace_back(h);
  return holes;
}

bool stays_open(const Program& sketch, HoleId hole, const std::set<HoleId>& open) {
  return sketch.hole(hole).traits().is_constant() && (open.contains(hole) || !sketch.hole(hole).arguments.empty());
}

Diagnostic too_many(const Program& sketch, const std::vector<HoleId>& constants) {
  const auto width = [&](HoleId h) { return sketch.hole(h).high - sketch.hole(h).low; };
  const HoleId widest =
      *std::max_element(constants.begin(), constants.end(), [&](HoleId a, HoleId b) { return width(a) < width(b); });
  std::string ranges;
  for (HoleId h : constants) ranges += fmt::format("{}{}", ranges.empty() ? "" : " · ", width(h));
  const std::string searched = width(widest) > kMaxDomain
                                   ? ""
                                   : fmt::format(
                                         ", or let those that bound no loop and no array be searched for, as in "
                                         "?sw_const({}, {}, 0)",
                                         sketch.hole(widest).low, sketch.hole(widest).high);
  return make_error(
      sketch.source, sketch.hole(widest).range,
      fmt::format(
          "the ?sw_const holes have {} values together, and {} is the most that are tried; narrow their ranges{}",
          ranges, kMostConstantAssignments, searched));
}

std::int64_t size_of(const ConstantAssignment& s) {
  return std::accumulate(s.begin(), s.end(), std::int64_t{0},
                         [](std::int64_t sum, std::int64_t v) { return v == kOpenConstant ? sum : sum + std::abs(v); });
}

// Values of constant expressions. A constant that stands in its own initializer has none.
class ConstantReader {
 public:
  ConstantReader(const Program& program, const ConstantAssignment& assignment)
      : program_(program),
        assignment_(assignment) {}

  std::optional<std::int64_t> value(ExprId id) {
    const Expr& e = program_.expr(id);
    switch (e.kind) {
      case ExprKind::kIntLiteral: return e.int_value;
      case ExprKind::kHole: return of_hole(e.hole);
      case ExprKind::kVariable: return of_variable(e.variable);
      case ExprKind::kCast: return of_cast(e);
      case ExprKind::kConditional: {
        const auto condition = value(e.operands[0]);
        if (!condition) return std::nullopt;
        return value(e.operands[*condition != 0 ? 1 : 2]);
      }
      case ExprKind::kUnary:
      case ExprKind::kBinary: return of_operation(e);
      default: return std::nullopt;
    }
  }

 private:
  std::optional<std::int64_t> of_hole(HoleId hole) const {
    if (!program_.hole(hole).traits().is_constant() || hole.value >= assignment_.size() ||
        assignment_[hole.value] == kOpenConstant)
      return std::nullopt;
    return assignment_[hole.value];
  }

  std::optional<std::int64_t> of_variable(VariableId id) {
    const Variable& variable = program_.variable(id);
    if (!variable.is_const || variable.is_reference || !within_.insert(id).second) return std::nullopt;
    std::optional<std::int64_t> found;
    for (const Stmt& s : program_.stmts)
      if (s.kind == StmtKind::kDeclare && s.variable == id && s.expr.valid()) {
        found = value(s.expr);
        break;
      }
    within_.erase(id);
    return found;
  }

  std::optional<std::int64_t> of_cast(const Expr& e) {
    const Type& type = program_.type(e.type);
    const auto v = value(e.operands[0]);
    if (!v || type.form != Type::Form::kScalar || is_real(type.scalar)) return std::nullopt;
    return type.scalar == Scalar::kBool ? *v != 0 : wrap(type.scalar, *v);
  }

  std::optional<std::int64_t> of_operation(const Expr& e) {
    const bool binary = e.kind == ExprKind::kBinary;
    const auto a = value(e.operands[0]);
    const auto b = binary ? value(e.operands[1]) : 0;
    if (!a || !b) return std::nullopt;
    const Type& type = program_.type(is_comparison(e.op) ? program_.expr(e.operands[0]).type : e.type);
    if (type.form != Type::Form::kScalar || is_real(type.scalar)) return std::nullopt;
    bool defined = true;
    const std::int64_t result = apply(e.op, type.scalar, *a, *b, defined);
    return defined ? std::optional(result) : std::nullopt;
  }

  const Program& program_;
  const ConstantAssignment& assignment_;
  std::set<VariableId> within_;  // whose initializers are being read
};

}  // namespace

ConstantAssignment least_constants(const Program& sketch) {
  ConstantAssignment assignment;
  for (const Hole& hole : sketch.holes) assignment.push_back(hole.low);
  return assignment;
}

Result<std::vector<ConstantAssignment>> constant_assignments(const Program& sketch, const std::set<HoleId>& open) {
  std::vector<HoleId> constants = constants_of(sketch);
  std::vector<ConstantAssignment> assignments{least_constants(sketch)};
  for (HoleId h : constants)
    if (stays_open(sketch, h, open)) assignments[0][h.value] = kOpenConstant;
  std::erase_if(constants, [&](HoleId h) { return stays_open(sketch, h, open); });
  for (HoleId h : constants) {
    const Hole& hole = sketch.hole(h);
    if (static_cast<std::size_t>(hole.high - hole.low) > kMostConstantAssignments / assignments.size())
      return too_many(sketch, constants);
    std::vector<ConstantAssignment> longer;
    for (const ConstantAssignment& s : assignments)
      for (std::int64_t v = hole.low; v < hole.high; ++v) {
        longer.push_back(s);
        longer.back()[h.value] = v;
      }
    assignments = std::move(longer);
  }
  std::stable_sort(assignments.begin(), assignments.end(),
                   [](const ConstantAssignment& a, const ConstantAssignment& b) { return size_of(a) < size_of(b); });
  return assignments;
}

Result<Program> specialize(const Program& sketch, const ConstantAssignment& assignment) {
  Program program = sketch;
  for (Expr& e : program.exprs) {
    if (e.kind != ExprKind::kHole || !program.hole(e.hole).traits().is_assigned()) continue;
    const std::int64_t value = assignment[e.hole.value];
    if (value == kOpenConstant) continue;
    if (program.hole(e.hole).traits().is_chosen()) {
      e.kind = ExprKind::kCast;
      e.operands = {e.operands[static_cast<std::size_t>(value)]};
      continue;
    }
    e.kind = ExprKind::kIntLiteral;
    e.int_value = value;
  }
  for (Type& type : program.types) {  // elements come before their arrays
    if (!type.extent.valid()) continue;
    const Type& element = program.type(type.element);
    const std::int64_t count = constant_value(program, type.extent).value_or(0);
    if (count < 1 || count * std::max(1, element.slots) > kMostElements)
      return make_error(program.source, program.expr(type.extent).range,
                        fmt::format("an array of {} elements is not supported in a sketch", count));
    type.count = count;
    type.slots = static_cast<int>(count) * element.slots;
    type.size_bytes = static_cast<int>(count) * element.size_bytes;
  }
  return program;
}

std::optional<std::int64_t> constant_value(const Program& program, ExprId id, const ConstantAssignment& assignment) {
  return ConstantReader(program, assignment).value(id);
}

std::string describe(const ConstantAssignment& assignment, const Program& sketch) {
  std::string text;
  const char* last = "";  // the kind that is named
  for (HoleId h : constants_of(sketch)) {
    if (assignment[h.value] == kOpenConstant) continue;
    const LineColumn at = sketch.source.locate(sketch.hole(h).range.begin);
    const char* const kind = name_of(sketch.hole(h));
    const std::string named = kind == last ? "" : fmt::format("{}?{}", text.empty() ? "" : " ", kind);
    text +=
        fmt::format("{}{} at {}:{} = {}", text.empty() ? "" : " and", named, at.line, at.column, assignment[h.value]);
    last = kind;
  }
  return text;
}

std::string kinds_of_constants(const Program& sketch) {
  std::vector<std::string> kinds;
  for (HoleId h : constants_of(sketch))
    if (std::string kind = fmt::format("?{}", name_of(sketch.hole(h))); !std::ranges::count(kinds, kind))
      kinds.push_back(std::move(kind));
  return fmt::format("{}", fmt::join(kinds, " and "));
}

}  // namespace swizzle
