import LocalAuthKeychain
import Testing

@Suite struct KeybagRecordTests {
  @Test func everyClassButOneHasOneKeyForGood() {
    for hasPasscode in [false, true] {
      let record = KeybagRecord(hasPasscode: hasPasscode, passcodeSetKeys: 5)
      for protection in ProtectionClass.allCases
      where protection != .whenPasscodeSetThisDeviceOnly {
        #expect(record.classKey(of: protection) == 1)
      }
    }
  }

  @Test func theKeyThatEndsWithThePasscodeIsTheLastWhileOneIsSet() {
    let akpu = ProtectionClass.whenPasscodeSetThisDeviceOnly
    #expect(KeybagRecord(hasPasscode: true, passcodeSetKeys: 5).classKey(of: akpu) == 5)
    #expect(KeybagRecord(hasPasscode: false, passcodeSetKeys: 5).classKey(of: akpu) == nil)
  }
}
