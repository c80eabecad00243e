// transpose_in_place of sketches/real.
#include "synthesized/transpose_in_place.h"
#include "transposes_in_place.h"

template <class Synthesized>
int compete() {
  return compete_at<Synthesized, float>(11584);
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
