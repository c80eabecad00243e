// What scan_tiles.cu, reduce_tiles.cu and histogram_tiles.cu share: 2^27 - 5 elements of T, by tiles of a block each.
#pragma once

#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

#include "race.h"

constexpr int kTiled = (1 << 27) - 5;

constexpr unsigned tiles_of(int n, int tile) { return (unsigned)((n + tile - 1) / tile); }
