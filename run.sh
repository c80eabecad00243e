#!/usr/bin/env bash
# Sets up what is missing, builds, and runs swizzle-synth with the given arguments.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/setup.sh"
swizzle_install
swizzle_build swizzle-synth swizzle_emulation
exec "$swizzle_build_dir/swizzle-synth" "$@"
