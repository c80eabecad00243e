// transpose_in_place_bytes of sketches/real.
#include "synthesized/transpose_in_place_bytes.h"
#include "transposes_in_place.h"

template <class Synthesized>
int compete() {
  return compete_at<Synthesized, unsigned char>(23168);
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
