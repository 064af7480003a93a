import LocalAuthCrypto
import LocalAuthTestSupport
import LocalAuthToken
import Testing

@testable import LocalAuthVerifier

/// Each rule with the assertion that keeps it and the one that breaks nothing else.
@Suite struct AssertionVerifierTests {
  private func error(
    _ token: String,
    _ issuer: SampleIssuer,
    _ expected: AssertionVerifier.Expectation = Sample.expectation,
    at now: Int64 = Sample.now,
    by verifier: AssertionVerifier? = nil
  ) -> AssertionError? {
    let verifier = verifier ?? AssertionVerifier([issuer.trusted])
    do throws(AssertionError) {
      _ = try verifier.verify(token, expected, at: now)
      return nil
    } catch { return error }
  }

  private func error(
    expecting expected: AssertionVerifier.Expectation = Sample.expectation,
    at now: Int64 = Sample.now,
    _ change: (inout AssertionClaims) -> Void
  ) throws -> AssertionError? {
    let issuer = try SampleIssuer()
    return error(try issuer.token(change), issuer, expected, at: now)
  }

  @Test func takesWhatAnIssuerSigned() throws {
    let issuer = try SampleIssuer()
    let claims = try AssertionVerifier([issuer.trusted])
      .verify(try issuer.token(), Sample.expectation, at: Sample.now)
    #expect(claims == issuer.claims())
  }

  @Test func takesNothingOfWhichOneByteWasChanged() throws {
    let issuer = try SampleIssuer()
    let token = Array(try issuer.token().utf8)
    let dots = token.indices.filter { token[$0] == UInt8(ascii: ".") }
    for index in token.indices where !dots.contains(index) {
      var changed = token
      changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      let found = error(String(decoding: changed, as: UTF8.self), issuer)
      #expect(found != nil, "byte \(index)")
    }
  }

  @Test func takesNoSignatureOverOtherClaims() throws {
    let issuer = try SampleIssuer()
    let parts = try issuer.token().split(separator: ".")
    let others = try issuer.token { $0.subject = "uid:0" }.split(separator: ".")
    #expect(error("\(parts[0]).\(others[1]).\(parts[2])", issuer) == .signature)
  }

  @Test func takesNoneForAnotherAudience() throws {
    #expect(try error { $0.audience = "https://pay.example." } == .audience)
  }

  @Test func takesNoneForAnotherNonce() throws {
    #expect(try error { $0.nonce = "n-0S6_WzA2Mk" } == .nonce)
  }

  @Test func nonceThatATokenClaimsIsReadBeforeAnythingIsVerified() throws {
    let token = try SampleIssuer().token { $0.nonce = "other" }
    let parts = token.split(separator: ".")
    #expect(AssertionVerifier.unverifiedNonce(of: token) == "other")
    #expect(AssertionVerifier.unverifiedNonce(of: "\(parts[0]).\(parts[1]).AAAA") == "other")
    for text in ["", "a.b.c", "\(parts[0])..", "\(parts[0]).e30.\(parts[2])"] {
      #expect(AssertionVerifier.unverifiedNonce(of: text) == nil, "\(text)")
    }
  }

  @Test func takesNoneForAnotherActionOrForOneTooMany() throws {
    let other = MessageHash().sha256(of: Array("pay 11 to ann".utf8))
    #expect(try error { $0.actionDigest = other } == .action)
    #expect(try error { $0.actionDigest = nil } == .action)
    var expected = Sample.expectation
    expected.action = nil
    #expect(try error(expecting: expected) { _ in } == .action)
    #expect(try error(expecting: expected) { $0.actionDigest = nil } == nil)
  }

  @Test func takesNoneOfASimulatedDeviceUnlessItIsAllowed() throws {
    #expect(try error { $0.isSimulated = true } == .simulated)
    var expected = Sample.expectation
    expected.allowsSimulated = true
    #expect(try error(expecting: expected) { $0.isSimulated = true } == nil)
  }

  @Test func takesNoneThatIsWorthSomethingElse() throws {
    var expected = Sample.expectation
    expected.acrValues = ["urn:localauth:acr:biometrics"]
    #expect(try error(expecting: expected) { _ in } == .acr)
    #expect(try error(expecting: expected) { $0.acr = "urn:localauth:acr:biometrics" } == nil)
  }

  @Test func takesNoneBeforeItsTimeOrAfterIt() throws {
    #expect(try error(at: Sample.now + 89) { $0.authTime = $0.issuedAt } == nil)
    #expect(try error(at: Sample.now + 90) { _ in } == .expired)
    #expect(try error(at: Sample.now - 30) { _ in } == nil)
    #expect(try error(at: Sample.now - 31) { _ in } == .notYetValid)
  }

  @Test func takesNoneThatLivesLongerThanOurs() throws {
    #expect(try error { $0.expires += 1 } == .lifetime)
    #expect(try error { $0.expires = 1 << 53 } == .lifetime)
    #expect(try error { $0.expires = $0.issuedAt } == .lifetime)
  }

  @Test func takesNoneThatWasProvenTooLongAgoOrLaterThanItWasSigned() throws {
    #expect(try error { $0.authTime = $0.issuedAt + 1 } == .authTime)
    var expected = Sample.expectation
    expected.maxAge = 10
    #expect(try error(expecting: expected) { $0.authTime -= 38 } == nil)
    #expect(try error(expecting: expected) { $0.authTime -= 39 } == .authTime)
    expected.maxAge = .max
    #expect(try error(expecting: expected) { $0.authTime = 0 } == nil)
  }

  @Test func takesNoneOlderThanAssertionsLiveUnlessSomebodySaysHowOld() throws {
    let age = AssertionVerifier.lifetimeMax + AssertionVerifier.standardSkew
    let now = Sample.now
    #expect(try error { $0.authTime = now - age } == nil)
    #expect(try error { $0.authTime = now - age - 1 } == .authTime)
    #expect(try error { $0.authTime = 0 } == .authTime)
  }

  @Test func takesEachOnce() throws {
    let issuer = try SampleIssuer()
    let verifier = AssertionVerifier([issuer.trusted])
    let token = try issuer.token()
    #expect(error(token, issuer, by: verifier) == nil)
    #expect(error(token, issuer, by: verifier) == .replayed)
    #expect(error(try issuer.token { $0.authTime -= 1 }, issuer, by: verifier) == .replayed)
    #expect(error(try issuer.token { $0.identifier = "b" }, issuer, by: verifier) == nil)
  }

  @Test func refusedOneIsNotUsedUp() throws {
    let issuer = try SampleIssuer()
    let verifier = AssertionVerifier([issuer.trusted])
    let token = try issuer.token()
    var other = Sample.expectation
    other.nonce = "x"
    #expect(error(token, issuer, other, by: verifier) == .nonce)
    #expect(error(token, issuer, by: verifier) == nil)
  }

  @Test func remembersNoMoreThanItsLimitAndForgetsNothingThatCounts() throws {
    let issuer = try SampleIssuer()
    let verifier = AssertionVerifier([issuer.trusted], rememberedMax: 2)
    let first = try issuer.token { $0.identifier = "1" }
    #expect(error(first, issuer, by: verifier) == nil)
    #expect(error(try issuer.token { $0.identifier = "2" }, issuer, by: verifier) == nil)
    let third = try issuer.token { $0.identifier = "3" }
    #expect(error(third, issuer, by: verifier) == .tooManyRemembered)
    #expect(error(first, issuer, by: verifier) == .replayed)
    let later = try issuer.token {
      $0.identifier = "4"
      $0.issuedAt += 100
      $0.expires += 100
      $0.authTime += 100
    }
    #expect(error(later, issuer, at: Sample.now + 100, by: verifier) == nil)
    #expect(error(first, issuer, by: verifier) == .replayed, "also after the clock was set back")
  }

  // MARK: Keys

  @Test func takesNoneOfARotatedOutKey() throws {
    let old = try SampleIssuer(identifier: "old")
    let new = try SampleIssuer(identifier: "new")
    let both = AssertionVerifier([
      .init(name: new.name, keys: JSONWebKeySet(new.keys.keys + old.keys.keys))
    ])
    #expect(error(try old.token(), old, by: both) == nil)
    #expect(error(try old.token(), old, by: AssertionVerifier([new.trusted])) == .unknownKey)
  }

  @Test func takesNoneOfAKeyThatHasAnotherOnesName() throws {
    let real = try SampleIssuer()
    let forger = try SampleIssuer()
    #expect(error(try forger.token(), real) == .signature)
  }

  @Test func takesNoIssuersNameFromAnotherIssuersKey() throws {
    let user = try SampleIssuer("urn:localauth:user:1", identifier: "user")
    let simulated = try SampleIssuer("urn:localauth:simulated:1", identifier: "simulated")
    let verifier = AssertionVerifier([user.trusted, simulated.trusted])
    #expect(error(try simulated.token { $0.issuer = user.name }, user, by: verifier) == .issuer)
    #expect(error(try simulated.token(), user, by: verifier) == nil)
    #expect(error(try simulated.token(), user) == .unknownKey, "where only the user is trusted")
  }

  // MARK: Headers

  private func header(_ header: String) throws -> AssertionError? {
    let issuer = try SampleIssuer()
    let claims = String(decoding: issuer.claims().json, as: UTF8.self)
    return error(try issuer.token(header: header, claims: claims), issuer)
  }

  @Test(arguments: ["none", "None", "HS256", "HS512", "ES256", "RS256", "eddsa", "Ed25519", ""])
  func takesNoOtherAlgorithm(_ name: String) throws {
    #expect(
      try header("{\"alg\":\"\(name)\",\"typ\":\"localauth+jwt\",\"kid\":\"key-1\"}") == .algorithm
    )
  }

  @Test func takesNoUnsignedToken() throws {
    let issuer = try SampleIssuer()
    let parts = try issuer.token().split(separator: ".")
    #expect(error("\(parts[0]).\(parts[1]).", issuer) == .signature)
    #expect(error("\(parts[0]).\(parts[1])", issuer) == .malformed(.notCompact))
    let header = Base64URL.encode(
      "{\"alg\":\"none\",\"typ\":\"localauth+jwt\",\"kid\":\"key-1\"}".utf8
    )
    #expect(error("\(header).\(parts[1]).", issuer) == .algorithm)
  }

  @Test(arguments: ["JWT", "at+jwt", "LOCALAUTH+JWT", "localauth"])
  func takesNoOtherKindOfToken(_ type: String) throws {
    #expect(try header("{\"alg\":\"EdDSA\",\"typ\":\"\(type)\",\"kid\":\"key-1\"}") == .type)
    #expect(try header("{\"alg\":\"EdDSA\",\"kid\":\"key-1\"}") == .type)
  }

  @Test func looksAtNoKeyThatATokenBrings() throws {
    let jwk = "\"jwk\":{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AA\"}"
    #expect(
      try header("{\"alg\":\"EdDSA\",\"typ\":\"localauth+jwt\",\"kid\":\"other\",\(jwk)}")
        == .unknownKey
    )
  }

  @Test func takesNoExtensionThatItDoesNotKnow() throws {
    #expect(
      try header(
        "{\"alg\":\"EdDSA\",\"typ\":\"localauth+jwt\",\"kid\":\"key-1\",\"crit\":[\"b64\"]}"
      )
        == .malformed(.invalid("crit"))
    )
  }

  @Test func takesNoKeyTwiceInAnObject() throws {
    #expect(
      try header(
        "{\"alg\":\"none\",\"alg\":\"EdDSA\",\"typ\":\"localauth+jwt\",\"kid\":\"key-1\"}"
      )
        == .malformed(.malformed(.header))
    )
    let issuer = try SampleIssuer()
    let head = "{\"alg\":\"EdDSA\",\"typ\":\"localauth+jwt\",\"kid\":\"key-1\"}"
    let claims = String(decoding: issuer.claims().json, as: UTF8.self)
    let twice = "{\"sim\":true," + claims.dropFirst()
    #expect(
      error(try issuer.token(header: head, claims: twice), issuer)
        == .malformed(.malformed(.claims))
    )
  }

  @Test func takesNoClaimOfAnotherType() throws {
    let issuer = try SampleIssuer()
    let head = "{\"alg\":\"EdDSA\",\"typ\":\"localauth+jwt\",\"kid\":\"key-1\"}"
    let claims = String(decoding: issuer.claims().json, as: UTF8.self)
    for (name, from, to) in [
      ("sim", "\"sim\":false", "\"sim\":\"false\""), ("sim", "\"sim\":false", "\"sim\":0"),
      ("exp", "\"exp\":", "\"exp\":-"), ("exp", "\"exp\":17", "\"exp\":1.7"),
      ("aud", "\"aud\":\"https://pay.example\"", "\"aud\":[\"https://pay.example\"]"),
      ("amr", "[\"fpt\"]", "[1]"), ("nonce", "\"nonce\":\"n-0S6_WzA2Mj\"", "\"nonce\":null"),
    ] {
      let changed = claims.replacing(from, with: to)
      #expect(changed != claims, "\(from)")
      #expect(
        error(try issuer.token(header: head, claims: changed), issuer) == .malformed(.invalid(name))
      )
    }
    let without = claims.replacing(",\"sim\":false", with: "")
    #expect(
      error(try issuer.token(header: head, claims: without), issuer) == .malformed(.missing("sim"))
    )
  }

  // MARK: Size

  @Test func takesNoGiantToken() throws {
    let issuer = try SampleIssuer()
    #expect(
      error(try issuer.token { $0.subject = String(repeating: "x", count: 9000) }, issuer)
        == .malformed(.tooLong)
    )
    #expect(error(String(repeating: ".", count: 10_000_000), issuer) == .malformed(.tooLong))
    #expect(error(String(repeating: ".", count: 1000), issuer) == .malformed(.notCompact))
    #expect(error("", issuer) == .malformed(.notCompact))
  }

  // MARK: Anything

  @Test func takesNothingThatChanceMade() throws {
    var random = SeededGenerator.ofThisRun
    let seed = random.seed
    let issuer = try SampleIssuer()
    let verifier = AssertionVerifier([issuer.trusted])
    let token = Array(try issuer.token().utf8)
    for round in 0..<3000 {
      var bytes = token
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...127, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8(ascii: "."), at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 20))
        }
        if bytes.isEmpty { bytes = [46] }
      }
      guard bytes != token else { continue }
      #expect(
        error(String(decoding: bytes, as: UTF8.self), issuer, by: verifier) != nil,
        "round \(round), seed \(seed)"
      )
    }
  }
}
