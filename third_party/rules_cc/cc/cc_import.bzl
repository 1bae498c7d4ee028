"""@rules_cc's load path for cc_import, answered by the native rule."""

cc_import = native.cc_import
