import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthCrypto

/// What the `openssl` program makes of our keys and signatures, and we of its.
@Suite(.enabled(if: OpenSSLProgram.isInstalled, "needs the openssl program"))
struct OpenSSLProgramTests {
  /// A SubjectPublicKeyInfo around a key.
  private func info(_ key: PublicKey) -> [UInt8] {
    switch key.curve {
    case .p256:
      Sample.bytes("3059301306072a8648ce3d020106082a8648ce3d030107034200") + key.bytes
    case .ed25519: Sample.bytes("302a300506032b6570032100") + key.bytes
    }
  }

  /// A key that the program made.
  private func generate(_ program: OpenSSLProgram, _ arguments: [String]) throws -> PrivateKey {
    try #require(program.run(["genpkey"] + arguments + ["-out", "key.pem"]))
    try #require(
      program.run(
        ["pkcs8", "-topk8", "-nocrypt", "-in", "key.pem", "-outform", "DER", "-out", "key.der"]
      )
    )
    let der = program.read("key.der")
    // RFC 8410: the seed of Ed25519 is the end. RFC 5915: the scalar of P-256 is behind 36 bytes, its point is the end.
    guard arguments == Self.p256 else {
      return try PrivateKey(.ed25519, serialized: Sample.secret(Array(der.suffix(32))))
    }
    return try PrivateKey(x963: Sample.secret(Array(der.suffix(65) + der[36..<68])))
  }

  private static let p256 = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]

  @Test(arguments: [
    (KeyAlgorithm.ecdsaSignatureMessageX962SHA256, p256, ["-digest", "sha256"]),
    (.ecdsaSignatureMessageX962SHA384, p256, ["-digest", "sha384"]),
    (.ecdsaSignatureMessageX962SHA512, p256, ["-digest", "sha512"]),
    (.edDSASignatureMessageCurve25519SHA512, ["-algorithm", "ed25519"], []),
  ])
  func eachVerifiesWhatTheOtherSigned(
    _ algorithm: KeyAlgorithm,
    _ generate: [String],
    _ digest: [String]
  ) throws {
    let program = OpenSSLProgram()
    let key = try self.generate(program, generate)
    let message = Array("a message".utf8)
    program.write(message, to: "message")
    program.write(try key.sign(message, by: algorithm), to: "signature")
    program.write(info(key.publicKey), to: "public.der")
    let verify = [
      "pkeyutl", "-verify", "-pubin", "-inkey", "public.der", "-keyform", "DER", "-rawin", "-in",
      "message", "-sigfile", "signature",
    ]
    let isGenuine = program.run(verify + digest)
    #expect(isGenuine)
    program.write(Array("another".utf8), to: "message")
    let isAnothers = program.run(verify + digest)
    #expect(!isAnothers)

    let sign = [
      "pkeyutl", "-sign", "-inkey", "key.pem", "-rawin", "-in", "message", "-out", "theirs",
    ]
    try #require(program.run(sign + digest))
    let isTheirs = try key.publicKey.verify(
      program.read("theirs"),
      of: Array("another".utf8),
      by: algorithm
    )
    #expect(isTheirs)
  }

  @Test func bothAgreeOnASecret() throws {
    let program = OpenSSLProgram()
    let theirs = try generate(program, Self.p256).publicKey
    let key = try PrivateKey.generate(.p256)
    program.write(info(key.publicKey), to: "peer.der")
    try #require(
      program.run(
        [
          "pkeyutl", "-derive", "-inkey", "key.pem", "-peerkey", "peer.der", "-peerform", "DER",
          "-out", "shared",
        ]
      )
    )
    let shared = try key.exchange(with: theirs, by: .ecdhKeyExchangeStandard)
    #expect(Sample.bytes(shared) == program.read("shared"))
  }
}
