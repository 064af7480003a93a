import LocalAuth
import LocalAuthTestKit
import Testing

/// Private keys that sign and agree, and stay where they are.
@Suite
struct KeychainKeyTests {
  @Test func guardedKeySignsOnAMatchOnly() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let control = try AccessControl(.whenUnlocked, flags: [.privateKeyUsage, .biometryAny])
    let key = try await device.keychain().generateKey(label: "signer", accessControl: control)
    #expect(key.publicKey?.count == 65)
    #expect(key.itemClass == .key)
    let context = device.context()
    try device.sensor.match()
    let signature = try await Keychain(context: context).sign(
      [1, 2, 3],
      withKey: .item(key.reference),
      .ecdsaSignatureMessageX962SHA256
    )
    #expect(signature.first == 0x30)
    #expect(device.prompts.map(\.items?.text) == [#"sign with "signer""#])
    // What is proven for one signature counts for no other.
    try device.sensor.match()
    _ = try await Keychain(context: context).sign(
      [4],
      withKey: .keys,
      .ecdsaSignatureMessageX962SHA256
    )
    #expect(device.prompts.count == 2)
    try device.sensor.script("cancel")
    await #expect(throws: KeychainFailure.authentication(.userCancel)) {
      try await device.keychain().sign(
        [1],
        withKey: .item(key.reference),
        .ecdsaSignatureMessageX962SHA256
      )
    }
  }

  @Test func evaluatingForSigningSavesThePrompt() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let control = try AccessControl(.whenUnlocked, flags: [.privateKeyUsage, .biometryAny])
    let keychain = device.keychain()
    let key = try await keychain.generateKey(.ed25519, accessControl: control)
    #expect(key.publicKey?.count == 32)
    try device.sensor.match()
    let context = try #require(keychain.context)
    try await context.evaluateAccessControl(control, for: .useKeySign, reason: "sign")
    let signature = try await keychain.sign(
      [1, 2, 3],
      withKey: .item(key.reference),
      .edDSASignatureMessageCurve25519SHA512
    )
    #expect(signature.count == 64)
    #expect(device.prompts.count == 1)
  }

  @Test func twoKeysAgreeOnOneSecret() async throws {
    let keychain = try TestDevice().keychain()
    let first = try await keychain.generateKey(label: "first")
    let second = try await keychain.generateKey(label: "second")
    let one = try await keychain.sharedSecret(
      with: try #require(second.publicKey),
      key: .item(first.reference),
      size: 48,
      sharedInfo: [7]
    )
    let other = try await keychain.sharedSecret(
      with: try #require(first.publicKey),
      key: .item(second.reference),
      size: 48,
      sharedInfo: [7]
    )
    let size = one.count
    let isSame = one.isEqual(to: other)
    #expect(size == 48)
    #expect(isSame)
  }

  @Test func keyIsFoundByItsTagAndHasNoData() async throws {
    let keychain = try TestDevice().keychain()
    try await keychain.generateKey(tag: [1])
    let made = try await keychain.generateKey(tag: [2])
    var query = KeychainQuery.keys
    query.applicationTag = [2]
    let found = try #require(try await keychain.item(matching: query, withData: true))
    #expect(found.id == made.id)
    let size = found.takeData()?.count
    #expect(size == nil)
  }
}
