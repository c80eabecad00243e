#include "synth/program/inline_ptx.h"

namespace swizzle {

const char* name_of(MemoryOperation operation) {
  static constexpr const char* kNames[] = {"load", "store", "atomic", "ldmatrix", "stmatrix"};
  return kNames[static_cast<int>(operation)];
}

}  // namespace swizzle
