#!/usr/bin/env bash
# Sets up what is missing, builds, and runs every test.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
swizzle_install
swizzle_build all
exec ctest --test-dir "$swizzle_root/build/release" --output-on-failure -j "$(nproc)" "$@"
