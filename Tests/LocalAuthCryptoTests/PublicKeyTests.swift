import LocalAuthKeychain
import Testing

@testable import LocalAuthCrypto

@Suite struct PublicKeyTests {
  private static let x = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
  private static let y = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
  private static let prime = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"

  private func error(_ curve: KeyCurve, _ hexadecimal: String) -> KeyError? {
    do throws(KeyError) {
      _ = try PublicKey(curve, Sample.bytes(hexadecimal))
      return nil
    } catch { return error }
  }

  @Test func takesAPointOfTheCurve() {
    #expect(error(.p256, "04" + Self.x + Self.y) == nil)
  }

  @Test(arguments: [
    "", "00", "04", "02" + x, "03" + x, "04" + x, "04" + x + y + "00", "05" + x + y, "00" + x + y,
    "02" + x + y, "06" + x + y, "07" + x + y, x + y,
  ])
  func whatIsNoUncompressedPointIsMalformed(_ bytes: String) {
    #expect(error(.p256, bytes) == .malformed)
  }

  @Test(arguments: [
    "04" + y + x, "04" + String(repeating: "00", count: 64),
    "04" + String(repeating: "ff", count: 64),
    // The point at infinity has no coordinates; zero is none of its.
    "04" + x + String(repeating: "00", count: 32),
    // The base point's, with the prime added: the same numbers in another spelling.
    "04" + prime + y, "04" + x + prime,
    // A point of another curve, y^2 = x^3 - 3x + c.
    "04" + x + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f4",
  ])
  func whatIsNotOnTheCurveIsInvalid(_ bytes: String) {
    #expect(error(.p256, bytes) == .invalidPublicKey)
  }

  @Test func noChangedBitIsOnTheCurve() throws {
    let key = try PrivateKey.generate(.p256).publicKey.bytes
    for bit in 8..<key.count * 8 {
      var changed = key
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: KeyError.invalidPublicKey) { _ = try PublicKey(.p256, changed) }
    }
  }

  @Test(arguments: [
    "", "00", String(repeating: "01", count: 31), String(repeating: "01", count: 33),
  ])
  func otherSizesAreMalformed(_ bytes: String) { #expect(error(.ed25519, bytes) == .malformed) }

  @Test(arguments: [
    // Points of a small order: the neutral element, and those of order 2, 4 and 8.
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    // Not canonical, and no point at all.
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0200000000000000000000000000000000000000000000000000000000000000",
  ])
  func whatKeepsNoSecretIsInvalid(_ bytes: String) {
    #expect(error(.ed25519, bytes) == .invalidPublicKey)
  }

  /// Computed by Python's hashlib.
  @Test func theLabelIsTheHashOfTheKey() throws {
    let key = try PublicKey(.p256, Sample.bytes("04" + Self.x + Self.y))
    #expect(key.applicationLabel == Sample.bytes("b467a3999eb5efa671de0032f08a9c9e5efda0e1"))
    let other = try PublicKey(
      .ed25519,
      Sample.bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    )
    #expect(other.applicationLabel == Sample.bytes("5b27aa5589179770e47575b162a1ded97b8bfc6d"))
  }

  @Test func everyErrorIsOneLine() {
    let errors: [KeyError] = [
      .malformed, .outOfRange, .publicKeyDiffers, .invalidPublicKey,
      .unsuitable(.ecdhKeyExchangeStandard, .ed25519), .digestSize(expected: 32), .derivedSize,
      .failed,
    ]
    for error in errors {
      #expect(!error.description.isEmpty && !error.description.contains("\n"), "\(error)")
    }
  }
}
