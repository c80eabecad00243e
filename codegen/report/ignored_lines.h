// Lines whose findings are accepted, by a comment at the end of the line or on a line of its own above it:
//
//   y[i] = tile[threadIdx.x][0];  // swizzle-ignore: runs once
//
// Without a reason nothing is ignored.
#pragma once

#include <optional>
#include <string>

#include "synth/access/access_trace.h"

namespace swizzle {

// The reason that is given for `path`, `line`.
std::optional<std::string> ignore_reason(const SourceText& source, const std::string& path, int line);
std::optional<std::string> ignore_reason(const SourceText& source, const Diagnostic& d);
// At the access, or where a function of a header that it stands in is called.
std::optional<std::string> ignore_reason(const SourceText& source, const AccessSite& site);

// A warning for each comment of the file that gives no reason.
Diagnostics ignores_without_reason(const SourceText& source);

}  // namespace swizzle
