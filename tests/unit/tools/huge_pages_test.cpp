#include "tools/huge_pages.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace swizzle {
namespace {

// The flags of the mapping that holds the address (proc_pid_smaps(5)).
std::string flags_at(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  bool is_inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) is_inside = begin <= wanted && wanted < end;
    else if (is_inside && line.starts_with("VmFlags:")) return line + " ";
  }
  return "";
}

TEST(HugePages, AreAskedForWhereTheAllocatorGrows) {
#ifndef SWIZZLE_HAS_TCMALLOC
  GTEST_SKIP() << "built without tcmalloc";
#endif
  if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage")) GTEST_SKIP() << "a kernel without such pages";
  use_huge_pages();
  constexpr std::size_t kSize = std::size_t{1} << 30;  // nothing that was freed before is as large
  const std::unique_ptr<char[]> memory(new char[kSize]);
  memory[kSize - 1] = 1;
  EXPECT_NE(flags_at(&memory[0]).find(" hg "), std::string::npos) << flags_at(&memory[0]);
  EXPECT_NE(flags_at(&memory[kSize - 1]).find(" hg "), std::string::npos);
}

}  // namespace
}  // namespace swizzle
