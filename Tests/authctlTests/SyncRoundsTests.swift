import LocalAuthTestSupport
import LocalAuthUnix
import Synchronization
import Testing

/// What people are told while they wait for a hub, against a daemon that says what a test wants.
@Suite struct SyncRoundsTests {
  /// How a device stands whose zone of items comes.
  private static func status(
    _ progress: String,
    _ stage: String = "member",
    records: Int = 2,
    more: String = ""
  ) -> String {
    let numbers = #""records":\#(records),"outgoing":0,"incoming":8,"conflicts":0,"head":3"#
    let zone =
      #""zones":[{"name":"items",\#(numbers),"words":[]\#(more)\#(progress)}]"#
    return SyncProgramTests.status(stage, peers: SyncProgramTests.pair)
      .replacing(#""zones":[]"#, with: zone)
  }

  private static let signed =
    #","progress":{"entries":3,"allEntries":8,"isHubsWord":false}"#
  private static let word = #","progress":{"entries":3,"allEntries":900,"isHubsWord":true}"#
  private static let records =
    #","progress":{"entries":256,"allEntries":256,"isHubsWord":false,"records":2,"allRecords":10}"#
  private static let bytes =
    #","progress":{"entries":3,"allEntries":8,"isHubsWord":false,"bytes":2048,"allBytes":6144}"#
  private static let claimed = #","claimed":8,"claimedBy":["ff"]"#

  private func shown(_ progress: String, more: String = "") throws -> String {
    let status = Self.status(progress, more: more)
    return try SyncProgramTests.run(["status"], ["Status": status]).output
  }

  @Test func whatComesIsCountedAndNoDoubt() throws {
    let signed = try shown(Self.signed, more: Self.claimed)
    #expect(signed.contains("items: 3 of 8 entries so far."), "\(signed)")
    #expect(!signed.contains("has not shown"), "\(signed)")
    let doubted = try shown("", more: Self.claimed)
    #expect(doubted.contains("items: the hub has not shown entry 8"), "\(doubted)")
  }

  @Test func whatNobodySignedIsTheHubsWord() throws {
    let text = try shown(Self.word)
    #expect(text.contains("items: 3 entries of 900 by the hub's word so far."), "\(text)")
  }

  @Test func recordsAndBytesAreCountedWhereTheyAreKnown() throws {
    let text = try shown(Self.records)
    #expect(text.contains("items: 2 of 10 records so far."), "\(text)")
    #expect(!text.contains("not opened yet"), "8 did not come: \(text)")
    #expect(try shown(Self.bytes).contains("items: 3 of 8 entries, 2.0 KiB of 6.0 KiB so far."))
    #expect(try shown(Self.signed).contains("8 not opened yet"))
  }

  @Test(arguments: ["", signed, word, records, bytes])
  func numbersAreAsTheSchemaSays(_ progress: String) throws {
    let schema = try JSONSchema(packageFile("docs/authctl.schema.json"))
    let status = Self.status(progress, more: Self.claimed)
    let run = try SyncProgramTests.run(["status", "--json"], ["Status": status])
    #expect(try schema.problems(of: run.object) == [], "\(run.output)")
    #expect(run.output.contains(#""progress":null"#) == progress.isEmpty, "\(run.output)")
  }

  // MARK: Joining

  private static let join = ["join", "/run/hub", "--name", "phone", "--code-stdin"]
  private static let words = #"{"parameters":{"words":["one","two"]}}"#

  private func join(_ status: String, _ more: [String] = []) throws -> ProgramRun {
    try SyncProgramTests.run(
      Self.join + more,
      input: "code",
      [
        "Join": Self.words, "Status": SyncProgramTests.status("joining"), "Synchronize": status,
      ]
    )
  }

  @Test func whoJoinedIsToldWhatCame() throws {
    let all = try join(Self.status(""))
    #expect(all.status == 0, "\(all)")
    #expect(all.error.contains("phone is in the circle with laptop. It has 2 items."), "\(all)")
    let none = try join(Self.status("", records: 0))
    #expect(none.error.contains("The circle has nothing yet."), "\(none)")
  }

  @Test func whoJoinedIsNotToldThatAllCameWhereItDidNot() throws {
    let cut = try join(Self.status(Self.signed))
    #expect(cut.status == 0, "it is in the circle: \(cut)")
    #expect(cut.error.contains("3 of 8 entries so far. The rest comes by itself."), "\(cut)")
    let held = try join(Self.status("", more: Self.claimed))
    #expect(held.error.contains("has not shown all that other devices saw"), "\(held)")
    let lied = try join(Self.status("", more: #","alarm":"it lied""#))
    #expect(lied.error.contains("The hub is not believed"), "\(lied)")
    for run in [cut, held, lied] { #expect(!run.error.contains("It has"), "\(run)") }
  }

  @Test func whoRecoversWaitsForNothingWithNoWait() throws {
    let run = try SyncProgramTests.run(
      ["recover", "/run/hub", "--name", "phone", "--code-stdin", "--no-wait"],
      input: "key",
      ["Status": Self.status(Self.signed), "Synchronize": Self.status("")]
    )
    #expect(run.status == 0 && run.error.contains("comes by itself"), "\(run)")
    #expect(!run.error.contains("It has"), "the hub was not asked: \(run)")
    let waits = try SyncProgramTests.run(
      ["recover", "/run/hub", "--name", "phone", "--code-stdin"],
      input: "key",
      ["Status": Self.status(Self.signed), "Synchronize": Self.status("")]
    )
    #expect(waits.status == 0 && waits.error.contains("It has 2 items."), "\(waits)")
  }

  // MARK: On a terminal

  @Test func aTerminalShowsHowMuchHasComeAndAnInterruptEndsTheShowingAlone() throws {
    let isIn = Mutex(false)
    let (exit, screen) = try withFakeDaemon { daemon, request in
      if request.text.contains(".Join\"") { return daemon.reply(Self.words, to: request) }
      if request.text.contains(".Synchronize\"") {
        // The first round lets it in, and the second one lasts.
        let isFirst = isIn.withLock { isIn in
          defer { isIn = true }
          return !isIn
        }
        return isFirst ? daemon.reply(Self.status(Self.records), to: request) : ()
      }
      let status =
        isIn.withLock { $0 } ? Self.status(Self.records) : SyncProgramTests.status("joining")
      daemon.reply(status, to: request)
    } _: { daemon in
      var run = try TerminalRun(
        ["--socket", daemon.path, "--device", "sim", "sync"] + Self.join.dropLast()
      )
      return try run.answer([
        (awaited: "Code of the other device", keys: "code\r"),
        (awaited: "items: 2 of 10 records", keys: "\u{3}"),
      ])
    }
    #expect(exit == .status(0), "\(screen)")
    #expect(screen.contains("phone is in the circle with laptop."), "\(screen)")
    #expect(screen.contains("2 of 10 records so far. The rest comes by itself."), "\(screen)")
  }

  @Test func nowShowsOnATerminalHowMuchHasCome() throws {
    let asked = Mutex(0)
    let (exit, screen) = try withFakeDaemon { daemon, request in
      guard request.text.contains(".Synchronize\"") else {
        return daemon.reply(Self.status(Self.signed), to: request)
      }
      asked.withLock { $0 += 1 }
    } _: { daemon in
      var run = try TerminalRun(["--socket", daemon.path, "--device", "sim", "sync", "now"])
      return try run.answer([(awaited: "items: 3 of 8 entries", keys: "\u{3}")])
    }
    #expect(exit == .signal(2), "\(exit) \(screen)")
    #expect(asked.withLock { $0 } == 1)
  }
}
