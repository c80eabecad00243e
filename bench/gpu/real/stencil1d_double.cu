// stencil1d_double of sketches/real.
#include "stencils.h"
#include "synthesized/stencil1d_double.h"

template <class Synthesized>
int compete() {
  return compete_of<Synthesized, double>();
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
