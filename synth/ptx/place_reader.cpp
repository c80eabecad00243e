#include "synth/ptx/place_reader.h"

namespace swizzle::ptx {
namespace {

Place read_numbers(TokenReader& in) {
  Place place;
  place.file = static_cast<int>(in.integer());
  place.line = static_cast<int>(in.integer());
  place.column = static_cast<int>(in.integer());
  return place;
}

}  // namespace

int PlaceReader::add(const Place& place) {
  module_.places.push_back(place);
  return latest_[{place.file, place.line, place.column}] = static_cast<int>(module_.places.size()) - 1;
}

// A call that was inlined is itself the latest place of its numbers, perhaps in a function that was inlined.
int PlaceReader::read(TokenReader& in, int line) {
  Place place = read_numbers(in);
  while (in.peek().line == line && in.accept(",")) {
    const Token word = in.next();
    if (word.is("function_name")) {
      place.function = in.next().text;
      if (in.accept("+")) in.integer();
    } else if (word.is("inlined_at")) {
      const Place call = read_numbers(in);
      const auto known = latest_.find({call.file, call.line, call.column});
      place.inlined_at = known != latest_.end() ? known->second : add(call);
    }
  }
  in.skip_line(line);
  return add(place);
}

}  // namespace swizzle::ptx
