#!/usr/bin/env bash
# Sets up what is missing, builds, and runs every test. Arguments go to ctest: ./test.sh -R Pairs
set -euo pipefail
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/setup.sh"
swizzle_packages+=(python3 python3-numpy python3-venv mmdebstrap)

# What tests of the Python module need is installed beside the build, once for each list. Where no package index can be
# reached, these tests say what they lack and are skipped. Most of what is installed is never imported, nor compiled.
swizzle_python=$swizzle_build_dir/python
swizzle_test_python() {
  local list=$swizzle_root/tests/python/requirements.txt
  cmp -s "$list" "$swizzle_python/installed" && return
  rm -rf "$swizzle_python"
  if python3 -m venv "$swizzle_python" && "$swizzle_python/bin/python" -m pip install -q --no-compile -r "$list"; then
    cp "$list" "$swizzle_python/installed"
  else
    rm -rf "$swizzle_python"
  fi
}

swizzle_install
mkdir -p "$swizzle_build_dir"
swizzle_test_python >"$swizzle_build_dir/python.log" 2>&1 </dev/null &
installing=$!
swizzle_build all swizzle_bench swizzle_gpu_drivers
wait "$installing"
if [[ -x $swizzle_python/bin/python ]]; then
  export SWIZZLE_TEST_PYTHON=$swizzle_python/bin/python
else
  echo "tests that need more of Python are skipped; why it is not there: $swizzle_build_dir/python.log" >&2
fi

# What is found and proved is not to depend on how fast the machine is at the moment.
export SWIZZLE_PATIENCE=${SWIZZLE_PATIENCE:-4}

# An entry of ctest is a suite or a part of one: it tells of each test that was skipped, but shows what has failed alone.
# One more at once than there are cores, as some wait for a package index or a server.
status=0
ctest --test-dir "$swizzle_build_dir" --output-on-failure -j "$(($(nproc) + 1))" "$@" </dev/null || status=$?
sed -n 's/^\[  SKIPPED \] \(.*\) ([0-9]* ms)$/skipped: \1/p' "$swizzle_build_dir/Testing/Temporary/LastTest.log" 2>/dev/null || true
exit "$status"
