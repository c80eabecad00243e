// transpose_bytes of sketches/real.
#include "synthesized/transpose_bytes.h"
#include "transposes.h"

template <class Synthesized>
int compete() {
  return compete_at<Synthesized, unsigned char>(32640, 16512);
}

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
