import CommonCrypto
import Testing

@Suite struct KeyDerivationTests {
  private func derive(
    _ prf: Int,
    _ password: [UInt8],
    _ salt: [UInt8],
    rounds: UInt32,
    _ count: Int
  ) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: count)
    let status = CCKeyDerivationPBKDF(
      CCPBKDFAlgorithm(kCCPBKDF2),
      password,
      password.count,
      salt,
      salt.count,
      CCPseudoRandomAlgorithm(prf),
      rounds,
      &key,
      count
    )
    #expect(status == kCCSuccess)
    return key
  }

  /// RFC 6070, and RFC 7914, section 11.
  @Test(arguments: [
    (kCCPRFHmacAlgSHA1, "password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
    (kCCPRFHmacAlgSHA1, "password", "salt", 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
    (kCCPRFHmacAlgSHA1, "password", "salt", 4_096, "4b007901b765489abead49d926f721d065a429c1"),
    (
      kCCPRFHmacAlgSHA1, "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4_096,
      "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"
    ),
    (kCCPRFHmacAlgSHA1, "pass\0word", "sa\0lt", 4_096, "56fa6aa75548099dcc37d7f03425e0c3"),
    (
      kCCPRFHmacAlgSHA256, "passwd", "salt", 1,
      "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
        + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
    ),
    (
      kCCPRFHmacAlgSHA256, "Password", "NaCl", 80_000,
      "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
        + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"
    ),
  ])
  func matchesThePublishedAnswers(_ example: (Int, String, String, Int, String)) {
    let (prf, password, salt, rounds, answer) = example
    let key = derive(
      prf,
      Array(password.utf8),
      Array(salt.utf8),
      rounds: UInt32(rounds),
      answer.count / 2
    )
    #expect(hex(key) == answer)
  }

  /// The first block is U1 xor U2 xor U3 (RFC 8018, section 5.2).
  @Test(arguments: [
    (kCCPRFHmacAlgSHA1, kCCHmacAlgSHA1, 20), (kCCPRFHmacAlgSHA224, kCCHmacAlgSHA224, 28),
    (kCCPRFHmacAlgSHA256, kCCHmacAlgSHA256, 32), (kCCPRFHmacAlgSHA384, kCCHmacAlgSHA384, 48),
    (kCCPRFHmacAlgSHA512, kCCHmacAlgSHA512, 64),
  ])
  func everyFunctionIsItsHMAC(_ example: (Int, Int, Int)) {
    let (prf, algorithm, length) = example
    let password = Array("secret".utf8)
    let salt = Array("salt".utf8)
    func code(_ data: [UInt8]) -> [UInt8] {
      var mac = [UInt8](repeating: 0, count: length)
      CCHmac(CCHmacAlgorithm(algorithm), password, password.count, data, data.count, &mac)
      return mac
    }
    let first = code(salt + [0, 0, 0, 1])
    let second = code(first)
    let third = code(second)
    let block = first.indices.map { first[$0] ^ second[$0] ^ third[$0] }
    let key = derive(prf, password, salt, rounds: 3, length + 1)
    #expect(Array(key.prefix(length)) == block)
  }

  @Test func anEmptyPasswordOrSaltIsTaken() {
    var key = [UInt8](repeating: 0, count: 32)
    #expect(CCKeyDerivationPBKDF(2, "", 0, nil, 0, 3, 1, &key, 32) == kCCSuccess)
    #expect(key == derive(kCCPRFHmacAlgSHA256, [], [], rounds: 1, 32))
    #expect(derive(kCCPRFHmacAlgSHA256, [], [], rounds: 1, 1) == Array(key.prefix(1)))
  }

  @Test func refusesWhatMakesNoSense() {
    var key = [UInt8](repeating: 0xee, count: 32)
    let salt: [UInt8] = [1, 2, 3]
    for algorithm: CCPBKDFAlgorithm in [0, 1, 3, .max] {
      #expect(CCKeyDerivationPBKDF(algorithm, "p", 1, salt, 3, 3, 1, &key, 32) == kCCParamError)
    }
    for prf: CCPseudoRandomAlgorithm in [0, 6, .max] {
      #expect(CCKeyDerivationPBKDF(2, "p", 1, salt, 3, prf, 1, &key, 32) == kCCParamError)
    }
    #expect(CCKeyDerivationPBKDF(2, nil, 0, salt, 3, 3, 1, &key, 32) == kCCParamError)
    #expect(CCKeyDerivationPBKDF(2, nil, 1, salt, 3, 3, 1, &key, 32) == kCCParamError)
    #expect(CCKeyDerivationPBKDF(2, "p", 1, nil, 3, 3, 1, &key, 32) == kCCParamError)
    #expect(CCKeyDerivationPBKDF(2, "p", 1, salt, 3, 3, 0, &key, 32) == kCCParamError)
    #expect(CCKeyDerivationPBKDF(2, "p", 1, salt, 3, 3, 1, &key, 0) == kCCParamError)
    #expect(CCKeyDerivationPBKDF(2, "p", 1, salt, 3, 3, 1, nil, 32) == kCCParamError)
    for size in [-1, Int.min] {
      #expect(CCKeyDerivationPBKDF(2, "p", 1, salt, 3, 3, 1, &key, size) == kCCParamError)
      #expect(CCKeyDerivationPBKDF(2, "p", size, salt, 3, 3, 1, &key, 32) == kCCParamError)
      #expect(CCKeyDerivationPBKDF(2, "p", 1, salt, size, 3, 1, &key, 32) == kCCParamError)
    }
    #expect(key.allSatisfy { $0 == 0xee })
  }

  @Test func calibrationNeverAdvisesFewRounds() {
    #expect(CCCalibratePBKDF(2, 8, 8, 3, 32, 0) == 10_000)
    let short = CCCalibratePBKDF(2, 8, 8, 3, 32, 100)
    #expect(short >= 10_000 && short < .max)
    // A hundred times the time is more rounds, whatever else the machine does.
    #expect(CCCalibratePBKDF(2, 0, 0, 3, 32, 10_000) > short)
    #expect(CCCalibratePBKDF(2, 8, 8, 5, .max, .max) >= 10_000)
    #expect(CCCalibratePBKDF(2, 8, 8, 1, 1, .max) <= UInt32(Int32.max))
  }

  @Test func calibrationRefusesWhatMakesNoSense() {
    #expect(CCCalibratePBKDF(1, 8, 8, 3, 32, 100) == .max)
    #expect(CCCalibratePBKDF(2, 8, 8, 0, 32, 100) == .max)
    #expect(CCCalibratePBKDF(2, 8, 8, 6, 32, 100) == .max)
    #expect(CCCalibratePBKDF(2, 8, 8, 3, 0, 100) == .max)
    #expect(CCCalibratePBKDF(2, 8, 133, 3, 32, 100) == .max)
    #expect(CCCalibratePBKDF(2, 8, 132, 3, 32, 0) == 10_000)
  }
}

@Suite struct RandomTests {
  @Test func fillsTheBufferAndNothingElse() {
    var seen: Set<[UInt8]> = []
    for _ in 0..<100 {
      var bytes = [UInt8](repeating: 0xee, count: 40)
      #expect(CCRandomGenerateBytes(&bytes, 32) == kCCSuccess)
      #expect(bytes.suffix(8).allSatisfy { $0 == 0xee })
      #expect(seen.insert(Array(bytes.prefix(32))).inserted)
    }
  }

  @Test func refusesOnlyAPointerToNothing() {
    #expect(CCRandomGenerateBytes(nil, 1) == kCCParamError)
    #expect(CCRandomGenerateBytes(nil, .max) == kCCParamError)
    #expect(CCRandomGenerateBytes(nil, 0) == kCCSuccess)
  }
}
