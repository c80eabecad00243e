#include "driver/embedded_ptx.h"

#include <cstdint>

#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

namespace swizzle::embedded_ptx_test {
namespace {

enum class Compressed { kNot, kLz4, kZstd };

template <typename T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string lz4(const std::string& text) {
  std::string out(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))), '\0');
  out.resize(static_cast<std::size_t>(
      LZ4_compress_default(text.data(), out.data(), static_cast<int>(text.size()), static_cast<int>(out.size()))));
  return out;
}

// kind 1: PTX, 2: code for one GPU.
std::string entry(std::uint16_t kind, std::uint32_t architecture, const std::string& text,
                  Compressed how = Compressed::kNot) {
  const std::string payload = how == Compressed::kZstd ? zstd(text) : how == Compressed::kLz4 ? lz4(text) : text;
  const std::string filled = payload + std::string((8 - payload.size() % 8) % 8, '\0');
  const std::uint64_t flags = 0x11 | (how == Compressed::kZstd ? 0x8000 : how == Compressed::kLz4 ? 0x2000 : 0);
  const bool is_compressed = how != Compressed::kNot;
  return bytes_of(kind) + bytes_of<std::uint16_t>(257) + bytes_of<std::uint32_t>(64) +
         bytes_of<std::uint64_t>(filled.size()) +
         bytes_of<std::uint32_t>(is_compressed ? static_cast<std::uint32_t>(payload.size()) : 0) +
         bytes_of<std::uint32_t>(0) + bytes_of<std::uint32_t>(0x90000) + bytes_of(architecture) +
         bytes_of<std::uint64_t>(0) + bytes_of(flags) + bytes_of<std::uint64_t>(0) +
         bytes_of<std::uint64_t>(is_compressed ? text.size() : 0) + filled;
}

std::string fat_binary(const std::string& entries) {
  return bytes_of<std::uint32_t>(0xBA55ED50) + bytes_of<std::uint16_t>(1) + bytes_of<std::uint16_t>(16) +
         bytes_of<std::uint64_t>(entries.size()) + entries;
}

const std::string kText = ".version 8.0\n.target sm_90\n" + std::string(500, ' ') + ".visible .entry k() { ret; }\n";

std::string only_text_in(const std::string& bytes) {
  const auto found = embedded_ptx("app", bytes);
  return found.ok() && found->size() == 1 ? found->front().text : "";
}

TEST(EmbeddedPtx, IsReadHoweverItIsCompressed) {
  for (const Compressed how : {Compressed::kNot, Compressed::kLz4, Compressed::kZstd})
    EXPECT_EQ(only_text_in("\x7f"
                           "ELF, and more" +
                           fat_binary(entry(2, 90, "code") + entry(1, 90, kText, how)) + "more"),
              kText);
}

TEST(EmbeddedPtx, IsThatOfTheNewestArchitectureOfEachFile) {
  const std::string one = entry(1, 80, "one of 80") + entry(1, 90, "one of 90") + entry(1, 86, "one of 86");
  const auto found = embedded_ptx("bin/app", fat_binary(one) + "between" + fat_binary(entry(1, 75, "two")));
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->size(), 2u);
  EXPECT_EQ((*found)[0].path, "bin/app.1.sm_90.ptx");
  EXPECT_EQ((*found)[0].text, "one of 90");
  EXPECT_EQ((*found)[1].path, "bin/app.2.sm_75.ptx");
}

TEST(EmbeddedPtx, SaysWhyThereIsNone) {
  EXPECT_NE(embedded_ptx("app", fat_binary(entry(2, 90, "code"))).errors()[0].message.find("no PTX of it"),
            std::string::npos);
  EXPECT_NE(embedded_ptx("app",
                         "\x7f"
                         "ELF")
                .errors()[0]
                .message.find("without CUDA kernels"),
            std::string::npos);
  std::string cubin =
      "\x7f"
      "ELF" +
      std::string(60, '\0');
  cubin[18] = static_cast<char>(190);
  EXPECT_NE(embedded_ptx("k.cubin", cubin).errors()[0].message.find("no PTX of it"), std::string::npos);
}

TEST(EmbeddedPtx, OfSpoiledBytesIsNone) {
  const std::string whole = fat_binary(entry(1, 90, kText, Compressed::kZstd));
  for (std::size_t size = 0; size < whole.size() - 8; ++size)
    EXPECT_EQ(only_text_in(whole.substr(0, size)), "") << size;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string spoiled = whole;
    spoiled[at] = static_cast<char>(~spoiled[at]);
    const auto found = embedded_ptx("app", spoiled);
    if (!found.ok()) continue;
    EXPECT_EQ(found->size(), 1u);
  }
}

}  // namespace
}  // namespace swizzle::embedded_ptx_test
