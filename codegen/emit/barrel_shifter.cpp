#include "codegen/emit/barrel_shifter.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "codegen/emit/emit_support.h"
#include "synth/base/text.h"
#include "synth/problem/open_arguments.h"
#include "synth/program/argument_values.h"
#include "synth/program/intrinsics.h"

namespace swizzle {
namespace {

bool is_power_of_two(std::int64_t v) { return std::has_single_bit(static_cast<std::uint64_t>(v)); }

bool is_name(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

}  // namespace

// r[f(j, lane)], where f is a rotation.
struct BarrelShifters::Use {
  ExprId site;
  HoleId hole;
  VariableId array;
  std::string registers;     // its text, or that of a row of it
  std::vector<ExprId> rows;  // the indices of that row
  std::string behind;        // `[e]`, where registers are arrays
  std::int64_t length = 0;
  Rotation rotation;
  std::vector<ExprId> known, turning;                 // the hole's arguments that have a say
  std::vector<std::vector<std::int64_t>> iterations;  // the values of all arguments; 0 if not known
  ArgumentValues values;                              // of all arguments

  // By how much a digit is turned: of a power of two, what is above its bits is not looked at.
  IndexExpr amount(const Digit& digit) const {
    return is_power_of_two(digit.modulus) ? digit.turn : values.simplified(IndexExpr::mod(digit.turn, digit.modulus));
  }
  bool may_turn(const Digit& digit, std::int64_t bit) const {
    return !values.always_within(IndexExpr::mask(amount(digit), bit), {0, 0});
  }
};

// An array by name, so that a function can take a reference to it; load() becomes one.
bool is_register_array(const Program& program, ExprId place) {
  const Expr& e = program.expr(place);
  const Type& type = program.type(e.type);
  if (type.form == Type::Form::kArray) return program.type(type.element).form != Type::Form::kArray;
  if (e.kind != ExprKind::kVariable) return false;
  return std::any_of(program.stmts.begin(), program.stmts.end(), [&](const Stmt& s) {
    return s.kind == StmtKind::kDeclare && s.variable == e.variable && s.expr.valid() &&
           program.expr(s.expr).kind == ExprKind::kIntrinsic && program.expr(s.expr).intrinsic == Intrinsic::kLoad;
  });
}

namespace {

// Or of arrays of them.
bool has_registers(const Program& program, ExprId place) {
  return is_register_array(program, place) || program.type(program.expr(place).type).form == Type::Form::kArray;
}

}  // namespace

std::optional<BarrelShifters::Use> BarrelShifters::as_use(ExprId site, int length, const std::string& registers) const {
  const Expr& subscript = program_.expr(site);
  std::vector<ExprId> rows;
  ExprId base = subscript.operands[0];
  for (; program_.expr(base).kind == ExprKind::kSubscript; base = program_.expr(base).operands[0])
    rows.push_back(program_.expr(base).operands[1]);
  const Expr& root = program_.expr(base);
  if (root.kind != ExprKind::kVariable || program_.variable(root.variable).is_reference ||
      !has_registers(program_, subscript.operands[0]) || !unrolling_.is_plain_array(root.variable))
    return std::nullopt;
  const auto shares_text = [&](const Expr& e) { return e.kind == ExprKind::kSubscript && e.range == subscript.range; };
  if (std::count_if(program_.exprs.begin(), program_.exprs.end(), shares_text) > 1) return std::nullopt;
  const Expr& e = program_.expr(subscript.operands[1]);
  Use use{site, e.hole, root.variable, registers, rows, "", length, {}, {}, {}, {}, {}};
  const IndexExpr& index = context_.completion.tables[e.hole.value].expression;
  std::set<std::size_t> used;
  collect_arguments(index, used);
  std::vector<bool> is_known(e.operands.size(), false);
  for (std::size_t a : used) {
    is_known[a] = unrolling_.knows(site, e.operands[a]);
    (is_known[a] ? use.known : use.turning).push_back(e.operands[a]);
  }
  auto rotation = as_rotation(index, is_known, length);
  if (!rotation) return std::nullopt;
  use.rotation = std::move(*rotation);
  for (const Unrolling::Bindings& bindings : unrolling_.iterations(site, use.known)) {
    std::vector<std::int64_t> values(e.operands.size(), 0);
    for (std::size_t a : used)
      if (is_known[a]) values[a] = *unrolling_.value(e.operands[a], bindings);
    use.iterations.push_back(std::move(values));
  }
  keep_turns_positive(use);
  if (!use.values.always_within(use.rotation.flipped, {0, use.rotation.flips_below - 1})) return std::nullopt;
  const bool may_turn = std::any_of(use.rotation.digits.begin(), use.rotation.digits.end(), [&](const Digit& digit) {
    return !use.values.always_within(use.amount(digit), {0, 0});
  });
  if (!may_turn) return std::nullopt;
  const bool turns = std::all_of(use.iterations.begin(), use.iterations.end(),
                                 [&](const auto& values) { return use.rotation.turns_registers(values, length); });
  return turns && !use.iterations.empty() ? std::optional(std::move(use)) : std::nullopt;
}

// C's % truncates; at all points that the search met, an amount is not negative.
void BarrelShifters::keep_turns_positive(Use& use) const {
  const std::size_t operands = program_.expr(program_.expr(use.site).operands[1]).operands.size();
  std::vector<Arguments> met;
  for (std::size_t n = 0; n < context_.points.size(); ++n) {
    const Point& point = context_.points[PointId(n)];
    const Arguments& arguments = context_.points.arguments(PointId(n));
    if (point.hole != use.hole || arguments.size() + 1 != operands) continue;
    met.push_back(arguments);  // the modulus is none of them
    const auto modulus = static_cast<std::ptrdiff_t>(program_.hole(use.hole).traits().modulus.value_or(0));
    met.back().insert(met.back().begin() + modulus, point.domain);
    for (std::size_t a = 0; a < met.back().size(); ++a) use.values.add(a, met.back()[a]);
  }
  const std::vector<OpenArgument> all_open = open_arguments(program_)[use.hole.value];
  for (const OpenArgument& open : all_open) use.values.open(open.argument, open.bounds);
  for (Digit& digit : use.rotation.digits) {
    std::int64_t least = 0;
    for (const auto& arguments : met) least = std::min(least, digit.turn.evaluate(arguments));
    if (least < 0 && !is_power_of_two(digit.modulus))
      digit.turn =
          IndexExpr::add(digit.turn, IndexExpr::constant((-least + digit.modulus - 1) / digit.modulus * digit.modulus));
    digit.turn = use.values.simplified(digit.turn);
  }
}

// The outermost loop before which the registers can be turned already.
StmtId BarrelShifters::loop_to_leave(const Use& use) const {
  const std::vector<StmtId> path = unrolling_.around(use.site);
  for (std::size_t n = 1; n < path.size(); ++n) {
    const StmtKind kind = program_.stmt(path[n]).kind;
    if (!is_loop(kind)) continue;
    if (program_.stmt(path[n - 1]).kind != StmtKind::kBlock || unrolling_.declares(path[n], use.array) ||
        !unrolling_.keeps(path[n], use.array))
      continue;
    const auto stays = [&](ExprId e) { return unrolling_.is_invariant(path[n], e); };
    if (std::all_of(use.turning.begin(), use.turning.end(), stays) &&
        std::all_of(use.rows.begin(), use.rows.end(), stays))
      return path[n];
  }
  return {};
}

// The steps of all digits; lines that name an amount where its bits cannot be read off one of the user's variables.
std::vector<BarrelShifters::Step> BarrelShifters::steps_of(const Use& use, std::string& lines) {
  std::vector<Step> steps;
  const auto& arguments = program_.hole(use.hole).argument_texts;
  for (std::size_t d = 0; d < use.rotation.digits.size(); ++d) {
    const Digit& digit = use.rotation.digits[d];
    const IndexExpr turn = use.amount(digit);
    const IndexExpr* amount = &turn;
    std::int64_t scale = 1;
    if (amount->op == IndexExpr::Op::kDiv && is_power_of_two(amount->operands[1].value))
      scale = amount->operands[1].value, amount = &amount->operands[0];
    std::string name;
    if (amount->op == IndexExpr::Op::kArgument && is_name(arguments[static_cast<std::size_t>(amount->value)])) {
      name = amount->print(arguments);
    } else if (digit.modulus == 2 || use.values.always_within(turn, {0, 1})) {
      name = turn.print_primary(arguments), scale = 1;
    } else {
      name = fresh(program_.variable(use.array).name + "_turn"), scale = 1;
      const bool is_argument = turn.op == IndexExpr::Op::kArgument;
      lines += fmt::format("const int {} = {};\n", name,
                           is_argument ? arguments[static_cast<std::size_t>(turn.value)] : turn.print(arguments));
    }
    for (std::int64_t bit = 1; bit < digit.modulus; bit *= 2)
      if (use.may_turn(digit, bit)) steps.push_back({d, digit.shift(bit), fmt::format("{} & {}", name, bit * scale)});
  }
  return steps;
}

// As short as it can be written: `j` or `j ^ 1` where that is the index in all iterations.
std::string BarrelShifters::known_index(const Use& use, std::size_t digit, std::int64_t shift) const {
  const IndexExpr index = use.rotation.known(digit, shift, use.iterations);
  std::set<std::size_t> used;
  collect_arguments(index, used);
  const auto& arguments = program_.hole(use.hole).argument_texts;
  if (used.size() != 1) return index.print(arguments);
  const std::size_t only = *used.begin();
  const auto flipped_by = [&](const std::vector<std::int64_t>& values) {
    return index.evaluate(values) ^ values[only];
  };
  const std::int64_t flipped = flipped_by(use.iterations[0]);
  const bool same = std::all_of(use.iterations.begin(), use.iterations.end(),
                                [&](const auto& values) { return flipped_by(values) == flipped; });
  if (same && flipped == 0) return arguments[only];
  if (!same || use.rotation.digits[digit].modulus != 2 || !is_power_of_two(flipped)) return index.print(arguments);
  return fmt::format("{} ^ {}", IndexExpr::argument(only).print(arguments), flipped);
}

// The loop that stores to each of the registers once, whatever happens, and has no other use for them.
StmtId BarrelShifters::loop_to_fill(const Use& use) const {
  const std::vector<StmtId> path = unrolling_.around(use.site), loops = unrolling_.loops(use.site, use.known);
  if (loops.empty() || use.iterations.size() != static_cast<std::size_t>(use.length)) return {};
  const ExprId whole = program_.stmt(path.back()).expr;
  const Expr& assignment = program_.expr(whole);
  if (assignment.kind != ExprKind::kAssign || assignment.compound || assignment.operands[0] != use.site) return {};
  std::set<std::int64_t> filled;
  for (const auto& values : use.iterations) filled.insert(use.rotation.known(0, 0, use.iterations).evaluate(values));
  if (filled.size() != use.iterations.size()) return {};
  const auto loop = std::find(path.begin(), path.end(), loops.front());
  if (loop == path.begin() || program_.stmt(*(loop - 1)).kind != StmtKind::kBlock) return {};
  std::size_t inside = 0;
  for (auto at = loop; at != path.end(); ++at) {
    const StmtKind kind = program_.stmt(*at).kind;
    if (kind != StmtKind::kFor && kind != StmtKind::kBlock && kind != StmtKind::kExpr) return {};
    inside += kind == StmtKind::kFor;
  }
  if (inside != loops.size() || unrolling_.leaves(*loop) || unrolling_.uses(*loop, use.array) != 1 ||
      unrolling_.declares(*loop, use.array))
    return {};
  if (!std::all_of(use.turning.begin(), use.turning.end(), [&](ExprId e) { return unrolling_.is_invariant(*loop, e); }))
    return {};
  return *loop;
}

std::string BarrelShifters::declaration(const Use& use, const std::string& name) const {
  const Type* type = &program_.type(program_.variable(use.array).type);
  for (std::size_t row = 0; row <= use.rows.size(); ++row) type = &program_.type(type->element);
  std::string extents = fmt::format("[{}]", use.length);
  for (; type->form == Type::Form::kArray; type = &program_.type(type->element))
    extents += fmt::format("[{}]", type->count);
  std::string element = type->spelling;
  if (element.starts_with("const ")) element.erase(0, 6);
  return fmt::format("{} {}{};\n", element, name, extents);
}

// Of an element of the array, where it is an array itself.
std::vector<std::int64_t> BarrelShifters::extents_of_each(const Use& use) const {
  std::vector<std::int64_t> extents;
  for (const Type* type = &program_.type(program_.expr(use.site).type); type->form == Type::Form::kArray;
       type = &program_.type(type->element))
    extents.push_back(type->count);
  return extents;
}

// Names for loops' variables that hide none of the user's.
std::vector<std::string> BarrelShifters::loop_names(std::size_t count) const {
  std::vector<std::string> names;
  for (const char* name : {"i", "k", "m", "s", "at"})
    if (names.size() < count && !contains_word(program_.source.text(), name)) names.push_back(name);
  while (names.size() < count)
    names.push_back(names.empty() ? "register_number" : fmt::format("register_number{}", names.size()));
  return names;
}

std::string BarrelShifters::step_line(const Use& use, const Step& step, const std::string& to, const std::string& from,
                                      std::int64_t shift) const {
  const std::vector<std::int64_t> extents = extents_of_each(use);
  const std::vector<std::string> names = loop_names(1 + extents.size());
  const std::string& i = names[0];
  std::string each, loops = fmt::format("#pragma unroll\nfor (int {0} = 0; {0} < {1}; {0}++)", i, use.length);
  for (std::size_t n = 0; n < extents.size(); ++n) {
    each += fmt::format("[{}]", names[n + 1]);
    loops += fmt::format("\n#pragma unroll\n{0:{1}}for (int {2} = 0; {2} < {3}; {2}++)", "", 2 * (n + 1), names[n + 1],
                         extents[n]);
  }
  const Digit& digit = use.rotation.digits[step.digit];
  const bool flips = digit.modulus == 2 && is_power_of_two(digit.weight);
  const std::string further = flips ? fmt::format("{} ^ {}", i, digit.weight)
                                    : digit.turned(IndexExpr::argument(0), shift, use.length).print({i});
  return fmt::format("{0} {2}[{1}]{6} = {3} ? {4}[{5}]{6} : {4}[{1}]{6};\n", loops, i, to, step.bit, from, further,
                     each);
}

// All steps but the last, before the loop; once for all that read the registers turned alike.
BarrelShifters::Turned BarrelShifters::turn(const Use& use, StmtId loop) {
  const std::string& array = program_.variable(use.array).name;
  std::string key = fmt::format("{} {}", loop.value, use.registers);
  for (const Digit& d : use.rotation.digits)
    key += fmt::format(" {} {} {} {}", d.weight, d.modulus, d.backwards,
                       d.turn.print(program_.hole(use.hole).argument_texts));
  if (const auto known = turned_.find(key); known != turned_.end()) return known->second;
  std::string lines, from = use.registers;
  const std::vector<Step> steps = steps_of(use, lines);
  if (steps.size() > 1)
    lines = fmt::format("// A barrel shifter turns {}: a step for each bit of the amount, the last where it is read.\n",
                        use.registers) +
            lines;
  for (std::size_t n = 0; n + 1 < steps.size(); ++n) {
    const std::string to = fresh(fmt::format("{}_turned{}", array, n + 1));
    lines += declaration(use, to) + step_line(use, steps[n], to, from, steps[n].shift);
    from = to;
  }
  if (!lines.empty()) before_[loop] += lines;
  return turned_[key] = {from, steps.back()};
}

std::optional<std::string> BarrelShifters::read(const Use& use) {
  const StmtId loop = loop_to_leave(use);
  const bool is_one_step = use.rows.empty() && use.rotation.digits.size() == 1 && use.rotation.digits[0].modulus == 2;
  if (!loop.valid() && !is_one_step) return std::nullopt;
  const auto [array, last] = turn(use, loop);
  return fmt::format("{0} ? {1}[{2}]{4} : {1}[{3}]{4}", last.bit, array, known_index(use, last.digit, last.shift),
                     known_index(use, last.digit, 0), use.behind);
}

std::optional<std::string> BarrelShifters::written(const Use& use) {
  const StmtId loop = loop_to_fill(use);
  if (!loop.valid() || !use.rows.empty() || !use.behind.empty()) return std::nullopt;
  const std::string& array = program_.variable(use.array).name;
  std::string lines, from = fresh(array + "_turned");
  const std::string filled = from;
  before_[loop] += declaration(use, filled);
  const std::vector<Step> steps = steps_of(use, lines);
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const bool is_last = n + 1 == steps.size();
    const std::string to = is_last ? array : fresh(fmt::format("{}_turned{}", array, n + 1));
    lines += (is_last ? "" : declaration(use, to)) +
             step_line(use, steps[n], to, from, use.rotation.digits[steps[n].digit].modulus - steps[n].shift);
    from = to;
  }
  behind_[loop] +=
      fmt::format("// A barrel shifter turns {} back: a step for each bit of the amount.\n", array) + lines;
  return fmt::format("{}[{}]", filled, known_index(use, 0, 0));
}

std::optional<std::string> BarrelShifters::text(ExprId site, int length, const std::string& registers,
                                                const std::string& behind) {
  auto use = as_use(site, length, registers);
  if (!use) return std::nullopt;
  use->behind = behind;
  auto text = unrolling_.is_written(site) ? written(*use) : read(*use);
  if (text) unroll(site, use->known);
  return text;
}

void BarrelShifters::unroll(ExprId site, const std::vector<ExprId>& values) {
  for (StmtId loop : unrolling_.loops(site, values)) {
    const SourceRange range = program_.stmt(loop).range;
    if (!unrolling_.is_marked(loop) && program_.source.slice(range).starts_with("for")) to_unroll_[range.begin] = loop;
  }
}

std::string BarrelShifters::fresh(std::string name) {
  while (program_.source.text().find(name) != std::string::npos || !names_.insert(name).second) name += '_';
  return name;
}

std::map<std::uint32_t, std::string> BarrelShifters::insertions() const {
  std::map<std::uint32_t, std::string> found;
  const std::string& source = program_.source.text();
  const auto indented = [&](StmtId loop, const std::string& lines) {
    std::string text;
    for (const std::string& line : lines_of(lines))
      text +=
          (line.starts_with('#') ? "" : indentation(program_.source, program_.stmt(loop).range.begin)) + line + "\n";
    return text;
  };
  const auto insert_before = [&](StmtId loop, const std::string& lines) {
    const std::uint32_t begin = unrolling_.begin(loop);
    const auto line = static_cast<std::uint32_t>(begin == 0 ? 0 : source.rfind('\n', begin - 1) + 1);
    const bool starts_line = source.find_first_not_of(" \t", line) == begin;
    const bool is_continued = line > 0 && goes_on_behind(source, line - 1);
    std::string& there = found[starts_line ? line : begin];
    there += (starts_line && !(is_continued && there.empty()) ? "" : "\n") + indented(loop, lines);
  };
  for (const auto& [loop, lines] : before_) insert_before(loop, lines);
  for (const auto& [begin, loop] : to_unroll_) insert_before(loop, "#pragma unroll\n");
  for (const auto& [loop, lines] : behind_) {
    const std::string text = indented(loop, lines);
    found[unrolling_.end(loop)] += fmt::format("\n{}", text.substr(0, text.size() - 1));
  }
  return found;
}

}  // namespace swizzle
