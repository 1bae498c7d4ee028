#!/bin/sh
# Copyright 2026 The netlab Authors.
# SPDX-License-Identifier: Apache-2.0
echo "bazel coverage needs Bazel's own coverage tools, which this workspace does not fetch." >&2
exit 1
