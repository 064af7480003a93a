import LocalAuthSensor
import Testing

@Suite struct ScriptErrorTests {
  private static func error(_ bytes: [UInt8]) -> ScriptError? {
    do throws(ScriptError) {
      _ = try SensorScript(parsing: bytes.span)
      return nil
    } catch {
      return error
    }
  }

  static let table: [(String, ScriptError.Reason, Int, Int, Int)] = [
    ("hello", .unknownWord, 1, 1, 1), ("Match", .unknownWord, 1, 1, 1),
    ("match foo", .unknownWord, 1, 1, 1), ("match#1", .unknownWord, 1, 1, 1),
    ("matches", .unknownWord, 1, 1, 1), ("1234", .unknownWord, 1, 1, 1),
    (":", .unknownWord, 1, 1, 1), ("=", .unknownWord, 1, 1, 1),
    ("\"match\"", .unknownWord, 1, 1, 1),
    ("match,\n miss, oops", .unknownWord, 3, 2, 8),
    (",match", .emptyEvent, 1, 1, 1), ("match,,miss", .emptyEvent, 2, 1, 7),
    ("match\n,miss", .emptyEvent, 2, 2, 1), ("match, # x\n,", .emptyEvent, 2, 2, 1),
    ("touch", .missingArgument(.touch), 1, 1, 1), ("touch:", .missingArgument(.touch), 1, 1, 1),
    ("retry: ,match", .missingArgument(.retry), 1, 1, 1),
    ("passcode:", .missingArgument(.passcode), 1, 1, 1),
    ("passcode: # none", .missingArgument(.passcode), 1, 1, 1),
    ("set", .missingArgument(.set), 1, 1, 1),
    ("miss:right-index", .unexpectedArgument(.miss), 1, 1, 1),
    ("unplug:", .unexpectedArgument(.unplug), 1, 1, 1),
    ("match:toe", .badArgument(.match), 1, 1, 1), ("retry:good", .badArgument(.retry), 1, 1, 1),
    ("retry:\"\"", .badArgument(.retry), 1, 1, 1),
    ("error:vendor-7", .badArgument(.error), 1, 1, 1),
    ("cancel:nobody", .badArgument(.cancel), 1, 1, 1), ("sleep:x", .badArgument(.sleep), 1, 1, 1),
    ("sleep:61m", .badArgument(.sleep), 1, 1, 1), ("lockout:2", .badArgument(.lockout), 1, 1, 1),
    ("touch:a b", .badArgument(.touch), 1, 1, 1), ("stage:fine", .badArgument(.stage), 1, 1, 1),
    ("set:speed=1", .badArgument(.set), 1, 1, 1), ("set:busy", .badArgument(.set), 1, 1, 1),
    ("set:busy=", .badSetting(.isBusy), 1, 1, 1), ("set:busy=no", .badSetting(.isBusy), 1, 1, 1),
    ("set:latency=1ms,2ms", .unknownWord, 2, 1, 17),
    ("passcode:\"12", .unclosedQuote, 1, 1, 10), ("miss,passcode:'1\n2'", .unclosedQuote, 2, 1, 15),
    ("passcode:\"12\"34", .textAfterQuote, 1, 1, 14),
    ("passcode:\"12\"# x", .textAfterQuote, 1, 1, 14),
    ("match\u{0}", .controlCharacter, 1, 1, 6), ("\u{1b}[31m", .controlCharacter, 1, 1, 1),
    ("passcode:1\u{0}2", .controlCharacter, 1, 1, 11),
    ("passcode:\"1\u{7f}\"", .controlCharacter, 1, 1, 12),
    ("passcode:\"1\"\u{1}", .controlCharacter, 1, 1, 13),
    ("SCAN", .badCommand(.scan), 1, 1, 1), ("scan A", .unknownWord, 1, 1, 1),
    ("SCAN:A", .badCommand(.scan), 1, 1, 1), ("RETRY 5", .badCommand(.retry), 1, 1, 1),
    ("RETRY -1", .badCommand(.retry), 1, 1, 1), ("RETRY", .badCommand(.retry), 1, 1, 1),
    ("ERROR 10", .badCommand(.error), 1, 1, 1), ("ERROR x", .badCommand(.error), 1, 1, 1),
    ("FINGER 2", .badCommand(.finger), 1, 1, 1), ("SLEEP 3600001", .badCommand(.sleep), 1, 1, 1),
    ("SLEEP 2s", .badCommand(.sleep), 1, 1, 1), ("UNPLUG now", .badCommand(.unplug), 1, 1, 1),
    ("SET_ENROLL_STAGES 0", .badCommand(.setEnrollStages), 1, 1, 1),
    ("SET_SCAN_TYPE tap", .badCommand(.setScanType), 1, 1, 1),
    ("SET_KEEP_ALIVE yes", .badCommand(.setKeepAlive), 1, 1, 1),
    ("miss\nSCAN A\nSCAN B C", .badCommand(.scan), 3, 3, 1),
  ]

  @Test func saysWhatIsWrongAndWhere() {
    for (text, reason, event, line, column) in Self.table {
      let error = Self.error(Array(text.utf8))
      #expect(error?.reason == reason, "\(text)")
      #expect(error?.event == event, "\(text)")
      #expect(error?.line == line, "\(text)")
      #expect(error?.column == column, "\(text)")
    }
  }

  @Test func isOneSentenceWithoutTheText() {
    for (text, _, _, _, _) in Self.table {
      let message = Self.error(Array(text.utf8))?.description ?? ""
      #expect(message.hasPrefix("Event ") && message.hasSuffix("."), "\(message)")
      #expect(!message.contains("\n"))
    }
  }

  @Test(arguments: [
    "passcode:hunter2,hunter3", "passwort:hunter2", "hunter2", "passcode:\"hunter2\"hunter3",
    "passcode:\"hunter2", "miss:hunter2", "touch:hunter2 x", "error:hunter2", "set:hunter2=hunter3",
    "set:busy=hunter2", "SCAN hunter2 hunter3", "RETRY hunter2", "hunter2:passcode",
  ])
  func neverRepeatsWhatStandsThere(_ text: String) {
    let message = Self.error(Array(text.utf8))?.description
    #expect(message?.contains("hunter") == false)
  }

  @Test func listsWhatIsAllowed() throws {
    let unknown = try #require(Self.error(Array("oops".utf8))).description
    for word in ScriptWord.allCases { #expect(unknown.contains(word.rawValue)) }
    for word in FprintWord.allCases { #expect(unknown.contains(word.rawValue)) }
    let bad = try #require(Self.error(Array("miss,retry:oops".utf8))).description
    #expect(
      bad.hasPrefix("Event 2 of the script (line 1, column 6) has a bad argument: retry takes")
    )
    #expect(bad.contains("too-short"))
  }

  @Test func refusesAScriptThatIsTooLong() {
    let comment = [UInt8](repeating: UInt8(ascii: "#"), count: SensorScript.longest)
    #expect(Self.error(comment) == nil)
    #expect(Self.error(comment + [UInt8(ascii: "#")])?.reason == .tooLong)
  }

  @Test func refusesTooManyEvents() {
    let most = [String](repeating: "miss", count: SensorScript.mostEvents).joined(separator: ",")
    #expect(Self.error(Array(most.utf8)) == nil)
    let error = Self.error(Array((most + ",miss").utf8))
    #expect(error?.reason == .tooManyEvents)
    #expect(error?.event == SensorScript.mostEvents + 1)
  }
}
