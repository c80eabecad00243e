// A sketch and its spec in files, for what starts from paths: 32 lanes that reverse their values.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codegen/run/files.h"
#include "driver/observer.h"
#include "driver/sources.h"

namespace swizzle::test {

inline constexpr const char* kReversal =
    "#pragma swizzle launch grid(n / 32) block(32)\n"
    "#pragma swizzle instance n = 32\n"
    "#pragma swizzle check n = 64\n"
    "__global__ void f(const int* x, int* y, int n) {\n"
    "  const int i = blockIdx.x * 32 + threadIdx.x;\n"
    "  y[i] = __shfl_sync(~0u, x[i], ?sw_xform(threadIdx.x, 32));\n"
    "}\n";
inline constexpr const char* kReversed =
    "void f(const int* x, int* y, int n) { for (int i = 0; i < n; i++) y[i] = x[i / 32 * 32 + 31 - i % 32]; }\n";

class PairFiles : public testing::Test {
 protected:
  PairRequest files(const std::string& sketch, const std::string& spec) {
    return {*scratch_.write("f.cu", sketch), *scratch_.write("f.cpp", spec)};
  }

  ScratchFolder scratch_;
};

// What the pipeline said, one line for each call.
struct Log : Observer {
  void begin(Phase phase) override { lines.push_back(std::string("begin ") + name_of(phase)); }
  void end(Phase phase, double seconds, const std::string& what) override {
    EXPECT_GE(seconds, 0);
    lines.push_back(std::string("end ") + name_of(phase) + ": " + what);
  }
  void say(const std::string& text) override { lines.push_back("say " + text); }
  std::vector<std::string> lines;
};

}  // namespace swizzle::test
