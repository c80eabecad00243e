#!/usr/bin/env bash
# Sets up what is missing, builds, and runs every test. Arguments go to ctest: ./test.sh -R Stencils
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/setup.sh"
swizzle_packages+=(python3 python3-numpy)
swizzle_install
swizzle_build all swizzle_bench swizzle_gpu_drivers
exec ctest --test-dir "$swizzle_build_dir" --output-on-failure -j "$(nproc)" "$@" </dev/null
