"""@rules_cc's load path for cc_test, answered by the native rule."""

cc_test = native.cc_test
