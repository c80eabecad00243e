// Host code that is not in clang's tree: private to frontend/.
//
//   for (UNKNOWN y : x) return 64;     clang lost it: an error stands in it
//   if (x->size() > 3) return 64;      an instance cannot have it: `;` stands in its place (instance_repair.h)
//
// What such a text may do is told by its words alone: see HostWalk::lose().
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <clang/Basic/SourceLocation.h>
#include <llvm/ADT/StringRef.h>

namespace clang {
class ASTContext;
class CompoundStmt;
class NullStmt;
class Stmt;
class VarDecl;
}  // namespace clang

namespace swizzle {

class LostText {
 public:
  // `errors`: where clang did not understand the text. `left_out`: by where `;` stands for them.
  LostText(const clang::ASTContext& context, std::vector<clang::SourceLocation> errors,
           std::map<clang::SourceLocation, std::string> left_out)
      : context_(context),
        errors_(std::move(errors)),
        left_out_(std::move(left_out)) {}

  bool is_empty() const { return errors_.empty() && left_out_.empty(); }
  // Without comments and strings; empty: clang understood all that is there.
  std::string between(clang::SourceLocation from, clang::SourceLocation to) const;  // `to` aside
  std::string in_place_of(const clang::NullStmt* s) const;
  std::string behind(const clang::VarDecl* v) const;  // what it is initialized with, if clang has nothing of it
  // Before each statement of a block or in its place, and at the end.
  const std::vector<std::string>& before_each_of(const clang::CompoundStmt* block) const;
  // Likewise of a switch: what nobody comes to but by a label, and has none, has lost it.
  std::vector<std::string> before_each_in_switch(const clang::CompoundStmt* body) const;
  // Of each such text within `s`, from the outside.
  using Told = std::function<void(const std::string& code)>;
  void each_in(const clang::Stmt* s, const Told& told) const;
  // Of these, and of statements of which clang has but a part: `std::thread t([&] { run(x); });`.
  void each_in_part_in(const clang::Stmt* s, const Told& told) const;

 private:
  std::string from_here(clang::SourceLocation at) const;
  std::vector<std::string> found_before_each_of(const clang::CompoundStmt* block) const;
  const clang::ASTContext& context_;
  std::vector<clang::SourceLocation> errors_;
  std::map<clang::SourceLocation, std::string> left_out_;
  mutable std::map<const clang::CompoundStmt*, std::vector<std::string>> known_;
};

// Whether a statement of the function around that is not in clang's tree may change the variable.
bool may_be_changed_where_lost(const clang::VarDecl* v);

bool mentions(llvm::StringRef code, llvm::StringRef name);
// Whether a text assigns to the variable, or hands it as a whole to someone: not `threads` in grid.x = up(n,
// threads.x).
bool names_whole(llvm::StringRef code, llvm::StringRef name);
// Whether it is assigned to, counted up or down, or given to someone who may do so.
bool may_change(llvm::StringRef code, llvm::StringRef name);
// Whether someone may keep its address: `&name`, or a reference made of it.
bool takes_address(llvm::StringRef code, llvm::StringRef name);
// Of variables that are perhaps made there, and hide others: `int name = …`.
std::set<std::string> declared_names(llvm::StringRef code);
// Whether control may go elsewhere from there; macros may hide that.
bool may_return(llvm::StringRef code);

}  // namespace swizzle
