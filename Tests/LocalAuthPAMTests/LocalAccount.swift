import Glibc
import Testing

/// A real account of this machine, removed with the value.
final class LocalAccount {
  let name: String
  let password = "correct horse"

  init() throws {
    name = "la-test-\(String(UInt32.random(in: 0..<0x100_0000), radix: 16))"
    try #require(
      Program.run("/usr/sbin/useradd", ["-M", "-N", "-s", "/bin/false", name]) == .status(0)
    )
    try setPassword()
  }

  deinit {
    #expect(Program.run("/usr/sbin/userdel", ["-f", name]) == .status(0))
  }

  /// Runs one of the account tools on the account.
  func change(_ tool: String, _ arguments: String...) throws {
    try #require(Program.run(tool, arguments + [name]) == .status(0))
  }

  private func setPassword() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    let line = Array("\(name):\(password)\n".utf8)
    #expect(unsafe write(ends[1], line, line.count) == line.count)
    close(ends[1])
    defer { close(ends[0]) }
    try #require(
      Program.run("/usr/sbin/chpasswd", ["-c", "YESCRYPT"], descriptor: ends[0]) == .status(0)
    )
  }
}
