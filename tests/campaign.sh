#!/usr/bin/env bash
# The oracle and the fuzzer at once, at counts that a night, or many cores, are for:
#
#   tests/campaign.sh [-j JOBS] [--oracle COUNT] [--fuzz COUNT] [--seed SEED] [--stop-after SECONDS] [--keep FOLDER]
#
# 100,000 sketches and 1,000,000 inputs unless said otherwise; 0 leaves one out. Ends with the last lines of both, and with
# exit code 1 if either has a finding; all that they said, and the inputs of the fuzzer's findings, stay in FOLDER.
# SWIZZLE_SYNTH and SWIZZLE_FUZZ name programs that are there; otherwise both are built.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
jobs=$(nproc) sketches=100000 inputs=1000000 seed=7 seconds= keep=
usage() { sed -n '4,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }

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

if [[ -z ${SWIZZLE_SYNTH:-} || -z ${SWIZZLE_FUZZ:-} ]]; then
  source "$root/setup.sh"
  swizzle_packages+=(python3 python3-numpy)
  swizzle_install
  swizzle_build swizzle-synth fuzz
  SWIZZLE_SYNTH=$swizzle_build_dir/swizzle-synth SWIZZLE_FUZZ=$swizzle_build_dir/tests/fuzz/fuzz
fi
keep=${keep:-$(mktemp -d /tmp/swizzle-campaign-XXXXXX)}
mkdir -p "$keep"
limit=(${seconds:+--stop-after "$seconds"})

# Each for all cores: when one has ended, they are the other's.
oracle=0 fuzz=0
if [[ $sketches -gt 0 ]]; then
  python3 "$root/tests/oracle/oracle.py" --tool "$SWIZZLE_SYNTH" --count "$sketches" --seed "$seed" -j "$jobs" --most 100 \
    "${limit[@]}" >"$keep/oracle.log" 2>&1 & oracle=$!
fi
if [[ $inputs -gt 0 ]]; then
  "$SWIZZLE_FUZZ" --count "$inputs" --seed "$seed" --jobs "$jobs" --keep "$keep/inputs" "${limit[@]}" "$root" \
    >"$keep/fuzz.log" 2>&1 & fuzz=$!
fi

status=0
for run in oracle fuzz; do
  [[ ${!run} -gt 0 ]] || continue
  wait "${!run}" || status=1
  echo "$run, seed $seed: $(tail -n 1 "$keep/$run.log")"
done
[[ $status -eq 0 ]] || echo "findings are in $keep" >&2
exit $status
