// transpose_batched_half of sketches/real.
#include "synthesized/transpose_batched_half.h"
#include "transposes_batched.h"

template <class Synthesized>
int compete() {
  return compete_at<Synthesized, unsigned short>(544, 480, 1024);
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
