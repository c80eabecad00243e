#!/usr/bin/env bash
# What Containerfile says, step by step, in a Debian of its own that has nothing: the package of BUILD is installed by
# apt as its second stage does it, and completes a sketch. No container runtime is needed, but mmdebstrap and a mirror;
# without them this ends with 77, skipped. With --build the first stage is done as well, which builds everything.
#
#   tests/packages/containerfile.sh build/release
#   tests/packages/containerfile.sh --build
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)

skip() {
  echo "skipped: $1"
  exit 77
}

# The shell commands of the stage of that number: its RUN lines, joined where they go on.
commands_of_stage() {
  sed -e ':more' -e '/\\$/{N;s/\\\n//;bmore}' "$root/Containerfile" |
    awk -v wanted="$1" '/^FROM / { stage++ } stage == wanted && sub(/^RUN /, "") { print }'
}

# Runs a script in a fresh Debian: fresh INTO_TMP… -- MORE_OPTIONS…, the script from standard input.
fresh() {
  local files=() script
  while [[ $1 != -- ]]; do files+=("$1"); shift; done
  shift
  script=$(cat)
  printf '%s\n' 'set -e' "$script" >"$scratch/script"
  mmdebstrap --quiet --variant=apt --dpkgopt=force-unsafe-io --customize-hook="copy-in ${files[*]} $scratch/script /tmp" \
    --customize-hook='chroot "$1" bash /tmp/script' "$@" bookworm /dev/null "$mirror"
}

command -v mmdebstrap >/dev/null || skip "there is no mmdebstrap"
[[ -r /etc/os-release && $(. /etc/os-release && echo "$VERSION_CODENAME") == bookworm ]] ||
  skip "what is built here is not for Debian 12"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
# The mirror that apt takes here.
mirror=$(apt-get indextargets --format '$(SITE)' 'Release: bookworm' 'Created-By: Packages' | head -n 1)
[[ -n $mirror ]] || skip "apt names no mirror of bookworm"
/usr/lib/apt/apt-helper download-file "$mirror/dists/bookworm/InRelease" "$scratch/release" >/dev/null 2>&1 ||
  skip "$mirror cannot be reached"

if [[ $1 == --build ]]; then
  git -C "$root" archive --prefix=swizzle-synth/ -o "$scratch/sources.tar" HEAD
  { echo 'tar -xf /tmp/sources.tar -C / && cd /swizzle-synth'; commands_of_stage 1; } |
    fresh "$scratch/sources.tar" -- --customize-hook="sync-out /swizzle-synth/build/release $scratch" \
      --include=ca-certificates
else
  cpack --config "$1/CPackConfig.cmake" -G DEB -B "$scratch" >/dev/null
fi
ls "$scratch"/*.deb >/dev/null

# As `podman run -v "$PWD":/work swizzle-synth SKETCH.cu --spec SPEC.cpp` would.
{
  commands_of_stage 2
  sed -n 's/^WORKDIR \(.*\)/mkdir -p \1 \&\& cd \1/p' "$root/Containerfile" | tail -n 1
  echo 'cp /tmp/reverse.* .'
  sed -n 's/^ENTRYPOINT \["\(.*\)"\]/\1/p' "$root/Containerfile" |
    sed 's/$/ reverse.cu --spec reverse.cpp --run=cpu -o out.cu 2>said; cat said; grep -q "ran on cpu" said; grep __global__ out.cu/'
  echo 'swizzle-synth sweep --help >said; grep SWEEP.toml said'
} >"$scratch/steps"
fresh "$scratch"/*.deb "$root/sketches/reverse.cu" "$root/specs/reverse.cpp" -- <"$scratch/steps"
