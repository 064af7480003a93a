import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthCrypto

@Suite struct PrivateKeyImportTests {
  // A key that the openssl program made for this test, taken apart.
  private static let scalar = "40ad313e422dd2aee31c9974f610c8cbd48e17a30edacbeb991b15aee808aae2"
  private static let x = "8bf9b905ea62fa086778b1f33d309383a2deacb56b7599faa80284219d76e894"
  private static let y = "b7ff7b281c78c478560c805c31a387d0983d9746cc70c8308ec59aa191f90092"

  private func error(_ hexadecimal: String) -> KeyError? {
    do throws(KeyError) {
      _ = try PrivateKey(x963: Sample.secret(Sample.bytes(hexadecimal)))
      return nil
    } catch { return error }
  }

  @Test func takesTheFormThatApplesKeysHave() throws {
    let bytes = Sample.bytes("04" + Self.x + Self.y + Self.scalar)
    let key = try PrivateKey(x963: Sample.secret(bytes))
    #expect(key.curve == .p256)
    #expect(key.publicKey.bytes == Array(bytes.prefix(65)))
    #expect(Sample.bytes(key.serialize()) == Sample.bytes(Self.scalar))
    for size in [0, 1, 32, 65, 96] {
      let part = bytes.prefix(size).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      #expect(error(part.joined()) == .malformed, "\(size) bytes")
    }
    #expect(error("04" + Self.x + Self.y + Self.scalar + "00") == .malformed)
  }

  @Test func aPublicKeyOfAnotherIsRefused() {
    let basePoint =
      "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
      + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
    #expect(error("04" + basePoint + Self.scalar) == .publicKeyDiffers)
    #expect(error("05" + Self.x + Self.y + Self.scalar) == .publicKeyDiffers)
  }

  @Test func numbersOutOfRangeAreNoKeys() {
    for scalar in [String(repeating: "00", count: 32), String(repeating: "ff", count: 32)] {
      #expect(error("04" + Self.x + Self.y + scalar) == .outOfRange)
    }
  }
}
