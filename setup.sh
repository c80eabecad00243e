# Sourced by run.sh and test.sh: installs what is missing (apt), configures and builds Release into build/release.
# Everything goes to stderr, so that the tool's output stays the tool's.

swizzle_root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

swizzle_packages=(cmake ninja-build g++ ccache llvm-19-dev libclang-19-dev clang-19 libz3-dev libfmt-dev libcli11-dev
  nlohmann-json3-dev libgtest-dev libbenchmark-dev libboost-context-dev)

swizzle_install() {
  local missing=() package
  local installed
  installed=" $(dpkg-query -W -f '${db:Status-Abbrev}${Package} ' "${swizzle_packages[@]}" 2>/dev/null) "
  for package in "${swizzle_packages[@]}"; do
    [[ $installed == *"ii $package "* ]] || missing+=("$package")
  done
  [[ ${#missing[@]} -eq 0 ]] && return 0
  if ! command -v apt-get >/dev/null; then
    echo "error: these packages are missing, and there is no apt-get to install them: ${missing[*]}" >&2
    return 1
  fi
  local as_root=()
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || { echo "error: run as root or install sudo: ${missing[*]} must be installed" >&2; return 1; }
    as_root=(sudo)
  fi
  echo "installing ${missing[*]}" >&2
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update -q && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
         apt-get install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    echo "error: the packages above could not be installed" >&2
    return 1
  fi
  rm -f "$log"
}

# swizzle_build TARGET…
swizzle_build() {
  local build=$swizzle_root/build/release log
  log=$(mktemp)
  if [[ ! -e $build/build.ninja ]]; then
    echo "configuring" >&2
    (cd "$swizzle_root" && cmake --preset release) >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; return 1; }
  fi
  if ! ninja -C "$build" -n "$@" 2>/dev/null | grep -q 'no work to do'; then
    echo "building" >&2
    ninja -C "$build" "$@" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; return 1; }
  fi
  rm -f "$log"
}
