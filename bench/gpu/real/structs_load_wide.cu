// structs_load_wide of sketches/real.
#include "structs_load.h"
#include "synthesized/structs_load_wide.h"

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
