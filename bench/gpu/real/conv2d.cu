// conv2d of sketches/real.
#include "convolutions.h"
#include "synthesized/conv2d.h"

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
