import LocalAuthCore
import LocalAuthSensor
import Testing

@Suite struct FprintWordTests {
  static let script = """
    # a script for libfprint's virtual device
    SET_ENROLL_STAGES 3
    SET_SCAN_TYPE swipe
    SET_CANCELLATION_ENABLED 0
    SET_KEEP_ALIVE 1
    INSERT left-ring-finger
    SCAN A
    SCAN right-index-finger
    FINGER 1
    FINGER 0
    SLEEP 250
    REMOVE left-ring
    LIST   # shows them
    UNPLUG
    """

  @Test func readsEveryCommand() throws {
    let label = try #require(PrintIdentity(word: "A"))
    #expect(
      try parse(Self.script) == [
        .set(.enrolmentStages, "3"), .set(.scanType, "swipe"), .set(.cancels, "false"),
        .set(.keepsAlive, "true"), .insert(.finger(.leftRing)), .present(.touch(label)),
        .present(.touch(.finger(.rightIndex))), .fingerDown, .fingerUp,
        .sleep(.milliseconds(250)), .remove(.finger(.leftRing)), .list, .unplug,
      ]
    )
  }

  @Test func writesCommandsAsEvents() throws {
    let events = try parse(Self.script)
    #expect(try parse(events.map(\.description).joined(separator: "\n")) == events)
  }

  @Test(arguments: [
    (0, Acquisition.general), (1, .tooShort), (2, .notCentered), (3, .removeFinger), (4, .tooFast),
  ])
  func knowsTheNumbersOfRetries(_ number: Int, _ code: Acquisition) throws {
    #expect(try parse("RETRY \(number)") == [.present(.retry(code))])
  }

  @Test(arguments: [
    ("0", SensorFault.general), ("1", .notSupported), ("2", .unavailable), ("3", .busy),
    ("4", .busy), ("5", .unableToProcess), ("6", .unableToProcess), ("7", .unableToRemove),
    ("8", .storageFull), ("9", .duplicate), ("256", .removed), ("0x100", .removed),
    ("257", .unavailable),
  ])
  func knowsTheNumbersOfErrors(_ number: String, _ fault: SensorFault) throws {
    #expect(try parse("ERROR \(number)") == [.present(.fault(fault))])
  }

  @Test func mixesWithOurOwnWords() throws {
    let events: [ScriptEvent] = [.present(.miss), .present(.retry(.tooShort)), .present(.match)]
    #expect(try parse("miss, RETRY 1, match") == events)
  }
}
