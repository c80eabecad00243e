// transpose_in_place_half of sketches/real.
#include "synthesized/transpose_in_place_half.h"
#include "transposes_in_place.h"

template <class Synthesized>
int compete() {
  return compete_at<Synthesized, unsigned short>(16376);
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
