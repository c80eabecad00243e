// Reads .loc: private to this room.
#pragma once

#include <map>
#include <tuple>

#include "synth/ptx/token_reader.h"

namespace swizzle::ptx {

class PlaceReader {
 public:
  explicit PlaceReader(Module& module) : module_(module) {}

  // Behind the word .loc, which stands in `line`. The number of the place.
  int read(TokenReader& in, int line);

 private:
  int add(const Place& place);

  Module& module_;
  std::map<std::tuple<int, int, int>, int> latest_;  // by file, line, column
};

}  // namespace swizzle::ptx
