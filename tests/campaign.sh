#!/usr/bin/env bash
# The oracle and the fuzzer at once, at counts that a night, or many cores, are for:
#
#   tests/campaign.sh [-j JOBS] [--oracle COUNT] [--fuzz COUNT] [--seed SEED] [--stop-after SECONDS] [--keep FOLDER]
#
# 100,000 sketches and 1,000,000 inputs unless said otherwise; 0 leaves one out. Ends with the sums of both, and with exit
# code 1 if either has a finding; what a slice with a finding said, and its inputs, stay in FOLDER. Slices that FOLDER says
# have run are not run again: the same command goes on where it was interrupted. To run one again, take its line out.
# SWIZZLE_ORACLE_SERVER and SWIZZLE_FUZZ name programs that are there; otherwise both are built.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
jobs=$(nproc) sketches=100000 inputs=1000000 seed=7 seconds=0 keep=
usage() { sed -n '4,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }

while [[ $# -gt 0 ]]; do
  [[ $# -ge 2 ]] || usage
  case $1 in
    -j) jobs=$2 ;;
    --oracle) sketches=$2 ;;
    --fuzz) inputs=$2 ;;
    --seed) seed=$2 ;;
    --stop-after) seconds=$2 ;;
    --keep) keep=$2 ;;
    *) usage ;;
  esac
  shift 2
done

if [[ -z ${SWIZZLE_ORACLE_SERVER:-} || -z ${SWIZZLE_FUZZ:-} ]]; then
  source "$root/setup.sh"
  swizzle_packages+=(python3 python3-numpy)
  swizzle_install
  swizzle_build oracle_server fuzz
  SWIZZLE_ORACLE_SERVER=$swizzle_build_dir/tests/oracle/oracle_server SWIZZLE_FUZZ=$swizzle_build_dir/tests/fuzz/fuzz
fi
keep=${keep:-$(mktemp -d /tmp/swizzle-campaign-XXXXXX)}
mkdir -p "$keep"

# slices NAME COUNT SIZE COMMAND…: the lines of NAME-SEED.slices are "FIRST+COUNT STATUS what was said last".
slices() {
  local name=$1 count=$2 size=$3 first here status log
  shift 3
  for ((first = 0; first < count; first += size)); do
    here=$((count - first < size ? count - first : size))
    ! grep -qsF "$first+$here " "$keep/$name-$seed.slices" || continue
    [[ $seconds -eq 0 || $SECONDS -lt $seconds ]] || return 0
    log=$keep/$name-$seed-$first.log status=0
    "$@" --seed "$seed" --first "$first" --count "$here" >"$log" 2>&1 || status=$?
    echo "$first+$here $status $(tail -n 1 "$log")" >>"$keep/$name-$seed.slices"
    [[ $status -ne 0 ]] || rm "$log"
  done
}

# "1000 inputs, 0 findings": the sums of the numbers in front of these words.
sums() {
  awk -v words="$*" '{ for (i = 3; i < NF; ++i) { word = $(i + 1); gsub(/[,;]/, "", word); sum[word] += $i } }
    END { n = split(words, each, " "); for (i = 1; i <= n; ++i) printf "%s%d %s", (i > 1 ? ", " : ""), sum[each[i]], each[i] }'
}

# Each for all cores: when one has ended, they are the other's.
if [[ $sketches -gt 0 ]]; then
  slices oracle "$sketches" 2000 python3 "$root/tests/oracle/oracle.py" --server "$SWIZZLE_ORACLE_SERVER" -j "$jobs" --most 100 &
fi
if [[ $inputs -gt 0 ]]; then
  slices fuzz "$inputs" 20000 "$SWIZZLE_FUZZ" --jobs "$jobs" --keep "$keep/inputs" "$root" &
fi
wait

status=0
for run in oracle fuzz; do
  [[ -e $keep/$run-$seed.slices ]] || continue
  words=(agreed unknown known differ)
  [[ $run = oracle ]] || words=(inputs findings)
  echo "$run, seed $seed: $(sums "${words[@]}" <"$keep/$run-$seed.slices")"
  ! grep -qv '^[0-9+]* 0 ' "$keep/$run-$seed.slices" || status=1
done
[[ $status -eq 0 ]] || echo "findings are in $keep" >&2
exit $status
