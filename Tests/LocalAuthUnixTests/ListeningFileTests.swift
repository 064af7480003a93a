import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthUnix

@Suite struct ListeningFileTests {
  private let scratch = ScratchDirectory()
  private var home: String { scratch.file("home") }

  private func write(_ socket: String) throws {
    try ListeningFile.write(socket, in: try PrivateDirectory(opening: home))
  }

  @Test func whatWasWrittenIsRead() throws {
    for socket in ["/run/a/socket", "/" + String(repeating: "s", count: 106)] {
      try write(socket)
      #expect(ListeningFile.socket(ofDaemonAt: home) == socket)
    }
    #expect(scratch.mode(of: "home/listening") == 0o600)
  }

  @Test func sameSocketIsNotWrittenAgain() throws {
    try write("/run/a/socket")
    let stamp = FileStamp(of: home + "/listening")
    try write("/run/a/socket")
    #expect(FileStamp(of: home + "/listening") == stamp)
  }

  @Test func whatCouldBeAnotherUsersIsNotRead() throws {
    #expect(ListeningFile.socket(ofDaemonAt: home) == nil)
    try write("/run/a/socket")
    _ = unsafe chmod(home + "/listening", 0o644)
    #expect(ListeningFile.socket(ofDaemonAt: home) == nil)
    _ = unsafe chmod(home + "/listening", 0o600)
    _ = unsafe chmod(home, 0o777)
    #expect(ListeningFile.socket(ofDaemonAt: home) == nil)
    _ = unsafe chmod(home, 0o700)
    #expect(ListeningFile.socket(ofDaemonAt: home) == "/run/a/socket")
  }

  @Test(arguments: [
    "", "relative", String(repeating: "/x", count: 300), "\u{0}",
  ])
  func whatIsNoPathIsIgnored(_ text: String) throws {
    try write("/run/a/socket")
    scratch.write(text, to: "home/listening")
    #expect(ListeningFile.socket(ofDaemonAt: home) == nil)
  }

  @Test func bytesThatAreNoTextAreIgnored() throws {
    try write("/run/a/socket")
    scratch.write([0x2f, 0xff, 0xfe], to: "home/listening")
    #expect(ListeningFile.socket(ofDaemonAt: home) == nil)
  }

  @Test func linkInItsPlaceIsNotFollowed() throws {
    try write("/run/a/socket")
    #expect(unsafe rename(home + "/listening", scratch.file("elsewhere")) == 0)
    #expect(unsafe symlink(scratch.file("elsewhere"), home + "/listening") == 0)
    #expect(ListeningFile.socket(ofDaemonAt: home) == nil)
  }
}
