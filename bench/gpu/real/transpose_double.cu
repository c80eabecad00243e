// transpose_double of sketches/real.
#include "synthesized/transpose_double.h"
#include "transposes.h"

template <class Synthesized>
int compete() {
  return compete_at<Synthesized, double>(8128, 8320);
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
