#!/usr/bin/env bash
# Sets up what is missing, builds, and prints the table of all sketches.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../setup.sh"
swizzle_packages+=(python3)
swizzle_install
swizzle_build swizzle-synth swizzle_emulation swizzle_bench
exec python3 "$swizzle_root/bench/table.py" "$@"
