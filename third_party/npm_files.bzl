"""Single files of npm packages, pinned by sha256: from a CDN that serves them, else through npm.

Both places serve the same bytes, so one hash is enough.
"""

_UNREACHABLE = """
@{name}: the pinned file {file} of the npm package {package} can be had from neither of its two places.
  CDN: {url}
  npm: {said}
What to do: check the network and any proxy, install npm (Debian: apt-get install npm), or put the file
(sha256 {sha256}) in a folder and pass --distdir=FOLDER.
"""

def _fetch(ctx, package, file, sha256):
    name = file.split("/")[-1]
    url = "https://cdn.jsdelivr.net/npm/%s/%s" % (package, file)
    if ctx.download(url = [url], output = name, sha256 = sha256, allow_fail = True).success:
        return
    said = "npm is not installed"
    if ctx.which("npm"):
        packed = ctx.execute(
            ["sh", "-c", "mkdir -p _pack && cd _pack && npm pack --silent '%s' && tar -xzf ./*.tgz 'package/%s'" % (package, file)],
            timeout = 600,
        )
        said = (packed.stderr + packed.stdout).strip()
        unpacked = ctx.path("_pack/package/" + file)
        if packed.return_code == 0 and unpacked.exists:
            said = "the file came, but its sha256 is another"
            got = ctx.download(
                url = ["file://" + str(unpacked)],
                output = name,
                sha256 = sha256,
                executable = ctx.attr.executable,
                allow_fail = True,
            )
            ctx.delete("_pack")
            if got.success:
                return
    fail(_UNREACHABLE.format(name = ctx.name, file = file, package = package, url = url, said = said, sha256 = sha256))

def _impl(ctx):
    for key, sha256 in ctx.attr.files.items():
        package, file = key.split(":")
        _fetch(ctx, package, file, sha256)
        if ctx.attr.executable:
            ctx.execute(["chmod", "+x", file.split("/")[-1]])
    ctx.file("BUILD.bazel", "exports_files(%r, visibility = [\"//visibility:public\"])\n" %
                            [key.split("/")[-1].split(":")[-1] for key in ctx.attr.files])

npm_files = repository_rule(
    implementation = _impl,
    attrs = {
        "executable": attr.bool(doc = "the files are programs"),
        "files": attr.string_dict(mandatory = True, doc = "PACKAGE@VERSION:PATH -> sha256"),
    },
    doc = "Offers @NAME//:FILE for each file, by its base name.",
)
