import LocalAuthTestSupport
import Testing

/// `sync move`, against a daemon that says what a test wants.
@Suite struct SyncMoveVerbTests {
  private static let member = SyncProgramTests.status("member", peers: SyncProgramTests.pair)

  private func move(_ words: [String], _ reply: String = #"{"parameters":{}}"#) throws -> ProgramRun
  {
    try SyncProgramTests.run(
      ["move"] + words + ["--passcode-stdin"],
      input: "1234\n",
      ["Status": Self.member, "Move": reply]
    )
  }

  @Test func whereTheHubIsIsSaid() throws {
    let run = try move(["/run/new"])
    #expect(run.status == 0 && run.error.contains("sim reaches its hub at /run/new"), "\(run)")
    let schema = try JSONSchema(packageFile("docs/authctl.schema.json"))
    let json = try move(["/run/new", "--accept-older", "--json"])
    #expect(try schema.problems(of: json.object) == [], "\(json)")
  }

  @Test func anAddressIsLookedAtAsWhereACircleIsFounded() throws {
    let bare = try move(["hub.example"])
    #expect(bare.status == 2 && bare.error.contains("Give --ca FILE"), "\(bare)")
    let none = try move(["hub.example", "--ca", "/nonexistent/ca.pem"])
    #expect(none.status == 2 && none.error.contains("cannot be read"), "\(none)")
    let named = try move(["/run/new", "--name", "other"])
    #expect(named.status == 2, "the name stays: \(named)")
  }

  @Test func whyNothingWasChangedIsSaid() throws {
    let refused = try move(
      ["/run/new"],
      #"{"error":"io.localauth.Sync.SyncFailed","parameters":{"code":"olderHub","outcome":"notPermitted","message":"An older copy."}}"#
    )
    #expect(refused.status == 77 && refused.error.contains("An older copy."), "\(refused)")
  }
}
