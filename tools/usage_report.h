// The report of a command line that is wrong: what it says of itself, and exit code 2.
#pragma once

#include <string>
#include <vector>

namespace swizzle {

// To the file behind `flag` ("--report", "--json", "--sarif"), if the command line names one there that stands nowhere
// else in it.
void write_usage_report(const std::vector<std::string>& arguments, const std::string& flag, const std::string& message);

}  // namespace swizzle
