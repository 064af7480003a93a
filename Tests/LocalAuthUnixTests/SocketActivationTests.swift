import CLocalAuthLinux
import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthUnix

@Suite struct SocketActivationTests {
  private let scratch = ScratchDirectory()

  private func listener(_ name: String) throws -> FileDescriptor {
    let made = FileDescriptor(owning: la_socket_create())
    // SAFETY: the string is a C string for the length of the call.
    try #require(unsafe la_socket_bind(made.rawValue, scratch.file(name), 0o600) >= 0)
    try #require(la_socket_listen(made.rawValue, 8) >= 0)
    return made
  }

  /// Duplicates that will be inherited, at numbers in a row, and says the first; a number that is in
  /// use elsewhere in this process is never taken over.
  private func pass(_ descriptors: Int32...) -> Int32 {
    var start: Int32 = 3
    while true {
      var passed: [Int32] = []
      for descriptor in descriptors {
        passed.append(fcntl(descriptor, F_DUPFD, passed.last.map { $0 + 1 } ?? start))
      }
      let first = passed[0]
      if passed == Array(first..<first + Int32(passed.count)) { return first }
      for descriptor in passed { close(descriptor) }
      start = first + 1
    }
  }

  /// What a descriptor stands for: nil when it is closed.
  private func inode(_ descriptor: Int32) -> ino_t? {
    var status = stat()
    // SAFETY: the pointer is valid for the call.
    return unsafe fstat(descriptor, &status) == 0 ? status.st_ino : nil
  }

  private func activation(
    _ variables: [String: String],
    from first: Int32
  ) throws(SocketActivationError) -> SocketActivation {
    try SocketActivation(
      environment: ProcessEnvironment(variables: variables),
      processID: 77,
      first: first
    )
  }

  @Test func namedSocketsAreTakenOnceAndNotInherited() throws {
    let one = try listener("one")
    let two = try listener("two")
    let first = pass(one.rawValue, two.rawValue)
    var passed = try activation(
      ["LISTEN_PID": "77", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "user:admin"],
      from: first
    )
    #expect(passed.names == ["user", "admin"])
    guard let admin = passed.take(named: "admin") else {
      Issue.record("no socket called admin")
      return
    }
    #expect(admin.rawValue == first + 1)
    #expect(fcntl(admin.rawValue, F_GETFD) == FD_CLOEXEC)
    #expect(passed.take(named: "admin")?.rawValue == nil)
    #expect(passed.takeOnly()?.rawValue == first)
    #expect(passed.takeOnly()?.rawValue == nil)
  }

  @Test func socketsThatNobodyTookAreClosed() throws {
    let one = try listener("one")
    let first = pass(one.rawValue)
    do {
      let passed = try activation(["LISTEN_PID": "77", "LISTEN_FDS": "1"], from: first)
      #expect(passed.names == ["unknown"])
      #expect(inode(first) == inode(one.rawValue))
    }
    #expect(inode(first) != inode(one.rawValue))
  }

  @Test func socketsOfAnotherProcessAreLeftAlone() throws {
    for variables in [
      [:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "78", "LISTEN_FDS": "1"],
      ["LISTEN_PID": "077", "LISTEN_FDS": "1"], ["LISTEN_PID": "77"],
    ] {
      #expect(try activation(variables, from: 3).names == [])
    }
  }

  @Test(arguments: ["x", "-1", "17", "9999999999999999999999", "1x"])
  func countThatIsNoneIsRefused(count: String) {
    #expect(throws: SocketActivationError.badCount(count)) {
      try activation(["LISTEN_PID": "77", "LISTEN_FDS": count], from: 3).names
    }
  }

  @Test func onlyListeningUnixStreamSocketsAreTaken() throws {
    let variables = ["LISTEN_PID": "77", "LISTEN_FDS": "1"]
    let pair = try SocketPair()
    let datagram = FileDescriptor(owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
    // SAFETY: the string is a C string for the length of the call.
    let file = FileDescriptor(owning: unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
    let internet = FileDescriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    _ = listen(internet.rawValue, 1)
    for source in [pair.ours.rawValue, datagram.rawValue, file.rawValue, internet.rawValue] {
      #expect(throws: SocketActivationError.notListening(descriptor: source)) {
        try activation(variables, from: source).names
      }
    }
    #expect(throws: SocketActivationError.notListening(descriptor: 9_999_999)) {
      try activation(variables, from: 9_999_999).names
    }
  }
}
