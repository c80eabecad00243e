#!/usr/bin/env bash
# throughput.sh [RESULTS]: builds throughput.cu, looks into its machine code for the instructions that it claims to
# measure, and measures. RESULTS (a folder; nothing is kept unless named) gets throughput.csv, what throughput/table.py
# makes the page of. Needs nvcc, cuobjdump, Python and a GPU. $ARCH is the target (sm_90).
set -euo pipefail

folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${CUDA_HOME:-/usr/local/cuda}/bin
[[ -x $bin/nvcc ]] || bin=$(dirname "$(command -v nvcc)") || { echo "error: there is no nvcc" >&2; exit 2; }
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
results=${1:-$build}
mkdir -p "$results"

"$bin/nvcc" -std=c++17 -O3 -w -arch="${ARCH:-sm_90}" -split-compile=0 "$folder/throughput.cu" -o "$build/throughput"
"$build/throughput" --list >"$build/list.csv"
"$bin/cuobjdump" -sass "$build/throughput" >"$build/sass"
python3 "$folder/throughput/check.py" "$build/list.csv" "$build/sass"
"$build/throughput" >"$results/throughput.csv"
echo "date,$(date -u +%F),,,$("$bin/nvcc" --version | sed -n 's/.*release \([^,]*\),.*/CUDA \1/p')" >>"$results/throughput.csv"
[[ $results == "$build" ]] && cat "$results/throughput.csv" || echo "$(wc -l <"$results/throughput.csv") lines in $results/throughput.csv"
