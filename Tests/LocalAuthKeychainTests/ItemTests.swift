import LocalAuthKeychain
import Testing

@Suite struct ItemTests {
  @Test func fieldsAreReadAsTheirAttributes() throws {
    let stored = try item(["class": .text("genp"), "sync": .boolean(true)], at: 77)
    #expect(stored.value(of: .accessible) == .text("ak"))
    #expect(stored.value(of: .accessGroup) == .text("team.app"))
    #expect(stored.value(of: .synchronizable) == .number(1))
    #expect(stored.value(of: .tombstone) == .number(0))
    #expect(stored.value(of: .creationDate) == .date(77))
    #expect(stored.value(of: .modificationDate) == .date(77))
    #expect(stored.value(of: .account) == .text(""))
    #expect(stored.value(of: .label) == nil)
  }

  @Test func theTypeGivenIsTheTypeKept() throws {
    let stored = try item(["class": .text("inet"), "srvr": .data([0x61])])
    #expect(stored.value(of: .server) == .data([0x61]))
  }
}
