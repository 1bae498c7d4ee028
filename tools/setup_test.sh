#!/usr/bin/env bash
# Copyright 2026 The netlab Authors.
# SPDX-License-Identifier: Apache-2.0
#
# tools/setup against a machine made of stand-ins: no package is installed, none is touched.
set -euo pipefail

setup="$PWD/tools/setup"
machine="$TEST_TMPDIR/bin"
export HOME="$TEST_TMPDIR"

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

stand_in() {
  printf '#!/bin/bash\n%s\n' "$2" >"$machine/$1"
  chmod +x "$machine/$1"
}

# A machine has the basic tools, and an apt-get that writes down how it was called.
new_machine() {
  rm -rf "$machine" "$TEST_TMPDIR/calls"
  mkdir -p "$machine"
  local tool
  for tool in bash cat env mkdir dirname touch; do
    ln -s "$(command -v "$tool")" "$machine/$tool"
  done
  stand_in apt-get "echo \"\$*\" >>'$TEST_TMPDIR/calls'"
  stand_in id 'echo 0'
  stand_in npm 'exit 0'
}

run() { PATH="$machine" bash "$setup" "$@" >"$TEST_TMPDIR/out" 2>&1; }

# Everything is there: nothing is installed, and --quiet says nothing.
new_machine
stand_in dpkg-query 'echo -n installed'
run --quiet || fail "a complete machine: $(<"$TEST_TMPDIR/out")"
[[ ! -s "$TEST_TMPDIR/out" ]] || fail "--quiet said: $(<"$TEST_TMPDIR/out")"
[[ ! -e "$TEST_TMPDIR/calls" ]] || fail "a complete machine ran apt-get"

# One package is missing: that one is installed, and no other.
new_machine
# shellcheck disable=SC2016 # The stand-in expands it.
stand_in dpkg-query '[[ "${@: -1}" != wrk ]] && echo -n installed'
run || fail "one missing package: $(<"$TEST_TMPDIR/out")"
grep -q 'install .*--no-install-recommends wrk$' "$TEST_TMPDIR/calls" ||
  fail "installed something else: $(<"$TEST_TMPDIR/calls")"

# Neither root nor sudo: the exact command, exit status 1, nothing installed.
rm "$TEST_TMPDIR/calls"
stand_in id 'echo 1000'
status=0
run || status=$?
[[ $status -eq 1 ]] || fail "without root the exit status is $status"
grep -q 'apt-get install --yes --no-install-recommends wrk$' "$TEST_TMPDIR/out" ||
  fail "without root it says: $(<"$TEST_TMPDIR/out")"
[[ ! -e "$TEST_TMPDIR/calls" ]] || fail "without root it ran apt-get"

# With sudo: through sudo.
# shellcheck disable=SC2016 # The stand-in expands it.
stand_in sudo '"$@"'
run || fail "with sudo: $(<"$TEST_TMPDIR/out")"
grep -q 'install .* wrk$' "$TEST_TMPDIR/calls" || fail "sudo was not used"

# Not Debian: no apt-get, so it says what is needed and lets the build try.
new_machine
rm "$machine/apt-get"
run || fail "not Debian: exit status $?"
grep -q 'not Debian' "$TEST_TMPDIR/out" || fail "not Debian: $(<"$TEST_TMPDIR/out")"

# A wrong argument is named.
status=0
run --wrong || status=$?
[[ $status -eq 1 ]] || fail "--wrong: exit status $status"
grep -q -- "--wrong" "$TEST_TMPDIR/out" || fail "--wrong is not named"
