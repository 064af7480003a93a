import LocalAuthTestKit
import Security
import Testing

/// Section 2.10: what nobody can open any more is not there.
@Suite struct GoneClaimTests {
  private let device: TestDevice

  init() throws { device = try .phone() }

  /// The item is gone for every call, and its place is free.
  private func expectGone(_ item: Attributes, _ location: SourceLocation = #_sourceLocation) {
    #expect(Items.exists(item) == errSecItemNotFound, sourceLocation: location)
    #expect(
      Items.copy(item.with([kSecReturnAttributes: true])).status == errSecItemNotFound,
      sourceLocation: location
    )
    #expect(Items.count(.anyGeneric) == 0, sourceLocation: location)
    #expect(
      Items.update(item, [kSecAttrLabel: "x"]) == errSecItemNotFound,
      sourceLocation: location
    )
    #expect(Items.add(item.holding("new")) == errSecSuccess, sourceLocation: location)
    #expect(Items.data(item) == Data("new".utf8), sourceLocation: location)
  }

  @Test func anotherFingerDestroysAnItemOfTheCurrentSet() throws {
    try device.use {
      let item = Attributes.generic().holding("x").guarded(by: .biometryCurrentSet)
      #expect(Items.add(item) == errSecSuccess)
      try device.sensor.enroll(.leftThumb)
      expectGone(.generic())
      #expect(device.prompts.isEmpty, "nobody is asked for what cannot be opened")
    }
  }

  @Test func aRemovedFingerDestroysAnItemOfTheCurrentSetToo() throws {
    try device.use {
      try device.sensor.enroll(.leftThumb)
      let item = Attributes.generic().holding("x").guarded(by: .biometryCurrentSet)
      #expect(Items.add(item) == errSecSuccess)
      try device.sensor.remove(.leftThumb)
      expectGone(.generic())
    }
  }

  @Test func theSameFingersAgainDoNotBringItBack() throws {
    try device.use {
      let item = Attributes.generic().holding("x").guarded(by: .biometryCurrentSet)
      #expect(Items.add(item) == errSecSuccess)
      try device.sensor.enroll(.leftThumb)
      try device.sensor.remove(.leftThumb)
      #expect(Items.exists(.generic()) == errSecItemNotFound)
    }
  }

  @Test func removingThePasscodeDestroysWhatNeedsOne() throws {
    try device.use {
      let item = Attributes.generic().with([
        kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
      ])
      #expect(Items.add(item.holding("x")) == errSecSuccess)
      #expect(Items.add(Attributes.internet.holding("stays")) == errSecSuccess)
      try device.removePasscode()
      expectGone(.generic())
      #expect(Items.data(.internet) == Data("stays".utf8))
    }
  }

  @Test func anotherPasscodeDoesNotBringItBack() throws {
    try device.use {
      let item = Attributes.generic().with([
        kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
      ])
      #expect(Items.add(item.holding("x")) == errSecSuccess)
      try device.removePasscode()
      try device.setPasscode("1234")
      #expect(Items.exists(.generic()) == errSecItemNotFound)
      #expect(Items.add(item.holding("y")) == errSecSuccess)
    }
  }

  @Test func changingThePasscodeDestroysNothing() throws {
    try device.use {
      for protection in ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"] {
        let item = Attributes.generic(protection).with([kSecAttrAccessible: protection])
        #expect(Items.add(item.holding("x")) == errSecSuccess)
      }
      try device.setPasscode("another one")
      #expect(Items.count(.anyGeneric) == 7)
      try device.lock()
      try device.unlock()
      #expect(Items.count(.anyGeneric) == 7)
    }
  }

  @Test func whatIsGoneDoesNotEndTheSearchForOthers() throws {
    try device.use {
      let gone = Attributes.generic("gone").holding("x").guarded(by: .biometryCurrentSet)
      #expect(Items.add(gone) == errSecSuccess)
      #expect(Items.add(Attributes.generic("here").holding("y")) == errSecSuccess)
      try device.sensor.enroll(.leftThumb)
      let all = Items.copy(
        .anyGeneric.with([kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true])
      )
      #expect(all.result as? [Data] == [Data("y".utf8)])
    }
  }
}
