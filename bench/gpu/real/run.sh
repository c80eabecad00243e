#!/usr/bin/env bash
# run.sh [RESULTS]: builds the races beside this script over the kernels of kernels/real, runs them and what libraries have
# for the same work, checks every output, prints one table of times over that of a copy, and draws it. RESULTS (a folder;
# nothing is kept unless named) gets results.csv, table.md and chart.svg. Needs nvcc, its host compiler, Python and a GPU;
# torch, cuDNN and Triton where they are. --build only builds.
#
# $ARCH is the target (sm_90); $BUILD a folder for what is built, and what is there already is not built again; $KERNELS and
# $LIST are another folder of kernels and what kernels.csv is for it; $TROVE is a folder with trove/ptr.h, whose structs
# then race, too. With $SWIZZLE_RACE_ONLY=synthesized no peers do.
set -uo pipefail

build_only=
if [[ ${1:-} == --build ]]; then build_only=1; shift; fi
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$folder/../../.." && pwd)
bin=${CUDA_HOME:-/usr/local/cuda}/bin
[[ -x $bin/nvcc ]] || bin=$(dirname "$(command -v nvcc)") || { echo "error: there is no nvcc" >&2; exit 2; }
build=${BUILD:-$(mktemp -d)}
[[ -n ${BUILD:-} ]] || trap 'rm -rf "$build"' EXIT
results=${1:-$build}
mkdir -p "$build" "$results"

python3 "$folder/headers.py" "${KERNELS:-$root/kernels/real}" "${LIST:-$root/sketches/real/kernels.csv}" "$build" || exit 2
includes=(-I "$build" -I "$folder" -I "$folder/..")
[[ -z ${TROVE:-} || -f $TROVE/trove/ptr.h ]] || { echo "error: $TROVE has no trove/ptr.h" >&2; exit 2; }
[[ -z ${TROVE:-} ]] || includes+=(-I "$TROVE")
for source in "$build"/synthesized/*.h; do
  name=$(basename "$source" .h)
  [[ -x $build/$name ]] || echo "$name"
done | xargs -r -P "${JOBS:-$(nproc)}" -I{} "$bin/nvcc" -std=c++17 -O3 -w -arch="${ARCH:-sm_90}" -Xcompiler -pthread "${includes[@]}" "$folder/{}.cu" -o "$build/{}" || exit 1
[[ -z $build_only ]] || exit 0

status=0
csv=$results/results.csv
echo "work,kernel,median_ms,least_ms,gb_per_s,over_copy,wrong,device" >"$csv"
for source in "$build"/synthesized/*.h; do
  "$build/$(basename "$source" .h)" >>"$csv" || status=1
done
[[ -n ${SWIZZLE_RACE_ONLY:-} ]] || python3 "$folder/libraries.py" "$csv" || status=1
[[ -n ${TROVE:-} ]] || echo "absent,trove,,,,,0," >>"$csv"

{
  awk -F, 'NR == 1 { print "| work | kernel | median (ms) | least (ms) | GB/s | ÷ copy | against the CPU |"; print "|---|---|---|---|---|---|---|"; next }
    $1 == "absent" { printf "| all | %s | is not there | | | | |\n", $2; next }
    { printf "| %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6, $7 == 0 ? "equal" : "WRONG: " $7 }' "$csv"
  printf '\n%s, %s, %s. Medians of 31, taking turns; ÷ copy is against the faster of two copies.\n' "$(sed -n 2p "$csv" | cut -d, -f8)" \
    "$("$bin/nvcc" --version | sed -n 's/.*release \([^,]*\),.*/CUDA \1/p')" "$(date -u +%F)"
} >"$results/table.md"
cat "$results/table.md"
python3 "$folder/chart.py" "$csv" >"$results/chart.svg" || status=1
exit "$status"
