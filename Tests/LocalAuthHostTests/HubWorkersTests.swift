import LocalAuthCrypto
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync
import LocalAuthUnix
import Testing

@testable import LocalAuthHost

@Suite struct HubWorkersTests {
  /// Whoever took the program over could hold every call of a person for as long as it likes.
  @Test func aProgramThatSaysNothingIsGivenUpAndEachCallEnds() throws {
    let role = try #require(HubRole(bytes: [UInt8](repeating: 1, count: 16)))
    let address = HubAddress(host: "/run/hub", database: "hub", role: role)
    let loop = try EventLoop()
    // It runs on, and neither reads nor writes what the daemon gave it.
    let workers = HubWorkers(loop: loop, source: .program("/usr/bin/yes"), silence: .zero)
    let link = workers.link(
      to: try #require(address),
      password: HubPassword.generate().box(),
      onNews: {}
    )
    var replies: [HubReply] = []
    for _ in 0..<2 { link.ask(.heads) { replies.append($0) } }
    while replies.count < 2 { _ = try loop.runOnce(timeout: nil) }
    let silent = HubReply.failed(.unreachable("its program does not answer"))
    #expect(replies == [silent, silent])
    link.ask(.heads) { replies.append($0) }
    while replies.count < 3 { _ = try loop.runOnce(timeout: nil) }
    #expect(replies.last == silent, "another one was started")
    link.close()
  }
}
