import LocalAuthTestKit
import Security
import Testing

/// Section 3, first half: which flags make an access control.
@Suite struct AccessControlClaimTests {
  private typealias Flags = SecAccessControlCreateFlags

  private static let constraints: [Flags] = [
    .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion,
  ]

  @Test func flagsHaveApplesBits() {
    let bits: [(Flags, Int)] = [
      (.userPresence, 0), (.biometryAny, 1), (.biometryCurrentSet, 3), (.devicePasscode, 4),
      (.companion, 5), (.watch, 5), (.or, 14), (.and, 15), (.privateKeyUsage, 30),
      (.applicationPassword, 31), (.touchIDAny, 1), (.touchIDCurrentSet, 3),
    ]
    for (flag, bit) in bits { #expect(flag.rawValue == 1 << bit) }
  }

  @Test func everyProtectionMakesOne() {
    for protection in ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"] {
      #expect(accessControl([], protection) != nil)
      #expect(accessControl(.userPresence, protection) != nil)
      #expect(accessControl(.userPresence, protection as NSString) != nil)
    }
  }

  @Test func aProtectionThatIsNoneIsAParameterFault() throws {
    let senseless: [Any] = ["", "AK", "whenUnlocked", 7, NSNull(), Data("ak".utf8), ["ak"]]
    for protection in senseless {
      var error: Unmanaged<CFError>?
      #expect(SecAccessControlCreateWithFlags(nil, protection, [], &error) == nil)
      let failure = try #require(error?.takeRetainedValue())
      #expect(CFErrorGetCode(failure) == Int(errSecParam))
      #expect(CFErrorGetDomain(failure) == NSOSStatusErrorDomain)
      #expect(SecAccessControlCreateWithFlags(nil, protection, [], nil) == nil)
    }
  }

  @Test func aSuccessLeavesTheErrorAlone() {
    var error: Unmanaged<CFError>?
    let control = SecAccessControlCreateWithFlags(
      kCFAllocatorDefault,
      kSecAttrAccessibleWhenUnlocked,
      [.biometryAny, .or, .devicePasscode],
      &error
    )
    #expect(control != nil)
    #expect(error == nil)
  }

  @Test func orAndAndExcludeEachOther() {
    #expect(accessControl([.or, .and]) == nil)
    #expect(accessControl([.biometryAny, .devicePasscode, .or, .and]) == nil)
  }

  @Test func bothKindsOfBiometryExcludeEachOther() {
    for more: Flags in [[], .or, .and, .devicePasscode] {
      #expect(accessControl([.biometryAny, .biometryCurrentSet, more]) == nil)
    }
  }

  @Test func userPresenceStandsAloneButForPasswordsAndKeys() {
    for more: Flags in [
      .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and,
    ] {
      #expect(accessControl([.userPresence, more]) == nil, "\(more.rawValue)")
    }
    for more: Flags in [
      .applicationPassword, .privateKeyUsage, [.applicationPassword, .privateKeyUsage],
    ] {
      #expect(accessControl([.userPresence, more]) != nil, "\(more.rawValue)")
    }
  }

  @Test func unknownBitsAreIgnored() {
    for bit in [2, 6, 13, 16, 29, 32, 63] as [CFOptionFlags] {
      #expect(accessControl(Flags(rawValue: 1 << bit)) == accessControl([]))
      #expect(
        accessControl([.biometryAny, Flags(rawValue: 1 << bit)]) == accessControl(.biometryAny)
      )
    }
  }

  @Test func aWordBesideNoneOrOneConstraintIsTaken() {
    for word: Flags in [.or, .and] {
      #expect(accessControl(word) != nil)
      for flag in Self.constraints where flag != .userPresence {
        #expect(accessControl([flag, word]) != nil)
      }
    }
  }

  @Test func manyConstraintsMayStandTogether() {
    for flags: Flags in [
      [.biometryAny, .devicePasscode], [.biometryAny, .and, .devicePasscode],
      [.biometryCurrentSet, .or, .devicePasscode, .companion],
      [.biometryAny, .or, .companion, .applicationPassword, .privateKeyUsage],
    ] {
      #expect(accessControl(flags) != nil)
    }
  }

  /// Only adding an item looks at the device.
  @Test func creationNeedsNeitherFingersNorPasscode() throws {
    let bare = try TestDevice(hasSensor: false)
    bare.use {
      for flag in Self.constraints { #expect(accessControl(flag) != nil) }
      for flag in Self.constraints where flag != .companion {
        #expect(Items.add(.generic().guarded(by: flag)) == errSecAuthFailed, "\(flag.rawValue)")
      }
    }
  }

  // MARK: Equality

  @Test func equalOnesAreEqual() {
    for flags: Flags in [[], .userPresence, [.biometryAny, .or, .devicePasscode]] {
      let (one, other) = (accessControl(flags), accessControl(flags))
      #expect(CFEqual(one, other))
      #expect(CFHash(one) == CFHash(other))
      #expect(!CFEqual(one, accessControl(flags, kSecAttrAccessibleAfterFirstUnlock)))
      #expect(!CFEqual(one, accessControl(.applicationPassword)))
    }
    #expect(CFGetTypeID(accessControl([])) == SecAccessControlGetTypeID())
  }

  @Test func whatIsReadBackOpensTheSame() throws {
    let device = try TestDevice.phone()
    try device.use {
      #expect(Items.add(.generic().guarded(by: .biometryAny)) == errSecSuccess)
      try device.sensor.match()
      let found = try #require(Items.attributes(.generic())?[kSecAttrAccessControl])
      #expect(CFGetTypeID(found as CFTypeRef) == SecAccessControlGetTypeID())
      let copy = Attributes.generic("copy").holding("x").with([kSecAttrAccessControl: found])
      #expect(Items.add(copy) == errSecSuccess)
      let silent: Attributes = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
      #expect(Items.exists(.generic("copy").with(silent)) == errSecInteractionNotAllowed)
      try device.sensor.match()
      #expect(Items.data(.generic("copy")) == Data("x".utf8))
    }
  }
}
