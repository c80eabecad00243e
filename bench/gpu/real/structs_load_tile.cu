// structs_load_tile of sketches/real.
#include "structs_load.h"
#include "synthesized/structs_load_tile.h"

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
