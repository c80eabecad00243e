#include <string_view>

#include "tools/check.h"
#include "tools/options.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "check") {
    swizzle::CheckOptions options;
    if (const auto code = swizzle::parse_check_options(argc - 1, argv + 1, options)) return *code;
    return swizzle::check(options);
  }
  swizzle::Options options;
  if (const auto code = swizzle::parse_options(argc, argv, options)) return *code;
  return swizzle::synthesize(options);
}
