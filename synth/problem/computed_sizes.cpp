#include "synth/problem/computed_sizes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "synth/problem/launched_sizes.h"
#include "synth/program/size_tree.h"
#include "synth/program/tree_builder.h"

namespace swizzle {
namespace {

const std::map<char, Operator> kOperators{
    {'+', Operator::kAdd}, {'-', Operator::kSub}, {'*', Operator::kMul}, {'/', Operator::kDiv}, {'%', Operator::kRem}};

bool is_of_arithmetic(const SizeTree& tree) {
  return (tree.operands.empty() || kOperators.contains(tree.op)) &&
         std::ranges::all_of(tree.operands, is_of_arithmetic);
}

std::vector<VariableId>& parameters_of(Program& program) { return program.functions[program.entry.value].parameters; }

const Type& type_of(const Program& program, VariableId id) { return program.type(program.variable(id).type); }

bool is_integer_of(const Program& program, VariableId id, int least_bytes) {
  const Type& type = type_of(program, id);
  return type.form == Type::Form::kScalar && !is_real(type.scalar) && size_bytes(type.scalar) >= least_bytes &&
         program.variable(id).symbol.empty();
}

// Integers, by name.
std::map<std::string, VariableId> sizes_of(const Program& program) {
  std::map<std::string, VariableId> sizes;
  for (const VariableId id : program.function(program.entry).parameters)
    if (is_integer_of(program, id, 4)) sizes.emplace(program.variable(id).name, id);
  return sizes;
}

class ComputedSizes {
 public:
  ComputedSizes(Program& kernel, const Program& spec) : kernel_(kernel), spec_(spec), trees_(trees()) {}

  void run() {
    if (trees_.empty()) return;
    std::set<std::string> names;
    std::vector<VariableId> kept;
    std::vector<ComputedParameter>& computed = kernel_.functions[kernel_.entry.value].computed;
    for (const VariableId id : parameters_of(kernel_)) {
      const auto tree = trees_.find(kernel_.variable(id).name);
      if (tree == trees_.end()) kept.push_back(id);
      else computed.push_back({kept.size(), id}), names.merge(names_in(tree->second));
    }
    parameters_of(kernel_) = std::move(kept);
    rewrite_launch();
    take_launched_sizes(kernel_, spec_, std::move(names));
    declare();
  }

 private:
  using Trees = std::map<std::string, SizeTree>;  // by parameter

  Trees trees() const;
  static SizeTree replaced(SizeTree tree, const Trees& by);
  void rewrite_launch();
  void declare();
  ExprId made(const SizeTree& tree, const std::map<std::string, VariableId>& sizes, SourceRange range);

  Program& kernel_;
  const Program& spec_;
  Trees trees_;
};

// Those that no parameter of the spec is called, over sizes of the spec and parameters that stay. All are ints, as the
// host's are then: what is wider may be computed there in fewer bits.
ComputedSizes::Trees ComputedSizes::trees() const {
  const auto ours = sizes_of(kernel_), theirs = sizes_of(spec_);
  Trees all;
  for (const HandedSize& size : kernel_.directives.launch->handed) {
    auto tree = parse_size(size.value, kernel_.source);
    const bool is_open = ours.contains(size.parameter) && !theirs.contains(size.parameter);
    if (is_open && tree.ok() && is_of_arithmetic(*tree)) all.emplace(size.parameter, *std::move(tree));
  }
  for (std::size_t depth = 0; depth < all.size(); ++depth)
    for (auto& [parameter, tree] : all) tree = replaced(std::move(tree), all);
  const auto is_int = [](const Program& program, const auto& sizes, const std::string& name) {
    const auto size = sizes.find(name);
    return size != sizes.end() && type_of(program, size->second).scalar == Scalar::kI32;
  };
  Trees known = all;
  std::erase_if(known, [&](const auto& tree) {
    return !std::ranges::all_of(names_in(tree.second), [&](const std::string& name) {
      return is_int(spec_, theirs, name) || (!all.contains(name) && is_int(kernel_, ours, name));
    });
  });
  return known;
}

SizeTree ComputedSizes::replaced(SizeTree tree, const Trees& by) {
  if (const auto value = tree.op == '$' ? by.find(tree.name) : by.end(); value != by.end()) return value->second;
  for (SizeTree& operand : tree.operands) operand = replaced(std::move(operand), by);
  return tree;
}

// The grid and the block, too, are of what the parameters are computed from.
void ComputedSizes::rewrite_launch() {
  const auto rewrite = [&](SizeExpr& expr) {
    if (const auto tree = parse_size(expr, kernel_.source); tree.ok()) expr.text = text_of(replaced(*tree, trees_));
  };
  Launch& launch = *kernel_.directives.launch;
  std::ranges::for_each(launch.grid, rewrite);
  std::ranges::for_each(launch.block, rewrite);
  for (Assumption& assumption : kernel_.directives.assumptions) rewrite(assumption.left), rewrite(assumption.right);
  for (auto* lines : {&kernel_.directives.instances, &kernel_.directives.checks})
    for (SizeLine& line : *lines)
      std::erase_if(line.sizes, [&](const auto& size) { return trees_.contains(size.first); });
  launch.handed.clear();
  for (const auto& [parameter, tree] : trees_) launch.handed.push_back({parameter, {text_of(tree), launch.range}});
}

ExprId ComputedSizes::made(const SizeTree& tree, const std::map<std::string, VariableId>& sizes, SourceRange range) {
  TreeBuilder build(kernel_);
  const TypeId type = build.scalar_type(Scalar::kI32);
  if (tree.op == '#') return build.integer(tree.value, type, range);
  if (tree.op == '$') return build.variable_use(sizes.at(tree.name), range);
  const ExprId a = made(tree.operands[0], sizes, range), b = made(tree.operands[1], sizes, range);
  return build.binary(kOperators.at(tree.op), a, b, type, range);
}

void ComputedSizes::declare() {
  TreeBuilder build(kernel_);
  const auto sizes = sizes_of(kernel_);
  std::vector<StmtId> declarations;
  for (const ComputedParameter& computed : kernel_.function(kernel_.entry).computed) {
    const Variable& variable = kernel_.variable(computed.variable);
    const SourceRange range = kernel_.directives.launch->range;
    Stmt s;
    s.kind = StmtKind::kDeclare, s.variable = computed.variable, s.range = range;
    s.expr = build.converted(made(trees_.at(variable.name), sizes, range), variable.type);
    declarations.push_back(build.make(std::move(s)));
  }
  std::vector<StmtId>& body = kernel_.stmts[kernel_.function(kernel_.entry).body.value].body;
  body.insert(body.begin(), declarations.begin(), declarations.end());
}

// n = N * C * HW, of which the spec has N in its place: they are not the same size.
bool hands_other_sizes(const Program& kernel, const Program& spec) {
  const auto ours = sizes_of(kernel), theirs = sizes_of(spec);
  return std::ranges::any_of(kernel.directives.launch->handed, [&](const HandedSize& size) {
    const auto tree = parse_size(size.value, kernel.source);
    const bool is_open = ours.contains(size.parameter) && !theirs.contains(size.parameter);
    return is_open && tree.ok() && tree->op != '$' &&
           std::ranges::any_of(names_in(*tree),
                               [&](const std::string& name) { return theirs.contains(name) && !ours.contains(name); });
  });
}

}  // namespace

void compute_sizes(Program& kernel, const Program& spec) {
  const std::size_t wanted = spec.function(spec.entry).parameters.size();
  if (!kernel.directives.launch || (parameters_of(kernel).size() == wanted && !hands_other_sizes(kernel, spec))) return;
  Program computed = kernel;
  ComputedSizes(computed, spec).run();
  if (parameters_of(computed).size() == wanted) kernel = std::move(computed);
}

}  // namespace swizzle
