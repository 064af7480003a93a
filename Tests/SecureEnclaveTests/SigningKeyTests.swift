import LocalAuthTestKit
import SecureEnclave
import Testing

@Suite struct SigningKeyTests {
  private typealias PrivateKey = SecureEnclave.P256.Signing.PrivateKey
  private typealias PublicKey = SecureEnclave.P256.Signing.PublicKey
  private typealias Signature = SecureEnclave.P256.Signing.ECDSASignature

  private let device: TestDevice
  private let message = Data("pay 10 to Ann".utf8)

  init() throws { device = try TestDevice(fingers: [.rightIndex], passcode: "1234") }

  @Test func enclaveIsThereWhereADeviceAnswers() throws {
    try device.use {
      #expect(SecureEnclave.isAvailable)
      _ = try PrivateKey().dataRepresentation
      #expect(SecureEnclave.isAvailable)
      try device.lock()
      try device.clock.advance(by: .seconds(11))
      #expect(SecureEnclave.isAvailable)
    }
  }

  // MARK: Signatures

  @Test func signatureIsOneForSecurityToo() throws {
    try device.use {
      let key = try PrivateKey()
      let signature = try key.signature(for: message)
      #expect(signature.rawRepresentation.count == 64)
      let half = try securityKey(key.publicKey.x963Representation)
      for (algorithm, bytes) in [
        (SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256, signature.derRepresentation),
        (.ecdsaSignatureMessageRFC4754SHA256, signature.rawRepresentation),
      ] {
        #expect(
          SecKeyVerifySignature(half, algorithm, message as CFData, bytes as CFData, nil)
        )
      }
    }
  }

  @Test func signatureOfOtherDataOrAnotherKeyIsNone() throws {
    try device.use {
      let (key, other) = (try PrivateKey(), try PrivateKey())
      let signature = try key.signature(for: message)
      #expect(key.publicKey.isValidSignature(signature, for: message))
      #expect(!key.publicKey.isValidSignature(signature, for: message + [0]))
      #expect(!other.publicKey.isValidSignature(signature, for: message))
      for index in signature.rawRepresentation.indices {
        var bytes = signature.rawRepresentation
        bytes[index] ^= 1
        let damaged = try Signature(rawRepresentation: bytes)
        #expect(!key.publicKey.isValidSignature(damaged, for: message))
      }
    }
  }

  @Test func digestsOfEveryLengthAreSigned() throws {
    try device.use {
      let key = try PrivateKey()
      for count in [20, 32, 48, 64] {
        let digest = Data(repeating: 0x9C, count: count)
        let signature = try key.signature(forDigest: digest)
        #expect(key.publicKey.isValidSignature(signature, forDigest: digest))
        #expect(!key.publicKey.isValidSignature(signature, for: digest))
      }
    }
  }

  @Test func bothFormsOfASignatureAreTheSame() throws {
    try device.use {
      let signature = try PrivateKey().signature(for: [UInt8](message))
      #expect(try Signature(rawRepresentation: signature.rawRepresentation) == signature)
      #expect(try Signature(derRepresentation: signature.derRepresentation) == signature)
    }
  }

  @Test(arguments: [0, 1, 63, 65, 128])
  func signatureOfAnotherSizeIsRefused(_ size: Int) {
    let bytes = Data(repeating: 1, count: size)
    #expect(status { try Signature(rawRepresentation: bytes) } == errSecParam)
    #expect(status { try Signature(derRepresentation: bytes) } == errSecParam)
  }

  // MARK: Proof

  @Test func signatureAsksForTheFingerEachTime() throws {
    try device.use {
      let key = try PrivateKey(accessControl: control([.privateKeyUsage, .biometryAny]))
      try device.sensor.script("match")
      #expect(try key.publicKey.isValidSignature(key.signature(for: message), for: message))
      try device.sensor.script("cancel")
      #expect(failure { try key.signature(for: message) }?.code == LAError.userCancel.rawValue)
    }
  }

  @Test func wrongFingerSignsNothing() throws {
    try device.use {
      let key = try PrivateKey(accessControl: control([.privateKeyUsage, .biometryAny]))
      try device.sensor.script("miss, miss, miss")
      let missed = try #require(failure { try key.signature(for: message) })
      #expect(missed.domain == LAErrorDomain)
      #expect(missed.code == LAError.biometryLockout.rawValue)
    }
  }

  @Test func contextThatProvedItSparesTheQuestion() async throws {
    let accessControl = try control([.privateKeyUsage, .biometryAny])
    try await device.use {
      let context = LAContext()
      let blob = try PrivateKey(accessControl: accessControl).dataRepresentation
      let key = try PrivateKey(dataRepresentation: blob, authenticationContext: context)
      try device.sensor.script("match")
      _ = try await context.evaluateAccessControl(
        accessControl,
        operation: .useKeySign,
        localizedReason: "sign"
      )
      #expect(try key.publicKey.isValidSignature(key.signature(for: message), for: message))
    }
  }

  @Test func contextThatMayNotAskAsksNobody() throws {
    try device.use {
      let context = LAContext()
      context.interactionNotAllowed = true
      let key = try PrivateKey(
        accessControl: control([.privateKeyUsage, .biometryAny]),
        authenticationContext: context
      )
      #expect(failure { try key.signature(for: message) }?.code == LAError.notInteractive.rawValue)
    }
  }

  @Test func keyThatNeverSignsIsRefused() {
    device.use {
      #expect(status { try PrivateKey(accessControl: control(.biometryAny)) } == errSecParam)
      #expect(storedKeys() == 0)
    }
  }

  @Test func fingerThatNobodyHasMakesNoKey() throws {
    let device = try TestDevice(fingers: [], passcode: "1234")
    device.use {
      let failure = failure {
        try PrivateKey(accessControl: control([.privateKeyUsage, .biometryAny]))
      }
      #expect(failure != nil)
      #expect(storedKeys() == 0)
    }
  }

  @Test func lockedDeviceSignsNothing() throws {
    try device.use {
      let key = try PrivateKey()
      let blob = key.dataRepresentation
      try device.lock()
      try device.clock.advance(by: .seconds(11))
      #expect(status { try key.signature(for: message) } == errSecInteractionNotAllowed)
      #expect(
        status { try PrivateKey(dataRepresentation: blob) } == errSecInteractionNotAllowed
      )
      try device.unlock()
      #expect(try key.publicKey.isValidSignature(key.signature(for: message), for: message))
    }
  }
}
