// All that decides what `check` says of a file, but for the program itself: what it was asked, the file, and whatever
// of its headers lies where it may be included from.
//
//   a.cu: #include "tile.h"                                   text of a.cu; tile.h beside it: its text;
//   with -I inc                                               inc/tile.h: absent, so that one that appears is seen
//   a.cu: #include HEADER                                     nothing: which header that is, no reading of the text
//   tells
//
// Conditions of the preprocessor are not looked at: more headers count than are read. The toolkit's own are those of
// the nvcc that is found.
#pragma once

#include <optional>
#include <string>

#include "driver/check.h"

namespace swizzle {

// A text that differs where they do. Nothing: it cannot be known.
std::optional<std::string> check_inputs(const CheckRequest& request);

}  // namespace swizzle
