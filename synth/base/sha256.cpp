#include "synth/base/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace swizzle {
namespace {

using Word = std::uint32_t;
using HashWords = std::array<Word, 8>;

constexpr std::size_t kBlockBytes = 64, kRounds = 64;

// The first 64 bits behind the point of the cube roots of the first 64 primes, cut to 32.
std::array<Word, kRounds> round_constants() {
  std::array<Word, kRounds> constants{};
  std::size_t found = 0;
  for (int candidate = 2; found < kRounds; ++candidate) {
    bool is_prime = true;
    for (int d = 2; d * d <= candidate; ++d) is_prime &= candidate % d != 0;
    if (!is_prime) continue;
    const long double root = std::cbrt(static_cast<long double>(candidate));
    constants[found++] = static_cast<Word>((root - std::floor(root)) * 4294967296.0L);
  }
  return constants;
}

Word word_at(std::string_view bytes) {
  Word word = 0;
  for (int i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return word;
}

void add_block(HashWords& state, std::string_view block) {
  static const std::array<Word, kRounds> constants = round_constants();
  std::array<Word, kRounds> w{};
  for (std::size_t i = 0; i < 16; ++i) w[i] = word_at(block.substr(4 * i));
  for (std::size_t i = 16; i < kRounds; ++i) {
    const Word a = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
    const Word b = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + a + w[i - 7] + b;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < kRounds; ++i) {
    const Word of_e = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const Word one = h + of_e + ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const Word of_a = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const Word two = of_a + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  const HashWords mixed{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += mixed[i];
}

}  // namespace

std::string sha256(std::string_view content) {
  HashWords state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const std::uint64_t bits = std::uint64_t{content.size()} * 8;
  while (content.size() >= kBlockBytes) {
    add_block(state, content.substr(0, kBlockBytes));
    content.remove_prefix(kBlockBytes);
  }
  // A one, zeros, and the length in 64 bits fill the last block, or two.
  std::string last(content);
  last += '\x80';
  while (last.size() % kBlockBytes != kBlockBytes - 8) last += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) last += static_cast<char>(bits >> shift & 0xff);
  for (std::size_t at = 0; at < last.size(); at += kBlockBytes) add_block(state, std::string_view(last).substr(at));
  std::string text;
  for (const Word word : state) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace swizzle
