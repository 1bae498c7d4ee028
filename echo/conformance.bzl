# Copyright 2026 The netlab Authors.
# SPDX-License-Identifier: Apache-2.0

"""The test that every echo server has to pass."""

load("//tools:cc.bzl", "netlab_cc_test")

def conformance_test(name, server, shares_listener = False):
    """Runs the suite against one server's binary.

    Args:
      name: the test.
      server: the server's target in this package.
      shares_listener: whether its threads share one listener.
    """
    netlab_cc_test(
        name = name,
        size = "small",
        timeout = "moderate",
        args = [
            "--server=$(rootpath :%s)" % server,
            "--shares_listener=%s" % shares_listener,
        ],
        data = [":" + server],
        deps = ["//echo:conformance"],
    )
