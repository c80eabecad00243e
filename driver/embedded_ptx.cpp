#include "driver/embedded_ptx.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

namespace swizzle {
namespace {

constexpr std::uint32_t kMagic = 0xBA55ED50;
constexpr std::uint16_t kPtx = 1;
constexpr std::uint64_t kLz4 = 0x2000, kZstd = 0x8000;  // among an entry's flags
constexpr std::uint64_t kMostTextBytes = 1u << 28;

struct Header {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  // of the entries behind it
};

struct EntryHeader {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;             // of what is behind the header, with what fills it up
  std::uint32_t compressed_bytes;  // without
  std::uint32_t options_at;
  std::uint16_t minor, major;
  std::uint32_t architecture;  // 90: sm_90
  std::uint32_t name_at, name_bytes;
  std::uint64_t flags, reserved;
  std::uint64_t text_bytes;  // decompressed
};
static_assert(sizeof(Header) == 16 && sizeof(EntryHeader) == 64);

template <typename T>
std::optional<T> read_at(std::string_view bytes, std::size_t at) {
  T value;
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

std::optional<std::string> decompressed(const EntryHeader& entry, std::string_view bytes) {
  std::string text(entry.text_bytes, '\0');
  std::size_t size = 0;
  if ((entry.flags & kZstd) != 0) {
    size = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(size) != 0) return std::nullopt;
  } else {
    const int found =
        LZ4_decompress_safe(bytes.data(), text.data(), static_cast<int>(bytes.size()), static_cast<int>(text.size()));
    if (found < 0) return std::nullopt;
    size = static_cast<std::size_t>(found);
  }
  text.resize(size);
  return text;
}

// Without the zeros that fill it up.
std::optional<std::string> text_of(const EntryHeader& entry, std::string_view bytes) {
  const bool is_compressed = (entry.flags & (kLz4 | kZstd)) != 0;
  if (!is_compressed) return std::string(bytes.substr(0, bytes.find('\0')));
  if (entry.compressed_bytes > bytes.size() || bytes.size() > kMostTextBytes || entry.text_bytes > kMostTextBytes)
    return std::nullopt;
  auto text = decompressed(entry, bytes.substr(0, entry.compressed_bytes));
  if (text) text->resize(std::min(text->find('\0'), text->size()));
  return text;
}

// A cubin: ELF of NVIDIA's machine.
bool is_code_of_gpu(std::string_view bytes) {
  constexpr std::size_t kMachineAt = 18;
  constexpr std::uint16_t kCuda = 190;
  return bytes.starts_with(
             "\x7f"
             "ELF") &&
         read_at<std::uint16_t>(bytes, kMachineAt) == kCuda;
}

struct PtxEntry {
  std::uint32_t architecture;
  std::string text;
};

// Of the newest architecture among the entries of one fat binary.
std::optional<PtxEntry> newest_ptx(std::string_view entries) {
  std::optional<PtxEntry> newest;
  for (std::size_t at = 0;;) {
    const auto entry = read_at<EntryHeader>(entries, at);
    if (!entry || entry->header_bytes < sizeof(EntryHeader) || entry->header_bytes > entries.size() - at) break;
    const std::string_view payload = entries.substr(at + entry->header_bytes);
    if (entry->bytes > payload.size()) break;
    if (entry->kind == kPtx && (!newest || entry->architecture > newest->architecture))
      if (auto text = text_of(*entry, payload.substr(0, entry->bytes)))
        newest = PtxEntry{entry->architecture, std::move(*text)};
    at += entry->header_bytes + entry->bytes;
  }
  return newest;
}

}  // namespace

bool is_compiled(const std::string& path) {
  constexpr std::string_view kStarts[] = {
      "\x7f"
      "ELF",
      "!<arch>\n", "\x50\xED\x55\xBA"};
  std::ifstream in(path, std::ios::binary);
  std::array<char, 8> start{};
  in.read(start.data(), start.size());
  const std::string_view bytes(start.data(), static_cast<std::size_t>(in.gcount()));
  return std::any_of(std::begin(kStarts), std::end(kStarts), [&](std::string_view s) { return bytes.starts_with(s); });
}

Result<std::vector<EmbeddedPtx>> embedded_ptx(const std::string& path, std::string_view bytes) {
  std::vector<EmbeddedPtx> found;
  bool has_fat_binary = false;
  const std::string_view magic(reinterpret_cast<const char*>(&kMagic), sizeof(kMagic));
  for (std::size_t at = 0; (at = bytes.find(magic, at)) != std::string_view::npos;) {
    const auto header = read_at<Header>(bytes, at);
    at += sizeof(kMagic);
    if (!header || header->version != 1 || header->header_bytes != sizeof(Header)) continue;
    has_fat_binary = true;
    at += sizeof(Header) - sizeof(kMagic);
    const std::string_view entries = bytes.substr(at, header->bytes);
    at += entries.size();
    if (auto ptx = newest_ptx(entries))
      found.push_back(
          {fmt::format("{}.{}.sm_{}.ptx", path, found.size() + 1, ptx->architecture), std::move(ptx->text)});
  }
  if (!found.empty()) return found;
  return make_error(has_fat_binary || is_code_of_gpu(bytes)
                        ? fmt::format("'{}' has code for GPUs, but no PTX of it: build it with "
                                      "-gencode arch=compute_90,code=[sm_90,compute_90], say",
                                      path)
                        : fmt::format("'{}' is a compiled file without CUDA kernels", path));
}

Result<std::vector<EmbeddedPtx>> embedded_ptx(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return make_error(fmt::format("'{}' cannot be read", path));
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return embedded_ptx(path, bytes);
}

}  // namespace swizzle
