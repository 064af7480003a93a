import LocalAuthTestKit
import SecureEnclave
import Testing

/// What a program keeps of a key, and how long the key lives.
@Suite struct KeyBlobTests {
  private typealias PrivateKey = SecureEnclave.P256.Signing.PrivateKey

  private let device: TestDevice
  private let message = Data("pay 10 to Ann".utf8)

  init() throws { device = try TestDevice(fingers: [.rightIndex], passcode: "1234") }

  @Test func blobOpensTheKeyAgain() throws {
    try device.use {
      let blob = try PrivateKey().dataRepresentation
      let key = try PrivateKey(dataRepresentation: blob)
      #expect(key.dataRepresentation == blob)
      let again = try PrivateKey(dataRepresentation: blob)
      #expect(again.publicKey == key.publicKey)
      #expect(try again.publicKey.isValidSignature(key.signature(for: message), for: message))
    }
  }

  @Test func blobOutlivesARestart() throws {
    try device.use {
      let blob = try PrivateKey().dataRepresentation
      try device.reboot()
      #expect(
        status { try PrivateKey(dataRepresentation: blob) } == errSecInteractionNotAllowed
      )
      try device.unlock()
      let key = try PrivateKey(dataRepresentation: blob)
      #expect(try key.publicKey.isValidSignature(key.signature(for: message), for: message))
    }
  }

  @Test func reopenedKeyAsksForItsProof() throws {
    try device.use {
      let blob = try PrivateKey(accessControl: control([.privateKeyUsage, .biometryAny]))
        .dataRepresentation
      let key = try PrivateKey(dataRepresentation: blob)
      try device.sensor.script("cancel")
      #expect(failure { try key.signature(for: message) }?.code == LAError.userCancel.rawValue)
    }
  }

  @Test func blobOpensNothingOnAnotherDevice() throws {
    let blob = try device.use { try PrivateKey().dataRepresentation }
    let other = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    other.use {
      #expect(status { try PrivateKey(dataRepresentation: blob) } == errSecItemNotFound)
    }
  }

  @Test func everyDamagedBlobIsRefusedAlike() throws {
    try device.use {
      let blob = try PrivateKey().dataRepresentation
      for index in blob.indices {
        var damaged = blob
        damaged[index] ^= 0x10
        #expect(status { try PrivateKey(dataRepresentation: damaged) } == errSecDecode)
      }
      for other in [Data(), Data("LAEK".utf8), blob.dropLast(), blob.dropFirst(), blob + [0]] {
        #expect(status { try PrivateKey(dataRepresentation: other) } == errSecDecode)
      }
    }
  }

  @Test func partOfLargerDataIsABlobToo() throws {
    try device.use {
      let blob = try PrivateKey().dataRepresentation
      let slice = (Data([1, 2, 3]) + blob).dropFirst(3)
      #expect(try PrivateKey(dataRepresentation: slice).dataRepresentation == blob)
    }
  }

  @Test func blobHoldsNoPrivateKey() throws {
    try device.use {
      let (one, other) = (try PrivateKey(), try PrivateKey())
      // A header, the item's name, the public half and a checksum: there is no room for more.
      #expect(one.dataRepresentation.count == 5 + 20 + 65 + 32)
      #expect(one.dataRepresentation != other.dataRepresentation)
    }
  }

  // MARK: It never leaves

  @Test func keychainGivesAwayNoneOfItsKeys() throws {
    try device.use {
      let key = try PrivateKey()
      _ = key.dataRepresentation
      var result: CFTypeRef?
      let query: [CFString: Any] = [
        kSecClass: kSecClassKey, kSecReturnRef: true, kSecReturnData: true,
      ]
      #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
      let found = try #require(result as? [String: Any])
      #expect(found[kSecValueData as String] == nil)
      let stored = try #require(found[kSecValueRef as String] as? SecKey)
      #expect(SecKeyCopyExternalRepresentation(stored, nil) == nil)
    }
  }

  // MARK: How long it lives

  @Test func keyWhoseBlobNobodyTookEndsWithItsLastCopy() throws {
    try device.use {
      var key: PrivateKey? = try PrivateKey()
      let copy = key
      key = nil
      #expect(storedKeys() == 1)
      #expect(try copy?.signature(for: message) != nil)
    }
    device.use { #expect(storedKeys() == 0) }
  }

  @Test func keyEndsThoughItsContextAndItsTaskAreGone() throws {
    let other = try TestDevice()
    var key = try device.use {
      let context = LAContext()
      let key = try PrivateKey(authenticationContext: context)
      context.invalidate()
      return Optional(key)
    }
    device.use { #expect(storedKeys() == 1) }
    other.use { key = nil }
    #expect(key == nil)
    device.use { #expect(storedKeys() == 0) }
  }

  @Test func keyWhoseBlobWasTakenStaysUntilItIsDeleted() throws {
    try device.use {
      let blob = try PrivateKey().dataRepresentation
      #expect(storedKeys() == 1)
      let key = try PrivateKey(dataRepresentation: blob)
      try key.deleteFromKeychain()
      #expect(storedKeys() == 0)
      #expect(status { try key.signature(for: message) } == errSecItemNotFound)
      #expect(status { try key.deleteFromKeychain() } == errSecItemNotFound)
      #expect(status { try PrivateKey(dataRepresentation: blob) } == errSecItemNotFound)
    }
  }

  @Test func passcodeTakesTheKeyThatNeededItAlong() throws {
    try device.use {
      let accessControl = try #require(
        SecAccessControlCreateWithFlags(
          nil,
          kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
          .privateKeyUsage,
          nil
        )
      )
      let blob = try PrivateKey(accessControl: accessControl).dataRepresentation
      try device.removePasscode()
      #expect(status { try PrivateKey(dataRepresentation: blob) } == errSecItemNotFound)
    }
  }
}
