import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

/// Where a hub may be, and how messages are told apart on a stream.
@Suite struct HubAddressTests {
  private func isAddress(
    _ host: String,
    _ database: String = "hub",
    _ authority: String = "/ca"
  ) throws -> Bool {
    try HubAddress(host: host, database: database, authority: authority, role: HubMessages.role(1))
      != nil
  }

  @Test func hostNeedsAnAuthorityAndASocketHasNone() throws {
    #expect(try isAddress("hub.example") && isAddress("/run/postgresql", "hub", ""))
    #expect(try !isAddress("hub.example", "hub", "") && !isAddress("/run/postgresql", "hub", "/ca"))
  }

  @Test(arguments: [
    "", "a,b", "a b", "a\nb", "a\u{0}b", "@abstract", String(repeating: "a", count: 254),
  ])
  func whatIsNoHostIsRefused(_ host: String) throws {
    #expect(try !isAddress(host))
  }

  @Test(arguments: ["ca.pem", "", "/", "/a\u{0}b", "/" + String(repeating: "a", count: 1024)])
  func pathIsAbsoluteAndNotTooLong(_ path: String) throws {
    #expect(try !isAddress("hub.example", "hub", path))
    #expect(HubAddress.Certificate(path: "/a", key: path) == nil)
    #expect(HubAddress.Certificate(path: path, key: "/a") == nil)
  }

  @Test func socketIsShownNoCertificate() throws {
    let certificate = try #require(HubAddress.Certificate(path: "/a", key: "/b"))
    let role = try HubMessages.role(1)
    let local = HubAddress(host: "/run", database: "d", role: role, certificate: certificate)
    #expect(local == nil)
  }

  @Test(arguments: [
    "localauth_", "localauth_0123456789abcdef0123456789abcde",
    "localauth_0123456789ABCDEF0123456789ABCDEF",
    "localauth-0123456789abcdef0123456789abcdef", "postgres",
    "localauth_0123456789abcdef0123456789abcdef0",
  ])
  func whatIsNoRoleIsRefused(_ text: String) { #expect(HubRole(text) == nil) }

  @Test func roleIsItsBytesInDigits() throws {
    let role = try #require(HubRole(bytes: Array(0..<16)))
    #expect(role.text == "localauth_000102030405060708090a0b0c0d0e0f" && HubRole(role.text) == role)
    #expect(HubRole(bytes: [1]) == nil)
  }

  @Test func messagesAreFoundHoweverTheyCome() throws {
    var random = SeededGenerator.ofThisRun
    let messages = (0..<50).map { [UInt8](repeating: $0, count: Int($0) * 7 + 1) }
    let stream = messages.flatMap { HubFrame.header($0.count) + $0 }
    var buffer = HubFrameBuffer()
    var found: [[UInt8]] = []
    var start = 0
    while start < stream.count {
      let end = min(stream.count, start + Int.random(in: 1...90, using: &random))
      buffer.append(stream[start..<end])
      while let message = try buffer.next() { found.append(message) }
      start = end
    }
    #expect(found == messages, "SEED=\(random.seed)")
  }

  @Test func emptyAndTooLongMessagesEndTheStream() throws {
    for header in [[0, 0, 0, 0], HubFrame.header(HubFrame.messageMax + 1), [255, 255, 255, 255]] {
      var buffer = HubFrameBuffer()
      buffer.append(header as [UInt8])
      #expect(throws: HubFrameBuffer.Malformed.self) { try buffer.next() }
    }
    var buffer = HubFrameBuffer()
    buffer.append(HubFrame.header(HubFrame.messageMax))
    #expect(try buffer.next() == nil)
  }
}
