import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthUnix

@Suite struct ServiceNotifierTests {
  private let scratch = ScratchDirectory()

  /// A bound datagram socket; `name` begins with `@` for an abstract address.
  private func receiver(_ name: String) throws -> FileDescriptor {
    let made = FileDescriptor(owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    let isAbstract = bytes.first == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    let length = MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1)
    // SAFETY: the name is shorter than the path's room, and the address is valid for the call.
    let bound = unsafe withUnsafeMutableBytes(of: &address) { whole in
      unsafe whole.baseAddress?.advanced(by: MemoryLayout<sa_family_t>.size)
        .copyMemory(from: bytes, byteCount: bytes.count)
      return unsafe whole.withMemoryRebound(to: sockaddr.self) {
        unsafe bind(made.rawValue, $0.baseAddress, socklen_t(length))
      }
    }
    try #require(bound == 0)
    return made
  }

  private func next(_ receiver: borrowing FileDescriptor) -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    // SAFETY: the array's storage is valid for the call.
    let count = unsafe recv(receiver.rawValue, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }

  private func makeNotifier(_ variables: [String: String]) -> ServiceNotifier? {
    ServiceNotifier(environment: ProcessEnvironment(variables: variables), processID: 77)
  }

  @Test func eachMessageIsOneDatagram() throws {
    let receiver = try receiver(scratch.file("notify"))
    let notifier = try #require(makeNotifier(["NOTIFY_SOCKET": scratch.file("notify")]))
    try notifier.notify(.ready)
    try notifier.notify(.status("2 devices"))
    try notifier.notify(.watchdog)
    try notifier.notify(.stopping)
    #expect(next(receiver) == "READY=1\n")
    #expect(next(receiver) == "STATUS=2 devices\n")
    #expect(next(receiver) == "WATCHDOG=1\n")
    #expect(next(receiver) == "STOPPING=1\n")
  }

  @Test func abstractSocketsAreReached() throws {
    let name = "@localauth-test-\(getpid())-notify"
    let receiver = try receiver(name)
    try #require(makeNotifier(["NOTIFY_SOCKET": name])).notify(.ready)
    #expect(next(receiver) == "READY=1\n")
  }

  @Test func statusCannotCarryAnotherAssignment() throws {
    let receiver = try receiver(scratch.file("notify"))
    let notifier = try #require(makeNotifier(["NOTIFY_SOCKET": scratch.file("notify")]))
    try notifier.notify(.status("fine\nMAINPID=1\r\0"))
    #expect(next(receiver) == "STATUS=fine MAINPID=1  \n")
  }

  @Test func nobodyToTellIsNoNotifier() {
    for variables in [[:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "vsock:2:1"]] {
      #expect(makeNotifier(variables) == nil)
    }
  }

  @Test func absentListenerAndOverlongAddressAreErrors() throws {
    let absent = try #require(makeNotifier(["NOTIFY_SOCKET": scratch.file("absent")]))
    #expect(throws: SystemError("sendto", code: ENOENT, subject: scratch.file("absent"))) {
      try absent.notify(.ready)
    }
    let long = "/" + String(repeating: "x", count: 108)
    let overlong = try #require(makeNotifier(["NOTIFY_SOCKET": long]))
    #expect(throws: SystemError("sendto", code: ENAMETOOLONG, subject: long)) {
      try overlong.notify(.ready)
    }
  }

  @Test func fullQueueIsAnErrorNotAWait() throws {
    let receiver = try receiver(scratch.file("notify"))
    let notifier = try #require(makeNotifier(["NOTIFY_SOCKET": scratch.file("notify")]))
    #expect(throws: SystemError("sendto", code: EAGAIN, subject: scratch.file("notify"))) {
      for _ in 0..<100_000 { try notifier.notify(.watchdog) }
    }
    _ = consume receiver
  }

  @Test func watchdogIsForTheProcessItNames() {
    let socket = ["NOTIFY_SOCKET": "/n"]
    func interval(_ more: [String: String]) -> Duration? {
      makeNotifier(socket.merging(more) { $1 })?.watchdogInterval
    }
    #expect(interval(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
    #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "77"]) == .seconds(30))
    #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "78"]) == nil)
    for bad in ["", "0", "-5", "soon"] { #expect(interval(["WATCHDOG_USEC": bad]) == nil) }
  }
}
