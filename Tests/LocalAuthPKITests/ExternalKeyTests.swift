import LocalAuthPKI
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@Suite struct ExternalKeyTests {
  @Test(arguments: NISTCurve.allCases)
  func keyOfACurveIsItsPointAndItsNumber(_ curve: NISTCurve) throws {
    let key = try ExternalPrivateKey.generate(.ellipticCurve, bits: curve.bits)
    let size = (curve.bits + 7) / 8
    #expect(key.publicKey.bits == curve.bits)
    #expect(key.publicKey.blockSize == size)
    #expect(key.publicKey.type == .ellipticCurve)
    #expect(key.publicKey.representation.count == 1 + 2 * size)
    #expect(key.copyRepresentation().count == 1 + 3 * size)
    #expect(bytes(key.copyRepresentation()).starts(with: key.publicKey.representation))
  }

  @Test func keyOfRSAIsThatOfPKCS1() throws {
    let key = Keys.rsa.publicKey
    #expect(key.bits == 2048)
    #expect(key.blockSize == 256)
    // SEQUENCE { INTEGER of 257 bytes with a zero before it, 65537 }
    #expect(key.representation.starts(with: hex("3082010A 0282010100")))
    #expect(Array(key.representation.suffix(5)) == hex("0203010001"))
    #expect(bytes(Keys.rsa.copyRepresentation()).starts(with: hex("308204")))
  }

  @Test(arguments: 0..<4)
  func keyReadAgainIsTheSame(_ index: Int) throws {
    let key = Keys.all[index]
    let again = try ExternalPrivateKey(key.publicKey.type, representation: key.copyRepresentation())
    #expect(again.publicKey == key.publicKey)
    #expect(bytes(again.copyRepresentation()) == bytes(key.copyRepresentation()))
    let half = try ExternalPublicKey(
      key.publicKey.type,
      representation: key.publicKey.representation
    )
    #expect(half == key.publicKey)
    #expect(try half.label == HashFunction.sha1.digest(of: half.representation))
  }

  @Test(arguments: 0..<4)
  func whatIsCutOffOrFollowedByMoreIsNoKey(_ index: Int) throws {
    let key = Keys.all[index]
    let type = key.publicKey.type
    let whole = bytes(key.copyRepresentation())
    let half = key.publicKey.representation
    for count in [0, 1, 2, 10, half.count - 1] {
      #expect(throws: PKIError.malformed) {
        try ExternalPublicKey(type, representation: Array(half.prefix(count)))
      }
      #expect(throws: PKIError.malformed) {
        try ExternalPrivateKey(type, representation: secret(Array(whole.prefix(count))))
      }
    }
    #expect(throws: PKIError.malformed) { try ExternalPublicKey(type, representation: half + [0]) }
    #expect(throws: PKIError.malformed) {
      try ExternalPrivateKey(type, representation: secret(whole + [0]))
    }
  }

  @Test(arguments: NISTCurve.allCases)
  func halvesOfTwoKeysAreNoKey(_ curve: NISTCurve) throws {
    let one = try ExternalPrivateKey.generate(.ellipticCurve, bits: curve.bits)
    let two = try ExternalPrivateKey.generate(.ellipticCurve, bits: curve.bits)
    let number = bytes(two.copyRepresentation()).dropFirst(two.publicKey.representation.count)
    #expect(throws: PKIError.malformed) {
      try ExternalPrivateKey(
        .ellipticCurve,
        representation: secret(one.publicKey.representation + number)
      )
    }
  }

  @Test(arguments: NISTCurve.allCases)
  func whatIsNotOnTheCurveIsNoKey(_ curve: NISTCurve) throws {
    var point = try ExternalPrivateKey.generate(.ellipticCurve, bits: curve.bits)
      .publicKey.representation
    point[point.count - 1] ^= 1
    #expect(throws: PKIError.malformed) {
      try ExternalPublicKey(.ellipticCurve, representation: point)
    }
    point[point.count - 1] ^= 1
    point[0] = 6
    #expect(throws: PKIError.malformed) {
      try ExternalPublicKey(.ellipticCurve, representation: point)
    }
  }

  @Test func numberZeroAndTheOrderOfTheCurveAreNoKeys() throws {
    let key = Keys.curves[0]
    let order = hex("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551")
    for number in [[UInt8](repeating: 0, count: 32), order] {
      #expect(throws: PKIError.malformed) {
        try ExternalPrivateKey(
          .ellipticCurve,
          representation: secret(key.publicKey.representation + number)
        )
      }
    }
  }

  @Test func sizesThatThereAreNoneOfAreRefused() {
    for bits in [0, -1, 192, 224, 255, 257, 512, 4096] {
      #expect(throws: PKIError.unsupported) {
        try ExternalPrivateKey.generate(.ellipticCurve, bits: bits)
      }
    }
    for bits in [Int.min, -1, 0, 256, 511, 8193, Int.max] {
      #expect(throws: PKIError.unsupported) { try ExternalPrivateKey.generate(.rsa, bits: bits) }
    }
  }

  @Test func damagedKeysOfRSAAreRefusedOrOthersAndNeverTrap() throws {
    var random = SeededGenerator.ofThisRun
    let seed = random.seed
    let whole = bytes(Keys.rsa.copyRepresentation())
    for _ in 0..<500 {
      var damaged = whole
      damaged[Int.random(in: 0..<whole.count, using: &random)] ^=
        1
        << UInt8.random(
          in: 0..<8,
          using: &random
        )
      guard let key = try? ExternalPrivateKey(.rsa, representation: secret(damaged)) else {
        continue
      }
      // A signature of a damaged key is wrong, and the library finds that out or a verifier does.
      let digest = [UInt8](repeating: 7, count: 32)
      if let signature = try? key.sign(digest, by: .rsaPKCS1v15(.sha256)) {
        let isGenuine = try Keys.rsa.publicKey.verify(
          signature,
          of: digest,
          by: .rsaPKCS1v15(.sha256)
        )
        #expect(isGenuine || key.publicKey != Keys.rsa.publicKey, "SEED=\(seed)")
      }
    }
  }

  @Test func publicKeyOfRSAIsTakenInASubjectPublicKeyInfoToo() throws {
    let inner = Keys.rsa.publicKey.representation
    let info =
      hex("30820122 300D06092A864886F70D0101010500 0382010F00") + inner
    #expect(try ExternalPublicKey(.rsa, representation: info) == Keys.rsa.publicKey)
    #expect(try ExternalPublicKey(subjectPublicKeyInfo: info) == Keys.rsa.publicKey)
    #expect(throws: PKIError.malformed) { try ExternalPublicKey(subjectPublicKeyInfo: inner) }
    #expect(throws: PKIError.malformed) {
      try ExternalPublicKey(subjectPublicKeyInfo: info + [0])
    }
  }
}
