// transpose_batched_bytes of sketches/real.
#include "synthesized/transpose_batched_bytes.h"
#include "transposes_batched.h"

template <class Synthesized>
int compete() {
  return compete_at<Synthesized, unsigned char>(1088, 960, 512);
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
