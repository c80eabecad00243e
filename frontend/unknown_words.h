// What clang does not know in the declarations of a file that is checked, and what it reads in its place: private to
// frontend/. See opaque_types.h and unknown_macros.h.
#pragma once

#include <string>
#include <vector>

#include "frontend/check_unit.h"
#include "frontend/opaque_types.h"
#include "frontend/unknown_macros.h"

namespace swizzle {

class UnknownWords {
 public:
  // In the unit's main file, `file`, behind which `appended` stands. Behind one that is replaced clang sees the next.
  void replace(CheckUnit& unit, RewrittenSource& rewritten, const SourceText& file, const std::string& appended);
  // Of a kernel that is declared there.
  Diagnostics remarks(const SourceText& file, SourceRange declared) const;

 private:
  bool replace_in(std::string& text, const std::vector<std::uint32_t>& errors);

  std::vector<OpaqueType> types_;
  std::vector<UnknownMacro> macros_;
};

}  // namespace swizzle
