# Copyright 2026 The netlab Authors.
# SPDX-License-Identifier: Apache-2.0

"""The options this build compiles with, as C++ text: a benchmark must be able to say them."""

load("@rules_cc//cc:defs.bzl", "cc_library")

_SOURCE = """\
#include "netlab/lab/measure/build_info.h"

namespace netlab::lab {{

const char kCompilationMode[] = {mode};
const char kCompilerOptions[] = {options};

}}  // namespace netlab::lab
"""

def _build_options_source_impl(ctx):
    cpp = ctx.fragments.cpp
    source = ctx.actions.declare_file(ctx.label.name + ".cc")
    mode = ctx.var["COMPILATION_MODE"]

    # What the mode itself adds is the toolchain's own knowledge: -c opt of Bazel's gcc and clang.
    mode_options = ["-O2", "-DNDEBUG"] if mode == "opt" else []
    options = mode_options + cpp.copts + cpp.cxxopts + cpp.linkopts
    ctx.actions.write(source, _SOURCE.format(
        mode = json.encode(mode),
        options = json.encode(" ".join(options)),
    ))
    return [DefaultInfo(files = depset([source]))]

_build_options_source = rule(
    implementation = _build_options_source_impl,
    fragments = ["cpp"],
)

def build_info_library(name, hdrs, **kwargs):
    """The library that defines what build_info.h declares.

    Args:
      name: the target.
      hdrs: build_info.h.
      **kwargs: as cc_library takes them.
    """
    _build_options_source(name = name + "_source")
    cc_library(
        name = name,
        srcs = [name + "_source"],
        hdrs = hdrs,
        include_prefix = "netlab/" + native.package_name(),
        **kwargs
    )
