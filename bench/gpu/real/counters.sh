#!/usr/bin/env bash
# counters.sh BUILD RESULTS: what ncu counts in one launch of every kernel of the races that run.sh built into BUILD:
# machine instructions by their names, bytes, wavefronts, stalls. RESULTS gets launches.csv (which race each launch is of, in
# order) and counters.csv. Needs ncu and leave to read the counters.
set -uo pipefail

build=$1
results=$2
mkdir -p "$results"
ncu=${CUDA_HOME:-/usr/local/cuda}/bin/ncu
[[ -x $ncu ]] || ncu=$(command -v ncu) || { echo "error: there is no ncu" >&2; exit 2; }
metrics=(
  gpu__time_duration.sum sm__cycles_elapsed.max sass__inst_executed_per_opcode smsp__inst_executed.sum
  dram__bytes_read.sum dram__bytes_write.sum lts__t_bytes.sum l1tex__t_sectors.sum
  l1tex__data_pipe_lsu_wavefronts.sum l1tex__data_pipe_lsu_wavefronts_mem_shared.sum l1tex__data_bank_conflicts_pipe_lsu.sum
  sm__warps_active.avg.pct_of_peak_sustained_active launch__registers_per_thread launch__occupancy_limit_registers launch__grid_size launch__block_size
  smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio
  smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio
  smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio smsp__issue_active.avg.pct_of_peak_sustained_active
  dram__throughput.avg.pct_of_peak_sustained_elapsed lts__t_sectors_op_read.sum lts__t_sectors_op_write.sum lts__t_sectors_lookup_miss.sum
)
status=0
echo "race,work,kernel" >"$results/launches.csv"
: >"$results/counters.csv"
for source in "$build"/synthesized/*.h; do
  name=$(basename "$source" .h)
  SWIZZLE_RACE_ONCE=1 timeout "${LIMIT:-120}" "$ncu" --clock-control none --csv --page raw --print-units base --print-kernel-base demangled \
    --print-metric-instances details --kernel-name 'regex:naive|vectors|shared_memory|register_cache|float4_loads|by_|stencil|conv2d|depthwise|structs|transpose|product|pack|scan|reduce|histogram|softmax' \
    --metrics "$(IFS=,; echo "${metrics[*]}")" "$build/$name" >"$results/log" 2>"$results/errors" || status=1
  grep -v '^==\|^"' "$results/log" | sed "s/^/$name,/" >>"$results/launches.csv"
  grep '^"' "$results/log" >>"$results/counters.csv" || { echo "$name: ncu counted nothing:" >&2; grep '^==' "$results/log" | tail -n 3 >&2; status=1; }
done
rm -f "$results/log" "$results/errors"
exit "$status"
