#!/usr/bin/env bash
# counters.sh RESULTS: in the folder that `counters.py prepare` made, on a machine with nvcc, a GPU and ncu: builds every
# kernel twice, launches each once to see which run, then counts these. $ARCH is the target (sm_90).
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
results=$(cd "$1" && pwd)
bin=${CUDA_HOME:-/usr/local/cuda}/bin
[[ -x $bin/ncu ]] || bin=$(dirname "$(command -v ncu)") || { echo "error: there is no ncu" >&2; exit 2; }
export here results nvcc=$bin/nvcc arch=${ARCH:-sm_90}
cd "$here" || exit 2
mkdir -p optimized as_written
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader >"$results/gpu.txt"
"$bin/ncu" --version | tail -n 1 >>"$results/gpu.txt"
"$nvcc" --version | sed -n 's/.*release/nvcc/p' >>"$results/gpu.txt"
g++ -O1 launch_all.cpp -o launch_all -ldl || exit 2

# nvcc merges and drops accesses, and puts some into registers; with -G it issues what is written.
built() {  # KIND ID FLAGS…
  local kind=$1 id=$2
  shift 2
  read -ra own <"units/$id.flags"
  timeout 120 "$nvcc" -arch="$arch" -std=c++17 -w -lineinfo -shared -Xcompiler -fPIC,-fvisibility=hidden -Xlinker -Bsymbolic,-z,lazy -I. "$@" "${own[@]}" \
    "units/$id.cu" -o "$kind/$id.so" >"$results/$kind.$id.log" 2>&1
}
build() { built "$1" "$2" $([[ $1 == as_written ]] && echo -G) || { echo "$2: does not build: $(grep -m 1 error "$results/$1.$2.log")" >"$results/$1.$2.why"; }; }
runs() { timeout 60 ./launch_all "$1/$2.so" >"$results/$1.$2.log" 2>&1 || echo "$2: does not run: $(tail -n 1 "$results/$1.$2.log")" >"$results/$1.$2.why"; }
export -f built build runs
mapfile -t ids < <(cd units && printf '%s\n' *.cu | sed 's/.cu$//')
for kind in optimized as_written; do printf "$kind %s\n" "${ids[@]}"; done | xargs -r -P "$(nproc)" -L 1 bash -c 'build "$0" "$1"'
for kind in optimized as_written; do for id in "${ids[@]}"; do [[ -e $results/$kind.$id.why ]] || echo "$kind $id"; done; done |
  xargs -r -P 4 -L 1 bash -c 'runs "$0" "$1"'
cat "$results"/*.why >"$results/left_out.txt" 2>/dev/null
metric=l1tex__data_pipe_lsu_wavefronts_mem_shared
metrics=$metric.sum,${metric}_op_ld.sum,${metric}_op_st.sum,smsp__inst_executed_op_shared_ld.sum,smsp__inst_executed_op_shared_st.sum
for kind in optimized as_written; do
  mapfile -t libraries < <(for id in "${ids[@]}"; do [[ -e $results/$kind.$id.why ]] || echo "$kind/$id.so"; done)
  # Some at a time: what ncu does not come to the end of is lost. Behind one that fails under it, it goes on with the next.
  for ((first = 0; first < ${#libraries[@]}; )); do
    batch=("${libraries[@]:first:32}")
    timeout "${LIMIT:-90}" "$bin/ncu" --csv --page raw --print-units base --cache-control none --clock-control none --metrics "$metrics" \
      ./launch_all "${batch[@]}" >"$results/$kind.log" 2>&1
    grep '^"' "$results/$kind.log" >"$results/$kind.$first.csv"
    printf '%s\n' "${batch[@]}" >"$results/$kind.$first.txt"
    counted=$(($(wc -l <"$results/$kind.$first.csv") - 2))
    grep -q '^==ERROR==' "$results/$kind.log" && echo "$kind: ncu ends at ${batch[counted > 0 ? counted - 1 : 0]}: $(grep -m 1 '^==ERROR==' "$results/$kind.log")" >&2
    ((first += counted > 0 ? counted : 1))
  done
done
rm -f "$results"/*.k*.log "$results"/*.why
