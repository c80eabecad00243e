// Statements that a template's instance cannot have: private to frontend/.
//
// clang gives an instance no body if one of its statements does not fit (an unknown member of an unknown type). To
// follow the rest, such statements are taken out of the text, and it is parsed again.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <clang/AST/ASTContext.h>

namespace swizzle {

using TextRange = std::pair<std::uint32_t, std::uint32_t>;  // half-open, in the text that clang was given

// The innermost statements around `errors` in templates of which an instance has no body.
std::vector<TextRange> statements_to_leave_out(clang::ASTContext& context, const std::vector<std::uint32_t>& errors);

}  // namespace swizzle
