// transpose_any of sketches/real.
#include "synthesized/transpose_any.h"
#include "transposes.h"

template <class Synthesized>
int compete() {
  return compete_at<Synthesized, float>(16253, 8317);
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
