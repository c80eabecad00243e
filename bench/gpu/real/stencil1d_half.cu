// stencil1d_half of sketches/real.
#include "stencils.h"
#include "synthesized/stencil1d_half.h"

template <class Synthesized>
int compete() {
  return compete_of<Synthesized, unsigned short>();
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
