import LocalAuthCore
import LocalAuthSensor
import Testing

func parse(_ text: String) throws(ScriptError) -> [ScriptEvent] {
  try SensorScript(parsing: Array(text.utf8).span).events
}

@Suite struct SensorScriptTests {
  static let table: [(String, [ScriptEvent])] = [
    ("", []), ("  \n\t\r\n", []), ("# nothing", []),
    ("match", [.present(.match)]),
    ("match:right-index", [.present(.matching(.rightIndex))]),
    ("match:right-index-finger", [.present(.matching(.rightIndex))]),
    ("miss", [.present(.miss)]),
    ("touch:left-thumb", [.present(.touch(.finger(.leftThumb)))]),
    ("retry:partial", [.present(.retry(.partial))]),
    ("retry:vendor-1007", [.present(.retry(.vendor(1007)))]),
    ("error:timeout", [.present(.fault(.timeout))]),
    ("error:vendor-1001", [.present(.fault(.vendor(1001)))]),
    ("stage:too-left", [.present(.stage(.tooLeft))]), ("interact", [.present(.interaction)]),
    ("cancel", [.cancel(.user)]), ("cancel:user", [.cancel(.user)]),
    ("cancel:system", [.cancel(.system)]), ("cancel:app", [.cancel(.app)]),
    ("fallback", [.fallback]), ("sleep:2s", [.sleep(.seconds(2))]),
    ("sleep:1h", [.sleep(.seconds(3600))]), ("sleep:0", [.sleep(.zero)]),
    ("unplug,plug,busy,free", [.unplug, .plug, .busy, .free]),
    ("finger-down,finger-up", [.fingerDown, .fingerUp]),
    ("lockout,lockout:timed", [.lockout(timed: false), .lockout(timed: true)]),
    ("set:latency=\"100ms,900ms\"", [.set(.latency, "100ms,900ms")]),
    ("set:prints='A=left-ring'", [.set(.prints, "A=left-ring")]),
    ("set:timeout=30s,list", [.set(.noInputTimeout, "30s"), .list]),
    ("insert:left-ring", [.insert(.finger(.leftRing))]),
    ("remove:left-ring", [.remove(.finger(.leftRing))]),
    ("passcode", [.passcode(nil)]),
    (" miss ,\tmatch , ", [.present(.miss), .present(.match)]),
    (
      "miss\nmiss,match,\n\n# end\nfallback\r\n",
      [
        .present(.miss), .present(.miss), .present(.match), .fallback,
      ]
    ),
    ("miss # why, not\nmatch, # because", [.present(.miss), .present(.match)]),
    ("retry: partial", [.present(.retry(.partial))]),
  ]

  @Test func readsEveryEvent() throws {
    for (text, events) in Self.table { #expect(try parse(text) == events, "\(text)") }
  }

  @Test func writesEveryEventAsItReadsIt() throws {
    for (text, events) in Self.table {
      let written = events.map(\.description).joined(separator: ",")
      #expect(try parse(written) == events, "\(text)")
    }
  }

  @Test(arguments: [
    ("passcode:1234", "1234"), ("passcode:\"a,b\"", "a,b"), ("passcode:'a \"b'", "a \"b"),
    ("passcode:\"\"", ""), ("passcode:a\"b", "a\"b"), ("passcode: 1234 ", "1234"),
    ("passcode:12#4", "12#4"), ("passcode:12 34", "12 34"), ("passcode:\" 1 \" # mine", " 1 "),
    ("passcode:p\u{e4}\u{df}", "p\u{e4}\u{df}"), ("passcode:1:2=3", "1:2=3"), ("answer:yes", "yes"),
  ])
  func namesWhatAPersonTypesByItsRange(_ text: String, _ typed: String) throws {
    let source = Array("miss,\(text)\nmatch".utf8)
    let events = try SensorScript(parsing: source.span).events
    try #require(events.count == 3)
    switch events[1] {
    case .passcode(.some(let range)), .answer(let range):
      #expect(Array(source[range]) == Array(typed.utf8))
    default: Issue.record("\(events[1])")
    }
  }

  @Test func takesAnyBytesInAPasscode() throws {
    let source: [UInt8] = Array("passcode:".utf8) + [0xff, 0x80, 0xc3]
    #expect(try SensorScript(parsing: source.span).events == [.passcode(9..<12)])
  }

  @Test func tellsWhatAScriptNeeds() throws {
    let sensor = SensorScript(events: try parse("sleep:1s,miss"))
    #expect(sensor.drivesSensor && !sensor.holdsPasscode && !sensor.needsPasscode)
    let inline = SensorScript(events: try parse("cancel,passcode:1"))
    #expect(!inline.drivesSensor && inline.holdsPasscode && !inline.needsPasscode)
    let beside = SensorScript(events: try parse("passcode,fallback"))
    #expect(!beside.drivesSensor && !beside.holdsPasscode && beside.needsPasscode)
    let changing = try parse("insert:left-ring,REMOVE A,match").filter(\.changesEnrolment)
    #expect(changing.count == 2)
  }

  @Test func showsNoPasscodeInADescription() throws {
    let events = try parse("passcode:tr0ub4dor,answer:tr0ub4dor")
    for event in events { #expect(!event.description.contains("tr0ub4dor")) }
  }

  @Test func playsEventsOnceAndTellsWhatIsLeft() throws {
    var run = ScriptRun(SensorScript(events: try parse("miss,match,fallback")))
    #expect(run.next() == .present(.miss))
    #expect(Array(run.leftOver) == [.present(.match), .fallback])
    _ = run.next()
    _ = run.next()
    #expect(run.next() == nil)
    #expect(run.leftOver.isEmpty)
  }

  @Test func cancelsInThreeNames() {
    #expect(Canceler.allCases.map(\.outcome) == [.userCancel, .systemCancel, .appCancel])
  }
}
