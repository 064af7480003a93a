import CLocalAuthLinux
import Glibc
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

  /// Duplicates without FD_CLOEXEC from `first` on, as the service manager would pass them.
  private func pass(_ descriptors: [Int32], from first: Int32) {
    for (index, descriptor) in descriptors.enumerated() {
      #expect(dup2(descriptor, first + Int32(index)) == first + Int32(index))
    }
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
    pass([one.rawValue, two.rawValue], from: 600)
    var passed = try activation(
      ["LISTEN_PID": "77", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "user:admin"],
      from: 600
    )
    #expect(passed.names == ["user", "admin"])
    guard let admin = passed.take(named: "admin") else {
      Issue.record("no socket called admin")
      return
    }
    #expect(admin.rawValue == 601)
    #expect(fcntl(601, F_GETFD) == FD_CLOEXEC)
    #expect(passed.take(named: "admin")?.rawValue == nil)
    #expect(passed.takeOnly()?.rawValue == 600)
    #expect(passed.takeOnly()?.rawValue == nil)
  }

  @Test func socketsThatNobodyTookAreClosed() throws {
    let one = try listener("one")
    pass([one.rawValue], from: 610)
    do {
      let passed = try activation(["LISTEN_PID": "77", "LISTEN_FDS": "1"], from: 610)
      #expect(passed.names == ["unknown"])
    }
    #expect(fcntl(610, F_GETFD) == -1)
  }

  @Test func socketsOfAnotherProcessAreLeftAlone() throws {
    for variables in [
      [:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "78", "LISTEN_FDS": "1"],
      ["LISTEN_PID": "077", "LISTEN_FDS": "1"], ["LISTEN_PID": "77"],
    ] {
      #expect(try activation(variables, from: 620).names == [])
    }
  }

  @Test(arguments: ["x", "-1", "17", "9999999999999999999999", "1x"])
  func countThatIsNoneIsRefused(count: String) {
    #expect(throws: SocketActivationError.badCount(count)) {
      try activation(["LISTEN_PID": "77", "LISTEN_FDS": count], from: 630).names
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
    for source in [
      pair.ours.rawValue, datagram.rawValue, file.rawValue, internet.rawValue,
    ] {
      pass([source], from: 640)
      #expect(throws: SocketActivationError.notListening(descriptor: 640)) {
        try activation(variables, from: 640).names
      }
      close(640)
    }
    #expect(throws: SocketActivationError.notListening(descriptor: 641)) {
      try activation(variables, from: 641).names
    }
  }
}
