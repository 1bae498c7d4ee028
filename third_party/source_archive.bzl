"""A pinned source archive: from its upstream address, else from Debian's source package.

Each origin has its own sha256, because Debian repacks some archives. Both are looked for in
Bazel's repository cache and --distdir first, so a machine that has them needs no network.
"""

def _cached(ctx, file, sha256):
    """The file from the repository cache or --distdir; the address is there to carry the name."""
    return ctx.download(
        url = ["file:///nowhere/" + file],
        output = "_download/" + file,
        sha256 = sha256,
        allow_fail = True,
    ).success

def _fetch_upstream(ctx):
    """Returns the archive's path, or None."""
    for url in ctx.attr.urls:
        file = url.split("/")[-1]
        output = "_download/upstream-" + file
        if ctx.download(url = [url], output = output, sha256 = ctx.attr.sha256, allow_fail = True).success:
            return ctx.path(output)
    return None

def _fetch_debian(ctx):
    """Returns the archive's path or None, and what apt said."""
    file, sha256 = ctx.attr.debian_file, ctx.attr.debian_sha256
    path = ctx.path("_download/" + file)
    if _cached(ctx, file, sha256):
        return path, ""

    # Naming the label creates the apt state, so only a build that gets here pays for it.
    fetch = ctx.path(ctx.attr.debian_suite)
    ctx.file("_download/.keep", "")
    result = ctx.execute(
        ["sh", str(fetch), ctx.attr.debian_source, file],
        working_directory = str(ctx.path("_download")),
        timeout = 3600,
    )
    if result.return_code:
        return None, result.stdout + result.stderr

    # This checks the hash, and puts the archive into the repository cache.
    checked = ctx.download(
        url = ["file://" + str(path)],
        output = "_download/checked",
        sha256 = sha256,
        allow_fail = True,
    )
    if not checked.success:
        return None, "%s came, but its sha256 is not %s" % (file, sha256)
    return path, ""

def _extract(ctx, archive, strip_prefix, members, transform):
    if not members:
        ctx.extract(archive, stripPrefix = strip_prefix)
        return
    depth = len([part for part in strip_prefix.split("/") if part])
    command = ["tar", "-xf", str(archive), "--no-same-owner", "--wildcards", "--strip-components=%d" % depth]
    if transform:
        command.append("--transform=" + transform)
    result = ctx.execute(command + members, timeout = 1800)
    if result.return_code:
        fail("@%s: cannot unpack %s: %s" % (ctx.name, archive.basename, result.stderr))

_UNREACHABLE = """
@{name}: this pinned source archive can be had from neither of its two places.
  upstream: {urls}
  Debian:   {file} of the source package '{source}'
            {said}
What to do: check the network and any proxy, or get one of these files by other means, put it in a folder,
and pass --distdir=FOLDER (or set DEBIAN_MIRROR to a mirror that can be reached):
  {upstream_file}  sha256 {sha256}
  {file}  sha256 {debian_sha256}
"""

def _impl(ctx):
    attr = ctx.attr
    archive = _fetch_upstream(ctx)
    from_debian = archive == None
    if from_debian:
        archive, said = _fetch_debian(ctx)
        if archive == None:
            fail(_UNREACHABLE.format(
                name = ctx.name,
                urls = ", ".join(attr.urls),
                file = attr.debian_file,
                source = attr.debian_source,
                said = "\n            ".join(said.strip().splitlines()[-5:]),
                upstream_file = attr.urls[0].split("/")[-1],
                sha256 = attr.sha256,
                debian_sha256 = attr.debian_sha256,
            ))
        _extract(ctx, archive, attr.debian_strip_prefix, attr.debian_members, attr.debian_transform)
    else:
        _extract(ctx, archive, attr.strip_prefix, attr.members, "")
    ctx.delete("_download")
    if attr.build_file:
        ctx.delete("BUILD")
        ctx.delete("BUILD.bazel")
        ctx.symlink(attr.build_file, "BUILD.bazel")
    for ours, theirs in attr.overlay.items():
        ctx.delete(theirs)
        ctx.symlink(ours, theirs)
    ctx.file("WORKSPACE", "workspace(name = %r)\n" % ctx.name)

source_archive = repository_rule(
    implementation = _impl,
    attrs = {
        "build_file": attr.label(allow_single_file = True, doc = "takes the place of the archive's own BUILD file"),
        "debian_file": attr.string(mandatory = True, doc = "name of Debian's orig tarball"),
        "debian_members": attr.string_list(doc = "unpack only these (tar wildcards); empty: all"),
        "debian_sha256": attr.string(mandatory = True),
        "debian_source": attr.string(mandatory = True, doc = "name of Debian's source package"),
        "debian_strip_prefix": attr.string(),
        "debian_suite": attr.label(default = "@debian_trixie//:fetch"),
        "debian_transform": attr.string(doc = "tar --transform that gives the Debian layout upstream's paths"),
        "members": attr.string_list(doc = "unpack only these of upstream's archive (tar wildcards); empty: all"),
        "overlay": attr.label_keyed_string_dict(allow_files = True, doc = "our file -> its path in the archive"),
        "sha256": attr.string(mandatory = True),
        "strip_prefix": attr.string(),
        "urls": attr.string_list(mandatory = True),
    },
    doc = "Fetches, checks and unpacks one pinned archive.",
)
