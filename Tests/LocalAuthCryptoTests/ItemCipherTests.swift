import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthCrypto

@Suite struct ItemCipherTests {
  private struct Missing: Error {}

  private let keys = ClassKeyBox()
  private let itemKey = [UInt8](repeating: 0x5A, count: 32)
  private let number = ItemIdentifier(high: 7, low: 1)

  /// Class keys that a test's value can hold.
  private final class ClassKeyBox: Sendable {
    let keys = ClassKeys.generate(for: .all)
  }

  private func cipher(_ protection: ProtectionClass = .whenUnlocked) throws -> ItemCipher {
    guard let cipher = ItemCipher(keys.keys, of: protection) else { throw Missing() }
    return cipher
  }

  private func control(
    _ flags: AccessControlFlags,
    _ protection: ProtectionClass = .whenUnlocked,
    generation: UInt64 = 7
  ) throws -> AccessControl {
    let device = AccessControl.Enrolment(
      hasFingers: true,
      generation: generation,
      hasPasscode: true
    )
    return try AccessControl(protection, flags: flags).bound(to: device)
  }

  private func hash(_ fill: UInt8) -> ItemHash {
    guard let hash = ItemHash(bytes: [UInt8](repeating: fill, count: 32)) else {
      fatalError("32 bytes")
    }
    return hash
  }

  private func context(
    owner: UInt32 = 1000,
    name: String = "desk",
    hasData: Bool = true,
    accessControl: [UInt8] = [],
    _ change: (inout ItemHeader) -> Void = { _ in }
  ) -> ItemContext {
    let device = DeviceIdentity(owner: owner, name: name)
    var header = ItemHeader(
      device: device,
      identifier: number,
      itemClass: .genericPassword,
      key: hash(3),
      protection: .whenUnlocked,
      classKey: 1,
      modified: WallInstant(milliseconds: 5)
    )
    change(&header)
    // SAFETY: the bytes are the array's own, in place during the call.
    return unsafe ItemContext(
      header,
      hasData: hasData,
      accessControl: accessControl.span.bytes,
      on: DeviceLabel(device)
    )
  }

  /// Every context that differs from `context()` in one thing.
  private var others: [ItemContext] {
    [
      context(owner: 1001), context(name: "desks"), context(hasData: false),
      context(accessControl: [1]), context { $0.identifier.low = 2 },
      context { $0.identifier.high = 8 }, context { $0.itemClass = .internetPassword },
      context { $0.key = hash(4) }, context { $0.protection = .afterFirstUnlock },
      context { $0.classKey = 2 }, context { $0.isSynchronizable = true },
      context { $0.isTombstone = true }, context { $0.modified.milliseconds = 6 },
    ]
  }

  @Test func attributesOpenInTheirContextOnly() throws {
    let cipher = try cipher()
    let sealed = cipher.sealAttributes([1, 2, 3], in: context())
    // SAFETY: the bytes are the array's own, in place during the call.
    #expect(unsafe cipher.openAttributes(sealed.span.bytes, in: context()) == [1, 2, 3])
    for other in others {
      // SAFETY: as above.
      #expect(unsafe cipher.openAttributes(sealed.span.bytes, in: other) == nil)
    }
  }

  @Test func anItemKeyUnwrapsInItsContextOnly() throws {
    let cipher = try cipher()
    let result = cipher.wrap(Sample.secret(itemKey), in: context())
    let wrapped = try #require(result)
    func opened(_ context: ItemContext) -> [UInt8]? {
      // SAFETY: the bytes are the array's own, in place during the call.
      Sample.bytes(unsafe cipher.unwrap(wrapped.span.bytes, in: context))
    }
    #expect(opened(context()) == itemKey)
    for other in others { #expect(opened(other) == nil) }
  }

  @Test func dataOpensUnderItsKeyInItsContextOnly() throws {
    let key = ItemCipher.newItemKey()
    let otherKey = ItemCipher.newItemKey()
    let result = ItemCipher.seal(Sample.secret([5, 6]), under: key, in: context())
    let sealed = try #require(result)
    func opened(_ key: borrowing Secret, _ context: ItemContext) -> [UInt8]? {
      // SAFETY: the bytes are the array's own, in place during the call.
      Sample.bytes(unsafe ItemCipher.open(sealed.span.bytes, under: key, in: context))
    }
    #expect(opened(key, context()) == [5, 6])
    #expect(opened(otherKey, context()) == nil)
    for other in others { #expect(opened(key, other) == nil) }
  }

  @Test func noPartOpensAsAnother() throws {
    let cipher = try cipher()
    let key = ItemCipher.newItemKey()
    let result = cipher.wrap(key, in: context())
    let wrapped = try #require(result)
    let attributes = cipher.sealAttributes([UInt8](repeating: 1, count: 32), in: context())
    // SAFETY: the bytes are the arrays' own, in place during each call.
    let asAttributes = unsafe cipher.openAttributes(wrapped.span.bytes, in: context())
    let asKey = Sample.bytes(unsafe cipher.unwrap(attributes.span.bytes, in: context()))
    let asData = Sample.bytes(
      unsafe ItemCipher.open(wrapped.span.bytes, under: key, in: context())
    )
    #expect(asAttributes == nil)
    #expect(asKey == nil)
    #expect(asData == nil)
  }

  @Test func anotherClassOpensNothing() throws {
    let unlocked = try cipher()
    let first = try cipher(.afterFirstUnlock)
    let result = unlocked.wrap(ItemCipher.newItemKey(), in: context())
    let wrapped = try #require(result)
    // SAFETY: the bytes are the array's own, in place during the call.
    #expect(Sample.bytes(unsafe first.unwrap(wrapped.span.bytes, in: context())) == nil)
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

  // MARK: Access control

  private func wrapped(
    _ accessControl: AccessControl,
    set: EnrolledSet? = nil,
    by cipher: borrowing ItemCipher
  ) throws -> [UInt8] {
    let result = cipher.wrapGuarded(
      Sample.secret(itemKey),
      accessControl,
      enrolledSet: set,
      password: nil,
      in: context(accessControl: accessControl.bytes)
    )
    guard let result else { throw Missing() }
    return result
  }

  private func opened(
    _ wrapped: [UInt8],
    _ proof: consuming Proof?,
    set: EnrolledSet? = nil,
    in context: ItemContext,
    by cipher: borrowing ItemCipher
  ) throws -> [UInt8]? {
    guard let proof else { throw Missing() }
    // SAFETY: the bytes are the array's own, in place during the call.
    return Sample.bytes(
      unsafe cipher.openGuarded(
        wrapped.span.bytes,
        proof,
        enrolledSet: set,
        password: nil,
        in: context
      )
    )
  }

  @Test(arguments: [AccessControlFlags.biometryAny, .userPresence, .devicePasscode])
  func theProofOfAnItemOpensIt(_ flags: AccessControlFlags) throws {
    let cipher = try cipher()
    let accessControl = try control(flags)
    let wrapped = try wrapped(accessControl, by: cipher)
    let key = try opened(
      wrapped,
      proof(of: number, accessControl),
      in: context(accessControl: accessControl.bytes),
      by: cipher
    )
    #expect(key == itemKey)
  }

  @Test func theProofOfAnotherItemOrAccessControlOpensNothing() throws {
    let cipher = try cipher()
    let accessControl = try control(.biometryAny)
    let wrapped = try wrapped(accessControl, by: cipher)
    let context = context(accessControl: accessControl.bytes)
    let neighbour = ItemIdentifier(high: 7, low: 2)
    #expect(
      try opened(wrapped, proof(of: neighbour, accessControl), in: context, by: cipher) == nil
    )
    for other in try [
      control(.devicePasscode), control(.userPresence), control(.biometryAny, .afterFirstUnlock),
      control(.biometryCurrentSet),
    ] {
      #expect(try opened(wrapped, proof(of: number, other), in: context, by: cipher) == nil)
    }
  }

  @Test func aProofOpensNoItemWhoseRowSaysAnotherAccessControl() throws {
    let cipher = try cipher()
    let (strict, weak) = try (control(.biometryAny), control(.devicePasscode))
    let wrapped = try wrapped(strict, by: cipher)
    let forged = context(accessControl: weak.bytes)
    #expect(try opened(wrapped, proof(of: number, weak), in: forged, by: cipher) == nil)
    #expect(try opened(wrapped, proof(of: number, weak), in: context(), by: cipher) == nil)
  }

  @Test func whatIsProvenForAnAdditionOpensNothing() throws {
    let cipher = try cipher()
    let flags: AccessControlFlags = [.biometryAny, .privateKeyUsage]
    let accessControl = try control(flags)
    let wrapped = try wrapped(accessControl, by: cipher)
    let context = context(accessControl: accessControl.bytes)
    let signing = proof(of: number, accessControl, for: .sign)
    #expect(try opened(wrapped, signing, in: context, by: cipher) == itemKey)
    for operation in [AccessOperation.encrypt, .delete, .attest, .decrypt] {
      let isProven = proof(of: number, accessControl, for: operation) != nil
      #expect(!isProven)
    }
  }

  @Test func theWayWithoutProofOpensNoGuardedItem() throws {
    let cipher = try cipher()
    let accessControl = try control(.biometryAny)
    let wrapped = try wrapped(accessControl, by: cipher)
    for context in [context(), context(accessControl: accessControl.bytes)] {
      // SAFETY: the bytes are the array's own, in place during the call.
      #expect(Sample.bytes(unsafe cipher.unwrap(wrapped.span.bytes, in: context)) == nil)
    }
    let asked = cipher.wrap(
      Sample.secret(itemKey),
      in: context(accessControl: accessControl.bytes)
    )
    #expect(asked == nil)
  }

  @Test func aProofOpensNoItemThatAsksForNothing() throws {
    let cipher = try cipher()
    let result = cipher.wrap(Sample.secret(itemKey), in: context())
    let wrapped = try #require(result)
    let spent = proof(of: number, try control(.biometryAny))
    #expect(try opened(wrapped, spent, in: context(), by: cipher) == nil)
  }

  @Test func anItemOfTheCurrentSetTakesItsSecretAndNoOther() throws {
    let cipher = try cipher()
    let accessControl = try control(.biometryCurrentSet)
    let set = EnrolledSet.generate(for: 7)
    let wrapped = try wrapped(accessControl, set: set, by: cipher)
    let context = context(accessControl: accessControl.bytes)
    func key(_ tried: EnrolledSet?) throws -> [UInt8]? {
      try opened(wrapped, proof(of: number, accessControl), set: tried, in: context, by: cipher)
    }
    #expect(try key(set) == itemKey)
    #expect(try key(nil) == nil)
    #expect(try key(EnrolledSet.generate(for: 7)) == nil)
    #expect(try key(EnrolledSet.generate(for: 8)) == nil)
  }

  @Test func nothingIsWrappedWithoutTheInputsItAsksFor() throws {
    let cipher = try cipher()
    let ending = try control(.biometryCurrentSet)
    #expect(throws: Missing.self) { try wrapped(ending, by: cipher) }
    #expect(throws: Missing.self) {
      try wrapped(ending, set: EnrolledSet.generate(for: 8), by: cipher)
    }
    #expect(throws: Missing.self) {
      try wrapped(control([.biometryAny, .applicationPassword]), by: cipher)
    }
  }

  @Test func anAlternativeToTheCurrentSetTakesNoSecret() throws {
    let cipher = try cipher()
    let accessControl = try control([.biometryCurrentSet, .or, .devicePasscode])
    let wrapped = try wrapped(accessControl, by: cipher)
    let key = try opened(
      wrapped,
      proof(of: number, accessControl),
      set: EnrolledSet.generate(for: 7),
      in: context(accessControl: accessControl.bytes),
      by: cipher
    )
    #expect(key == itemKey)
  }

  @Test func everyInputChangesTheKeyOfAGuardedItem() throws {
    let cipher = try cipher()
    let (one, two) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    let sets = [one, two].compactMap { EnrolledSet(7, Sample.secret($0)) }
    #expect(sets.count == 2)
    var found: Set<[UInt8]> = []
    for flags in [
      AccessControlFlags.biometryAny, .biometryCurrentSet,
      [.biometryAny, .applicationPassword], [.biometryCurrentSet, .applicationPassword],
    ] {
      let accessControl = try control(flags)
      for set in sets {
        for password in [one, two] {
          // One context for all of them, so that only the inputs can differ.
          let key = cipher.guarded(
            accessControl,
            set,
            Sample.secret(password),
            context(accessControl: [9])
          )
          let bytes = Sample.bytes(key)
          found.insert(try #require(bytes))
        }
      }
    }
    // 1 without inputs, 2 sets, 2 passwords, and 4 of both; none like another.
    #expect(found.count == 9)
  }

  @Test func anApplicationPasswordIsAKeyOfItsSize() throws {
    let cipher = try cipher()
    let accessControl = try control([.biometryAny, .applicationPassword])
    for size in [0, 1, 31, 33] {
      let password = Sample.secret([UInt8](repeating: 1, count: size))
      let key = cipher.guarded(accessControl, nil, consume password, context(accessControl: [9]))
      #expect(Sample.bytes(key) == nil)
    }
  }
}
