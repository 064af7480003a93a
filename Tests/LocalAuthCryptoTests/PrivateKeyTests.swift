import LocalAuthKeychain
import LocalAuthSecret
import Testing

@testable import LocalAuthCrypto

@Suite struct PrivateKeyTests {
  private func error(_ body: () throws(KeyError) -> Void) -> KeyError? {
    do throws(KeyError) {
      try body()
      return nil
    } catch { return error }
  }

  private func key(_ curve: KeyCurve, _ bytes: [UInt8]) throws(KeyError) -> PrivateKey {
    try PrivateKey(curve, serialized: Sample.secret(bytes))
  }

  /// The order of P-256, and the numbers around it.
  private static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc6325"

  @Test(arguments: KeyCurve.allCases) func everyNewKeyIsAnother(_ curve: KeyCurve) throws {
    var seen: Set<[UInt8]> = []
    for _ in 0..<20 {
      let key = try PrivateKey.generate(curve)
      let publicKey = key.publicKey
      #expect(try PublicKey(curve, publicKey.bytes) == publicKey)
      seen.insert(publicKey.bytes)
      seen.insert(Sample.bytes(key.serialize()) ?? [])
    }
    #expect(seen.count == 40)
  }

  @Test func newKeysOfP256AreToldByTheirXAlone() throws {
    for _ in 0..<32 {
      let key = try PrivateKey.generate(.p256)
      #expect(KeyCurve.isCompact(key.publicKey.bytes))
    }
  }

  @Test(arguments: KeyCurve.allCases) func aSerializedKeyIsTheSame(_ curve: KeyCurve) throws {
    let key = try PrivateKey.generate(curve)
    let publicKey = key.publicKey
    let serialized = key.serialize()
    #expect(serialized.count == PrivateKey.serializedSize)
    let again = try PrivateKey(curve, serialized: serialized)
    #expect(again.publicKey == publicKey)
    #expect(again.curve == curve)
  }

  @Test(arguments: KeyCurve.allCases, [0, 1, 31, 33, 64])
  func onlyKeysOf32BytesAreTaken(_ curve: KeyCurve, _ size: Int) {
    let bytes = [UInt8](repeating: 1, count: size)
    #expect(error { () throws(KeyError) in _ = try key(curve, bytes) } == .malformed)
  }

  @Test(arguments: [
    String(repeating: "00", count: 32), String(repeating: "ff", count: 32),
    order + "51", order + "52", "ffffffff00000001" + String(repeating: "00", count: 24),
  ])
  func aNumberOutOfRangeIsNoKey(_ number: String) {
    let bytes = Sample.bytes(number)
    #expect(error { () throws(KeyError) in _ = try key(.p256, bytes) } == .outOfRange)
  }

  @Test(arguments: [
    String(repeating: "00", count: 31) + "01", order + "50", order + "4f",
    "fffffffeffffffff" + String(repeating: "ff", count: 24),
    "01" + String(repeating: "00", count: 31),
  ])
  func aNumberInRangeIsAKey(_ number: String) throws {
    let key = try key(.p256, Sample.bytes(number))
    #expect(try PublicKey(.p256, key.publicKey.bytes) == key.publicKey)
  }

  @Test func theKeyOneIsTheBasePoint() throws {
    let key = try key(.p256, [UInt8](repeating: 0, count: 31) + [1])
    #expect(
      key.publicKey.bytes
        == Sample.bytes(
          "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
            + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
        )
    )
  }

  // MARK: Signatures

  /// RFC 8032, section 7.1.
  @Test(arguments: [
    (
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555"
        + "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    ),
    (
      "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    ),
    (
      "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    ),
  ])
  func signsAsTheSpecificationDoes(
    _ seed: String,
    _ point: String,
    _ message: String,
    _ signature: String
  ) throws {
    let key = try key(.ed25519, Sample.bytes(seed))
    let algorithm = KeyAlgorithm.edDSASignatureMessageCurve25519SHA512
    #expect(key.publicKey.bytes == Sample.bytes(point))
    #expect(try key.sign(Sample.bytes(message), by: algorithm) == Sample.bytes(signature))
    let isGenuine = try PublicKey(.ed25519, Sample.bytes(point))
      .verify(Sample.bytes(signature), of: Sample.bytes(message), by: algorithm)
    #expect(isGenuine)
  }

  /// RFC 6979, A.2.5, for the message "sample"; ours are not deterministic.
  @Test func verifiesWhatAnotherProgramSigned() throws {
    let key = try key(
      .p256,
      Sample.bytes("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
    )
    #expect(
      key.publicKey.bytes
        == Sample.bytes(
          "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
            + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
        )
    )
    let signature = Sample.bytes(
      "3046022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
        + "022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
    )
    let isGenuine = try key.publicKey.verify(
      signature,
      of: Array("sample".utf8),
      by: .ecdsaSignatureMessageX962SHA256
    )
    #expect(isGenuine)
  }

  private static let signing = KeyAlgorithm.allCases.filter {
    if case .exchange = $0.operation { false } else { true }
  }

  /// A message that the algorithm takes: a digest is as long as its function makes it.
  private func message(for algorithm: KeyAlgorithm) -> [UInt8] {
    if case .signDigest(let digest) = algorithm.operation {
      return (0..<digest.size).map { UInt8($0) }
    }
    return Array("message".utf8)
  }

  @Test(arguments: signing) func verifiesItsOwnAndNothingElse(_ algorithm: KeyAlgorithm) throws {
    let key = try PrivateKey.generate(algorithm.curve)
    let other = try PrivateKey.generate(algorithm.curve)
    let message = message(for: algorithm)
    for _ in 0..<10 {
      let signature = try key.sign(message, by: algorithm)
      let isOwn = try key.publicKey.verify(signature, of: message, by: algorithm)
      let isOthers = try other.publicKey.verify(signature, of: message, by: algorithm)
      #expect(isOwn && !isOthers)
      for index in [0, 1, 4, signature.count / 2, signature.count - 1] {
        var changed = signature
        changed[index] ^= 1
        let isGenuine = try key.publicKey.verify(changed, of: message, by: algorithm)
        #expect(!isGenuine, "byte \(index)")
      }
      var another = message
      another[3] ^= 1
      let isOfAnother = try key.publicKey.verify(signature, of: another, by: algorithm)
      let isLonger = try key.publicKey.verify(signature + [0], of: message, by: algorithm)
      let isCut = try key.publicKey.verify(
        Array(signature.dropLast()),
        of: message,
        by: algorithm
      )
      let isNone = try key.publicKey.verify([], of: message, by: algorithm)
      #expect(!isOfAnother && !isLonger && !isCut && !isNone)
    }
  }

  @Test(arguments: signing) func signsTheEmptyMessage(_ algorithm: KeyAlgorithm) throws {
    guard case .signMessage = algorithm.operation else { return }
    let key = try PrivateKey.generate(algorithm.curve)
    let signature = try key.sign([], by: algorithm)
    let isGenuine = try key.publicKey.verify(signature, of: [], by: algorithm)
    #expect(isGenuine)
  }

  @Test func noTwoSignaturesOfP256AreAlike() throws {
    let key = try PrivateKey.generate(.p256)
    var seen: Set<[UInt8]> = []
    for _ in 0..<50 { seen.insert(try key.sign([1], by: .ecdsaSignatureMessageX962SHA256)) }
    #expect(seen.count == 50)
  }

  @Test func aDigestHasTheSizeOfItsFunction() throws {
    let key = try PrivateKey.generate(.p256)
    for (algorithm, size) in [
      (KeyAlgorithm.ecdsaSignatureDigestX962SHA256, 32), (.ecdsaSignatureDigestX962SHA384, 48),
      (.ecdsaSignatureDigestX962SHA512, 64),
    ] {
      for wrong in [0, 20, size - 1, size + 1] {
        let digest = [UInt8](repeating: 1, count: wrong)
        let expected = KeyError.digestSize(expected: size)
        #expect(throws: expected) { _ = try key.sign(digest, by: algorithm) }
        #expect(throws: expected) { _ = try key.publicKey.verify([], of: digest, by: algorithm) }
      }
    }
  }

  @Test(arguments: KeyCurve.allCases, KeyAlgorithm.allCases)
  func noKeyDoesWhatItIsNotFor(_ curve: KeyCurve, _ algorithm: KeyAlgorithm) throws {
    let key = try PrivateKey.generate(curve)
    let message = message(for: algorithm)
    let expected = KeyError.unsuitable(algorithm, curve)
    if case .exchange = algorithm.operation {
      #expect(throws: expected) { _ = try key.sign(message, by: algorithm) }
      guard curve != algorithm.curve else { return }
      let peer = key.publicKey
      #expect(
        error { () throws(KeyError) in _ = try key.exchange(with: peer, by: algorithm) } == expected
      )
    } else {
      let peer = key.publicKey
      #expect(
        error { () throws(KeyError) in _ = try key.exchange(with: peer, by: algorithm) } == expected
      )
      guard curve != algorithm.curve else { return }
      #expect(throws: expected) { _ = try key.sign(message, by: algorithm) }
      #expect(throws: expected) { _ = try key.publicKey.verify([], of: message, by: algorithm) }
    }
  }

  // MARK: Key agreement

  /// RFC 5903, section 8.1.
  @Test func agreesAsTheSpecificationDoes() throws {
    let initiator = try key(
      .p256,
      Sample.bytes("c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433")
    )
    let responder = try key(
      .p256,
      Sample.bytes("c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53")
    )
    #expect(
      initiator.publicKey.bytes
        == Sample.bytes(
          "04dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180"
            + "5271a0461cdb8252d61f1c456fa3e59ab1f45b33accf5f58389e0577b8990bb3"
        )
    )
    let expected = Sample.bytes("d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de")
    let one = try initiator.exchange(with: responder.publicKey, by: .ecdhKeyExchangeStandard)
    let other = try responder.exchange(with: initiator.publicKey, by: .ecdhKeyExchangeStandard)
    #expect(Sample.bytes(one) == expected)
    #expect(Sample.bytes(other) == expected)
  }

  /// NIST CAVS 12.0, "ANSI X9.63-2001", SHA-256.
  @Test(arguments: [
    (
      "96c05619d56c328ab95fe84b18264b08725b85e33fd34f08", "",
      "443024c3dae66b95e6f5670601558f71"
    ),
    (
      "22518b10e70f2a3f243810ae3254139efbee04aa57c7af7d", "75eef81aa3041e33b80971203d2c0c52",
      "c498af77161cc59f2962b9a713e2b215152d139766ce34a776df11866a69bf2e"
        + "52a13d9c7c6fc878c50c5ea0bc7b00e0da2447cfd874f6cf92f30d0097111485"
        + "500c90c3af8b487872d04685d14c8d1dc8d7fa08beb0ce0ababc11f0bd496269"
        + "142d43525a78e5bc79a17f59676a5706dc54d54d4d1f0bd7e386128ec26afc21"
    ),
  ])
  func derivesAsTheSpecificationDoes(_ shared: String, _ info: String, _ key: String) throws {
    let expected = Sample.bytes(key)
    let derived = try PrivateKey.derive(
      expected.count,
      from: Sample.secret(Sample.bytes(shared)),
      Sample.bytes(info)
    )
    #expect(Sample.bytes(derived) == expected)
  }

  @Test func bothSidesDeriveTheSameAndOtherInfoAnother() throws {
    let one = try PrivateKey.generate(.p256)
    let other = try PrivateKey.generate(.p256)
    let algorithm = KeyAlgorithm.ecdhKeyExchangeStandardX963SHA256
    var keys: Set<[UInt8]> = []
    for (size, info) in [(16, []), (32, []), (32, [1]), (8160, [1, 2])] as [(Int, [UInt8])] {
      let left = Sample.bytes(
        try one.exchange(with: other.publicKey, by: algorithm, size: size, sharedInfo: info)
      )
      let right = Sample.bytes(
        try other.exchange(with: one.publicKey, by: algorithm, size: size, sharedInfo: info)
      )
      #expect(left == right && left?.count == size)
      keys.insert(Array(try #require(left).prefix(16)))
    }
    #expect(keys.count == 3)
    let raw = Sample.bytes(try one.exchange(with: other.publicKey, by: .ecdhKeyExchangeStandard))
    #expect(!keys.contains(Array(try #require(raw).prefix(16))))
  }

  @Test(arguments: [-1, 0, 8161, Int.max]) func aDerivedKeyHasASize(_ size: Int) throws {
    let key = try PrivateKey.generate(.p256)
    let peer = key.publicKey
    let found = error { () throws(KeyError) in
      _ = try key.exchange(with: peer, by: .ecdhKeyExchangeStandardX963SHA256, size: size)
    }
    #expect(found == .derivedSize)
  }

  @Test func aPeerIsOfTheSameCurve() throws {
    let key = try PrivateKey.generate(.p256)
    let peer = try PrivateKey.generate(.ed25519).publicKey
    let found = error { () throws(KeyError) in
      _ = try key.exchange(with: peer, by: .ecdhKeyExchangeStandard)
    }
    #expect(found == .unsuitable(.ecdhKeyExchangeStandard, .ed25519))
  }
}
