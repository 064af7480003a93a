import LocalAuthTestKit
import SecureEnclave
import Testing

@Suite struct PublicKeyTests {
  private typealias PublicKey = SecureEnclave.P256.Signing.PublicKey

  /// The generator of P-256 (SEC 2, 2.4.2), whose Y is the lesser one.
  private static let x = "6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296"
  private static let y = "4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5"
  /// The Y of its negative.
  private static let otherY = "B01CBD1C01E58065711814B583F061E9D431CCA994CEA1313449BF97C840AE0A"

  private func data(_ hexadecimal: String) -> Data {
    let digits = Array(hexadecimal)
    return Data(
      stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
      }
    )
  }

  @Test func generatorHasTheFormsThatStandardsSay() throws {
    let key = try PublicKey(x963Representation: data("04" + Self.x + Self.y))
    #expect(key.rawRepresentation == data(Self.x + Self.y))
    #expect(key.compressedRepresentation == data("03" + Self.x))
    #expect(key.compactRepresentation == data(Self.x))
    let head = "3059301306072A8648CE3D020106082A8648CE3D030107034200"
    #expect(key.derRepresentation == data(head + "04" + Self.x + Self.y))
    let lines = key.pemRepresentation.split(separator: "\n")
    #expect(lines.first == "-----BEGIN PUBLIC KEY-----")
    #expect(lines.last == "-----END PUBLIC KEY-----")
    #expect(Data(base64Encoded: lines.dropFirst().dropLast().joined()) == key.derRepresentation)
    #expect(lines.allSatisfy { $0.utf8.count <= 64 })
  }

  @Test func negativeOfTheGeneratorHasNoCompactForm() throws {
    let key = try PublicKey(rawRepresentation: data(Self.x + Self.otherY))
    #expect(key.compressedRepresentation == data("02" + Self.x))
    #expect(key.compactRepresentation == nil)
  }

  @Test func everyFormMakesTheSameKey() throws {
    let key = try PublicKey(x963Representation: data("04" + Self.x + Self.y))
    #expect(try PublicKey(rawRepresentation: key.rawRepresentation) == key)
    #expect(try PublicKey(derRepresentation: key.derRepresentation) == key)
    #expect(try PublicKey(rawRepresentation: data(Self.x + Self.otherY)) != key)
  }

  @Test func whatIsNoPointIsRefused() throws {
    let point = data("04" + Self.x + Self.y)
    var elsewhere = point
    elsewhere[64] ^= 1
    for bytes in [Data(), point.dropLast(), point + [0], elsewhere, Data(count: 65)] {
      #expect(status { try PublicKey(x963Representation: bytes) } == errSecParam)
      #expect(status { try PublicKey(rawRepresentation: bytes.dropFirst()) } == errSecParam)
      #expect(status { try PublicKey(derRepresentation: bytes) } == errSecParam)
    }
  }

  @Test func keyOfAnotherCurveIsRefused() throws {
    let parameters: [CFString: Any] = [
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 384,
    ]
    let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
    let half = try #require(SecKeyCopyPublicKey(key))
    let point = try #require(SecKeyCopyExternalRepresentation(half, nil)) as Data
    #expect(status { try PublicKey(x963Representation: point) } == errSecParam)
    let head = data("3076301006072A8648CE3D020106052B81040022036200")
    #expect(status { try PublicKey(derRepresentation: head + point) } == errSecParam)
  }

  @Test func keysOfTheKeychainHaveACompactForm() throws {
    let device = try TestDevice()
    try device.use {
      for _ in 0..<16 {
        let key: PublicKey = try SecureEnclave.P256.Signing.PrivateKey().publicKey
        #expect(key.compactRepresentation == key.x963Representation.dropFirst().prefix(32))
      }
    }
  }
}
