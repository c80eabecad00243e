// structs_load of sketches/real.
#include "structs_load.h"
#include "synthesized/structs_load.h"

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
