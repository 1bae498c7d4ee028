"""@rules_cc's load path for cc_library, answered by the native rule."""

cc_library = native.cc_library
