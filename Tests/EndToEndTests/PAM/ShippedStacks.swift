import LocalAuthUnix

/// The stacks of `pam/stacks` in a mount namespace in which they are in /etc/pam.d and the module is among the
/// system's; nothing of the machine's is changed.
final class ShippedStacks: Sendable {
  /// Where the system's modules are.
  private static let modules =
    ["x86_64-linux-gnu", "aarch64-linux-gnu"].map { "/usr/lib/\($0)/security" }
    .first { Files.exists($0 + "/pam_unix.so") } ?? "/lib/security"

  private let scratch = Scratch()

  /// A service that asks for the passwords of accounts, and an account with a shell.
  static func rig() throws -> PAMRig {
    let pam = try TestModule()
    try pam.describe("unix", "auth required pam_unix.so nodelay\naccount required pam_unix.so\n")
    let rig = try PAMRig(pam, service: "unix")
    try rig.account.change("/usr/sbin/usermod", ["--shell", "/bin/sh"])
    return rig
  }

  /// Copies the stacks; our line of each has `arguments` too.
  init(_ rig: PAMRig, arguments: String = "") throws {
    Files.setMode(0o755, of: scratch.path)
    let copy = #"""
      cp -a /etc/pam.d "$0/pam.d" && cp "$1"/* "$0/pam.d/" && chmod 644 "$0"/pam.d/*
      cp -a "$2" "$0/security" && cp "$3" "$0/security/"
      [ -z "$4" ] || sed -i "/^auth.*pam_localauth.so/s/$/ $4/" "$0"/pam.d/*
      """#
    let report = try RunningProgram.run(
      "/bin/sh",
      ["-ec", copy, scratch.path, Repository.path + "/pam/stacks", Self.modules, rig.module.path]
        + [arguments]
    )
    guard report.status == 0 else { throw Machine.Missing(what: "the stacks: \(report.errors)") }
    try scratch.write("\(rig.account.name) ALL=(root) ALL\n", to: "sudoers", mode: 0o440)
  }

  /// The path of a file beside the stacks, which every program can reach.
  func file(_ name: String) -> String { scratch.file(name) }

  /// Exchanges a file of /etc/pam.d.
  func describe(_ service: String, _ text: String) throws {
    try scratch.write(text, to: "pam.d/" + service, mode: 0o644)
  }

  /// What a shell does first, so that the stacks are in place.
  var setup: String {
    """
    mount --bind \(scratch.file("pam.d")) /etc/pam.d
    mount --bind \(scratch.file("security")) \(Self.modules)
    mount --bind \(scratch.file("sudoers")) /etc/sudoers

    """
  }

  /// The words that run a command of the shell where the stacks are in place.
  func inPlace(_ command: String) -> [String] {
    ["/usr/bin/unshare", "--mount", "/bin/sh", "-ec", setup + command]
  }

  func run(_ command: String, typing lines: [String]) throws -> RunningProgram.Report {
    let words = inPlace(command)
    return try RunningProgram.run(
      words[0],
      Array(words.dropFirst()),
      input: lines.map { $0 + "\n" }.joined(),
      within: .seconds(120)
    )
  }
}
