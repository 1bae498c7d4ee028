"""A private apt state that leads to the source packages of one Debian suite.

Nothing of the host's own lists, cache or dpkg state is touched. The mirror is the one that
the host's apt is set up for, or $DEBIAN_MIRROR.
"""

_KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"

_FETCH = """#!/bin/sh
# fetch SOURCE FILE: puts FILE, an orig tarball of the source package SOURCE, into the current folder.
# apt-get works on this folder's own state; the host's apt.conf.d stays in force (proxies live there).
state='{root}'
apt() {{
  env -u APT_CONFIG LC_ALL=C apt-get -q \\
    -o Dir::Etc::SourceList="$state/sources.list" \\
    -o Dir::Etc::SourceParts="$state/parts" \\
    -o Dir::Etc::Preferences=/dev/null \\
    -o Dir::Etc::PreferencesParts="$state/parts" \\
    -o Dir::State="$state" -o Dir::State::Lists="$state/lists" -o Dir::State::status="$state/status" \\
    -o Dir::Cache="$state/cache" -o Dir::Cache::Archives="$state/cache/archives" \\
    -o APT::Sandbox::User= -o APT::Get::List-Cleanup=0 -o APT::Update::Post-Invoke-Success::= \\
    -o APT::Update::Error-Mode=any -o Acquire::Languages=none -o Acquire::Retries=2 \\
    -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o Debug::NoLocking=1 "$@"
}}
source_file() {{
  apt source --download-only --tar-only --only-source "$1" && [ -e "$2" ]
}}
# Bazel fetches several repositories at once, and one apt state stands one apt at a time.
exec 9>"$state/lock"
flock 9
# The index is kept between builds, and renewed when it no longer leads to the file: archives move on.
if [ -e "$state/indexed" ]; then
  source_file "$@" && exit
  [ -n "$(find "$state/indexed" -mmin -10)" ] && exit 1
fi
apt update || exit
touch "$state/indexed"
source_file "$@"
"""

def _mirror(ctx):
    """The mirror to use, or None where this host has no Debian apt."""
    if ctx.os.environ.get("DEBIAN_MIRROR"):
        return ctx.os.environ["DEBIAN_MIRROR"]
    if not ctx.which("apt-get"):
        return None
    targets = ctx.execute([
        "apt-get",
        "indextargets",
        "--format",
        "$(ORIGIN) $(COMPONENT) $(REPO_URI)",
        "Created-By: Packages",
    ])
    fallback = None
    for line in targets.stdout.splitlines():
        fields = line.split(" ")
        if len(fields) == 3 and fields[0] == "Debian" and fields[1] == "main":
            # The security archive has no source of the packages that it never had to mend.
            if "security" not in fields[2]:
                return fields[2]
            fallback = fields[2].replace("-security", "")
    return fallback

def _impl(ctx):
    ctx.file("BUILD.bazel", "")
    mirror = _mirror(ctx)
    if not mirror or not ctx.path(_KEYRING).exists:
        ctx.file("fetch", "#!/bin/sh\necho 'no Debian mirror is set up on this host' >&2\nexit 1\n")
        return
    for folder in ["lists/partial", "cache/archives/partial", "parts"]:
        ctx.file(folder + "/.keep", "")
    ctx.file("status", "")
    ctx.file("sources.list", "deb-src [signed-by=%s] %s %s main\n" % (_KEYRING, mirror, ctx.attr.suite))
    ctx.file("fetch", _FETCH.format(root = ctx.path(".")))

debian_sources = repository_rule(
    implementation = _impl,
    attrs = {"suite": attr.string(mandatory = True, doc = "the suite's code name: trixie, say")},
    doc = "Offers @NAME//:fetch, a script that fetches the source packages of one suite. The index comes at first use.",
    environ = ["DEBIAN_MIRROR"],
)
