import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import Testing

/// Private keys that are made in the keychain and never leave it.
@Suite struct KeyFlowTests {
  private static let any: QueryDictionary = ["class": .text("keys")]
  private let message = Array("to be signed".utf8)

  private func guarded() throws -> AccessControl {
    try AccessControl(.whenUnlocked, flags: [.privateKeyUsage, .biometryAny])
  }

  private func generate(
    _ rig: KeychainRig,
    _ more: QueryDictionary = [:]
  ) throws -> (item: Item, publicKey: [UInt8]) {
    let answer = rig.call(.generateKey(more))
    #expect(answer.error == nil)
    let item = try #require(answer.items.first).item
    guard case .data(let publicKey)? = item.value(of: .tokenObjectID) else {
      throw KeychainError.undecodable
    }
    return (item, publicKey)
  }

  private func bytes(of answer: KeychainAnswer) -> [UInt8]? {
    if case .signature(let bytes)? = answer.keyUse { return bytes }
    return nil
  }

  @Test func aSignatureIsVerifiedWithThePublicHalf() throws {
    let rig = try KeychainRig()
    let (_, point) = try generate(rig, ["labl": .text("signer")])
    let answer = rig.call(
      .useKey(Self.any, .sign(message, .ecdsaSignatureMessageX962SHA256))
    )
    #expect(answer.error == nil)
    let signature = try #require(bytes(of: answer))
    let key = try PublicKey(.p256, point)
    #expect(try key.verify(signature, of: message, by: .ecdsaSignatureMessageX962SHA256))
    #expect(try !key.verify(signature, of: [1], by: .ecdsaSignatureMessageX962SHA256))
  }

  @Test func ed25519SignsToo() throws {
    let rig = try KeychainRig()
    let (_, publicKey) = try generate(rig, ["type": .number(105)])
    let answer = rig.call(.useKey(Self.any, .sign(message, .edDSASignatureMessageCurve25519SHA512)))
    let signature = try #require(bytes(of: answer))
    let key = try PublicKey(.ed25519, publicKey)
    #expect(try key.verify(signature, of: message, by: .edDSASignatureMessageCurve25519SHA512))
  }

  @Test func twoKeysAgreeOnOneSecret() throws {
    let rig = try KeychainRig()
    let (_, first) = try generate(rig, ["labl": .text("first")])
    let (_, second) = try generate(rig, ["labl": .text("second")])
    func exchange(_ label: String, with peer: [UInt8]) -> String? {
      var query = Self.any
      query["labl"] = .text(label)
      let use = KeyUse.exchange(
        publicKey: peer,
        .ecdhKeyExchangeStandardX963SHA256,
        size: 48,
        sharedInfo: [1, 2]
      )
      guard case .sharedSecret(let box)? = rig.call(.useKey(query, use)).keyUse else { return nil }
      #expect(box.count == 48)
      return box.text
    }
    let shared = exchange("first", with: second)
    #expect(shared != nil)
    #expect(shared == exchange("second", with: first))
  }

  @Test func aKeyNeverLeavesTheKeychain() throws {
    let rig = try KeychainRig()
    let (item, _) = try generate(rig)
    var query = Self.any
    query["r_Data"] = .boolean(true)
    query["r_Attributes"] = .boolean(true)
    let answer = rig.call(.copy(query, after: nil))
    #expect(answer.error == nil)
    #expect(answer.items.map(\.item.identifier) == [item.identifier])
    #expect(answer.items.allSatisfy { $0.data == nil })
  }

  @Test(arguments: [
    "extr", "next", "sens", "asen", "tkid", "type", "kcls", "bsiz", "klbl", "v_Data",
  ])
  func aKeyIsNotMadeIntoSomethingElse(_ key: String) throws {
    let rig = try KeychainRig()
    _ = try generate(rig)
    let values: [String: QueryValue] = ["v_Data": .secret, "tkid": .text(""), "klbl": .data([1])]
    var changes: QueryDictionary = [:]
    changes[key] = values[key] ?? .number(1)
    let answer = rig.call(.update(Self.any, changes: changes, data: .of("x")))
    #expect(answer.error == .parameter(.notAllowedHere(key)))
  }

  @Test func makingAKeyAnswersWithNothingOfItsPrivateHalf() throws {
    let rig = try KeychainRig()
    let made = rig.call(.generateKey(["r_Data": .boolean(true), "r_Attributes": .boolean(true)]))
    #expect(made.error == nil)
    #expect(made.items.count == 1)
    #expect(made.items.allSatisfy { $0.data == nil })
    let added = rig.call(
      .add([
        NewItem(
          [
            "class": .text("keys"), "kcls": .number(1), "type": .number(105),
            "extr": .number(0), "r_Data": .boolean(true), "v_Data": .secret,
          ],
          data: .of("a seed of Ed25519 has 32 bytes..")
        )
      ])
    )
    #expect(added.error == nil)
    #expect(added.items.allSatisfy { $0.data == nil })
  }

  @Test func aRenamedKeySignsAsBefore() throws {
    let rig = try KeychainRig()
    let (_, point) = try generate(rig)
    #expect(
      rig.call(.update(Self.any, changes: ["labl": .text("new")], data: nil)).error == nil
    )
    let answer = rig.call(
      .useKey(
        ["class": .text("keys"), "labl": .text("new")],
        .sign(message, .ecdsaSignatureMessageX962SHA256)
      )
    )
    let signature = try #require(bytes(of: answer))
    let key = try PublicKey(.p256, point)
    #expect(try key.verify(signature, of: message, by: .ecdsaSignatureMessageX962SHA256))
  }

  @Test func aGuardedKeySignsOnAMatchOnly() throws {
    let rig = try KeychainRig()
    _ = try generate(rig, ["accc": .accessControl(guarded())])
    let sign = KeychainRequest.Operation.useKey(
      Self.any,
      .sign(message, .ecdsaSignatureMessageX962SHA256)
    )
    #expect(rig.call(sign, isInteractive: false).error == .authentication(.notInteractive))
    #expect(rig.call(sign, script: "match").error == nil)
    #expect(
      rig.call(sign, script: "miss,miss,miss").error == .authentication(.biometryLockout)
    )
  }

  @Test func anAuthorizationToSignIsNoneToAgree() throws {
    let rig = try KeychainRig()
    let control = try guarded()
    _ = try generate(rig, ["accc": .accessControl(control)])
    let context = rig.newContext()
    let proven = rig.call(.evaluate(control, [.sign]), script: "match", context: context)
    #expect(proven.error == nil)
    let sign = KeyUse.sign(message, .ecdsaSignatureMessageX962SHA256)
    #expect(
      rig.call(.useKey(Self.any, sign), context: context, isInteractive: false).error == nil
    )
    let agree = KeyUse.exchange(
      publicKey: [],
      .ecdhKeyExchangeStandard,
      size: 32,
      sharedInfo: []
    )
    #expect(
      rig.call(.useKey(Self.any, agree), context: context, isInteractive: false).error
        == .authentication(.notInteractive)
    )
  }

  @Test func oneProofForBothIsOneForEach() throws {
    let rig = try KeychainRig()
    let control = try guarded()
    _ = try generate(rig, ["accc": .accessControl(control)])
    let context = rig.newContext()
    let both: [AccessOperation] = [.sign, .computeKey]
    #expect(
      rig.call(.evaluate(control, both), script: "match", context: context).error == nil
    )
    let sign = KeyUse.sign(message, .ecdsaSignatureMessageX962SHA256)
    #expect(
      rig.call(.useKey(Self.any, sign), context: context, isInteractive: false).error == nil
    )
    // The other key is none, which is found out only where the use is allowed.
    let agree = KeyUse.exchange(
      publicKey: [],
      .ecdhKeyExchangeStandard,
      size: 32,
      sharedInfo: []
    )
    let agreed = rig.call(.useKey(Self.any, agree), context: context, isInteractive: false)
    #expect(agreed.error != nil)
    #expect(agreed.error != .authentication(.notInteractive))
    // Of an operation that the access control denies there is no proof, whatever stands beside it.
    #expect(
      rig.call(.evaluate(control, [.sign, .decrypt]), script: "match", context: rig.newContext())
        .error == .authentication(.notPermitted)
    )
    #expect(
      rig.call(.evaluate(control, both), context: context, isInteractive: false).error == nil
    )
  }

  @Test func aKeyWithoutConstraintIsUsedWithoutAsking() throws {
    let rig = try KeychainRig()
    let control = try AccessControl(.whenUnlocked, flags: .privateKeyUsage)
    _ = try generate(rig, ["accc": .accessControl(control)])
    let sign = KeyUse.sign(message, .ecdsaSignatureMessageX962SHA256)
    #expect(rig.call(.useKey(Self.any, sign), isInteractive: false).error == nil)
  }

  @Test func aWrongApplicationPasswordIsNoDamageToAKey() throws {
    let rig = try KeychainRig()
    let control = try AccessControl(
      .whenUnlocked,
      flags: [.privateKeyUsage, .applicationPassword]
    )
    let made = rig.call(
      .generateKey(["accc": .accessControl(control)]),
      password: "pepper"
    )
    #expect(made.error == nil)
    let sign = KeychainRequest.Operation.useKey(
      Self.any,
      .sign(message, .ecdsaSignatureMessageX962SHA256)
    )
    #expect(rig.call(sign, password: "pepper").error == nil)
    #expect(rig.call(sign, password: "salt").error == .authentication(.authenticationFailed))
  }

  @Test func badUsesSayWhatIsWrong() throws {
    let rig = try KeychainRig()
    func use(_ use: KeyUse) -> KeychainError? { rig.call(.useKey(Self.any, use)).error }
    #expect(use(.sign(message, .ecdsaSignatureMessageX962SHA256)) == .itemNotFound)
    _ = try generate(rig)
    #expect(
      use(.sign(message, .edDSASignatureMessageCurve25519SHA512))
        == .unsupported(KeyAlgorithm.edDSASignatureMessageCurve25519SHA512.rawValue)
    )
    #expect(
      use(.sign([1], .ecdsaSignatureDigestX962SHA256)) == .parameter(.invalidValue("message"))
    )
    for point in [[], [4], [UInt8](repeating: 4, count: 65)] as [[UInt8]] {
      #expect(
        use(.exchange(publicKey: point, .ecdhKeyExchangeStandard, size: 32, sharedInfo: []))
          == .parameter(.invalidValue("publicKey"))
      )
    }
    let wrongClass = rig.call(
      .useKey(["class": .text("genp")], .sign(message, .ecdsaSignatureMessageX962SHA256))
    )
    #expect(wrongClass.error == .unsupported("genp"))
  }

  @Test(arguments: ["kcls", "perm", "priv", "sens", "extr", "esiz", "toid", "sign"])
  func nothingElseIsAskedForThanTheKeychainDecides(_ key: String) throws {
    let rig = try KeychainRig()
    var request: QueryDictionary = [:]
    request[key] = .number(7)
    #expect(rig.call(.generateKey(request)).error == .parameter(.notAllowedHere(key)))
  }

  @Test func otherKindsAndSizesAreRefused() throws {
    let rig = try KeychainRig()
    #expect(rig.call(.generateKey(["type": .number(42)])).error == .unsupported("type"))
    #expect(rig.call(.generateKey(["bsiz": .number(384)])).error == .unsupported("bsiz"))
    #expect(
      rig.call(.generateKey(["v_Data": .secret])).error == .parameter(.notAllowedHere("v_Data"))
    )
  }
}
