// conv2d_rows of sketches/real.
#include "convolutions.h"
#include "synthesized/conv2d_rows.h"

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
