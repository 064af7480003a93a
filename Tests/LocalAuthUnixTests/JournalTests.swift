import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthUnix

@Suite struct JournalTests {
  private let scratch = ScratchDirectory()

  @Test func aValueWithALineEndHasALengthInstead() throws {
    let path = scratch.path + "/journal"
    let made = FileDescriptor(owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // SAFETY: the path is shorter than the array, which was zeroed.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      unsafe bytes.copyBytes(from: path.utf8.prefix(107))
    }
    // SAFETY: the address is valid for the call and of that size.
    let bound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(made.rawValue, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    try Journal(path: path).send([("A", "one"), ("REASON", "x\nPRIORITY=0"), ("B", "")])
    var bytes = [UInt8](repeating: 0, count: 4096)
    // SAFETY: the array's storage is valid for the call.
    let count = unsafe recv(made.rawValue, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    let length: [UInt8] = [12, 0, 0, 0, 0, 0, 0, 0]
    #expect(
      Array(bytes[..<max(0, count)])
        == Array("A=one\nREASON\n".utf8) + length + Array("x\nPRIORITY=0\nB=\n".utf8)
    )
  }

  @Test func whereNobodyListensItSaysSo() {
    let error = #expect(throws: SystemError.self) {
      try Journal(path: scratch.path + "/none").send([("A", "b")])
    }
    #expect(error?.code == ENOENT)
  }
}
