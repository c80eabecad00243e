// ldmatrix and stmatrix in inline PTX, by what they leave in y.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/parse.h"
#include "synth/execution/execute.h"

namespace swizzle::interpreter_matrices_test {
namespace {

const char* const kStored = "for (int i = t; i < 256; i += 32) tile[i] = x[i];\n__syncthreads();\n";

std::string load(const std::string& form, const std::string& address, const std::string& outputs = "\"=r\"(r)",
                 const std::string& list = "%0", int input = 1) {
  return fmt::format(
      "asm volatile(\"ldmatrix.sync.aligned.m8n8.{}.shared.b16 {{{}}}, [%{}];\" : {} : \"r\"((unsigned)__cvta_generic_to_shared({})));\n",
      form, list, input, outputs, address);
}

class Matrices {
 public:
  explicit Matrices(const std::string& body, const std::string& tile = "__shared__ unsigned short tile[256];",
                    const std::string& element = "unsigned short", int threads = 32)
      : program_(parse_kernel(
            SourceText(
                "a.cu",
                fmt::format(
                    "__global__ void f(const {0}* x, {0}* y, unsigned* z) {{\n  int t = threadIdx.x;\n  unsigned r;\n  {1}\n{2}\n}}\n",
                    element, tile, body)),
            "")) {
    if (!program_.ok()) return;
    Execution execution;
    execution.shape = LaunchShape{{1, 1, 1}, {threads, 1, 1}};
    execution.extents = std::vector<std::int64_t>{256, 256, 256};
    trace_.emplace(execute(*program_, execution, provenance_, points_));
  }

  std::string error() const {
    if (!program_.ok()) return render(program_.errors()[0]);
    return trace_->ok() ? "" : render(trace_->errors()[0]);
  }
  std::string at(int buffer, std::int64_t slot) {
    if (!error().empty()) return error();
    const auto& cells = (*trace_)->cells[static_cast<std::size_t>(buffer)];
    const auto it = cells.find(slot);
    return it == cells.end() ? "nothing stored"
                             : provenance_.describe(provenance_.normalize(it->second.value), {"x", "y", "z"});
  }
  double wavefronts() const { return (*trace_)->counts.shared_wavefronts; }

 private:
  Result<Program> program_;
  Provenance provenance_;
  PointTable points_;
  std::optional<Result<Trace>> trace_;
};

const char* const kKept = "*reinterpret_cast<unsigned*>(&y[2 * t]) = r;";

TEST(InterpreterMatrices, ALaneGetsTwoNeighboursOfARow) {
  Matrices m(kStored + load("x1", "&tile[t % 8 * 8]") + kKept);
  for (int t = 0; t < 32; ++t)
    for (int half = 0; half < 2; ++half)
      EXPECT_EQ(m.at(1, 2 * t + half), fmt::format("x[{}]", t / 4 * 8 + t % 4 * 2 + half));
}

TEST(InterpreterMatrices, TransposedItGetsTwoNeighboursOfAColumn) {
  Matrices m(kStored + load("x1.trans", "&tile[t % 8 * 8]") + kKept);
  for (int t = 0; t < 32; ++t)
    for (int half = 0; half < 2; ++half)
      EXPECT_EQ(m.at(1, 2 * t + half), fmt::format("x[{}]", (t % 4 * 2 + half) * 8 + t / 4));
}

TEST(InterpreterMatrices, LanesFrom8mAddressMatrixM) {
  Matrices m(kStored +
             ("unsigned s, u, v;\n" +
              load("x4", "&tile[(31 - t) * 8]", "\"=r\"(r), \"=r\"(s), \"=r\"(u), \"=r\"(v)", "%0, %1, %2, %3", 4)) +
             "*reinterpret_cast<unsigned*>(&y[2 * t]) = v;");
  for (int t = 0; t < 32; ++t) EXPECT_EQ(m.at(1, 2 * t), fmt::format("x[{}]", (7 - t / 4) * 8 + t % 4 * 2));
}

TEST(InterpreterMatrices, ElementsMayHaveOneBytesOrFour) {
  const std::string stored = "for (int i = t; i < 256; i += 32) tile[i] = x[i];\n__syncthreads();\n";
  Matrices bytes(stored + load("x1.trans", "&tile[t % 8 * 16]") + "*reinterpret_cast<unsigned*>(&y[4 * t]) = r;",
                 "__shared__ unsigned char tile[256];", "unsigned char");
  EXPECT_EQ(bytes.at(1, 4 * 5 + 0), "x[34]");  // rows 2 and 3, unit 1
  EXPECT_EQ(bytes.at(1, 4 * 5 + 1), "x[35]");
  EXPECT_EQ(bytes.at(1, 4 * 5 + 3), "x[51]");
  Matrices words(stored + load("x1", "&tile[t % 8 * 4]") + "z[t] = r;", "__shared__ unsigned tile[256];", "unsigned");
  for (int t = 0; t < 32; ++t) EXPECT_EQ(words.at(2, t), fmt::format("x[{}]", t));
  Matrices reals(stored + load("x1", "&tile[t % 8 * 2]"), "__shared__ double tile[256];", "double");
  EXPECT_NE(reals.error().find("matrices of elements of 8 bytes are not supported"), std::string::npos)
      << reals.error();
}

TEST(InterpreterMatrices, WhatStmatrixStoresLdmatrixLoads) {
  for (const char* form : {"x1", "x1.trans"}) {
    const std::string store = fmt::format(
        "asm volatile(\"stmatrix.sync.aligned.m8n8.{}.shared.b16 [%0], {{%1}};\" :: \"r\"((unsigned)__cvta_generic_to_shared(&tile[t % 8 * 8])), \"r\"(z[t]));\n__syncthreads();\n",
        form);
    Matrices m(store + load(form, "&tile[t % 8 * 8]") + "z[32 + t] = r;");
    for (int t = 0; t < 32; ++t) EXPECT_EQ(m.at(2, 32 + t), fmt::format("z[{}]", t));
  }
  const std::string store =
      "asm volatile(\"stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};\" :: \"r\"((unsigned)__cvta_generic_to_shared(&tile[t % 8 * 8])), \"r\"(*reinterpret_cast<const unsigned*>(&x[2 * t])));\n__syncthreads();\ny[t] = tile[t];";
  Matrices m(store);
  EXPECT_EQ(m.at(1, 0), "x[0]");
  EXPECT_EQ(m.at(1, 8), "x[1]");  // row 1 of column 0: lane 0, high half
  EXPECT_EQ(m.at(1, 1), "x[8]");  // row 0 of column 1: lane 4
}

TEST(InterpreterMatrices, AddressesAreBytes) {
  const std::string sum = "(unsigned)__cvta_generic_to_shared(tile) + t % 8 * 16";
  Matrices m(
      kStored +
      fmt::format(
          "asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 {{%0}}, [%1 + 128];\" : \"=r\"(r) : \"r\"({}));\n",
          sum) +
      kKept);
  EXPECT_EQ(m.at(1, 0), "x[64]");
  EXPECT_EQ(m.at(1, 63), "x[127]");
  const auto error = [&](const std::string& address) {
    return Matrices(
               kStored +
               fmt::format(
                   "const unsigned a = {};\nasm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%0}}, [%1];\" : \"=r\"(r) : \"r\"(a));\n",
                   address))
        .error();
  };
  EXPECT_NE(error("(unsigned)__cvta_generic_to_shared(tile) ^ 16").find("only sums with bytes are followed"),
            std::string::npos);
  EXPECT_NE(error("(unsigned)__cvta_generic_to_shared(tile) + 1").find("this is 1 bytes from an element"),
            std::string::npos);
  EXPECT_NE(error("(unsigned)__cvta_generic_to_shared(tile) + 2").find("must be aligned"), std::string::npos);
  EXPECT_NE(error("t * 16").find("thread 0 has no address in shared memory"), std::string::npos);
  EXPECT_NE(error("(unsigned)__cvta_generic_to_shared(x)").find("this is no address in shared memory"),
            std::string::npos);
}

TEST(InterpreterMatrices, ARegisterIsReadAndWrittenAsAPair) {
  Matrices read(kStored + load("x1", "&tile[t % 8 * 8]") +
                "const ushort2 v = *reinterpret_cast<ushort2*>(&r);\ny[2 * t] = v.y;\ny[2 * t + 1] = v.x;");
  for (int t = 0; t < 32; ++t) EXPECT_EQ(read.at(1, 2 * t), fmt::format("x[{}]", t / 4 * 8 + t % 4 * 2 + 1));
  Matrices written("unsigned p[2];\nreinterpret_cast<ushort2*>(p)[1] = make_ushort2(x[t], x[t + 32]);\nr = p[1];\n" +
                   std::string(kKept));
  EXPECT_EQ(written.at(1, 6), "x[3]");
  EXPECT_EQ(written.at(1, 7), "x[35]");
  EXPECT_NE(Matrices("r = 0;\ny[t] = reinterpret_cast<ushort2*>(&r)->y;").error().find("copy the whole first"),
            std::string::npos);
  EXPECT_NE(Matrices("r = 0;\ny[t] = *reinterpret_cast<bool*>(&r);").error().find("a cast from"), std::string::npos);
}

TEST(InterpreterMatrices, AMatrixIsAPhase) {
  EXPECT_EQ(Matrices(load("x1", "&tile[t % 8 * 8]")).wavefronts(), 1);
  EXPECT_EQ(Matrices(load("x1", "&tile[t % 8 * 64]"), "__shared__ unsigned short tile[512];").wavefronts(), 8);
}

TEST(InterpreterMatrices, AllLanesTakePartAfterABarrier) {
  const std::string in_part = "if (t < 16) {\n" + load("x1", "&tile[t % 8 * 8]") + "}\n";
  EXPECT_NE(Matrices(in_part).error().find("all 32 lanes of a warp must reach this, and 16 do"), std::string::npos);
  EXPECT_NE(Matrices(load("x1", "&tile[t % 8 * 8]"), "__shared__ unsigned short tile[256];", "unsigned short", 48)
                .error()
                .find("and 16 do"),
            std::string::npos);
  EXPECT_NE(Matrices("tile[t] = x[t];\n" + load("x1", "&tile[t % 8 * 8]"))
                .error()
                .find("without a barrier between them: a race"),
            std::string::npos);
}

TEST(InterpreterMatrices, OtherPtxIsRefused) {
  const auto refused = [](const std::string& statement) {
    return Matrices(statement).error().find("is not supported in a sketch") != std::string::npos;
  };
  EXPECT_TRUE(refused("asm volatile(\"mov.u32 %0, %1;\" : \"=r\"(r) : \"r\"(t));"));
  EXPECT_TRUE(refused(load("x2", "&tile[t % 8 * 8]")));  // two matrices, one register
  EXPECT_TRUE(
      refused("asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.b16 {%0}, [%1];\" : \"=r\"(r) : \"l\"(&tile[0]));"));
  EXPECT_EQ(Matrices("asm volatile(\"\" ::: \"memory\");\ny[t] = x[t];").error(), "");
}

}  // namespace
}  // namespace swizzle::interpreter_matrices_test
