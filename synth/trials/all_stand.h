// Whether all of these stand. What fails is asked first from then on: it will fail again.
//
// Private to synth/trials/.
#pragma once

#include <algorithm>
#include <vector>

namespace swizzle {

template <typename T, typename Stands>
bool all_stand(std::vector<T>& all, Stands&& stands) {
  const auto failed = std::find_if_not(all.begin(), all.end(), stands);
  if (failed == all.end()) return true;
  std::rotate(all.begin(), failed, failed + 1);
  return false;
}

}  // namespace swizzle
