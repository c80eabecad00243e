// transpose_float of sketches/real.
#include "synthesized/transpose_float.h"
#include "transposes.h"

template <class Synthesized>
int compete() {
  return compete_at<Synthesized, float>(16256, 8320);
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
