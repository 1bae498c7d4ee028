#!/usr/bin/env bash
# Copyright 2026 The netlab Authors.
# SPDX-License-Identifier: Apache-2.0
#
# What the program itself promises: one clear line and the right exit status.
set -u

readonly load=$1
readonly nobody=http://127.0.0.1:1/ # No one listens on tcpmux.
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# expect_refused TEXT FLAG...: exit status 1, and one line on stderr with TEXT.
expect_refused() {
  local text=$1 output status
  shift
  output=$("$load" "$@" 2>&1 >/dev/null)
  status=$?
  ((status == 1)) || fail "$*: exit status $status"
  [[ $output == *"$text"* ]] || fail "$*: '$output' does not say '$text'"
  (($(wc -l <<<"$output") == 1)) || fail "$*: '$output' is not one line"
}

expect_refused "--url=http://HOST" --connections=1
expect_refused "https is not supported" --url=https://localhost/
expect_refused "unexpected argument 'extra'" --url=$nobody extra
expect_refused "--connections=0" --url=$nobody --connections=0
expect_refused "no more than --connections=2" --url=$nobody --connections=2 --threads=3
expect_refused "'1-0' is an empty range" --url=$nobody --cpus=1-0
expect_refused "CPU 8191 is not available" --url=$nobody --cpus=8191
expect_refused "--verify=foot: expected head or body" --url=$nobody --verify=foot
expect_refused "--expect_body needs --verify=body" --url=$nobody --expect_body=x
expect_refused "--header='x'" --url=$nobody --header=x
expect_refused "process 2147483647 is gone" --url=$nobody --observe_pid=2147483647
expect_refused "Hn 1000064" --url=$nobody --connections=1000000
expect_refused "open files" --url=$nobody --connections=1000000

"$load" --url=$nobody --speed=1 >/dev/null 2>&1
(($? == 1)) || fail "an unknown flag is not refused"

# Nobody there: exit status 2, one line, and still JSON.
json=$("$load" --url=$nobody --connections=2 --json_output=- 2>"$TEST_TMPDIR/stderr")
status=$?
((status == 2)) || fail "nobody there: exit status $status"
grep -q '"requests": 0,' <<<"$json" || fail "nobody there: no JSON: $json"
grep -qx "load: $nobody: not one request succeeded: connect: Connection refused" \
  "$TEST_TMPDIR/stderr" || fail "nobody there: $(cat "$TEST_TMPDIR/stderr")"
(($(wc -l <"$TEST_TMPDIR/stderr") == 1)) || fail "nobody there: more than one line"

((failures == 0))
