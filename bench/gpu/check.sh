#!/usr/bin/env bash
# check.sh [FOLDER]: builds and runs what prepare.sh wrote (the folder of this script unless named) and prints a table.
# Needs nvcc, its host compiler and a GPU, nothing else. $ARCH is the target (sm_90), $JOBS how many builds at a time;
# --build only builds.
set -uo pipefail

build_only=
if [[ ${1:-} == --build ]]; then build_only=1; shift; fi
folder=$(cd "${1:-$(dirname "${BASH_SOURCE[0]}")}" && pwd) || exit 2
[[ -d $folder/kernels ]] || { echo "error: '$folder' has no kernels: prepare.sh makes them" >&2; exit 2; }
nvcc=${CUDA_HOME:+$CUDA_HOME/bin/}nvcc
command -v "$nvcc" >/dev/null || nvcc=/usr/local/cuda/bin/nvcc
command -v "$nvcc" >/dev/null || { echo "error: there is no nvcc" >&2; exit 2; }
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
export folder nvcc build arch=${ARCH:-sm_90}

compile() {  # NAME: check, time and count, all in $build
  local source=$folder/kernels/$1
  # As --run=gpu builds it; -O3 is nvcc's own default for the kernel that is timed.
  "$nvcc" -std=c++17 -O2 -w -arch="$arch" -Xcompiler -fwrapv,-ffp-contract=off,-O1 -I "$folder" \
    "$source/check.cu" "$build/harness.o" "$build/elements.o" -o "$build/$1.check" &&
    "$nvcc" -std=c++17 -w -arch="$arch" -I "$folder" "$source/time.cu" -o "$build/$1.time" &&
    { [[ ! -e $source/wavefronts ]] ||
      # nvcc merges neighbouring accesses into wider ones: with -G it issues what is written.
      { "$nvcc" -std=c++17 -w -arch="$arch" -I "$folder" "$source/count.cu" -o "$build/$1.count" &&
        "$nvcc" -G -std=c++17 -w -arch="$arch" -I "$folder" "$source/count.cu" -o "$build/$1.count_as_written"; }; }
}
export -f compile

# NAME PROGRAM: shared-memory wavefronts of loads and of stores, as ncu reads them in one launch of the kernel.
counted() {
  local metric=l1tex__data_pipe_lsu_wavefronts_mem_shared_op
  "${CUDA_HOME:-/usr/local/cuda}/bin/ncu" --csv --print-units base --kernel-name "$(sed -n 2p "$folder/kernels/$1/count.launch")" --metrics "${metric}_ld.sum,${metric}_st.sum" "$build/$2" 2>&1 |
    awk -F'","' '/_op_ld.sum/ { gsub(/[",]/, "", $NF); loads = $NF } /_op_st.sum/ { gsub(/[",]/, "", $NF); stores = $NF } END { print loads, stores }'
}

for part in harness elements; do
  "$nvcc" -std=c++17 -O2 -I "$folder" -c "$folder/$part.cpp" -o "$build/$part.o" || exit 1
done
mapfile -t names < <(cd "$folder/kernels" && printf '%s\n' *)
printf '%s\n' "${names[@]}" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'compile {} >"$build/{}.log" 2>&1 || touch "$build/{}.failed"'

failed=0
gpu=
rows=
for name in "${names[@]}"; do
  if [[ -e $build/$name.failed ]]; then
    cat "$build/$name.log" >&2
    rows+="| $name | does not build | – | – | – | – | – | – |"$'\n'
    failed=1
    continue
  fi
  [[ -z $build_only ]] || continue
  result=$("$build/$name.check" 2>&1 | tail -n 1)
  case $result in
    *'"mismatches": 0,'*) verdict="equal on $(sed -n 's/.*"inputs": \([0-9]*\).*/\1/p' <<<"$result") inputs" ;;
    *'"mismatches":'*) verdict="WRONG: ${result//|/ }" failed=1 ;;
    *) verdict="did not run: ${result//|/ }" failed=1 ;;
  esac
  if IFS=$'\t' read -r size median least bytes copy device < <("$build/$name.time" 2>"$build/$name.log"); then
    gpu=$device
    timing="$size | $median | $least | $(awk "BEGIN { printf \"%.0f | %.3f\", $bytes / $median / 1e6, $median / $copy }")"
  else
    cat "$build/$name.log" >&2
    timing="– | – | – | – | –" failed=1
  fi
  wavefronts=–
  if [[ -e $build/$name.count ]]; then
    predicted=$(<"$folder/kernels/$name/wavefronts") read=$(counted "$name" "$name.count")
    wavefronts="$read as predicted"
    if [[ $predicted != "$read" ]]; then
      as_written=$(counted "$name" "$name.count_as_written")
      wavefronts="$as_written as predicted, $read after nvcc has merged accesses"
      [[ $predicted == "$as_written" ]] || { wavefronts="$as_written, and $read as optimized; PREDICTED $predicted"; failed=1; }
    fi
  fi
  rows+="| $name | $verdict | $timing | $wavefronts |"$'\n'
done
if [[ -z $build_only ]]; then
  echo "| kernel | against its spec | timed at | median (ms) | least (ms) | GB/s | ÷ copy | shared wavefronts, loads and stores |"
  echo "|---|---|---|---|---|---|---|---|"
fi
printf '%s' "$rows"
if [[ -z $build_only ]]; then
  printf '\n%s\n' "${gpu:-No GPU answered}, $("$nvcc" --version | sed -n 's/.*release \([^,]*\),.*/CUDA \1/p'). Median of 21; GB/s are the bytes of all buffers over that time; ÷ copy is against a copy of 16 bytes a thread that moves as many. Wavefronts: of one launch at the first instance, read by ncu."
fi
exit $failed
