import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthCrypto

@Suite struct PrivateKeyImportTests {
  // Keys that the openssl program made for this test, taken apart.
  private static let scalar = "40ad313e422dd2aee31c9974f610c8cbd48e17a30edacbeb991b15aee808aae2"
  private static let x = "8bf9b905ea62fa086778b1f33d309383a2deacb56b7599faa80284219d76e894"
  private static let y = "b7ff7b281c78c478560c805c31a387d0983d9746cc70c8308ec59aa191f90092"
  private static let curve = "06082a8648ce3d030107"
  private static let p256 = "301306072a8648ce3d0201" + curve
  private static let seed = "06571c9b448619780d862168ce0f1b91c8913b57f9dc7fbb21751d1742d085a0"
  private static let ed25519 = "300506032b6570"

  /// An element of DER with this tag around `content`, both in hexadecimal digits.
  private static func element(_ tag: String, _ content: String) -> String {
    let size = content.count / 2
    let digits = String(size, radix: 16)
    let padded = digits.count % 2 == 0 ? digits : "0" + digits
    return tag + (size < 0x80 ? padded : size < 0x100 ? "81" + padded : "82" + padded) + content
  }

  /// A PKCS #8 key of P-256.
  private static func elliptic(
    version: String = "020100",
    algorithm: String = p256,
    inner: String = "020101",
    scalar: String = scalar,
    rest: String = element("a1", element("03", "0004" + x + y)),
    after: String = ""
  ) -> String {
    let key = element("30", inner + element("04", scalar) + rest)
    return element("30", version + algorithm + element("04", key) + after)
  }

  private static func edwards(_ content: String = "0420" + seed, after: String = "") -> String {
    element("30", (after.isEmpty ? "020100" : "020101") + ed25519 + element("04", content) + after)
  }

  private func error(_ hexadecimal: String) -> KeyError? {
    do throws(KeyError) {
      _ = try PrivateKey(pkcs8: Sample.secret(Sample.bytes(hexadecimal)))
      return nil
    } catch { return error }
  }

  private func errorOfX963(_ hexadecimal: String) -> KeyError? {
    do throws(KeyError) {
      _ = try PrivateKey(x963: Sample.secret(Sample.bytes(hexadecimal)))
      return nil
    } catch { return error }
  }

  @Test func takesWhatAnotherProgramWrites() throws {
    #expect(
      Self.elliptic()
        == "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420"
        + Self.scalar + "a14403420004" + Self.x + Self.y
    )
    let key = try PrivateKey(pkcs8: Sample.secret(Sample.bytes(Self.elliptic())))
    #expect(key.curve == .p256)
    #expect(key.publicKey.bytes == Sample.bytes("04" + Self.x + Self.y))
    #expect(Sample.bytes(key.serialize()) == Sample.bytes(Self.scalar))
    let other = try PrivateKey(pkcs8: Sample.secret(Sample.bytes(Self.edwards())))
    #expect(other.curve == .ed25519)
    #expect(Sample.bytes(other.serialize()) == Sample.bytes(Self.seed))
  }

  @Test func takesEveryFormOfTheStandard() throws {
    let compressed = Self.element("a1", Self.element("03", "0002" + Self.x))
    let named = Self.element("a0", Self.curve)
    let edwards = try PrivateKey(pkcs8: Sample.secret(Sample.bytes(Self.edwards()))).publicKey
    let point = edwards.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    for key in [
      Self.elliptic(rest: ""), Self.elliptic(rest: compressed), Self.elliptic(rest: named),
      Self.elliptic(rest: named + compressed), Self.elliptic(after: "a000"),
      Self.elliptic(version: "020101", after: "8142000" + "4" + Self.x + Self.y),
      Self.edwards(after: "812100" + point.joined()),
    ] {
      #expect(error(key) == nil, "\(key)")
    }
  }

  @Test func aPublicKeyOfAnotherIsRefused() {
    let basePoint =
      "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
      + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
    for point in ["04" + basePoint, "03" + Self.x, "02" + Self.y, "00", "04" + Self.x] {
      let rest = Self.element("a1", Self.element("03", "00" + point))
      #expect(error(Self.elliptic(rest: rest)) == .publicKeyDiffers, "\(point)")
    }
    #expect(
      error(Self.edwards(after: "812100" + Self.seed)) == .publicKeyDiffers
    )
    #expect(errorOfX963("04" + basePoint + Self.scalar) == .publicKeyDiffers)
    #expect(errorOfX963("05" + Self.x + Self.y + Self.scalar) == .publicKeyDiffers)
  }

  @Test func otherKindsOfKeysAreUnsupported() {
    let rsa = "300d06092a864886f70d0101010500"
    let p384 = "301006072a8648ce3d020106052b81040022"
    let x25519 = "300506032b656e"
    for algorithm in [rsa, p384, x25519, "3000"] {
      #expect(error(Self.elliptic(algorithm: algorithm)) == .unsupported, "\(algorithm)")
    }
    let other = Self.element("a0", "06052b81040022")
    #expect(error(Self.elliptic(rest: other)) == .unsupported)
  }

  @Test func numbersOutOfRangeAreNoKeys() {
    for scalar in [String(repeating: "00", count: 32), String(repeating: "ff", count: 32)] {
      #expect(error(Self.elliptic(scalar: scalar, rest: "")) == .outOfRange)
      #expect(errorOfX963("04" + Self.x + Self.y + scalar) == .outOfRange)
    }
  }

  @Test(arguments: [
    "", "30", "3000", "3080", "0500", "308400000001", "3003020100", elliptic() + "00",
    elliptic(version: "020102"), elliptic(version: "0200"), elliptic(version: "02020000"),
    elliptic(version: ""), elliptic(inner: "020100"), elliptic(inner: ""),
    elliptic(scalar: "00" + scalar, rest: ""), elliptic(scalar: "01", rest: ""),
    elliptic(rest: "0500"), elliptic(rest: "a1020300"), elliptic(rest: "a10403020101"),
    elliptic(after: "0500"), elliptic(after: "812100" + x), edwards(seed), edwards("0421" + seed),
    edwards("0420" + seed + "00"), edwards("041f" + String(seed.dropLast(2))),
    // A length that is written longer than it need be.
    "30812e" + String(edwards().dropFirst(4)),
  ])
  func whatIsNoKeyIsMalformed(_ key: String) { #expect(error(key) == .malformed, "\(key)") }

  @Test func noPartOfAKeyIsOne() {
    for key in [Self.elliptic(), Self.edwards()] {
      for count in 0..<key.count / 2 {
        #expect(error(String(key.prefix(2 * count))) == .malformed, "\(count) bytes")
      }
    }
  }

  /// Whatever is changed, the result is an error or a key, and with a point beside it the same key.
  @Test func noChangedByteGoesUnnoticed() throws {
    var generator = SeededGenerator.ofThisRun
    let key = Sample.bytes(
      Self.elliptic(rest: Self.element("a1", Self.element("03", "0004" + Self.x + Self.y)))
    )
    for round in 0..<5_000 {
      var changed = key
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        changed[Int.random(in: 0..<key.count, using: &generator)] = .random(
          in: 0...255,
          using: &generator
        )
      }
      do throws(KeyError) {
        let found = try PrivateKey(pkcs8: Sample.secret(changed))
        let bytes = Sample.bytes(found.serialize())
        #expect(
          bytes == Sample.bytes(Self.scalar),
          "SEED=\(generator.seed) round \(round)"
        )
      } catch {}
    }
  }

  @Test func takesTheFormThatApplesKeysHave() throws {
    let bytes = Sample.bytes("04" + Self.x + Self.y + Self.scalar)
    let key = try PrivateKey(x963: Sample.secret(bytes))
    #expect(key.publicKey.bytes == Array(bytes.prefix(65)))
    #expect(Sample.bytes(key.serialize()) == Sample.bytes(Self.scalar))
    for size in [0, 1, 32, 65, 96] {
      let part = bytes.prefix(size).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      #expect(errorOfX963(part.joined()) == .malformed, "\(size) bytes")
    }
    #expect(errorOfX963("04" + Self.x + Self.y + Self.scalar + "00") == .malformed)
  }
}
