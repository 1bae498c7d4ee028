# Copyright 2026 The netlab Authors.
# SPDX-License-Identifier: Apache-2.0

"""What the experiments compare. Adding a subject is one line here, and one program.

A server is a program that takes --port, --threads and --cpus, prints "listening on PORT" when it
accepts connections, answers every request with the same 200 response, and ends on SIGTERM.
lab/README.md says it in full.
"""

load("@rules_cc//cc:defs.bzl", "cc_library")

def _server(name, program, what, args = [], reference = False):
    return struct(name = name, program = program, what = what, args = args, reference = reference)

# The order is that of all tables. The others are compared with the reference.
SERVERS = [
    _server("raw_epoll", "//echo:raw_epoll", "epoll and nothing else: one recv and one send a request", reference = True),
    _server("raw_uring", "//echo:raw_uring", "io_uring and nothing else: multishot receive into a buffer ring"),
    _server("asio", "//echo:asio", "Boost.Asio callbacks, one io_context shared by all threads"),
    _server("asio_sharded", "//echo:asio_sharded", "Boost.Asio callbacks, one io_context per thread"),
    _server("asio_coro", "//echo:asio_coro", "Boost.Asio C++20 coroutines, one io_context per thread"),
    _server("asio_uring", "//echo:asio_uring", "Boost.Asio callbacks over io_uring, one io_context per thread"),
    _server("libuv", "//echo:libuv", "libuv callbacks, one loop per thread"),
]

_SOURCE = """\
#include "netlab/lab/server_subjects.h"

namespace netlab::lab {{

const std::vector<ListedSubject>& ListedServers() {{
  static const auto& servers = *new std::vector<ListedSubject>{{
{entries}  }};
  return servers;
}}

}}  // namespace netlab::lab
"""

_ENTRY = "      {{{name}, {what}, {path}, {{{args}}}, {reference}}},\n"

def _runfiles_path(ctx, file):
    # That of another repository's file begins with "../REPOSITORY/".
    if file.short_path.startswith("../"):
        return file.short_path[len("../"):]
    return ctx.workspace_name + "/" + file.short_path

def _subjects_source_impl(ctx):
    paths = {}
    for program in ctx.attr.programs:
        paths[str(program.label)] = _runfiles_path(ctx, program[DefaultInfo].files_to_run.executable)
    entries = ""
    for subject in [json.decode(text) for text in ctx.attr.subjects]:
        entries += _ENTRY.format(
            name = json.encode(subject["name"]),
            what = json.encode(subject["what"]),
            path = json.encode(paths[str(ctx.label.relative(subject["program"]))]),
            args = ", ".join([json.encode(arg) for arg in subject["args"]]),
            reference = "true" if subject["reference"] else "false",
        )
    source = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.write(source, _SOURCE.format(entries = entries))
    return [DefaultInfo(files = depset([source]))]

_subjects_source = rule(
    implementation = _subjects_source_impl,
    attrs = {
        "programs": attr.label_list(doc = "of the subjects, each once"),
        "subjects": attr.string_list(doc = "as JSON"),
    },
)

def subjects_library(name, subjects, hdrs, deps, **kwargs):
    """The library that knows `subjects` and brings their programs.

    Args:
      name: the target.
      subjects: SERVERS, or a list like it.
      hdrs: server_subjects.h.
      deps: of hdrs.
      **kwargs: as cc_library takes them.
    """
    programs = {subject.program: True for subject in subjects}.keys()
    _subjects_source(
        name = name + "_source",
        testonly = kwargs.get("testonly", False),
        programs = programs,
        subjects = [json.encode(subject) for subject in subjects],
    )
    cc_library(
        name = name,
        srcs = [name + "_source"],
        hdrs = hdrs,
        data = programs,
        include_prefix = "netlab/" + native.package_name(),
        deps = deps,
        **kwargs
    )
