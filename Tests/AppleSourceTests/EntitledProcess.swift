import Foundation
import Testing

/// This test program once more, from a directory of its own where a file says which access groups it has.
///
/// A process reads its groups once, from beside its executable, where the other suites of this one
/// would read them too. It is the process of an exit test that becomes such a
/// program, so that the test waits for it and hears how it ended.
enum EntitledProcess {
  /// What the environment of such a process tells it that it is.
  private static let mark = "LOCALAUTH_TEST_GROUPS"

  /// Which of them this process is; nil for the one that starts the others.
  static var name: String? { ProcessInfo.processInfo.environment[mark] }

  /// A new directory with a link to this program, and with `rules` beside that; to be removed.
  static func directory(rules: String) throws -> URL {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let files = FileManager.default
    let directory = program.deletingLastPathComponent().appendingPathComponent(
      "entitled-\(UUID().uuidString)"
    )
    try files.createDirectory(at: directory, withIntermediateDirectories: false)
    try files.linkItem(at: program, to: directory.appendingPathComponent("tests"))
    let file = directory.appendingPathComponent("entitlements.json")
    try Data(rules.utf8).write(to: file)
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    return directory
  }

  /// Becomes the program in `directory`, which runs the suite `suite` and nothing else; it returns only
  /// when that fails.
  static func become(_ name: String, running suite: String, in directory: String) {
    let program = "\(directory)/tests"
    let arguments = [
      program, "--testing-library", "swift-testing", "--filter", "\\.\(suite)/",
    ]
    // What tells this process which exit test it is would tell the next one, too.
    var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("SWT_") }
    environment[mark] = name
    let variables = environment.map { "\($0.key)=\($0.value)" }
    execve(program, arguments.map { strdup($0) } + [nil], variables.map { strdup($0) } + [nil])
  }
}
