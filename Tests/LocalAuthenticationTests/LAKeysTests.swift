import LocalAuthTestKit
import LocalAuthentication
import Security
import Testing

/// The key of a saved right.
@Suite
struct LAKeysTests {
  private let message = Data("open the vault".utf8)
  private let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
  private let scheme = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM

  private func code(_ body: () async throws -> Void) async -> Int {
    do {
      try await body()
      return 0
    } catch {
      return (error as NSError).code
    }
  }

  private func saved(_ right: LARight = LARight()) async throws -> LAPersistedRight {
    try await LARightStore.shared.saveRight(right, identifier: "vault", secret: Data("gold".utf8))
  }

  @Test func authorizedRightSignsDecryptsAndAgreesOnOneProof() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let right = try await saved()
      let publicKey = right.key.publicKey
      try device.sensor.match()
      try await right.authorize(localizedReason: "open")
      let signature = try await right.key.sign(message, algorithm: algorithm)
      try await publicKey.verify(message, signature: signature, algorithm: algorithm)
      let ciphertext = try await publicKey.encrypt(message, algorithm: scheme)
      #expect(try await right.key.decrypt(ciphertext, algorithm: scheme) == message)
      #expect(try await right.secret.rawData == Data("gold".utf8))
      let bytes = try await publicKey.bytes
      #expect(bytes.count == 65)
      let shared = try await right.key.exchangeKeys(
        publicKey: bytes,
        algorithm: .ecdhKeyExchangeStandardX963SHA256,
        parameters: [SecKeyKeyExchangeParameter.requestedSize.rawValue: 40]
      )
      #expect(shared.count == 40)
      #expect(device.prompts.count == 1)
    }
  }

  @Test func privateKeyIsOfNoUseWhileTheRightIsNotAuthorized() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let right = try await saved()
      let ciphertext = try await right.key.publicKey.encrypt(message, algorithm: scheme)
      for isDeauthorized in [false, true] {
        if isDeauthorized {
          try device.sensor.match()
          try await right.authorize(localizedReason: "open")
          await right.deauthorize()
        }
        let uses: [() async throws -> Void] = [
          { _ = try await right.key.sign(message, algorithm: algorithm) },
          { _ = try await right.key.decrypt(ciphertext, algorithm: scheme) },
          {
            _ = try await right.key.exchangeKeys(
              publicKey: Data(),
              algorithm: .ecdhKeyExchangeStandard,
              parameters: [:]
            )
          },
        ]
        for use in uses { #expect(await code(use) == -1004) }
      }
      #expect(device.prompts.count == 1)
    }
  }

  @Test func publicKeyIsUsedWithoutAProof() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let right = try await saved()
      let other = try await LARightStore.shared.right(forIdentifier: "vault")
      #expect(try await right.key.publicKey.bytes == other.key.publicKey.bytes)
      _ = try await right.key.publicKey.encrypt(Data(), algorithm: scheme)
      let wrong = await code {
        try await right.key.publicKey.verify(message, signature: Data([1]), algorithm: algorithm)
      }
      #expect(wrong == Int(errSecVerifyFailed))
      #expect(device.prompts.isEmpty)
    }
  }

  @Test func keyAnswersForItsAlgorithms() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let key = try await saved().key
      #expect(key.canSign(using: algorithm))
      #expect(!key.canSign(using: scheme))
      #expect(!key.canSign(using: .rsaSignatureMessagePKCS1v15SHA256))
      #expect(key.canDecrypt(using: scheme))
      #expect(!key.canDecrypt(using: algorithm))
      #expect(key.canExchangeKeys(using: .ecdhKeyExchangeStandard))
      #expect(!key.canExchangeKeys(using: scheme))
      #expect(key.publicKey.canVerify(using: algorithm))
      #expect(!key.publicKey.canVerify(using: scheme))
      #expect(key.publicKey.canEncrypt(using: scheme))
      #expect(!key.publicKey.canEncrypt(using: .rsaEncryptionPKCS1))
    }
  }

  @Test func callersCanBeCalledBack() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let right = try await saved()
      try device.sensor.match()
      try await right.authorize(localizedReason: "open")
      let (key, message) = (right.key, message)
      let (algorithm, scheme) = (algorithm, scheme)
      let ends = await withCheckedContinuation { (all: CheckedContinuation<[Bool], Never>) in
        key.sign(message, algorithm: algorithm) { signature, error in
          let ends = [signature != nil, error == nil]
          key.publicKey.verify(
            message,
            signature: signature ?? Data(),
            algorithm: algorithm
          ) { error in
            let ends = ends + [error == nil]
            key.publicKey.encrypt(message, algorithm: scheme) { ciphertext, _ in
              key.decrypt(ciphertext ?? Data(), algorithm: scheme) { plaintext, _ in
                let ends = ends + [plaintext == message]
                key.publicKey.exportBytes { bytes, _ in
                  key.exchangeKeys(
                    publicKey: bytes ?? Data(),
                    algorithm: .ecdhKeyExchangeStandard,
                    parameters: [:]
                  ) { secret, error in
                    all.resume(returning: ends + [secret?.count == 32, error == nil])
                  }
                }
              }
            }
          }
        }
      }
      #expect(ends == Array(repeating: true, count: 6))
    }
  }

  @Test func whatMakesNoSenseIsRefused() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let right = try await saved()
      try device.sensor.match()
      try await right.authorize(localizedReason: "open")
      #expect(await code { _ = try await right.key.sign(message, algorithm: scheme) } == -50)
      #expect(await code { _ = try await right.key.decrypt(message, algorithm: scheme) } == -50)
      let peers = [Data(), Data(count: 65), Data([4])]
      for peer in peers {
        let refused = await code {
          _ = try await right.key.exchangeKeys(
            publicKey: peer,
            algorithm: .ecdhKeyExchangeStandard,
            parameters: [:]
          )
        }
        #expect(refused == -50)
      }
    }
  }

  @Test func rightsOfOneProgramHaveKeysOfTheirOwn() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      let store = LARightStore.shared
      let one = try await store.saveRight(LARight(), identifier: "one")
      let two = try await store.saveRight(LARight(), identifier: "two")
      #expect(try await one.key.publicKey.bytes != two.key.publicKey.bytes)
      try await store.removeRight(one)
      try device.sensor.match()
      try await two.authorize(localizedReason: "open")
      _ = try await two.key.sign(message, algorithm: algorithm)
      // Nothing of the first is left behind.
      let keys =
        [kSecClass: kSecClassKey, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true]
        as [CFString: Any] as CFDictionary
      var result: CFTypeRef?
      #expect(SecItemCopyMatching(keys, &result) == errSecSuccess)
      #expect((result as? [Any])?.count == 1)
    }
  }

  @Test func keyThatALostSaveLeftIsReplaced() async throws {
    let device = try TestDevice.apple()
    try await device.use {
      _ = try await saved()
      // As if the process had ended before the item of the right was there.
      #expect(
        SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary) == errSecSuccess
      )
      let right = try await saved()
      try device.sensor.match()
      try await right.authorize(localizedReason: "open")
      #expect(try await right.secret.rawData == Data("gold".utf8))
    }
  }
}
