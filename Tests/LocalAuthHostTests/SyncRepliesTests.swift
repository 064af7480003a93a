import LocalAuthSync
import Testing

@testable import LocalAuthHost

/// What people are told of a hub.
@Suite struct SyncRepliesTests {
  @Test func aCircleWhoseShareIsFullIsToldWhatHelps() {
    let full = HubError.refused(code: "53100", reason: "ERROR:  the circle has no room left")
    #expect(full.sentence.contains("have the hub's administrator give it more"))
    #expect(full.code == "refused")
    let disk = HubError.refused(code: "53100", reason: "ERROR:  could not extend file")
    #expect(disk.sentence.contains("could not extend file (53100)"))
  }

  @Test func aHubThatLetsNobodyInMayDoSoLater() {
    #expect(HubError.denied("no").code == "denied" && HubError.denied("no").isTemporary)
  }
}
