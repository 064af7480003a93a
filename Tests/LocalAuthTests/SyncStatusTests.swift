import LocalAuth
import LocalAuthTestKit
import Testing

/// How a device stands with the person's others, as a program is told.
@Suite struct SyncStatusTests {
  /// What a service answers for a device of a circle, with more members behind those that there always are.
  private static func status(
    stage: String = "member",
    alarm: String = "",
    rest: String = ""
  ) -> String {
    #"{"parameters":{"stage":"\#(stage)","hub":{"host":"h","database":"d"},"circle":"c0","head":1,"words":[],"#
      + #""peers":[],"zones":[{"name":"documents","records":1,"outgoing":0,"incoming":0,"conflicts":0,"#
      + #""head":3,"words":[]\#(alarm)}],"isInviting":false\#(rest)}}"#
  }

  private static func read(_ reply: String) throws -> SyncStatus? {
    try Device("x", servedBy: PreparedService(replies: [reply])).syncStatus()
  }

  @Test(arguments: [SyncStatus.Stage.founding, .joining, .member, .removed, .stateWasChanged])
  func aStageIsTheServices(_ stage: SyncStatus.Stage) throws {
    let status = try #require(try Self.read(Self.status(stage: stage.rawValue)))
    #expect(status.stage == stage && status.alarms == [] && status.failure == nil)
  }

  @Test func whatTheHubDidIsNamedWithThePartThatItDidItTo() throws {
    let reply = Self.status(
      alarm: #","alarm":"an older copy was put back""#,
      rest: #","circleAlarm":"it was changed""#
    )
    let alarms = ["the circle: it was changed", "documents: an older copy was put back"]
    #expect(try Self.read(reply)?.alarms == alarms)
  }

  @Test func whyNothingWentIsSaid() throws {
    let reply = Self.status(rest: #","failure":"it cannot be reached: off""#)
    #expect(try Self.read(reply)?.failure == "it cannot be reached: off")
  }

  @Test func aDeviceInNoCircleHasNone() throws {
    #expect(try TestDevice(passcode: "1234").device.syncStatus() == nil)
  }

  @Test func anAnswerThatIsNoneIsAnError() {
    #expect(throws: AuthError.self) { try Self.read(Self.status(stage: "elsewhere")) }
    #expect(throws: AuthError.self) { try Self.read(#"{"parameters":{}}"#) }
    #expect(throws: AuthError.unreachable("nobody is there")) {
      try Device("x", servedBy: NoService()).syncStatus()
    }
  }
}
