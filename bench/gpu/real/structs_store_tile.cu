// structs_store_tile of sketches/real.
#include "structs_store.h"
#include "synthesized/structs_store_tile.h"

int main() { return (SYNTHESIZED(compete) + 0) != 0; }
