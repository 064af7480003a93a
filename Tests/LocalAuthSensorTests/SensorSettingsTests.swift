import LocalAuthCore
import LocalAuthSensor
import Testing

@Suite struct SensorSettingsTests {
  static let good: [(String, String, String)] = [
    ("strength", "weak", "weak"), ("form", "under-display", "under-display"),
    ("scan-type", "swipe", "swipe"), ("max-enrollments", "10", "10"),
    ("enroll-stages", "1", "1"), ("duplicates-check", "false", "false"),
    ("latency", "400ms", "400ms"), ("latency", "100ms,900ms", "100ms,900ms"),
    ("latency", "1,1s", "1s"), ("enroll-latency", "0", "0s"),
    ("seed", "18446744073709551615", "18446744073709551615"),
    ("seed", "none", "none"), ("model", "goats", "goats"), ("model", "none", "none"),
    ("model", "d-prime:6.17,fmr:0.00002", "d-prime:6.17,fmr:2e-05"), ("person", "7", "7"),
    ("person", "4294967295", "4294967295"), ("quality", "0", "0"), ("quality", "100", "100"),
    ("acquired", "good,partial,vendor-1007", "good,partial,vendor-1007"),
    ("enroll-acquired", "too-left,partial", "too-left,poor-quality"),
    ("enroll-acquired", "none", "none"), ("authenticate-error", "timeout", "always:timeout"),
    ("authenticate-error", "next:vendor-1001", "next:vendor-1001"),
    ("authenticate-fails", "true", "true"), ("enroll-error", "always:busy", "always:busy"),
    ("detect-interaction", "true", "true"), ("timeout", "90", "90s"), ("timeout", "none", "none"),
    ("cancellation", "false", "false"), ("plugged", "false", "false"), ("busy", "true", "true"),
    ("lockout", "true", "true"), ("lockout-enable", "true", "true"),
    ("lockout-timed-threshold", "3", "3"), ("lockout-timed-duration", "30s", "30s"),
    ("lockout-permanent-threshold", "1000", "1000"), ("keep-alive", "true", "true"),
    ("prints", "A=right-index,b-1=left-thumb", "A=right-index-finger,b-1=left-thumb"),
    ("prints", "none", "none"),
  ]

  static let bad: [(String, [String])] = [
    ("strength", ["", "Strong", "4"]), ("form", ["front"]), ("scan-type", ["PRESS"]),
    ("max-enrollments", ["0", "11", "-1", "five", "", "99999999999999999999"]),
    ("enroll-stages", ["0", "101"]), ("duplicates-check", ["yes", "1", "TRUE", " true"]),
    ("latency", ["", ",", "1s,", "9s,1s", "1s,2s,3s", "61m", "-1s", "1d"]), ("seed", ["-1", "x"]),
    (
      "model",
      [
        "d-prime:0,fmr:2e-5", "d-prime:-1,fmr:2e-5",
        "d-prime:inf,fmr:2e-5",
        "d-prime:nan,fmr:2e-5", "d-prime:6,fmr:0", "d-prime:6,fmr:1", "d-prime:6,fmr:1.5",
        "d-prime:6,fmr:nan", "d-prime:6,fmr:-1e-5", "d-prime:6,fmr:1e-999", "d-prime:6", "fmr:2e-5",
        "fmr:2e-5,d-prime:6", "d-prime:6,fmr:2e-5,", "d-prime:6,fmr:", "d-prime: 6,fmr:2e-5",
      ]
    ), ("person", ["-1", "4294967296", "me"]), ("quality", ["-1", "101", "50.5"]),
    ("acquired", ["", "good,", "fine", "vendor-999"]),
    ("enroll-acquired", ["", "good,,good", "fine"]),
    ("authenticate-error", ["", "next:", "never:timeout", "always:next:timeout", "vendor-1"]),
    ("timeout", ["soon", "1.5s"]), ("lockout-timed-threshold", ["0", "1001"]),
    (
      "prints",
      ["A", "A=", "=right-index", "A=toe", "A=right-index,A=left-thumb", "a b=left-thumb"]
    ),
  ]

  @Test func readsBackWhatItWasSetTo() throws {
    for (key, value, expected) in Self.good {
      var settings = SensorRig.settings
      try settings.set(key, value)
      let known = try #require(SettingKey(rawValue: key))
      #expect(settings[known] == expected, "\(key)=\(value)")
    }
  }

  @Test func coversEveryKeyInTheseTables() {
    #expect(Set(Self.good.map(\.0)) == Set(SettingKey.allCases.map(\.rawValue)))
  }

  @Test func refusesBadValuesAndKeepsTheOld() throws {
    for (key, values) in Self.bad {
      let known = try #require(SettingKey(rawValue: key))
      for value in values {
        var settings = SensorSettings()
        #expect(throws: SettingError.badValue(known), "\(key)=\(value)") {
          try settings.set(key, value)
        }
        #expect(settings == SensorSettings())
      }
    }
  }

  @Test(arguments: ["", "Goats", "touch-id", "standard ", "d-prime 6"])
  func refusesAProfileThatItDoesNotKnow(_ name: String) {
    var settings = SensorRig.settings
    let error = SettingError.unknownProfile(name, known: ["goats", "nist", "standard"])
    #expect(throws: error) { try settings.set(.model, name) }
    #expect(settings == SensorRig.settings)
    #expect(throws: error) {
      try SensorSettings(stored: ["model": name], profiles: SensorRig.profiles)
    }
    #expect(throws: SettingError.unknownProfile("goats", known: [])) {
      try SensorSettings(stored: ["model": "goats"])
    }
  }

  @Test func listsEveryKeyInOneOrder() {
    #expect(SensorSettings().all.map(\.key) == SettingKey.allCases.map(\.rawValue))
  }

  @Test func storesOnlyWhatDiffersAndReadsItBack() throws {
    #expect(SensorSettings().changed.isEmpty)
    var settings = SensorRig.settings
    for (key, value, _) in Self.good { try settings.set(key, value) }
    #expect(
      try SensorSettings(stored: settings.changed, profiles: SensorRig.profiles) == settings
    )
    #expect(settings.changed["timeout"] == nil)
    #expect(settings.changed["busy"] == "true")
  }

  @Test func setsEveryDefaultToItself() throws {
    var settings = SensorSettings()
    for (key, value) in SensorSettings().all { try settings.set(key, value) }
    #expect(settings == SensorSettings())
  }

  @Test func refusesStoredSettingsItDoesNotKnow() {
    #expect(throws: SettingError.unknownKey("turbo")) {
      try SensorSettings(stored: ["turbo": "on"])
    }
  }

  @Test func saysWhatIsAllowed() {
    let unknown = SettingError.unknownKey("tur\u{1b}bo\n").description
    #expect(unknown.contains("\"tur?bo?\""))
    #expect(unknown.contains("lockout-permanent-threshold"))
    #expect(
      SettingError.badValue(.model).description
        == "The sensor setting model takes none, the name of a sensor profile, "
        + "or d-prime:D,fmr:F with D above 0 and F above 0 and below 1."
    )
    #expect(
      SettingError.unknownProfile("x\u{1b}", known: ["goats", "nist"]).description
        == "There is no sensor profile \"x?\"; there are: goats, nist."
    )
    #expect(
      SettingError.badValue(.maximumEnrolments).description
        == "The sensor setting max-enrollments takes a whole number from 1 to 10."
    )
  }

  @Test func keepsAtMostItsLimitOfPrints() throws {
    var prints = PrintTable()
    for number in 0...PrintTable.limit {
      prints.assign(try #require(PrintLabel("p\(number)")), to: .leftThumb)
    }
    #expect(prints.entries.count == PrintTable.limit)
    #expect(prints[try #require(PrintLabel("p0"))] == nil)
  }
}
