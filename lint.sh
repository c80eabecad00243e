#!/usr/bin/env bash
# Holds the tree to .clang-format, and with --tidy to .clang-tidy (some three minutes on two cores), of the LLVM version that the tool is
# built with.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/setup.sh"
swizzle_packages+=(clang-format-19)
[[ ${1:-} != --tidy ]] || swizzle_packages+=(clang-tidy-19)
swizzle_install
cd "$swizzle_root"

mapfile -t formatted < <(git ls-files '*.h' '*.cpp' | grep -vE '^(sketches|specs)/')
swizzle_step "checking the format" clang-format-19 --dry-run --Werror "${formatted[@]}" ||
  swizzle_fail "these are not formatted (above); run: clang-format-19 -i FILE…"

if [[ ${1:-} != --tidy ]]; then
  echo "lint: ${#formatted[@]} files are formatted"
  exit 0
fi

# clang-tidy reads the sources as they are compiled, as many together as may be: most of its time goes to the headers of
# others, once a unit. Names of unnamed namespaces must differ within a unit, as in the release's own, smaller ones.
cmake -S . -B build/lint -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_UNITY_BUILD=ON \
  -DCMAKE_UNITY_BUILD_BATCH_SIZE=24 -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null ||
  swizzle_fail "the build could not be configured"
mapfile -t units < <(sed -n 's|^ *"file": "\(.*/swizzle[^/]*\.dir/Unity/unity_[^"]*\)".*|\1|p' build/lint/compile_commands.json | sort)
[[ ${#units[@]} -gt 0 ]] || swizzle_fail "there is nothing for clang-tidy to read"
printf '%s\0' "${units[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 --quiet -p build/lint ||
  swizzle_fail "clang-tidy found something (above)"
echo "lint: ${#formatted[@]} files are formatted, clang-tidy has nothing to say of ${#units[@]} units"
