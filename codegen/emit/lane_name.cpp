#include "codegen/emit/lane_name.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "synth/program/initial_values.h"
#include "synth/program/thread_value.h"

namespace swizzle {
namespace {

// Variables and the statements around them.
class Scopes {
 public:
  explicit Scopes(const Program& program) : program_(program), fixed_(fixed_values(program)) {}

  // Those that are declared before `site` in the blocks around it, the last first, without those of a name that is
  // declared again.
  std::vector<VariableId> visible(ExprId site) const {
    std::vector<VariableId> declared, found;
    find(program_.function(program_.entry).body, site, declared);
    for (auto v = declared.rbegin(); v != declared.rend(); ++v)
      if (std::none_of(declared.rbegin(), v,
                       [&](VariableId later) { return program_.variable(later).name == program_.variable(*v).name; }))
        found.push_back(*v);
    return found;
  }

  bool is_lane(VariableId v, const std::vector<BlockShape>& blocks) const;

 private:
  bool contains(ExprId from, ExprId site) const {
    const auto& operands = program_.expr(from).operands;
    return from == site ||
           std::any_of(operands.begin(), operands.end(), [&](ExprId operand) { return contains(operand, site); });
  }

  // `int a = 0, b = a;` is a block without braces.
  bool declares_only(const Stmt& s) const {
    return s.kind == StmtKind::kBlock && !program_.source.slice(s.range).starts_with('{');
  }

  bool find(StmtId id, ExprId site, std::vector<VariableId>& declared) const {
    if (!id.valid()) return false;
    const Stmt& s = program_.stmt(id);
    if (s.expr.valid() && contains(s.expr, site)) return true;
    if (s.kind == StmtKind::kDeclare) declared.push_back(s.variable);
    const std::size_t before = declared.size();
    for (StmtId inner : s.body)
      if (find(inner, site, declared)) return true;
    if (!declares_only(s)) declared.resize(before);
    return false;
  }

  const Program& program_;
  std::map<VariableId, ExprId> fixed_;  // of those that nothing changes
};

// All that a launch may have; nothing if they cannot be told.
std::vector<BlockShape> blocks_of(const Program& program, const std::vector<Posed>& posed) {
  std::vector<BlockShape> blocks;
  for (const Posed& p : posed) blocks.push_back(p.shape.block);
  const auto& launch = program.directives.launch;
  const bool grows = !launch || std::any_of(launch->block.begin(), launch->block.end(),
                                            [&](const SizeExpr& e) { return !evaluate(e, {}, program.source).ok(); });
  if (!grows) return blocks;
  if (!launch || launch->block.size() > 1) return {};
  return {{kLargestBlock, 1, 1}};
}

bool Scopes::is_lane(VariableId v, const std::vector<BlockShape>& blocks) const {
  const auto initial = fixed_.find(v);
  return initial != fixed_.end() && !blocks.empty() && std::ranges::all_of(blocks, [&](const BlockShape& block) {
           return swizzle::is_lane(program_, fixed_, initial->second, block);
         });
}

}  // namespace

std::string lane_name(const Program& program, const std::vector<Posed>& posed, ExprId site) {
  const Scopes scopes(program);
  const std::vector<BlockShape> blocks = blocks_of(program, posed);
  for (VariableId v : scopes.visible(site)) {
    const std::string name = as_int(program, v);
    if (!name.empty() && scopes.is_lane(v, blocks)) return name;
  }
  const bool is_flat =
      std::all_of(posed.begin(), posed.end(), [](const Posed& p) { return p.shape.block[1] * p.shape.block[2] == 1; });
  return is_flat ? "int(threadIdx.x % 32)"
                 : "int((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32";
}

}  // namespace swizzle
