// transpose_batched of sketches/real.
#include "synthesized/transpose_batched.h"
#include "transposes_batched.h"

template <class Synthesized>
int compete() {
  return compete_at<Synthesized, float>(544, 480, 512);
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
