#include "frontend/lower_uses.h"

#include <cctype>
#include <map>
#include <utility>
#include <vector>

#include <clang/AST/ExprCXX.h>

#include <fmt/format.h>

#include "frontend/walk.h"

namespace swizzle {
namespace {

// The places where names are used in the user's file, those in templates and their instances alike.
struct Uses {
  using OfVariables = std::vector<std::pair<const clang::Expr*, const clang::VarDecl*>>;
  OfVariables variables;
  std::vector<std::pair<clang::SourceRange, std::string>> functions;

  void add(const clang::Stmt* s) {
    if (const auto* e = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
      if (const auto* v = llvm::dyn_cast<clang::VarDecl>(e->getDecl())) variables.emplace_back(e, v);
      else functions.emplace_back(e->getSourceRange(), e->getNameInfo().getAsString());
    } else if (const auto* open = llvm::dyn_cast<clang::UnresolvedLookupExpr>(s)) {
      functions.emplace_back(open->getSourceRange(), open->getName().getAsString());
    }
  }
};

// An attribute may stand where a declaration starts, not behind the words of a macro such as __device__.
bool starts_declaration(const std::string& text, std::uint32_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || !(std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_');
}

void find_sole_uses(const SourceDiagnostics& source, Program& program, const Uses::OfVariables& uses) {
  std::map<std::uint32_t, SoleUse> by_declaration;
  std::set<std::uint32_t> used_elsewhere;
  for (const auto& [use, variable] : uses) {
    if (!source.in_user_file(variable->getLocation()) || variable->getBeginLoc().isMacroID() ||
        llvm::isa<clang::ParmVarDecl>(variable))
      continue;
    const std::uint32_t name_at = source.range_of_name(variable).begin;
    const SourceRange at = source.range_of(use);
    bool in_hole = false;
    for (std::size_t h = 0; h < program.holes.size(); ++h) {
      const SourceRange hole = program.holes[h].range;
      if (at.begin < hole.begin || at.end > hole.end) continue;
      in_hole = true;
      SoleUse& sole = by_declaration[name_at];
      sole.name = variable->getNameAsString();
      sole.declared_at = source.range_of({variable->getBeginLoc(), variable->getBeginLoc()}).begin;
      sole.holes.insert(HoleId(h));
    }
    if (!in_hole) used_elsewhere.insert(name_at);
  }
  for (auto& [at, sole] : by_declaration)
    if (!used_elsewhere.contains(at) && starts_declaration(program.source.text(), sole.declared_at))
      program.sole_uses.push_back(std::move(sole));
}

}  // namespace

void survey_uses(const LoweringContext& in, const std::set<std::uint32_t>& lowered, const std::string& entry_name) {
  Uses uses;
  Walk names;
  names.instances = true;
  names.statement = [&](clang::Stmt* s) { uses.add(s); };
  walk_user_file(in.ast, names);
  for (const auto& [written, name] : uses.functions)
    if (const SourceRange range = in.source.range_of(written);
        hole_kind_seen_as(name) != nullptr && !lowered.contains(range.begin))
      in.source.error(
          range,
          fmt::format(
              "the kernel '{}' does not use this hole, so that it would stay open; fill it in, or move it to another file",
              entry_name));
  find_sole_uses(in.source, in.program, uses.variables);
}

}  // namespace swizzle
