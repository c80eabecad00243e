// transpose_batched_double of sketches/real.
#include "synthesized/transpose_batched_double.h"
#include "transposes_batched.h"

template <class Synthesized>
int compete() {
  return compete_at<Synthesized, double>(544, 480, 256);
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
