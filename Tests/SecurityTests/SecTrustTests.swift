import Foundation
import LocalAuthTestSupport
import Security
import Testing

/// Whether certificates are trusted: by whom, when, for which host, and above all when not.
@Suite(
  .enabled(if: OpenSSLProgram.isInstalled, "needs the openssl program")
)
struct SecTrustTests {
  private let program = OpenSSLProgram()

  private static let authority = [
    "basicConstraints=critical,CA:true", "keyUsage=critical,keyCertSign,cRLSign",
    "subjectKeyIdentifier=hash",
  ]
  private static let server = [
    "basicConstraints=CA:false", "subjectAltName=DNS:example.org,DNS:*.example.net,IP:192.0.2.7",
    "extendedKeyUsage=serverAuth",
  ]

  private func issue(
    _ name: String,
    _ extensions: [String],
    by issuer: String? = nil,
    key: [String] = OpenSSLProgram.p256
  ) throws -> SecCertificate {
    let der = try program.certify(
      name,
      key,
      subject: "/CN=\(name)",
      extensions: extensions,
      issuer: issuer
    )
    return try #require(SecCertificateCreateWithData(nil, Data(der) as CFData))
  }

  /// A root, an authority below it and a server's certificate.
  private func family(
    root: [String] = authority,
    middle: [String] = authority,
    leaf: [String] = server
  ) throws -> (root: SecCertificate, middle: SecCertificate, leaf: SecCertificate) {
    (
      try issue("root", root), try issue("middle", middle, by: "root"),
      try issue("leaf", leaf, by: "middle")
    )
  }

  private func trust(
    _ certificates: [SecCertificate],
    anchors: [SecCertificate]?,
    _ policy: SecPolicy = SecPolicyCreateBasicX509()
  ) throws -> SecTrust {
    var trust: SecTrust?
    #expect(
      SecTrustCreateWithCertificates(certificates as CFArray, policy, &trust) == errSecSuccess
    )
    let made = try #require(trust)
    if let anchors {
      #expect(SecTrustSetAnchorCertificates(made, anchors as CFArray) == errSecSuccess)
    }
    return made
  }

  /// The code of what is wrong; 0 where it is trusted.
  private func failure(_ trust: SecTrust) -> OSStatus {
    var error: CFError?
    if SecTrustEvaluateWithError(trust, &error) {
      #expect(error == nil)
      return 0
    }
    #expect(error?.domain == NSOSStatusErrorDomain)
    return error.map { OSStatus($0.code) } ?? 1
  }

  private func result(_ trust: SecTrust) -> SecTrustResultType {
    var result = SecTrustResultType.otherError
    #expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess)
    return result
  }

  // MARK: Trusted

  @Test func chainToAnAnchorIsTrusted() throws {
    let all = try family()
    let asked = try trust([all.leaf, all.middle], anchors: [all.root])
    #expect(result(asked) == .invalid)
    #expect(failure(asked) == 0)
    #expect(result(asked) == .unspecified)
    let chain = SecTrustCopyCertificateChain(asked) as? [SecCertificate]
    #expect(chain == [all.leaf, all.middle, all.root])
    #expect(SecTrustGetCertificateCount(asked) == 3)
    #expect(SecTrustGetCertificateAtIndex(asked, 2) == all.root)
    #expect(SecTrustGetCertificateAtIndex(asked, 3) == nil)
    #expect(SecTrustGetCertificateAtIndex(asked, -1) == nil)
    #expect(SecTrustCopyKey(asked) == SecCertificateCopyKey(all.leaf))
    #expect(SecTrustGetTypeID() == CFGetTypeID(asked))
  }

  @Test func anyCertificateCanBeAnAnchor() throws {
    let all = try family()
    #expect(failure(try trust([all.leaf], anchors: [all.middle])) == 0)
    #expect(failure(try trust([all.leaf], anchors: [all.leaf])) == 0)
    #expect(failure(try trust([all.root], anchors: [all.root])) == 0)
    #expect(failure(try trust([all.leaf, all.root, all.middle], anchors: [all.root])) == 0)
  }

  @Test func oneCertificateNeedsNoList() throws {
    let all = try family()
    var asked: SecTrust?
    #expect(SecTrustCreateWithCertificates(all.leaf, nil, &asked) == errSecSuccess)
    let trust = try #require(asked)
    #expect(failure(trust) == errSecNotTrusted)
    #expect(SecTrustSetAnchorCertificates(trust, [all.middle] as CFArray) == errSecSuccess)
    #expect(result(trust) == .invalid)
    #expect(failure(trust) == 0)
  }

  @Test(arguments: ["example.org", "EXAMPLE.org", "example.org.", "a.example.net", "192.0.2.7"])
  func hostsThatTheCertificateNamesAreTrusted(_ host: String) throws {
    let all = try family()
    let policy = SecPolicyCreateSSL(true, host as CFString)
    #expect(failure(try trust([all.leaf, all.middle], anchors: [all.root], policy)) == 0)
  }

  // MARK: Not trusted

  @Test(arguments: [
    "example.com", "www.example.org", "example.net", "a.b.example.net", "leaf", "192.0.2.8", "",
    "example.org\0.evil.com", "*.example.net", ".example.org", ".example.net", "[192.0.2.7]",
  ])
  func otherHostsAreNot(_ host: String) throws {
    let all = try family()
    let policy = SecPolicyCreateSSL(true, host as CFString)
    let asked = try trust([all.leaf, all.middle], anchors: [all.root], policy)
    #expect(failure(asked) == errSecHostNameMismatch)
    #expect(result(asked) == .recoverableTrustFailure)
  }

  @Test func commonNameIsNoHost() throws {
    let all = try family(leaf: ["basicConstraints=CA:false"])
    let policy = SecPolicyCreateSSL(true, "leaf" as CFString)
    #expect(
      failure(try trust([all.leaf, all.middle], anchors: [all.root], policy))
        == errSecHostNameMismatch
    )
    #expect(
      failure(
        try trust([all.leaf, all.middle], anchors: [all.root], SecPolicyCreateSSL(true, nil))
      ) == 0
    )
  }

  @Test func certificateOfAServerIsNoClients() throws {
    let all = try family()
    let asked = try trust(
      [all.leaf, all.middle],
      anchors: [all.root],
      SecPolicyCreateSSL(false, nil)
    )
    #expect(failure(asked) == errSecInvalidExtendedKeyUsage)
    #expect(SecTrustSetPolicies(asked, SecPolicyCreateSSL(true, nil)) == errSecSuccess)
    #expect(failure(asked) == 0)
    let both = [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, "other" as CFString)]
    #expect(SecTrustSetPolicies(asked, both as CFArray) == errSecSuccess)
    #expect(failure(asked) == errSecHostNameMismatch)
    var policies: CFArray?
    #expect(SecTrustCopyPolicies(asked, &policies) == errSecSuccess)
    #expect(policies as? [SecPolicy] == both)
  }

  @Test func timeCounts() throws {
    let all = try family()
    let asked = try trust([all.leaf, all.middle], anchors: [all.root])
    for (days, status) in [
      (31, errSecCertificateExpired), (-1, errSecCertificateNotValidYet), (29, errSecSuccess),
    ] {
      let date = Date(timeIntervalSinceNow: Double(days) * 86_400)
      #expect(SecTrustSetVerifyDate(asked, date as CFDate) == errSecSuccess)
      #expect(SecTrustGetVerifyTime(asked) == date.timeIntervalSinceReferenceDate)
      #expect(failure(asked) == status)
    }
    for date in [Date.distantPast, Date.distantFuture, Date(timeIntervalSince1970: 1e300)] {
      #expect(SecTrustSetVerifyDate(asked, date as CFDate) == errSecSuccess)
      #expect(failure(asked) != 0)
    }
  }

  @Test func nobodyElsesAnchorsCount() throws {
    let all = try family()
    let other = try issue("stranger", Self.authority)
    for anchors in [[other], []] {
      let asked = try trust([all.leaf, all.middle, all.root], anchors: anchors)
      #expect(failure(asked) == errSecNotTrusted)
      #expect(result(asked) == .recoverableTrustFailure)
      // Nor do the system's know it.
      #expect(SecTrustSetAnchorCertificatesOnly(asked, false) == errSecSuccess)
      #expect(failure(asked) == errSecNotTrusted)
    }
    #expect(failure(try trust([all.leaf, all.middle, all.root], anchors: nil)) == errSecNotTrusted)
    #expect(failure(try trust([all.leaf], anchors: [all.root])) == errSecNotTrusted)
    let only = try trust([all.root], anchors: nil)
    #expect(SecTrustSetAnchorCertificatesOnly(only, true) == errSecSuccess)
    #expect(failure(only) == errSecNotTrusted)
  }

  /// The name of an authority is not its key.
  @Test func anotherAuthorityOfTheSameNameIsNot() throws {
    let all = try family()
    let namesake = try issue("root", Self.authority)
    #expect(failure(try trust([all.leaf, all.middle], anchors: [namesake])) != 0)
    let changed = Data(referencing: SecCertificateCopyData(all.leaf))
    var forged = changed
    forged[forged.count - 1] ^= 1
    let certificate = try #require(SecCertificateCreateWithData(nil, forged as CFData))
    let asked = try trust([certificate, all.middle], anchors: [all.root])
    #expect(failure(asked) == errSecInvalidSignature)
    #expect(result(asked) == .fatalTrustFailure)
  }

  @Test(arguments: [
    ["basicConstraints=critical,CA:false"], ["basicConstraints=CA:false", "keyUsage=keyCertSign"],
    ["keyUsage=critical,keyCertSign"], ["subjectKeyIdentifier=hash"],
    ["basicConstraints=critical,CA:true", "keyUsage=critical,digitalSignature"], [],
  ])
  func whatIsNoAuthorityIssuesNothing(_ middle: [String]) throws {
    let all = try family(middle: middle)
    let asked = try trust([all.leaf, all.middle], anchors: [all.root])
    #expect([errSecNoBasicConstraintsCA, errSecNotTrusted].contains(failure(asked)))
  }

  @Test func authorityBelowTheAllowedDepthIsNone() throws {
    let limit = ["basicConstraints=critical,CA:true,pathlen:0", "keyUsage=critical,keyCertSign"]
    let root = try issue("root", limit)
    let middle = try issue("middle", Self.authority, by: "root")
    let leaf = try issue("leaf", Self.server, by: "middle")
    #expect(
      failure(try trust([leaf, middle], anchors: [root])) == errSecPathLengthConstraintExceeded
    )
    #expect(
      failure(try trust([try issue("direct", Self.server, by: "root")], anchors: [root])) == 0
    )
  }

  @Test func chainIsNotEndless() throws {
    var all = [try issue("a0", Self.authority)]
    for number in 1...13 {
      all.append(try issue("a\(number)", Self.authority, by: "a\(number - 1)"))
    }
    #expect(failure(try trust(Array(all[1...8].reversed()), anchors: [all[0]])) == 0)
    #expect(failure(try trust(Array(all[1...].reversed()), anchors: [all[0]])) != 0)
  }

  @Test func authoritySpeaksForItsNamesOnly() throws {
    let names = "nameConstraints=critical,permitted;DNS:example.com"
    let all = try family(middle: Self.authority + [names])
    #expect(failure(try trust([all.leaf, all.middle], anchors: [all.root])) == errSecInvalidName)
    let own = try issue("own", ["subjectAltName=DNS:a.example.com"], by: "middle")
    #expect(failure(try trust([own, all.middle], anchors: [all.root])) == 0)
    let excluded = "nameConstraints=critical,excluded;DNS:example.org"
    let without = try family(middle: Self.authority + [excluded])
    #expect(
      failure(try trust([without.leaf, without.middle], anchors: [without.root]))
        == errSecInvalidName
    )
  }

  @Test func unknownCriticalExtensionIsRefused() throws {
    let all = try family(leaf: Self.server + ["1.2.3.4=critical,ASN1:NULL"])
    #expect(
      failure(try trust([all.leaf, all.middle], anchors: [all.root]))
        == errSecUnknownCriticalExtensionFlag
    )
  }

  @Test(arguments: ["root", "middle", "leaf"]) func shortKeysAreRefused(_ weak: String) throws {
    func key(_ name: String) -> [String] { name == weak ? ["rsa:1024"] : OpenSSLProgram.p256 }
    let root = try issue("root", Self.authority, key: key("root"))
    let middle = try issue("middle", Self.authority, by: "root", key: key("middle"))
    let leaf = try issue("leaf", Self.server, by: "middle", key: key("leaf"))
    let asked = try trust([leaf, middle], anchors: [root])
    #expect(failure(asked) == errSecUnsupportedKeySize)
    #expect(result(asked) == .fatalTrustFailure)
  }

  @Test(arguments: ["middle", "leaf"]) func forgeableDigestsAreRefused(_ weak: String) throws {
    func key(_ name: String) -> [String] { OpenSSLProgram.rsa + (name == weak ? ["-sha1"] : []) }
    let root = try issue("root", Self.authority, key: OpenSSLProgram.rsa)
    let middle = try issue("middle", Self.authority, by: "root", key: key("middle"))
    let leaf = try issue("leaf", Self.server, by: "middle", key: key("leaf"))
    #expect(failure(try trust([leaf, middle], anchors: [root])) == errSecInvalidDigestAlgorithm)
  }

  // MARK: Bad input

  @Test func whatIsNoCertificateIsNoQuestion() throws {
    let one = try issue("one", Self.server)
    var asked: SecTrust?
    let wrong: [AnyObject] = [
      [] as NSArray, ["x"] as NSArray, "x" as NSString, NSNull(), [one, "x"] as NSArray,
      SecPolicyCreateBasicX509(),
    ]
    for certificates in wrong {
      #expect(SecTrustCreateWithCertificates(certificates, nil, &asked) == errSecParam)
    }
    for policies in [[] as NSArray, ["x"] as NSArray, one, NSNull()] as [AnyObject] {
      #expect(SecTrustCreateWithCertificates(one, policies, &asked) == errSecParam)
    }
    #expect(asked == nil)
    let trust = try trust([one], anchors: [one])
    #expect(SecTrustSetPolicies(trust, [] as NSArray) == errSecParam)
    #expect(SecTrustSetAnchorCertificates(trust, ["x"] as CFArray) == errSecParam)
    #expect(failure(trust) == 0)
    #expect(SecTrustSetAnchorCertificates(trust, nil) == errSecSuccess)
    #expect(failure(trust) == errSecNotTrusted)
  }

  @Test func moreCertificatesThanAreLookedAtAreNotTrusted() throws {
    let all = try family()
    let many = [all.leaf] + Array(repeating: all.middle, count: 101)
    #expect(failure(try trust(many, anchors: [all.root])) == errSecInternalComponent)
    #expect(failure(try trust(Array(many.dropLast()), anchors: [all.root])) == 0)
  }
}
