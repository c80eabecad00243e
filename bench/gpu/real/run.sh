#!/usr/bin/env bash
# run.sh [RESULTS]: builds the races beside this script, which prepare.py wrote, runs them and prints what they took.
# RESULTS (a folder; nothing is kept unless named) gets results.csv. Needs nvcc, its host compiler and a GPU. $ARCH is
# the target (sm_90); $BUILD a folder for what is built, and what is there already is not built again; --build only
# builds.
set -uo pipefail

build_only=
if [[ ${1:-} == --build ]]; then build_only=1; shift; fi
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[[ -d $folder/synthesized ]] || { echo "error: '$folder' has no kernels: prepare.py makes them" >&2; exit 2; }
bin=${CUDA_HOME:-/usr/local/cuda}/bin
[[ -x $bin/nvcc ]] || bin=$(dirname "$(command -v nvcc)") || { echo "error: there is no nvcc" >&2; exit 2; }
build=${BUILD:-$(mktemp -d)}
[[ -n ${BUILD:-} ]] || trap 'rm -rf "$build"' EXIT
results=${1:-$build}
mkdir -p "$build" "$results"

for source in "$folder"/synthesized/*.h; do
  name=$(basename "$source" .h)
  [[ -x $build/$name ]] || echo "$name"
done | xargs -r -P "$(nproc)" -I{} "$bin/nvcc" -std=c++17 -O3 -w -arch="${ARCH:-sm_90}" -Xcompiler -pthread -I "$folder" "$folder/{}.cu" -o "$build/{}" || exit 1
[[ -z $build_only ]] || exit 0

status=0
echo "work,kernel,median_ms,least_ms,gb_per_s,over_copy,wrong,device" >"$results/results.csv"
for source in "$folder"/synthesized/*.h; do
  "$build/$(basename "$source" .h)" >>"$results/results.csv" || status=1
done

awk -F, 'NR == 1 { print "| work | kernel | median (ms) | least (ms) | GB/s | ÷ copy | against the CPU |"; print "|---|---|---|---|---|---|---|"; next }
  { printf "| %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6, $7 == 0 ? "equal" : "WRONG: " $7 }' "$results/results.csv"
printf '\n%s, %s, %s. Medians of 31, taking turns; ÷ copy is against the faster of two copies.\n' "$(tail -n 1 "$results/results.csv" | cut -d, -f8)" \
  "$("$bin/nvcc" --version | sed -n 's/.*release \([^,]*\),.*/CUDA \1/p')" "$(date -u +%F)"
exit "$status"
