#!/usr/bin/env bash
# Copyright 2026 The netlab Authors.
# SPDX-License-Identifier: Apache-2.0
#
# tools/count_results: what passed, what failed, and what never came to run.
set -euo pipefail

configured() {
  echo "{\"id\":{\"targetConfigured\":{\"label\":\"$1\"}},\"configured\":{\"targetKind\":\"$2 rule\"}}"
}
summary() {
  echo "{\"id\":{\"testSummary\":{\"label\":\"$1\"}},\"testSummary\":{\"overallStatus\":\"$2\"}}"
}
expect() {
  local wanted_status=$1 wanted_line=$2 status=0 line
  shift 2
  line=$(tools/count_results "$@" | tail -n 1) || status=$?
  [[ $status -eq $wanted_status && $line == "$wanted_line" ]] || {
    echo "FAILED: wanted '$wanted_line' and $wanted_status, got '$line' and $status" >&2
    exit 1
  }
}

one="$TEST_TMPDIR/one.json"
two="$TEST_TMPDIR/two.json"
{
  configured //:a cc_test
  configured //:library cc_library
  summary //:a PASSED
} >"$one"
expect 0 "1 passed, 0 failed" "$one"

{
  configured //:a cc_test
  configured //:broken cc_test
  configured //:b sh_test
  summary //:a PASSED
  summary //:b TIMEOUT
} >"$two"
expect 1 "2 passed, 2 failed" "$one" "$two"

{
  configured //:a cc_test
  summary //:a FLAKY
} >"$TEST_TMPDIR/flaky.json"
expect 0 "1 passed, 0 failed" "$TEST_TMPDIR/flaky.json"
tools/count_results "$TEST_TMPDIR/flaky.json" | grep -q '//:a: FLAKY'

: >"$TEST_TMPDIR/empty.json"
expect 1 "0 passed, 0 failed" "$TEST_TMPDIR/empty.json"
