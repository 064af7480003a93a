import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import Testing

@testable import LocalAuthCrypto

@Suite struct ItemCipherTests {
  private struct NoCipher: Error {}

  private let keys = ClassKeyBox()
  private let itemKey = [UInt8](repeating: 0x5A, count: 32)

  /// Class keys that a test's value can hold.
  private final class ClassKeyBox: Sendable {
    let keys = ClassKeys.generate(for: .all)
  }

  private func cipher(_ protection: ProtectionClass = .whenUnlocked) throws -> ItemCipher {
    guard let cipher = ItemCipher(keys.keys, of: protection) else { throw NoCipher() }
    return cipher
  }

  private func context(
    device: DeviceIdentity = DeviceIdentity(owner: 1000, name: "desk"),
    number: UInt64 = 1,
    itemClass: ItemClass = .genericPassword,
    protection: ProtectionClass = .whenUnlocked,
    classKey: UInt64 = 1,
    primary: UInt8 = 3,
    accessControl: [UInt8] = []
  ) -> ItemContext {
    ItemContext(
      device: device,
      identifier: ItemIdentifier(high: 7, low: number),
      itemClass: itemClass,
      protection: protection,
      classKey: classKey,
      primaryHash: [UInt8](repeating: primary, count: 32),
      accessControl: accessControl
    )
  }

  /// Every context that differs from `context()` in one thing.
  private var others: [ItemContext] {
    [
      context(device: DeviceIdentity(owner: 1001, name: "desk")),
      context(device: DeviceIdentity(owner: 1000, name: "desks")), context(number: 2),
      context(itemClass: .internetPassword), context(protection: .afterFirstUnlock),
      context(classKey: 2), context(primary: 4), context(accessControl: [1]),
    ]
  }

  @Test func attributesOpenInTheirContextOnly() throws {
    let cipher = try cipher()
    let sealed = cipher.sealAttributes([1, 2, 3], in: context())
    func opened(_ context: ItemContext) -> [UInt8]? {
      // SAFETY: the bytes are the array's own, valid inside the closure.
      unsafe sealed.withUnsafeBytes { unsafe cipher.openAttributes($0, in: context) }
    }
    #expect(opened(context()) == [1, 2, 3])
    for other in others { #expect(opened(other) == nil) }
  }

  @Test func anItemKeyUnwrapsInItsContextOnly() throws {
    let cipher = try cipher()
    let wrapped = cipher.wrap(Sample.secret(itemKey), in: context())
    #expect(Sample.bytes(cipher.unwrap(wrapped, in: context())) == itemKey)
    for other in others { #expect(Sample.bytes(cipher.unwrap(wrapped, in: other)) == nil) }
  }

  @Test func aSecretOpensUnderItsKeyInItsContextOnly() throws {
    let key = ItemCipher.newItemKey()
    let otherKey = ItemCipher.newItemKey()
    let result = ItemCipher.seal(Sample.secret([5, 6]), under: key, in: context())
    let sealed = try #require(result)
    func opened(_ key: borrowing Secret, _ context: ItemContext) -> [UInt8]? {
      // SAFETY: the bytes are the array's own, valid inside the closure.
      Sample.bytes(
        unsafe sealed.span.withUnsafeBytes { unsafe ItemCipher.open($0, under: key, in: context) }
      )
    }
    #expect(opened(key, context()) == [5, 6])
    #expect(opened(otherKey, context()) == nil)
    for other in others { #expect(opened(key, other) == nil) }
  }

  @Test func noPartOpensAsAnother() throws {
    let cipher = try cipher()
    let wrapped = cipher.wrap(ItemCipher.newItemKey(), in: context())
    // SAFETY: the bytes are the array's own, valid inside the closure.
    let asAttributes = unsafe wrapped.withUnsafeBytes {
      unsafe cipher.openAttributes($0, in: context())
    }
    #expect(asAttributes == nil)
  }

  @Test func aGuardedKeyTakesEveryInputThatWentIn() throws {
    let cipher = try cipher()
    let guarded = context(accessControl: [9])
    func inputs(_ set: [UInt8]?, _ password: [UInt8]?) -> GuardInputs {
      GuardInputs(
        enrolledSet: set.map { Sample.secret($0) },
        applicationPassword: password.map { Sample.secret($0) }
      )
    }
    let cases: [([UInt8]?, [UInt8]?)] = [
      (nil, nil), ([1], nil), (nil, [1]), ([1], [1]), ([1], [2]),
    ]
    for (index, right) in cases.enumerated() {
      let result = cipher.wrapGuarded(
        Sample.secret(itemKey),
        inputs(right.0, right.1),
        in: guarded
      )
      let wrapped = try #require(result)
      for (number, tried) in cases.enumerated() {
        let opened = Sample.bytes(
          cipher.openGuarded(wrapped, inputs(tried.0, tried.1), in: guarded)
        )
        #expect((opened == itemKey) == (number == index), "\(right), \(tried)")
      }
    }
  }

  @Test func aGuardedKeyOpensUnderNoOtherAccessControl() throws {
    let cipher = try cipher()
    let guarded = context(accessControl: [9])
    let result = cipher.wrapGuarded(ItemCipher.newItemKey(), GuardInputs(), in: guarded)
    let wrapped = try #require(result)
    for accessControl in [[8], [9, 0], []] as [[UInt8]] {
      let other = context(accessControl: accessControl)
      #expect(Sample.bytes(cipher.openGuarded(wrapped, GuardInputs(), in: other)) == nil)
    }
  }

  @Test func theWayWithoutProofOpensNoGuardedItem() throws {
    let cipher = try cipher()
    let guarded = context(accessControl: [9])
    let result = cipher.wrapGuarded(ItemCipher.newItemKey(), GuardInputs(), in: guarded)
    let wrapped = try #require(result)
    #expect(Sample.bytes(cipher.unwrap(wrapped, in: guarded)) == nil)
    #expect(Sample.bytes(cipher.unwrap(wrapped, in: context())) == nil)
    let unguarded = cipher.wrapGuarded(ItemCipher.newItemKey(), GuardInputs(), in: context())
    #expect(unguarded == nil)
  }

  @Test func anotherClassOpensNothing() throws {
    let unlocked = try cipher()
    let first = try cipher(.afterFirstUnlock)
    let wrapped = unlocked.wrap(ItemCipher.newItemKey(), in: context())
    #expect(Sample.bytes(first.unwrap(wrapped, in: context())) == nil)
  }

  @Test func thereIsNoCipherWithoutItsKeys() {
    var keys = ClassKeys.generate(for: .always)
    let hasCipher = ItemCipher(keys, of: .always) != nil
    #expect(hasCipher)
    keys.remove(.all)
    for protection in ProtectionClass.allCases {
      let isThere = ItemCipher(keys, of: protection) != nil
      #expect(!isThere)
    }
  }
}
