import LocalAuthKeychain
import Testing

@Suite struct ProtectionClassTests {
  @Test func theLettersAndNamesAreApples() {
    let names: [(String, String)] = [
      ("ak", "whenUnlocked"), ("ck", "afterFirstUnlock"), ("dk", "always"),
      ("aku", "whenUnlockedThisDeviceOnly"), ("cku", "afterFirstUnlockThisDeviceOnly"),
      ("dku", "alwaysThisDeviceOnly"), ("akpu", "whenPasscodeSetThisDeviceOnly"),
    ]
    for (letters, name) in names {
      #expect(ProtectionClass(rawValue: letters)?.name == name)
      #expect(ProtectionClass(name: name)?.rawValue == letters)
    }
    #expect(names.count == ProtectionClass.allCases.count)
    #expect(ProtectionClass(name: "ak") == nil)
  }

  @Test func everyClassComesBackFromItsNumber() {
    for protection in ProtectionClass.allCases {
      #expect(ProtectionClass(code: protection.code) == protection)
    }
    #expect(ProtectionClass(code: 7) == nil)
  }

  @Test func theSetsPartTheClasses() {
    let parts: [ProtectionClassSet] = [.always, .afterFirstUnlock, .whenUnlocked]
    #expect(parts.map(\.classes.count).reduce(0, +) == ProtectionClass.allCases.count)
    #expect(ProtectionClassSet.all.classes == ProtectionClass.allCases)
  }

  @Test func whatStaysOnTheDeviceIsWhatEndsInU() {
    for protection in ProtectionClass.allCases {
      #expect(protection.isThisDeviceOnly == protection.rawValue.hasSuffix("u"))
    }
  }
}
