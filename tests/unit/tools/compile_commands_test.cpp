#include "tools/compile_commands.h"

#include <gtest/gtest.h>

#include "codegen/run/files.h"

namespace swizzle::compile_commands_test {
namespace {

using Words = std::vector<std::string>;

TEST(CompileCommands, FlagsAreReadAsCompilersSpellThem) {
  const CompileFlags flags = flags_of_command({"nvcc",
                                               "-DA=1",
                                               "-D",
                                               "B",
                                               "--define-macro=C=2",
                                               "-UA",
                                               "-Iinc",
                                               "-I",
                                               "/abs",
                                               "-isystem=sys",
                                               "-isystem",
                                               "sys2",
                                               "--std=gnu++20",
                                               "-Xcompiler",
                                               "-DNOT",
                                               "-Xcompiler=-DNOT2",
                                               "-arch=sm_90",
                                               "-o",
                                               "a.o",
                                               "-c",
                                               "a.cu"},
                                              "/b");
  EXPECT_EQ(flags.macros, (Words{"DA=1", "DB", "DC=2", "UA"}));
  EXPECT_EQ(flags.include_folders, (Words{"/b/inc", "/abs", "/b/sys", "/b/sys2"}));
  EXPECT_EQ(flags.standard, "c++20");
}

TEST(CompileCommands, WhatNvccAloneUnderstandsIsKept) {
  const ScratchFolder scratch;
  const auto commands = read_compile_commands(*scratch.write(
      "compile_commands.json",
      R"([{"directory": "/b", "file": "a.cu", "command": "nvcc -gencode arch=compute_80,code=sm_80 --extended-lambda )"
      R"(--generate-code=arch=compute_90a,code=[compute_90a,sm_90a] -O3 -DA -c a.cu"}])"));
  ASSERT_TRUE(commands.ok());
  EXPECT_EQ(nvcc_flags_for("/b/a.cu", *commands, {"-lineinfo"}),
            (Words{"--extended-lambda", "-arch=compute_90a", "-lineinfo"}));
  EXPECT_EQ(nvcc_flags_for("/b/a.cu", *commands, {"-arch=sm_80"}), (Words{"--extended-lambda", "-arch=sm_80"}))
      << "one target alone can become PTX";
  EXPECT_EQ(nvcc_flags_for("/b/b.cu", *commands, {"-G"}), Words{"-G"});
}

TEST(CompileCommands, AnOlderStandardIsTheNearestThatIsRead) {
  EXPECT_EQ(flags_of_command({"nvcc", "-std=c++11"}, "/").standard, "c++14");
  EXPECT_EQ(flags_of_command({"nvcc", "-std", "c++2a"}, "/").standard, "c++20");
  EXPECT_EQ(flags_of_command({"nvcc"}, "/").standard, "c++17");
}

TEST(CompileCommands, AnOptionWithoutItsValueIsLeftOut) {
  EXPECT_TRUE(flags_of_command({"nvcc", "-D"}, "/").macros.empty());
  EXPECT_TRUE(flags_of_command({}, "/").macros.empty());
}

TEST(CompileCommands, ThoseOfCudaFilesCountOnceForTheSameFlags) {
  const ScratchFolder scratch;
  const std::string path =
      *scratch.write("compile_commands.json",
                     R"([{"directory": "/b", "file": "a.cu", "command": "nvcc -DA='x y' -o 1.o -c a.cu"},
          {"directory": "/b", "file": "/b/a.cu", "command": "nvcc -D 'A=x y' -o 2.o -c a.cu"},
          {"directory": "/b", "file": "a.cpp", "arguments": ["nvcc", "-x", "cu", "a.cpp"]},
          {"directory": "/b", "file": "b.cpp", "arguments": ["c++", "b.cpp"]}])");
  const auto commands = read_compile_commands(scratch.path());
  ASSERT_TRUE(commands.ok());
  ASSERT_EQ(commands->size(), 2u);
  EXPECT_EQ((*commands)[0].path, "/b/a.cu");
  EXPECT_EQ((*commands)[0].flags.macros, (Words{"DA=x y"}));
  EXPECT_EQ((*commands)[1].path, "/b/a.cpp");
}

TEST(CompileCommands, WhatIsNoneIsAnError) {
  const ScratchFolder scratch;
  EXPECT_FALSE(read_compile_commands(scratch.path()).ok());
  EXPECT_FALSE(read_compile_commands(*scratch.write("a.json", "{}")).ok());
  EXPECT_FALSE(read_compile_commands(*scratch.write("b.json", "[{}]")).ok());
  EXPECT_FALSE(read_compile_commands(*scratch.write("c.json", R"([{"file": "a.cu", "arguments": [1]}])")).ok());
}

TEST(CompileCommands, TheCommandLineGoesBehindThem) {
  CompileFlags more;
  more.macros = {"UA"};
  more.standard = "c++17";
  CompileCommand command{"/b/a.cu", flags_of_command({"nvcc", "-DA", "-std=c++20"}, "/b")};
  EXPECT_EQ(flags_for("/b/a.cu", {command}, more, false).macros, (Words{"DA", "UA"}));
  EXPECT_EQ(flags_for("/b/a.cu", {command}, more, false).standard, "c++20");
  EXPECT_EQ(flags_for("/b/a.cu", {command}, more, true).standard, "c++17");
  EXPECT_EQ(flags_for("/b/other.cu", {command}, more, false).macros, (Words{"UA"}));
}

}  // namespace
}  // namespace swizzle::compile_commands_test
