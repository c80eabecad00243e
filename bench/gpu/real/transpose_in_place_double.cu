// transpose_in_place_double of sketches/real.
#include "synthesized/transpose_in_place_double.h"
#include "transposes_in_place.h"

template <class Synthesized>
int compete() {
  return compete_at<Synthesized, double>(8190);
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
