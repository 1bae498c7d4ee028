#!/usr/bin/env bash
# Copyright 2026 The netlab Authors.
# SPDX-License-Identifier: Apache-2.0
#
# What the program itself promises: one clear line and the right exit status.
set -u

readonly load=$1 echo_server=$2
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
expect_refused "--engine=kqueue: expected auto, epoll or io_uring" --url=$nobody --engine=kqueue
expect_refused "--json_output=/nonexistent/x" --url=$nobody --json_output=/nonexistent/x
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

# SIGTERM ends a run early, and what was measured is written.
exec {ready}< <(exec "$echo_server")
server=$!
read -r -t 30 -u "$ready" line || fail "the echo server does not start"
"$load" --url="http://127.0.0.1:${line##* }/" --duration=1h --warmup=0s --verify=body \
  --expect_body='{"message":"hello!"}' --observe_pid=$server \
  --json_output="$TEST_TMPDIR/json" >/dev/null &
load_pid=$!
# Once the server has used a tenth of a second of CPU time, the load is there.
cpu_ticks() { awk '{print $14 + $15}' "/proc/$server/stat"; }
until (($(cpu_ticks) > 10)) || ! kill -0 $load_pid 2>/dev/null; do sleep 0.01; done
kill -TERM $load_pid
wait $load_pid
status=$?
((status == 0)) || fail "after SIGTERM: exit status $status"
grep -q '"requests": [1-9]' "$TEST_TMPDIR/json" || fail "after SIGTERM: no requests"
grep -q "\"pid\": $server," "$TEST_TMPDIR/json" || fail "after SIGTERM: nobody observed"
kill -TERM $server

((failures == 0))
