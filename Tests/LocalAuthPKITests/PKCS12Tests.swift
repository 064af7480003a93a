import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthPKI

@Suite(.enabled(if: OpenSSLProgram.isInstalled, "needs the openssl program"))
struct PKCS12Tests {
  private let program = OpenSSLProgram()

  private func open(_ file: [UInt8], _ passphrase: String) throws(PKIError) -> PKCS12 {
    try PKCS12(file, passphrase: secret(Array(passphrase.utf8)))
  }

  /// What comes of opening a file: the error, nil for none.
  private func failure(_ file: [UInt8], _ passphrase: String) -> PKIError? {
    do throws(PKIError) {
      _ = try open(file, passphrase)
      return nil
    } catch {
      return error
    }
  }

  private static let old = [
    "-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-RC2-40", "-macalg", "sha1",
  ]

  @Test(arguments: [
    [], ["-legacy"], old + ["-legacy"], ["-legacy", "-certpbe", "PBE-SHA1-RC4-128"],
    ["-keypbe", "AES-128-CBC", "-certpbe", "AES-192-CBC"], ["-macalg", "sha512"],
    ["-certpbe", "NONE"], ["-iter", "1"], ["-iter", "100000"],
  ])
  func everyProgramsEncryptionIsRead(_ options: [String]) throws {
    for kind in [OpenSSLProgram.rsa, OpenSSLProgram.p256] {
      let der = try program.certify("a", kind, subject: "/CN=Ann")
      let file = try program.bundle("a", passphrase: "hunter2", options + ["-name", "Ann's"])
      let opened = try open(file, "hunter2")
      let identity = try #require(opened.identities.first)
      #expect(opened.identities.count == 1)
      #expect(opened.otherCertificates.isEmpty)
      #expect(identity.certificate == (try Certificate(der)))
      #expect(identity.label == "Ann's")
      #expect(identity.issuers.isEmpty)
      #expect(identity.privateKey.publicKey.label == identity.certificate.publicKeyHash)
      try program.check([
        "pkcs8", "-topk8", "-nocrypt", "-in", "a.key", "-outform", "DER", "-out", "a.p8",
      ])
      let key = try ExternalPrivateKey(pkcs8: secret(program.read("a.p8")))
      #expect(bytes(identity.privateKey.copyRepresentation()) == bytes(key.copyRepresentation()))
      #expect(failure(file, "hunter3") == .wrongPassphrase)
      #expect(failure(file, "") == .wrongPassphrase)
    }
  }

  @Test(arguments: [
    "", "x", "gr\u{fc}n", "\u{1f511}\u{1f511}", String(repeating: "long", count: 100),
  ])
  func everyPassphraseOpensItsFile(_ passphrase: String) throws {
    _ = try program.certify("a", subject: "/CN=Ann")
    let file = try program.bundle("a", passphrase: passphrase)
    #expect(try open(file, passphrase).identities.count == 1)
    #expect(failure(file, passphrase + "x") == .wrongPassphrase)
  }

  @Test func certificatesUpToTheRootComeInTheirOrder() throws {
    let root = try Certificate(program.certify("root", subject: "/CN=Root"))
    let middle = try Certificate(program.certify("middle", subject: "/CN=Middle", issuer: "root"))
    let leaf = try Certificate(program.certify("leaf", subject: "/CN=Leaf", issuer: "middle"))
    let other = try Certificate(program.certify("other", subject: "/CN=Other"))
    program.write(["other", "root", "middle"].flatMap { program.read("\($0).pem") }, to: "more")
    let opened = try open(program.bundle("leaf", passphrase: "x", ["-certfile", "more"]), "x")
    let identity = try #require(opened.identities.first)
    #expect(identity.certificate == leaf)
    #expect(identity.issuers == [middle, root])
    #expect(opened.otherCertificates == [other])
  }

  @Test func certificatesAloneAreNoIdentityAndAKeyAloneNeither() throws {
    let der = try program.certify("a", subject: "/CN=Ann")
    let file = try program.bundle("a", passphrase: "x", ["-nokeys"])
    let opened = try open(file, "x")
    #expect(opened.identities.isEmpty)
    #expect(opened.otherCertificates == [try Certificate(der)])
    try program.check(
      ["pkcs12", "-export", "-nocerts", "-inkey", "a.key", "-passout", "pass:x", "-out", "k.p12"]
    )
    let key = try open(program.read("k.p12"), "x")
    #expect(key.identities.isEmpty)
    #expect(key.otherCertificates.isEmpty)
  }

  @Test func keysThatAreNotUsedHereAreUnsupported() throws {
    for kind in [["ed25519"], ["ec", "-pkeyopt", "ec_paramgen_curve:secp256k1"]] {
      _ = try program.certify("a", kind, subject: "/CN=Ann")
      #expect(failure(try program.bundle("a", passphrase: "x"), "x") == .unsupported)
    }
  }

  // MARK: Bad input

  @Test func whatIsCutOffOrNotProtectedIsMalformed() throws {
    _ = try program.certify("a", subject: "/CN=Ann")
    let file = try program.bundle("a", passphrase: "x", ["-iter", "1"])
    for count in 0..<file.count {
      #expect(failure(Array(file.prefix(count)), "x") == .malformed)
    }
    #expect(failure(file + [0], "x") == .malformed)
    #expect(failure(file + [UInt8](repeating: 0, count: PKCS12.maximumSize), "x") == .malformed)
    #expect(failure(program.read("a.pem"), "x") == .malformed)
    #expect(failure(program.read("a.der"), "x") == .malformed)
    #expect(failure(try program.bundle("a", passphrase: "x", ["-nomac"]), "x") == .malformed)
  }

  @Test func fileThatCostsTooMuchIsRefusedBeforeItIsPaidFor() throws {
    _ = try program.certify("a", subject: "/CN=Ann")
    let file = try program.bundle("a", passphrase: "x", ["-iter", "70000"])
    // INTEGER 70000: for the certificates, the key, and the code over both.
    let places = file.indices.filter { file[$0...].starts(with: [2, 3, 1, 0x11, 0x70]) }
    #expect(places.count == 3)
    for rounds: [UInt8] in [[0x4c, 0x4b, 0x41], [0x7f, 0xff, 0xff], [0x80, 0, 0]] {
      var dear = file
      dear.replaceSubrange(places[2] + 2..<places[2] + 5, with: rounds)
      #expect(failure(dear, "x") == .unsupported)
    }
    for part in try ["-keypbe", "-certpbe"].map({ try Parts(expensive($0)) }) {
      #expect(failure(part.sealed(with: "x"), "x") == .unsupported)
    }
  }

  /// Its rounds are not those that are counted, and some versions of OpenSSL believe the size of its key.
  @Test func codeThatIsAPBMAC1IsRefused() throws {
    _ = try program.certify("a", subject: "/CN=Ann")
    var file = try program.bundle("a", passphrase: "x", ["-macalg", "sha256"])
    #expect(failure(file, "x") == nil)
    let sha256: [UInt8] = [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]
    let pbmac1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 14]
    let place = try #require(file.indices.last { file[$0...].starts(with: sha256) })
    file.replaceSubrange(place..<place + 9, with: pbmac1)
    #expect(failure(file, "x") == .unsupported)
  }

  @Test func fileThatHoldsTooMuchIsRefused() throws {
    _ = try program.certify("a", subject: "/CN=Ann")
    for (count, error) in [(98, nil), (99, .unsupported)] as [(Int, PKIError?)] {
      program.write(
        [[UInt8]](repeating: program.read("a.pem"), count: count).flatMap { $0 },
        to: "m"
      )
      let file = try program.bundle("a", passphrase: "x", ["-certfile", "m"])
      #expect(failure(file, "x") == error)
    }
  }

  /// A file whose keys or certificates take some ten million rounds.
  private func expensive(_ part: String) throws -> [UInt8] {
    let file = try program.bundle(
      "a",
      passphrase: "x",
      ["-legacy", "-iter", "70000", "-nomaciter", "-macalg", "sha1"]
        + [part == "-keypbe" ? "-certpbe" : "-keypbe", "NONE"]
    )
    let place = try #require(
      file.indices.first { file[$0...].starts(with: [2, 3, 1, 0x11, 0x70]) }
    )
    var dear = file
    dear.replaceSubrange(place + 2..<place + 5, with: [0x7f, 0xff, 0xff])
    return dear
  }

  @Test func noMutationTraps() throws {
    var generator = SeededGenerator.ofThisRun
    let files = try [OpenSSLProgram.p256, OpenSSLProgram.rsa].map { kind in
      _ = try program.certify("a", kind, subject: "/CN=Ann")
      return try program.bundle("a", passphrase: "x", ["-iter", "1", "-macalg", "sha1"])
    }
    for round in 0..<3_000 {
      let file = mutated(files[round % 2], &generator)
      let error = failure(file, "x")
      let isRefused = [.malformed, .wrongPassphrase, .unsupported, nil].contains(error)
      #expect(isRefused, "SEED=\(generator.seed)")
    }
  }

  /// As somebody makes them who knows the passphrase: what is behind the check is reached.
  @Test func noMutationTrapsThatHasTheRightCode() throws {
    var generator = SeededGenerator.ofThisRun
    let options = [
      [], ["-legacy"], ["-legacy", "-keypbe", "NONE", "-certpbe", "NONE"], ["-certpbe", "NONE"],
    ]
    let files = try options.map { options in
      _ = try program.certify("a", subject: "/CN=Ann")
      let file = try program.bundle(
        "a",
        passphrase: "x",
        options + ["-iter", "1", "-nomaciter", "-macalg", "sha1", "-name", "Ann's"]
      )
      return try Parts(file)
    }
    #expect(files.allSatisfy { failure($0.sealed(with: "x"), "x") == nil })
    var opened = 0
    for round in 0..<4_000 {
      var parts = files[round % files.count]
      parts.content = mutated(parts.content, &generator)
      let error = failure(parts.sealed(with: "x"), "x")
      opened += error == nil ? 1 : 0
      let isRefused = [.malformed, .unsupported, nil].contains(error)
      #expect(isRefused, "SEED=\(generator.seed): \(String(describing: error))")
    }
    #expect(opened > 10, "SEED=\(generator.seed)")
  }
}

/// A file taken apart, to be put together again with another content and the code that belongs to it.
private struct Parts {
  var content: [UInt8]
  private let version: [UInt8]
  private let type: [UInt8]
  private let algorithm: [UInt8]
  private let salt: [UInt8]

  init(_ file: [UInt8]) throws(PKIError) {
    var reader = DERReader(try DERReader.only(DERTag.sequence, in: file[...]).content)
    version = Array(try reader.next().whole)
    var safe = DERReader(try reader.next(DERTag.sequence).content)
    type = Array(try safe.next().whole)
    let tag = DERTag.context(0, isConstructed: true)
    content = Array(
      try DERReader.only(DERTag.octetString, in: try safe.next(tag).content).content
    )
    var code = DERReader(try reader.next(DERTag.sequence).content)
    var digest = DERReader(try code.next(DERTag.sequence).content)
    algorithm = Array(try digest.next().whole)
    salt = Array(try code.next(DERTag.octetString).content)
    try code.finish()
  }

  /// The file, whose code is HMAC with SHA-1 and one round.
  func sealed(with passphrase: String) -> [UInt8] {
    let octets = DERReader.element(DERTag.octetString, content)
    let safe = type + DERReader.element(DERTag.context(0, isConstructed: true), octets)
    let digest = algorithm + DERReader.element(DERTag.octetString, code(passphrase))
    let data =
      Certificate.sequence(digest) + DERReader.element(DERTag.octetString, salt)
    return Certificate.sequence(
      version + Certificate.sequence(safe) + Certificate.sequence(data)
    )
  }

  private func sha1(_ bytes: [UInt8]) -> [UInt8] {
    (try? HashFunction.sha1.digest(of: bytes)) ?? []
  }

  /// RFC 7292, B.2 and B.3, for a key of 20 bytes and one round; then RFC 2104.
  private func code(_ passphrase: String) -> [UInt8] {
    func filled(_ bytes: [UInt8]) -> [UInt8] {
      bytes.isEmpty ? [] : (0..<(bytes.count + 63) / 64 * 64).map { bytes[$0 % bytes.count] }
    }
    var wide: [UInt8] = []
    for unit in Array(passphrase.utf16) + [0] { wide += [UInt8(unit >> 8), UInt8(unit & 255)] }
    let key = sha1([UInt8](repeating: 3, count: 64) + filled(salt) + filled(wide))
    let block = key + [UInt8](repeating: 0, count: 44)
    return sha1(block.map { $0 ^ 0x5c } + sha1(block.map { $0 ^ 0x36 } + content))
  }
}
