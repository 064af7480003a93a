import LocalAuthTestSupport
import Testing

@testable import LocalAuthPKI

@Suite(.enabled(if: OpenSSLProgram.isInstalled, "needs the openssl program"))
struct CertificateTests {
  private let program = OpenSSLProgram()

  private func lines() -> [String: String] {
    var lines: [String: String] = [:]
    for line in program.output.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      let pair = parts.count == 2 ? parts : line.split(separator: ":", maxSplits: 1)
      if pair.count == 2 { lines["\(pair[0].trimmed)"] = "\(pair[1].trimmed)" }
    }
    return lines
  }

  private static let kinds = [
    OpenSSLProgram.rsa, OpenSSLProgram.p256, ["ec", "-pkeyopt", "ec_paramgen_curve:P-521"],
    ["ed25519"],
  ]

  @Test(arguments: kinds)
  func saysWhatOpenSSLReads(_ kind: [String]) throws {
    let certificate = try Certificate(program.certify("a", kind, subject: "/CN=Ann"))
    try program.check(
      ["x509", "-in", "a.pem", "-noout", "-serial", "-dates", "-dateopt", "iso_8601", "-ocspid"]
    )
    let lines = lines()
    #expect(hex(lines["serial"] ?? "") == Array(certificate.serialNumber.drop { $0 == 0 }))
    #expect(hex(lines["Public key OCSP hash"] ?? "") == certificate.publicKeyHash)
    #expect(hex(lines["Subject OCSP hash"] ?? "") == (try sha1(program.read("a.der"))))
    #expect(lines["notBefore"] == iso(certificate.notBefore))
    #expect(lines["notAfter"] == iso(certificate.notAfter))
    #expect(certificate.subjectKeyIdentifier == certificate.publicKeyHash)
    #expect(certificate.version == 3)
    #expect(certificate.der == program.read("a.der"))

    try program.check(["pkey", "-in", "a.key", "-pubout", "-outform", "DER", "-out", "public"])
    #expect(certificate.subjectPublicKeyInfo == program.read("public"))
    if kind != ["ed25519"] {
      let key = try ExternalPublicKey(subjectPublicKeyInfo: certificate.subjectPublicKeyInfo)
      #expect(key.label == certificate.publicKeyHash)
    }
  }

  /// The hash of the subject as it is written, with its head.
  private func sha1(_ der: [UInt8]) throws -> [UInt8] {
    let name = try #require(try? Certificate(der)).subject
    let parts = name.parts.flatMap { part in
      DERReader.element(
        DERTag.set,
        part.flatMap { attribute in
          DERReader.element(
            DERTag.sequence,
            DERReader.element(DERTag.objectIdentifier, attribute.type) + attribute.value.whole
          )
        }
      )
    }
    return try HashFunction.sha1.digest(of: Certificate.sequence(parts))
  }

  private func iso(_ seconds: Int64) -> String {
    let clock = seconds % 86_400
    let parts = [clock / 3_600, clock / 60 % 60, clock % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(day(seconds / 86_400)) \(parts.joined(separator: ":"))Z"
  }

  /// Counts days, slowly and otherwise than the code under test.
  private func day(_ days: Int64) -> String {
    var (year, month, day) = (1970, 1, 1)
    for _ in 0..<days {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
      day += 1
      if day > length { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }

  @Test func oldCertificatesHaveNoExtensions() throws {
    let der = try program.certify("a", subject: "/CN=Ann", extensions: [])
    let certificate = try Certificate(der)
    #expect(certificate.version == 1)
    #expect(certificate.subjectKeyIdentifier == nil)
    #expect(certificate.emailAddresses.isEmpty)
  }

  // MARK: Names

  private static let subjects: [(String, [String], String?, String?, [String])] = [
    ("/CN=Ann", [], "Ann", "Ann", []),
    ("/C=DE/O=Acme/CN=Ann/CN=Bob", [], "Bob, Ann", "Bob", []),
    ("/CN=Ann/description=at work", [], "Ann (at work)", "Ann", []),
    ("/CN=Ann M\u{fc}ller", [], "Ann M\u{fc}ller", "Ann M\u{fc}ller", []),
    ("/CN=\u{65e5}\u{672c}", [], "\u{65e5}\u{672c}", "\u{65e5}\u{672c}", []),
    ("/C=DE/O=Acme/OU=Sales", [], "Sales", nil, []),
    ("/O=Acme/C=DE", [], "Acme", nil, []),
    ("/C=DE/ST=Hessen", [], "Hessen, DE", nil, []),
    ("/O=Acme/emailAddress=a@b.c", [], "a@b.c", nil, ["a@b.c"]),
    (
      "/CN=Ann/emailAddress=a@b.c", ["subjectAltName=email:x@y.z,DNS:y.z"], "Ann", "Ann",
      ["x@y.z", "a@b.c"]
    ),
    ("/O=Acme", ["subjectAltName=DNS:a_b.example.org"], "a_b.example.org", nil, []),
    ("/O=Acme", ["subjectAltName=DNS:*.example.org,email:x@y.z"], "x@y.z", nil, ["x@y.z"]),
    ("/", ["subjectAltName=critical,URI:https://a.b"], nil, nil, []),
  ]

  @Test(arguments: subjects)
  func subjectIsCalledAsApplesLibraryCallsIt(
    _ subject: String,
    _ extensions: [String],
    _ summary: String?,
    _ commonName: String?,
    _ addresses: [String]
  ) throws {
    let der = try program.certify("a", subject: subject, extensions: extensions)
    let certificate = try Certificate(der)
    #expect(certificate.subjectSummary == summary)
    #expect(certificate.commonName == commonName)
    #expect(certificate.emailAddresses == addresses)
  }

  private static func name(_ tag: UInt8, _ text: String) -> [UInt8] {
    let pair = DERReader.element(
      DERTag.sequence,
      DERReader.element(DERTag.objectIdentifier, X509Type.commonName)
        + DERReader.element(tag, Array(text.utf8))
    )
    return Certificate.sequence(DERReader.element(DERTag.set, pair))
  }

  @Test(arguments: [
    ("Ann", "ANN"), ("  Ann \t Miller ", "ANN MILLER"), ("", ""), (" ", ""), ("aZ09-x", "AZ09-X"),
    (String(repeating: "a  ", count: 60), Array(repeating: "A", count: 60).joined(separator: " ")),
    (String(repeating: "b ", count: 200), Array(repeating: "B", count: 200).joined(separator: " ")),
  ])
  func printableNamesAreComparedWithoutCaseAndBlanks(_ text: String, _ normal: String) throws {
    let normalized = try Certificate.normalizedName(Self.name(DERTag.printableString, text))
    #expect(Certificate.sequence(normalized) == Self.name(DERTag.printableString, normal))
    #expect(try Certificate.normalizedName(Certificate.sequence(normalized)) == normalized)
    let other = try Certificate.normalizedName(Self.name(DERTag.utf8String, text))
    #expect(Certificate.sequence(other) == Self.name(DERTag.utf8String, text))
  }

  @Test func issuersAreFoundBySignature() throws {
    let root = try Certificate(program.certify("root", subject: "/CN=Root"))
    let leaf = try Certificate(program.certify("leaf", subject: "/CN=Leaf", issuer: "root"))
    let twin = try Certificate(OpenSSLProgram().certify("root", subject: "/CN=Root"))
    #expect(leaf.isIssued(by: root))
    #expect(root.isIssued(by: root))
    #expect(!root.isIssued(by: leaf))
    #expect(!leaf.isIssued(by: twin))
    #expect(twin.normalizedSubject == root.normalizedSubject)
    #expect(leaf.normalizedIssuer == root.normalizedSubject)
  }

  // MARK: Dates

  @Test(arguments: [
    (DERTag.utcTime, "700101000000Z", 0), (DERTag.utcTime, "491231235959Z", 2_524_607_999),
    (DERTag.utcTime, "500101000000Z", -631_152_000), (DERTag.utcTime, "0001010000Z", 946_684_800),
    (DERTag.generalizedTime, "20500101000000Z", 2_524_608_000),
    (DERTag.generalizedTime, "20000229120000Z", 951_825_600),
    (DERTag.generalizedTime, "99991231235959Z", 253_402_300_799),
    (DERTag.generalizedTime, "00000101000000Z", -62_167_219_200),
    (DERTag.utcTime, "700101010000+0100", 0), (DERTag.utcTime, "700101000000-0030", 1_800),
  ])
  func datesAreRead(_ tag: UInt8, _ text: String, _ seconds: Int64) throws {
    #expect(try CertificateTime.seconds(element(tag, text)) == seconds)
  }

  @Test(arguments: [
    (DERTag.utcTime, ""), (DERTag.utcTime, "Z"), (DERTag.utcTime, "700101000000"),
    (DERTag.utcTime, "701301000000Z"), (DERTag.utcTime, "700230000000Z"),
    (DERTag.utcTime, "700101240000Z"), (DERTag.utcTime, "70010100000aZ"),
    (DERTag.utcTime, "20500101000000Z"), (DERTag.generalizedTime, "700101000000Z"),
    (DERTag.generalizedTime, "19000229000000Z"), (DERTag.generalizedTime, "200001010000Z"),
    (DERTag.generalizedTime, "20000101000000.5Z"), (DERTag.utcTime, "700101000000+010"),
    (DERTag.integer, "700101000000Z"),
  ])
  func whatIsNoDateIsRefused(_ tag: UInt8, _ text: String) {
    #expect(throws: PKIError.malformed) { try CertificateTime.seconds(element(tag, text)) }
  }

  private func element(_ tag: UInt8, _ text: String) -> DERElement {
    let whole = DERReader.element(tag, Array(text.utf8))
    return DERElement(tag: tag, content: whole[2...], whole: whole[...])
  }

  // MARK: Bad input

  @Test func whatIsCutOffIsNoCertificateAndWhatFollowsIsLeftOut() throws {
    let der = try program.certify("a", subject: "/CN=Ann")
    for count in 0..<der.count {
      #expect(throws: PKIError.malformed) { try Certificate(Array(der.prefix(count))) }
    }
    #expect(try Certificate(der + [0, 1, 2]).der == der)
    #expect(throws: PKIError.malformed) { try Certificate(program.read("a.pem")) }
  }

  @Test func largestCertificateIsReadAndNoneThatIsLarger() throws {
    func certificate(_ padding: Int) throws -> [UInt8] {
      let comment = "1.2.3.4=DER:" + String(repeating: "00", count: padding)
      let text = "[req]\ndistinguished_name=n\nx509_extensions=e\n[n]\n[e]\n\(comment)\n"
      program.write(Array(text.utf8), to: "padded")
      try program.check(
        [
          "req", "-x509", "-config", "padded", "-newkey", "ed25519", "-nodes", "-keyout", "p.key",
          "-subj", "/CN=Padded", "-outform", "DER", "-out", "p.der",
        ]
      )
      return program.read("p.der")
    }
    let small = try certificate(30_000)
    #expect(try Certificate(small).commonName == "Padded")
    let head = small.prefix(4)
    #expect(head == [0x30, 0x82, UInt8((small.count - 4) >> 8), UInt8((small.count - 4) & 255)])
    // One that says it has 64 KiB is one byte too large with its own head.
    let huge = DERReader.element(DERTag.sequence, [UInt8](repeating: 0, count: 65_536))
    #expect(throws: PKIError.malformed) { try Certificate(huge) }
    #expect(throws: PKIError.malformed) { try Certificate([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]) }
    #expect(throws: PKIError.malformed) { try Certificate([0x30, 0x80, 0, 0]) }
  }

  @Test func expiredCertificateIsReadLikeAnyOther() throws {
    var der = try program.certify("a", subject: "/CN=Ann")
    let body = try Certificate(der)
    let dates = try #require(der.indices.first { der[$0...].starts(with: [0x17, 13]) })
    der.replaceSubrange(dates + 2..<dates + 15, with: "000101000000Z".utf8)
    der.replaceSubrange(dates + 17..<dates + 30, with: "000102000000Z".utf8)
    let expired = try Certificate(der)
    #expect(expired.notAfter == 946_771_200)
    #expect(expired.publicKeyHash == body.publicKeyHash)
    #expect(expired != body)
  }

  @Test func noMutationTrapsAndWhatIsReadIsConsistent() throws {
    var generator = SeededGenerator.ofThisRun
    let originals = [
      try program.certify(
        "a",
        subject: "/C=DE/O=Acme/CN=Ann M\u{fc}ller/emailAddress=a@b.c",
        extensions: ["subjectAltName=email:x@y.z,DNS:a.b,IP:1.2.3.4"]
      ),
      try program.certify("b", OpenSSLProgram.rsa, subject: "/CN=\u{65e5}\u{672c}"),
    ]
    var accepted = 0
    for round in 0..<6_000 {
      let der = mutated(originals[round % 2], &generator)
      guard let certificate = try? Certificate(der) else { continue }
      accepted += 1
      #expect(der.starts(with: certificate.der), "SEED=\(generator.seed)")
      #expect(try Certificate(certificate.der) == certificate, "SEED=\(generator.seed)")
      #expect(certificate.publicKeyHash.count == 20, "SEED=\(generator.seed)")
      let name = Certificate.sequence(certificate.normalizedSubject)
      #expect(
        try Certificate.normalizedName(name) == certificate.normalizedSubject,
        "SEED=\(generator.seed)"
      )
      _ = certificate.subjectSummary
      _ = certificate.isIssued(by: certificate)
      _ = try? ExternalPublicKey(subjectPublicKeyInfo: certificate.subjectPublicKeyInfo)
    }
    // A change of the signature alone leaves a certificate.
    #expect(accepted > 100, "SEED=\(generator.seed)")
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
