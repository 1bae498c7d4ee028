"""The C++ rules of this repository: @rules_cc's, with our warnings and our include paths."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")

# Third-party headers are reached with -isystem, so these speak of our own code alone.
_COPTS = [
    "-Wall",
    "-Wextra",
    "-Wshadow",
    "-Wconversion",
    "-Wno-sign-conversion",
    "-Werror",
]

def netlab_cc_library(name, copts = [], **kwargs):
    """A cc_library whose `hdrs` are included as "netlab/PACKAGE/FILE.h".

    In a consumer's build a plain "net/loop.h" would be shadowed by the consumer's own net/ folder.

    Args:
      name: the target.
      copts: further compiler options.
      **kwargs: as cc_library takes them.
    """
    cc_library(
        name = name,
        copts = _COPTS + copts,
        include_prefix = "netlab/" + native.package_name(),
        **kwargs
    )

def netlab_cc_binary(name, copts = [], **kwargs):
    cc_binary(name = name, copts = _COPTS + copts, **kwargs)

def netlab_cc_test(name, copts = [], **kwargs):
    cc_test(name = name, copts = _COPTS + copts, **kwargs)
