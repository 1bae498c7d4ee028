"""Everything netlab takes from elsewhere, pinned. A consumer that defines one of these keeps its own."""

load(":debian_sources.bzl", "debian_sources")
load(":npm_files.bzl", "npm_files")
load(":source_archive.bzl", "source_archive")

# Boost's headers that Asio reads with BOOST_ASIO_NO_DEPRECATED: upstream packs all of Boost flat,
# Debian packs the layout of the git repositories.
_BOOST_MODULES = ["align", "asio", "assert", "config", "context", "core", "mp11", "system", "throw_exception", "variant2"]
_BOOST_FILES = ["cerrno", "cstdint", "current_function", "limits", "version"]
_BOOST_FOLDERS = _BOOST_MODULES + ["exception"]

def _archive(name, **kwargs):
    if not native.existing_rule(name):
        source_archive(name = name, build_file = kwargs.pop("build_file", "//third_party/%s:overlay.BUILD" % name), **kwargs)

def _debian(suite):
    if not native.existing_rule("debian_" + suite):
        debian_sources(name = "debian_" + suite, suite = suite)

def netlab_dependencies():
    """Defines the external repositories. Bazel fetches only those that a build asks for."""
    _debian("bookworm")
    _debian("trixie")
    _debian("forky")

    _archive(
        name = "com_google_absl",
        build_file = None,  # Abseil brings BUILD files of its own.
        urls = ["https://github.com/abseil/abseil-cpp/releases/download/20240722.0/abseil-cpp-20240722.0.tar.gz"],
        sha256 = "f50e5ac311a81382da7fa75b97310e4b9006474f9560ac46f54a9967f07d4ae3",
        strip_prefix = "abseil-cpp-20240722.0",
        debian_source = "abseil",
        debian_file = "abseil_20240722.0.orig.tar.gz",
        debian_sha256 = "df6d1f5ef540725f3851201176a60486aab332410788465c9877910bb471c34a",
        debian_strip_prefix = "abseil-20240722.0",
    )
    _archive(
        name = "com_google_googletest",
        build_file = "//third_party/googletest:overlay.BUILD",
        urls = ["https://github.com/google/googletest/releases/download/v1.16.0/googletest-1.16.0.tar.gz"],
        sha256 = "78c676fc63881529bf97bf9d45948d905a66833fbfa5318ea2cd7478cb98f399",
        strip_prefix = "googletest-1.16.0",
        debian_source = "googletest",
        debian_file = "googletest_1.16.0.orig.tar.gz",
        debian_sha256 = "2f54382b5d13d6cd0be2afc524f1e510d37f8ba78c2d439c5bea64ef37e30d01",
        debian_strip_prefix = "googletest-1.16.0",
    )
    _archive(
        name = "com_github_google_benchmark",
        build_file = "//third_party/benchmark:overlay.BUILD",
        urls = ["https://github.com/google/benchmark/archive/refs/tags/v1.9.1.tar.gz"],
        sha256 = "32131c08ee31eeff2c8968d7e874f3cb648034377dfc32a4c377fa8796d84981",
        strip_prefix = "benchmark-1.9.1",
        debian_source = "benchmark",
        debian_file = "benchmark_1.9.1.orig.tar.gz",
        debian_sha256 = "32131c08ee31eeff2c8968d7e874f3cb648034377dfc32a4c377fa8796d84981",
        debian_strip_prefix = "benchmark-1.9.1",
    )
    _archive(
        name = "boost",
        urls = ["https://archives.boost.io/release/1.88.0/source/boost_1_88_0.tar.bz2"],
        sha256 = "46d9d2c06637b219270877c9e16155cbd015b6dc84349af064c088e9b5b12f7b",
        strip_prefix = "boost_1_88_0",
        members = ["boost_1_88_0/boost/%s*" % folder for folder in _BOOST_FOLDERS] +
                  ["boost_1_88_0/boost/%s.hpp" % file for file in _BOOST_FILES],
        debian_source = "boost1.88",
        debian_file = "boost1.88_1.88.0.orig.tar.xz",
        debian_sha256 = "5fe04fe91e9148c233784082a27a9bc5e0efef2d0eac5ea0940cf455d97f9fdc",
        debian_strip_prefix = "boost",
        debian_members = ["boost/libs/%s/include/boost/*" % module for module in _BOOST_MODULES],
        debian_transform = "s,^boost/libs/[^/]*/include/boost/,boost/boost/,",
    )
    _archive(
        name = "libuv",
        urls = ["https://github.com/libuv/libuv/archive/refs/tags/v1.50.0.tar.gz"],
        sha256 = "b1ec56444ee3f1e10c8bd3eed16ba47016ed0b94fe42137435aaf2e0bd574579",
        strip_prefix = "libuv-1.50.0",
        debian_source = "libuv1",
        debian_file = "libuv1_1.50.0.orig.tar.gz",
        debian_sha256 = "ec9de6ecf2a780fd2afb3b007947d2cd57c3bb17f3b9e721a66774980d35cd4d",
        debian_strip_prefix = "libuv1-1.50.0",
    )
    _archive(
        name = "liburing",
        urls = ["https://github.com/axboe/liburing/archive/refs/tags/liburing-2.9.tar.gz"],
        sha256 = "897b1153b55543e8b92a5a3eb9b906537a5fedcf8afaf241f8b8787940c79f8d",
        strip_prefix = "liburing-liburing-2.9",
        debian_source = "liburing",
        debian_file = "liburing_2.9.orig.tar.gz",
        debian_sha256 = "57e9b36e4ac1e46b8e0351dfb1694dc59638fc25e384b4ba36d87b800b16db1a",
        debian_strip_prefix = "liburing-2.9",
        overlay = {
            "//third_party/liburing:compat.h": "src/include/liburing/compat.h",
            "//third_party/liburing:io_uring_version.h": "src/include/liburing/io_uring_version.h",
        },
    )
    _archive(
        name = "nghttp2",
        urls = ["https://github.com/nghttp2/nghttp2/releases/download/v1.64.0/nghttp2-1.64.0.tar.gz"],
        sha256 = "20e73f3cf9db3f05988996ac8b3a99ed529f4565ca91a49eb0550498e10621e8",
        strip_prefix = "nghttp2-1.64.0",
        debian_source = "nghttp2",
        debian_file = "nghttp2_1.64.0.orig.tar.gz",
        debian_sha256 = "b452dc69a1fcbc9375389b8b154175d8b7b125cdd713fc426774c2b79a1ebd77",
        debian_strip_prefix = "nghttp2-1.64.0",
        overlay = {"//third_party/nghttp2:nghttp2ver.h": "lib/includes/nghttp2/nghttp2ver.h"},
    )
    _archive(
        name = "curl",
        urls = [
            "https://curl.se/download/curl-8.14.1.tar.gz",
            "https://github.com/curl/curl/releases/download/curl-8_14_1/curl-8.14.1.tar.gz",
        ],
        sha256 = "6766ada7101d292b42b8b15681120acd68effa4a9660935853cf6d61f0d984d4",
        strip_prefix = "curl-8.14.1",
        debian_source = "curl",
        debian_file = "curl_8.14.1.orig.tar.gz",
        debian_sha256 = "6766ada7101d292b42b8b15681120acd68effa4a9660935853cf6d61f0d984d4",
        debian_strip_prefix = "curl-8.14.1",
        overlay = {"//third_party/curl:curl_config.h": "lib/curl_config.h"},
    )
    _archive(
        name = "nlohmann_json",
        urls = ["https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz"],
        sha256 = "0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406",
        strip_prefix = "json-3.11.3",
        members = ["json-3.11.3/include/*"],
        debian_source = "nlohmann-json3",
        debian_file = "nlohmann-json3_3.11.3.orig.tar.gz",
        debian_sha256 = "0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406",
        debian_strip_prefix = "json-3.11.3",
        debian_members = ["json-3.11.3/include/*"],
    )
    _archive(
        name = "hdr_histogram",
        urls = ["https://github.com/HdrHistogram/HdrHistogram_c/archive/refs/tags/0.11.8.tar.gz"],
        sha256 = "bb95351a6a8b242dc9be1f28562761a84d4cf0a874ffc90a9b630770a6468e94",
        strip_prefix = "HdrHistogram_c-0.11.8",
        # Debian has no package of it; Node.js 20 carries the same version among its own sources.
        debian_source = "nodejs",
        debian_file = "nodejs_20.19.2+dfsg.orig.tar.xz",
        debian_sha256 = "5e5559381ad031d245a8efa403458abbb73755f74c3e6380f185a4dd342b7949",
        debian_strip_prefix = "node-v20.19.2/deps/histogram",
        debian_members = ["node-v20.19.2/deps/histogram/*"],
    )
    _archive(
        name = "mimalloc",
        urls = ["https://github.com/microsoft/mimalloc/archive/refs/tags/v2.0.9.tar.gz"],
        sha256 = "4a29edae32a914a706715e2ac8e7e4109e25353212edeed0888f4e3e15db5850",
        strip_prefix = "mimalloc-2.0.9",
        debian_suite = "@debian_bookworm//:fetch",
        debian_source = "mimalloc",
        debian_file = "mimalloc_2.0.9+ds.orig.tar.xz",
        debian_sha256 = "cbc9d207ff105ad1f0cb739c378076143a6452b8d0624309cea0abfb040e972b",
        debian_strip_prefix = "mimalloc-2.0.9+ds",
    )
    _archive(
        name = "cpp_httplib",
        urls = ["https://github.com/yhirose/cpp-httplib/archive/refs/tags/v0.18.7.tar.gz"],
        sha256 = "b7b1e9e4e77565a5a9bc95e761d5df3e7c0e8ca37c90fd78b1b031bc6cb90fc1",
        strip_prefix = "cpp-httplib-0.18.7",
        debian_source = "cpp-httplib",
        debian_file = "cpp-httplib_0.18.7.orig.tar.xz",
        debian_sha256 = "c88f6495da71e778c82c22995b547a92ceb41cc4016f9028df67106a24b9210d",
        debian_strip_prefix = "yhirose-cpp-httplib-5814e12",
    )
    _archive(
        name = "cpr",
        urls = ["https://github.com/libcpr/cpr/archive/refs/tags/1.12.0.tar.gz"],
        sha256 = "f64b501de66e163d6a278fbb6a95f395ee873b7a66c905dd785eae107266a709",
        strip_prefix = "cpr-1.12.0",
        debian_suite = "@debian_forky//:fetch",
        debian_source = "cpr",
        debian_file = "cpr_1.12.0.orig.tar.gz",
        debian_sha256 = "f64b501de66e163d6a278fbb6a95f395ee873b7a66c905dd785eae107266a709",
        debian_strip_prefix = "cpr-1.12.0",
        overlay = {"//third_party/cpr:cprver.h": "include/cpr/cprver.h"},
    )

    if not native.existing_rule("vega"):
        npm_files(
            name = "vega",
            files = {
                "vega-lite@6.4.0:build/vega-lite.min.js": "05031cf18acd70a5e05e1bf86b61f1a71f715bd660d408297e3973fdf677e0e9",
                "vega@6.2.0:build/vega.min.js": "ea6a5936381d06f912466354e2b6a20eb66c4d41f1ca9dff1e0236dfee6ee392",
            },
        )
    if not native.existing_rule("buildifier"):
        npm_files(
            name = "buildifier",
            executable = True,
            files = {
                "@bazel/buildifier@8.2.1:buildifier-linux_amd64": "6ceb7b0ab7cf66fceccc56a027d21d9cc557a7f34af37d2101edb56b92fcfa1a",
                "@bazel/buildifier@8.2.1:buildifier-linux_arm64": "3baa1cf7eb41d51f462fdd1fff3a6a4d81d757275d05b2dd5f48671284e9a1a5",
            },
        )
