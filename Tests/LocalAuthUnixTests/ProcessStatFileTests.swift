import Glibc
import Testing

@testable import LocalAuthUnix

@Suite struct ProcessStatFileTests {
  /// What Linux 6.1 wrote, with another name.
  private func line(_ name: String, session: String = "4711", terminal: String = "34816") -> [UInt8]
  {
    let head =
      "4712 (\(name)) S 4711 4712 \(session) \(terminal) 4712 4194304 118 0 0 0 0 0 0 0 20 0 1 0"
    return Array("\(head) 987654 2564096 225 18446744073709551615 1 1 0 0\n".utf8)
  }

  @Test(arguments: ["cat", "a b", "a) S 1 1 1 1", "((", "", "\n)"])
  func nameDecidesNothing(_ name: String) throws {
    let file = try #require(ProcessStatFile(line(name)))
    #expect(file.session == 4711 && file.terminal == 34816 && file.start == 987_654)
  }

  @Test func processWithoutATerminalHasNumberZero() throws {
    #expect(try #require(ProcessStatFile(line("cat", terminal: "0"))).terminal == 0)
  }

  /// Device numbers are 32 bits that the kernel prints with a sign.
  @Test func terminalOfAHighNumberIsRead() throws {
    #expect(try #require(ProcessStatFile(line("cat", terminal: "-1"))).terminal == .max)
  }

  @Test(arguments: [
    ("34816", "pts/0"), ("34819", "pts/3"), ("1083436", "pts/300"), ("1025", "tty1"),
    ("1088", "ttyS0"), ("1281", "5:1"),
  ])
  func terminalHasItsNameInDev(_ number: String, _ name: String) throws {
    #expect(try #require(ProcessStatFile(line("cat", terminal: number))).terminalName == name)
  }

  @Test func noTerminalHasNoName() throws {
    #expect(try #require(ProcessStatFile(line("cat", terminal: "0"))).terminalName == nil)
  }

  @Test(arguments: [
    "", "4712", "4712 (cat)", "4712 (cat) S 1 1", "4712 cat S 4711 4712 4711 34816",
    "4712 (cat) S 4711 4712 x 34816 4712 4194304 118 0 0 0 0 0 0 0 20 0 1 0 987654 1",
    "4712 (cat) S 4711 4712 4711 34816 4712 4194304 118 0 0 0 0 0 0 0 20 0 1 0 -5 1",
    "4712 (cat) S 4711 4712 99999999999 34816 4712 4194304 118 0 0 0 0 0 0 0 20 0 1 0 987654 1",
  ])
  func anythingElseIsNoSuchLine(_ text: String) {
    #expect(ProcessStatFile(Array(text.utf8)) == nil)
  }

  @Test func aProcessHasEndedIfAnotherOrNoneHasItsNumber() throws {
    // SAFETY: the path is a C string for the call.
    let opened = unsafe open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
    let own = try FileDescriptor(owning: opened).readAvailable(limit: 4096)
    let start = try #require(ProcessStatFile(own)).start
    #expect(!ProcessReference.hasEnded(getpid(), begunAt: start))
    #expect(ProcessReference.hasEnded(getpid(), begunAt: start + 1))
    #expect(ProcessReference.hasEnded(.max, begunAt: start))
  }
}
