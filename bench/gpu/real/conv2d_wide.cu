// conv2d_wide of sketches/real.
#include "convolutions.h"
#include "synthesized/conv2d_wide.h"

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
