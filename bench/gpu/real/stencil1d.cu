// stencil1d of sketches/real.
#include "stencils.h"
#include "synthesized/stencil1d.h"

template <class Synthesized>
int compete() {
  return compete_of<Synthesized, float>();
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
