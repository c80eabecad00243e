// Guard groups: what stands under conditions of one value, or of opposite ones, goes under one `if`.
//
//   if (k <= lane) low ^= a & b;        if (k <= lane) {
//   mid ^= c;                             low ^= a & b;
//   if (lane < k) high ^= a & b;    ─►    mid ^= d;
//   if (k <= lane) mid ^= d;            } else {
//                                         high ^= a & b;
//                                       }
//                                       mid ^= c;
//
// One comparison serves all of them, and nvcc predicates the two sides, where it makes a select of each statement
// alone. A statement moves up to the first of its group past updates that it commutes with: those of other variables,
// and of its own by the same operator on integers. Sums of floats keep their order.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "synth/base/source_edits.h"
#include "synth/search/solve.h"

namespace swizzle {

class GuardGroups {
 public:
  // The text of a range with all that is edited in it.
  using TextOf = std::function<std::string(SourceRange)>;

  GuardGroups(const Program& sketch, const Completion& completion, TextOf text_of);
  // Of whole statements.
  std::vector<SourceEdit> edits() const;

 private:
  // A statement that does nothing but update local variables.
  struct Update {
    SourceRange range;            // of the statement, with its `;`
    std::optional<HoleId> guard;  // the condition that it stands under
    ExprId asked;                 // where that is asked
    std::vector<SourceRange> bodies;
    bool is_accumulate = false;  // bodies: of a call that is printed with its condition
    std::set<VariableId> written, read;
    std::optional<Operator> op;  // of all its updates, if they are by one operator that commutes
  };
  enum class Side { kThen, kElse };
  struct Member {
    const Update* update;
    Side side;
  };

  std::optional<Update> update_of(StmtId id) const;
  bool add_update(ExprId id, Update& update) const;
  bool add_assignment(const Expr& e, Update& update) const;
  bool add_accumulate(const Expr& e, Update& update) const;
  bool set_guard(ExprId condition, Update& update) const;
  bool add_target(ExprId place, std::optional<Operator> op, Update& update) const;
  bool add_reads(ExprId id, std::set<VariableId>& read) const;
  bool is_own_text(const Update& update) const;

  void group(const std::vector<Update>& run, std::vector<SourceEdit>& edits) const;
  std::vector<Member> members_from(const std::vector<Update>& run, std::size_t first, std::vector<char>& taken) const;
  std::optional<Side> side_of(const Update& first, const Update& other) const;
  static bool commute(const Update& a, const Update& b);
  std::string text(const std::vector<Member>& members) const;
  std::vector<std::string> lines_of_side(const std::vector<Member>& members, Side side) const;
  SourceRange with_comments(SourceRange statement) const;

  const Program& sketch_;
  const Completion& completion_;
  TextOf text_of_;
  std::set<VariableId> aliased_;         // something may refer to them
  std::multiset<std::uint32_t> begins_;  // of statements: the instances of a template share their text
};

}  // namespace swizzle
