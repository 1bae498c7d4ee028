#!/bin/sh
echo "bazel coverage needs Bazel's own coverage tools, which this workspace does not fetch." >&2
exit 1
