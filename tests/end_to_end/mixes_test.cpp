// Sketches of mixed kinds: no iteration variable, a computed one, several buffers, structs, maxima, two outputs, values
// that pass several shuffles, a condition on its own.
#include <gtest/gtest.h>

#include "tests/end_to_end/published.h"

namespace swizzle::test::mixes_test {
namespace {

class Mixes : public testing::TestWithParam<Published> {};

TEST_P(Mixes, AreFoundProvedRereadAndRun) { expect_published(GetParam(), 3); }

INSTANTIATE_TEST_SUITE_P(AtTheirSizes, Mixes,
                         testing::Values(Published{"reverse", 1, 1}, Published{"rotate5", 1, 2},
                                         Published{"conv1d_stride2", 4, 16}, Published{"interleave2", 4, 6},
                                         Published{"transpose8x4", 1, 4}, Published{"butterfly_quads", 2, 10},
                                         Published{"scan_quads", 2, 6}, Published{"bit_reverse8", 2, 14},
                                         Published{"slope_curvature", 3, 12}, Published{"stencil_structs", 6, 12},
                                         Published{"stencil_aos", 6, 24}, Published{"dilate1d", 7, 24},
                                         Published{"circular_conv32", 64, 64}, Published{"reverse_stencil", 5, 25},
                                         Published{"deinterleave2", 2, 20}, Published{"fir_symmetric", 7, 34},
                                         Published{"compact_offsets", 1, 0}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace swizzle::test::mixes_test
