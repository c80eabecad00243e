# Sourced by run.sh and test.sh: installs what is missing (apt), configures and builds Release into build/release.
# Nothing here writes to stdout, so that the tool's output stays the tool's; what succeeds quickly says nothing.

swizzle_root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
swizzle_build_dir=$swizzle_root/build/release

# The smallest set that holds every file that configuring, building and running read. clang-19, not only its
# libraries: find_package(Clang) checks that the programs it exports exist.
swizzle_packages=(cmake ninja-build g++ ccache llvm-19-dev libclang-19-dev clang-19 libz3-dev libfmt-dev libcli11-dev
  nlohmann-json3-dev libzstd-dev liblz4-dev zlib1g-dev libgtest-dev libbenchmark-dev libboost-context-dev
  libgoogle-perftools-dev)

swizzle_fail() {
  echo "error: $1" >&2
  exit 1
}

# swizzle_step WHAT COMMAND…: the command's output is shown if it fails; WHAT is said if it takes more than a second.
swizzle_step() {
  local what=$1 log status=0 notice
  shift
  log=$(mktemp)
  (sleep 1 2>/dev/null 9>&- && echo "$what" >&2) >/dev/null </dev/null &
  notice=$!
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill "$notice" 2>/dev/null || true
  wait "$notice" 2>/dev/null || true
  [[ $status -eq 0 ]] || cat "$log" >&2
  rm -f "$log"
  return "$status"
}

# The packages of the list that are not installed, one a line. dpkg-query fails when it knows none of a name: that
# is an answer here, no error.
swizzle_missing() {
  local installed package
  installed=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "${swizzle_packages[@]}" 2>/dev/null || true)
  for package in "${swizzle_packages[@]}"; do
    [[ $'\n'$installed$'\n' == *$'\n'"ii $package"$'\n'* ]] || echo "$package"
  done
}

swizzle_install() {
  local missing as_root=()
  mapfile -t missing < <(swizzle_missing)
  [[ ${#missing[@]} -gt 0 ]] || return 0
  command -v apt-get >/dev/null ||
    swizzle_fail "these packages are missing, and there is no apt-get to install them: ${missing[*]}"
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null ||
      swizzle_fail "run this once as root, or install sudo: these packages are missing: ${missing[*]}"
    as_root=(sudo)
    sudo -n true 2>/dev/null || sudo -v || swizzle_fail "sudo was refused: these packages are missing: ${missing[*]}"
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
  swizzle_step "updating the list of packages" "${apt[@]}" update ||
    swizzle_fail "apt-get update failed (above); these packages are missing: ${missing[*]}"
  swizzle_step "installing ${missing[*]}" "${apt[@]}" install --no-install-recommends "${missing[@]}" ||
    swizzle_fail "apt-get could not install (above): ${missing[*]}"
}

# swizzle_build TARGET…: one at a time in a checkout; a second caller waits for the first.
swizzle_build() {
  mkdir -p "$swizzle_build_dir"
  exec 9>"$swizzle_build_dir/.lock"
  flock 9
  if [[ ! -e $swizzle_build_dir/build.ninja ]]; then
    swizzle_step "configuring" cmake -S "$swizzle_root" --preset release -B "$swizzle_build_dir" ||
      swizzle_fail "the build could not be configured (above)"
  fi
  swizzle_step "building (some minutes the first time)" ninja -C "$swizzle_build_dir" "$@" ||
    swizzle_fail "the build failed (above)"
  exec 9>&-
}
