#!/usr/bin/env bash
# Builds the unit tests with AddressSanitizer and UndefinedBehaviorSanitizer (the dev preset) and runs them.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/setup.sh"
swizzle_install
cd "$swizzle_root"

swizzle_step "configuring" cmake --preset dev || swizzle_fail "the build could not be configured (above)"
swizzle_step "building the unit tests with sanitizers (some minutes)" ninja -C build/dev unit_tests ||
  swizzle_fail "the build failed (above)"

# One part of the tests a core.
shards=$(nproc)
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
for ((i = 0; i < shards; i++)); do
  GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$i build/dev/unit_tests >"$logs/$i" 2>&1 </dev/null &
  runs[i]=$!
done
failed=0
for ((i = 0; i < shards; i++)); do
  wait "${runs[i]}" || { tail -n 60 "$logs/$i" >&2; failed=1; }
  grep -hE '^\[  (PASSED|FAILED) ' "$logs/$i" || true
done
[[ $failed -eq 0 ]] || swizzle_fail "the sanitizers, or the tests, found something (above)"
