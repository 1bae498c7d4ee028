"""@rules_cc's load path for cc_binary, answered by the native rule."""

cc_binary = native.cc_binary
