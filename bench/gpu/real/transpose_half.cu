// transpose_half of sketches/real.
#include "synthesized/transpose_half.h"
#include "transposes.h"

template <class Synthesized>
int compete() {
  return compete_at<Synthesized, unsigned short>(16256, 16512);
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
