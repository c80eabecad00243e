#include "tools/options.h"

int main(int argc, char** argv) {
  swizzle::Options options;
  if (const auto code = swizzle::parse_options(argc, argv, options)) return *code;
  return swizzle::synthesize(options);
}
