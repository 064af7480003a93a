"""The targets of the package and what each is built on, as a graph for Graphviz.

The graph comes from the manifest. This file says only in which layer a target stands; a target that no layer
has is an error, so that nobody forgets to say where a new one belongs.
"""

import json
import subprocess

# Each layer: its name, the band that it stands in from top to bottom, the color of its box and of the arrows
# that leave it, and its targets.
LAYERS = [
    ("programs", 0, "#fde2c8", "#b35900", ["authctl", "localauthd", "localauth-pam-worker", "localauth-bus", "localauth-fuse",
        "localauth-sync",
    ]),
    ("Apple's names", 0, "#f6d5e5", "#a8356f", [
        "SecureEnclave", "LocalAuthentication", "Security", "LocalAuthSecurityObjects", "LocalAuthSecurity",
        "RNCryptor", "DataProtection",
    ]),
    ("libraries", 1, "#e6dcf5", "#6a3fb0", [
        "LocalAuthTestKit", "LocalAuthEmbedded", "LocalAuthSQLiteExtension", "LocalAuthSQLite", "LocalAuthFiles", "LocalAuthKeyValue", "LocalAuthTables", "LocalAuthDocuments", "LocalAuth",
        "LocalAuthVerifier",
    ]),
    ("client", 2, "#d5e3f8", "#2458a6", ["LocalAuthDialog", "LocalAuthClient"]),
    ("host", 2, "#d5e3f8", "#2458a6", ["LocalAuthHost"]),
    ("service", 3, "#cfe8e4", "#12756a", ["LocalAuthService"]),
    ("adapters", 4, "#dff0d4", "#3d7a1a", [
        "LocalAuthPolicyFiles", "LocalAuthTerminal", "LocalAuthUnix", "LocalAuthStore", "LocalAuthCrypto",
        "LocalAuthPAM", "LocalAuthPKI", "LocalAuthHub", "LocalAuthRNCryptor", "LocalAuthFileFormat", "LocalAuthSecret",
    ]),
    ("pure", 5, "#fff3bf", "#8a6d00", [
        "LocalAuthAnalysis", "LocalAuthPolicies", "LocalAuthWire", "LocalAuthSensor", "LocalAuthKeychain",
        "LocalAuthBackup", "LocalAuthSync", "LocalAuthPropertyList",
        "LocalAuthToken", "LocalAuthProver", "LocalAuthReader", "LocalAuthCore", "LocalAuthJSON",
    ]),
    ("C: named in brown where it is imported", 6, "#e4e4e4", "#555555", [
        "CLocalAuthLinux", "CLocalAuthSQLite", "CLocalAuthSodium", "CLocalAuthOpenSSL", "CLocalAuthPAM",
        "CLocalAuthMath", "CLocalAuthPostgreSQL", "CLocalAuthSystemd", "CLocalAuthVFS", "CLocalAuthFuse", "CommonCrypto",
    ]),
]
# These stand side by side, because nothing else says where they stand.
ROWS = [LAYERS[-1][4]]

HEAD = """digraph targets {
graph [bgcolor=white newrank=true nodesep=0.13 ranksep=0.24 fontname="Helvetica" fontsize=10]
node [shape=box style="filled,rounded" fillcolor=white color="#555555" fontname="Helvetica" fontsize=10 height=0.3
  margin="0.06,0.03"]
edge [arrowsize=0.6]"""


def graph(swift):
    """The graph's text; exits where a target and the layers do not agree."""
    needs = dependencies(swift)
    layers = [name for _, _, _, _, names in LAYERS for name in names]
    for name in needs:
        if name not in layers:
            raise SystemExit("targets.py: in which layer is the target %s? Add it to LAYERS." % name)
    for name in layers:
        if name not in needs:
            raise SystemExit("targets.py: there is no target %s any more. Take it out of LAYERS." % name)
    return "\n".join([HEAD, *boxes(needs), *bands(), *arrows(needs), "}"])


def dependencies(swift):
    """The targets that are shipped, each with those that it names."""
    dump = subprocess.run([swift, "package", "--scratch-path", ".build/dump", "dump-package"], stdout=subprocess.PIPE, check=True)
    needs = {}
    for target in json.loads(dump.stdout)["targets"]:
        if target["type"] not in ("test", "plugin") and not (target.get("path") or "").startswith("Tests/"):
            needs[target["name"]] = [list(one.values())[0][0] for one in target["dependencies"]]
    return needs


def is_c(name):
    return name in LAYERS[-1][4]


def boxes(needs):
    """A box for each layer, with its targets in it."""
    for number, (layer, _, color, _, names) in enumerate(LAYERS):
        yield 'subgraph cluster_%d { label="%s" labeljust=l style=filled color="#bbbbbb" fillcolor="%s"' % (
            number, layer, color)
        for name in names:
            yield '  "%s" [label=<%s>]' % (name, label(name, needs[name]))
        for row in ROWS:
            if row[0] in names:
                yield "  {rank=same %s}" % " ".join('"%s"' % name for name in row)
        yield "}"


def label(name, needs):
    """The target's name, the part that most have in common above the rest, and the C modules below."""
    words = name
    for prefix in ["CLocalAuth", "LocalAuth"]:
        rest = name[len(prefix):]
        if name.startswith(prefix) and rest[:1].isupper():
            words = '<font point-size="8" color="#666666">%s</font><br/>%s' % (prefix, rest)
            break
    modules = sorted(need.removeprefix("CLocalAuth") for need in needs if is_c(need))
    if modules:
        words += '<br/><font point-size="8" color="#9a3412">%s</font>' % ", ".join(modules)
    return words


def bands():
    """Invisible arrows that keep each band below the one before."""
    for band in range(LAYERS[-1][1]):
        yield 'band%d [shape=point style=invis width=0 height=0]' % band
        for _, place, _, _, names in LAYERS:
            for name in names[:1] if place == LAYERS[-1][1] else names:
                if place == band:
                    yield '"%s" -> band%d [style=invis weight=0]' % (name, band)
                elif place == band + 1:
                    yield 'band%d -> "%s" [style=invis weight=0]' % (band, name)


def arrows(needs):
    """The dependencies that do not follow from others."""
    for _, _, _, color, names in LAYERS:
        for name in names:
            others = [need for need in needs[name] if not is_c(need)]
            implied = {below for need in others for below in reached(need, needs)}
            for need in sorted(set(others) - implied):
                yield '"%s" -> "%s" [color="%s"]' % (name, need, color)


def reached(name, needs):
    """Everything that is below a target."""
    below = set(needs[name])
    for need in needs[name]:
        below |= reached(need, needs)
    return below
