// SHA-256 (FIPS 180-4): the name of a content.
//
//   sha256("abc")      "ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad", without the spaces
#pragma once

#include <string>
#include <string_view>

namespace swizzle {

std::string sha256(std::string_view content);  // 64 hexadecimal digits

}  // namespace swizzle
