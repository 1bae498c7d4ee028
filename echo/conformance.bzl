# Copyright 2026 The netlab Authors.
# SPDX-License-Identifier: Apache-2.0

"""The test that every echo server has to pass."""

load("//tools:cc.bzl", "netlab_cc_test")

def conformance_test(server, shares_listener = False):
    """Defines :SERVER_conformance_test, which runs the suite against one binary.

    Args:
      server: the name of the server's target in this package.
      shares_listener: whether its threads share one listener.
    """
    netlab_cc_test(
        name = server + "_conformance_test",
        size = "small",
        timeout = "moderate",
        args = [
            "--server=$(rootpath :%s)" % server,
            "--shares_listener=%s" % shares_listener,
        ],
        data = [":" + server],
        deps = ["//echo:conformance"],
    )
