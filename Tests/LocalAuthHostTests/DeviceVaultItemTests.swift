import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

@Suite struct DeviceVaultItemTests {
  private let rig: VaultRig

  init() throws { rig = try VaultRig() }

  @Test(arguments: ProtectionClass.allCases)
  func everyClassGivesBackWhatItSealed(_ protection: ProtectionClass) throws {
    let vault = rig.vault(with: .all)
    let item = try rig.item(protection)
    let sealed = try vault.sealed(item)
    #expect(vault.item(sealed) == item)
    #expect(vault.text(sealed) == "s3cret")
    #expect(sealed.accessControl.isEmpty)
    #expect(sealed.header.key == vault.hash(of: PrimaryKey(of: item)))
    let group = try vault.hash(of: SearchTerm(.accessGroup, .text("team.app"))).orThrow()
    #expect(sealed.terms.contains(group))
  }

  @Test func emptyDataIsNotTheSameAsNone() throws {
    let vault = rig.vault(with: .all)
    let (empty, none) = try (vault.sealed(rig.item(), ""), vault.sealed(rig.item(hasData: false)))
    #expect(vault.text(empty) == "")
    #expect(vault.text(none) == "")
    #expect(vault.item(empty)?.hasData == true)
    #expect(vault.item(none)?.hasData == false)
    #expect(none.secret == nil)
  }

  @Test func dataThatWasTakenAwayOrPutInIsNotBelieved() throws {
    let vault = rig.vault(with: .all)
    var (taken, given) = try (vault.sealed(rig.item()), vault.sealed(rig.item(hasData: false)))
    given.secret = taken.secret
    taken.secret = nil
    for forged in [taken, given] {
      #expect(vault.item(forged) == nil)
      #expect(vault.text(forged) == nil)
    }
  }

  @Test func aSecretIsSealedAnewEachTime() throws {
    let vault = rig.vault(with: .all)
    let (one, two) = try (vault.sealed(rig.item()), vault.sealed(rig.item()))
    #expect(one.wrappedKey != two.wrappedKey)
    #expect(one.secret != two.secret)
    #expect(one.attributes != two.attributes)
    #expect(one.terms == two.terms)
  }

  // MARK: Damage

  private func changes() -> [(inout SealedItem) -> Void] {
    [
      { $0.header.identifier.low ^= 1 }, { $0.header.itemClass = .internetPassword },
      { $0.header.key = ItemHash(bytes: [UInt8](repeating: 1, count: 32)) ?? $0.header.key },
      { $0.header.protection = .afterFirstUnlock }, { $0.header.classKey = 2 },
      { $0.header.isSynchronizable.toggle() }, { $0.header.isTombstone.toggle() },
      { $0.header.modified.milliseconds += 1 }, { $0.header.device.name = "desks" },
      { $0.header.device.owner = 1001 }, { $0.accessControl = [1] },
      { $0.accessControl = AccessControl(.whenUnlocked).bytes }, { $0.wrappedKey = [] },
      { $0.attributes = [] }, { $0.secret = [] }, { $0.wrappedKey.append(0) },
      { $0.attributes.append(0) }, { $0.secret?.append(0) },
    ]
  }

  @Test func nothingOpensWhoseHeaderOrPartsWereChanged() throws {
    let vault = rig.vault(with: .all)
    let sealed = try vault.sealed(rig.item())
    for (number, change) in changes().enumerated() {
      var changed = sealed
      change(&changed)
      let opensAttributes = vault.item(changed) != nil
      let opensData = vault.text(changed) != nil
      #expect(!(opensAttributes && opensData), "change \(number)")
      if changed.header != sealed.header || changed.accessControl != sealed.accessControl {
        #expect(!opensAttributes && !opensData, "change \(number)")
      }
    }
  }

  @Test func noChangedBitOpens() throws {
    let vault = rig.vault(with: .all)
    let sealed = try vault.sealed(rig.item())
    for bit in 0..<sealed.attributes.count * 8 {
      var changed = sealed
      changed.attributes[bit / 8] ^= 1 << (bit % 8)
      #expect(vault.item(changed) == nil, "bit \(bit) of the attributes")
    }
    for bit in 0..<sealed.wrappedKey.count * 8 {
      var changed = sealed
      changed.wrappedKey[bit / 8] ^= 1 << (bit % 8)
      #expect(vault.text(changed) == nil, "bit \(bit) of the key")
    }
    for bit in 0..<(sealed.secret ?? []).count * 8 {
      var changed = sealed
      changed.secret?[bit / 8] ^= 1 << (bit % 8)
      #expect(vault.text(changed) == nil, "bit \(bit) of the data")
    }
  }

  @Test func noPartOfAnotherItemOrOfAnEarlierVersionFits() throws {
    let vault = rig.vault(with: .all)
    let item = try rig.item()
    var newer = item
    newer.modified.milliseconds += 1
    let sealed = try vault.sealed(newer)
    for donor in try [vault.sealed(item, "old"), vault.sealed(rig.item(number: 2), "other")] {
      var (key, attributes, data, both) = (sealed, sealed, sealed, sealed)
      key.wrappedKey = donor.wrappedKey
      attributes.attributes = donor.attributes
      data.secret = donor.secret
      (both.wrappedKey, both.secret) = (donor.wrappedKey, donor.secret)
      #expect(vault.text(key) == nil)
      #expect(vault.item(attributes) == nil)
      #expect(vault.text(data) == nil)
      #expect(vault.text(both) == nil)
    }
  }

  @Test func termsAreNoPartOfTheSeal() throws {
    let vault = rig.vault(with: .all)
    var sealed = try vault.sealed(rig.item())
    sealed.terms = []
    #expect(vault.item(sealed) != nil)
  }

  @Test func neitherAnotherDeviceNorAnotherInstallationOpensAnItem() throws {
    let sealed = try rig.vault(with: .all).sealed(rig.item())
    let other = DeviceIdentity(owner: 1000, name: "desks")
    let others = [rig.vault(of: other), try VaultRig().vault()]
    for vault in others {
      vault.keys(creating: .all).install(.all)
      #expect(vault.item(sealed) == nil)
      #expect(vault.text(sealed) == nil)
    }
  }

  // MARK: What cannot be sealed

  @Test func nothingIsSealedWithoutTheKeysOfItsClass() throws {
    let vault = rig.vault(with: .always)
    #expect(throws: Missing.self) { try vault.sealed(rig.item()) }
    #expect(throws: Missing.self) { try rig.vault().sealed(rig.item(.always)) }
  }

  @Test func neitherIdentitiesNorUnboundAccessControlsAreSealed() throws {
    let vault = rig.vault(with: .all)
    var (identity, unbound) = try (rig.item(), rig.item())
    identity.itemClass = .identity
    unbound.accessControl = try AccessControl(.whenUnlocked, flags: .biometryAny)
    for item in [identity, unbound] {
      #expect(throws: Missing.self) { try vault.sealed(item) }
    }
  }

  @Test func anItemThatHasDataIsNotSealedWithoutIt() throws {
    let vault = rig.vault(with: .all)
    #expect(try vault.seal(rig.item(), data: nil, classKey: 1, password: nil) == nil)
  }

  // MARK: Access control

  @Test func anItemWithAccessControlOpensOnItsProofAlone() async throws {
    let vault = try await rig.enrolled().vault
    for flags in [AccessControlFlags.userPresence, .biometryAny, .biometryCurrentSet] {
      let item = try rig.item(flags: flags)
      let sealed = try vault.sealed(item)
      #expect(sealed.accessControl == item.accessControl.bytes)
      #expect(vault.item(sealed) == item, "attributes need no proof")
      #expect(vault.text(sealed) == nil)
      #expect(try vault.textWithProof(sealed) == "s3cret")
    }
  }

  @Test func aProofOfAnotherItemOrAccessControlOpensNothing() throws {
    let vault = rig.vault(with: .all)
    let item = try rig.item(flags: .biometryAny)
    let sealed = try vault.sealed(item)
    let neighbour = try rig.item(flags: .biometryAny, number: 2)
    let weaker = try rig.item(flags: .devicePasscode)
    #expect(try vault.text(sealed, proof(of: neighbour.identifier, item.accessControl)) == nil)
    #expect(try vault.text(sealed, proof(of: item.identifier, weaker.accessControl)) == nil)
    #expect(try vault.text(sealed, proof(of: item.identifier, item.accessControl)) == "s3cret")
  }

  @Test func aProofOpensNoItemThatAsksForNothing() throws {
    let vault = rig.vault(with: .all)
    let item = try rig.item(flags: .biometryAny)
    let trivial = try vault.sealed(rig.item())
    #expect(try vault.text(trivial, proof(of: item.identifier, item.accessControl)) == nil)
  }

  @Test func anAccessControlThatWasTakenAwayOrWeakenedClosesTheItem() throws {
    let vault = rig.vault(with: .all)
    let sealed = try vault.sealed(rig.item(flags: .biometryAny))
    var (none, weaker) = (sealed, sealed)
    none.accessControl = []
    weaker.accessControl = try rig.item(flags: .devicePasscode).accessControl.bytes
    for forged in [none, weaker] {
      #expect(vault.item(forged) == nil)
      #expect(vault.text(forged) == nil)
    }
    #expect(try vault.textWithProof(weaker) == nil)
  }

  @Test func flagsThatAskForNothingAreKeptAmongTheAttributes() throws {
    let vault = rig.vault(with: .all)
    let item = try rig.item(flags: .or)
    let sealed = try vault.sealed(item)
    #expect(sealed.accessControl.isEmpty)
    #expect(vault.item(sealed)?.accessControl == item.accessControl)
    #expect(vault.text(sealed) == "s3cret")
  }

  @Test func anItemWithoutDataNeedsItsProofAllTheSame() throws {
    let vault = rig.vault(with: .all)
    let sealed = try vault.sealed(rig.item(flags: .biometryAny, hasData: false))
    #expect(vault.text(sealed) == nil)
    #expect(try vault.textWithProof(sealed) == "")
  }

  // MARK: The enrolled set

  @Test func aNewSetEndsTheItemsOfTheOldAndNoOthers() async throws {
    let (vault, keybag) = try await rig.enrolled(7)
    let old = try vault.sealed(rig.item(flags: .biometryCurrentSet))
    let any = try vault.sealed(rig.item(flags: .biometryAny))
    let either = try vault.sealed(
      rig.item(flags: [.biometryCurrentSet, .or, .devicePasscode])
    )
    let renewed = try vault.renewEnrolledSet(8, in: keybag).orThrow()
    let new = try vault.sealed(rig.item(flags: .biometryCurrentSet, generation: 8))
    for reloads in [false, true] {
      if reloads { #expect(vault.load(renewed) != nil) }
      #expect(try vault.textWithProof(old) == nil)
      #expect(try vault.textWithProof(new, generation: 8) == "s3cret")
      #expect(try vault.textWithProof(any) == "s3cret")
      #expect(try vault.textWithProof(either) == "s3cret")
    }
  }

  @Test func theSameGenerationWithAnotherSecretEndsThemToo() async throws {
    let (vault, keybag) = try await rig.enrolled(7)
    let sealed = try vault.sealed(rig.item(flags: .biometryCurrentSet))
    #expect(vault.renewEnrolledSet(7, in: keybag) != nil)
    #expect(try vault.textWithProof(sealed) == nil)
  }

  @Test func withoutASetNothingIsSealedOrOpenedUnderIt() async throws {
    let (vault, keybag) = try await rig.enrolled(7)
    let sealed = try vault.sealed(rig.item(flags: .biometryCurrentSet))
    #expect(throws: Missing.self) {
      try vault.sealed(rig.item(flags: .biometryCurrentSet, generation: 8))
    }
    let dropped = try vault.renewEnrolledSet(nil, in: keybag).orThrow()
    #expect(try vault.textWithProof(sealed) == nil)
    #expect(throws: Missing.self) { try vault.sealed(rig.item(flags: .biometryCurrentSet)) }
    #expect(vault.load(dropped) != nil)
    #expect(try vault.textWithProof(sealed) == nil)
  }

  @Test func aSetThatCannotBeRenewedIsGoneAllTheSame() async throws {
    let (vault, keybag) = try await rig.enrolled(7)
    let sealed = try vault.sealed(rig.item(flags: .biometryCurrentSet))
    #expect(vault.renewEnrolledSet(8, in: Array(keybag.dropLast())) == nil)
    #expect(try vault.textWithProof(sealed) == nil)
    #expect(vault.load(keybag) != nil)
    #expect(try vault.textWithProof(sealed) == "s3cret", "what is stored did not change")
  }

  // MARK: Application passwords

  @Test func anApplicationPasswordHasOneKeyForEachItem() async throws {
    let vault = rig.vault()
    let (one, two) = try (rig.item().identifier, rig.item(number: 2).identifier)
    let key = await vault.stretched("open sesame", for: one)
    #expect(key?.count == 32)
    #expect(await vault.stretched("open sesame", for: one) == key)
    #expect(await vault.stretched("open sesame", for: two) != key)
    #expect(await vault.stretched("open sesamE", for: one) != key)
  }

  @Test func anItemThatAsksForAPasswordIsSealedOnlyWithItsKey() throws {
    let vault = rig.vault(with: .all)
    let item = try rig.item(flags: [.biometryAny, .applicationPassword])
    #expect(throws: Missing.self) { try vault.sealed(item) }
    let sealed = vault.seal(
      item,
      data: secret([1]),
      classKey: 1,
      password: secret([UInt8](repeating: 1, count: 32))
    )
    #expect(try vault.item(sealed.orThrow()) == item)
    #expect(try vault.text(sealed.orThrow()) == nil)
  }

  @Test func anItemOpensOnItsPasswordAndItsProofTogether() throws {
    let vault = rig.vault(with: .all)
    let item = try rig.item(flags: [.biometryAny, .applicationPassword])
    func key(_ fill: UInt8) -> Secret { secret([UInt8](repeating: fill, count: 32)) }
    let sealed = vault.seal(item, data: secret([7]), classKey: 1, password: key(1))
    let whole = try sealed.orThrow()
    func opened(_ password: consuming Secret?) throws -> [UInt8]? {
      guard let proof = proof(of: item.identifier, item.accessControl) else { throw Missing() }
      var spent: Proof? = proof
      var tried: Secret? = password
      let data = whole.lent { stored -> Secret? in
        guard let proof = spent.take() else { return nil }
        return vault.data(of: stored, proof, password: tried.take())
      }
      return bytes(data)
    }
    #expect(try opened(key(1)) == [7])
    #expect(try opened(key(2)) == nil)
    #expect(try opened(nil) == nil)
  }
}
