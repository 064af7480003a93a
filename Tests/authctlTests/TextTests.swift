import LocalAuthTerminal
import LocalAuthWire
import Testing

@testable import authctl

/// What people read.
@Suite struct TextTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (951_782_399_999, "2000-02-28T23:59:59Z"),
    (951_782_400_000, "2000-02-29T00:00:00Z"), (951_868_800_000, "2000-03-01T00:00:00Z"),
    (1_785_585_723_456, "2026-08-01T12:02:03Z"), (4_107_542_400_000, "2100-03-01T00:00:00Z"),
    (-1, "1969-12-31T23:59:59Z"), (-2_203_891_200_000, "1900-03-01T00:00:00Z"),
    (-1000, "1969-12-31T23:59:59Z"), (-1001, "1969-12-31T23:59:58Z"),
    (.max, "292278994-08-17T07:12:55Z"), (.min, "-292275055-05-16T16:47:04Z"),
  ])
  func timesAreWrittenAsRFC3339HasThem(_ milliseconds: Int64, _ text: String) {
    #expect(Timestamp.text(milliseconds) == text)
  }

  @Test func wordsAreQuotedWhereAShellNeedsIt() {
    #expect(ShellWord.quoted("/tmp/a-b_c.d") == "/tmp/a-b_c.d")
    #expect(ShellWord.quoted("a b") == "'a b'")
    #expect(ShellWord.quoted("it's") == "'it'\\''s'")
    #expect(ShellWord.quoted("$HOME;") == "'$HOME;'")
    #expect(ShellWord.quoted("") == "''")
    // A mark behind a quote makes one character of both, and no shell knows that.
    #expect(ShellWord.quoted("a'\u{FF9E}; b'\u{1F3FB}") == "'a'\\''\u{FF9E}; b'\\''\u{1F3FB}'")
  }

  @Test func columnsAreAlignedAndNarrow() {
    let long = String(repeating: "word ", count: 60)
    let lines = Columns.lines([("A", "x"), ("Longer", long)])
    #expect(lines[0] == "A       x")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix("        word") })
    #expect(Columns.table([["a", "b"], ["long", "c"]]) == ["a     b", "long  c"])
  }

  @Test(arguments: [30, 40, 60])
  func numbersFitTheTerminal(_ columns: Int) {
    let quantities = [
      Quantity("lockouts", "lockouts a year, 50 in 100 people expect at most", .perYear, 29.8),
      Quantity("time", "time of a login", .seconds, 1.5, 1.4...1.6),
    ]
    let report = QuantityReport(head: [], quantities: quantities)
    let lines = report.table(columns) + Columns.narrowed(["  " + quantities[0].label], to: columns)
    #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
    #expect(lines.contains("  29.8") && lines.contains("  1.5 s  1.4 s to 1.6 s"), "\(lines)")
    #expect(report.table(nil) == Columns.table(quantities.map(\.row)))
    #expect(Columns.narrowed(["short", "  in"], to: columns) == ["short", "  in"])
  }

  @Test(arguments: [20, 40, 80])
  func tableFitsTheTerminalWithLongAndWideNames(_ columns: Int) {
    let rows = [
      ["CLASS", "ACCOUNT", "SERVICE"],
      ["generic", String(repeating: "müller.", count: 30), "mail"],
      ["generic", String(repeating: "電子メール", count: 20), String(repeating: "s", count: 90)],
      ["generic", "محمد", "-"],
    ]
    let lines = Columns.table(rows, columns: columns)
    #expect(lines.allSatisfy { TerminalText.width(of: $0) <= columns })
    #expect(lines[1].contains("…") && lines[2].contains("…"))
    #expect(lines[3].contains("محمد"))
    // Whole where it is not a terminal that shows them, and where there is room.
    #expect(Columns.table(rows)[1].contains(rows[1][1]))
    #expect(Columns.table(rows, columns: 1000) == Columns.table(rows))
  }

  @Test(arguments: [20, 30, 60])
  func aWideTableBecomesTablesOfTheSameRows(_ columns: Int) {
    let bounds = "--max-attack pin=0.001, --max-time 5s"
    let rows = [
      ["", "cost", "lockouts", "given up", "misses"], ["1", "15.9", "0.000167", "0", bounds],
      ["2", "16.6", "0.000166", "0", "none"],
    ]
    let lines = Columns.tables(rows, columns: columns)
    #expect(lines.allSatisfy { TerminalText.width(of: $0) <= columns }, "\(lines)")
    #expect(
      lines.contains { $0.hasPrefix("1  15.9") } && lines.contains { $0.hasPrefix("2  16.6") }
    )
    let words = lines.flatMap { $0.split(separator: " ") }
    for row in rows {
      for word in row.flatMap({ $0.split(separator: " ") }) {
        #expect(words.contains(word), "\(word) of \(lines)")
      }
    }
    // Whole where it is not a terminal that shows them, and where there is room.
    #expect(Columns.tables(rows, columns: nil) == Columns.table(rows))
    #expect(Columns.tables(rows, columns: 80) == Columns.table(rows))
  }

  @Test func columnsBehindWideNamesAreAligned() {
    let lines = Columns.table([["電子", "a"], ["x", "b"]])
    #expect(lines == ["電子  a", "x     b"])
  }

  @Test func whatComesFromElsewhereMovesNoCursor() {
    let evil = "x\u{1B}[2Jy\u{202E}z\u{7F}"
    let lines = Columns.table([[evil]]) + Columns.paragraph(evil) + Columns.lines([("a", evil)])
    for line in lines {
      #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
    }
  }

  @Test func statusFitsATerminal() {
    var device = DeviceMessages.Device()
    device.name = String(repeating: "n", count: 64)
    device.simulated = true
    device.sensor = "simulated"
    device.fingers = ["right-index-finger", "left-index-finger", "right-thumb", "left-thumb"]
    device.biometry = "biometryLockout"
    device.passcode = "device"
    device.passcodeState = "passcodeThrottled"
    device.passcodeRetryAfterSeconds = 300
    device.lockout = "three-strikes"
    device.passcodeDelays = "apple"
    device.prompting = true
    device.waiting = 2
    let lines = DeviceText.lines(device)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.contains("Biometry  locked until the passcode is used"))
    #expect(lines.contains("Passcode  its own, too many wrong ones, try again in 5m"))
    #expect(lines.contains("Prompt    one is shown, 2 more wait"))
  }

  @Test func statusNamesWhatJudgesForTheDeviceAndWhatIsMissing() {
    var device = DeviceMessages.Device()
    device.simulated = true
    var code = AuthenticatorListMessages.Line()
    (code.name, code.kind, code.simulated, code.state) = ("totp", "code", true, "ready")
    var key = code
    (key.name, key.kind, key.state, key.message) = ("work-key", "key", "unusable", "It has ended.")
    var other = code
    (other.name, other.enrolled) = ("other", 0)
    let lines = DeviceText.lines(device, judgedBy: [code, key, other])
    #expect(lines.contains("Code      totp: ready"))
    #expect(lines.contains("Key       work-key: It has ended."))
    #expect(lines.contains("Code      other: nothing of yours is enrolled"))
  }

  @Test func auditLineSaysHowItEndedThenWhoAskedForWhat() {
    var line = DeviceMessages.AuditLine()
    line.action = "evaluate"
    line.device = "sim"
    line.policy = "biometrics"
    line.reason = "two\nlines\u{1B}[0m"
    line.outcome = "success"
    line.method = "fingerprint"
    line.finger = "left-thumb"
    line.attempts = 1
    line.simulated = true
    (line.began, line.ended) = (1000, 5000)
    (line.pid, line.program, line.programPath) = (7, "pay", "/opt/\u{1B}[2Jpay")
    line.terminal = "pts/3"
    line.shownAction = "pay 10\u{202E}"
    line.detail = "action sha256 00ff; agent process 9"
    var names = AccountNames()
    #expect(
      AuditText.lines(line, &names) == [
        "1970-01-01T00:00:05Z success: evaluate biometrics on sim by fingerprint (left-thumb), "
          + "simulated, after 1 attempt, in 4s",
        "  by pay (/opt/?[2Jpay, process 7) of root on pts/3",
        "  action: pay 10?",
        "  reason: two lines?[0m",
        "  detail: agent process 9",
      ]
    )
  }

  @Test func auditLineOfAnEarlierVersionNamesTheProcessAlone() {
    var line = DeviceMessages.AuditLine()
    (line.action, line.device, line.outcome) = ("evaluate", "sim", "unknown")
    (line.uid, line.pid, line.began) = (4_294_000_000, 7, 1000)
    line.detail = "action sha256 00ff"
    var names = AccountNames()
    #expect(
      AuditText.lines(line, &names) == [
        "1970-01-01T00:00:01Z unknown: evaluate on sim, under way or cut off",
        "  by process 7 of user 4294000000", "  detail: action sha256 00ff",
      ]
    )
  }

  @Test func actOfTheServiceItselfNamesNobody() {
    var line = DeviceMessages.AuditLine()
    (line.action, line.device, line.outcome) = ("audit cut", "default", "success")
    line.ended = 0
    line.detail = "the 7 oldest lines were removed; 3 are kept"
    var names = AccountNames()
    #expect(
      AuditText.lines(line, &names) == [
        "1970-01-01T00:00:00Z success: audit cut on default",
        "  detail: the 7 oldest lines were removed; 3 are kept",
      ]
    )
  }

  @Test func gapSaysOfWhatTimeItIs() {
    var line = DeviceMessages.AuditLine()
    (line.action, line.device, line.outcome) = ("audit gap", "default", "passcodeThrottled")
    (line.began, line.ended) = (1000, 3_601_000)
    line.detail = "1204 more refusals of others in between, not written: nothing was judged"
    var names = AccountNames()
    #expect(
      AuditText.lines(line, &names) == [
        "1970-01-01T01:00:01Z passcodeThrottled: audit gap on default, in 1h",
        "  detail: 1204 more refusals of others in between, not written: nothing was judged",
      ]
    )
  }

  @Test func textThatAPeerChoseIsCut() {
    var line = DeviceMessages.AuditLine()
    (line.program, line.pid) = (String(repeating: "p", count: 5000), 7)
    line.reason = String(repeating: "ü", count: 5000)
    var names = AccountNames()
    for text in AuditText.lines(line, &names) { #expect(text.unicodeScalars.count <= 1027) }
  }
}
