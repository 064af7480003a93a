import LocalAuthKeychain
import Testing

@Suite struct DeviceStateTests {
  private func check(_ state: DeviceState, _ expected: [String: ClassAccess]) {
    for protection in ProtectionClass.allCases {
      #expect(state.access(to: protection) == expected[protection.rawValue] ?? .available)
    }
  }

  @Test func beforeTheFirstUnlockOnlyAlwaysIsOpen() {
    check(
      .beforeFirstUnlock,
      ["ak": .locked, "aku": .locked, "akpu": .locked, "ck": .locked, "cku": .locked]
    )
  }

  @Test func whileUnlockedEverythingIsOpen() { check(.unlocked, [:]) }

  @Test func inGraceEverythingIsStillOpen() { check(.lockedInGrace, [:]) }

  @Test func lockedAfterTheFirstUnlockWhenUnlockedIsClosed() {
    check(.locked, ["ak": .locked, "aku": .locked, "akpu": .locked])
  }

  @Test func withoutAPasscodeEverythingButWhenPasscodeSetIsOpen() {
    check(.noPasscode, ["akpu": .absent])
  }
}
