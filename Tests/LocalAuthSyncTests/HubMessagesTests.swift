import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

/// Messages between the daemon and the program that speaks to a hub.
@Suite struct HubMessagesTests {
  private let messages: HubMessages

  init() throws { messages = try HubMessages() }

  @Test func everyMessageIsReadAsItWasWritten() throws {
    for (index, request) in messages.requests.enumerated() {
      let number = UInt32(index) + 1
      let read = try #require(HubRequest.read(request.bytes(number: number)), "\(request)")
      #expect(read.number == number && read.request == request)
    }
    for reply in messages.replies {
      let number = Self.number(reply, 7)
      let read = try #require(HubReply.read(reply.bytes(number: number)), "\(reply)")
      #expect(read.number == number && read.reply == reply)
    }
  }

  @Test func whatIsCutOrHasMoreIsNoMessage() {
    for request in messages.requests {
      let bytes = request.bytes(number: 1)
      for count in bytes.indices { #expect(HubRequest.read(Array(bytes.prefix(count))) == nil) }
      #expect(HubRequest.read(bytes + [0]) == nil)
    }
    for reply in messages.replies {
      let bytes = reply.bytes(number: Self.number(reply, 1))
      for count in bytes.indices { #expect(HubReply.read(Array(bytes.prefix(count))) == nil) }
      #expect(HubReply.read(bytes + [0]) == nil)
    }
  }

  /// A message has one encoding: what is read from any bytes is written as the same bytes.
  @Test func changedBytesAreRefusedOrSayWhatTheySay() {
    var random = SeededGenerator.ofThisRun
    for _ in 0..<20_000 {
      let request = messages.requests.randomElement(using: &random) ?? .tell
      let asked = changed(request.bytes(number: 1), &random)
      if let read = HubRequest.read(asked) {
        #expect(read.request.bytes(number: read.number) == asked, "SEED=\(random.seed)")
      }
      let reply = messages.replies.randomElement(using: &random) ?? .done
      let said = changed(reply.bytes(number: Self.number(reply, 1)), &random)
      if let read = HubReply.read(said) {
        #expect(read.reply.bytes(number: read.number) == said, "SEED=\(random.seed)")
      }
    }
  }

  private func changed(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] = UInt8.random(in: 0...255, using: &random)
    }
    return bytes
  }

  /// The number under which a reply is said.
  private static func number(_ reply: HubReply, _ asked: UInt32) -> UInt32 {
    if case .notice = reply { 0 } else { asked }
  }

  @Test func numberZeroIsForNoticesAlone() {
    #expect(HubRequest.read(HubRequest.tell.bytes(number: 0)) == nil)
    for reply in messages.replies {
      #expect(HubReply.read(reply.bytes(number: 1 - Self.number(reply, 1))) == nil, "\(reply)")
    }
  }

  @Test func pushWithoutABodyOrWithOneTooManyIsRefused() {
    let change = ZoneChange(HubMessages.name(1), CircleFixture.digest(9), .afterFirstUnlock)
    let entry = HubMessages.entry([change])
    let wrong: [ZoneBodies] = [
      [:], [HubMessages.name(2): [1]], [HubMessages.name(1): [1], HubMessages.name(2): []],
    ]
    for bodies in wrong {
      #expect(HubRequest.read(HubRequest.zonePush(entry, bodies).bytes(number: 1)) == nil)
    }
  }

  @Test func pushIsLimitedByAllItsBodiesTogether() {
    let names = (1...7).map { HubMessages.name($0) }
    let entry = HubMessages.entry(
      names.map { ZoneChange($0, CircleFixture.digest(9), .whenUnlocked) }
    )
    let body = [UInt8](repeating: 0, count: RecordFormat.bodyMax)
    var bodies = Dictionary(uniqueKeysWithValues: names.map { ($0, body) })
    #expect(!HubRequest.areComplete(bodies, of: entry))
    bodies[names[6]] = []
    #expect(HubRequest.areComplete(bodies, of: entry))
    let message = HubRequest.zonePush(entry, bodies).bytes(number: 1)
    #expect(message.count <= HubFrame.messageMax && HubRequest.read(message) != nil)
    bodies[names[0]] = body + [0]
    bodies[names[1]] = []
    #expect(HubRequest.read(HubRequest.zonePush(entry, bodies).bytes(number: 1)) == nil)
  }

  @Test func manifestIsDividedAndPutTogether() throws {
    let lines = (0..<UInt32(ManifestPart.linesMax + 5)).map { index in
      let bytes = (0..<8).flatMap { _ in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: index >> $0) }
      }
      let line = ZoneManifest.Line(
        body: CircleFixture.digest(1),
        keyClass: .whenUnlocked,
        epoch: 1,
        number: UInt64(index) + 1
      )
      return (RecordName(SyncDigest(bytes) ?? .none), line)
    }
    let all = Dictionary(uniqueKeysWithValues: lines)
    let digest = ZoneManifest.digest(of: all, CircleFixture.ports.hash)
    let manifest = try #require(
      ZoneManifest(all, confirmedBy: digest, CircleFixture.ports.hash)
    )
    let parts = ManifestPart.parts(of: manifest)
    #expect(parts.count == 2 && ManifestPart.parts(of: ZoneManifest()).count == 1)
    let read = try parts.map { try #require(ManifestPart($0.bytes)) }
    #expect(read.reduce(into: [:]) { $0.merge($1.lines) { _, new in new } } == all)
    #expect(read.allSatisfy { $0.bytes.count < HubFrame.pageMax })
    #expect(ManifestPart(all) == nil)
  }

  @Test func longReasonIsCutBetweenCharacters() throws {
    let reason = String(repeating: "ä", count: 400)
    let reply = HubReply.failed(.unreachable(reason))
    let read = try #require(HubReply.read(reply.bytes(number: 1)))
    #expect(read.reply == .failed(.unreachable(String(repeating: "ä", count: 256))))
  }
}
