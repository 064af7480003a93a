import LocalAuthCore
import Testing

@Suite struct OutcomeTests {
  /// The table of the design, row by row: outcome, exit status, Apple's code.
  private static let table: [(code: OutcomeCode, exit: Int32, laError: Int32?)] = [
    (.success, 0, 0),
    (.authenticationFailed, 1, -1),
    (.usage, 2, nil),
    (.userCancel, 3, -2),
    (.userFallback, 4, -3),
    (.notInteractive, 5, -1004),
    (.timeout, 6, -4),
    (.systemCancel, 7, -4),
    (.appCancel, 7, -9),
    (.busy, 8, -4),
    (.invalidContext, 9, -10),
    (.biometryLockout, 10, -8),
    (.passcodeThrottled, 11, -1),
    (.authenticatorLockout, 10, -1),
    (.biometryNotEnrolled, 12, -7),
    (.biometryNotAvailable, 13, -6),
    (.biometryDisconnected, 13, -13),
    (.authenticatorNotAvailable, 13, -11),
    (.sensorError, 13, -6),
    (.passcodeNotSet, 14, -5),
    (.itemNotFound, 20, nil),
    (.duplicateItem, 21, nil),
    (.itemLocked, 22, nil),
    (.accessGroupNotAllowed, 23, nil),
    (.keychainError, 24, nil),
    (.scriptEventsLeftOver, 65, nil),
    (.unreachable, 69, nil),
    (.internalError, 70, nil),
    (.simulatedNotAllowed, 77, -1),
    (.notPermitted, 77, -1),
    (.badConfiguration, 78, nil),
  ]

  @Test func tableIsTheDesignsRowByRow() {
    #expect(OutcomeCode.allCases == Self.table.map(\.code))
    for row in Self.table {
      #expect(row.code.exit == row.exit, "\(row.code)")
      #expect(row.code.laError == row.laError, "\(row.code)")
    }
  }

  @Test func exitStatusesFitAByte() {
    for code in OutcomeCode.allCases { #expect((0...255).contains(code.exit), "\(code)") }
  }

  @Test func onlySuccessExitsWithZero() {
    #expect(OutcomeCode.allCases.filter { $0.exit == 0 } == [.success])
    #expect(OutcomeCode.allCases.filter { $0.laError == 0 } == [.success])
  }

  @Test func wordsAreUnique() {
    #expect(Set(OutcomeCode.allCases.map(\.rawValue)).count == OutcomeCode.allCases.count)
  }

  @Test func sentencesAreOneLineAndUnique() {
    let sentences = OutcomeCode.allCases.map(\.sentence)
    #expect(Set(sentences).count == sentences.count)
    for sentence in sentences {
      #expect(sentence.hasSuffix(".") && !sentence.contains("\n"), "\(sentence)")
    }
  }

  @Test func everySensorFaultHasAnOutcomeThatIsNoSuccess() {
    for fault in SensorFault.named.map(\.fault) + [.vendor(1000)] {
      #expect([6, 7, 13].contains(Outcome.sensor(fault).code.exit), "\(fault)")
    }
  }

  @Test func aFaultNamesTheSensorsOwnWord() {
    #expect(Outcome.sensor(.storageFull).detail == "sensor: storage-full")
    #expect(Outcome.sensor(.vendor(1007)).detail == "sensor: vendor-1007")
    #expect(Outcome.sensor(.removed).code == .biometryDisconnected)
  }
}
