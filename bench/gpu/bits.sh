#!/usr/bin/env bash
# bits.sh [RESULTS]: builds the bit matrix kernels that prepare.sh wrote into the folder of this script, compares each
# with the CPU and times it next to copies at blocks of 32 to 1024 threads; prints the table. RESULTS (a folder; nothing
# is kept unless named) gets bits.csv, instructions.csv (what each kernel was compiled to) and counters.csv (what ncu
# counted). Needs nvcc, its host compiler and a GPU; ncu and cuobjdump where they are. $ARCH is the target (sm_90),
# $WORDS the size (2^28).
set -uo pipefail

folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[[ -e $folder/kernels/bits_wide/kernel.cu ]] || { echo "error: '$folder' has no kernels: prepare.sh makes them" >&2; exit 2; }
bin=${CUDA_HOME:-/usr/local/cuda}/bin
[[ -x $bin/nvcc ]] || bin=$(dirname "$(command -v nvcc)") || { echo "error: there is no nvcc" >&2; exit 2; }
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
results=${1:-$build}
mkdir -p "$results"

"$bin/nvcc" -std=c++17 -O3 -w -arch="${ARCH:-sm_90}" -Xcompiler -pthread -I "$folder" "$folder/bits_bench.cu" -o "$build/bits_bench" || exit 1
status=0
"$build/bits_bench" "${WORDS:-268435456}" >"$results/bits.csv" || status=$?
[[ -s $results/bits.csv ]] || exit "$status"

# Machine instructions of each kernel, by their names.
if [[ -x $bin/cuobjdump ]]; then
  "$bin/cuobjdump" -sass "$build/bits_bench" | awk '
    /Function :/ { name = match($3, /bits_[a-z0-9]+|copy[0-9]+/) ? substr($3, RSTART, RLENGTH) : "" }
    name != "" && /^[ \t]*\/\*[0-9a-f]+\*\/ / {
      op = $2; if (op ~ /^@/) op = $3
      sub(/[.;].*/, "", op)
      if (op != "NOP" && op != "BRA") count[name "," op]++
    }
    END { print "kernel,instruction,count"; for (key in count) print key "," count[key] }' | sort >"$results/instructions.csv"
fi

# One launch of each at some block sizes.
if [[ -x $bin/ncu ]]; then
  sections=(SpeedOfLight Occupancy LaunchStats SchedulerStats WarpStateStats ComputeWorkloadAnalysis InstructionStats MemoryWorkloadAnalysis)
  timeout 240 "$bin/ncu" --csv --page raw --kernel-name 'regex:^(bits_|copy)' "${sections[@]/#/--section=}" \
    "$build/bits_bench" 67108864 --once >"$results/counters.log" 2>&1
  grep '^"' "$results/counters.log" >"$results/counters.csv" || { echo "ncu counted nothing:" >&2; tail -n 3 "$results/counters.log" >&2; }
fi

awk -F, 'NR == 1 { print "| kernel | block | median (ms) | least (ms) | GB/s | ÷ copy | matrices/s | against the CPU |"; print "|---|---|---|---|---|---|---|---|"; next }
  { printf "| %s | %s | %s | %s | %s | %.3f | %s | %s |\n", $1, $2, $3, $4, $5, $6, $7, $8 == 0 ? "equal" : "WRONG: " $8 " words" }' "$results/bits.csv"
printf '\n%s, %s, %s. %s words; median of 31, taking turns; ÷ copy is against the fastest copy.\n' "$(tail -n 1 "$results/bits.csv" | cut -d, -f9)" \
  "$("$bin/nvcc" --version | sed -n 's/.*release \([^,]*\),.*/CUDA \1/p')" "$(date -u +%F)" "${WORDS:-268435456}"
exit "$status"
