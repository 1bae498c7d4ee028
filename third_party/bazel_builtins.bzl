"""The repositories that Bazel itself asks for, from this host instead of the network.

Bazel 4.2.3 resolves these names from the network unless the workspace defines them.
Debian packages most of them; a consumer that defines one already keeps its own.
"""

_DEBIAN = {
    "bazel_skylib": "/usr/share/bazel/tools/skylib",
    "platforms": "/usr/share/bazel/tools/platforms",
    "rules_java": "/usr/share/bazel/rules/java",
    "rules_proto": "/usr/share/bazel/rules/proto",
    # Bazel 7 asks for these three; 4.2.3 never looks, so an absent folder is harmless.
    "bazel_features": "/usr/share/bazel/tools/features",
    "rules_license": "/usr/share/bazel/rules/license",
    "rules_python": "/usr/share/bazel/rules/python",
}

# Debian's rules_cc 0.0.4 does not load on the Bazel beside it, hence a small one of ours.
_OURS = {
    "remote_coverage_tools": "third_party/coverage_tools",
    "rules_cc": "third_party/rules_cc",
}

def bazel_builtins():
    """Defines every repository of that kind which the workspace does not have yet."""
    for name, path in dict(_DEBIAN, **_OURS).items():
        if not native.existing_rule(name):
            native.local_repository(name = name, path = path)
