#!/usr/bin/env bash
# prepare.sh [FOLDER [NAME…]]: completes every sketch, or those named, and writes its kernel and drivers as text, for
# bench/gpu/check.sh and bits.sh on a machine with a GPU and nvcc. The folder stands alone; it is build/gpu unless named,
# and is emptied first.
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../setup.sh"
swizzle_packages+=(python3)
swizzle_install
swizzle_build swizzle-synth swizzle_gpu_drivers

folder=${1:-$swizzle_root/build/gpu}
if [[ $# -gt 1 ]]; then
  names=("${@:2}")
else
  mapfile -t names < <(cd "$swizzle_root/sketches" && printf '%s\n' *.cu | sed 's/\.cu$//')
fi
if [[ -e $folder && ! -e $folder/harness.h && -n $(ls -A "$folder") ]]; then
  swizzle_fail "'$folder' is there, and was not made by prepare.sh"
fi
rm -rf "$folder"
mkdir -p "$folder/kernels"
cp "$swizzle_root"/emulation/{harness.h,harness.cpp,elements.h,elements.cpp,guarded_buffer.h,accumulators.h,accumulated_value.h,small_reals.h} "$swizzle_root"/bench/gpu/{timing.h,check.sh,bits.sh,bits_bench.cu} "$folder"

failed=0
for name in "${names[@]}"; do
  sketch=$swizzle_root/sketches/$name.cu
  spec=$swizzle_root/specs/$name.cpp
  kernel=$folder/kernels/$name
  mkdir "$kernel"
  status=0
  "$swizzle_build_dir/swizzle-synth" "$sketch" --spec "$spec" --run=none -o "$kernel/kernel.cu" 2>"$kernel/log" || status=$?
  if [[ $status -eq 0 ]] && "$swizzle_build_dir/swizzle_gpu_drivers" "$sketch" "$spec" "$kernel"; then
    rm "$kernel/log"
    if grep -q __shared__ "$kernel/kernel.cu"; then
      mapfile -t arguments <"$kernel/count.launch"
      "$swizzle_build_dir/swizzle-synth" check "$kernel/kernel.cu" "${arguments[@]}" --all-blocks --json - |
        python3 "$swizzle_root/bench/gpu/predicted.py" >"$kernel/wavefronts" || failed=1
    fi
    continue
  fi
  [[ $status -eq 10 ]] || { cat "$kernel/log" >&2; failed=1; }
  rm -r "$kernel"
done
kernels=("$folder"/kernels/*)
echo "${#kernels[@]} kernels in $folder, $(du -sk "$folder" | cut -f1) KB"
exit $failed
