import LocalAuthKeychain
import Testing

@testable import LocalAuthFiles

@Suite struct DataAvailabilityTests {
  private static let end = ContinuousClock.now
  private static let all: [DataAvailability] = [
    .available, .ending(at: end), .locked, .beforeFirstUnlock, .unknown,
  ]

  /// In the order of ``all``.
  @Test(arguments: [
    (FileProtection.complete, [true, true, false, false, false]),
    (.completeUnlessOpen, [true, true, false, false, false]),
    (.afterFirstUnlock, [true, true, true, false, false]),
    (.always, [true, true, true, true, true]),
  ])
  func eachProtectionOpensAsAppleSays(_ protection: FileProtection, _ opens: [Bool]) {
    #expect(Self.all.map { $0.opens(protection) } == opens)
  }

  @Test(
    arguments: [
      (FileProtection.complete, [.stays, .ends(at: end), .lost, .lost, .lost]),
      (.completeUnlessOpen, [.stays, .stays, .stays, .stays, .stays]),
      (.afterFirstUnlock, [.stays, .stays, .stays, .lost, .lost]),
      (.always, [.stays, .stays, .stays, .stays, .stays]),
    ] as [(FileProtection, [FileLease])]
  )
  func openFileLosesItsKeyAsItsProtectionSays(
    _ protection: FileProtection,
    _ leases: [FileLease]
  ) {
    #expect(Self.all.map { $0.lease(protection) } == leases)
  }

  @Test func protectedDataIsAvailableUntilTheDeviceIsLocked() {
    #expect(Self.all.map(\.isAvailable) == [true, false, false, false, false])
  }
}
