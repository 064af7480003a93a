import LocalAuthCore
import LocalAuthSecret
import Testing

@testable import authctl

/// One-time codes by time.
@Suite struct OneTimeCodeTests {
  private func secret(_ text: String) -> Secret { Secret(copying: text) }

  private func text(_ secret: borrowing Secret) -> String {
    // SAFETY: the bytes of a test's secret are copied within the call.
    unsafe secret.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }

  private func problem(_ address: String) -> OneTimeCodeError? {
    do throws(OneTimeCodeError) {
      _ = try OneTimeCode(secret(address))
      return nil
    } catch {
      return error
    }
  }

  /// Keys of RFC 6238, appendix B: "12345678901234567890", as long as each hash needs them.
  private static let keys: [CodeAlgorithm: String] = [
    .sha1: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    .sha256: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA",
    .sha512: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
      + "GEZDGNBVGY3TQOJQGEZDGNA",
  ]

  @Test(
    arguments: [
      (59, "94287082", "46119246", "90693936"), (1_111_111_109, "07081804", "68084774", "25091201"),
      (1_111_111_111, "14050471", "67062674", "99943326"),
      (1_234_567_890, "89005924", "91819424", "93441116"),
      (2_000_000_000, "69279037", "90698825", "38618901"),
      (20_000_000_000, "65353130", "77737706", "47863826"),
    ] as [(Int64, String, String, String)]
  )
  func codesAreThoseOfTheRFC(
    _ time: Int64,
    _ sha1: String,
    _ sha256: String,
    _ sha512: String
  ) throws {
    for (algorithm, expected) in [
      (CodeAlgorithm.sha1, sha1), (.sha256, sha256), (.sha512, sha512),
    ] {
      let key = try #require(Self.keys[algorithm])
      let address = "otpauth://totp/ACME:me?secret=\(key)&algorithm=\(algorithm.rawValue)&digits=8"
      #expect(text(try OneTimeCode(secret(address)).code(at: time)) == expected, "\(algorithm)")
    }
  }

  /// Keys longer than a block are hashed first: RFC 2202 and RFC 4231, test case 6.
  @Test(
    arguments: [
      (.sha1, 80, "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
      (.sha256, 131, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
      (
        .sha512, 131,
        "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
          + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
      ),
    ] as [(CodeAlgorithm, Int, String)]
  )
  func longKeyIsHashedFirst(_ algorithm: CodeAlgorithm, _ length: Int, _ expected: String) throws {
    let message = "Test Using Larger Than Block-Size Key - Hash Key First"
    var key = Secret(capacity: length)
    for _ in 0..<length { _ = key.append(0xAA) }
    guard let code = algorithm.authenticationCode(of: Array(message.utf8), key: key) else {
      Issue.record("there is no code")
      return
    }
    // SAFETY: the bytes are only read within the call.
    let bytes = unsafe code.withUnsafeBytes { unsafe Array($0) }
    #expect(String(hexadecimal: bytes) == expected)
  }

  @Test(arguments: [(6, "081804"), (7, "7081804"), (8, "07081804")])
  func shorterCodesAreTheEndOfLongerOnes(_ digits: Int, _ expected: String) throws {
    let key = try #require(Self.keys[.sha1])
    let maker = try OneTimeCode(secret("otpauth://totp/x?secret=\(key)&digits=\(digits)"))
    #expect(text(try maker.code(at: 1_111_111_109)) == expected)
  }

  @Test func periodSaysForHowLongACodeHolds() throws {
    let maker = try OneTimeCode(secret("otpauth://totp/x?period=60&secret=GEZDGNBVGY3TQOJQ"))
    #expect(maker.period == 60)
    #expect(maker.secondsLeft(at: 0) == 60 && maker.secondsLeft(at: 59) == 1)
    #expect(text(try maker.code(at: 60)) == text(try maker.code(at: 119)))
    #expect(text(try maker.code(at: 59)) != text(try maker.code(at: 60)))
  }

  /// Spellings that sites and programs use.
  @Test(arguments: [
    "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "gezd gnbv gy3t qojq gezd gnbv gy3t qojq",
    "GEZD-GNBV-GY3T-QOJQ-GEZD-GNBV-GY3T-QOJQ",
    "otpauth://totp/A%20B:me@example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=A%20B",
    "OTPAUTH://TOTP/x?issuer=A&SECRET=gezdgnbvgy3tqojqgezdgnbvgy3tqojq&algorithm=sha1&image=u",
    "otpauth://totp/?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA-1&digits=6&period=30",
    "otpauth://totp/x?secret=%47EZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&&x",
  ]) func spellingsAreOneKey(_ address: String) throws {
    #expect(text(try OneTimeCode(secret(address)).code(at: 59)) == "287082")
  }

  @Test func paddingMayBeThereOrNot() throws {
    for spelling in ["MZXW6YQ=", "MZXW6YQ", "otpauth://totp/x?secret=MZXW6YQ%3D"] {
      #expect(text(try OneTimeCode(secret(spelling)).key) == "foob", "\(spelling)")
    }
  }

  @Test(
    arguments: [
      ("", .notAKey), ("hunter2!", .notAKey), ("GEZDGNBVGY3TQOJ1", .notAKey), ("G", .notAKey),
      ("GEZ", .notAKey), ("GE=Z", .notAKey), ("MZXW6YQ==", .notAKey), ("=", .notAKey),
      ("otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQ&counter=1", .counted),
      ("otpauth://steam/x?secret=GEZDGNBVGY3TQOJQ", .otherKind), ("otpauth://", .otherKind),
      ("otpauth://totp/x", .noKey), ("otpauth://totp/x?", .noKey),
      ("otpauth://totp/x?secret=", .noKey), ("otpauth://totp/x?issuer=A", .noKey),
      ("otpauth://totp/x?secret=a&secret=b", .repeated), ("otpauth://totp/x?secret=%4", .notAKey),
      ("otpauth://totp/x?secret=%ZZ", .notAKey), ("otpauth://totp/x?secret=1", .notAKey),
      ("otpauth://totp/x?secret=GEZDGNBV&digits=5", .digits),
      ("otpauth://totp/x?secret=GEZDGNBV&digits=9", .digits),
      ("otpauth://totp/x?secret=GEZDGNBV&digits=six", .digits),
      ("otpauth://totp/x?secret=GEZDGNBV&period=0", .period),
      ("otpauth://totp/x?secret=GEZDGNBV&period=3601", .period),
      ("otpauth://totp/x?secret=GEZDGNBV&period=-30", .period),
      ("otpauth://totp/x?secret=GEZDGNBV&algorithm=MD5", .algorithm),
      ("https://example.org/?secret=GEZDGNBV", .notAKey),
    ] as [(String, OneTimeCodeError)]
  )
  func whatMakesNoCodesIsRefused(_ address: String, _ error: OneTimeCodeError) {
    #expect(problem(address) == error)
  }

  @Test func longestIsReadAndNothingBeyond() {
    let key = String(repeating: "A", count: 4096)
    #expect(problem(key) == nil)
    #expect(problem(key + "A") == .tooLong)
  }

  @Test func errorsAreSentencesWithoutTheKey() {
    for error in OneTimeCodeError.allCases {
      #expect(error.sentence.hasSuffix(".") && !error.sentence.contains("\n"))
    }
  }
}
