// What a run says of itself, in reports and logs: the part that is known at its start, and the part at its end.
#pragma once

#include <string>
#include <vector>

#include "codegen/report/about.h"

namespace swizzle {

// (role, path); "-" is standard input, whose content is not known yet.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;

About about_run(const std::vector<std::string>& arguments, const NamedFiles& files);

SourceFile source_file(const std::string& role, const std::string& path);

// Peak memory and exit code.
void about_end(int exit_code, About& about);

// The findings as one document, "json" or "sarif".
std::string findings_document(const About& about, bool as_sarif);

}  // namespace swizzle
