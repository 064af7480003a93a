#!/usr/bin/env python3
"""Builds the reference of the library: reference.py BUILD OUTPUT

BUILD is the directory of a debug build (.build/debug): the symbols are read from its modules, and nothing is compiled.
Each module's catalogue becomes an archive, and all of them one site in OUTPUT, with the pages of Products.docc in front.
A warning is an error. $SWIFT names the compiler (swift); docc, which comes with it, must be on the path.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
SWIFT = os.environ.get("SWIFT", "swift")
# What people import, after what it links to; with the modules whose declarations it exports as its own.
MODULES = {
    "LocalAuth": ["LocalAuthCore", "LocalAuthKeychain", "LocalAuthSecret", "LocalAuthToken"],
    "LocalAuthKeyValue": ["LocalAuthPropertyList"],
    "LocalAuthDocuments": [],
    "LocalAuthTables": ["LocalAuthSync"],
    "LocalAuthEmbedded": [],
    "LocalAuthTestKit": [],
    "LocalAuthVerifier": ["LocalAuthToken"],
    "LocalAuthentication": [],
    "Security": ["LocalAuthSecurity", "LocalAuthSecurityObjects"],
    "SecureEnclave": [],
    "CommonCrypto": [],
}
# The bytes that the archives need, and some more.
ROOM = 300 << 20
C_MODULES = ["OpenSSL", "Sodium", "PAM", "SQLite", "Math"]


def main(build, output):
    shutil.rmtree(output, ignore_errors=True)
    # Thousands of small files that are gone in a moment: in memory where there is such a place.
    memory = "/dev/shm"
    if not os.access(memory, os.W_OK) or shutil.disk_usage(memory).free < ROOM:
        memory = None
    with tempfile.TemporaryDirectory(prefix="localauth-docs.", dir=memory) as work:
        build_site(build, work, output)
    print("The reference is in %s: python3 -m http.server --directory %s" % (output, output))


def build_site(build, work, output):
    archives = []
    for module, exported in MODULES.items():
        symbols = os.path.join(work, module)
        os.makedirs(symbols)
        extract(module, exported, build, symbols)
        catalogue = os.path.join(ROOT, "Sources", module, module + ".docc")
        archives.append(convert(catalogue, module, archives, work, ["--additional-symbol-graph-dir", symbols]))
    products = convert(os.path.join(FOLDER, "Products.docc"), "Products", archives, work)
    run("docc", "merge", products, *archives, "--synthesized-landing-page-name", "LocalAuth", "--output-path", output)


def extract(module, exported, build, folder):
    """Writes what the compiler knows of a module that was built."""
    maps = [os.path.join(build, "CLocalAuthLinux.build", "module.modulemap")]
    maps += [os.path.join(ROOT, "Sources", "CLocalAuth" + name, "module.modulemap") for name in C_MODULES]
    run(
        SWIFT, "symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public", "-skip-inherited-docs",
        "-target", target(), "-I", os.path.join(build, "Modules"),
        "-I", os.path.join(ROOT, "Sources", "CommonCrypto", "include"),
        *[word for path in maps for word in ("-Xcc", "-fmodule-map-file=" + path)],
        *(["-experimental-allowed-reexported-modules=" + ",".join(exported)] if exported else []),
        # A cache of its own: the build's knows its modules by another path, and would be spoilt for both.
        "-module-cache-path", os.path.join(os.path.dirname(folder), "cache"), "-output-dir", folder)


def convert(catalogue, name, archives, work, more=()):
    """Makes an archive, whose links may lead to those before it."""
    archive = os.path.join(work, name + ".doccarchive")
    run(
        "docc", "convert", catalogue, *more, "--warnings-as-errors", "--enable-experimental-external-link-support",
        *[word for path in archives for word in ("--dependency", path)], "--output-dir", archive,
        "--fallback-display-name", name, "--fallback-bundle-identifier", "io.localauth." + name)
    return archive


def target():
    return "%s-unknown-linux-gnu" % os.uname().machine


def run(*command):
    words = [*shlex.split(command[0]), *command[1:]]
    ended = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ended.returncode or "warning:" in ended.stdout:
        sys.exit("%s%s failed" % (ended.stdout, " ".join(words[:2])))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*map(os.path.abspath, sys.argv[1:]))
